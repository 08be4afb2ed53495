/**
 * Schedules, as a program makes and handles them. What is kept is the store's; a handle holds
 * nothing but the name, and asks.
 *
 * To make one again is no mistake: programs do at every start. The same spec changes nothing, so
 * that neither its grid nor a pause is lost with a restart; another one takes its place.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Json } from '../base/json.ts';
import type { Instant } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { NewSchedule, ScheduleRow } from '../stores/schedules.ts';
import type { Store } from '../stores/store.ts';
import { admitInput } from './births.ts';
import { inputOf } from './firing.ts';
import type { Registered } from './library.ts';
import type { Run } from './run.ts';
import {
  checkSpec,
  type KeptSpec,
  momentsOf,
  readSpec,
  type ScheduleSpec,
  specText,
} from './schedule-spec.ts';
import { validateInput } from './schema.ts';

/** Losing the race for one schedule this often in a row means that something is wrong. */
const TRIES_MAX = 100;
const PAGE = 200;

/** A schedule at one moment. */
export interface ScheduleView {
  readonly name: string;
  readonly flow: string;
  readonly status: 'active' | 'paused';
  /** When and with what; null if this version of the program cannot read it. */
  readonly spec: KeptSpec | null;
  /** The moment it fires for next; null while it is paused, or if it has none. */
  readonly nextAt: Instant | null;
  /** The last moment that it fired for. */
  readonly lastAt: Instant | null;
  /** Since when the spec is what it is: intervals are counted from here. */
  readonly since: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface SchedulesHouse {
  readonly store: Store;
  readonly limits: Limits;
  /** The newest version of a flow that is here; throws if there is none. */
  readonly find: (flow: string) => Registered;
  readonly start: (flow: string, input: Json, options: { key?: string }) => Promise<Run>;
  /** Something may be due sooner than was thought. */
  readonly ring: () => void;
  readonly assertOpen: () => void;
}

export class Schedules {
  readonly #house: SchedulesHouse;

  constructor(house: SchedulesHouse) {
    this.#house = house;
  }

  /** All there are, by name. */
  async list(): Promise<readonly ScheduleView[]> {
    this.#house.assertOpen();
    const views: ScheduleView[] = [];
    for (let after: string | null = null; ; ) {
      const rows: readonly ScheduleRow[] = await this.#house.store.schedules.list(after, PAGE);
      views.push(...rows.map(viewOf));
      if (rows.length < PAGE) return views;
      after = rows.at(-1)?.name ?? after;
    }
  }

  async get(name: string): Promise<Schedule | undefined> {
    this.#house.assertOpen();
    const row = await this.#house.store.schedules.get(name);
    return row && new Schedule(this.#house, name);
  }

  /** Has it be what the spec says, whether there is one or not. */
  async put(name: string, given: ScheduleSpec): Promise<Schedule> {
    this.#house.assertOpen();
    const { flow, spec } = await this.#check(name, given);
    const text = specText(spec);
    await alter(this.#house, name, (row, now) => {
      if (row?.flow === flow && row.spec === text) return refreshed(row, spec, now);
      // With the same times, what is due stays due: only what it starts is another.
      if (row !== undefined && sameTimes(row, spec)) return { ...row, flow, spec: text };
      const nextAt = row?.status === 'paused' ? null : momentsOf(spec, now).after(now);
      const { status = 'active', lastAt = null } = row ?? {};
      return { name, flow, spec: text, status, nextAt, lastAt, since: now };
    });
    return new Schedule(this.#house, name);
  }

  /** What would be refused at every moment is refused now. */
  async #check(name: string, given: ScheduleSpec): Promise<{ flow: string; spec: KeptSpec }> {
    const { limits, store, find } = this.#house;
    const checked = checkSpec(name, given);
    const flow = typeof given.flow === 'string' ? given.flow : given.flow.name;
    const { definition } = find(flow);
    const { input } = given;
    const kept = input === undefined ? {} : { input: admitInput(input, limits) };
    const spec = { ...checked, ...kept } as KeptSpec;
    if (momentsOf(spec, store.now()).after(store.now()) === null) {
      const message = `the schedule "${name}" never comes to anything: no day is like that`;
      throw new EngineError('schedule.invalid', message, { details: { schedule: name } });
    }
    const { schema } = definition;
    if (schema !== undefined) await validateInput(schema, inputOf(spec, name, store.now()));
    return { flow, spec };
  }
}

/** One schedule, as its owner sees it. */
export class Schedule {
  readonly name: string;
  readonly #house: SchedulesHouse;

  constructor(house: SchedulesHouse, name: string) {
    this.#house = house;
    this.name = name;
  }

  /** Everything that is true of it now. */
  async describe(): Promise<ScheduleView> {
    return viewOf(await this.#row());
  }

  /** The moment it fires for next; null while it is paused, or if it has none. */
  async next(): Promise<Instant | null> {
    return (await this.#row()).nextAt;
  }

  /** Nothing fires from here on; what is being fired just now may still start. */
  async pause(): Promise<void> {
    await this.#alter((row) => {
      return row.status === 'paused' ? null : { ...row, status: 'paused', nextAt: null };
    });
  }

  /** Goes on with the next moment from now: what a pause has missed is not caught up with. */
  async resume(): Promise<void> {
    await this.#alter((row, now) => {
      if (row.status === 'active') return null;
      const nextAt = momentsOf(specOf(row), row.since).after(now);
      return { ...row, status: 'active', nextAt };
    });
  }

  /** Starts one instance now, whatever time it is; its own moments stay what they are. */
  async trigger(): Promise<Run> {
    const row = await this.#row();
    const { start, store } = this.#house;
    const spec = specOf(row);
    const options = spec.key === undefined ? {} : { key: spec.key };
    return start(row.flow, inputOf(spec, this.name, store.now()), options);
  }

  /** What it has started goes on. */
  async remove(): Promise<void> {
    this.#house.assertOpen();
    await this.#house.store.schedules.remove(this.name);
  }

  async #alter(change: (row: ScheduleRow, now: Instant) => NewSchedule | null): Promise<void> {
    this.#house.assertOpen();
    await alter(this.#house, this.name, (row, now) => {
      if (row === undefined) throw notFound(this.name);
      return change(row, now);
    });
  }

  async #row(): Promise<ScheduleRow> {
    this.#house.assertOpen();
    const row = await this.#house.store.schedules.get(this.name);
    if (row === undefined) throw notFound(this.name);
    return row;
  }
}

/** Looks and writes until nobody came in between; null leaves it as it is. */
async function alter(
  { store, ring }: SchedulesHouse,
  name: string,
  change: (row: ScheduleRow | undefined, now: Instant) => NewSchedule | null,
): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const row = await store.schedules.get(name);
    const changed = change(row, store.now());
    if (changed === null) return;
    if (!(await store.schedules.put(changed, row?.version ?? null))) continue;
    return ring();
  }
  const message = `gave up after losing the race for schedule "${name}" ${TRIES_MAX} times`;
  throw new EngineError('store.unreachable', message, { retryable: true });
}

/**
 * The same spec again. What it comes to may have changed all the same: the rules of a time zone
 * do, and come with the program. What is due already is left to whoever catches up with it.
 */
function refreshed(row: ScheduleRow, spec: KeptSpec, now: Instant): NewSchedule | null {
  const { status, nextAt, lastAt, since } = row;
  if (status === 'paused' || (nextAt !== null && nextAt <= now)) return null;
  const next = momentsOf(spec, since).after(Math.max(now, lastAt ?? now));
  return next === nextAt ? null : { ...row, nextAt: next };
}

/** Whether it fires at the same moments as what is kept. */
function sameTimes(row: ScheduleRow, spec: KeptSpec): boolean {
  const kept = readSpec(row.spec);
  return kept.ok && timesIn(kept.value) === timesIn(spec);
}

function timesIn(spec: KeptSpec): string {
  return 'every' in spec ? `every ${spec.every}` : `${spec.timezone} ${spec.cron}`;
}

function specOf({ name, spec }: ScheduleRow): KeptSpec {
  const read = readSpec(spec);
  if (read.ok) return read.value;
  const message = `the schedule "${name}" cannot be read here: ${read.problem}`;
  throw new EngineError('schedule.invalid', message, { details: { schedule: name } });
}

function viewOf(row: ScheduleRow): ScheduleView {
  const { name, flow, status, nextAt, lastAt, since, createdAt, updatedAt } = row;
  const read = readSpec(row.spec);
  const spec = read.ok ? read.value : null;
  return { name, flow, status, spec, nextAt, lastAt, since, createdAt, updatedAt };
}

function notFound(name: string): EngineError {
  const message = `there is no schedule "${name}"; make it with engine.schedule`;
  return new EngineError('schedule.not-found', message, { details: { schedule: name } });
}
