/** The migrations of a store: as files, as the source text they are embedded by, and what holds. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Migration } from '../stores/migration.ts';
import type { Store } from '../stores/store.ts';
import { HANDLER, idOf, resume, suspend } from './store-commits.ts';

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

/** The instance `a`, whose token 2 is ready and whose token 3 is due; and it goes on again. */
export async function canBeSuspended(store: Store): Promise<void> {
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
