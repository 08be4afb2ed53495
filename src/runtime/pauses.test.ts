/** O-85..O-92: any number of tokens rest in any places at once, and each is woken on its own. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { InstanceId } from '../model/ids.ts';
import { Dice } from '../testing/dice.ts';
import { settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import type { Engine } from './engine.ts';
import type { Run } from './run.ts';

const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

/** Three branches, each with two passes of a loop, each pass with a pause and a step after it. */
function pauses(ran: string[] = []) {
  const note = (name: string): string => {
    ran.push(name);
    return name;
  };
  return flow('pauses')
    .parallel('fork', {
      a: (b) =>
        b.repeat('ra', { times: 2 }, (b) =>
          b.waitFor('a', { event: 'a', key: 'k' }).step('a1', () => note('a1')),
        ),
      b: (b) =>
        b.repeat('rb', { times: 2 }, (b) =>
          b.scope('sb', (b) =>
            b.waitFor('b', { event: 'b', key: 'k' }).step('b1', () => note('b1')),
          ),
        ),
      c: (b) =>
        b.repeat('rc', { times: 2 }, (b) =>
          b.waitFor('c', { event: 'c', key: 'k' }).step('c1', () => note('c1')),
        ),
    })
    .step('after', () => note('after'))
    .end(({ results: { a, b, c, after } }) => [a, b, c, after]);
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) =>
    permutations(items.filter((_, index) => index !== at)).map((rest) => [item, ...rest]),
  );
}

async function firedOf(run: Run): Promise<number> {
  const history = await run.history();
  return history.flatMap(({ changes }) => changes).filter(({ did }) => did === 'fire-latch').length;
}

async function waitingFor(engine: Engine, id: InstanceId): Promise<string[]> {
  const run = await engine.get(id);
  const tokens = (await run?.tokens()) ?? [];
  return tokens.flatMap(({ wait }) => (wait?.on === 'message' ? [wait.type] : [])).toSorted();
}

/** Wakes them in this order; between every two of them the process is another one. */
async function wakeAcrossRestarts(order: readonly Name[]) {
  const world = new World();
  const ran: string[] = [];
  let engine = await world.open([pauses(ran)]);
  const { id } = await engine.start(pauses(), null);
  await settled();
  for (const [n, name] of order.entries()) {
    await engine.close();
    engine = await world.open([pauses(ran)]);
    const { outcome } = await engine.publish({ type: name, key: 'k', data: n });
    expect(outcome).toBe('woken');
    await settled();
  }
  const run = await engine.get(id);
  if (run === undefined) throw new Error('the instance is there');
  expect(await engine.check()).toMatchObject({ violations: [] });
  return { run, ran };
}

describe('O-85..O-89, scenario 15: pauses in parallel branches and loop passes', () => {
  test.each(permutations(NAMES).map((order) => [order.join(''), order] as const))(
    'woken in the order %s, twice, with a restart before each: the join fires once',
    async (_, order) => {
      const { run, ran } = await wakeAcrossRestarts([...order, ...order]);
      const last = NAMES.map((name) => order.indexOf(name) + 3);
      expect(await run.result()).toEqual([...last, 'after']);
      expect(await firedOf(run)).toBe(1);
      expect(ran.toSorted()).toEqual(['a1', 'a1', 'after', 'b1', 'b1', 'c1', 'c1']);
    },
  );

  test.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'woken in random order, seed %i, with a restart before each',
    async (seed) => {
      const dice = new Dice(seed);
      const order: Name[] = [];
      for (const left: Name[] = [...NAMES, ...NAMES]; left.length > 0; ) {
        order.push(...left.splice(dice.roll(left.length), 1));
      }
      const { run } = await wakeAcrossRestarts(order);
      expect(await run.result()).toEqual([
        ...NAMES.map((name) => order.lastIndexOf(name)),
        'after',
      ]);
      expect(await firedOf(run)).toBe(1);
    },
  );

  test('O-88: sibling wake-ups at the same instant all land, and the join fires once', async () => {
    const world = new World();
    const [a, b, c] = [
      await world.open([pauses()]),
      await world.open([pauses()]),
      await world.open([]),
    ];
    const run = await a.start(pauses(), null);
    await settled();
    for (let pass = 0; pass < 2; pass += 1) {
      const published = await Promise.all([
        a.publish({ type: 'a', key: 'k', data: pass }),
        b.publish({ type: 'b', key: 'k', data: pass }),
        c.publish({ type: 'c', key: 'k', data: pass }),
      ]);
      expect(published.map(({ outcome }) => outcome)).toEqual(['woken', 'woken', 'woken']);
      await world.pass('1s');
    }
    expect(await run.inspect()).toMatchObject({
      ...{ status: 'completed', output: [1, 1, 1, 'after'] },
    });
    expect(await firedOf(run)).toBe(1);
    expect(await a.check()).toMatchObject({ violations: [] });
  });

  test('O-88: fifty wake-ups at the same instant all land', async () => {
    const many = flow<null>('many')
      .parallel('fork', {
        left: (b) =>
          b.repeat('l', { times: 25 }, (b) => b.waitFor('left', { event: 'e', key: 'left' })),
        right: (b) =>
          b.repeat('r', { times: 25 }, (b) => b.waitFor('right', { event: 'e', key: 'right' })),
      })
      .end();
    const world = new World();
    const engine = await world.open([many]);
    const run = await engine.start(many, null);
    await Promise.all(
      ['left', 'right'].flatMap((key) =>
        Array.from({ length: 25 }, (_, n) => engine.publish({ type: 'e', key, data: n })),
      ),
    );
    expect(await run.result()).toEqual({ left: 24, right: 24 });
    expect(await firedOf(run)).toBe(1);
  });

  test('O-86, O-89: one branch rests while the others go on to their own pauses', async () => {
    const world = new World();
    const engine = await world.open([pauses()]);
    const run = await engine.start(pauses(), null);
    await settled();
    expect(await waitingFor(engine, run.id)).toEqual(['a', 'b', 'c']);
    expect(await run.status()).toBe('waiting');
    await engine.publish({ type: 'b', key: 'k' });
    await settled();
    expect(await waitingFor(engine, run.id)).toEqual(['a', 'b', 'c']);
    await engine.publish({ type: 'b', key: 'k' });
    await settled();
    expect(await waitingFor(engine, run.id)).toEqual(['a', 'c']);
    // What rests cannot be claimed, by anyone.
    const handlers = engine.parts.library.claimable();
    const request = { worker: 'w', handlers, limit: 9, leaseMs: 1 };
    expect(await world.store.claim(request)).toEqual([]);
  });
});

test('O-85: a linear flow is one token in one scope from beginning to end', async () => {
  const linear = flow('linear')
    .step('one', () => 1)
    .sleep('nap', '1h')
    .waitFor('mail', { event: 'mail', key: 'k' })
    .step('two', () => 2)
    .end();
  const world = new World();
  const engine = await world.open([linear]);
  const run = await engine.start(linear, null);
  await settled();
  await world.pass('1h');
  await engine.publish({ type: 'mail', key: 'k' });
  await run.result();
  const { version } = await run.inspect();
  for (let n = 1; n < version; n += 1) {
    const { tokens, scopes } = await run.at(n);
    expect([tokens.length, scopes.length]).toEqual([1, 1]);
  }
});

test('O-87: variables are read up the tree, written where one is, and gone with it', async () => {
  const scoped = flow<null, { seen: string }>('scoped', { vars: { seen: 'root' } })
    .scope('outer', (b) =>
      b
        .set('outer-set', () => ({ seen: 'outer' }))
        .scope('inner', (b) =>
          b
            .step('reads', ({ vars, set }) => {
              set('seen', 'inner');
              set('kept', 'by the instance', { in: 'instance' });
              return vars.seen;
            })
            .waitFor('pause', { event: 'go', key: 'k' })
            .step('inside', ({ vars }) => vars.seen),
        )
        .step('outside', ({ vars }) => vars.seen),
    )
    .step('after', ({ vars }) => ({ ...vars }))
    .end(({ results: { reads, inside, outside, after } }) => ({ reads, inside, outside, after }));
  const world = new World();
  const first = await world.open([scoped]);
  const { id } = await first.start(scoped, null);
  await settled();
  await first.close();
  const engine = await world.open([scoped]);
  await engine.publish({ type: 'go', key: 'k' });
  expect(await (await engine.get(id))?.result()).toEqual({
    ...{ reads: 'outer', inside: 'inner', outside: 'outer' },
    after: { seen: 'root', kept: 'by the instance' },
  });
});

test('O-90: what fails in one branch cancels the others, wherever they rest', async () => {
  const failing = flow('failing')
    .parallel('fork', {
      rests: (b) => b.repeat('r', { times: 3 }, (b) => b.waitFor('w', { event: 'w', key: 'k' })),
      naps: (b) => b.scope('s', (b) => b.sleep('nap', '1d')),
      fails: (b) =>
        b.waitFor('go', { event: 'go', key: 'k' }).step('boom', () => {
          throw new Error('boom');
        }),
    })
    .end();
  const world = new World();
  const engine = await world.open([failing]);
  const run = await engine.start(failing, null);
  await settled();
  await engine.publish({ type: 'go', key: 'k' });
  await expect(run.result()).rejects.toMatchObject({ details: { fault: { node: 'boom' } } });
  expect(await run.inspect()).toMatchObject({ status: 'failed', tokens: [], scopes: [] });
  expect((await engine.publish({ type: 'w', key: 'k' })).outcome).toBe('buffered');
  expect(await engine.parts.worker?.nextDue(world.store)).toBeUndefined();
});

test('O-92: nothing is replayed: what a handler said once is what it said', async () => {
  let calls = 0;
  const chance = flow('chance')
    .step('draw', () => {
      calls += 1;
      return calls;
    })
    .waitFor('w', { event: 'w', key: 'k' })
    .step('again', ({ results }) => results.draw)
    .end(({ results }) => results.again);
  const world = new World();
  let engine = await world.open([chance]);
  const { id } = await engine.start(chance, null);
  for (let restarts = 0; restarts < 5; restarts += 1) {
    await settled();
    await engine.close();
    engine = await world.open([chance]);
  }
  await engine.publish({ type: 'w', key: 'k' });
  expect(await (await engine.get(id))?.result()).toBe(1);
  expect(calls).toBe(1);
});
