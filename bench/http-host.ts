/** The engine that is started in, as a process: by itself when told to, over HTTP at any time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, flow } from '../src/index.ts';
import { api } from '../src/server.ts';
import { sqlite } from '../src/sqlite.ts';
import { runInLanes } from './measure.ts';

/** It ends with its first commit: what is left is what a start costs. */
const start = flow<{ n: number }>('start')
  .set('doubled', ({ input }) => input.n * 2)
  .end();

const folder = mkdtempSync(join(tmpdir(), 'perdure-http-'));
const engine = await createEngine({ store: sqlite(join(folder, 'bench.db')), flows: [start] });
const server = api(engine, { rate: false });
const { port } = await server.listen();

/** A lap in this process; without lanes only how much CPU it has used until now. */
interface Lap {
  readonly lanes: number;
  readonly ms: number;
}

process.on('message', ({ lanes, ms }: Lap) => {
  const begun = performance.now();
  const runs = lanes === 0 ? 0 : runInLanes(lanes, ms, () => engine.start(start, { n: 1 }));
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
