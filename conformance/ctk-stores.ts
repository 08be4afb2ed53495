/** The three stores, fresh for every scenario: scenarios call different workflows the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory } from '../src/stores/memory/memory.ts';
import { postgres } from '../src/stores/postgres/postgres.ts';
import { sqlite } from '../src/stores/sqlite/sqlite.ts';
import type { Store } from '../src/stores/store.ts';
import { dropSchemas, freshSchema } from '../src/testing/postgres-schema.ts';
import { PostgresServer } from '../src/testing/postgres-server.ts';

export interface Shelf {
  readonly name: string;
  /** One that nobody has used yet. Whoever has it closes it. */
  fresh(): Store;
}

export interface Shelves {
  readonly all: readonly Shelf[];
  /** Leaves nothing behind. */
  close(): Promise<void>;
}

/** On the Postgres server at this address, or on one that is started for it. */
export async function openShelves(address?: string): Promise<Shelves> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-ctk-'));
  const server = address === undefined ? await PostgresServer.start() : null;
  const url = address ?? server?.url() ?? '';
  let count = 0;
  return {
    all: [
      { name: 'memory', fresh: () => memory() },
      { name: 'SQLite', fresh: () => sqlite(join(folder, `${(count += 1)}.db`)) },
      { name: 'Postgres', fresh: () => postgres(url, { schema: freshSchema() }) },
    ],
    close: async () => {
      await dropSchemas(url);
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
