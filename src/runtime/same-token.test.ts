/**
 * Two executions of one token side by side, on every store: one whose claim was taken away and
 * whose handler has not stopped yet, and the one that counts. What ends the first is no business of
 * the second.
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { isSound } from '../testing/fragile.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { answerLost } from '../testing/outage.ts';
import { Gate } from '../testing/stage.ts';
import type { Run } from './run.ts';

/** A step whose first execution heeds nobody, and whose second does as it is told. */
function workplace(version: number = 1, limits: { timeout?: string } = {}) {
  const signals: AbortSignal[] = [];
  const gate = new Gate<string>();
  const work = ({ signal }: { signal: AbortSignal }): Promise<string> => {
    signals.push(signal);
    if (signals.length === 1) return new Gate<string>().opened;
    return new Promise((resolve, reject) => {
      void gate.opened.then(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  const job = (of: number): Flow<null, string> =>
    flow<null>('job', { version: of })
      .step('work', work, limits)
      .end(({ results }) => results.work);
  return { job: job(version), next: job(version + 1), signals, gate };
}

/** The first was told to stop, the second was not, and what it brings is the result. */
async function counts(
  lab: Lab,
  run: Run,
  { signals, gate }: Pick<ReturnType<typeof workplace>, 'signals' | 'gate'>,
): Promise<void> {
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  gate.open('second');
  await lab.tick(0);
  expect([await run.status(), await run.result()]).toEqual(['completed', 'second']);
  await isSound(lab);
}

onEveryStore('the second execution of a step whose first has not stopped', (open) => {
  const actions: readonly (readonly [string, (run: Run) => Promise<unknown>])[] = [
    ['run again', (run) => run.rerun('work')],
    ['migrated', (run) => run.migrate({ version: 2 })],
  ];
  for (const [what, action] of actions) {
    test(`goes on when a heartbeat finds the first lost, ${what} elsewhere`, async () => {
      const { job, next, signals, gate } = workplace();
      const lab = await open([job, next]);
      const office = await lab.beside([job, next]);
      office.engine.parts.worker?.abandon();
      const run = await lab.engine.start(job, null);
      await lab.tick(0);
      await action((await office.engine.get(run.id)) as Run);
      await lab.tick(0);
      await lab.tick('4s');
      await counts(lab, run, { signals, gate });
    });
  }

  test('goes on when the time of the first is over', async () => {
    const { job, signals, gate } = workplace(1, { timeout: '9s' });
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.tick('5s');
    await run.rerun('work');
    await lab.tick('5s');
    await counts(lab, run, { signals, gate });
  });

  test('begins at once although the answer to that was lost', async () => {
    const { job, signals, gate } = workplace();
    let losing = 0;
    const lab = await open([job], {
      around: async (verb, call) => {
        const answer = await call();
        if (verb !== 'commit' || losing === 0) return answer;
        losing -= 1;
        throw answerLost();
      },
    });
    const run = await lab.engine.start(job, null);
    await lab.tick(0);
    losing = 1;
    const rerun = run.rerun('work');
    await lab.tick('1s');
    await rerun;
    await lab.tick(0);
    await counts(lab, run, { signals, gate });
  });
});
