/** The health of the store that forgets: of itself there is little to say. */
import type { Instant } from '../../model/ids.ts';
import {
  type DiagnoseRequest,
  type Health,
  type LeftLying,
  MENDED_SHOWN,
  type Migrations,
  ok,
  OVERDUE_MS,
  type Symptom,
  symptomsOfWork,
  warn,
} from '../health.ts';
import type { TokenRow } from './rows.ts';
import type { Tables } from './tables.ts';

export class MemoryHealth implements Health {
  readonly #tables: Tables;
  readonly #now: () => Instant;

  constructor(tables: Tables, now: () => Instant) {
    this.#tables = tables;
    this.#now = now;
  }

  async migrations(): Promise<Migrations> {
    return { made: 0, missing: [] };
  }

  async diagnose({ crashes }: DiagnoseRequest): Promise<readonly Symptom[]> {
    const found = 'everything is lost when the process ends';
    const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
    return [
      warn('durability', found, 'use SQLite or Postgres for what must not be lost'),
      ok('memory', `${megabytes} MB`),
      ...symptomsOfWork(this.#lying(crashes)),
    ];
  }

  #lying(crashes: number): LeftLying {
    const now = this.#now();
    const ids = this.#tables.scan(null, Number.POSITIVE_INFINITY);
    const rows = ids.flatMap((id) => [...(this.#tables.find(id)?.tokens.values() ?? [])]);
    const mended = rows.filter(({ token }) => token.wait?.on === 'incident');
    const crashed = rows.filter(({ token }) => token.crashes >= crashes);
    const late = new Map<string, { count: number; since: Instant }>();
    for (const { token } of rows.filter((row) => isOverdue(row, now))) {
      const handler = token.handler ?? '';
      const { count, since } = late.get(handler) ?? { count: 0, since: token.availableAt };
      const first = Math.min(since, token.availableAt) as Instant;
      late.set(handler, { count: count + 1, since: first });
    }
    return {
      now,
      incidents: mended.length,
      incidentIds: [...new Set(mended.slice(0, MENDED_SHOWN).map(({ home }) => home.head.id))],
      crashed: crashed.length,
      crashes: Math.max(0, ...crashed.map(({ token }) => token.crashes)),
      overdue: Array.from(late, ([handler, one]) => ({ handler, ...one })).toSorted(
        (a, b) => a.since - b.since,
      ),
    };
  }
}

function isOverdue({ home, token, lockedBy, isHeld }: TokenRow, now: Instant): boolean {
  if (home.head.status === 'suspended' || isHeld || lockedBy !== null) return false;
  const { status, handler, availableAt } = token;
  return status === 'ready' && handler !== null && availableAt <= now - OVERDUE_MS;
}
