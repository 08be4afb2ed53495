/** Kinds of nodes that an application brings, on every store: they pause, and go on. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { defineKind } from '../frontends/kinds/define-kind.ts';
import { end, go, pause } from '../frontends/kinds/moves.ts';
import type { Flow } from '../model/definition.ts';
import { isSound, tokenAt } from '../testing/fragile.ts';
import { gateKind, toldBy } from '../testing/gates.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import type { Run } from './run.ts';

const gate = gateKind('acme.gate');
const anyones = gateKind('acme.open', 'any');

/** The tokens that wait at nodes of an application's, by what they paused with. */
async function pausedIn(run: Run): Promise<ReadonlyMap<unknown, number>> {
  const tokens = (await run.tokens()).filter(({ wait }) => wait?.on === 'signal');
  return new Map(
    tokens.map(({ id, wait }) => [
      (wait as unknown as { data: { item: unknown; gate: string } }).data.item ??
        (wait as unknown as { data: { gate: string } }).data.gate,
      id,
    ]),
  );
}

onEveryStore('a node of an application’s kind', (open) => {
  test('O-47: pauses, outlives a restart, and is woken by whoever has its kind alone', async () => {
    const job = flow('job')
      .node('hold', gate, { gate: 'a' })
      .end(({ results }) => results.hold);
    const { lab, run } = await begin(open, job);
    const token = await tokenAt(run, 'hold');
    const before = await run.inspect();
    const refused = { code: 'token.gated' };
    await expect(run.wake(token, 'x')).rejects.toMatchObject(refused);
    await expect(run.wake(null, 'x')).rejects.toMatchObject(refused);
    const forged = JSON.parse(JSON.stringify(gate)) as typeof gate;
    await expect(run.wake(token, 'x', { as: forged })).rejects.toMatchObject(refused);
    await expect(run.wake(token, 'x', { as: { ...gate } })).rejects.toMatchObject(refused);
    await expect(run.wake(token, 'x', { as: anyones })).rejects.toMatchObject(refused);
    await expect(run.act({ do: 'wake', token, as: gate.kind as never })).rejects.toMatchObject(
      refused,
    );
    expect(await run.inspect()).toEqual(before);

    lab.crash();
    const preview = await run.preview({ do: 'wake', token, data: 'x', as: gate });
    expect(preview.after.status).toBe('completed');
    await run.wake(token, 'x', { as: gate, vars: { seen: true } });
    await lab.settle();
    expect(await run.result()).toEqual({ by: 'wake', data: 'x', item: null });
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1']);
    await expect(run.wake(token, 'x', { as: gate })).rejects.toMatchObject({
      code: 'instance.over',
    });
    await isSound(lab);
  });

  test('is woken by anyone, if its kind says so', async () => {
    const job = flow('job')
      .node('hold', anyones, { gate: 'a' })
      .end(({ results }) => results.hold);
    const { lab, run } = await begin(open, job);
    await run.wake(null, { paid: 7 });
    await lab.settle();
    expect(await run.result()).toEqual({ by: 'wake', data: { paid: 7 }, item: null });
  });

  test('goes on when its time is over, and not before', async () => {
    const job = flow('job')
      .node('hold', gate, { gate: 'a', timeout: '2h' })
      .end(({ results }) => results.hold);
    const { lab, run } = await begin(open, job, { for: '119m' });
    expect(await run.status()).toBe('waiting');
    lab.crash();
    await lab.advance('1m');
    expect(await run.result()).toEqual({ late: 'a' });
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1']);
  });

  test('rests until a moment, which stays what it is while the instance is suspended', async () => {
    const due = defineKind({
      kind: 'acme.due',
      pauses: true,
      enter: ({ now }) => pause({ until: now + 3_600_000 }),
      resume: ({ now }) => go(now),
    });
    const late = flow('late')
      .node('due', due)
      .end(({ results }) => results.due);
    const { lab, run } = await begin(open, late, { for: '10m' });
    await run.suspend();
    await lab.advance('20m');
    await run.resume();
    const begun = lab.now - 30 * 60_000;
    await lab.advance('1d');
    expect(await run.result()).toBe(begun + 3_600_000);
  });

  test('is woken by a message, whoever sends it, and not by its number', async () => {
    const job = flow('job')
      .node('hold', gate, { gate: 'a', event: 'gate.opened' })
      .end(({ results }) => results.hold);
    const { lab, run } = await begin(open, job, { key: 'k' });
    const token = await tokenAt(run, 'hold');
    await expect(run.wake(token, 'x')).rejects.toMatchObject({ code: 'token.gated' });
    const published = await lab.engine.publish({ type: 'gate.opened', key: 'k', id: 'm', data: 3 });
    expect(published.outcome).toBe('woken');
    await lab.settle();
    expect(await run.result()).toEqual({ by: 'message', data: 3, item: null });
    expect(await toldBy(run)).toEqual(['arm a 1', 'disarm done a 1']);
  });

  test('pauses in branches and loop passes at once, each woken on its own', async () => {
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.node('left', gate, { gate: 'left' }),
        b: (b) => b.repeat('passes', { times: 2 }, (r) => r.node('right', gate, { gate: 'right' })),
      })
      .end(({ results }) => [results.left, results.right]);
    const { lab, run } = await begin(open, job);
    await run.wake((await pausedIn(run)).get('right') ?? 0, 1, { as: gate });
    lab.crash();
    await run.wake((await pausedIn(run)).get('right') ?? 0, 2, { as: gate });
    await run.wake((await pausedIn(run)).get('left') ?? 0, 3, { as: gate });
    await lab.settle();
    expect(await run.result()).toMatchObject([{ data: 3 }, { data: 2 }]);
    expect((await toldBy(run)).toSorted()).toEqual([
      ...['arm left 1', 'arm right 1', 'arm right 1'],
      ...['disarm done left 1', 'disarm done right 1', 'disarm done right 1'],
    ]);
    await isSound(lab);
  });

  test('pauses in every item of a map, and sees which', async () => {
    const { lab, run } = await begin(open, mapped());
    expect(new Set((await pausedIn(run)).keys())).toEqual(new Set(['x', 'y', 'z']));
    lab.crash();
    for (const item of ['z', 'x', 'y']) {
      await run.wake((await pausedIn(run)).get(item) ?? 0, `${item}!`, { as: gate });
    }
    await lab.settle();
    expect(await run.result()).toEqual([
      { by: 'wake', data: 'x!', item: 'x' },
      { by: 'wake', data: 'y!', item: 'y' },
      { by: 'wake', data: 'z!', item: 'z' },
    ]);
    await isSound(lab);
  });

  test('goes on by the way it names, and sets variables with it', async () => {
    const sort = defineKind({
      kind: 'acme.sort',
      ways: ['high', 'low'],
      enter: ({ input }) =>
        Number(input) > 5
          ? go({ of: input }, { way: 'high', vars: { rank: 1 }, in: 'instance' })
          : go('small', { way: 'low' }),
    });
    const job = flow('job')
      .node('sort', sort, null, { high: (b) => b.step('big', ({ vars }) => vars) })
      .end(({ results }) => [results.sort, results.big ?? null]);
    const lab = await open([job]);
    const [big, small] = [await lab.engine.start(job, 9), await lab.engine.start(job, 2)];
    await lab.settle();
    expect(await big.result()).toEqual([{ of: 9 }, { rank: 1 }]);
    expect(await small.result()).toEqual(['small', null]);
  });

  test('ends its path, with an output if it says one', async () => {
    const stop = defineKind({ kind: 'acme.stop', enter: ({ config }) => end(config) });
    const job = flow('job')
      .node('stop', stop, { over: true })
      .step('never', () => 1)
      .end(() => 'the end');
    const { run } = await begin(open, job);
    expect(await run.result()).toEqual({ over: true });
  });

  test('O-92: need not answer alike: what was committed is never asked for again', async () => {
    let asked = 0;
    const dice = defineKind({
      kind: 'acme.dice',
      enter: () => {
        asked += 1;
        return go(asked);
      },
    });
    const job = flow('job')
      .node('dice', dice)
      .step('work', () => 1)
      .end(({ results }) => results.dice);
    const { lab, run } = await begin(open, job, { chaos: { crashAfterEveryCommit: true } });
    await lab.settle();
    const { results } = (await run.at(1)).scopes[0] ?? {};
    expect(await run.result()).toBe(results?.['dice']);
  });
});

/** A map over a list, each of whose items is a node of the kind. */
function mapped(): Flow {
  const edge = (from: string, to: string) => ({ id: `${from}->${to}`, from, to });
  const written = flow('mapped').node('hold', gate, { gate: 'g' }).end();
  const [start, hold, last] = written.definition.draft.nodes;
  if (start === undefined || hold === undefined || last === undefined) throw new Error('a flow');
  return {
    ...written,
    definition: {
      ...written.definition,
      code: new Map([[':end', { output: ({ results }) => results['each'] }]]),
      draft: {
        ...written.definition.draft,
        nodes: [
          start,
          { id: 'each', kind: 'map', settings: { body: 'item', over: ['x', 'y', 'z'] } },
          { id: 'item', kind: 'item', parent: 'each', settings: { body: 'hold', last: 'hold' } },
          { ...hold, parent: 'item' },
          { ...last, settings: { output: 'code' } },
        ],
        edges: [edge(':start', 'each'), edge('each', ':end')],
      },
    },
  };
}
