/** The migrations of a store as files, and as the source text they are embedded by. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface MigrationFile {
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
export function embeddedText(files: readonly MigrationFile[], madeBy: string): string {
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
export function servedByIndexes(sql: string): readonly (readonly string[])[] {
  const heads = sql.matchAll(/create (?:unique )?index[^(]*\((?:\n\s*-- Serves ([^:.]+))?/g);
  return Array.from(heads, ([, names]) => names?.split(/, | and /) ?? []);
}
