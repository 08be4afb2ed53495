/**
 * The engine: a store, the flows of this program, and a worker, behind the verbs users call.
 *
 * It holds no state of any instance that matters: kill it at any line and another one on the same
 * store goes on.
 */
import type { Duration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import type { Action } from '../model/action.ts';
import type { CloudEvent } from '../model/cloud-event.ts';
import type { Flow } from '../model/definition.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Backlog } from '../stores/backlog.ts';
import type { Server } from '../stores/servers.ts';
import type { Bell, Store } from '../stores/store.ts';
import { act, type Acted, type Deed } from './acting.ts';
import { type Alarm, processAlarm } from './alarm.ts';
import { bulk, type BulkOptions, type BulkResult } from './bulk.ts';
import { type Checked, checkAll, type CheckOptions } from './check.ts';
import { checkTransactions, deploy, type Deployed, sayWhatIsMissing } from './deploying.ts';
import { Endings } from './endings.ts';
import { checkEngine, checkFlow, type EngineOptions } from './engine-options.ts';
import { checkFields } from './fields.ts';
import { newWorkerId } from './ids.ts';
import type { InstanceFilter } from './filter.ts';
import { Flows } from './flows.ts';
import { Halting } from './halting.ts';
import { hear, offeredIn } from './hearing.ts';
import { Inbox } from './inbox.ts';
import { KindShelf, NodeKinds } from './kinds.ts';
import { EngineLanes } from './lanes.ts';
import { Library, type Registered, registeredOf } from './library.ts';
import { type InstancePage, list, type ListOptions } from './listing.ts';
import { findInstance } from './loading.ts';
import { loggerOf } from './redacting.ts';
import { type Measurement, Measuring } from './measuring.ts';
import { type Publication, type Published, publish, type PublishOptions } from './messages.ts';
import { checkStart, POLL_DEFAULT, readLimits, readWorker, type StartOptions } from './options.ts';
import { closeTargets, Outbox } from './outbox.ts';
import { readOutbox } from './outbox-options.ts';
import { prune, type PruneOptions, type PruneResult } from './prune.ts';
import { EngineReceipts } from './receipts.ts';
import { durationOf } from './durations.ts';
import { Desk, type RemoteWork } from './remote/desk.ts';
import { Run } from './run.ts';
import { type RunHouse, runHouse } from './run-house.ts';
import type { ScheduleSpec } from './schedule-spec.ts';
import { type Schedule, Schedules } from './schedules.ts';
import { Host } from './serverless/host.ts';
import { keepSchedules } from './serverless/keeping.ts';
import { linkFlow, linkFlows } from './serverless/linking.ts';
import { ownHandlers } from './serverless/own-handlers.ts';
import { SharedHandlers } from './shared-handlers.ts';
import { start, type Starting } from './starting.ts';
import { Strides } from './strides.ts';
import { type News, type SubscribeOptions, Subscriptions } from './subscribing.ts';
import { type Tally, tally, type TallyOptions } from './tallying.ts';
import { Tasks } from './tasks.ts';
import { findTracing } from './tracing.ts';
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
  readonly #starting: Starting;
  readonly #subscriptions: Subscriptions;
  readonly #desk: Desk;
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
    const logger = loggerOf(options.logger);
    this.#options = readWorker(options.worker);
    const measuring = new Measuring(logger);
    const tracing = findTracing((text) => this.#host.hide(text));
    const ears = {
      ...{ store: this.#store, worker: () => this.#worker, endings: () => this.#endings },
      ringLetters: () => this.#ringLetters(),
    };
    const strides = new Strides({
      ...{ store: this.#store, library: this.#library, alarm, tracing, measuring },
      name: this.#options?.id ?? newWorkerId(),
      onHints: (...told) => {
        hear(ears, ...told);
        this.#subscriptions.ring();
        this.#desk.ring(offeredIn(told[0], told[2]));
      },
      onAway: () => this.#worker?.noteAway(),
    });
    const outbox = options.outbox === undefined ? null : readOutbox(options.outbox);
    const hasWorker = this.#options !== null;
    const halting = new Halting({ store: this.#store, strides, alarm, logger, hasWorker });
    const tools = { alarm, logger, limits, outbox, halting, tracing, measuring };
    const onThrough = (): void => this.#desk.ring(null);
    this.#house = { store: this.#store, strides, library: this.#library, onThrough, ...tools };
    const pollMs = this.#options?.pollMs ?? durationOf(POLL_DEFAULT);
    this.#subscriptions = new Subscriptions({ store: this.#store, limits, alarm, pollMs });
    const { cache } = strides;
    this.#endings = new Endings({ store: this.#store, cache, alarm, pollMs, hasWorker });
    const assertOpen = (): void => this.#assertOpen();
    const worker = (): Worker | null => this.#worker;
    const find = (flow: Flow | string): Registered => registeredOf(this.#library, flow);
    this.#starting = { house: this.#house, worker, find };
    this.#desk = new Desk({ ...this.#house, worker, assertOpen, pollMs });
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
    sayWhatIsMissing(this.#house, this.#options !== null);
    this.#store.listen((bell) => {
      this.#worker?.ringAll(bell);
      this.#endings.look();
      this.#subscriptions.ring();
      this.#desk.ring(null);
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
    this.#desk.noteDeployed();
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
    const wanted = { flow: flow as Flow | string, input, options };
    const { id, existing } = await start(this.#starting, wanted);
    return new Run(this.#runHouse, id, existing);
  }

  /** Undefined if there is none, or none of the tenant that is named. */
  async get(id: string, options: { tenant?: string } = {}): Promise<Run | undefined> {
    this.#assertOpen();
    const found = await findInstance(this.#store, id, options);
    return found === undefined ? undefined : this.#run(found);
  }

  /** Keeps a message and wakes whoever waits for it; kept for its ttl if nobody does yet. */
  async publish(
    publication: Publication | CloudEvent,
    options: PublishOptions = {},
  ): Promise<Published> {
    this.#assertOpen();
    return publish(this.#house, publication, options, this.#worker);
  }

  /** Has a listener told what is measured of this engine; gives the function that ends it. */
  observe(listener: (measurement: Measurement) => void): () => void {
    this.#assertOpen();
    return this.#house.measuring.observe(listener);
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
      find: (flow) => registeredOf(this.#library, flow),
      start: (flow, input, options) => this.start(flow, input, options),
      ring: () => this.#ringAll('work'),
      assertOpen: () => this.#assertOpen(),
    });
  }

  /** Work for workers elsewhere, in any language. */
  get work(): RemoteWork {
    return this.#desk;
  }

  /** Work that waits for people. */
  get tasks(): Tasks {
    const assertOpen = (): void => this.#assertOpen();
    return new Tasks({ ...this.#house, worker: () => this.#worker, assertOpen });
  }

  /** What was asked under a name, and what came of it. */
  get receipts(): EngineReceipts {
    return new EngineReceipts(this.#house, () => this.#assertOpen());
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

  /** How many there are by flow, version and status, and what is wrong; among the newest 20,000. */
  async tally(options: TallyOptions = {}): Promise<Tally> {
    this.#assertOpen();
    return tally(this.#store, options);
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

  /** How much there is to do, and since when: for a screen or a metric, which ask often. */
  async backlog(): Promise<Backlog> {
    this.#assertOpen();
    return this.#store.health.backlog();
  }

  /** The workers that are there, in whatever process, with the handlers that each has. */
  async workers(): Promise<readonly Server[]> {
    this.#assertOpen();
    return this.#store.servers.list();
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
    await Promise.all([this.#desk.close(timeoutMs), this.#worker?.close(timeoutMs)]);
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

  #assertOpen(): void {
    if (this.#closed !== null) throw new EngineError('engine.closed', 'the engine is closed');
  }
}
