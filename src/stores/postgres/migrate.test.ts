/** Opening: the schema that is checked in, made once, and by whoever may. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ENDED_WELL, runProgram } from '../../testing/child-program.ts';
import {
  keepTheirKeys,
  migrationCases,
  migrationFiles,
  OLD_INSTANCES,
  OLD_KEYS,
  oldKeyOf,
} from '../../testing/migrations.ts';
import { freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { HANDLER, start, T0 } from '../../testing/store-commits.ts';
import { inSchema } from './driver.ts';
import { MIGRATIONS } from './migrations.gen.ts';
import * as queries from './queries.ts';
import { shardOf } from './shard.ts';

const here = import.meta.dirname;
const migrations = migrationFiles(join(here, 'migrations'));

/** How both files below are made after a change: the same tests, told to update. */
const MADE_BY = 'by `npx vitest run src/stores/postgres -u`';

const { own, ...shared } = queries;
const statements: Readonly<Record<string, string>> = { ...shared, ...own };

const stores = new PostgresStores();
afterAll(() => stores.drop());

describe('the schema', () => {
  const schema = freshSchema();
  let client: Client;
  beforeAll(async () => {
    await stores.open({ schema });
    client = await stores.client();
  });
  afterAll(() => stores.close());

  migrationCases({
    folder: here,
    files: migrations,
    migrations: MIGRATIONS,
    statements,
    madeBy: MADE_BY,
  });

  test('the schema after the last migration is the one that is checked in', async () => {
    const parts = [functions, tables, indexes, views].map((read) => read(client, schema));
    const dump = (await Promise.all(parts)).flat().join('\n\n');
    await expect(
      `-- The schema after the last migration, made ${MADE_BY}.\n\n${dump}\n`,
    ).toMatchFileSnapshot('./schema.sql');
  });

  test('every statement means something to the server', async () => {
    // The others (begin, listen and so on) cannot be prepared, and are run by any other test.
    const texts = Object.entries(statements).filter(([, sql]) =>
      /^\s*(select|with|update|delete|insert)/.test(sql),
    );
    expect(texts.length).toBeGreaterThan(60);
    for (const [name, sql] of texts) {
      await client.query(`prepare "${name}" as ${inSchema(sql, schema)}`).catch((thrown) => {
        throw new Error(`the server does not take "${name}"`, { cause: thrown });
      });
    }
  });

  test('the statements have the names of the SQLite store, in its order', () => {
    expect(namesIn('queries.ts')).toEqual(namesIn('../sqlite/queries.ts'));
  });
});

/** A module hands them out sorted, so the text is what tells their order. */
function namesIn(file: string): string[] {
  const text = readFileSync(join(here, file), 'utf8');
  return Array.from(text.matchAll(/^export const (\w+)/gm), ([, name]) => String(name));
}

describe('migrating', () => {
  afterEach(() => stores.close());

  test('stores and processes that open a new schema at once make it once', async () => {
    const schema = freshSchema();
    const children = Array.from({ length: 3 }, () => processThatOpens(schema));
    const opening = Array.from({ length: 8 }, () => stores.open({ schema, poolSize: 3 }));
    const [first] = await Promise.all(opening);
    expect(await Promise.all(children)).toEqual(children.map(() => ENDED_WELL));
    const client = await stores.client();
    const { rows } = await client.query(`select number, name from ${schema}.migration order by 1`);
    expect(rows).toEqual(MIGRATIONS.map(({ number, name }) => ({ number, name })));
    expect(await first?.commit([start('a')])).toMatchObject([{ outcome: 'committed' }]);
  });

  test.each(OLD_INSTANCES)('instances of before there were %s', async (_what, number, check) => {
    const schema = freshSchema();
    const client = await stores.client();
    await client.query(`create schema ${schema}`);
    for (const [index, { name, sql }] of migrations.slice(0, number).entries()) {
      await client.query(inSchema(sql, schema));
      await client.query(`insert into ${schema}.migration values (${index + 1}, '${name}', 0)`);
    }
    const shard = shardOf('a');
    const columns = `shard, instance_id, id, scope_id, node_id, handler, status, mode, visit,
      attempts, crashes, max_attempts, priority, available_at, wake_at, hops, created_at,
      updated_at, version`;
    await client.query(`
      insert into ${schema}.instance (shard, id, plan_hash, flow, flow_version, status, version,
             counter, priority, created_at, updated_at)
      values (${shard}, 'a', 'plan-hash', 'order', 1, 'running', 1, 2, 0, ${T0}, ${T0});
      insert into ${schema}.variable values (${shard}, 'a', 1, 'vars', 'x', 1, '1');
      insert into ${schema}.token (${columns}) values
        (${shard}, 'a', 2, 1, 'work', '${HANDLER}', 'ready', 'forward', 1, 0, 0, 1, 0, 0, null, 0,
         0, 0, 0),
        (${shard}, 'a', 3, 1, 'nap', null, 'waiting', 'forward', 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0)`);
    const store = await stores.open({ schema });
    await check(store);
  });

  test('keys of before each tenant had its own are those of their tenants', async () => {
    const schema = freshSchema();
    const client = await stores.client();
    await client.query(`create schema ${schema}`);
    for (const [index, { name, sql }] of migrations.slice(0, 14).entries()) {
      await client.query(inSchema(sql, schema));
      await client.query(`insert into ${schema}.migration values (${index + 1}, '${name}', 0)`);
    }
    const keys = [...OLD_KEYS, { id: 'key 9', tenant: 'ß'.repeat(61) }];
    for (const { id, tenant } of keys) {
      const key = oldKeyOf(id);
      await client.query(
        `insert into ${schema}.instance (shard, id, plan_hash, flow, flow_version, status, version,
                counter, priority, key, tenant, created_at, updated_at)
         values ($1, $2, 'plan-hash', 'order', 1, 'running', 1, 2, 0, $3, $4, ${T0}, ${T0})`,
        [shardOf(id), id, key, tenant],
      );
      const cells = [shardOf('order', key), 'order', key, id];
      await client.query(`insert into ${schema}.business_key values ($1, $2, $3, $4)`, cells);
    }
    await keepTheirKeys(await stores.open({ schema }), keys);
  });

  test('a schema newer than this program is left alone', async () => {
    const schema = freshSchema();
    await stores.open({ schema });
    const client = await stores.client();
    await client.query(`insert into ${schema}.migration values (99, '0099_future', 0)`);
    await expect(stores.open({ schema })).rejects.toMatchObject({
      name: 'EngineError',
      code: 'store.too-new',
      retryable: false,
      details: { found: 99, newest: MIGRATIONS.length },
    });
  });

  test('opening a schema again changes nothing in it', async () => {
    const schema = freshSchema();
    await stores.open({ schema });
    const client = await stores.client();
    const dump = async (): Promise<unknown> => [
      await tables(client, schema),
      (await client.query(`select * from ${schema}.migration`)).rows,
    ];
    const before = await dump();
    await stores.open({ schema });
    expect(await dump()).toEqual(before);
  });

  test('a migration that fails leaves nothing behind', async () => {
    const schema = freshSchema();
    const client = await stores.client();
    // What is there already stands in its way, somewhere in the middle.
    await client.query(`create schema ${schema}; create table ${schema}.dropped (id int)`);
    await expect(stores.open({ schema })).rejects.toMatchObject({ code: 'store.refused' });
    expect(await tables(client, schema)).toHaveLength(1);
    await client.query(`drop table ${schema}.dropped`);
    await stores.open({ schema });
  });
});

function processThatOpens(schema: string): Promise<unknown> {
  const module = pathToFileURL(join(here, 'postgres.ts')).href;
  const [url, options] = [stores.url, { schema }].map((value) => JSON.stringify(value));
  return runProgram(`
    import { postgres } from '${module}';
    const store = postgres(${url}, ${options});
    await store.open();
    await store.close();`);
}

describe('rights', () => {
  const schema = freshSchema();
  const role = `${schema}_user`;
  let admin: Client;
  beforeAll(async () => {
    admin = await stores.client();
    await admin.query(`create role ${role}`);
  });
  afterAll(async () => {
    admin = await stores.client();
    await admin.query(`drop owned by ${role} cascade; drop role ${role}`);
    await stores.close();
  });
  afterEach(() => stores.close());

  /** Whatever the server asks of whoever logs on: the role is taken on after that. */
  const asRole = (): string => {
    const url = new URL(stores.url);
    url.searchParams.set('options', `-c role=${role}`);
    return url.href;
  };

  test('who may not create a schema is told that a privilege is missing', async () => {
    await expect(stores.open({ url: asRole(), schema })).rejects.toMatchObject({
      code: 'store.denied',
      retryable: false,
      message: expect.stringContaining('lacks a privilege'),
    });
  });

  test('who owns nothing but a schema can have it migrated', async () => {
    const own = freshSchema();
    admin = await stores.client();
    await admin.query(`create schema ${own} authorization ${role}`);
    const store = await stores.open({ url: asRole(), schema: own });
    expect(await store.commit([start('a')])).toMatchObject([{ outcome: 'committed' }]);
  });

  test('who may only read and write needs no more once the schema is there', async () => {
    await stores.open({ schema });
    admin = await stores.client();
    await admin.query(`grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
    const store = await stores.open({ url: asRole(), schema });
    expect(await store.commit([start('a')])).toMatchObject([{ outcome: 'committed' }]);
    const message = { id: 'm', type: 't', key: 'k', data: null, ttlMs: 1_000 };
    expect(await store.publish(message)).toBe(true);
  });
});

async function tables(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; parts: string[] }>(
    `select c.relname as name,
            array(select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
                         || case when a.attcollation <> t.typcollation
                              then format(' collate %I', l.collname) else '' end
                         || case when a.attnotnull then ' not null' else '' end
                         || case a.attidentity when 'a' then ' generated always as identity'
                              when 'd' then ' generated by default as identity' else '' end
                         || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
                    from pg_attribute as a
                    join pg_type as t on t.oid = a.atttypid
                    left join pg_collation as l on l.oid = a.attcollation
                    left join pg_attrdef as d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                   order by a.attnum)
            -- That a column is not null is said beside it, and is a constraint only since 18.
            || array(select format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
                       from pg_constraint as k
                      where k.conrelid = c.oid and k.contype <> 'n'
                      order by k.contype = 'p' desc, k.conname) as parts
       from pg_class as c
      where c.relnamespace = $1::regnamespace and c.relkind = 'r'
      order by c.relname collate "C"`,
    [schema],
  );
  return rows.map(
    ({ name, parts }) => `create table perdure.${name} (\n  ${parts.join(',\n  ')}\n);`,
  );
}

/** Those that no constraint has made. */
async function indexes(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_indexdef(i.indexrelid) as text
       from pg_index as i
       join pg_class as c on c.oid = i.indexrelid
      where c.relnamespace = $1::regnamespace
        and not exists (select from pg_constraint as k where k.conindid = i.indexrelid)
      order by c.relname collate "C"`,
    [schema],
  );
  return rows.map(({ text }) => `${text.replaceAll(`${schema}.`, 'perdure.')};`);
}

async function functions(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_functiondef(oid) as text
       from pg_proc
      where pronamespace = $1::regnamespace
      order by proname collate "C"`,
    [schema],
  );
  const named = [`"${schema}".`, `${schema}.`];
  return rows.map(({ text }) => {
    const plain = named.reduce((said, name) => said.replaceAll(name, 'perdure.'), text);
    return `${plain.trimEnd()};`;
  });
}

async function views(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; text: string }>(
    `select relname as name, pg_get_viewdef(oid) as text
       from pg_class
      where relnamespace = $1::regnamespace
        and relkind = 'v'
      order by relname collate "C"`,
    [schema],
  );
  return rows.map(({ name, text }) => {
    const body = text.replaceAll(`${schema}.`, 'perdure.');
    return `CREATE VIEW perdure.${name} AS\n${body}`;
  });
}
