/**
 * Reports that nobody starts: one every night by the clock of Berlin, one a few times a second. Run
 * it again and the schedules are the ones that are there already; kill it, and what was missed
 * meanwhile is caught up with. What lies behind it is in the file named on the command line.
 */
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const [, , file = 'reports.db'] = process.argv;

interface Report {
  readonly of: string;
}

const report = flow<Report>('report')
  .step('write', async ({ input }) => `a report of ${input.of}`)
  .end(({ results }) => results.write);

let hear = (_at: string): void => {};
const heard = new Promise<string>((resolve) => {
  hear = resolve;
});

const pulse = flow<{ schedule: string; at: string }>('pulse')
  .step('count', async ({ input }) => hear(input.at))
  .end();

const engine = await createEngine({ store: sqlite(file), flows: [report, pulse] });

const nightly = await engine.schedule('nightly-report', {
  cron: '30 2 * * MON-FRI',
  timezone: 'Europe/Berlin',
  flow: report,
  input: { of: 'yesterday' },
  key: 'nightly-report',
});

await engine.schedule('pulse', { every: '250ms', flow: pulse, catchUp: 'skip' });

const next = await nightly.next();
console.log(`the next report is due ${new Date(next ?? Number.NaN).toISOString().slice(11)}`);

const run = await nightly.trigger();
console.log('by hand:', await run.result());

await nightly.pause();
console.log(`paused: ${(await nightly.describe()).status}, next ${await nightly.next()}`);
await nightly.resume();

console.log(`a pulse was due at ${(await heard).replace(/^.*T.*$/, 'its moment')}`);

for (const { name, nextAt } of await engine.schedules.list()) {
  console.log(`${name} ${nextAt === null ? 'rests' : 'goes on'}`);
}
await engine.close();
