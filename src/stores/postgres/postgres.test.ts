import { Client } from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { dropSchemas, freshSchema } from '../../testing/postgres-schema.ts';
import { storeSuite } from '../../testing/store-suite.ts';
import { postgres } from './postgres.ts';

const url = inject('postgres');
const schema = freshSchema();
let clock: () => number = Date.now;

// One schema for all cases, emptied before each: making one takes longer than most cases do.
const store = postgres(url, { schema, clock: () => clock(), listen: false });
const client = new Client(url);
beforeAll(async () => {
  await client.connect();
  await store.open();
});
afterAll(async () => {
  await store.close();
  await client.end();
  await dropSchemas(url);
});

storeSuite('the Postgres store', (caseClock) => {
  clock = caseClock;
  return new Proxy(store, {
    get(target, verb) {
      if (verb === 'open') return empty;
      if (verb === 'close') return async () => {};
      const method: unknown = Reflect.get(target, verb);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
});

async function empty(): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = $1::regnamespace and relkind = 'r' and relname <> 'migration'`,
    [schema],
  );
  await client.query(rows.map(({ name }) => `delete from ${schema}.${name};`).join('\n'));
}
