/**
 * The flows this process has: their plans, closures and handlers, and what it can therefore do.
 *
 * An instance runs the plan it was started with, by hash. A registered flow serves stored plans of
 * its own name and version, and of older versions it lists in `serves`, if it has every closure and
 * handler they need (D19). For any other plan the machine has no code: such a process may wake
 * tokens but not go on with them, and never claims them.
 */
import { EngineError } from '../base/engine-error.ts';
import type { JsonObject } from '../base/json.ts';
import { planBody, planFrom } from '../compile/compile.ts';
import { flowHandler } from '../kernel/instance.ts';
import type { Kinds } from '../kernel/kind.ts';
import { type Machine, machineFor } from '../kernel/machine.ts';
import { UNDO } from '../kernel/sagas.ts';
import type { Definition } from '../model/definition.ts';
import type { NodeId, PlanHash } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Plan } from '../model/plan.ts';
import { isRemote } from '../model/remote-handler.ts';
import { NOTHING_TOLD, type Told } from '../model/told.ts';
import type { PlanRow, Store } from '../stores/store.ts';
import {
  clashesAmong,
  invalid,
  missingCode,
  nameMissing,
  planOf,
  type Problem,
} from './definitions.ts';
import type { Doing, Handler } from './handlers.ts';
import type { KindShelf } from './kinds.ts';
import type { SharedHandlers } from './shared-handlers.ts';
import { unknownFlow } from './unknown-flow.ts';
import { unknownTypes } from './unknown-types.ts';

/** After the name of a handler: the function that says whether a failure is worth another try. */
const WHEN = '/:when';

export interface Registered {
  readonly definition: Definition;
  readonly plan: Plan;
}

export class Library {
  readonly #limits: Limits;
  readonly #machines = new Map<PlanHash, Machine>();
  /** By name and version (`order@2`): what can be started. */
  readonly #registered = new Map<string, Registered>();
  /** The same, and older versions that one of them serves: what can be gone on with. */
  readonly #serving = new Map<string, Registered>();
  readonly #latest = new Map<string, Registered>();
  readonly #doings = new Map<string, Doing>();
  /** Whose code each machine has: its closures and its handlers are of one definition. */
  readonly #definitions = new Map<PlanHash, Definition>();
  /** Handlers of plans that go on by a definition whose place another has taken. */
  readonly #kept = new Map<PlanHash, ReadonlyMap<string, Doing>>();
  readonly #mocks = new Map<string, Doing>();
  /** Steps that workers elsewhere run: nobody here does, and only their `when` is of use. */
  readonly #remote = new Map<string, Doing>();
  readonly #shared: SharedHandlers;
  readonly #told: Told;
  #kinds: KindShelf;

  constructor(limits: Limits, shared: SharedHandlers, kinds: KindShelf, told?: Told) {
    this.#limits = limits;
    this.#shared = shared;
    this.#kinds = kinds;
    this.#told = told ?? NOTHING_TOLD;
  }

  get kinds(): KindShelf {
    return this.#kinds;
  }

  /** Every plan that has been met goes on by these, or waits for a process that has its kinds. */
  set kinds(kinds: KindShelf) {
    this.#kinds = kinds;
    for (const { plan } of [...this.#machines.values()]) this.#equip(plan);
    this.#findDoings();
  }

  /** Of flows that can be started here: who has nodes of a kind. */
  flowsWith(kind: string): readonly string[] {
    const isOne = ({ plan }: Registered): boolean =>
      Array.from(plan.nodes.values()).some((node) => node.kind === kind);
    return [...this.#registered].filter(([, one]) => isOne(one)).map(([name]) => name);
  }

  /** Compiles and registers all of them, or none and says everything that is wrong. */
  register(named: readonly Definition[]): readonly PlanRow[] {
    const definitions = withCalled(named);
    const problems: Problem[] = [...clashesAmong(definitions)];
    const good: Registered[] = [];
    const kinds = this.#kinds.with(definitions.flatMap((definition) => definition.kinds ?? []));
    for (const definition of definitions) {
      const flow = definition.draft.name;
      const made = planOf(definition, kinds.all);
      if (made.ok) good.push({ definition, plan: made.value });
      const strange = unknownTypes(definition.draft, this.#shared);
      const found = made.ok ? strange : [...made.problem, ...strange];
      problems.push(...found.map((diagnostic) => ({ flow, ...diagnostic })));
    }
    if (problems.length > 0) throw invalid(problems);
    this.#kinds = kinds;
    for (const registered of good) this.#add(registered);
    this.#serve();
    const met = Array.from(this.#machines.values(), ({ plan }) => plan);
    for (const plan of [...met, ...good.map(({ plan: own }) => own)]) this.#equip(plan);
    this.#findDoings();
    return good.map(({ plan }) => planRowOf(plan, kinds.all));
  }

  /**
   * Plans that were met before their code was here can be gone on with now, and those whose code
   * has changed go on by the new one: whole, so that no closure of the old meets a handler of the
   * new.
   */
  #equip(plan: Plan): void {
    const machine = this.#machines.get(plan.hash);
    const definition = this.#definitionFor(plan);
    const isSame =
      machine !== undefined &&
      definition === this.#definitions.get(plan.hash) &&
      Array.from(machine.spots.values()).every((s) => this.#kinds.all.get(s.node.kind) === s.kind);
    if (!isSame || machine.code === null) this.#machines.set(plan.hash, this.#machineFor(plan));
    const isKept = definition !== this.#serving.get(`${plan.name}@${plan.version}`)?.definition;
    if (definition === undefined || !isKept) this.#kept.delete(plan.hash);
    else this.#kept.set(plan.hash, doingsOf(definition, plan.name, plan.version));
  }

  latest(name: string): Registered | undefined {
    return this.#latest.get(name);
  }

  /** What can be started here. */
  flowNames(): readonly string[] {
    return [...this.#latest.keys()];
  }

  /** The same with their versions: `order@2`. */
  versionNames(): readonly string[] {
    return [...this.#registered.keys()];
  }

  registered(name: string, version: number): Registered | undefined {
    return this.#registered.get(`${name}@${version}`);
  }

  /** The version whose code goes on with instances of this one; null if none here does. */
  servedBy(name: string, version: number): number | null {
    return this.#serving.get(`${name}@${version}`)?.plan.version ?? null;
  }

  /** What this process may claim. */
  claimable(): readonly string[] {
    return [...this.#serving.keys()].map((name) => `${name}/`).concat(this.handlerNames());
  }

  handler(name: string): Handler | undefined {
    return this.doing(name)?.handler;
  }

  /** What running a claimed token takes, in an instance of that plan. */
  doing(name: string, plan?: PlanHash): Doing | undefined {
    const isMocked = plan === undefined || this.#mocks.has(name);
    const kept = isMocked ? undefined : this.#kept.get(plan)?.get(name);
    if (kept !== undefined && !isRemote(kept.handler)) return kept;
    return this.#doings.get(name) ?? this.#shared.find(name);
  }

  /** Of a step that is run here or elsewhere: whether a failure is worth another try. */
  asking(name: string, plan: PlanHash): Handler | undefined {
    return (this.doing(name, plan) ?? this.#remote.get(name))?.ask;
  }

  /** Handlers that are given to the engine, and nothing that was learnt of whom they are for. */
  get givenHandlers(): SharedHandlers {
    return this.#shared.copy();
  }

  get hasSharedHandlers(): boolean {
    return !this.#shared.isEmpty;
  }

  /** Whether there are handlers that serve chains this process has not heard of yet. */
  get servesUnknownChains(): boolean {
    return this.#shared.servesUnknown;
  }

  /** Links of chains of this process that nobody here can run. */
  unservedLinks(): readonly string[] {
    const plans = [...this.#registered.values()].map(({ plan }) => plan);
    const links = plans.flatMap((plan) => linksOf(plan, this.#kinds.all));
    return links.filter((link) => !this.#shared.knows(link) && this.doing(link) === undefined);
  }

  /** Handlers for a step of one chain where no chain that is known has such a step. */
  idleHandlers(): readonly string[] {
    return this.#shared.idle();
  }

  /** Links of chains that somebody has stored: their handlers may be here. */
  learn(links: readonly string[]): void {
    this.#shared.learn(links);
  }

  /** Puts another function in the place of a step's handler; the test kit's mocks. */
  replaceHandler(name: string, handler: Handler): void {
    const mock = { handler, ask: (this.#doings.get(name) ?? this.#remote.get(name))?.ask };
    this.#mocks.set(name, mock);
    this.#doings.set(name, mock);
  }

  /** Steps of the flows here that need a store with transactions. */
  transactionalSteps(): readonly string[] {
    return [...this.#registered.values()].flatMap(({ plan }) =>
      [...plan.nodes.values()]
        .filter((node) => this.#kinds.all.get(node.kind)?.offer?.({ node }).transactional === true)
        .map(({ id }) => `"${id}" of "${plan.name}"`),
    );
  }

  /** Whether a step of a flow here, by its name in claims, runs in a transaction. */
  isTransactional(name: string): boolean {
    const slash = name.indexOf('/');
    const { plan } = this.#serving.get(name.slice(0, slash)) ?? {};
    const id = name.slice(slash + 1).replace(UNDO, '') as NodeId;
    const node = plan?.nodes.get(id);
    if (node === undefined) return false;
    return this.#kinds.all.get(node.kind)?.offer?.({ node }).transactional === true;
  }

  handlerNames(): readonly string[] {
    const shared = this.#shared.names();
    return shared.length === 0
      ? [...this.#doings.keys()]
      : [...new Set([...this.#doings.keys(), ...shared])];
  }

  /** Every step that is known here, also of chains whose handlers are not. */
  stepNames(): readonly string[] {
    const here = this.handlerNames();
    return [...new Set([...here, ...this.#remote.keys(), ...this.#shared.links()])];
  }

  find(hash: PlanHash): Machine | undefined {
    return this.#machines.get(hash);
  }

  async load(hash: PlanHash, store: Store): Promise<Machine> {
    const row = await store.loadPlan(hash);
    if (row === undefined) {
      throw new EngineError('store.corrupt', `an instance runs plan ${hash}, which is not stored`);
    }
    const machine = this.#machineFor(planFrom(row.body as JsonObject));
    this.#machines.set(hash, machine);
    return machine;
  }

  #add(registered: Registered): void {
    const { plan } = registered;
    this.#registered.set(`${plan.name}@${plan.version}`, registered);
    const latest = this.#latest.get(plan.name);
    if (latest === undefined || latest.plan.version <= plan.version) {
      this.#latest.set(plan.name, registered);
    }
    this.#shared.learn(linksOf(plan, this.#kinds.all));
  }

  /** From all that are here now: what another has served before may be served by nobody. */
  #serve(): void {
    this.#serving.clear();
    for (const [name, registered] of this.#registered) this.#serving.set(name, registered);
    for (const registered of [...this.#registered.values()].toSorted(byVersion)) {
      const { definition, plan } = registered;
      for (const version of definition.serves) {
        const older = `${plan.name}@${version}`;
        // A version that is here itself needs nobody to stand in for it.
        if (!this.#registered.has(older)) this.#serving.set(older, registered);
      }
    }
  }

  #findDoings(): void {
    this.#doings.clear();
    this.#remote.clear();
    // Under one name there may be several: which of them it is, the plan says.
    const kept = [...this.#kept.values()].flatMap((doings) => [...doings]);
    for (const [name, doing] of kept) this.#setDoing(name, doing);
    for (const [served, { definition, plan }] of this.#serving) {
      const version = Number(served.slice(plan.name.length + 1));
      const own = doingsOf(definition, plan.name, version);
      for (const [name, doing] of own) this.#setDoing(name, doing);
    }
    for (const [name, mock] of this.#mocks) this.#doings.set(name, mock);
  }

  /** Here or elsewhere: by what has come last, also for plans that go on by what was before. */
  #setDoing(name: string, doing: Doing): void {
    const isElsewhere = isRemote(doing.handler);
    (isElsewhere ? this.#doings : this.#remote).delete(name);
    (isElsewhere ? this.#remote : this.#doings).set(name, doing);
  }

  /** What has taken a place without having all of the code leaves the old plan to the old code. */
  #definitionFor(plan: Plan): Definition | undefined {
    const serving = this.#serving.get(`${plan.name}@${plan.version}`)?.definition;
    const isWhole = serving && missingCode(plan, serving, this.#kinds.all).length === 0;
    if (serving === undefined || isWhole === true) return serving;
    return this.#definitions.get(plan.hash);
  }

  /** What a plan needs and this process does not have: kinds, or steps and closures. */
  lackedBy(plan: Plan): readonly string[] {
    const kinds = this.#kinds.all;
    const nodes = [...plan.nodes.values()];
    const strange = new Set(nodes.map(({ kind }) => kind).filter((kind) => !kinds.has(kind)));
    if (strange.size > 0) return [...strange].map((kind) => `kind ${kind}`);
    const serving = this.#serving.get(`${plan.name}@${plan.version}`)?.definition;
    return serving === undefined ? [] : missingCode(plan, serving, kinds).map(nameMissing);
  }

  #machineFor(plan: Plan): Machine {
    // A plan that a newer program stored may have kinds that this one does not know.
    const kinds = this.#kinds.all;
    const known = [...plan.nodes.values()].every(({ kind }) => kinds.has(kind));
    const definition = known ? this.#definitionFor(plan) : undefined;
    if (definition === undefined) this.#definitions.delete(plan.hash);
    else this.#definitions.set(plan.hash, definition);
    const code = definition?.code ?? (known && isSelfContained(plan, kinds) ? NO_CODE : null);
    return machineFor(plan, kinds, { code, limits: this.#limits, told: this.#told });
  }
}

/** By their names in claims. */
function doingsOf({ handlers }: Definition, flow: string, version: number): Map<string, Doing> {
  const all = handlers as ReadonlyMap<string, Handler>;
  const own = [...all].filter(([node]) => !node.endsWith(WHEN));
  return new Map(
    own.map(([node, handler]) => [
      flowHandler(flow, version) + node,
      { handler, ask: all.get(node + WHEN) },
    ]),
  );
}

const NO_CODE: Definition['code'] = new Map();
const NO_LINKS: readonly string[] = [];

/** What its handlers are called where they are not part of the definition: those of a chain. */
function linksOf(plan: Plan, kinds: Kinds): readonly string[] {
  const names = [...plan.nodes.values()].flatMap((node) => {
    const name = kinds.get(node.kind)?.handler?.({ node }, plan.name);
    return name === undefined ? [] : [name];
  });
  return names.length === 0 ? NO_LINKS : [...new Set(names)];
}

/** A chain is all data: whoever has its plan can go on with it, whether it is registered or not. */
function isSelfContained(plan: Plan, kinds: Kinds): boolean {
  if (linksOf(plan, kinds).length === 0) return false;
  return [...plan.nodes.values()].every((node) => {
    const kind = kinds.get(node.kind);
    const isShared = kind?.offer === undefined || kind.handler !== undefined;
    return isShared && node.code.length === 0 && kind?.asksHost !== true;
  });
}

/** Whoever has a flow has those it calls, and those that they call. */
function withCalled(named: readonly Definition[]): readonly Definition[] {
  const all = new Set(named);
  // What is added while it is walked is walked, too.
  for (const { calls = [] } of all) for (const { definition } of calls) all.add(definition);
  // The same flow named twice is an author's mistake, and is said.
  return [...named, ...[...all].filter((definition) => !named.includes(definition))];
}

/** The newest comes last and so has the last word. */
function byVersion(a: Registered, b: Registered): number {
  return a.plan.version - b.plan.version;
}

function planRowOf(plan: Plan, kinds: Kinds): PlanRow {
  const { hash, name, version } = plan;
  const links = linksOf(plan, kinds);
  return { hash, name, version, body: planBody(plan), ...(links.length > 0 && { links }) };
}

/** By name its newest version, and throws if it is not here. */
export function registeredOf(
  library: Library,
  flow: { readonly name: string; readonly version: number } | string,
): Registered {
  const isNamed = typeof flow === 'string';
  const found = isNamed ? library.latest(flow) : library.registered(flow.name, flow.version);
  if (found !== undefined) return found;
  const known = isNamed ? library.flowNames() : library.versionNames();
  throw unknownFlow(isNamed ? flow : `${flow.name}@${flow.version}`, known);
}
