/**
 * The test kit: a whole engine in memory, on a clock that only the test moves. Ready at once, any
 * number side by side.
 */
import type { Duration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import type { Target } from '../calls/target.ts';
import { compile } from '../compile/compile.ts';
import type { Change } from '../model/change.ts';
import type { Flow } from '../model/definition.ts';
import type { InstanceId, NodeId, TokenId } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import { UNDO } from '../kernel/sagas.ts';
import type { Kinds } from '../kernel/kind.ts';
import type { CustomKind } from '../model/custom-kind.ts';
import { Engine } from '../runtime/engine.ts';
import type { Handler, HandlerContext } from '../runtime/handlers.ts';
import type { ChainStep } from '../runtime/links.ts';
import type { Handlers } from '../runtime/shared-handlers.ts';
import { STEP_FAILED } from '../runtime/handler-log.ts';
import { type Logger, stderrLogger } from '../runtime/logger.ts';
import type { OutboxOptions } from '../runtime/outbox-options.ts';
import { durationOf } from '../runtime/durations.ts';
import { checkFields, told, wrong } from '../runtime/fields.ts';
import type { HostOptions } from '../runtime/serverless/options.ts';
import { memory, type MemoryStore } from '../stores/memory/memory.ts';
import type { Store } from '../stores/store.ts';
import { type Chaos, chaosStore } from './chaos-store.ts';
import { Driver } from './driver.ts';
import { noDatabase } from './no-database.ts';
import { VirtualAlarm } from './virtual-alarm.ts';

export interface TestEngineOptions extends HostOptions {
  readonly flows: readonly Flow[];
  /** Kinds of nodes that flows name by text. */
  readonly kinds?: readonly CustomKind[];
  /** Handlers of chains, by step type or as `chain/step`. */
  readonly handlers?: Handlers;
  /** Where events for the world outside go. */
  readonly outbox?: Target | OutboxOptions;
  readonly chaos?: Chaos;
  readonly limits?: Partial<Limits>;
  readonly logger?: Logger;
  /** The moment the virtual clock begins at; by default 2026-01-01. */
  readonly now?: number;
  /** How many moments one `advance` may stop at; past them a flow wakes itself for ever. */
  readonly momentsMax?: number;
}

const FIELDS: readonly (keyof TestEngineOptions)[] = [
  ...(['flows', 'kinds', 'handlers', 'outbox', 'chaos', 'limits', 'logger', 'now'] as const),
  ...(['momentsMax', 'http', 'secrets', 'serverless'] as const),
];
const CHAOS: readonly (keyof Chaos)[] = ['crashAfterEveryCommit', 'duplicateDeliveries'];
const LEASE_MS = 10_000;
/** A crash leaves claims behind. So short a lease lets recovery pass without waking any sleeper. */
const LEASE_MS_IN_CHAOS = 1;
/** A week of seconds, and some. */
const MOMENTS_MAX = 1_000_000;

/** Steps fail in tests because they are to: who wants to read of it gives a logger. */
const CALM: Logger = {
  ...stderrLogger,
  warn: (details, message) => {
    if (message !== STEP_FAILED) stderrLogger.warn(details, message);
  },
};

export function createTestEngine(options: TestEngineOptions): TestEngine {
  return new TestEngine(options);
}

export class TestEngine {
  readonly engine: Engine;
  readonly #store: MemoryStore;
  readonly #alarm: VirtualAlarm;
  readonly #driver: Driver;
  readonly #hidden: ReadonlySet<string>;
  readonly #opened: Promise<void>;

  constructor(options: TestEngineOptions) {
    checkKit(options);
    const { flows, kinds = [], handlers = {}, chaos = {}, limits, logger } = options;
    const { now = Date.UTC(2026, 0) } = options;
    this.#alarm = new VirtualAlarm(now);
    this.#store = memory({ clock: () => this.#alarm.now });
    const crashes = chaos.crashAfterEveryCommit === true;
    const rough = chaosStore(this.#store, chaos, () => this.engine.restartWorker());
    const store: Store = noDatabase(rough);
    // A crash loses the leases of everything in flight, so in chaos many are no sign of poison.
    const patient = crashes ? { CRASHES_MAX: 1_000_000 } : {};
    const worker = { lease: crashes ? LEASE_MS_IN_CHAOS : LEASE_MS, poll: '1d' };
    const outside = options.outbox === undefined ? {} : { outbox: options.outbox };
    const engine = {
      store,
      flows,
      kinds,
      handlers,
      worker,
      limits: { ...patient, ...limits },
      ...outside,
      ...hostOf(options),
    };
    this.engine = new Engine({ ...engine, logger: logger ?? CALM }, this.#alarm);
    this.#hidden = hiddenNodes(flows, this.engine.parts.library.kinds.all);
    this.#driver = new Driver(this.engine, this.#store, this.#alarm, {
      momentsMax: options.momentsMax ?? MOMENTS_MAX,
      ...(crashes ? { leaseMs: LEASE_MS_IN_CHAOS } : {}),
    });
    this.#opened = this.engine.open();
  }

  /** The virtual clock. */
  get now(): number {
    return this.#alarm.now;
  }

  /** What it keeps everything in, to look into. */
  get store(): Store {
    return this.#store;
  }

  /** As the engine's own, and it need not be open yet. */
  readonly start: Engine['start'] = async (flow, input, options) => {
    await this.#opened;
    return this.engine.start(flow, input, options);
  };

  /** Runs everything that can run without time passing. */
  async runUntilIdle(): Promise<void> {
    await this.#opened;
    await this.#driver.settle();
  }

  /** Lets time pass, stopping at every moment something is due, as long as real time would. */
  async advance(duration: Duration): Promise<void> {
    await this.#opened;
    await this.#driver.advance(durationOf(duration));
  }

  /** Puts another function in the place of a step's handler, by its name or as `flow/step`. */
  mock(step: string, handler: (context: HandlerContext & ChainStep) => unknown): void {
    const { library } = this.engine.parts;
    const all = library.stepNames();
    const names = all.filter((name) => {
      const { flow, node } = partsOf(name);
      return node === step || `${flow}/${node}` === step;
    });
    if (names.length === 0) {
      const known = all.map((name) => partsOf(name).node);
      const message = `there is no step "${step}" to mock; the steps are ${known.join(', ')}`;
      throw new EngineError('definition.not-found', message);
    }
    for (const name of names) library.replaceHandler(name, handler as Handler);
  }

  /** The names of the nodes an instance went through, in the order it came to them. */
  path(id: string): readonly string[] {
    const nodes: NodeId[] = [];
    const inLine = new Map<TokenId, NodeId>();
    for (const { changes } of this.#store.historyNow(id as InstanceId)) {
      for (const change of changes) {
        const node = nodeIn(change, inLine);
        if (node !== undefined) nodes.push(node);
      }
    }
    return nodes.filter((node) => !this.#hidden.has(node));
  }

  async close(): Promise<void> {
    await this.#opened;
    await this.engine.close();
  }
}

/** What is the kit's own; the engine in it looks at the rest. */
function checkKit(options: TestEngineOptions): void {
  checkFields('createTestEngine', options, FIELDS);
  const { flows, chaos = {}, now = 0, momentsMax = 1 } = options;
  if (!Array.isArray(flows)) {
    throw wrong(`flows is a list, as [order, refund]; came ${told(flows)}`, 'flows');
  }
  checkFields('chaos', chaos, CHAOS);
  if (!Number.isSafeInteger(now)) {
    throw wrong(`now is a time in ms, as Date.UTC(2026, 0); came ${told(now)}`, 'now');
  }
  if (!Number.isSafeInteger(momentsMax) || momentsMax < 1) {
    throw wrong(`momentsMax is a whole number, 1 or more; came ${told(momentsMax)}`, 'momentsMax');
  }
}

/** What Serverless Workflows are given and allowed. */
function hostOf({ http, secrets, serverless }: HostOptions): HostOptions {
  return {
    ...(http === undefined ? {} : { http }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(serverless === undefined ? {} : { serverless }),
  };
}

/** The node an instance comes to by this change. A step in line is there when its turn comes. */
function nodeIn(change: Change, inLine: Map<TokenId, NodeId>): NodeId | undefined {
  if (change.did === 'activate-token') return inLine.get(change.token);
  if (change.did !== 'birth-token') return undefined;
  const { id, node, status, undoes, wait } = change.token;
  // It stands before an activity of a flowchart, and may never come to it.
  if (wait?.on === 'merge') return undefined;
  if (status !== 'created') return undoes === undefined ? node : ((node + UNDO) as NodeId);
  inLine.set(id, node);
  return undefined;
}

/** A handler's name is the flow, its version and the node: `order@1/pay`, `order@1/pay/:undo`. */
function partsOf(name: string): { flow: string; node: string } {
  const slash = name.indexOf('/');
  return { flow: name.slice(0, slash).split('@')[0] ?? '', node: name.slice(slash + 1) };
}

function hiddenNodes(flows: readonly Flow[], kinds: Kinds): ReadonlySet<string> {
  const called = flows.flatMap(({ definition }) => definition.calls ?? []);
  const all = [...new Set([...flows, ...called])];
  const plans = all.map(({ definition }) => compile(definition.draft, kinds));
  const nodes = plans.flatMap((plan) => (plan.ok ? [...plan.value.nodes.values()] : []));
  return new Set(nodes.filter(({ hidden }) => hidden).map(({ id }) => id));
}
