/** Holds a process where it is, for as long as a test wants it to stand still. */
import { DatabaseSync } from 'node:sqlite';
import { begin, rollback } from '../stores/sqlite/queries.ts';
import { fileOf } from './place.ts';
import type { Program } from './program.ts';

/** On SQLite one that is stopped while it writes keeps everyone else from writing. */
export function stopAtRest(program: Program, place: string): void {
  const file = fileOf(place);
  for (;;) {
    program.signal('SIGSTOP');
    if (file === undefined || isWritable(file)) return;
    program.signal('SIGCONT');
  }
}

function isWritable(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 100 });
  try {
    database.exec(begin);
    database.exec(rollback);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.includes('locked')) return false;
    throw thrown;
  } finally {
    database.close();
  }
}
