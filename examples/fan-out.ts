/**
 * Fan-out and fan-in: the same for every item of a list, so many at a time, and then one sum. Here
 * the branches of a shop report what they sold. One of them cannot be reached: its error is kept in
 * its place, and the others count all the same. Each answer is a commit of its own, so after a
 * crash only those are asked again that had not answered.
 *
 * Prints:
 *
 *     Oslo: 120
 *     Rome: 80
 *     Lima: the line is dead
 *     Bonn: 200
 *     booked 400, 1 missing
 */
import { setTimeout as thinking } from 'node:timers/promises';
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

// Stands for the branches. Rome answers before Oslo, and Lima not at all.
const sold = new Map(Object.entries({ Oslo: 120, Rome: 80, Bonn: 200 }));
async function ask(branch: string, signal: AbortSignal): Promise<number> {
  const answer = sold.get(branch);
  if (answer === undefined) throw new Error('the line is dead');
  await thinking(answer, undefined, { signal });
  return answer;
}

const closing = flow<{ branches: string[] }>('closing')
  .map('report', { over: ({ input }) => input.branches, limit: 3, onError: 'collect' }, (b) =>
    b.step('ask', ({ item, signal }) => ask(item, signal), {
      retry: { maxAttempts: 3, delay: '20ms' },
      timeout: '10s',
    }),
  )
  .step('book', ({ results }) => {
    const came = results.report.filter((each) => each.status === 'fulfilled');
    const total = came.reduce((sum, { value }) => sum + value, 0);
    return { total, missing: results.report.length - came.length };
  })
  .end(({ input, results }) => ({
    ...results.book,
    // What came back has the order of the list, whoever answered first.
    lines: results.report.map((each, n) => {
      const said = each.status === 'fulfilled' ? each.value : each.reason.message;
      return `${input.branches[n]}: ${said}`;
    }),
  }));

const engine = await createEngine({ store: sqlite('closing.db'), flows: [closing] });
const input = { branches: ['Oslo', 'Rome', 'Lima', 'Bonn'] };
const run = await engine.start(closing, input, { key: '2026-11-18', onConflict: 'existing' });
const { lines, total, missing } = await run.result();
for (const line of lines) console.log(line);
console.log(`booked ${total}, ${missing} missing`);
await engine.close();
