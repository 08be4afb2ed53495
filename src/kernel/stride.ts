/** The working memory of one call of the kernel. It dies with the call, all but its three lists. */
import { assert } from '../base/assert.ts';
import type { EngineErrorCode } from '../base/engine-error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import type { Change } from '../model/change.ts';
import type { CodeView } from '../model/definition.ts';
import type { Hint } from '../model/hint.ts';
import type { GroupId, InstanceId, Instant, ScopeId, TokenId } from '../model/ids.ts';
import type { Signal } from '../model/input.ts';
import type { Fault, Head, Passage, Token } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import type { PlanNode } from '../model/plan.ts';
import type { Told } from '../model/told.ts';
import { apply } from './apply.ts';
import { callCode, Sight, valuesUp } from './code.ts';
import type { Chart } from './chart.ts';
import { Crowds } from './crowds.ts';
import {
  gatheringOf,
  type Instance,
  isLive,
  latchOf,
  type OpenScope,
  scopeOf,
  type Scratch,
  scratchOf,
} from './instance.ts';
import type { Place, Seen, View } from './kind.ts';
import { keepingWait, lettersFor } from './leaving.ts';
import type { Machine, Spot } from './machine.ts';
import { asleep } from './pauses.ts';
import { send } from './posts.ts';
import { type Meeting, meetingAt } from './reach.ts';
import type { Stirred } from './stirring.ts';

/** Also what kinds see of it: the methods of `View` are the stride's own. */
export class Stride implements View {
  readonly machine: Machine;
  readonly at: Instant;
  readonly scratch: Scratch;
  readonly agenda: Agenda = new Agenda();
  readonly changes: Change[] = [];
  #hints: Hint[] | null = null;
  refused: Refusal | null = null;
  /** How far the line of control that moves now has come without a wait or a handler. */
  hops = 0;
  /** The trace it is part of, and whatever is born of it. */
  trace: string | undefined = undefined;
  #counter: number;
  /** Groups of which someone arrived or ended: their joins are looked at again. */
  #unsettled: GroupId[] | null = null;
  /** Scopes with tokens at an inclusive join, in which someone arrived, moved or ended. */
  #stirred: Set<ScopeId> | null = null;
  /** The same for activities of flowcharts, and what has changed there. */
  #charts: Map<ScopeId, Stirred> | null = null;
  /** What went wrong and has not been dealt with; that comes before anything else moves. */
  #faults: Raised[] | null = null;
  /** Scopes whose saga may have something to do. */
  #sagas: Set<ScopeId> | null = null;

  constructor(machine: Machine, before: Instance, at: Instant) {
    assert(
      before.head.version === 0 || before.head.plan === machine.plan.hash,
      'an instance runs the plan it was started with',
    );
    this.machine = machine;
    this.at = at;
    this.scratch = scratchOf(before);
    this.#counter = this.scratch.counter;
    this.scratch.crowds = crowdsIn(this.scratch, machine.chart);
  }

  /** Of what is suspended nothing is due: whoever resumes it tells of all there is. */
  hint(hint: Hint): void {
    if (this.scratch.head.status === 'suspended' && FOR_THE_LIVELY.has(hint.do)) return;
    if (this.machine.hasLanes && hint.do === 'offer' && this.#isHeld(hint.token)) return;
    if (this.#hints === null) this.#hints = [hint];
    else this.#hints.push(hint);
  }

  /** It waits in a lane, and nobody is called before it is let through. */
  #isHeld(token: TokenId): boolean {
    return (this.scratch.tokens.get(token)?.lanes.length ?? 0) > 0;
  }

  get hints(): readonly Hint[] {
    return this.#hints ?? NO_HINTS;
  }

  /** Why the input makes no sense here: it changes nothing, and whoever sent it is told. */
  refuse(code: RefusalCode, message: string, details: Refusal['details'] = {}): void {
    this.refused ??= { code, message, details };
  }

  nextId(): number {
    // A copy of another instance brings the ids it has been given there.
    this.#counter = Math.max(this.#counter, this.scratch.counter) + 1;
    return this.#counter;
  }

  record(change: Change): void {
    if (!this.machine.isExtended) return this.#put(change);
    const letters = lettersFor(this.scratch, change);
    this.#put(keepingWait(this.scratch, change));
    for (const letter of letters) send(this, letter);
  }

  #put(change: Change): void {
    const { scratch } = this;
    if (change.did === 'end-token') {
      if (scratch.merging.size > 0) this.#stirAt(change.token);
      if (scratch.crowds !== null) this.#stirChart(change.token, 'left');
    }
    apply(scratch, change, this.at);
    this.changes.push(change);
    if (change.did !== 'birth-token') return;
    if (scratch.merging.size > 0) this.#stirAt(change.token.id);
    if (scratch.crowds !== null) this.#stirChart(change.token.id, 'born');
  }

  raise(raised: Raised): void {
    this.#faults ??= [];
    this.#faults.push(raised);
  }

  takeFaults(): readonly Raised[] {
    const faults = this.#faults;
    this.#faults = null;
    return faults ?? NO_FAULTS;
  }

  /** Whoever moves is born where it goes and ends where it was: nothing else stirs a scope. */
  #stirAt(id: TokenId): void {
    const scope = this.scratch.tokens.get(id)?.scope;
    if (scope === undefined || this.scratch.merging.get(scope) === undefined) return;
    this.#stirred ??= new Set();
    this.#stirred.add(scope);
  }

  /** Whoever waits before an activity may wait for somebody who was here, or has just come. */
  #stirChart(id: TokenId, how: 'left' | 'born'): void {
    const token = this.scratch.tokens.get(id);
    if (token === undefined) return;
    const crowd = this.scratch.crowds?.in(token.scope);
    // Where nobody waits nothing is stirred; whoever comes later is asked because it came.
    if (crowd === undefined || crowd.waiting === 0) return;
    this.#charts ??= new Map();
    let stirred = this.#charts.get(token.scope);
    if (stirred === undefined) {
      stirred = { all: false, came: new Set(), left: [], born: new Map() };
      this.#charts.set(token.scope, stirred);
    }
    if (how === 'left') {
      stirred.left.push(token);
      return;
    }
    if (token.wait?.on === 'merge') stirred.came.add(token.node);
    const { via, node } = token;
    const from = via === null ? node : (this.machine.plan.edges.get(via)?.from ?? node);
    const others = stirred.born.get(from);
    if (others === undefined) stirred.born.set(from, [token]);
    else others.push(token);
  }

  /** Ascending, as with groups. */
  takeStirredCharts(): readonly (readonly [ScopeId, Stirred])[] {
    const charts = this.#charts;
    this.#charts = null;
    return charts === null ? NO_CHARTS : [...charts].sort(([a], [b]) => a - b);
  }

  /** Ascending, as with groups. */
  takeStirred(): readonly ScopeId[] {
    const scopes = this.#stirred;
    this.#stirred = null;
    return scopes === null ? NO_SCOPES : [...scopes].sort((a, b) => a - b);
  }

  unsettleSaga(scope: ScopeId): void {
    this.#sagas ??= new Set();
    this.#sagas.add(scope);
  }

  takeSagas(): readonly ScopeId[] {
    const scopes = this.#sagas;
    this.#sagas = null;
    return scopes === null ? NO_SCOPES : [...scopes].sort((a, b) => b - a);
  }

  unsettle(group: GroupId): void {
    if (this.#unsettled === null) this.#unsettled = [group];
    else if (this.#unsettled.at(-1) !== group) this.#unsettled.push(group);
  }

  /** Ascending: in which order they are looked at must not depend on who came first. */
  takeUnsettled(): readonly GroupId[] {
    const groups = this.#unsettled;
    this.#unsettled = null;
    if (groups === null || groups.length === 1) return groups ?? NONE;
    return [...new Set(groups)].sort((a, b) => a - b);
  }

  spotOf(id: PlanNode['id']): Spot {
    const spot = this.machine.spots.get(id);
    assert(spot !== undefined, () => `node "${id}" is in the plan, and its kind is known`);
    return spot;
  }

  placeOf(token: Token): Place {
    return { node: this.spotOf(token.node).node, token, scope: this.scopeOf(token.scope) };
  }

  meetingAt(join: PlanNode['id']): Meeting {
    const { plan, spots, meetings } = this.machine;
    const known = meetings.get(join) ?? meetingAt(plan, spots, join);
    meetings.set(join, known);
    return known;
  }

  /** Whoever was at an activity of one flowchart may be at one of another now. */
  countCrowdsAnew(): void {
    this.scratch.crowds = null;
    this.scratch.crowds = crowdsIn(this.scratch, this.machine.chart);
  }

  /** Everyone at an inclusive join, and before an activity, is looked at anew. */
  stirAll(): void {
    const { merging, crowds } = this.scratch;
    if (merging.size > 0) this.#stirred = new Set(merging.keys());
    if (crowds === null) return;
    const scopes = crowds.scopes().filter((scope) => (crowds.in(scope)?.waiting ?? 0) > 0);
    if (scopes.length === 0) return;
    this.#charts = new Map(
      scopes.map((scope) => [scope, { all: true, came: new Set(), left: [], born: new Map() }]),
    );
  }

  get now(): Instant {
    return this.at;
  }

  asleep(since: Instant): number {
    return asleep(this.scratch.head, since, this.at);
  }

  get limits(): Limits {
    return this.machine.limits;
  }

  get instance(): InstanceId {
    return this.scratch.head.id;
  }

  get head(): Head {
    return this.scratch.head;
  }

  get start(): PlanNode {
    return this.spotOf(this.machine.plan.start).node;
  }

  get told(): Told {
    return this.machine.told;
  }

  get key(): string | null {
    return this.scratch.head.key;
  }

  call(place: Place, slot: string, seen: Seen = {}): Result<Json, Omit<Fault, 'node'>> {
    return callCode(this.machine, this.scratch, place, slot, seen);
  }

  sight(scope: ScopeId): CodeView {
    return new Sight(this.scratch, scope);
  }

  resultsOf(scope: ScopeId): JsonObject {
    return valuesUp(this.scratch, scope, 'results');
  }

  scopeOf(scope: ScopeId): OpenScope {
    return scopeOf(this.scratch, scope);
  }

  arrivals(place: Place): number {
    return gatheringOf(this.scratch, latchOf(place.token))?.arrived.size ?? 0;
  }

  members(group: GroupId): number {
    return this.scratch.members.get(group) ?? 0;
  }
}

const NO_CHARTS: readonly (readonly [ScopeId, Stirred])[] = [];
const FOR_THE_LIVELY: ReadonlySet<Hint['do']> = new Set(['offer', 'alarm', 'await']);

/** What was made for another plan says nothing about this one. */
function crowdsIn({ crowds, tokens }: Scratch, chart: Chart | null): Crowds | null {
  if (chart === null || crowds?.chart === chart) return crowds;
  return Crowds.of(chart, tokens.values().filter(isLive));
}

/** What people asked for makes no sense in this state. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type RefusalCode = Extract<
  EngineErrorCode,
  | 'instance.over'
  | 'instance.suspended'
  | 'migration.refused'
  | 'node.not-found'
  | 'operation.refused'
  | 'task.forbidden'
  | 'task.not-found'
  | 'task.refused'
  | 'token.gated'
  | 'token.not-found'
  | 'token.not-parked'
  | 'token.not-waiting'
  | 'variable.reserved'
>;

const NONE: readonly GroupId[] = [];
const NO_SCOPES: readonly ScopeId[] = [];
const NO_FAULTS: readonly Raised[] = [];
const NO_HINTS: readonly Hint[] = [];

/** A fault, and the token that stands where it happened. */
export interface Raised extends Passage {
  readonly token: TokenId;
  readonly fault: Fault;
  /** A handler of the user's failed: its policy may have it run again. */
  readonly retries?: true;
  /** And not before so long, whatever the policy says. */
  readonly afterMs?: number;
}

export interface Turn {
  readonly token: TokenId;
  /** What the token is told; null for one that has just arrived. */
  readonly signal: Signal | null;
  readonly hops: number;
}

/** First in, first out. Most strides have one turn at a time, and then nothing is made for it. */
export class Agenda {
  #first: Turn | null = null;
  #rest: Turn[] = NO_TURNS;
  #head = 0;

  push(turn: Turn): void {
    if (this.#rest !== NO_TURNS) this.#rest.push(turn);
    else if (this.#first === null) this.#first = turn;
    else this.#rest = [turn];
  }

  unshift(turn: Turn): void {
    const first = this.#first === null ? [] : [this.#first];
    this.#rest = [...first, ...this.#rest.slice(this.#head)];
    this.#head = 0;
    this.#first = turn;
  }

  shift(): Turn | undefined {
    const first = this.#first;
    if (first !== null) {
      this.#first = null;
      return first;
    }
    const turn = this.#rest[this.#head];
    this.#head += 1;
    if (turn !== undefined) return turn;
    this.#rest = NO_TURNS;
    this.#head = 0;
    return undefined;
  }
}

/** Never written to. */
const NO_TURNS: Turn[] = [];
