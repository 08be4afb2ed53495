/**
 * The test kit: a whole engine in memory, on a clock that only the test moves. Ready at once, any
 * number side by side.
 */
import type { Duration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import { compile } from '../compile/compile.ts';
import type { Flow } from '../model/definition.ts';
import type { InstanceId, NodeId } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import { kinds } from '../nodes/index.ts';
import { Engine } from '../runtime/engine.ts';
import type { HandlerContext } from '../runtime/handlers.ts';
import type { Logger } from '../runtime/logger.ts';
import { durationOf } from '../runtime/run.ts';
import { memory, type MemoryStore } from '../stores/memory/memory.ts';
import type { Store } from '../stores/store.ts';
import { type Chaos, chaosStore } from './chaos-store.ts';
import { VirtualAlarm } from './virtual-alarm.ts';

export interface TestEngineOptions {
  readonly flows: readonly Flow[];
  readonly chaos?: Chaos;
  readonly limits?: Partial<Limits>;
  readonly logger?: Logger;
  /** The moment the virtual clock begins at; by default 2026-01-01. */
  readonly now?: number;
  /** How many moments one `advance` may stop at; past them a flow wakes itself for ever. */
  readonly momentsMax?: number;
}

const LEASE_MS = 10_000;
/** A crash leaves claims behind. So short a lease lets recovery pass without waking any sleeper. */
const LEASE_MS_IN_CHAOS = 1;
/** A week of seconds, and some. */
const MOMENTS_MAX = 1_000_000;

export function createTestEngine(options: TestEngineOptions): TestEngine {
  return new TestEngine(options);
}

export class TestEngine {
  readonly engine: Engine;
  readonly #store: MemoryStore;
  readonly #alarm: VirtualAlarm;
  readonly #hidden: ReadonlySet<string>;
  readonly #opened: Promise<void>;
  readonly #crashes: boolean;
  readonly #momentsMax: number;

  constructor(options: TestEngineOptions) {
    const { flows, chaos = {}, limits, logger, now = Date.UTC(2026, 0) } = options;
    this.#momentsMax = options.momentsMax ?? MOMENTS_MAX;
    this.#alarm = new VirtualAlarm(now);
    this.#store = memory({ clock: () => this.#alarm.now });
    this.#crashes = chaos.crashAfterEveryCommit === true;
    const store: Store = chaosStore(this.#store, chaos, () => this.engine.restartWorker());
    this.#hidden = hiddenNodes(flows);
    // A crash loses the leases of everything in flight, so in chaos many are no sign of poison.
    const patient = this.#crashes ? { CRASHES_MAX: 1_000_000 } : {};
    const worker = { lease: this.#crashes ? LEASE_MS_IN_CHAOS : LEASE_MS, poll: '1d' };
    const engine = { store, flows, worker, limits: { ...patient, ...limits } };
    this.engine = new Engine(logger === undefined ? engine : { ...engine, logger }, this.#alarm);
    this.#opened = this.engine.open();
  }

  /** The virtual clock. */
  get now(): number {
    return this.#alarm.now;
  }

  /** As the engine's own, and it need not be open yet. */
  readonly start: Engine['start'] = async (flow, input, options) => {
    await this.#opened;
    return this.engine.start(flow, input, options);
  };

  /** Runs everything that can run without time passing. */
  async runUntilIdle(): Promise<void> {
    await this.#opened;
    for (;;) {
      const { worker } = this.engine.parts;
      worker?.ring();
      await worker?.quiet();
      if (this.engine.parts.worker !== worker) continue;
      if (!this.#crashes) return;
      // The claims of a dead worker stand until their leases are over.
      const next = await this.#nextDue();
      if (next === undefined || next > this.#alarm.now + LEASE_MS_IN_CHAOS + 1) return;
      this.#alarm.moveTo(next);
    }
  }

  /** Lets time pass, stopping at every moment something is due, as long as real time would. */
  async advance(duration: Duration): Promise<void> {
    const until = this.#alarm.now + durationOf(duration);
    for (let moments = 0; ; moments += 1) {
      await this.runUntilIdle();
      const next = await this.#nextDue();
      if (next === undefined || next > until) break;
      if (moments >= this.#momentsMax) {
        throw new Error(`still awake after ${moments} moments (momentsMax)`);
      }
      this.#alarm.moveTo(next);
    }
    this.#alarm.moveTo(until);
    await this.runUntilIdle();
  }

  /** Puts another function in the place of a step's handler, by its name or as `flow/step`. */
  mock(step: string, handler: (context: HandlerContext) => unknown): void {
    const { library } = this.engine.parts;
    const names = library.handlerNames().filter((name) => {
      const [flow = '', node] = name.split('/');
      return node === step || `${flow.split('@')[0]}/${node}` === step;
    });
    if (names.length === 0) {
      const known = library.handlerNames().map((name) => name.split('/')[1]);
      const message = `there is no step "${step}" to mock; the steps are ${known.join(', ')}`;
      throw new EngineError('definition.not-found', message);
    }
    for (const name of names) library.replaceHandler(name, handler);
  }

  /** The names of the nodes an instance went through, in the order it came to them. */
  path(id: string): readonly string[] {
    const nodes: NodeId[] = [];
    for (const { changes } of this.#store.historyNow(id as InstanceId)) {
      for (const change of changes) {
        if (change.did === 'birth-token') nodes.push(change.token.node);
      }
    }
    return nodes.filter((node) => !this.#hidden.has(node));
  }

  async close(): Promise<void> {
    await this.#opened;
    await this.engine.close();
  }

  #nextDue(): Promise<number | undefined> {
    return this.#store.nextDue(this.engine.parts.library.claimable());
  }
}

function hiddenNodes(flows: readonly Flow[]): ReadonlySet<string> {
  const plans = flows.map(({ definition }) => compile(definition.draft, kinds));
  const nodes = plans.flatMap((plan) => (plan.ok ? [...plan.value.nodes.values()] : []));
  return new Set(nodes.filter(({ hidden }) => hidden).map(({ id }) => id));
}
