/**
 * Schemas for tests. All test files share one server, and each works in schemas of its own, so that
 * none sees what another does.
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

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
