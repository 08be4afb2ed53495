/** P4 by numbers: however many answers are lost, every effect is there exactly once. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { Dice } from '../testing/dice.ts';
import { Till } from '../testing/postgres-till.ts';
import type { CommitLoss } from '../testing/tcp-proxy.ts';
import type { Run } from './run.ts';

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
    const started = await Promise.all(names.map((id) => engine.start(put, id, { id })));
    const outputs = await Promise.all(started.map((run) => run.result()));
    proxy.disarm();
    expect(proxy.lost).toBeGreaterThan(RUNS / 5);
    expect(outputs).toEqual(names.map((name) => `${name} is in`));
    expect((await till.entries()).toSorted()).toEqual(names.toSorted());
    expect(await engine.check()).toMatchObject({ ok: true, instances: RUNS });
    expect(await Promise.all(started.map(resultsOf))).toEqual(names.map(() => 1));
    expect(till.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  },
);

/** How often its history says that the step was done. */
async function resultsOf(run: Run): Promise<number> {
  const changes = (await run.history()).flatMap((row) => row.changes);
  return changes.filter(({ did }) => did === 'write').length;
}
