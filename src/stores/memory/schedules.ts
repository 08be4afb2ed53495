/** Schedules, in a map by their names. */
import type { Instant } from '../../model/ids.ts';
import type { Advance, Among, NewSchedule, ScheduleRow, Schedules } from '../schedules.ts';
import { scheduleCells } from '../writes.ts';
import { compareTexts } from '../texts.ts';

export class MemorySchedules implements Schedules {
  readonly #now: () => Instant;
  readonly #rows = new Map<string, ScheduleRow>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  async put(schedule: NewSchedule, seen: number | null): Promise<boolean> {
    // What a database refuses is refused here, too.
    scheduleCells(schedule);
    const { name, flow, spec, status, nextAt, lastAt, since } = schedule;
    const kept = this.#rows.get(name);
    if ((kept?.version ?? null) !== seen) return false;
    const now = this.#now();
    const version = kept === undefined ? now : kept.version + 1;
    const times = { createdAt: kept?.createdAt ?? now, updatedAt: now };
    this.#keep({ name, flow, spec, status, nextAt, lastAt, since, version, ...times });
    return true;
  }

  async advance(name: string, seen: number, { nextAt, lastAt }: Advance): Promise<boolean> {
    const kept = this.#rows.get(name);
    if (kept?.version !== seen) return false;
    this.#keep({ ...kept, nextAt, lastAt, version: seen + 1, updatedAt: this.#now() });
    return true;
  }

  async get(name: string): Promise<ScheduleRow | undefined> {
    return this.#rows.get(name);
  }

  async list(after: string | null, limit: number): Promise<readonly ScheduleRow[]> {
    const later = [...this.#rows.values()].filter(
      ({ name }) => after === null || compareTexts(name, after) > 0,
    );
    return later.sort(byName).slice(0, limit);
  }

  async due({ flows, without = [] }: Among, limit: number): Promise<readonly ScheduleRow[]> {
    const now = this.#now();
    return this.#active(flows, without)
      .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
      .sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || byName(a, b))
      .slice(0, limit);
  }

  /** The next moment at which one may be due. */
  nextDue({ flows, without = [] }: Among): Instant | undefined {
    const moments = this.#active(flows, without).flatMap(({ nextAt }) => nextAt ?? []);
    if (moments.length === 0) return undefined;
    const next = moments.reduce((a, b) => (a < b ? a : b));
    return Math.max(next, this.#now()) as Instant;
  }

  async remove(name: string): Promise<boolean> {
    return this.#rows.delete(name);
  }

  #keep(row: ScheduleRow): void {
    this.#rows.set(row.name, Object.freeze(row));
  }

  #active(flows: readonly string[], without: readonly string[]): ScheduleRow[] {
    const known = new Set(flows);
    return [...this.#rows.values()].filter(
      ({ name, status, flow }) => status === 'active' && known.has(flow) && !without.includes(name),
    );
  }
}

function byName(a: ScheduleRow, b: ScheduleRow): number {
  return compareTexts(a.name, b.name);
}
