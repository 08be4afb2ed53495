/** P4 by numbers: however many answers are lost, every effect is there exactly once. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { Dice } from '../testing/dice.ts';
import { Till } from '../testing/postgres-till.ts';
import type { CommitLoss } from '../testing/tcp-proxy.ts';

/** With each kind of loss. */
const RUNS = 1_000;
const SEED = 20_261_116;

const till = new Till();
beforeEach(() => till.open());
afterEach(() => till.close());
afterAll(() => till.drop());

const put = flow<string>('put')
  .step(
    'put',
    async ({ tx, input }) => {
      await tx.query(till.put, [input]);
      return `${input} is in`;
    },
    { transactional: true },
  )
  .end(({ results }) => results.put);

test.each<[CommitLoss]>([['lose-reply'], ['lose-request']])(
  'where every fourth commit meets %s',
  async (loss) => {
    const proxy = await till.network();
    const engine = await till.engine([put], { url: proxy.url(till.url) });
    const dice = new Dice(SEED);
    proxy.armCommitLoss(loss, () => dice.roll(4) === 0);
    const names = Array.from({ length: RUNS }, (_, n) => `run ${n}`);
    const outputs = await Promise.all(
      names.map(async (id) => (await engine.start(put, id, { id })).result()),
    );
    proxy.disarm();
    expect(proxy.lost).toBeGreaterThan(RUNS / 5);
    expect(outputs).toEqual(names.map((name) => `${name} is in`));
    expect((await till.entries()).toSorted()).toEqual(names.toSorted());
    expect(await engine.check()).toMatchObject({ ok: true, instances: RUNS });
    expect(await Promise.all(names.map(resultsOf))).toEqual(names.map(() => 1));
    expect(till.log.lines.filter(({ level }) => level === 'error')).toEqual([]);

    /** How often its history says that the step was done. */
    async function resultsOf(id: string): Promise<number> {
      const rows = (await (await engine.get(id))?.history()) ?? [];
      const writes = rows.flatMap(({ changes }) => changes.filter(({ did }) => did === 'write'));
      return writes.length;
    }
  },
);
