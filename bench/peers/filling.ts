/**
 * Tables that hold what years have left. One instance is run in earnest, and its rows, in whatever
 * tables they lie, are copied under new ids. The copies lie in the part of the database that their
 * ids ask for, and their history names them: what finds the original finds each copy.
 */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { newInstanceId } from '../../src/runtime/ids.ts';
import { shardOf } from '../../src/stores/postgres/shard.ts';

export interface Filling {
  /** The flow whose instance is copied: the first there is. */
  readonly flow: string;
  readonly copies: number;
}

const COPIED_AT_A_TIME = 10_000;

/** A column of a table with rows of instances. */
interface Column {
  readonly table: string;
  readonly name: string;
  readonly isText: boolean;
}

export async function fillPostgres(url: string, fillings: readonly Filling[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query(`
    select table_name as table, column_name as name, data_type = 'text' as "isText"
      from information_schema.columns join information_schema.tables
           using (table_schema, table_name)
     where table_schema = 'perdure' and table_type = 'BASE TABLE' and is_identity = 'NO'`);
  const statements = tablesOf(rows as Column[]).map((columns) => {
    const values = columns.map((column) => {
      if (column.name === 'shard') return 'copy.shard';
      return valueOf(column, '$1', 'copy.id');
    });
    return (
      `${insertInto('perdure.', columns, values)} cross join ` +
      `unnest($2::text[], $3::int[]) as copy (id, shard) where ${idOf(columns)} = $1`
    );
  });
  for (const { flow, copies } of fillings) {
    const found = await client.query('select id from perdure.instance where flow = $1 limit 1', [
      flow,
    ]);
    for (const ids of idsInBatches(copies)) {
      const values = [found.rows[0].id, ids, ids.map((id) => shardOf(id))];
      for (const statement of statements) await client.query(statement, values);
    }
  }
  // As the server's own housekeeping would have done along the way; it is not to do it meanwhile.
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}

export function fillSqlite(file: string, fillings: readonly Filling[]): void {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off');
  const rows = database
    .prepare(
      `select tables.name as "table", columns.name as name, columns.type = 'TEXT' as isText
         from sqlite_schema as tables, pragma_table_info(tables.name) as columns
        where tables.type = 'table'`,
    )
    .all() as unknown as Column[];
  const copy = tablesOf(rows).map((columns) => {
    const values = columns.map((column) => valueOf(column, '$from', 'copy.value'));
    const source = `json_each($ids) as copy where ${idOf(columns)} = $from`;
    return database.prepare(`${insertInto('', columns, values)} cross join ${source}`);
  });
  for (const { flow, copies } of fillings) {
    const found = database.prepare('select id from instance where flow = ? limit 1').get(flow);
    for (const ids of idsInBatches(copies)) {
      database.exec('begin immediate');
      for (const statement of copy) {
        statement.run({ from: found?.['id'] ?? null, ids: JSON.stringify(ids) });
      }
      database.exec('commit');
    }
  }
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

/** Tables that say of every row whose it is. */
function tablesOf(columns: readonly Column[]): readonly (readonly Column[])[] {
  const tables = new Map<string, Column[]>();
  for (const column of columns) {
    tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  }
  return [...tables.values()].filter(
    ([first, ...others]) =>
      first?.table === 'instance' ||
      [first, ...others].some((column) => column?.name === 'instance_id'),
  );
}

function idOf([column]: readonly Column[]): string {
  return column?.table === 'instance' ? 'source.id' : 'source.instance_id';
}

/** Texts may name the instance, as its history does. */
function valueOf({ name, isText }: Column, from: string, to: string): string {
  return isText ? `replace(source.${name}, ${from}, ${to})` : `source.${name}`;
}

function insertInto(schema: string, columns: readonly Column[], values: readonly string[]): string {
  const table = `${schema}${columns[0]?.table}`;
  const names = columns.map(({ name }) => name).join(', ');
  return `insert into ${table} (${names}) select ${values.join(', ')} from ${table} as source`;
}

/** Ids as if the instances had been started one after the other until a moment ago. */
function* idsInBatches(count: number): Generator<string[]> {
  const since = Date.now() - count;
  for (let made = 0; made < count; made += COPIED_AT_A_TIME) {
    const length = Math.min(COPIED_AT_A_TIME, count - made);
    yield Array.from({ length }, (_, at) => newInstanceId(since + made + at));
  }
}
