/** `perdure history --follow`: until it is over, or somebody has seen enough. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Engine, flow } from '../../index.ts';
import { sqlite } from '../../sqlite.ts';
import { CommandLine } from '../../testing/command-line.ts';

const line = new CommandLine();
const STORE = ['--store', 'sqlite:work.db'];

/** Fails until somebody has paid, and then waits for a message. */
let isPaid = false;
const order = flow('order')
  .step('charge', async () => {
    if (!isPaid) throw new Error('the card was refused');
    return 1;
  })
  .waitFor('parcel', { event: 'parcel.arrived' })
  .end();

let worker: Engine;
beforeAll(async () => {
  worker = await createEngine({ store: sqlite(join(line.folder, 'work.db')), flows: [order] });
});
afterAll(async () => {
  await worker.close();
  line.remove();
});

test('one that was revived is followed past its first end', async () => {
  isPaid = false;
  const run = await worker.start(order, {}, { id: 'o-1', key: 'o-1' });
  await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
  expect((await line.run('history', 'o-1', '--follow', ...STORE)).out).toMatch(/failed: the card/);
  isPaid = true;
  await run.revive();
  const waiting = line.says(/parcel waits for parcel.arrived/);
  const following = line.run('history', 'o-1', '--follow', ...STORE);
  await waiting;
  await run.send('parcel.arrived', null);
  const { code, out } = await following;
  expect(code).toBe(0);
  expect(out).toMatch(/failed: the card was refused[\s\S]*parcel done; completed\n$/);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  // Who reads no further has read enough.
  ['SIGPIPE', 0],
] as const)('%s ends following with %i', async (signal, expected) => {
  isPaid = true;
  const id = `stop-${signal}`;
  await worker.start(order, {}, { id, key: id });
  const waiting = line.says(/parcel waits for parcel.arrived/);
  const following = line.run('history', id, '--follow', ...STORE);
  await waiting;
  line.stop(signal);
  expect((await following).code).toBe(expected);
});
