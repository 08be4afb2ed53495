/** How much at a time, for whom, and whose turn it is (see docs/limits.md). */
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

interface Import {
  customer: string;
  file: string;
}

/** Whoever fetches stays at work until there are three of them and somebody has looked. */
const begun: string[] = [];
let tellAll = (): void => {};
const threeAreAtWork = new Promise<void>((resolve) => {
  tellAll = resolve;
});
let goOn = (): void => {};
const seen = new Promise<void>((resolve) => {
  goOn = resolve;
});

async function fetchFile({ file }: Import): Promise<string> {
  begun.push(file);
  if (begun.length === 3) tellAll();
  await seen;
  return `${file} is in`;
}

const imports = flow<Import>('import', {
  limit: { concurrency: 2, by: 'input.customer' },
})
  .step('fetch', ({ input }) => fetchFile(input))
  .step('tell', ({ results }) => results.fetch, {
    limit: { rate: { max: 100, per: '1s' } },
  })
  .end(({ results }) => results.tell);

const engine = await createEngine({
  store: sqlite(process.argv[2] ?? 'limits.db'),
  flows: [imports],
});
const start = (customer: string, file: string) => engine.start(imports, { customer, file });
const flood = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((file) => start('acme', file)));
const other = await start('bolt', 'b1');
await threeAreAtWork;

for (const { name, atWork, waiting } of await engine.lanes.list()) {
  console.log(`${name}: ${atWork} at work, ${waiting} waiting`);
}

goOn();
console.log(await other.result());
console.log(begun.slice(0, 3).includes('b1') ? 'b1 waited for nobody' : 'b1 had to wait');
for (const run of flood) console.log(await run.result());
await engine.close();
