/**
 * Random flows and chains on whole engines, on every store, whose process dies after every commit,
 * while an operator does whatever comes to mind (B-30, L-42, L-43, S-69, scenario 24). What is done
 * is what the preview said; what is refused leaves no trace; every promise holds in between and in
 * the end, and everything comes to an end. The laws of single strides have a thousand sequences of
 * their own (`kernel/operations-laws.test.ts`); here the engine and the stores are tried.
 */
import { expect, test } from 'vitest';
import type { Flow } from '../model/definition.ts';
import type { InstanceId } from '../model/ids.ts';
import { type Lab, onEveryStore, type StoreName } from '../testing/lab.ts';
import { OperatedRun } from '../testing/operated-run.ts';
import { sequenceOf } from '../testing/operations-report.ts';
import { flowOf } from '../testing/random-flows.ts';
import { ACTIVITY_HANDLERS } from '../testing/random-activities.ts';
import { CHAIN_HANDLERS, chainOf } from '../testing/random-chains.ts';
import { luck } from '../testing/random-luck.ts';
import type { Run } from './run.ts';

/** From which to which: a thousand in all, fewer where each takes longer. */
const SEQUENCES: Readonly<Record<StoreName, readonly [from: number, to: number]>> = {
  memory: [1, 760],
  SQLite: [761, 940],
  Postgres: [941, 1_000],
};
/** That many share an engine; more of them have the process die in the middle of each other. */
const TOGETHER = 4;
const OPERATIONS = 6;

const HANDLERS = { ...CHAIN_HANDLERS, ...ACTIVITY_HANDLERS };

/** What the waits of random flows wait for. */
const TYPES = ['event-0', 'event-1', 'event-2'];
const KEYS = ['fixed', 'key-0', 'key-1', 'key-2'];

function drawn(seed: number): Flow {
  const { one, chain } = sequenceOf(seed);
  return chain ? chainOf(seed, `storm-${seed}`) : flowOf(one, `storm-${seed}`);
}

async function publishAll({ engine }: Lab, turn: string): Promise<void> {
  for (const type of TYPES) {
    for (const key of KEYS) await engine.publish({ type, key, data: turn, ttl: '1s' });
  }
}

/** Whoever is left when everything was answered is cancelled, and that ends it. */
async function bringToEnd(lab: Lab): Promise<void> {
  const ids = await lab.store.scan(null, 1_000);
  const runs = (await Promise.all(ids.map((id: InstanceId) => lab.engine.get(id)))) as Run[];
  for (const run of runs) await run.resume().catch(() => {});
  await lab.advance('1h');
  for (const run of runs) await run.cancel();
  await lab.advance('1h');
  for (const run of runs) expect((await run.inspect()).endedAt).not.toBe(null);
}

onEveryStore('an operator, while the process dies after every commit', (open, name) => {
  const [first, last] = SEQUENCES[name];
  const counts = { done: 0, refused: 0 };
  for (let from = first; from <= last; from += TOGETHER) {
    const to = from + TOGETHER - 1;
    test(`does whatever comes to mind: sequences ${from} to ${to}`, async () => {
      const seeds = Array.from({ length: TOGETHER }, (_, n) => from + n);
      const flows = seeds.map(drawn);
      const chaos = { crashAfterEveryCommit: true };
      const lab = await open(flows, { chaos, handlers: HANDLERS });
      const all = seeds.map((seed, n) => new OperatedRun(seed, lab, flows[n] as Flow));
      for (const one of all) await one.begin();
      for (let turn = 0; turn < OPERATIONS; turn += 1) {
        await lab.advance(luck(2_000, from, 'time', turn));
        if (turn % 2 === 0) await publishAll(lab, `turn ${turn}`);
        for (const one of all) await one.ask(turn);
        // What comes of that is over before anybody compares.
        await lab.advance(0);
        for (const one of all) await one.operate(turn);
      }
      expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
      await bringToEnd(lab);
      for (const one of all) await one.check();
      expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
      for (const { tally } of all) {
        counts.done += tally.done;
        counts.refused += tally.refused;
      }
    });
  }

  test('of which much is done, and much is refused', () => {
    const each = (last - first + 1) * OPERATIONS;
    expect(counts.done + counts.refused).toBe(each);
    expect(Math.min(counts.done, counts.refused)).toBeGreaterThan(each / 5);
  });
});
