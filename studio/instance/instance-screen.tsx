import type { ReactNode } from 'react';
import { ScreenHead } from '../parts/screen.tsx';

export function InstanceScreen(): ReactNode {
  return <ScreenHead title="Instance" />;
}
