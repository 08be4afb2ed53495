import type { ReactNode } from 'react';
import { ScreenHead } from '../parts/screen.tsx';

export function HealthScreen(): ReactNode {
  return <ScreenHead title="Health" />;
}
