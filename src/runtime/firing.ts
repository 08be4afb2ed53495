/**
 * Schedules that are due, as instances: one for each moment, whoever finds it and however often.
 *
 * The id of the instance is made of the schedule's name and the moment. So two workers that find
 * the same moment, or one that dies after it has started the instance and before it could say so,
 * start one: the second finds that it is there. Only then the schedule is moved on, by whoever saw
 * the version of it that it still has.
 */
import type { Json } from '../base/json.ts';
import { childId } from '../kernel/child-id.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Among, ScheduleRow } from '../stores/schedules.ts';
import { checkInput } from './admission.ts';
import { begin } from './beginning.ts';
import { birthOf } from './births.ts';
import { dueMoments } from './due-moments.ts';
import type { Registered } from './library.ts';
import { isBusy, isRetryable } from './move.ts';
import { type KeptSpec, momentsOf, readSpec } from './schedule-spec.ts';
import type { Worker, WorkerHouse } from './worker.ts';

/** Schedules looked at together. */
const BATCH = 100;
/** Moments of one schedule that are fired together; the others follow at once. */
const MOMENTS_MAX = 100;
/** How long a schedule whose spec cannot be read is left alone here. */
const ASIDE_MS = 60_000;

export class Firing {
  readonly #house: WorkerHouse;
  readonly #worker: Worker;
  /** Those that cannot be read here, and until when they are left alone. */
  readonly #aside = new Map<string, number>();

  constructor(house: WorkerHouse, worker: Worker) {
    this.#house = house;
    this.#worker = worker;
  }

  /** True if a schedule was moved on, here or elsewhere, so that looking again is worth it. */
  async fire(): Promise<boolean> {
    const { store } = this.#house;
    const rows = await store.schedules.due(this.among(), BATCH);
    const done = await Promise.allSettled(rows.map((row) => this.#fire(row)));
    // What the store could not do now is tried again with everything else that it could not.
    for (const each of done) if (each.status === 'rejected') throw each.reason;
    return done.some((each) => each.status === 'fulfilled' && each.value);
  }

  /** What can be fired here. */
  among(): Among {
    const { library, store } = this.#house;
    const now = store.now();
    for (const [name, until] of this.#aside) if (until <= now) this.#aside.delete(name);
    return { flows: library.flowNames(), without: [...this.#aside.keys()] };
  }

  async #fire(row: ScheduleRow): Promise<boolean> {
    const { store, logger, limits } = this.#house;
    const { name, nextAt, lastAt, version, since } = row;
    if (nextAt === null) return false;
    // It is due by the store's own clock, of which this process may be a little behind.
    const now = Math.max(store.now(), nextAt);
    const spec = readSpec(row.spec);
    if (!spec.ok) {
      // Another process may be able to: the row is left as it is.
      this.#aside.set(name, now + ASIDE_MS);
      logger.error({ schedule: name, error: spec.problem }, 'a schedule cannot be read here');
      return true;
    }
    const grid = momentsOf(spec.value, since);
    const due = dueMoments(spec.value.catchUp, grid, { from: nextAt, now }, limits);
    const moments = due.moments.slice(0, MOMENTS_MAX);
    if (due.leftOutFrom !== null) this.#sayLeftOut(name, due.leftOutFrom, moments[0] ?? nextAt);
    if (!(await this.#startAll(row, spec.value, moments))) return false;
    const next = due.moments[MOMENTS_MAX] ?? grid.after(now);
    const last = moments.at(-1) ?? lastAt;
    await store.schedules.advance(name, version, { nextAt: next, lastAt: last });
    return true;
  }

  #sayLeftOut(schedule: string, from: Instant, until: Instant): void {
    const { SCHEDULE_CATCH_UP_MAX } = this.#house.limits;
    const details = { schedule, from: isoOf(from), until: isoOf(until), SCHEDULE_CATCH_UP_MAX };
    this.#house.logger.warn(details, 'a schedule has missed more than it catches up with');
  }

  /** False if one of them has to wait for someone else. */
  async #startAll(row: ScheduleRow, spec: KeptSpec, moments: readonly Instant[]): Promise<boolean> {
    const registered = this.#house.library.latest(row.flow);
    if (registered === undefined || this.#worker.dead) return false;
    const started = moments.map((at) => this.#start(registered, row.name, spec, at));
    return (await Promise.all(started)).every(Boolean);
  }

  /** A moment whose instance cannot be started passes: the next one must not wait for it (P12). */
  async #start(
    registered: Registered,
    schedule: string,
    spec: KeptSpec,
    at: Instant,
  ): Promise<boolean> {
    const { logger } = this.#house;
    const details = { schedule, at: isoOf(at) };
    try {
      const problem = await this.#tryStart(registered, schedule, spec, at);
      if (problem !== null) logger.warn({ ...details, problem }, 'a schedule started nothing');
    } catch (thrown) {
      if (isBusy(thrown)) return false;
      if (isRetryable(thrown)) throw thrown;
      logger.error({ ...details, error: String(thrown) }, 'a schedule could not start its flow');
    }
    return true;
  }

  async #tryStart(
    registered: Registered,
    schedule: string,
    spec: KeptSpec,
    at: Instant,
  ): Promise<string | null> {
    const input = await checkInput(this.#house, registered, inputOf(spec, schedule, at));
    if (!input.ok) return input.problem;
    const instance = momentId(schedule, at);
    const options = spec.key === undefined ? {} : { key: spec.key };
    const birth = birthOf(registered, instance, input.value, options);
    const applied = await begin(this.#house, this.#worker, registered, birth);
    if (applied.outcome !== 'exists' || applied.instance === instance) return null;
    return `instance ${applied.instance} has the key "${spec.key}" and is still open`;
  }
}

/** What the flow is given at a moment. */
export function inputOf({ input }: KeptSpec, schedule: string, at: Instant): Json {
  return input === undefined ? { schedule, at: isoOf(at) } : input;
}

/** The same for everyone who fires it, and no other's. */
function momentId(schedule: string, at: Instant): InstanceId {
  return childId(`schedule ${at} ${schedule}`, at);
}

function isoOf(at: Instant): string {
  return new Date(at).toISOString();
}
