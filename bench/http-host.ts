/** The engine that is started in, as a process: by itself when told to, over HTTP at any time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../src/index.ts';
import { api } from '../src/server.ts';
import { sqlite } from '../src/sqlite.ts';
import { five } from './five.ts';
import { runInLanes } from './measure.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-http-'));
const store = sqlite(join(folder, 'bench.db'));
// Nobody does the steps: what is left is what a start costs.
const engine = await createEngine({ store, flows: [five], worker: false });
const server = api(engine, { rate: false });
const { port } = await server.listen();

/** A lap in this process; without lanes only how much CPU it has used until now. */
interface Lap {
  readonly lanes: number;
  readonly ms: number;
}

process.on('message', ({ lanes, ms }: Lap) => {
  const begun = performance.now();
  const runs = lanes === 0 ? 0 : runInLanes(lanes, ms, () => engine.start(five, null));
  void Promise.resolve(runs).then((count) => {
    const { user, system } = process.cpuUsage();
    const seconds = (performance.now() - begun) / 1_000;
    process.send?.({ runs: count, rate: count / seconds, cpuUs: user + system });
  });
});
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
process.send?.({ port });
