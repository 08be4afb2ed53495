/**
 * The engine: a store, the flows of this program, and a worker, behind the verbs users call.
 *
 * It holds no state of any instance that matters: kill it at any line and another one on the same
 * store goes on.
 */
import type { Duration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Action } from '../model/action.ts';
import type { CloudEvent } from '../model/cloud-event.ts';
import type { Flow } from '../model/definition.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Tx } from '../model/tx.ts';
import type { Bell, Store } from '../stores/store.ts';
import { act, type Acted, type Deed } from './acting.ts';
import { type Alarm, processAlarm } from './alarm.ts';
import { admitInput, birthOf, checkUnused, conflictOf } from './births.ts';
import { bulk, type BulkOptions, type BulkResult } from './bulk.ts';
import { type Checked, checkAll, type CheckOptions } from './check.ts';
import { checkTransactions, deploy, type Deployed, sayWhatIsMissing } from './deploying.ts';
import { Endings } from './endings.ts';
import { checkEngine, checkFlow, type EngineOptions } from './engine-options.ts';
import { checkFields } from './fields.ts';
import { newInstanceId, newWorkerId } from './ids.ts';
import type { InstanceFilter } from './filter.ts';
import { Flows } from './flows.ts';
import { Halting } from './halting.ts';
import { hear } from './hearing.ts';
import { Inbox } from './inbox.ts';
import { KindShelf, NodeKinds } from './kinds.ts';
import { EngineLanes } from './lanes.ts';
import { Library, type Registered, unknownFlow } from './library.ts';
import { type InstancePage, list, type ListOptions } from './listing.ts';
import { contained, stderrLogger } from './logger.ts';
import { type Publication, type Published, publish, publishWithin } from './messages.ts';
import {
  checkStart,
  checkText,
  POLL_DEFAULT,
  readLimits,
  readWorker,
  type StartOptions,
} from './options.ts';
import { closeTargets, Outbox } from './outbox.ts';
import { readOutbox } from './outbox-options.ts';
import { prune, type PruneOptions, type PruneResult } from './prune.ts';
import { durationOf } from './durations.ts';
import { Run } from './run.ts';
import { type RunHouse, runHouse } from './run-house.ts';
import type { ScheduleSpec } from './schedule-spec.ts';
import { type Schedule, Schedules } from './schedules.ts';
import { validateInput } from './schema.ts';
import { Host } from './serverless/host.ts';
import { keepSchedules } from './serverless/keeping.ts';
import { linkFlow, linkFlows } from './serverless/linking.ts';
import { ownHandlers } from './serverless/own-handlers.ts';
import { SharedHandlers } from './shared-handlers.ts';
import { Strides } from './strides.ts';
import { type News, type SubscribeOptions, Subscriptions } from './subscribing.ts';
import { findStored } from './stored-flows.ts';
import { Tasks } from './tasks.ts';
import { startWithin } from './within.ts';
import { Worker, type WorkerHouse, type WorkerOptions } from './worker.ts';

const CLOSE_TIMEOUT_DEFAULT = '30s';

const NO_OPTIONS: StartOptions = Object.freeze({});

/** Opens the store, checks and stores every flow, and starts to work. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const engine = new Engine(options, processAlarm);
  await engine.open();
  return engine;
}

export class Engine {
  readonly #store: Store;
  readonly #library: Library;
  readonly #host: Host;
  readonly #house: WorkerHouse;
  readonly #options: WorkerOptions | null;
  readonly #endings: Endings;
  readonly #runHouse: RunHouse;
  readonly #subscriptions: Subscriptions;
  readonly #plans: ReturnType<Library['register']>;
  readonly #flows: readonly Flow[];
  #worker: Worker | null = null;
  #closed: Promise<void> | null = null;
  /** That letters have no target here is said once. */
  #hasWarned = false;

  /** Throws if a flow is invalid, before anything is opened or started. */
  constructor(options: EngineOptions, alarm: Alarm) {
    checkEngine(options);
    const limits = readLimits(options.limits);
    this.#store = options.store;
    const kinds = new KindShelf().with(options.kinds ?? []);
    this.#host = new Host(options, options.outbox !== undefined);
    const own = ownHandlers(this.#host);
    const shared = new SharedHandlers(options.handlers ?? {}, options.worker !== false, own);
    this.#library = new Library(limits, shared, kinds, this.#host.told);
    this.#flows = options.flows ?? [];
    const whole = this.#flows.filter(({ definition }) => definition.linking === undefined);
    this.#plans = this.#library.register(whole.map(({ definition }) => definition));
    checkTransactions(this.#store, this.#library);
    const logger = options.logger === undefined ? stderrLogger : contained(options.logger);
    this.#options = readWorker(options.worker);
    const ears = {
      ...{ store: this.#store, worker: () => this.#worker, endings: () => this.#endings },
      ringLetters: () => this.#ringLetters(),
    };
    const strides = new Strides({
      ...{ store: this.#store, library: this.#library, alarm },
      name: this.#options?.id ?? newWorkerId(),
      onHints: (...told) => {
        hear(ears, ...told);
        this.#subscriptions.ring();
      },
      onAway: () => this.#worker?.noteAway(),
    });
    const outbox = options.outbox === undefined ? null : readOutbox(options.outbox);
    const hasWorker = this.#options !== null;
    const halting = new Halting({ store: this.#store, strides, alarm, logger, hasWorker });
    const tools = { alarm, logger, limits, outbox, halting };
    this.#house = { store: this.#store, strides, library: this.#library, ...tools };
    const pollMs = this.#options?.pollMs ?? durationOf(POLL_DEFAULT);
    this.#subscriptions = new Subscriptions({ store: this.#store, limits, alarm, pollMs });
    const { cache } = strides;
    this.#endings = new Endings({ store: this.#store, cache, alarm, pollMs, hasWorker });
    const assertOpen = (): void => this.#assertOpen();
    const worker = (): Worker | null => this.#worker;
    this.#runHouse = runHouse(this.#house, { endings: this.#endings, worker, assertOpen });
  }

  /** Opens the store and starts the worker. `createEngine` does this for you. */
  async open(): Promise<void> {
    await this.#store.open();
    const linked = await linkFlows(this.#host, this.#library, this.#flows);
    for (const plan of [...this.#plans, ...linked]) await this.#store.savePlan(plan);
    if (this.#library.hasSharedHandlers) this.#library.learn(await this.#store.links());
    // What was suspended before this process began is so for what begins here, from the first on.
    await this.#house.halting.list();
    if (this.#options !== null) sayWhatIsMissing(this.#house);
    else if (this.#house.outbox !== null) {
      const why = 'without a worker nothing is sent from here: another process must do it';
      this.#house.logger.warn({ worker: false }, `the outbox of this engine is idle: ${why}`);
    }
    this.#store.listen((bell) => {
      this.#worker?.ringAll(bell);
      this.#endings.look();
      this.#subscriptions.ring();
    });
    this.restartWorker();
    if (this.#options !== null && this.#host.keeps) await keepSchedules(this, this.#flows);
  }

  /**
   * Adds a flow to an engine that is at work: it is stored, and from now on can be started and is
   * gone on with here. One of the same name and version takes the place of what was here; what runs
   * by that goes on by its own plan. If something is wrong with it, nothing has changed.
   */
  async deploy<In, Out>(flow: Flow<In, Out>): Promise<Deployed> {
    this.#assertOpen();
    checkFlow(flow);
    const linked = await linkFlow(this.#host, flow);
    const deployed = await deploy(this.#house, linked);
    this.#worker?.noteDeployed();
    if (this.#options !== null && this.#host.keeps) await keepSchedules(this, [linked]);
    return deployed;
  }

  /** Starts an instance. The first commit is durable when this resolves. */
  async start<In, Out>(
    flow: Flow<In, Out> | string,
    input: In,
    options: StartOptions = NO_OPTIONS,
  ): Promise<Run<Out>> {
    this.#assertOpen();
    if (options !== NO_OPTIONS) checkStart(options);
    if (typeof flow !== 'string') checkFlow(flow);
    const isHere = typeof flow !== 'string' || this.#library.latest(flow) !== undefined;
    const stored = isHere ? undefined : await findStored(this.#house, flow);
    const registered = stored ?? this.#find(flow);
    const { schema } = registered.definition;
    const value = admitInput(
      schema === undefined ? input : await validateInput(schema, input),
      this.#house.limits,
    );
    const id = (options.id ?? newInstanceId(this.#store.now())) as InstanceId;
    if (options.id !== undefined) await checkUnused(this.#store, id);
    const machine = this.#library.find(registered.plan.hash) as Machine;
    const birth = birthOf(registered, id, value, options);
    const { name, version } = registered.plan;
    const isHalted = await this.#house.halting.confirmed(name, version);
    const halted = isHalted ? { halted: true as const } : {};
    const start = (at: Instant): Input => ({ type: 'start', at, birth, ...halted });
    const request = { instance: id, input: start };
    const worker = this.#worker;
    // What is started in a transaction is nobody's before that has committed.
    const taker = worker === null || options.tx !== undefined ? {} : { taker: worker.fresh };
    const applied =
      options.tx === undefined
        ? await this.#house.strides.start({ ...request, ...taker }, machine)
        : await startWithin(this.#house, this.#store.within(options.tx), request, machine);
    if (applied.outcome === 'exists') {
      if (options.onConflict === 'existing') return this.#run<Out>(applied.instance);
      throw conflictOf(applied.instance, id, options);
    }
    if (applied.outcome === 'committed') for (const work of applied.works) worker?.dispatch(work);
    return this.#run<Out>(id);
  }

  async get(id: string): Promise<Run | undefined> {
    this.#assertOpen();
    checkText('id', id);
    const [rows] = await this.#store.load([id as InstanceId]);
    return rows === undefined ? undefined : this.#run(rows.head.id);
  }

  /** Keeps a message and wakes whoever waits for it; kept for its ttl if nobody does yet. */
  async publish(
    publication: Publication | CloudEvent,
    options: { tx?: Tx } = {},
  ): Promise<Published> {
    this.#assertOpen();
    checkFields('publish', options, ['tx']);
    if (options.tx !== undefined) return publishWithin(this.#house, publication, options.tx);
    return publish(this.#house, publication, this.#worker);
  }

  /** The events for the world outside that no target has yet. */
  get outbox(): Outbox {
    const ring = (): void => {
      this.#worker?.ringLetters();
      this.#store.ring();
    };
    return new Outbox(this.#store.letters, () => this.#assertOpen(), ring);
  }

  /** Has a flow start at moments of a clock. The same spec again, at every start, is no change. */
  async schedule<In = never>(name: string, spec: ScheduleSpec<In>): Promise<Schedule> {
    return this.schedules.put(name, spec as ScheduleSpec);
  }

  /** The flows of the store, whoever runs them. */
  get flows(): Flows {
    return new Flows({
      ...this.#house,
      assertOpen: () => this.#assertOpen(),
      ring: () => this.#ringAll('all'),
    });
  }

  /** Kinds of nodes that the application has brought. */
  get kinds(): NodeKinds {
    this.#assertOpen();
    return new NodeKinds(this.#library, () => this.#worker?.noteDeployed());
  }

  /** Where steps wait because of a limit. */
  get lanes(): EngineLanes {
    return new EngineLanes(this.#store.lanes, () => this.#assertOpen());
  }

  /** All schedules of the store, whoever made them. */
  get schedules(): Schedules {
    return new Schedules({
      ...{ store: this.#store, limits: this.#house.limits },
      find: (flow) => this.#find(flow),
      start: (flow, input, options) => this.start(flow, input, options),
      ring: () => this.#ringAll('work'),
      assertOpen: () => this.#assertOpen(),
    });
  }

  /** Work that waits for people. */
  get tasks(): Tasks {
    const assertOpen = (): void => this.#assertOpen();
    return new Tasks({ ...this.#house, worker: () => this.#worker, assertOpen });
  }

  /** The messages that are kept and that nobody has had. */
  get inbox(): Inbox {
    return new Inbox(this.#store, () => this.#assertOpen());
  }

  /** Instances, newest first, a page at a time. A page may be short and still have a cursor. */
  async list(options: ListOptions = {}): Promise<InstancePage> {
    this.#assertOpen();
    return list(this.#house, options);
  }

  /** What happens to instances from now on, commit by commit, until you have heard enough. */
  subscribe(options: SubscribeOptions = {}): AsyncIterableIterator<News> {
    this.#assertOpen();
    return this.#subscriptions.open(options);
  }

  /** One action for all that a filter finds, each by itself: what cannot be done to one is said. */
  async bulk(
    filter: InstanceFilter,
    action: Action,
    options: BulkOptions = {},
  ): Promise<BulkResult> {
    this.#assertOpen();
    const tools = {
      run: (id: InstanceId) => this.#run(id),
      act: async (id: InstanceId, deed: Deed): Promise<Acted> => {
        this.#assertOpen();
        return act(this.#house, this.#worker, id, deed);
      },
    };
    return bulk({ ...this.#house, ...tools }, { filter, action }, options);
  }

  /** Removes instances that have been over for long, in short transactions. */
  async prune(options: PruneOptions): Promise<PruneResult> {
    this.#assertOpen();
    return prune(this.#store, options);
  }

  /** Checks every promise that can be read off the store, instance by instance. */
  async check(options: CheckOptions = {}): Promise<Checked> {
    this.#assertOpen();
    return checkAll(this.#store, options);
  }

  /** Stops claiming, waits for what runs, gives the rest back, and closes the store. */
  async close(options: { timeout?: Duration } = {}): Promise<void> {
    checkFields('close', options, ['timeout']);
    const timeoutMs = durationOf(options.timeout ?? CLOSE_TIMEOUT_DEFAULT);
    this.#closed ??= this.#close(timeoutMs);
    return this.#closed;
  }

  /** A new worker in the place of an old one, with nothing remembered: what a restart does. */
  restartWorker(): void {
    this.#worker?.abandon();
    this.#house.strides.cache.forget();
    if (this.#options === null) return;
    const id = this.#worker === null ? this.#options.id : newWorkerId();
    this.#worker = new Worker(this.#house, { ...this.#options, id });
    this.#worker.start();
  }

  /** For the test kit: the parts it drives by hand. */
  get parts(): { readonly worker: Worker | null; readonly library: Library } {
    return { worker: this.#worker, library: this.#library };
  }

  async #close(timeoutMs: number): Promise<void> {
    const until = this.#store.now() + timeoutMs;
    const left = (): number => Math.max(until - this.#store.now(), 0);
    const { halting, strides } = this.#house;
    await this.#worker?.close(timeoutMs);
    halting.stop();
    await closeTargets(this.#house);
    // What is in doubt may be what somebody walks for: only then does that come to its end.
    await strides.close(left());
    await halting.close(left());
    this.#endings.close();
    this.#subscriptions.close();
    this.#host.close();
    await this.#store.close();
  }

  /** Here, and in other processes. */
  #ringAll(bell: Bell): void {
    this.#worker?.ringAll('work');
    this.#store.ring(bell);
  }

  #ringLetters(): void {
    this.#worker?.ringLetters();
    if (this.#house.outbox !== null || this.#worker === null || this.#hasWarned) return;
    this.#hasWarned = true;
    const advice = 'give createEngine an outbox, here or in another process';
    this.#house.logger.warn({ advice }, 'letters were written, and this engine has no outbox');
  }

  #run<Out>(id: InstanceId): Run<Out> {
    return new Run(this.#runHouse, id);
  }

  #find(flow: Pick<Flow, 'name' | 'version'> | string): Registered {
    const found =
      typeof flow === 'string'
        ? this.#library.latest(flow)
        : this.#library.registered(flow.name, flow.version);
    if (found !== undefined) return found;
    throw unknownFlow(typeof flow === 'string' ? flow : `${flow.name}@${flow.version}`);
  }

  #assertOpen(): void {
    if (this.#closed !== null) throw new EngineError('engine.closed', 'the engine is closed');
  }
}
