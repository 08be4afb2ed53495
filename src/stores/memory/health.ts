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
import { type Backlog, backlogOf } from '../backlog.ts';
import type { MemoryLetters } from './letters.ts';
import type { Mailbox } from './mailbox.ts';
import type { TokenRow } from './rows.ts';
import type { Tables } from './tables.ts';
import type { TokenQueue } from './token-queue.ts';

/** What is looked at. */
interface HealthHouse {
  readonly tables: Tables;
  readonly queue: TokenQueue;
  readonly mailbox: Mailbox;
  readonly letters: MemoryLetters;
  readonly now: () => Instant;
}

export class MemoryHealth implements Health {
  readonly #house: HealthHouse;

  constructor(house: HealthHouse) {
    this.#house = house;
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

  async backlog(): Promise<Backlog> {
    const { queue, mailbox, letters } = this.#house;
    const now = this.#house.now();
    const due = [...queue.dueNow(now)].map(({ token }) => token.availableAt);
    const [timer] = queue.toWake(1, now);
    const ready = letters.dueNow(now);
    return backlogOf({
      now,
      ready: due.length,
      readySince: [earliest(due)],
      executing: queue.leases.length,
      expired: queue.leases.filter(({ lockedUntil }) => lockedUntil < now).length,
      timersSince: timer?.token.wakeAt ?? null,
      letters: ready.length,
      dead: letters.countDead(),
      lettersSince: earliest(ready),
      messages: mailbox.countKept(now),
    });
  }

  #lying(crashes: number): LeftLying {
    const { tables } = this.#house;
    const now = this.#house.now();
    const ids = tables.scan(null, Number.POSITIVE_INFINITY);
    const rows = ids.flatMap((id) => [...(tables.find(id)?.tokens.values() ?? [])]);
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

/** Null if there is none. There may be more of them than a call takes parameters. */
function earliest(moments: readonly number[]): number | null {
  return moments.length === 0 ? null : moments.reduce((a, b) => Math.min(a, b));
}

function isOverdue({ home, token, lockedBy, isHeld }: TokenRow, now: Instant): boolean {
  if (home.head.status === 'suspended' || isHeld || lockedBy !== null) return false;
  const { status, handler, availableAt } = token;
  return status === 'ready' && handler !== null && availableAt <= now - OVERDUE_MS;
}
