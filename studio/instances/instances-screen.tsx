import type { ReactNode } from 'react';
import { ScreenHead } from '../parts/screen.tsx';

export function InstancesScreen(): ReactNode {
  return <ScreenHead title="Instances" />;
}
