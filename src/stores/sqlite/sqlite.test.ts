import { afterAll, expect, test } from 'vitest';
import { SharedSqlite } from '../../testing/sqlite-shared.ts';
import { storeSuite } from '../../testing/store-suite.ts';

const shared = new SharedSqlite();
afterAll(() => shared.close());

storeSuite('the SQLite store', (clock) => shared.storeFor(clock));

test('it has no transactions, and says what to do instead', async () => {
  const store = shared.storeFor(Date.now);
  const refusal = {
    code: 'store.no-transactions',
    message: expect.stringMatching(/SQLite store .*Postgres store .*leave out `tx`/),
  };
  await expect(store.begin()).rejects.toMatchObject(refusal);
  const tx = { query: async () => ({ rows: [] }) };
  expect(() => store.within(tx)).toThrow(expect.objectContaining(refusal));
});
