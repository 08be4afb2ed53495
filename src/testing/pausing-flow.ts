/**
 * A flow that waits in five places at once: in two branches, in a pass of a loop and in two items
 * of a map. Each place keeps what it was woken with, and a step counts when all have been.
 */
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Run } from '../runtime/run.ts';

export const PLACES = 5;

export interface Gathered {
  readonly left: unknown;
  readonly right: unknown;
  readonly pass: unknown;
  readonly items: readonly unknown[];
}

/** `met` is called by the step after the join. */
export function pausingFlow(met: () => void = () => {}): Flow<null, Gathered> {
  return flow<null>('pausing')
    .parallel('all', {
      one: (b) => b.waitFor('left', { event: 'go', key: 'left' }),
      two: (b) => b.waitFor('right', { event: 'go', key: 'right' }),
      three: (b) =>
        b.repeat('once', { times: 1 }, (pass) =>
          pass.waitFor('pass', { event: 'go', key: 'pass' }),
        ),
      four: (b) =>
        b.map('items', { over: ['a', 'b'] }, (item) =>
          item.waitFor('item', { event: 'go', key: 'item' }),
        ),
    })
    .step('met', async () => met())
    .end(({ results: { left, right, pass, items } }) => ({ left, right, pass, items }));
}

/** The numbers of the tokens that wait for somebody outside. */
export async function waitingIn(run: Run): Promise<readonly number[]> {
  const tokens = await run.tokens();
  return tokens.filter(({ wait }) => wait?.on === 'message').map(({ id }) => id);
}

/** How often joins fired over the whole life of an instance. */
export async function joinsOf(run: Run): Promise<number> {
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  return changes.filter(({ did }) => did === 'fire-latch').length;
}

/** How often the step after the join was done. */
export async function meetingsOf(run: Run): Promise<number> {
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  const born = new Set(
    changes.flatMap((change) =>
      change.did === 'birth-token' && change.token.node === 'met' ? [change.token.id] : [],
    ),
  );
  const ended = changes.filter(
    (change) => change.did === 'end-token' && change.why === 'done' && born.has(change.token),
  );
  return ended.length;
}
