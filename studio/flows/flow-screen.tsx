import type { ReactNode } from 'react';
import { ScreenHead } from '../parts/screen.tsx';

export function FlowScreen(): ReactNode {
  return <ScreenHead title="Flow" />;
}
