/** P4: an instance starts, and a message is published, together with rows of the program's own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Tx } from '../model/tx.ts';
import { memory } from '../stores/memory/memory.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import { Till } from '../testing/postgres-till.ts';
import { createEngine, type Engine } from './engine.ts';

const till = new Till();
beforeEach(() => till.open());
afterEach(() => till.close());
afterAll(() => till.drop());

const order = flow<string>('order')
  .step('pack', ({ input }) => `${input} is packed`)
  .end(({ results }) => results.pack);

const wait = flow<string>('wait')
  .waitFor('go', { event: 'go' })
  .end(({ results }) => results.go);

/** Whoever is not told by a bell would look too late. */
const PATIENT = { worker: { poll: '1h' } } as const;

/** A client with a transaction open that has put an entry into the till. */
async function begun(entry = 'mine') {
  const tx = await till.client();
  await tx.query('begin');
  await tx.query(till.put, [entry]);
  return tx;
}

describe('an instance that is started in a transaction', () => {
  test('runs once that has committed, and the rows are there', async () => {
    const engine = await till.engine([order], PATIENT);
    const tx = await begun();
    const run = await engine.start(order, 'a', { tx });
    expect(await engine.get(run.id)).toBeUndefined();
    expect(await till.entries()).toEqual([]);
    await tx.query('commit');
    expect(await run.result()).toBe('a is packed');
    expect(await till.entries()).toEqual(['mine']);
    expect(await engine.check()).toMatchObject({ ok: true, instances: 1 });
  });

  test('is heard of by other processes, too', async () => {
    const starter = await till.engine([order], { worker: false });
    const worker = await till.engine([order], PATIENT);
    const tx = await begun();
    const { id } = await starter.start(order, 'a', { tx });
    await tx.query('commit');
    expect(await (await worker.get(id))?.result()).toBe('a is packed');
  });

  test('is gone when that is rolled back, and so are the rows', async () => {
    const engine = await till.engine([order]);
    const tx = await begun();
    const run = await engine.start(order, 'a', { tx, key: 'k' });
    await tx.query('rollback');
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.not-found' });
    expect(await till.entries()).toEqual([]);
    expect(await engine.check()).toMatchObject({ ok: true, instances: 0 });
    // Its key is as free as it was.
    expect(await (await engine.start(order, 'b', { key: 'k' })).result()).toBe('b is packed');
  });

  test('is not known before, not even to who started it', async () => {
    const engine = await till.engine([order]);
    const tx = await begun();
    const run = await engine.start(order, 'a', { tx });
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.not-found' });
  });

  test('is one of several, and they come together', async () => {
    const engine = await till.engine([order], PATIENT);
    const tx = await begun();
    const inputs = ['a', 'b', 'c', 'd'];
    const runs = await Promise.all(inputs.map((input) => engine.start(order, input, { tx })));
    await tx.query('commit');
    const outputs = await Promise.all(runs.map((run) => run.result()));
    expect(outputs).toEqual(inputs.map((input) => `${input} is packed`));
  });

  test('may have any text for its key', async () => {
    const engine = await till.engine([wait]);
    const tx = await begun();
    const key = 'null \0 and its picture \u2400';
    const { id } = await engine.start(wait, 'a', { tx, key, id: `i${key}` });
    await expect(engine.start(wait, 'b', { tx, key })).rejects.toMatchObject({
      details: { instance: id },
    });
    await tx.query('commit');
    await expect(engine.start(wait, 'b', { key })).rejects.toMatchObject({
      details: { instance: id },
    });
  });
});

describe('a key that is taken', () => {
  test('is refused, and the transaction goes on without', async () => {
    const engine = await till.engine([wait]);
    const { id } = await engine.start(wait, 'a', { key: 'k' });
    const tx = await begun();
    await expect(engine.start(wait, 'b', { tx, key: 'k' })).rejects.toMatchObject({
      code: 'instance.exists',
      details: { instance: id },
    });
    await tx.query(till.put, ['more']);
    await tx.query('commit');
    expect(await till.entries()).toEqual(['mine', 'more']);
    expect(await engine.check()).toMatchObject({ ok: true, instances: 1 });
  });

  test('is refused if one that was removed had it, and the transaction goes on', async () => {
    const engine = await till.engine([order]);
    await (await engine.start(order, 'a', { id: 'once' })).result();
    expect(await engine.prune({ olderThan: 0 })).toMatchObject({ pruned: 1 });
    const tx = await begun();
    const again = engine.start(order, 'b', { tx, id: 'once', onConflict: 'existing' });
    await expect(again).rejects.toMatchObject({ code: 'instance.exists' });
    await tx.query('commit');
    expect(await till.entries()).toEqual(['mine']);
    expect(await engine.check()).toMatchObject({ ok: true, instances: 0 });
  });

  test('gives the one that has it, where that is wanted', async () => {
    const engine = await till.engine([wait]);
    const { id } = await engine.start(wait, 'a', { key: 'k' });
    const tx = await begun();
    const existing = await engine.start(wait, 'b', { tx, key: 'k', onConflict: 'existing' });
    expect(existing.id).toBe(id);
    await tx.query('commit');
    expect(await till.entries()).toEqual(['mine']);
  });

  test('in the same transaction is taken as well', async () => {
    const engine = await till.engine([wait]);
    const tx = await begun();
    const { id } = await engine.start(wait, 'a', { tx, key: 'k' });
    const existing = await engine.start(wait, 'b', { tx, key: 'k', onConflict: 'existing' });
    expect(existing.id).toBe(id);
    await tx.query('commit');
    expect(await engine.check()).toMatchObject({ ok: true, instances: 1 });
  });
});

describe('two transactions with the same key', () => {
  /** The second has asked, and waits for what becomes of the first. */
  async function contending(engine: Engine) {
    const [first, second] = [await begun('first'), await begun('second')];
    const run = await engine.start(wait, 'a', { tx: first, key: 'k' });
    const asked = engine.start(wait, 'b', { tx: second, key: 'k' });
    asked.catch(() => {});
    await till.contended();
    return { first, second, run, asked };
  }

  test('the second is told when the first has committed', async () => {
    const engine = await till.engine([wait]);
    const { first, second, run, asked } = await contending(engine);
    await first.query('commit');
    await expect(asked).rejects.toMatchObject({
      code: 'instance.exists',
      details: { instance: run.id },
    });
    await second.query('commit');
    expect(await till.entries()).toEqual(['first', 'second']);
    expect(await engine.check()).toMatchObject({ ok: true, instances: 1 });
  });

  test('the second starts when the first is rolled back', async () => {
    const engine = await till.engine([wait]);
    const { first, second, run, asked } = await contending(engine);
    await first.query('rollback');
    const { id } = await asked;
    await second.query('commit');
    expect(await engine.get(run.id)).toBeUndefined();
    expect((await engine.get(id))?.id).toBe(id);
    expect(await till.entries()).toEqual(['second']);
  });
});

describe('a transaction in which we fail', () => {
  test('is still good, and nothing of ours is in it', async () => {
    const engine = await till.engine([wait]);
    const first = await begun('first');
    await engine.start(wait, 'a', { tx: first, key: 'k' });
    const second = await begun('second');
    await second.query(`set local lock_timeout = '10ms'`);
    await expect(engine.start(wait, 'b', { tx: second, key: 'k' })).rejects.toMatchObject({
      code: 'store.unreachable',
      retryable: true,
    });
    const run = await engine.start(wait, 'b', { tx: second, key: 'other' });
    await second.query('commit');
    await first.query('rollback');
    expect(await till.entries()).toEqual(['second']);
    expect(await engine.check()).toMatchObject({ ok: true, instances: 1 });
    expect(await run.status()).toBe('waiting');
  });

  test('leaves what others do in it at the same time alone', async () => {
    const engine = await till.engine([wait]);
    const first = await begun('first');
    await engine.start(wait, 'a', { tx: first, key: 'k' });
    const tx = await begun('second');
    await tx.query(`set local lock_timeout = '10ms'`);
    const keys = ['one', 'k', 'two', 'k', 'three'];
    const starts = await Promise.allSettled(
      keys.map((key) => engine.start(wait, 'b', { tx, key, id: key })),
    );
    expect(starts.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    await tx.query('commit');
    const found = await Promise.all(['one', 'two', 'three'].map((id) => engine.get(id)));
    expect(found.map((run) => run?.id)).toEqual(['one', 'two', 'three']);
  });

  test('was broken before, and stays so', async () => {
    const engine = await till.engine([wait]);
    const tx = await begun();
    await tx.query('select 1 / 0').catch(() => {});
    await expect(engine.start(wait, 'a', { tx })).rejects.toMatchObject({ code: 'store.refused' });
    await tx.query('rollback');
    expect(await engine.check()).toMatchObject({ ok: true, instances: 0 });
  });
});

describe('what is no transaction', () => {
  const REFUSED = { code: 'engine.option-invalid', message: /not in a transaction: begin one/ };

  test('is refused: a client, a pool, or another library that has begun none', async () => {
    const engine = await till.engine([wait]);
    const client = await till.client();
    const pool = new Pool({ connectionString: till.url, max: 2 });
    const other: Tx = { query: (text, values) => client.query(text, values) };
    for (const tx of [client, pool, other]) {
      const refused = expect.objectContaining({
        code: REFUSED.code,
        message: expect.stringMatching(REFUSED.message),
      });
      await expect(engine.start(wait, 'a', { tx })).rejects.toEqual(refused);
      await expect(engine.publish({ type: 'go', key: 'k' }, { tx })).rejects.toEqual(refused);
    }
    await pool.end();
    expect(await engine.check()).toMatchObject({ ok: true, instances: 0 });
  });

  test.each([null, 'begin', {}, { query: 'select' }])('is refused: %j', async (tx) => {
    const engine = await till.engine([wait]);
    await expect(engine.start(wait, 'a', { tx: tx as never })).rejects.toMatchObject({
      code: 'engine.option-invalid',
      message: expect.stringContaining('query(text, values)'),
    });
  });
});

describe('a message that is published in a transaction', () => {
  const message = { type: 'go', key: 'k', id: 'm', data: 7 };

  test('wakes who waits for it once that has committed', async () => {
    const engine = await till.engine([wait], PATIENT);
    const run = await engine.start(wait, 'a', { key: 'k' });
    const tx = await begun();
    expect(await engine.publish(message, { tx })).toEqual({
      outcome: 'buffered',
      id: 'm',
      instances: [],
    });
    expect(await run.status()).toBe('waiting');
    await tx.query('commit');
    expect(await run.result()).toBe(7);
    expect(await till.entries()).toEqual(['mine']);
  });

  test('is never heard of when that is rolled back', async () => {
    const engine = await till.engine([wait], PATIENT);
    const run = await engine.start(wait, 'a', { key: 'k' });
    const tx = await begun();
    await engine.publish(message, { tx });
    await tx.query('rollback');
    // Its id is as new as it was.
    expect(await engine.publish({ ...message, data: 8 })).toMatchObject({ outcome: 'woken' });
    expect(await run.result()).toBe(8);
  });

  test('is known by its id', async () => {
    const engine = await till.engine([wait]);
    const tx = await begun();
    await engine.publish(message, { tx });
    expect(await engine.publish(message, { tx })).toMatchObject({ outcome: 'duplicate' });
    await tx.query('commit');
    expect(await engine.publish(message)).toMatchObject({ outcome: 'duplicate' });
    expect(await (await engine.start(wait, 'a', { key: 'k' })).result()).toBe(7);
  });

  test('for a tenant wakes instances of that tenant alone', async () => {
    const engine = await till.engine([wait], PATIENT);
    const ours = await engine.start(wait, 'a', { key: 'k', tenant: 'acme' });
    const theirs = await engine.start(wait, 'a', { key: 'k', tenant: 'other' });
    const tx = await begun();
    const published = await engine.publish(message, { tx, tenant: 'acme' });
    expect(published).toMatchObject({ outcome: 'buffered', id: 'm' });
    await tx.query('commit');
    expect(await ours.result()).toBe(7);
    expect(await theirs.status()).toBe('waiting');
  });

  test('comes together with whoever waits for it', async () => {
    const engine = await till.engine([wait], PATIENT);
    const tx = await begun();
    const run = await engine.start(wait, 'a', { tx, key: 'k' });
    await engine.publish(message, { tx });
    await tx.query('commit');
    expect(await run.result()).toBe(7);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'perdure-tx-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['memory', () => memory()],
  ['SQLite', () => sqlite(join(folder, 'store.db'))],
])('on a store without transactions: %s', (_name, store) => {
  const tx: Tx = { query: async () => ({ rows: [] }) };
  const NONE = { code: 'store.no-transactions' };

  test('nothing is started or published in one', async () => {
    const engine = await createEngine({ store: store(), flows: [wait] });
    await expect(engine.start(wait, 'a', { tx })).rejects.toMatchObject(NONE);
    await expect(engine.publish({ type: 'go', key: 'k' }, { tx })).rejects.toMatchObject(NONE);
    await engine.close();
  });

  test('a flow with a transactional step is refused, by name', async () => {
    const pay = flow('pay')
      .step('move', () => 1, { transactional: true })
      .end();
    await expect(createEngine({ store: store(), flows: [order, pay] })).rejects.toMatchObject({
      ...NONE,
      message: expect.stringContaining('"move" of "pay"'),
      details: { steps: ['"move" of "pay"'] },
    });
  });
});
