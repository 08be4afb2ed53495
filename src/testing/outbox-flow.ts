/** Instances that have something to say to the world outside, several times each. */
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';

/** How the receiver treats what one instance says third: as the rest, never, or as gone. */
export type Trouble = 'none' | 'refused' | 'gone';

export interface Mailing {
  readonly number: number;
  readonly trouble: Trouble;
}

export interface Said {
  readonly number: number;
  readonly seq: number;
  readonly trouble: Trouble;
}

export const EVENTS_EACH = 5;

/** After so many a worker of the tests gives an event up. */
export const ATTEMPTS_MAX = 8;

const OUT = { outbox: true } as const;

function say({ number, trouble }: Mailing, seq: number) {
  const data: Said = { number, seq, trouble: seq === 3 ? trouble : 'none' };
  return { type: 'said', data: { ...data } };
}

/** Two in one commit, two in the next, and one with the last. */
export const mailing: Flow<Mailing> = flow<Mailing>('mailing')
  .emit('e1', ({ input }) => say(input, 1), OUT)
  .emit('e2', ({ input }) => say(input, 2), OUT)
  .step('a', () => null)
  .emit('e3', ({ input }) => say(input, 3), OUT)
  .emit('e4', ({ input }) => say(input, 4), OUT)
  .step('b', () => null)
  .emit('e5', ({ input }) => say(input, 5), OUT)
  .end();
