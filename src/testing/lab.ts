/**
 * An engine on a virtual clock and on each of the stores in turn: what must hold on all of them is
 * written once. A lab can kill its worker and go on with another, as a restart does.
 */
import { afterAll, afterEach, describe } from 'vitest';
import type { Duration } from '../base/duration.ts';
import type { Json } from '../base/json.ts';
import type { Target } from '../calls/target.ts';
import type { CustomKind } from '../model/custom-kind.ts';
import type { Flow } from '../model/definition.ts';
import type { Limits } from '../model/limits.ts';
import { Engine } from '../runtime/engine.ts';
import type { Handlers } from '../runtime/shared-handlers.ts';
import type { OutboxOptions } from '../runtime/outbox-options.ts';
import { durationOf } from '../runtime/durations.ts';
import type { Run } from '../runtime/run.ts';
import { memory } from '../stores/memory/memory.ts';
import type { Store } from '../stores/store.ts';
import { type Chaos, chaosStore } from './chaos-store.ts';
import { Driver } from './driver.ts';
import { SharedPostgres } from './postgres-shared.ts';
import { SharedSqlite } from './sqlite-shared.ts';
import { settled } from './stage.ts';
import { VirtualAlarm } from './virtual-alarm.ts';
import { Notebook } from './world.ts';
import { type Around, guardedStore, wrappedStore } from './wrapped-store.ts';

export interface LabOptions {
  readonly chaos?: Chaos;
  readonly limits?: Partial<Limits>;
  readonly concurrency?: number;
  /** By default so long that nothing is found by it. */
  readonly poll?: Duration;
  readonly handlers?: Handlers;
  readonly kinds?: readonly CustomKind[];
  readonly outbox?: Target | OutboxOptions;
  /** What stands between the engine and its store. */
  readonly around?: Around;
}

const LEASE_MS = 10_000;
const LEASE_MS_IN_CHAOS = 1;
const MOMENTS_MAX = 100_000;

/** Everything a table or a view of the database shows; null where there is no database. */
type Peek = (table: string) => Promise<readonly object[]> | null;

export class Lab {
  readonly engine: Engine;
  readonly store: Store;
  /** What another program would see in the database. */
  readonly peek: Peek;
  readonly log: Notebook = new Notebook();
  readonly #clock: VirtualAlarm;
  readonly #driver: Driver;
  readonly #traffic: Traffic;

  constructor(
    { store, peek }: { readonly store: Store; readonly peek: Peek },
    clock: VirtualAlarm,
    flows: readonly Flow[],
    options: LabOptions,
  ) {
    const { chaos = {}, limits = {}, concurrency = 64, handlers = {}, around } = options;
    const { poll = '1d' } = options;
    const crashes = chaos.crashAfterEveryCommit === true;
    this.store = store;
    this.peek = peek;
    this.#clock = clock;
    this.#traffic = new Traffic(store);
    const watched = this.#traffic.store;
    const guarded = around === undefined ? watched : guardedStore(watched, around);
    this.engine = new Engine(
      {
        store: chaosStore(guarded, chaos, () => this.engine.restartWorker()),
        flows,
        kinds: options.kinds ?? [],
        handlers,
        ...(options.outbox === undefined ? {} : { outbox: options.outbox }),
        logger: this.log,
        worker: { lease: crashes ? LEASE_MS_IN_CHAOS : LEASE_MS, poll, concurrency },
        limits: crashes ? { CRASHES_MAX: 1_000_000, ...limits } : limits,
      },
      clock,
    );
    const lease = crashes ? { leaseMs: LEASE_MS_IN_CHAOS } : {};
    this.#driver = new Driver(this.engine, store, clock, { momentsMax: MOMENTS_MAX, ...lease });
  }

  get now(): number {
    return this.#clock.now;
  }

  async settle(): Promise<void> {
    await this.#driver.settle();
  }

  async advance(duration: Duration): Promise<void> {
    await this.#driver.advance(durationOf(duration));
  }

  /** Time passes in one jump while handlers are at work, and whatever follows from it happens. */
  async tick(duration: Duration): Promise<void> {
    await this.#traffic.settled();
    this.#clock.moveTo(this.#clock.now + durationOf(duration));
    this.engine.parts.worker?.ring();
    this.engine.parts.worker?.ringLetters();
    await this.#traffic.settled();
  }

  /** The same, and nobody is rung: only what the engine has set its alarms for happens. */
  async pass(duration: Duration): Promise<void> {
    await this.#traffic.settled();
    this.#clock.moveTo(this.#clock.now + durationOf(duration));
    await this.#traffic.settled();
  }

  /** Whatever handlers are still at work are left to themselves. */
  async close(): Promise<void> {
    this.engine.parts.worker?.abandon();
    await this.engine.close();
  }

  /** Another program on the same database and clock. It is closed, if at all, by the test. */
  async beside(flows: readonly Flow[], options: LabOptions = {}): Promise<Lab> {
    const nothing = async (): Promise<void> => {};
    const store = wrappedStore(this.store, { open: nothing, close: nothing });
    const lab = new Lab({ store, peek: this.peek }, this.#clock, flows, options);
    await lab.engine.open();
    return lab;
  }

  /** The worker dies and gives nothing back; another one takes its place. */
  crash(): void {
    this.engine.restartWorker();
  }
}

/** What the engine asks of its store: while something is on its way, something may still follow. */
class Traffic {
  readonly store: Store;
  #begun = 0;
  #ended = 0;

  constructor(store: Store) {
    this.store = guardedStore(store, async (_, call) => {
      this.#begun += 1;
      try {
        return await call();
      } finally {
        this.#ended += 1;
      }
    });
  }

  /** Nothing is on its way any more, and nothing follows from what was. */
  async settled(): Promise<void> {
    for (let begun = -1; begun !== this.#begun || this.#ended !== begun; ) {
      begun = this.#begun;
      await settled();
    }
  }
}

export type OpenLab = (flows: readonly Flow[], options?: LabOptions) => Promise<Lab>;

export interface Begun {
  readonly lab: Lab;
  readonly run: Run;
}

/** One instance of a flow, as far as it gets within some time. */
export async function begin(
  open: OpenLab,
  flow: Flow,
  options: LabOptions & { input?: Json; key?: string; for?: Duration } = {},
): Promise<Begun> {
  const { input = null, key, for: time = 0, ...rest } = options;
  const lab = await open([flow], rest);
  const run = await lab.engine.start(flow, input as never, key === undefined ? {} : { key });
  await lab.advance(time);
  return { lab, run };
}

/** The same in one jump, while its handlers may be at work. */
export async function beginAtWork(open: OpenLab, flow: Flow, time: Duration): Promise<Begun> {
  const lab = await open([flow]);
  const run = await lab.engine.start(flow, null as never);
  await lab.tick(time);
  return { lab, run };
}

export type StoreName = 'memory' | 'SQLite' | 'Postgres';

/** Describes something once for every store. */
export function onEveryStore(what: string, tests: (open: OpenLab, name: StoreName) => void): void {
  describe.each<StoreName>(['memory', 'SQLite', 'Postgres'])(`${what}, on %s`, (name) => {
    const shared = databaseOf(name);
    const labs: Lab[] = [];
    afterEach(async () => {
      for (const lab of labs.splice(0)) await lab.close();
    });
    afterAll(() => shared?.close());
    const open: OpenLab = async (flows, options = {}) => {
      const clock = new VirtualAlarm(Date.UTC(2026, 0));
      const now = (): number => clock.now;
      const store = shared?.storeFor(now) ?? memory({ clock: now });
      const peek: Peek = (table) => shared?.rowsOf(table) ?? null;
      const lab = new Lab({ store, peek }, clock, flows, options);
      labs.push(lab);
      await lab.engine.open();
      return lab;
    };
    tests(open, name);
  });
}

function databaseOf(name: StoreName): SharedPostgres | SharedSqlite | null {
  if (name === 'memory') return null;
  return name === 'Postgres' ? new SharedPostgres() : new SharedSqlite();
}
