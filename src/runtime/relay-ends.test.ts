/** How sending ends: with the engine, with a row that somebody spoiled, and with a transaction. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OutboxEvent } from '../calls/target.ts';
import { flow } from '../frontends/builder/flow.ts';
import { memory } from '../stores/memory/memory.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';
import { PostgresStores } from '../testing/postgres-stores.ts';
import { freshSchema } from '../testing/postgres-schema.ts';
import { Receiver } from '../testing/receiver.ts';
import { Gate } from '../testing/stage.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { Notebook } from '../testing/world.ts';
import { createEngine } from './engine.ts';

const note = flow('note')
  .emit('tell', { type: 'noted', data: ({ input }) => input }, { outbox: true })
  .end();

const stores = new PostgresStores();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-relay-'));
});
afterEach(async () => {
  await stores.close();
  rmSync(folder, { recursive: true });
});
afterAll(() => stores.drop());

/** Resolves with the first events that arrive, as many as asked for. */
function collect(count: number): { to: (event: OutboxEvent) => void; had: Promise<unknown[]> } {
  const gate = new Gate<unknown[]>();
  const had: unknown[] = [];
  const to = ({ data }: OutboxEvent): void => {
    had.push(data);
    if (had.length === count) gate.open(had);
  };
  return { to, had: gate.opened };
}

describe('an engine that closes', () => {
  test('waits for sends that are under way, and closes its targets', async () => {
    const [begun, gate] = [new Gate(), new Gate()];
    const said: string[] = [];
    const outbox = {
      send: async () => {
        begun.open();
        await gate.opened;
        said.push('sent');
      },
      close: () => {
        said.push('closed');
      },
    };
    const store = memory();
    const engine = await createEngine({ store, flows: [note], outbox });
    await engine.start(note, 1);
    await begun.opened;
    const closed = engine.close();
    gate.open();
    await closed;
    expect(said).toEqual(['sent', 'closed']);
    const any = { status: null, type: null, instance: null, after: 0, limit: 9 };
    expect(await store.letters.list(any)).toEqual([]);
  });

  test('gives back what does not end in time, and another sends it', async () => {
    const begun = new Gate<AbortSignal>();
    const store = memory();
    const outbox = async (_event: OutboxEvent, { signal }: { signal: AbortSignal }) => {
      begun.open(signal);
      await new Promise(() => {});
    };
    const first = await createEngine({ store, flows: [note], outbox });
    await first.start(note, 'once');
    const signal = await begun.opened;
    await first.close({ timeout: 1 });
    expect(signal.aborted).toBe(true);
    const { to, had } = collect(1);
    const second = await createEngine({ store, flows: [note], outbox: to });
    expect(await had).toEqual(['once']);
    await second.close();
  });

  test('is not kept from it by a target that cannot close', async () => {
    const logger = new Notebook();
    const broken = { send: () => {}, close: () => Promise.reject(new Error('stuck')) };
    const to = { a: broken, b: broken };
    const engine = await createEngine({ store: memory(), logger, outbox: { to } });
    await engine.close();
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'a target of the outbox could not be closed',
    ]);
  });
});

describe('B-20: a letter that somebody has edited by hand', () => {
  const spoil = `update letter set data = '{"half' where data = '"bad"'`;

  async function check(store: Store, edit: () => Promise<void> | void): Promise<void> {
    const writer = await createEngine({ store, flows: [note], worker: false });
    for (const data of ['before', 'bad', 'after']) await writer.start(note, data);
    await edit();
    await writer.close();
    const { to, had } = collect(2);
    const logger = new Notebook();
    const engine = await createEngine({ store, flows: [note], outbox: to, logger });
    expect(await had).toEqual(['before', 'after']);
    await engine.close();
    expect(logger.lines).toMatchObject([{ level: 'error', message: 'a letter was given up' }]);
    const reader = await createEngine({ store, worker: false });
    const { letters } = await reader.outbox.list();
    expect(letters).toMatchObject([{ status: 'dead', attempts: 1, data: undefined }]);
    expect(letters[0]?.lastError).toContain('no JSON');
    await reader.close();
  }

  test('is given up, and the others arrive, on SQLite', async () => {
    const path = join(folder, 'notes.db');
    await check(sqlite(path), () => {
      const db = new DatabaseSync(path);
      db.exec(spoil);
      db.close();
    });
  });

  test('is given up, and the others arrive, on Postgres', async () => {
    const schema = freshSchema();
    const client = await stores.client();
    await check(stores.make({ schema }), async () => {
      await client.query(spoil.replace('update letter', `update ${schema}.letter`));
    });
  });
});

describe('P12: a message that somebody has edited by hand', () => {
  const paid = flow('paid').waitFor('w', { event: 'paid' }).end();

  test('wakes nobody, is said, and keeps nobody else from theirs', async () => {
    const path = join(folder, 'messages.db');
    const logger = new Notebook();
    const engine = await createEngine({ store: sqlite(path), flows: [paid], logger });
    for (const key of ['bad', 'good']) await engine.publish({ type: 'paid', key, data: key });
    const db = new DatabaseSync(path);
    db.exec(`update inbox set data = '{"half' where key = 'bad'`);
    db.close();
    const bad = await engine.start(paid, null, { key: 'bad' });
    const good = await engine.start(paid, null, { key: 'good' });
    expect(await good.result()).toEqual({ w: 'good' });
    expect(await bad.status()).toBe('waiting');
    expect(logger.lines.at(0)?.message).toBe(
      'the data of a message is no JSON: nobody can have it',
    );
    expect((await engine.inbox.list()).messages).toMatchObject([{ key: 'bad', data: null }]);
    // Another one for the same wait is had, though the spoilt one is older.
    await engine.publish({ type: 'paid', key: 'bad', data: 'again' });
    expect(await bad.result()).toEqual({ w: 'again' });
    await engine.close();
  });
});

test('an outbox without a worker is said to be idle', async () => {
  const logger = new Notebook();
  const engine = await createEngine({
    ...{ store: memory(), worker: false, logger },
    outbox: () => {},
  });
  expect(logger.lines[0]?.message).toContain('the outbox of this engine is idle');
  await engine.close();
});

describe('an instance that is started in a transaction', () => {
  test('sends its letters once that has committed, and none if it never does', async () => {
    const { to, had } = collect(1);
    const engine = await createEngine({ store: stores.make(), flows: [note], outbox: to });
    const client = await stores.client();
    for (const [data, end] of [
      ['regretted', 'rollback'],
      ['meant', 'commit'],
    ] as const) {
      await client.query('begin');
      await engine.start(note, data, { tx: client });
      expect((await engine.outbox.list()).letters).toEqual([]);
      await client.query(end);
    }
    expect(await had).toEqual(['meant']);
    await engine.close();
  });
});

test('the test kit has an outbox, too', async () => {
  const to = new Receiver(({ attempt }) => (attempt === 1 ? new Error('no') : 'take'));
  const kit = createTestEngine({ flows: [note], outbox: to });
  await kit.start(note, 'hello');
  await kit.runUntilIdle();
  expect(to.taken).toEqual([]);
  await kit.advance('1m');
  expect(to.had).toEqual(['hello']);
  await kit.close();
});
