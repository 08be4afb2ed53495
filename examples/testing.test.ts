/** The flow of testing.ts, tested: on a virtual clock, with chaos, and once on a real database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createEngine, flow, type Run } from 'perdure';
import { serverless } from 'perdure/serverless';
import { sqlite } from 'perdure/sqlite';
import { createTestEngine, type TestEngine } from 'perdure/testing';
import { beforeEach, expect, test } from 'vitest';
import { bank, order, shelf } from './testing.ts';

const input = { sku: 'A1', price: 42 };
beforeEach(() => shelf.clear());

/** Finance says yes to whatever waits for it. */
async function approve({ engine }: TestEngine): Promise<void> {
  const { tasks } = await engine.tasks.list({ actor: 'finance' });
  for (const { id } of tasks) {
    await engine.tasks.decide(id, { actor: 'finance', decision: 'approve' });
  }
}

test('an order is charged once it is released, and waits for its parcel', async () => {
  const kit = createTestEngine({ flows: [order] });
  kit.mock('charge', ({ input }) => `paid ${JSON.stringify(input)}`);
  const run = await kit.start(order, input, { key: 'order-7' });
  await kit.runUntilIdle();
  await approve(kit);
  await kit.runUntilIdle();
  expect(await run.status()).toBe('waiting');

  await kit.engine.publish({ type: 'parcel.shipped', key: 'order-7', data: { tracking: 'T-1' } });
  expect(await run.result()).toBe('T-1');
  expect(kit.path(run.id)).toEqual(['reserve', 'release', 'charge', 'parcel']);
});

test('an order that nobody releases within a week is given up and undone', async () => {
  const kit = createTestEngine({ flows: [order] });
  const run = await kit.start(order, input);
  await kit.advance('6d');
  expect([await run.status(), shelf.size]).toEqual(['waiting', 1]);
  await kit.advance('1d');
  expect(await run.inspect()).toMatchObject({
    status: 'failed',
    outcome: 'compensated',
    fault: { code: 'approval.rejected', node: 'release' },
  });
  expect(shelf.size).toBe(0);
});

test('a bank that is down is asked three times, ten and twenty seconds apart', async () => {
  const kit = createTestEngine({ flows: [order] });
  const asked: number[] = [];
  kit.mock('charge', () => {
    asked.push((kit.now - begin) / 1_000);
    throw new Error('the bank is down');
  });
  const begin = kit.now;
  const run = await kit.start(order, input);
  await kit.runUntilIdle();
  await approve(kit);
  await kit.advance('1h');
  expect(asked).toEqual([0, 10, 30]);
  expect(await run.status()).toBe('failed');
});

test('a bank that hangs is given up after thirty seconds, and asked again', async () => {
  const kit = createTestEngine({ flows: [order] });
  kit.mock('charge', () => new Promise(() => {}));
  const run = await kit.start(order, input);
  await kit.runUntilIdle();
  await approve(kit);
  await kit.advance('119s'); // three executions of 30 s, with pauses of 10 s and 20 s
  expect(await run.status()).toBe('running');
  await kit.advance('1s');
  expect((await run.inspect()).fault?.code).toBe('step.timeout');
});

test('a schedule fires by the clock of the kit', async () => {
  const report = flow('report')
    .step('count', () => 1)
    .end();
  const kit = createTestEngine({ flows: [report], now: Date.UTC(2026, 2, 28) });
  const options = { cron: '30 2 * * *', timezone: 'Europe/Berlin', flow: report };
  await kit.engine.schedule('nightly', options);
  await kit.advance('3d'); // over the night that has no half past two in Berlin
  expect((await kit.engine.list({ flow: 'report' })).instances).toHaveLength(3);
});

test('a message that comes too early is kept; without one the order is lost', async () => {
  const kit = createTestEngine({ flows: [order] });
  kit.mock('charge', () => 'paid');
  await kit.engine.publish({ type: 'parcel.shipped', key: 'early', data: { tracking: 'T-2' } });
  const early = await kit.start(order, input, { key: 'early' });
  const never = await kit.start(order, input, { key: 'never' });
  await kit.runUntilIdle();
  await approve(kit);
  await kit.advance('3d');
  expect([await early.result(), await never.result()]).toEqual(['T-2', 'lost']);
});

test('the handler sends the amount and the key to the bank', async () => {
  const keys: unknown[] = [];
  const amounts: string[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    request.setEncoding('utf8').on('data', (text: string) => amounts.push(text));
    response.writeHead(keys.length === 1 ? 503 : 200).end('payment-1');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  bank.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const kit = createTestEngine({ flows: [order] });
  await kit.start(order, input);
  await kit.runUntilIdle();
  await approve(kit);
  await kit.advance('1m'); // the pause after the 503 is virtual, the requests are real
  expect(amounts).toEqual(['{"amount":42}', '{"amount":42}']);
  expect(new Set(keys).size).toBe(1);
  server.close();
});

test('the requests of a Serverless Workflow are answered by the test', async () => {
  const quote = serverless(`
    document: { dsl: 1.0.3, namespace: shop, name: quote, version: 1.0.0 }
    do:
      - ask: { call: http, with: { method: get, endpoint: 'https://prices.example/A1' } }
  `);
  const asked: string[] = [];
  const answer: typeof fetch = async (url) => {
    asked.push(new Request(url).url);
    return Response.json({ price: 42 });
  };
  const kit = createTestEngine({ flows: [quote], http: { fetch: answer } });
  expect(await (await kit.start(quote, null)).result()).toEqual({ price: 42 });
  expect(asked).toEqual(['https://prices.example/A1']);
});

test.each([{}, { crashAfterEveryCommit: true }, { duplicateDeliveries: true }])(
  'with chaos %j an order that is refused leaves nothing reserved',
  async (chaos) => {
    const kit = createTestEngine({ flows: [order], chaos });
    kit.mock('charge', () => {
      throw Object.assign(new Error('no'), { code: 'card.refused' });
    });
    const run = await kit.start(order, input);
    await kit.runUntilIdle();
    await approve(kit);
    await kit.advance('1d');
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
    expect(shelf.size).toBe(0);
    expect(kit.path(run.id)).toEqual(['reserve', 'release', 'charge', 'reserve/:undo']);
    expect(await kit.engine.check()).toMatchObject({ ok: true });
  },
);

test('chaos runs again what was at work: a message without a key goes out twice', async () => {
  const sent: string[] = [];
  const tell = flow('tell')
    .parallel('both', {
      mail: (b) => b.step('mail', ({ idempotencyKey }) => void sent.push(idempotencyKey)),
      phone: (b) =>
        b.step('phone', async ({ idempotencyKey }) => {
          sent.push(idempotencyKey);
          await setImmediate(); // it is at work while the mail is committed
        }),
    })
    .end();
  const kit = createTestEngine({ flows: [tell], chaos: { crashAfterEveryCommit: true } });
  await kit.start(tell, null);
  await kit.runUntilIdle();
  expect(sent).toHaveLength(3);
  expect(new Set(sent).size).toBe(2); // whoever knows the key sends nothing twice
});

test('an order of the first version that waits for people goes on by the second', async () => {
  const next = flow<{ sku: string; price: number }>('order', { version: 2 })
    .step('reserve', () => 'reserved', { undo: () => {} })
    .approve('release', { approvers: ['finance'] })
    .step('invoice', ({ input }) => `invoice of ${input.price}`)
    .end(({ results }) => results.invoice);
  const kit = createTestEngine({ flows: [order, next] });
  const run: Run = await kit.start(order, input);
  await kit.runUntilIdle();
  await run.migrate({ version: 2 });
  await approve(kit);
  expect(await run.result()).toBe('invoice of 42');
});

test('an order is still there after a restart of the program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'order-'));
  const open = () => createEngine({ store: sqlite(join(folder, 'test.db')), flows: [order] });
  const first = await open();
  await first.start(order, input, { id: 'order-7' });
  await first.close();

  const second = await open();
  const run = await second.get('order-7');
  expect(await run?.status()).not.toBe('completed');
  await run?.cancel({ saga: true });
  await run?.result().catch(() => {});
  expect([await run?.status(), shelf.size]).toEqual(['canceled', 0]);
  await second.close();
  rmSync(folder, { recursive: true });
});
