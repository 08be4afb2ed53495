/**
 * Many messages for many readers, in an order that chance decides: before their readers are there,
 * while they begin to wait, and long after. Everyone who knows the seed knows all of it.
 */
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { Dice } from './dice.ts';

export const PROCESSES = 3;
/** What each reader waits for, one after the other. */
export const MAIL_EACH = 5;
/** One message in so many is sent to its reader alone. */
const SENT_ONE_IN = 10;
/** One in so many is published in a transaction, where there are any. */
const TX_ONE_IN = 10;
/** One in so many is published twice, by whomever. */
const TWICE_ONE_IN = 10;

/** What one of the processes does. */
export type Deed = { readonly by: number; readonly reader: string } & (
  | { readonly do: 'start'; readonly send: readonly string[] }
  | { readonly do: 'publish'; readonly message: string; readonly how: How }
);

/** `regret` is a transaction that is rolled back, and then another that is not. */
export type How = 'plain' | 'tx' | 'regret';

/** Its output is what it had, in order. */
export const reader: Flow<null, readonly unknown[]> = flow<null>('reader')
  .waitFor('first', { event: 'mail' })
  .waitFor('second', { event: 'mail' })
  .waitFor('third', { event: 'mail' })
  .waitFor('fourth', { event: 'mail' })
  .waitFor('fifth', { event: 'mail' })
  .end(({ results: { first, second, third, fourth, fifth } }) => {
    return [first, second, third, fourth, fifth];
  });

export function readersOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `reader-${n}`);
}

export function mailFor(name: string): readonly string[] {
  return Array.from({ length: MAIL_EACH }, (_, n) => `${name}/${n}`);
}

/** All there is to do, in the order in which it is begun. */
export function deedsOf(seed: number, readers: readonly string[], hasTx: boolean): readonly Deed[] {
  const dice = new Dice(seed);
  const deeds = readers.flatMap((name) => deedsFor(name, hasTx, dice));
  for (let last = deeds.length - 1; last > 0; last -= 1) {
    const place = dice.roll(last + 1);
    [deeds[last], deeds[place]] = [deeds[place] as Deed, deeds[last] as Deed];
  }
  return deeds;
}

function deedsFor(name: string, hasTx: boolean, dice: Dice): Deed[] {
  const by = (): number => dice.roll(PROCESSES);
  const sent = mailFor(name).filter(() => dice.roll(SENT_ONE_IN) === 0);
  const deeds: Deed[] = [{ by: by(), reader: name, do: 'start', send: sent }];
  for (const message of mailFor(name)) {
    if (sent.includes(message)) continue;
    const inTx = hasTx && dice.roll(TX_ONE_IN) === 0;
    const how = inTx ? dice.pick<How>(['tx', 'regret']) : 'plain';
    deeds.push({ by: by(), reader: name, do: 'publish', message, how });
    if (dice.roll(TWICE_ONE_IN) > 0) continue;
    deeds.push({ by: by(), reader: name, do: 'publish', message, how: 'plain' });
  }
  return deeds;
}
