/**
 * The part of the port that is about the health of a store: what a doctor asks. Nothing here writes
 * anything, and nothing of the engine depends on it.
 */
import type { Instant } from '../model/ids.ts';
import type { Backlog } from './backlog.ts';
import { jsonIfAny } from './cells.ts';
import type { Migration } from './migration.ts';
import type { Row } from './rows.ts';

export interface Health {
  /** What the schema is made of and what it lacks. Asked before the store is opened, or never. */
  migrations(): Promise<Migrations>;
  /** What the database itself knows: its settings, its room, its tables, and work left lying. */
  diagnose(request: DiagnoseRequest): Promise<readonly Symptom[]>;
  /** How much there is to do, and since when. Cheap: for whoever looks again and again. */
  backlog(): Promise<Backlog>;
}

export interface Migrations {
  /** The number of the newest that was made; 0 if there is nothing yet. */
  readonly made: number;
  /** Those that opening the store would make. */
  readonly missing: readonly Migration[];
}

export interface DiagnoseRequest {
  /** Also what takes long on a large database. */
  readonly full: boolean;
  /** Tokens that have cost so many workers their lives. */
  readonly crashes: number;
}

/** One thing that was looked at. */
export interface Symptom {
  /** Of letters, digits and dots; scripts know it by this. */
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do about it; null if nothing need be done. */
  readonly advice: string | null;
}

/** Ready work that nobody has begun for so long is not just waiting for its turn. */
export const OVERDUE_MS = 60_000;
/** Rows that are counted, at most: whether it is ten thousand or a million is all the same. */
export const COUNTED_MAX = 10_000;

/** Tokens that wait to be mended, of which the instances are named; the queries say so, too. */
export const MENDED_SHOWN = 5;

/** What a store counts in its tokens. */
export interface LeftLying {
  readonly now: Instant;
  readonly incidents: number;
  /** Instances of the first of these. */
  readonly incidentIds: readonly string[];
  /** Tokens with many crashes, and the most that one has. */
  readonly crashed: number;
  readonly crashes: number;
  /** By handler, the longest due first. */
  readonly overdue: readonly {
    readonly handler: string;
    readonly count: number;
    readonly since: Instant;
  }[];
}

/** The same, as rows tell it. */
export function lyingOf(
  now: Instant,
  incidents: Row | undefined,
  crashed: Row | undefined,
  overdue: readonly Row[],
): LeftLying {
  return {
    now,
    incidents: Number(incidents?.count ?? 0),
    incidentIds: idsIn(incidents),
    crashed: Number(crashed?.count ?? 0),
    crashes: Number(crashed?.['most'] ?? 0),
    overdue: overdue.map(({ handler, count, since }) => {
      return { handler: String(handler), count: Number(count), since: Number(since) as Instant };
    }),
  };
}

/** Null where there are none: nothing was aggregated. */
function idsIn(row: Row | undefined): readonly string[] {
  const ids = row === undefined ? null : jsonIfAny(row, 'ids');
  return Array.isArray(ids) ? ids.map(String) : [];
}

export function named(symptoms: readonly Symptom[], name: string): Symptom | undefined {
  return symptoms.find((one) => one.name === name);
}

export function ok(name: string, found: string): Symptom {
  return { name, status: 'ok', found, advice: null };
}

export function warn(name: string, found: string, advice: string): Symptom {
  return { name, status: 'warn', found, advice };
}

export function fail(name: string, found: string, advice: string): Symptom {
  return { name, status: 'fail', found, advice };
}

/** A migration as somebody could make it by hand: with the note that it was made. */
export function byHand({ number, name, sql }: Migration, note: string): Migration {
  const cells = [String(number), `'${name}'`, String(Date.now())];
  const noted = note.replaceAll(/[$?](\d)/g, (_, n: string) => cells[Number(n) - 1] ?? '');
  return { number, name, sql: `${sql.trim()}\n${noted.trim()};\n` };
}

/** What is lying about, whatever database it lies in. */
export function symptomsOfWork({
  now,
  incidents,
  incidentIds,
  crashed,
  crashes,
  overdue,
}: LeftLying): Symptom[] {
  const more = incidents > MENDED_SHOWN ? ', …' : '';
  const mended = `${incidents} tokens wait to be mended: ${incidentIds.join(', ')}${more}`;
  const late = overdue.map(({ handler, count, since }) => {
    return `${handler} (${count}, for ${Math.round((now - since) / 1_000)} s)`;
  });
  return [
    incidents === 0
      ? ok('incidents', 'none')
      : warn('incidents', mended, 'look with "perdure show ID"'),
    overdue.length === 0
      ? ok('overdue', 'no work is overdue')
      : warn(
          'overdue',
          `due, and nobody begins it: ${late.join(', ')}`,
          'start a worker that has these handlers, or more of them',
        ),
    crashed === 0
      ? ok('crashes', 'no token has cost several workers their lives')
      : warn(
          'crashes',
          `${crashed} tokens have cost workers their lives, one of them ${crashes}`,
          'look at what these steps do: memory, exit, endless loops',
        ),
  ];
}
