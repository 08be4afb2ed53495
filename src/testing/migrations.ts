/** The migrations of a store: as files, as the source text they are embedded by, and what holds. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Migration } from '../stores/migration.ts';
import type { Store } from '../stores/store.ts';
import { Bench } from './store-bench.ts';
import {
  asking,
  fenceOf,
  finish,
  HANDLER,
  idOf,
  next,
  resume,
  suspend,
  T0,
  tokenId,
  value,
} from './store-commits.ts';
import { found } from './store-tasks.ts';

interface MigrationFile {
  readonly name: string;
  readonly sql: string;
}

export function migrationFiles(folder: string): readonly MigrationFile[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({
      name: basename(file, '.sql'),
      sql: readFileSync(join(folder, file), 'utf8'),
    }));
}

/** What `migrations.gen.ts` must hold. */
function embeddedText(files: readonly MigrationFile[], madeBy: string): string {
  const text = [
    `/** Made from migrations/*.sql ${madeBy}. Not to be edited. */`,
    `import type { Migration } from '../migration.ts';`,
    '',
    'export const MIGRATIONS: readonly Migration[] = [',
    ...files.map(embedded),
    '];',
    '',
  ];
  return text.join('\n');
}

function embedded({ name, sql }: MigrationFile): string {
  const text = sql.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&');
  const number = Number.parseInt(name, 10);
  return `  {\n    number: ${number},\n    name: '${name}',\n    sql: \`${text}\`,\n  },`;
}

/** For each index, the statements that its comment says it serves; none where nothing is said. */
function servedByIndexes(sql: string): readonly (readonly string[])[] {
  const heads = sql.matchAll(/create (?:unique )?index[^(]*\((?:\n\s*-- Serves ([^:.]+))?/g);
  return Array.from(heads, ([, names]) => names?.split(/, | and /) ?? []);
}

export interface MigrationSetup {
  /** Where the store's sources lie. */
  readonly folder: string;
  readonly files: readonly MigrationFile[];
  readonly migrations: readonly Migration[];
  readonly statements: Readonly<Record<string, string>>;
  /** How the embedded ones are made after a change: the same tests, told to update. */
  readonly madeBy: string;
}

/** What holds of the migrations of every store. */
export function migrationCases(setup: MigrationSetup): void {
  const { folder, files, migrations, statements, madeBy } = setup;

  test('the embedded migrations are those of the .sql files', async () => {
    const text = embeddedText(files, madeBy);
    await expect(text).toMatchFileSnapshot(join(folder, 'migrations.gen.ts'));
  });

  test('migrations are numbered in a row', () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
  });

  test('every index says which statement it serves, and that statement is there', () => {
    const served = files.flatMap(({ sql }) => servedByIndexes(sql));
    expect(served.filter((names) => names.length === 0)).toEqual([]);
    expect(served.flat().filter((name) => !(name in statements))).toEqual([]);
  });
}

/** What instances of an older database can do once it is brought up to date; each has `a`. */
export const OLD_INSTANCES: readonly [string, number, (store: Store) => Promise<void>][] = [
  ['pauses can be suspended, and go on', 7, canBeSuspended],
  ['tasks and maps go on, and can wait for people and keep items', 11, canWaitForPeople],
];

/** Open instances that have had a key since before each tenant had its own; `key N` is that. */
export const OLD_KEYS: readonly { readonly id: string; readonly tenant: string | null }[] = [
  { id: 'key 1', tenant: null },
  { id: 'key 2', tenant: 'acme' },
  { id: 'key 3', tenant: 'Größe 😀' },
  { id: 'key 4', tenant: '😀'.repeat(60) },
];

/** The key that the instance `id` of flow `order` has. */
export function oldKeyOf(id: string): string {
  return `${id} ß😀`;
}

/** Each has its key as its tenant's, frees it by ending, and nobody else had a share in it. */
export async function keepTheirKeys(
  store: Store,
  keys: readonly { readonly id: string; readonly tenant: string | null }[],
): Promise<void> {
  for (const { id, tenant } of keys) {
    const key = oldKeyOf(id);
    const find = (of: string | null): Promise<unknown> => store.findByKey('order', key, of);
    expect([id, await find(tenant)]).toEqual([id, id]);
    expect(await find(tenant === null ? 'acme' : null)).toBeUndefined();
    await store.commit([finish(id, 1, { head: { key, tenant } })]);
    expect(await find(tenant)).toBeUndefined();
  }
}

async function canWaitForPeople(store: Store): Promise<void> {
  const bench = new Bench(store, { now: T0 });
  expect((await bench.load('a')).tokens).toMatchObject([{ id: 2 }, { id: 3 }]);
  expect(await found(bench)).toEqual([]);
  const fence = fenceOf(await bench.claimFirst());
  const rows = { ...asking(4), endedTokens: [tokenId(2)], values: [value('items', '0', 'kept')] };
  await bench.given(next('a', 1, { fence, rows }));
  expect(await found(bench)).toEqual(['a.4']);
  expect((await bench.load('a')).scopes).toMatchObject([{ vars: { x: 1 }, items: { 0: 'kept' } }]);
  const ended = { endedTokens: [tokenId(3), tokenId(4)], closedTasks: [tokenId(4)] };
  await bench.given(finish('a', 2, { rows: ended }));
  expect(await found(bench)).toEqual([]);
}

/** The instance `a`, whose token 2 is ready and whose token 3 is due; and it goes on again. */
async function canBeSuspended(store: Store): Promise<void> {
  const load = async (): Promise<unknown> => (await store.load([idOf('a')]))[0]?.tokens;
  const before = await load();
  expect(before).toMatchObject([{ handler: HANDLER, wakeAt: null }, { wakeAt: 1 }]);
  const all = { worker: 'ann', handlers: [HANDLER], limit: 9, leaseMs: 1_000 };
  await store.commit([suspend('a', 1)]);
  expect([await store.claim(all), await store.due(9)]).toEqual([[], []]);
  expect(await load()).toEqual(before);
  await store.commit([resume('a', 2, 2)]);
  expect([await store.claim(all), await store.due(9)]).toMatchObject([
    [{ token: 2 }],
    [{ token: 3 }],
  ]);
}
