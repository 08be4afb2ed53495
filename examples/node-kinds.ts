/** A kind of node that the application brings itself (see docs/node-kinds.md). */
import { createEngine, defineKind, flow, go, pause } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const gate = defineKind({
  kind: 'acme.gate',
  config: (config) => {
    const { gate, days } = config as { gate: string; days: number };
    if (typeof gate !== 'string') throw new Error('names the gate');
    if (!(days > 0)) throw new Error('says for how many days it waits');
    return { gate, days };
  },
  pauses: true,
  ways: ['open', 'late'],
  enter: ({ config, token }) =>
    pause({
      name: `gate ${config.gate}`,
      data: { gate: config.gate },
      timeout: `${config.days}d`,
      outbound: [{ type: 'gate.watch', data: { gate: config.gate, token } }],
    }),
  resume: (_view, signal) =>
    signal.on === 'time' ? go(null, { way: 'late' }) : go(signal.data, { way: 'open' }),
  leave: ({ pause }, why) => [{ type: 'gate.forget', data: { pause: pause.data, why } }],
});

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
