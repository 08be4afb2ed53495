import type { ReactNode } from 'react';
import { ScreenHead } from '../parts/screen.tsx';

export function FlowsScreen(): ReactNode {
  return <ScreenHead title="Flows" />;
}
