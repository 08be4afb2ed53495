import type { ReactNode } from 'react';
import { ScreenHead } from '../parts/screen.tsx';

export function CompareScreen(): ReactNode {
  return <ScreenHead title="Compare" />;
}
