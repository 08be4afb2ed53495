/** What a Postgres server says of itself. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { named } from '../health.ts';

const stores = new PostgresStores();
afterEach(() => stores.close());
afterAll(() => stores.drop());

const REQUEST = { full: true, crashes: 2 };

test('a schema that is not there lacks everything, and is not made by asking', async () => {
  const store = stores.make({ listen: false });
  const { made, missing } = await store.health.migrations();
  expect(made).toBe(0);
  expect(missing[0]).toMatchObject({ number: 1, sql: expect.stringContaining('create table') });
  expect((await store.health.migrations()).made).toBe(0);
});

test('a server is said to be durable, a primary, and not too busy', async () => {
  const store = await stores.open({ listen: false, durability: 'relaxed' });
  const symptoms = await store.health.diagnose(REQUEST);
  const names = symptoms.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'server',
      'standby',
      'connections',
      'bloat',
      'transactions',
      'writable',
    ]),
  );
  expect(named(symptoms, 'server')?.found).toMatch(/^Postgres \d+/);
  expect(named(symptoms, 'connections')?.found).toMatch(/^\d+ of \d+ connections$/);
  expect(named(symptoms, 'standby')).toMatchObject({ status: 'ok' });
});

test('a server that may lose what it confirms says so', async () => {
  const url = new URL(stores.url);
  url.searchParams.set('options', '-c synchronous_commit=off');
  const store = await stores.open({ url: url.href, listen: false, durability: 'relaxed' });
  const found = named(await store.health.diagnose(REQUEST), 'durability');
  expect(found).toMatchObject({
    status: 'fail',
    found: expect.stringContaining('synchronous_commit'),
  });
});
