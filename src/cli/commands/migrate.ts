/** `perdure migrate`: brings the tables of a store up to date, or says what that takes. */
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { placeOf } from '../stores.ts';

interface MigrateOptions extends JsonOptions, StoreOptions {
  readonly sql?: boolean;
}

export const migrate: Part = (program, desk) => {
  program
    .command('migrate')
    .description('make the tables of a store, or bring them up to date')
    .option('--sql', 'print the SQL of what is missing, and do nothing')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((options: MigrateOptions) => migrateOne(desk, options));
};

async function migrateOne(desk: Desk, options: MigrateOptions): Promise<void> {
  const { url, store } = await placeOf(desk, options);
  const { made, missing } = await store.health.migrations();
  const names = missing.map(({ number, name }) => ({ number, name }));
  if (options.sql === true) {
    answer(desk, options, { made, missing }, () => {
      if (missing.length === 0) return '-- nothing is missing';
      const parts = missing.map(({ name, sql }) => `-- ${name}\n${sql.trim()}`);
      return parts.join('\n\n');
    });
    return;
  }
  // Also where nothing is missing: one that is too new for this program says so here.
  await store.open();
  await store.close();
  answer(desk, options, { made, applied: names }, () => {
    if (names.length === 0) return `${url} is up to date`;
    return names.map(({ name }) => `${desk.terminal.paint('green', '✓')} ${name}`).join('\n');
  });
}
