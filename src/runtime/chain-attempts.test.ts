/** Scenario 4 (L-38, L-39, X-04, X-05): how often a step is executed in all, on every store. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, retry, waiting } from '../frontends/chain/results.ts';
import { deadly, expectRows, Script } from '../testing/chain-rows.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';

function job(maxAttempts: number) {
  return chain('job', 1, ['WORK', 'NEXT'], { maxAttempts });
}

onEveryStore('scenario 4: executions in all', (open) => {
  for (const maxAttempts of [1, 2, 3]) {
    for (const expiries of [0, 1, 2, 4]) {
      // A lease that runs out counts, and is never the last word: something must fail after it.
      const runs = Math.max(maxAttempts, expiries + 1);
      const told = `max ${maxAttempts}, of which ${expiries} cost the worker its life`;
      test(`X-04: ${told}: ${runs}`, async () => {
        const script = new Script(retry('1s', 'busy'));
        const lab: Lab = await open([job(maxAttempts)], {
          handlers: {
            WORK: deadly(
              script,
              (execution) => execution <= expiries,
              () => lab.crash(),
            ),
          },
        });
        const run = await lab.engine.start('job', {});
        await lab.advance('1h');
        expect(script.told.map(({ attempt }) => attempt)).toEqual(
          Array.from({ length: runs }, (_, index) => index + 1),
        );
        expect(await run.inspect()).toMatchObject({
          status: 'failed',
          fault: { code: 'chain.retry', message: 'busy' },
          tokens: [{ status: 'failed', attempts: runs, crashes: expiries }, { status: 'created' }],
        });
        await expectRows(lab, run, {
          instance: { status: 'FAILED', current_step_seq: 0 },
          steps: [
            { status: 'DEAD', attempts: runs, max_attempts: maxAttempts, last_error: 'busy' },
            { status: 'PENDING' },
          ],
        });
        expect(await lab.engine.check()).toMatchObject({ ok: true });
      });
    }

    test(`X-04: max ${maxAttempts}: waiting and waking do not count`, async () => {
      const script = new Script(
        ...[waiting('go'), waiting('go'), waiting('go'), retry('1s', 'busy')],
      );
      const { lab, run } = await begin(open, job(maxAttempts), {
        handlers: { WORK: script.handler },
      });
      for (let i = 0; i < 3; i += 1) {
        await run.send('go');
        await lab.settle();
      }
      await lab.advance('1h');
      expect(script.told).toHaveLength(3 + maxAttempts);
      expect(await run.tokens()).toMatchObject([{ status: 'failed', attempts: maxAttempts }, {}]);
    });

    test(`L-39: max ${maxAttempts}: the last of them may still succeed`, async () => {
      const failures = Array.from({ length: maxAttempts - 1 }, () => new Error('busy'));
      const script = new Script(...failures, completed());
      const { run } = await begin(open, job(maxAttempts), {
        handlers: { WORK: script.handler },
        for: '1h',
      });
      expect(await run.tokens()).toMatchObject([
        { status: 'completed', attempts: maxAttempts - 1, lastError: null },
        { status: 'ready' },
      ]);
    });
  }
});
