/** Bells: a process is told that another has left something to do, and not that it has itself. */
import type { Client } from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores, type StoreOptions } from '../../testing/postgres-stores.ts';
import { addressOf } from '../../testing/postgres-wire.ts';
import { Gate } from '../../testing/stage.ts';
import { start } from '../../testing/store-commits.ts';
import { TcpProxy } from '../../testing/tcp-proxy.ts';
import type { Store } from '../store.ts';

const stores = new PostgresStores();
afterEach(() => stores.close());
afterAll(() => stores.drop());

/** Counts the rings, and lets a test wait for the next. */
class Listener {
  count = 0;
  #gate = new Gate();

  /** Whoever begins to listen is rung once: from then on it hears everything. */
  static async at(store: Store): Promise<Listener> {
    const listener = new Listener();
    const begun = listener.next;
    store.listen(() => listener.#hear());
    await begun;
    return listener;
  }

  get next(): Promise<void> {
    return this.#gate.opened;
  }

  #hear(): void {
    this.count += 1;
    this.#gate.open();
    this.#gate = new Gate();
  }
}

async function openTwo(options: StoreOptions = {}): Promise<[Store, Store, string]> {
  const schema = freshSchema();
  return [await stores.open({ schema, ...options }), await stores.open({ schema }), schema];
}

describe('ringing', () => {
  test('reaches the others, and not the one who rings', async () => {
    const [own, other] = await openTwo();
    const [here, there] = [await Listener.at(own), await Listener.at(other)];
    for (let time = 0; time < 3; time += 1) {
      const rung = there.next;
      own.ring();
      await rung;
    }
    // Notifications come in order: had there been one of its own, it would have come before this.
    const answered = here.next;
    other.ring();
    await answered;
    expect([here.count, there.count]).toEqual([2, 4]);
  });

  test('is heard of whoever does one thing and closes', async () => {
    const [own, other] = await openTwo();
    const there = await Listener.at(other);
    const rung = there.next;
    own.ring('all');
    await own.close();
    await rung;
    expect(there.count).toBe(2);
  });

  test('is heard in its own schema alone', async () => {
    const [own, other] = await openTwo();
    const stranger = await Listener.at(await stores.open());
    const there = await Listener.at(other);
    const rung = there.next;
    own.ring();
    await rung;
    expect(stranger.count).toBe(1);
  });

  test('happens once for a burst', async () => {
    const [own, , schema] = await openTwo();
    const client = await stores.client();
    const heard: string[] = [];
    const last = new Gate();
    client.on('notification', ({ payload = '' }) => {
      heard.push(payload);
      if (payload === 'the last') last.open();
    });
    await client.query(`listen "${schema}.bell"`);
    const first = new Promise<void>((resolve) => client.once('notification', () => resolve()));
    for (let time = 0; time < 100; time += 1) own.ring();
    await first;
    await client.query(`select pg_notify('${schema}.bell', 'the last')`);
    await last.opened;
    expect(heard).toHaveLength(2);
  });

  test('reaches everyone who listens at one store', async () => {
    const [own, other] = await openTwo();
    const early = await Listener.at(own);
    const late = new Gate();
    own.listen(() => late.open());
    const rung = early.next;
    other.ring();
    await Promise.all([rung, late.opened]);
  });

  test('without bells nobody listens, and ringing is nothing', async () => {
    const [own, other, schema] = await openTwo({ listen: false });
    own.listen(() => expect.unreachable());
    own.ring();
    await Listener.at(other);
    const client = await stores.client();
    const { rows } = await client.query('select from pg_stat_activity where query like $1', [
      `listen "${schema}%`,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('what is committed in a transaction of the program', () => {
  test.each<[string, (store: Store, client: Client) => Promise<unknown>]>([
    ['a start', (store, client) => store.within(client).commit(start('a'))],
    [
      'a message',
      (store, client) =>
        store.within(client).publish({ id: 'm', type: 't', key: 'k', data: null, ttlMs: 9_999 }),
    ],
  ])('%s rings when it commits, here too, and not before', async (_what, work) => {
    const [own, other, schema] = await openTwo();
    const third = await stores.open({ schema });
    const [here, there] = [await Listener.at(own), await Listener.at(other)];
    const client = await stores.client();
    await client.query('begin');
    await work(own, client);
    // A ring from elsewhere comes through, and is all there is to hear yet.
    const heard = [here.next, there.next];
    third.ring();
    await Promise.all(heard);
    expect([here.count, there.count]).toEqual([2, 2]);
    const rung = [here.next, there.next];
    await client.query('commit');
    await Promise.all(rung);
    expect([here.count, there.count]).toEqual([3, 3]);
  });

  test('what is taken back does not ring', async () => {
    const [own, other] = await openTwo();
    const there = await Listener.at(other);
    const client = await stores.client();
    await client.query('begin');
    await own.within(client).commit(start('a'));
    await client.query('rollback');
    const rung = there.next;
    own.ring();
    await rung;
    expect(there.count).toBe(2);
    expect(await own.scan(null, 9)).toEqual([]);
  });
});

describe('a listening connection that is lost', () => {
  test('is made anew, and says that something may have been missed', async () => {
    const [own, other, schema] = await openTwo();
    const there = await Listener.at(other);
    const client = await stores.client();
    for (let time = 0; time < 2; time += 1) {
      const again = there.next;
      const { rows } = await client.query(
        'select pg_terminate_backend(pid) as done from pg_stat_activity where query = $1',
        [`listen "${schema}.bell"`],
      );
      expect(rows).toEqual([{ done: true }]);
      await again;
      const rung = there.next;
      own.ring();
      await rung;
    }
  });

  test('is tried until the database is back', async () => {
    const proxy = await TcpProxy.start(addressOf(stores.url));
    const [own, other] = await openTwo({ url: proxy.url(stores.url) });
    const here = await Listener.at(own);
    proxy.refuse();
    proxy.cut();
    const again = here.next;
    proxy.accept();
    await again;
    const rung = here.next;
    other.ring();
    await rung;
    await proxy.close();
  });
});
