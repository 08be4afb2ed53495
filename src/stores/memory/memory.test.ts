import { expect, test } from 'vitest';
import { idOf, next, start } from '../../testing/store-commits.ts';
import { storeSuite } from '../../testing/store-suite.ts';
import { memory } from './memory.ts';

storeSuite('the memory store', (clock) => memory({ clock }));

test('history can be read without waiting', async () => {
  const store = memory();
  await store.commit([start('a'), next('a', 1)]);
  expect(store.historyNow(idOf('a')).map(({ n, commitId }) => [n, commitId])).toEqual([
    [1, 'a/1'],
    [2, 'a/2'],
  ]);
  expect(store.historyNow(idOf('b'))).toEqual([]);
});

test('what it holds outlives closing, so that an engine can be started again on it', async () => {
  const store = memory();
  await store.open();
  await store.commit([start('a')]);
  await store.close();
  await store.open();
  const [rows] = await store.load([idOf('a')]);
  expect(rows?.head.version).toBe(1);
});

test('without a clock of the test it goes by that of the machine', () => {
  const before = Date.now();
  expect(memory().now()).toBeGreaterThanOrEqual(before);
});

test('it has no transactions, and says what to do instead', async () => {
  const store = memory();
  const refusal = {
    code: 'store.no-transactions',
    message: expect.stringMatching(/memory store .*Postgres store .*leave out `tx`/),
  };
  await expect(store.begin()).rejects.toMatchObject(refusal);
  const tx = { query: async () => ({ rows: [] }) };
  expect(() => store.within(tx)).toThrow(expect.objectContaining(refusal));
});
