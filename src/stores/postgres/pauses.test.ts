/** Suspending and restoring where several are at it at once, and what the rows look like then. */
import type { Client } from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import type { Bench } from '../../testing/store-bench.ts';
import {
  at,
  fenceOf,
  finish,
  HANDLER,
  next,
  pause,
  restore,
  resume,
  sleeping,
  start,
  suspend,
  suspendedSince,
  T0,
  token,
  tokenId,
} from '../../testing/store-commits.ts';
import { LINKS } from '../../testing/store-pauses.ts';
import type { CommitOutcome } from '../store.ts';
import { column, inSchema } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';

const stores = new PostgresStores();
afterEach(() => stores.close());
afterAll(() => stores.drop());

const KEYED = { head: { key: 'k' } };

/** A statement that waits at a gate, after it has seen what there is and before it takes any. */
class Gate {
  readonly #schema: string;
  readonly #keeper: Client;
  readonly #walker: Client;

  private constructor(schema: string, keeper: Client, walker: Client) {
    this.#schema = schema;
    this.#keeper = keeper;
    this.#walker = walker;
  }

  static async shut(schema: string): Promise<Gate> {
    const [keeper, walker] = [await stores.client(), await stores.client()];
    await keeper.query(`
      create function ${schema}.gated(told bigint) returns bigint volatile language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtext('${schema}'));
        return told;
      end $$`);
    await keeper.query(`select pg_advisory_lock(hashtext('${schema}'))`);
    return new Gate(schema, keeper, walker);
  }

  /** What it found after `meanwhile` was done. */
  async walk(
    statement: string,
    values: readonly unknown[],
    meanwhile: () => Promise<void>,
  ): Promise<readonly object[]> {
    const gated = statement.replaceAll('perdure.moment(', 'perdure.gated(');
    const asked = this.#walker.query<object>(inSchema(gated, this.#schema), [...values]);
    await this.#waiting();
    await meanwhile();
    await this.#keeper.query(`select pg_advisory_unlock(hashtext('${this.#schema}'))`);
    return (await asked).rows;
  }

  async #waiting(): Promise<void> {
    const blocked = `
      select from pg_locks
       where locktype = 'advisory' and objid::bigint::bit(32) = hashtext($1)::bit(32)
         and not granted`;
    for (;;) {
      const { rows } = await this.#keeper.query(blocked, [this.#schema]);
      if (rows.length > 0) return;
    }
  }
}

const ALL = column(ALL_SHARDS);
const OURS = column([HANDLER]);
const NOW = T0 + 100;

describe('one that is suspended just when it is claimed', () => {
  const ways: readonly (readonly [string, number, string, readonly unknown[]])[] = [
    ['as usual', 0, queries.claimable, [ALL, OURS, NOW, 10, 120, 'ann', 1_000, 20]],
    ['as a lone one', 2, queries.claimableLone, [ALL, OURS, NOW, 'ann', 1_000]],
    ['by its name', 0, queries.claimOne, [shardOf('a'), 'a', 2, 0, 'ann', NOW, 1_000]],
  ];

  async function claimed(
    [, crashes, statement, values]: (typeof ways)[number],
    meanwhile: (bench: Bench) => Promise<void>,
  ): Promise<readonly object[]> {
    const schema = freshSchema();
    const bench = await stores.bench({ schema });
    await bench.given(start('a', { rows: { tokens: [token(2, { crashes })] } }));
    const gate = await Gate.shut(schema);
    const rows = await gate.walk(statement, values, () => meanwhile(bench));
    return rows.filter((row) => 'id' in row && row.id !== null);
  }

  test.each(ways)('%s is not claimed', async (...way) => {
    expect(await claimed(way, (bench) => bench.given(suspend('a', 1)))).toEqual([]);
  });

  test.each(ways)('%s would be, if nothing happened', async (...way) => {
    expect(await claimed(way, async () => {})).toMatchObject([{ id: '2' }]);
  });
});

describe('the rows of a suspended instance', () => {
  const columns = 'id, handler, wake_at, held_handler, held_wake_at, version, locked_by';
  const read = async (schema: string): Promise<readonly object[]> => {
    const client = await stores.client();
    const { rows } = await client.query(`select ${columns} from ${schema}.token order by id`);
    return rows;
  };
  const put = { handler: null, wake_at: null, locked_by: null };

  test('are in no index that is looked through for work, and are put back', async () => {
    const schema = freshSchema();
    const bench = await stores.bench({ schema });
    await bench.given(start('a', { rows: { tokens: [token(2), sleeping(3, 50), token(4)] } }));
    const claim = await bench.claimFirst();
    await bench.given(suspend('a', 1));
    const held = [
      {
        ...put,
        id: '2',
        held_handler: HANDLER,
        held_wake_at: null,
        version: '1',
        locked_by: 'ann',
      },
      { ...put, id: '3', held_handler: null, held_wake_at: `${at(50)}`, version: '0' },
      { ...put, id: '4', held_handler: HANDLER, held_wake_at: null, version: '0' },
    ];
    expect(await read(schema)).toEqual(held);
    const rows = { bornAfter: 4, tokens: [token(5)], endedTokens: [tokenId(2)] };
    await bench.given(next('a', 2, { fence: fenceOf(claim), head: suspendedSince(2), rows }));
    expect(await read(schema)).toEqual([...held.slice(1), { ...held[2], id: '5' }]);
    await bench.given(resume('a', 3, 2));
    const free = { held_handler: null, held_wake_at: null, locked_by: null, version: '0' };
    expect(await read(schema)).toEqual([
      { ...free, id: '3', handler: null, wake_at: `${at(50)}` },
      { ...free, id: '4', handler: HANDLER, wake_at: null },
      { ...free, id: '5', handler: HANDLER, wake_at: null },
    ]);
  });

  test('show their steps and deadlines in the views of chains', async () => {
    const schema = freshSchema();
    const bench = await stores.bench({ schema });
    await bench.given(start('a', { rows: { tokens: LINKS } }));
    const client = await stores.client();
    const views = async (): Promise<unknown> => [
      (await client.query(`select * from ${schema}.workflow_step order by step_seq`)).rows,
      (await client.query(`select current_step_type from ${schema}.workflow_instance`)).rows,
    ];
    const before = await views();
    expect(before).toMatchObject([
      [{ step_type: 'PAY' }, { step_type: 'SHIP', deadline_at: `${at(80)}` }, {}],
      [{ current_step_type: 'SHIP' }],
    ]);
    await bench.given(suspend('a', 1));
    expect(await views()).toEqual(before);
    const over = { status: 'canceled', pauses: [pause(2, 3)] } as const;
    const last = LINKS.map((link) => ({ ...link, status: 'completed' as const, wakeAt: null }));
    const rows = { pausing: true, endedTokens: [], tokens: last.slice(1, 2) };
    await bench.given(finish('a', 2, { head: over, rows }));
    const none = { held_handler: null, held_wake_at: null, wake_at: null };
    expect(await read(schema)).toMatchObject(LINKS.map(({ handler }) => ({ ...none, handler })));
  });
});

describe('keys that several want', () => {
  /** Two that had the same key one after the other, and are over. */
  async function withEnded(schema: string): Promise<Bench> {
    const bench = await stores.bench({ schema });
    for (const name of ['a', 'b']) await bench.given(start(name, KEYED), finish(name, 1, KEYED));
    return bench;
  }

  test('go to one of two that are restored at the same time', async () => {
    const schema = freshSchema();
    const bench = await withEnded(schema);
    const other = await stores.bench({ schema });
    for (let version = 2; version < 12; version += 2) {
      const outcomes = await Promise.all([
        bench.commit(restore('a', version, KEYED)),
        other.commit(restore('b', version, KEYED)),
      ]);
      const winner = outcomes[0].outcome === 'committed' ? 'a' : 'b';
      const loser = winner === 'a' ? 'b' : 'a';
      expect(outcomes).toContainEqual({ outcome: 'committed', taken: [] });
      expect(outcomes).toContainEqual({ outcome: 'exists', instance: winner });
      expect(await bench.store.findByKey('order', 'k', null)).toBe(winner);
      await bench.given(finish(winner, version + 1, KEYED));
      await bench.given(restore(loser, version, KEYED), finish(loser, version + 1, KEYED));
    }
  });

  /** One is restored while another takes its key in a transaction, which ends like this. */
  async function contended(end: 'commit' | 'rollback'): Promise<readonly [Bench, CommitOutcome]> {
    const bench = await withEnded(freshSchema());
    const client = await stores.client();
    await client.query('begin');
    await bench.store.within(client).commit(start('c', KEYED));
    const restored = bench.commit(restore('a', 2, KEYED));
    await client.query(end);
    return [bench, await restored];
  }

  test('go to whoever is just taking them, once that is sure', async () => {
    const [, outcome] = await contended('commit');
    expect(outcome).toEqual({ outcome: 'exists', instance: 'c' });
  });

  test('go to what is restored when the other one thinks better of it', async () => {
    const [bench, outcome] = await contended('rollback');
    expect(outcome).toEqual({ outcome: 'committed', taken: [] });
    expect(await bench.store.findByKey('order', 'k', null)).toBe('a');
  });

  test('that are refused leave the transaction of the caller as good as it was', async () => {
    const schema = freshSchema();
    const bench = await withEnded(schema);
    await bench.given(start('c', KEYED));
    const client = await stores.client();
    await client.query('begin');
    const guest = bench.store.within(client);
    expect(await guest.commit(restore('a', 2, KEYED))).toEqual({
      outcome: 'exists',
      instance: 'c',
    });
    expect(await guest.commit(suspend('c', 1, KEYED))).toMatchObject({ outcome: 'committed' });
    await client.query('commit');
    expect(await bench.claim()).toEqual([]);
    expect((await bench.load('a')).head.status).toBe('completed');
  });
});
