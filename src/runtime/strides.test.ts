/** Strides that run ahead of the store, and what happens when the ground they ran on is gone. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Held, Store } from '../stores/store.ts';
import { Dice } from '../testing/dice.ts';
import { answerLost, losingStore } from '../testing/outage.ts';
import { Gate, settled, Stage } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import type { Engine } from './engine.ts';
import type { Run } from './run.ts';

interface Gates {
  readonly a: Gate<string>;
  readonly b: Gate<string>;
}

/** Two steps at the same time, and beside them a wait that another process can end. */
function trio({ a, b: right }: Gates) {
  return flow<null>('trio')
    .parallel('fork', {
      a: (b) => b.step('a', () => a.opened),
      b: (b) => b.step('b', () => right.opened),
      // Waking it makes more tokens than an answer does: ids of the two must not get mixed up.
      c: (b) =>
        b.waitFor('c', { event: 'c', key: 'k' }).parallel('inner', {
          d: (b) => b.step('d', () => 'd'),
          e: (b) => b.step('e', () => 'e'),
        }),
    })
    .end();
}

const gates = (): Gates => ({ a: new Gate<string>(), b: new Gate<string>() });
const ALL = { a: 'a', b: 'b', c: 'c', d: 'd', e: 'e' };

async function latchesFired(run: Run): Promise<number> {
  const history = await run.history();
  return history.flatMap(({ changes }) => changes).filter(({ did }) => did === 'fire-latch').length;
}

/** Everything has come to its end, once and without a trace of what did not come about. */
async function expectAll(engine: Engine, run: Run): Promise<void> {
  expect((await run.inspect()).output).toEqual(ALL);
  expect(await latchesFired(run)).toBe(2);
  expect(await engine.check()).toMatchObject({ violations: [] });
}

const other = flow<null>('other').waitFor('w', { event: 'w', key: 'k' }).end();

/** An engine whose commits are held back, with an instance of this flow that has just started. */
async function slowStart(flow: Flow<null>) {
  const world = new World();
  const stage = new Stage();
  const batches: number[] = [];
  const noted = wrappedStore(world.store, {
    commit: (batch) => {
      batches.push(batch.length);
      return world.store.commit(batch);
    },
  });
  const store = stage.watch(noted, 'slow', ['commit']);
  const engine = await world.open([flow, other], { store, worker: { id: 'slow' } });
  const starting = engine.start(flow, null, { id: 'i' });
  await stage.letAllGo();
  const run = await starting;
  /** Has what comes next wait for as many commits as can be under way, and so go out together. */
  const gather = async (): Promise<void> => {
    for (let batch = 0; batch < 2; batch += 1) {
      void engine.start(other, null);
      await settled();
    }
    batches.length = 0;
  };
  /** Everything goes on, and so does time, until nothing moves any more. */
  const goOn = async (): Promise<void> => {
    for (let second = 0; second < 3; second += 1) {
      await stage.letAllGo();
      await world.pass('1s');
    }
    await stage.letAllGo();
  };
  return { world, stage, engine, run, batches, gather, goOn };
}

const WAYS = [
  ['in one batch', true],
  ['one after the other', false],
] as const;

describe('two strides of one instance are on their way, and the first does not come about', () => {
  test.each(WAYS)('stale, %s: both are worked out again', async (_, together) => {
    const doors = gates();
    const { world, stage, engine, run, batches, gather, goOn } = await slowStart(trio(doors));
    const second = await world.open([trio(doors)], { worker: false });
    if (together) await gather();
    doors.a.open('a');
    await settled();
    // The very version that the first wanted to make, with other contents.
    await second.publish({ type: 'c', key: 'k', data: 'c' });
    doors.b.open('b');
    await settled();
    expect(stage.held).toEqual(Array(together ? 2 : 1).fill('slow commit'));
    await goOn();
    expect(batches.slice(0, together ? 3 : 2)).toEqual(together ? [1, 1, 2] : [1, 1]);
    await expectAll(engine, run);
  });

  test.each(WAYS)('fenced, %s: the second stands on what is there', async (_, together) => {
    const doors = gates();
    const { world, stage, engine, run, gather, goOn } = await slowStart(trio(doors));
    const second = await world.open([trio(doors)], { worker: false });
    if (together) await gather();
    doors.a.open('a');
    if (together) doors.b.open('b');
    await settled();
    await world.store.release([await claimOn(run, 'a')]);
    stage.letGo(0);
    await settled();
    expect(stage.held).toContain('slow commit answers');
    // Refused, and before anybody here hears of it another makes that version.
    await second.publish({ type: 'c', key: 'k', data: 'c' });
    doors.b.open('b');
    await goOn();
    await expectAll(engine, run);
  });

  test.each(
    WAYS.flatMap(([way, together]) =>
      (['before', 'after'] as const).map((loss) => [loss, way, together] as const),
    ),
  )(
    'lost %s it came about, %s: it is found out, and what another made is not overwritten',
    async (loss, _, together) => {
      const doors = gates();
      const { world, engine, run, gather, goOn } = await slowStart(trio(doors));
      const second = await world.open([trio(doors)], { worker: false });
      const commit = world.store.commit.bind(world.store);
      if (together) await gather();
      doors.a.open('a');
      await settled();
      doors.b.open('b');
      await settled();
      world.store.commit = async (batch) => {
        if (batch.every(({ touched }) => touched.head.id !== run.id)) return commit(batch);
        world.store.commit = commit;
        if (loss === 'after') await commit(batch);
        // The very version that is in doubt here, with other contents, if it did not come about.
        await second.publish({ type: 'c', key: 'k', data: 'c' });
        throw answerLost();
      };
      await goOn();
      await expectAll(engine, run);
      expect(await world.store.dropped(run.id)).toEqual([]);
    },
  );
});

/** The claim of a step that the commit which made it ready handed over. */
async function claimOn(run: Run, node: string): Promise<Held> {
  const token = (await run.tokens()).find((one) => one.node === node);
  if (token === undefined) throw new Error(`no token is at ${node}`);
  return { instance: run.id, token: token.id, version: 1, worker: 'slow' };
}

describe('what is judged by a guess is judged again when the guess was wrong', () => {
  test.each(WAYS)(
    'a start under a known id disturbs nobody who has it, %s',
    async (_, together) => {
      const gate = new Gate<string>();
      const one = flow<null>('one')
        .step('only', () => gate.opened)
        .end(({ results, input }) => [results.only, input]);
      const { world, engine, run, batches, gather, goOn } = await slowStart(one);
      if (together) await gather();
      const again = engine.start('one', 'another input', { id: 'i' });
      const refusal = again.catch((error: unknown) => error);
      await settled();
      gate.open('done');
      await goOn();
      expect(await refusal).toMatchObject({ code: 'instance.exists' });
      expect(batches.slice(0, together ? 3 : 2)).toEqual(together ? [1, 1, 2] : [1, 1]);
      expect(await run.inspect()).toMatchObject({ status: 'completed', output: ['done', null] });
      expect(await world.store.dropped(run.id)).toEqual([]);
      expect(await engine.check()).toMatchObject({ violations: [] });
    },
  );

  test('a cached instance is not taken for what others have made of it since', async () => {
    const late = flow<null>('late')
      .waitFor('w', { event: 'w', key: 'k' })
      .step('after', ({ results }) => results.w)
      .end();
    const world = new World();
    const engine = await world.open([late]);
    const office = await world.open([late], { worker: false });
    const run = await engine.start(late, null);
    await settled();
    await office.publish({ type: 'w', key: 'k', data: 1 });
    await world.pass('1s');
    expect(await run.inspect()).toMatchObject({ status: 'completed', version: 3 });
    expect(await world.store.dropped(run.id)).toEqual([]);
  });

  test('a result that a terminate seemed to have overtaken counts if it had not', async () => {
    const doors = gates();
    const ending = flow<null>('ending')
      .parallel('fork', {
        a: (b) => b.step('a', () => doors.a.opened).terminate('stop', () => 'stopped'),
        b: (b) => b.step('b', () => doors.b.opened).waitFor('w', { event: 'w', key: 'k' }),
      })
      .end();
    const { world, run, goOn } = await slowStart(ending);
    const claim = await claimOn(run, 'a');
    doors.a.open('a');
    await settled();
    // The claim is gone before its result arrives: this terminate does not come about.
    await world.store.release([claim]);
    doors.b.open('b');
    await goOn();
    expect(await world.store.dropped(run.id)).toMatchObject([{ token: claim.token }]);
    const results = (await run.history()).flatMap(({ changes }) =>
      changes.flatMap((change) => (change.did === 'write' ? [change.name] : [])),
    );
    expect(results).toContain('b');
    expect((await run.inspect()).output).toBe('stopped');
  });
});

describe('two engines on one store, in any order of everything', () => {
  const VERBS: readonly (keyof Store)[] = [
    ...(['commit', 'recall', 'claim', 'renew', 'load', 'history'] as const),
    ...(['due', 'expired', 'deliverable', 'outlook'] as const),
  ];
  /** Past so many releases a run no longer comes to its end. */
  const RELEASES_MAX = 20_000;

  function work(stage: Stage, ran: string[]) {
    const act = async (name: string): Promise<string> => {
      ran.push(name);
      await stage.hold(`handler ${name}`);
      return name;
    };
    return flow<null>('work')
      .parallel('fork', {
        left: (b) => b.step('l1', () => act('l1')).step('l2', () => act('l2')),
        right: (b) => b.repeat('r', { times: 2 }, (b) => b.step('r1', () => act('r1'))),
        wait: (b) => b.waitFor('w', { event: 'w', key: 'k' }).step('w1', () => act('w1')),
        nap: (b) => b.sleep('nap', '2s').step('n1', () => act('n1')),
      })
      .step('last', () => act('last'))
      .end();
  }

  /**
   * Plays one instance to its end; `jump` says how far time leaps while things are under way, and
   * of every so many commits `lose` have their answers lost.
   */
  async function play(seed: number, jump: (dice: Dice) => number, lose = 0) {
    const dice = new Dice(seed);
    const [world, stage, ran] = [new World(), new Stage(), [] as string[]];
    const flows = [work(stage, ran)];
    const loss = (): 'before' | 'after' => (dice.roll(2) === 0 ? 'before' : 'after');
    const open = (id: string): Promise<Engine> => {
      const losing = losingStore(world.store, () => (dice.roll(10) < lose ? loss() : undefined));
      return world.open(flows, { store: stage.watch(losing, id, VERBS), worker: { id } });
    };
    const engines = [await open('x'), await open('y')];
    const starting = dice.pick(engines).start('work', null);
    const publishing = dice.pick(engines).publish({ type: 'w', key: 'k', data: seed });
    let over = false;
    const result = starting
      .then((run) => run.result())
      .finally(() => {
        over = true;
      });
    for (let releases = 0; !over; releases += 1) {
      if (releases > RELEASES_MAX) throw new Error(`seed ${seed} does not come to its end`);
      await settled(1);
      const held = stage.held.length;
      const leap = held === 0 ? 1 + dice.roll(1_500) : jump(dice);
      if (leap > 0) world.clock.moveTo(world.clock.now + leap);
      else stage.letGo(dice.roll(held));
    }
    await stage.letAllGo();
    await publishing;
    const honest = await world.open([], { worker: false });
    expect(await honest.check(), `seed ${seed}`).toMatchObject({ violations: [] });
    const run = (await honest.get((await starting).id)) as Run;
    expect(await latchesFired(run), `seed ${seed}`).toBe(1);
    expect(await result, `seed ${seed}`).toEqual({
      ...{ l1: 'l1', l2: 'l2', r1: 'r1', w: seed, w1: 'w1', n1: 'n1', last: 'last' },
    });
    return { ran: ran.toSorted(), dropped: await world.store.dropped(run.id) };
  }

  const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth);

  test.each(TENTHS)(
    'every handler runs once while no lease is lost, seeds %i0 to %i9',
    async (n) => {
      for (let seed = n * 10; seed < n * 10 + 10; seed += 1) {
        const { ran, dropped } = await play(seed, () => 0);
        expect(ran, `seed ${seed}`).toEqual(['l1', 'l2', 'last', 'n1', 'r1', 'r1', 'w1']);
        expect(dropped, `seed ${seed}`).toEqual([]);
      }
    },
  );

  test.each(TENTHS)('D3: the same where answers are lost, 20 seeds, %i', async (n) => {
    for (let seed = 2_000 + n * 20; seed < 2_020 + n * 20; seed += 1) {
      const { ran, dropped } = await play(seed, () => 0, 3);
      expect(ran, `seed ${seed}`).toEqual(['l1', 'l2', 'last', 'n1', 'r1', 'r1', 'w1']);
      expect(dropped, `seed ${seed}`).toEqual([]);
    }
  });

  test.each(TENTHS)('all comes to its end where leases are lost too, 20 seeds, %i', async (n) => {
    const jump = (dice: Dice): number => (dice.roll(30) === 0 ? dice.roll(12_000) : 0);
    for (let seed = 0; seed < 20; seed += 1) await play(1_000 + n * 20 + seed, jump);
  });
});
