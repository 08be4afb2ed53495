/** A flow with a kind of node that the application brings itself (see docs/node-kinds.md). */
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';
import { gate } from './gate.ts';

const delivery = flow('delivery')
  .node(
    'hold',
    gate,
    { gate: 'north', days: 3 },
    {
      open: (b) => b.step('drive', ({ results }) => results.hold),
      late: (b) => b.step('turn', () => 'back home'),
    },
  )
  .end(({ results }) => results.drive ?? results.turn ?? null);

/** What the outside hears, and that it has heard the last of it. */
const heard: string[] = [];
let tell = (): void => {};
const allHeard = new Promise<void>((resolve) => {
  tell = resolve;
});

const engine = await createEngine({
  store: sqlite(process.argv[2] ?? 'node-kinds.db'),
  flows: [delivery],
  outbox: ({ type, data }) => {
    heard.push(`${type} ${JSON.stringify(data)}`);
    if (type === 'gate.forget') tell();
  },
});
const run = await engine.start(delivery, null, { key: 'truck-7' });

const [waiting] = await run.tokens();
const token = waiting?.id ?? 0;
console.log(await run.wake(token, 'open').catch(({ code }) => code));
await run.wake(token, { guard: 'Ada' }, { as: gate });
console.log(JSON.stringify(await run.result()));

for (const { kind, pauses, wakes, ways } of engine.kinds.list()) {
  console.log(`${kind}: pauses ${pauses}, wakes ${wakes}, ways ${ways.join(', ')}`);
}
await allHeard;
await engine.close();
for (const line of heard) console.log(line);
