/** Work that is not spread over the shards: all of it is one instance's. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import type { Bench } from '../../testing/store-bench.ts';
import { HANDLER, start, token } from '../../testing/store-commits.ts';
import type { Claim } from '../store.ts';

const stores = new PostgresStores();
afterEach(() => stores.close());
afterAll(() => stores.drop());

const TOKENS = 400;
const LIMIT = 64;

function claim({ store }: Bench, worker: string): Promise<readonly Claim[]> {
  return store.claim({ worker, handlers: [HANDLER], limit: LIMIT, leaseMs: 1_000 });
}

describe('tokens of one instance, all in one shard', () => {
  test('are claimed up to the limit, in order', async () => {
    const bench = await stores.bench();
    const tokens = Array.from({ length: TOKENS }, (_, n) => token(n + 2));
    await bench.given(start('a', { rows: { tokens } }));
    const expected = tokens.slice(0, LIMIT).map(({ id }) => id);
    expect((await claim(bench, 'ann')).map(({ token: id }) => id)).toEqual(expected);
  });

  test('are found by everyone who asks at the same time, each by one', async () => {
    const schema = freshSchema();
    const [first, second] = [await stores.bench({ schema }), await stores.bench({ schema })];
    const tokens = Array.from({ length: TOKENS }, (_, n) => token(n + 2));
    await first.given(start('a', { rows: { tokens } }));
    const claims = await Promise.all([claim(first, 'ann'), claim(second, 'bob')]);
    expect(claims.map((each) => each.length > 0)).toEqual([true, true]);
    const ids = claims.flatMap((each) => each.map(({ token: id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
