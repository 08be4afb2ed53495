import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const STRIPPER = 'amaro';
const ASK = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData).then(() => {
    parentPort.postMessage(process.moduleLoadList);
    process.exit();
  });
`;

test.each(['stores/sqlite', 'stores/postgres', 'calls/scripts'])(
  'a thread of %s finds its types stripped',
  async (room) => {
    const entry = new URL(`../${room}/thread.ts`, import.meta.url).href;
    const worker = new Worker(ASK, { eval: true, execArgv: [], workerData: entry });
    const loaded = await new Promise<string[]>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((name) => name.includes(STRIPPER))).toEqual([]);
  },
);
