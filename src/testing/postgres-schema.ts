/**
 * Schemas for tests. All test files share one server, and each works in schemas of its own, so that
 * none sees what another does.
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { shardOf } from '../stores/postgres/shard.ts';

// Not the process id alone: a server that outlives the run may still hold what a killed run left.
const prefix = `t_${process.pid}_${randomBytes(4).toString('hex')}`;
const made: string[] = [];
let count = 0;

/** A name that no other test has; the schema itself is for the store to create. */
export function freshSchema(): string {
  count += 1;
  const name = `${prefix}_${count}`;
  made.push(name);
  return name;
}

/** Drops every schema this process was given a name for. For `afterAll`. */
export async function dropSchemas(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    // One after the other: a single statement would hold the locks of all their tables at once.
    for (const name of made.splice(0)) await client.query(`drop schema if exists ${name} cascade`);
  } finally {
    await client.end();
  }
}

/** Leaves the schema as a store has just made it. */
export async function emptySchema(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = $1::regnamespace and relkind = 'r' and relname <> 'migration'`,
    [schema],
  );
  await client.query(rows.map(({ name }) => `delete from ${schema}.${name};`).join('\n'));
}

/** Everything a table or a view shows. SQLite understands it, too. */
export function everyRowOf(table: string): string {
  return `select * from ${table}`;
}

/** Rows and entries of indexes that anybody has read of a schema so far. */
export async function readSoFar(client: Client, schema: string): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    `select sum(seq_tup_read + idx_tup_fetch)
            + (select sum(idx_tup_read) from pg_stat_all_indexes where schemaname = $1) as read
       from pg_stat_all_tables where schemaname = $1`,
    [schema],
  );
  return Number(rows[0]?.read);
}

/** A connection has told what it has read once it is gone. */
export async function allGone(client: Client, name: string): Promise<void> {
  const asked = 'select from pg_stat_activity where application_name = $1';
  while ((await client.query(asked, [name])).rows.length > 0);
}

/** Ids in order, each with the shard that is its own: what `MANY` is given. */
export function manyIds(count: number): readonly [shards: readonly number[], ids: string[]] {
  const ids = Array.from({ length: count }, (_, n) => `i${String(n).padStart(6, '0')}`);
  return [ids.map((id) => shardOf(id)), ids];
}

/** Numbered from 1. */
export const MANY = 'unnest($1::int[], $2::text[]) with ordinality as r (shard, id, n)';
