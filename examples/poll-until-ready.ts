/**
 * Waiting for a job that runs elsewhere and does not say when it is done. It is asked about with
 * growing pauses; after an hour it is given up, and the undo of the first step stops the job.
 * Between two questions nothing is at work and nothing is kept in memory: a crash neither starts
 * the job twice nor loses it, and makes no pause longer.
 *
 * Hours pass at once here, by the clock of the test kit. In a program it is `createEngine` with a
 * database, and real time.
 *
 * Prints:
 *
 *     stopped the job of 90 minutes
 *     10 minutes: completed, asked at minute 1, 3, 7, 15
 *     90 minutes: failed, asked at minute 1, 3, 7, 15, 25, 35, 45, 55
 */
import { flow } from 'perdure';
import { createTestEngine } from 'perdure/testing';

// Stands for the service that does the job, to which the same key twice is one job.
const jobs = new Map<string, number>();
const asked: { minutes: number; at: number }[] = [];
function statusOf(job: string): 'running' | 'ready' {
  const [minutes, at] = [jobs.get(job) ?? 0, (test.now - begin) / 60_000];
  asked.push({ minutes, at });
  return at < minutes ? 'running' : 'ready';
}

const encode = flow<{ minutes: number }>('encode')
  .step('submit', ({ input, idempotencyKey: job }) => (jobs.set(job, input.minutes), { job }), {
    undo: ({ input }) => console.log(`stopped the job of ${input.minutes} minutes`),
  })
  .race('wait', {
    asking: (b) =>
      b.repeat('poll', { until: ({ results }) => results.ask === 'ready' }, (pass) =>
        pass
          .sleep('pause', ({ index }) => `${Math.min(2 ** index, 10)}m`)
          .step('ask', ({ results }) => statusOf(results.submit.job), {
            retry: { maxAttempts: 3 },
          }),
      ),
    late: (b) => b.sleep('an-hour', '1h').fail('give-up', { code: 'job.late' }),
  })
  .end();

const test = createTestEngine({ flows: [encode] });
const begin = test.now;
const inputs = [{ minutes: 10 }, { minutes: 90 }];
const runs = await Promise.all(inputs.map((input) => test.start(encode, input)));
await test.advance('1h');
for (const [n, run] of runs.entries()) {
  const minutes = inputs[n]?.minutes;
  const at = asked.filter((each) => each.minutes === minutes).map((each) => each.at);
  console.log(`${minutes} minutes: ${await run.status()}, asked at minute ${at.join(', ')}`);
}
await test.close();
