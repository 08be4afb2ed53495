/** Starting very many chains at once is cheap: they share their transactions (D4). */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { onBothDatabases } from '../testing/databases.ts';
import { storeAt } from '../testing/place.ts';
import { guardedStore } from '../testing/wrapped-store.ts';
import { createEngine } from './engine.ts';

const CHAINS = 10_000;
const STEPS = ['A', 'B', 'C', 'D', 'E'];
/** The committer's BATCH_MAX is 256; the first batch goes out before the others have come. */
const BATCHES_MAX = Math.ceil(CHAINS / 256) + 2;

onBothDatabases('10,000 chains of 5 steps', (make) => {
  test('are started by a transaction for some 256 of them, with all their steps', async () => {
    let transactions = 0;
    const store = guardedStore(storeAt(make().place), (verb, call) => {
      if (verb === 'commit') transactions += 1;
      return call();
    });
    const orders = chain<number>('order', 1, STEPS);
    const engine = await createEngine({ store, flows: [orders], worker: false });
    const starts = Array.from({ length: CHAINS }, (_, n) => engine.start(orders, n));
    const runs = await Promise.all(starts);
    expect(transactions).toBeLessThanOrEqual(BATCHES_MAX);
    const ids = runs.map(({ id }) => id);
    for (let from = 0; from < CHAINS; from += 1_000) {
      const rows = await store.load(ids.slice(from, from + 1_000));
      const lines = rows.map((row) => row?.tokens.map(({ status }) => status).join());
      expect(new Set(lines)).toEqual(new Set(['ready,created,created,created,created']));
      expect(rows.map((row) => row?.head.output)).toEqual(
        Array.from(rows, (_, index) => from + index),
      );
    }
    await engine.close();
  });
});
