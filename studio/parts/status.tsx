/** How an instance or a token stands, in a word and a colour: never in a colour alone. */
import type { ReactNode } from 'react';

const TONES: Readonly<Record<string, string>> = {
  running: 'run',
  executing: 'run',
  ready: 'queue',
  created: 'queue',
  waiting: 'wait',
  suspended: 'queue',
  compensating: 'warn',
  completed: 'ok',
  done: 'ok',
  ok: 'ok',
  failed: 'bad',
  incident: 'bad',
  fail: 'bad',
  warn: 'warn',
  canceled: 'off',
  terminated: 'off',
};

export function toneOf(status: string): string {
  return TONES[status] ?? 'queue';
}

export function StatusBadge({ status }: { readonly status: string }): ReactNode {
  return <span className={`badge tone-${toneOf(status)}`}>{status}</span>;
}
