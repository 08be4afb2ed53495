import type { ReactNode } from 'react';
import { ScreenHead } from '../parts/screen.tsx';

export function InboxScreen(): ReactNode {
  return <ScreenHead title="Inbox" />;
}
