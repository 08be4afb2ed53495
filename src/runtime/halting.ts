/**
 * Whole flows that are suspended (S-69). What is said is kept in the store; making it so is done
 * instance by instance: by whoever said it, by every worker for those that begin meanwhile or
 * elsewhere, and before a step of such a flow is run.
 *
 * That it becomes so rests on one rule and on no order of events: the store knows which instances
 * are suspended with their flow, and tells everyone who looks that there are some. Whoever looks at
 * all of them compares each with what is said by then: what a word holds is suspended, and what no
 * word holds any more goes on, whoever suspended it and by whatever word. So a crash at any line, a
 * word that was taken back meanwhile and a start that was told of it too early leave nothing but
 * work for the next who looks. That something goes on is a word as well, until it is so: it says
 * who wanted it.
 *
 * The narrowest word counts: of an instance before a version, of a version before its flow, of a
 * flow before all of them. An instance that was resumed by its own name stays so until its flow is
 * suspended anew, and one that was suspended by its own name stays so when its flow goes on.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Acting } from '../model/action.ts';
import type { Act } from '../model/change.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import {
  EVERY_FLOW,
  type Halt,
  haltFor,
  type HaltScope,
  type HeldInstance,
} from '../stores/halts.ts';
import type { FindRequest, Found, ShownStatus } from '../stores/instances.ts';
import type { Store } from '../stores/store.ts';
import { type Alarm, orAfter } from './alarm.ts';
import { move, type MoveHouse } from './move.ts';

/** Instances that are told at the same time, and that are looked at for as many. */
export const PAGE = 200;
const WALK = 10_000;
/** Those that are only counted, in one go. */
const COUNTED = 1_000;
/** Whoever changes their mind more often than this while others walk is left to the workers. */
const WALKS_MAX = 100;

export interface HaltingHouse extends MoveHouse {
  readonly store: Store;
  readonly alarm: Alarm;
  /** Whether somebody here hears what others say. */
  readonly hasWorker: boolean;
}

/** What came of it, whoever did it: this call, or a worker that heard of it meanwhile. */
export interface Reconciled {
  /** How many instances are suspended with their flow now, of those that were named. */
  readonly suspended: number;
  /** How many of them were before, and go on. */
  readonly resumed: number;
}

const GOING: readonly ShownStatus[] = ['running', 'waiting', 'compensating'];

/** How often a worker looks for instances that began although their flow is suspended. */
const LOOK_MS = 5_000;
/** And how often it looks at all of them, and not only at the newest. */
const LOOK_ALL_MS = 60_000;
/** The newest that are looked at in between. */
const NEWEST = 1_000;
/** What is said elsewhere is heard of after so long: at the next look, or where none is taken. */
const HEARD_MS = 1_000;

export class Halting {
  readonly #house: HaltingHouse;
  #halts: readonly Halt[] = [];
  #heardAt = Number.NEGATIVE_INFINITY;
  #lookAt = 0;
  #lookAllAt = 0;
  /** What was said when all of them were last looked at; null if that never was. */
  #madeTrue: string | null = null;
  /** Until whoever walks here is done. */
  #walking: Promise<unknown> | null = null;
  #closed = false;

  constructor(house: HaltingHouse) {
    this.#house = house;
  }

  /** As far as this process knows. */
  isHalted(flow: string, version: number): boolean {
    if (this.#halts.length === 0) return false;
    return haltFor(this.#halts, flow, version)?.suspended === true;
  }

  /** Asks the store if this process may know it wrongly: what begins suspended is to be so. */
  async confirmed(flow: string, version: number): Promise<boolean> {
    const mayHaveMissed = !this.#house.hasWorker && this.#isOld();
    if (mayHaveMissed || this.isHalted(flow, version)) await this.list();
    return this.isHalted(flow, version);
  }

  async list(): Promise<readonly Halt[]> {
    this.#halts = await this.#house.store.halts.list();
    this.#heardAt = this.#house.store.now();
    return this.#halts;
  }

  /** Suspends one that was claimed although its flow is; false if it may go on. */
  async hold(id: InstanceId, flow: string, version: number): Promise<boolean> {
    if (!(await this.confirmed(flow, version))) return false;
    const halt = haltFor(this.#halts, flow, version);
    if (halt?.suspended !== true) return false;
    if ((await this.#tell(id, (at) => suspending(at, halt))) === 'moved') return true;
    // Either it was resumed by its own name, or somebody else has just suspended it.
    const [rows] = await this.#house.store.load([id]);
    return rows?.head.status === 'suspended';
  }

  /**
   * The store has told whether anything is said, or anyone is suspended because it was. If so, it
   * is heard at once, and made true beside everything else.
   */
  async note(hasAny: boolean): Promise<void> {
    if (this.#closed || (!hasAny && this.#halts.length === 0)) return;
    if (this.#isOld()) await this.list();
    const now = this.#house.store.now();
    if (!isTime(this.#lookAt, now, LOOK_MS) || this.#walking !== null) return;
    this.#lookAt = now + LOOK_MS;
    this.#alone(() => this.#look()).catch((thrown: unknown) => {
      const details = { error: String(thrown) };
      this.#house.logger.warn(details, 'flows that are suspended were not all looked at');
    });
  }

  /** Nothing more is looked at: whoever walks here stops after those that are being told. */
  stop(): void {
    this.#closed = true;
  }

  /** Until nobody walks here any more, but not for ever: the store may not answer. */
  async close(timeoutMs: number): Promise<void> {
    this.stop();
    if (this.#walking === null || timeoutMs <= 0) return;
    await orAfter(this.#house.alarm, timeoutMs, this.#walked());
  }

  async suspend(scope: HaltScope, acting: Acting): Promise<Reconciled> {
    const suspended = await this.#change(scope, true, acting);
    return { suspended, resumed: 0 };
  }

  /** Where something wider is suspended, this goes on all the same. */
  async resume(scope: HaltScope, acting: Acting): Promise<Reconciled> {
    const before = await this.#count(scope);
    const suspended = await this.#change(scope, false, acting);
    return { suspended, resumed: Math.max(before - suspended, 0) };
  }

  /** How many are suspended in the end. */
  async #change(scope: HaltScope, suspended: boolean, acting: Acting): Promise<number> {
    const { flow, version } = scope;
    const { actor, reason } = acting;
    const said = { flow, version, suspended, by: actor ?? null, why: reason ?? null };
    await this.#house.store.halts.put(said);
    await this.#alone(() => this.#makeTrue(flow === EVERY_FLOW ? null : flow));
    if (!this.#closed) return this.#count(scope);
    const message = 'the engine closed while they were told: a worker will tell the rest';
    throw new EngineError('engine.closed', message, { details: { said } });
  }

  #isOld(): boolean {
    return isTime(this.#heardAt + HEARD_MS, this.#house.store.now(), HEARD_MS);
  }

  /** Two walks at once would do the same twice: here, whoever comes second waits. */
  async #alone(walk: () => Promise<void>): Promise<void> {
    await this.#walked();
    const walked = walk();
    this.#walking = Promise.allSettled([walked]).then(() => {
      this.#walking = null;
    });
    await walked;
  }

  async #walked(): Promise<void> {
    while (this.#walking !== null) await this.#walking;
  }

  async #look(): Promise<void> {
    const halts = await this.list();
    const isKnown = textOf(halts, null) === this.#madeTrue;
    const isTimeForAll = isTime(this.#lookAllAt, this.#house.store.now(), LOOK_ALL_MS);
    if (isKnown && !isTimeForAll) return this.#lookAtNewest(halts);
    await this.#makeTrue(null);
  }

  async #lookAtNewest(halts: readonly Halt[]): Promise<void> {
    if (!halts.some(({ suspended }) => suspended)) return;
    const request = { ...going(null, null), walk: NEWEST };
    await this.#suspendThose(halts, (await this.#house.store.instances.find(request)).instances);
  }

  /**
   * Makes it so for every open instance, or for those of one flow. If something else is said
   * meanwhile, it begins anew: in the end what is said is what was made true.
   */
  async #makeTrue(flow: string | null): Promise<void> {
    for (let walks = 0; walks < WALKS_MAX && !this.#closed; walks += 1) {
      const halts = await this.list();
      if (!(await this.#suspendAll(halts, flow))) continue;
      if (!(await this.#resumeAll(halts, flow))) continue;
      const left = await this.#forget(halts, flow);
      if (!(await this.#isSaid(left, flow))) continue;
      if (flow === null) {
        this.#madeTrue = textOf(left, null);
        this.#lookAllAt = this.#house.store.now() + LOOK_ALL_MS;
      }
      return;
    }
  }

  /** False if something else is said by now. */
  async #suspendAll(halts: readonly Halt[], flow: string | null): Promise<boolean> {
    if (!halts.some(({ suspended }) => suspended)) return true;
    for (let before: string | null = null; ; ) {
      const page: Found = await this.#house.store.instances.find(going(flow, before));
      await this.#suspendThose(halts, page.instances);
      if (page.next === null) return true;
      before = page.next;
      if (!(await this.#isSaid(halts, flow))) return false;
    }
  }

  async #suspendThose(halts: readonly Halt[], seen: readonly HeldInstance[]): Promise<void> {
    await this.#tellThose(seen, ({ flow, flowVersion }) => {
      const halt = haltFor(halts, flow, flowVersion);
      return halt?.suspended === true ? (at) => suspending(at, halt) : null;
    });
  }

  /** Those that no word holds; false if something else is said by now. */
  async #resumeAll(halts: readonly Halt[], flow: string | null): Promise<boolean> {
    for (let after: InstanceId | null = null; ; ) {
      const page: readonly HeldInstance[] = await this.#house.store.halts.held(after, PAGE);
      const meant = page.filter((held) => flow === null || held.flow === flow);
      await this.#tellThose(meant, (held) => {
        const halt = haltFor(halts, held.flow, held.flowVersion);
        return halt?.suspended === true ? null : (at) => resuming(at, halt);
      });
      after = page.at(-1)?.id ?? null;
      if (after === null || page.length < PAGE) return true;
      if (!(await this.#isSaid(halts, flow))) return false;
    }
  }

  /** What is said of a flow is what was said; nothing is once the engine closes. */
  async #isSaid(halts: readonly Halt[], flow: string | null): Promise<boolean> {
    return !this.#closed && textOf(await this.list(), flow) === textOf(halts, flow);
  }

  /** Null: there is nothing to tell this one. */
  async #tellThose(
    seen: readonly HeldInstance[],
    inputFor: (one: HeldInstance) => ((at: Instant) => Input) | null,
  ): Promise<void> {
    const told = seen.flatMap((one) => {
      const input = inputFor(one);
      return input === null ? [] : [{ id: one.id, input }];
    });
    await this.#house.strides.cache.foresee(told.map(({ id }) => id));
    await Promise.all(told.map(({ id, input }) => this.#tell(id, input)));
  }

  /** One that cannot take it must not keep the others from it (P12). */
  #tell(instance: InstanceId, input: (at: Instant) => Input): ReturnType<typeof move> {
    return move(this.#house, null, { instance, input });
  }

  /**
   * That a flow goes on need not be said any more where nothing wider is suspended: what is said
   * next of something wider is to count for it, too. What is left; unless somebody has just said
   * something else of the same, and then that stays.
   */
  async #forget(halts: readonly Halt[], flow: string | null): Promise<readonly Halt[]> {
    const left: Halt[] = [];
    for (const halt of halts) {
      const isHeld = halts.some((other) => other.suspended && isWider(other, halt));
      const isMeant = flow === null || halt.flow === flow;
      if (halt.suspended || isHeld || !isMeant) left.push(halt);
      else await this.#house.store.halts.remove(halt);
    }
    return left;
  }

  /** Of those that are meant, how many are suspended with their flow. */
  async #count({ flow, version }: HaltScope): Promise<number> {
    const isMeant = (held: HeldInstance): boolean =>
      (flow === EVERY_FLOW || held.flow === flow) &&
      (version === 0 || held.flowVersion === version);
    let count = 0;
    for (let after: InstanceId | null = null; ; ) {
      const page: readonly HeldInstance[] = await this.#house.store.halts.held(after, COUNTED);
      count += page.filter(isMeant).length;
      after = page.at(-1)?.id ?? null;
      if (after === null || page.length < COUNTED) return count;
    }
  }
}

/** A clock that was set back is no reason to wait for longer. */
function isTime(at: number, now: number, everyMs: number): boolean {
  return now >= at || at - now > everyMs;
}

function isWider(one: HaltScope, than: HaltScope): boolean {
  if (one.flow === EVERY_FLOW) return than.flow !== EVERY_FLOW;
  return one.flow === than.flow && one.version === 0 && than.version !== 0;
}

/** What is said, as far as it matters to a flow: to be compared. */
function textOf(halts: readonly Halt[], flow: string | null): string {
  const matters = halts.filter((halt) => {
    return flow === null || halt.flow === flow || halt.flow === EVERY_FLOW;
  });
  return JSON.stringify(matters);
}

export function suspending(at: Instant, halt: Halt): Input {
  return { type: 'suspend', at, haltedAt: halt.at, act: actBy('suspend', halt) };
}

/** If nothing is said any more, nobody in particular wanted it. */
export function resuming(at: Instant, halt: Halt | undefined): Input {
  return { type: 'resume', at, halt: true, act: actBy('resume', halt) };
}

function actBy(verb: 'suspend' | 'resume', halt: Halt | undefined): Act {
  const { by = null, why = null } = halt ?? {};
  return { verb, by, ...(why === null ? {} : { why }) };
}

/** Those that are open and not suspended. */
export function going(flow: string | null, before: string | null): FindRequest {
  return {
    ...{ flow, version: null, statuses: GOING, stalled: false, key: null, tenant: null },
    ...{ parent: null, created: EVER, ended: EVER, fault: null, attributes: [], before },
    ...{ limit: PAGE, walk: WALK },
  };
}

const EVER = { from: null, to: null };
