import type { Signal } from '../model/input.ts';
import type { ScopeId } from '../model/ids.ts';
import type { Token, Wake } from '../model/instance.ts';

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

/** The region it waits for, or was woken by and has not gone on from. */
export function regionOf({ wait, wake }: Token): ScopeId | undefined {
  if (wait?.on === 'scope') return wait.scope;
  const told = wake?.reason === 'resume' ? wake.payload : null;
  return (told as { readonly scope?: ScopeId } | null)?.scope;
}
