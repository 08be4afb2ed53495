/**
 * How much CPU the Postgres server has used, all of its processes together, where that can be seen:
 * on Linux, if the server runs on this machine. A session's process is a child of the postmaster;
 * of those that have ended the postmaster itself knows.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the machine. */
const MS_PER_TICK = 10;

/** Places in /proc/PID/stat, counted from behind the name of the program. */
const PARENT = 1;
const TIMES = [11, 12] as const;
const TIMES_OF_ENDED = [13, 14] as const;

/** Milliseconds so far, or null where nobody can know. */
export function serverCpuMs(postmaster: number | null): number | null {
  if (postmaster === null) return null;
  const own = fieldsOf(postmaster);
  if (own === undefined) return null;
  let ticks = sum(own, TIMES) + sum(own, TIMES_OF_ENDED);
  for (const entry of readdirSync('/proc')) {
    const fields = /^\d+$/.test(entry) ? fieldsOf(Number(entry)) : undefined;
    if (fields !== undefined && Number(fields[PARENT]) === postmaster) ticks += sum(fields, TIMES);
  }
  return ticks * MS_PER_TICK;
}

/** The postmaster a session belongs to, if both are processes of this machine. */
export function postmasterOf(session: number): number | null {
  const fields = fieldsOf(session);
  const parent = Number(fields?.[PARENT] ?? Number.NaN);
  return isPostgres(session) && isPostgres(parent) ? parent : null;
}

function isPostgres(pid: number): boolean {
  return readOwn(`/proc/${pid}/comm`)?.startsWith('postgres') === true;
}

/** What follows the name, which may itself hold spaces. */
function fieldsOf(pid: number): readonly string[] | undefined {
  const text = readOwn(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function sum(fields: readonly string[], places: readonly number[]): number {
  return places.reduce((total, place) => total + Number(fields[place] ?? 0), 0);
}

/** A process may end between being listed and being looked at, and not every system has /proc. */
function readOwn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) return undefined;
    throw thrown;
  }
}
