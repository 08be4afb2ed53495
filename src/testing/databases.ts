/** The two databases that processes can share, for tests that start some. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, inject } from 'vitest';
import { placeAt, placeIn } from './place.ts';
import { dropSchemas, freshSchema } from './postgres-schema.ts';
import { Program } from './program.ts';

export interface Bed {
  /** A database that nobody has used yet, as `storeAt` takes it. */
  readonly place: string;
  /** For whatever else the test leaves behind. */
  readonly folder: string;
}

const DATABASES = ['Postgres', 'SQLite'] as const;

/** Describes something once for each of them. Whatever was started is ended afterwards. */
export function onBothDatabases(
  what: string,
  tests: (make: () => Bed, name: (typeof DATABASES)[number]) => void,
): void {
  describe.each(DATABASES)(`${what}, on %s`, (name) => {
    const folders: string[] = [];
    afterAll(async () => {
      await Program.killAll();
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
      if (name === 'Postgres') await dropSchemas(inject('postgres'));
    });
    tests(() => {
      const folder = mkdtempSync(join(tmpdir(), 'perdure-process-'));
      folders.push(folder);
      const isPostgres = name === 'Postgres';
      const place = isPostgres
        ? placeAt(inject('postgres'), freshSchema())
        : placeIn(join(folder, 'store.db'));
      return { place, folder };
    }, name);
  });
}
