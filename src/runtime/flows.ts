/** Flows as an operator sees them: what can be done to all instances of one at once. */
import { EngineError } from '../base/engine-error.ts';
import { meant } from '../base/nearest.ts';
import { planBody } from '../compile/compile.ts';
import { diffPlans } from '../compile/diff.ts';
import type { Acting } from '../model/action.ts';
import type { Edge, Plan, PlanNode } from '../model/plan.ts';
import type { PlanDiff } from '../model/plan-diff.ts';
import { EVERY_FLOW, type Halt, type HaltScope } from '../stores/halts.ts';
import type { Store } from '../stores/store.ts';
import type { Halting, Reconciled } from './halting.ts';
import { type HaltingPreview, previewHalt } from './halting-preview.ts';
import { type FlowVersion, listFlows } from './flow-versions.ts';
import type { Library } from './library.ts';
import { findMachine } from './migrating.ts';
import { checkActing, checkName, checkWhole } from './options.ts';
import type { Strides } from './strides.ts';

export interface FlowsHouse {
  readonly halting: Halting;
  readonly store: Store;
  readonly strides: Strides;
  readonly library: Library;
  readonly assertOpen: () => void;
  /** Other processes are to hear of it soon. */
  readonly ring: () => void;
}

/** A plan as JSON. */
export interface StoredPlan extends Pick<Plan, 'hash' | 'name' | 'version' | 'start'> {
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly Edge[];
}

export class Flows {
  readonly #house: FlowsHouse;

  constructor(house: FlowsHouse) {
    this.#house = house;
  }

  /**
   * Suspends every instance of a flow, or of one version of it, and those that begin later. `*` is
   * every flow. What was said of a single instance counts for more. If the engine closes or dies
   * before all of them are told, a worker tells the rest.
   */
  async suspend(name: string, version?: number, acting: Acting = {}): Promise<Reconciled> {
    const scope = await this.#check(name, version, acting);
    const done = await this.#house.halting.suspend(scope, acting);
    this.#house.ring();
    return done;
  }

  /** The other way round: instances that were suspended by themselves stay so. */
  async resume(name: string, version?: number, acting: Acting = {}): Promise<Reconciled> {
    const scope = await this.#check(name, version, acting);
    const done = await this.#house.halting.resume(scope, acting);
    this.#house.ring();
    return done;
  }

  /** How many instances either would be told to, and nothing is written. */
  async preview(
    verb: 'suspend' | 'resume',
    name: string,
    version?: number,
  ): Promise<HaltingPreview> {
    const scope = await this.#check(name, version, {});
    return previewHalt(this.#house, scope, verb === 'suspend');
  }

  /** Every version of every flow that the store keeps a plan of, or of the one that is named. */
  async list(name?: string): Promise<readonly FlowVersion[]> {
    this.#house.assertOpen();
    if (name !== undefined) checkName('a flow', name);
    return listFlows(this.#house, name);
  }

  /** What is otherwise in one version of a flow than in another, and what that means. */
  async diff(name: string, from: number, to: number): Promise<PlanDiff> {
    this.#house.assertOpen();
    checkName('a flow', name);
    for (const version of [from, to]) checkWhole('a version', version, 1);
    const [was, is] = [
      await findMachine(this.#house, name, from),
      await findMachine(this.#house, name, to),
    ];
    return diffPlans(was.plan, is.plan);
  }

  /** The plan of a version as it is stored: its nodes, and the ways between them. */
  async plan(name: string, version: number): Promise<StoredPlan> {
    this.#house.assertOpen();
    checkName('a flow', name);
    checkWhole('a version', version, 1);
    const { plan } = await findMachine(this.#house, name, version);
    return { hash: plan.hash, ...planBody(plan) } as unknown as StoredPlan;
  }

  /** What is said, and of what, also of single versions: all that counts. */
  async halts(): Promise<readonly Halt[]> {
    this.#house.assertOpen();
    return this.#house.halting.list();
  }

  /** What is misspelt would be kept and mean nothing. */
  async #check(flow: string, version: number | undefined, acting: Acting): Promise<HaltScope> {
    this.#house.assertOpen();
    checkActing(acting);
    checkName('a flow', flow);
    if (version !== undefined) checkWhole('a version', version, 1);
    if (flow === EVERY_FLOW) {
      if (version === undefined) return { flow, version: 0 };
      throw new EngineError('engine.option-invalid', 'every flow has no version of its own');
    }
    const plans = await this.#house.store.plans();
    const versions = plans.filter(({ name }) => name === flow).map((plan) => plan.version);
    if (versions.length > 0 && (version === undefined || versions.includes(version))) {
      return { flow, version: version ?? 0 };
    }
    const names = [...new Set(plans.map(({ name }) => name))];
    const what = versions.length > 0 ? `version ${version} of "${flow}"` : `flow "${flow}"`;
    const hint = versions.length > 0 ? '' : `: ${meant(flow, names)}`;
    throw new EngineError('definition.not-found', `the store knows no ${what}${hint}`);
  }
}
