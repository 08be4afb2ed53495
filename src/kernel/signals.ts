import type { Signal } from '../model/input.ts';
import type { Wake } from '../model/instance.ts';

/** What a token is told that was woken for this. */
export function signalOf(why: Wake | null): Signal | null {
  switch (why?.reason) {
    case 'timeout':
      return why.arm === undefined ? { on: 'time' } : { on: 'time', arm: why.arm };
    case 'event': {
      const data = why.payload;
      return why.arm === undefined
        ? { on: 'message', data }
        : { on: 'message', data, arm: why.arm };
    }
    case 'resume':
      return why.payload as unknown as Extract<Signal, { on: 'scope' | 'child' | 'fault' }>;
    default:
      return null;
  }
}
