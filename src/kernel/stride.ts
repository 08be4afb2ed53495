/** The working memory of one call of the kernel. It dies with the call, all but its three lists. */
import { assert } from '../base/assert.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import type { Change } from '../model/change.ts';
import type { NodeCode } from '../model/definition.ts';
import type { Hint } from '../model/hint.ts';
import type { GroupId, Instant, ScopeId, TokenId } from '../model/ids.ts';
import type { Signal } from '../model/input.ts';
import type { Fault, Scope, Token } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import { apply } from './apply.ts';
import { callCode, valuesUp } from './code.ts';
import { type Instance, latchName, latchOf, scopeOf, type Scratch, scratchOf } from './instance.ts';
import type { Kinds, NodeKind, Place, Seen, View } from './kind.ts';

/** A plan with what is needed to run it. */
export interface Machine {
  readonly plan: Plan;
  readonly kinds: Kinds;
  /** The flow's closures by node; null in a process that does not have them (D19). */
  readonly code: ReadonlyMap<string, NodeCode> | null;
  readonly limits: Limits;
  /** What a worker must have to let the kernel go on in this flow. */
  readonly handler: string;
}

/** Also what kinds see of it: the methods of `View` are the stride's own. */
export class Stride implements View {
  readonly machine: Machine;
  readonly at: Instant;
  readonly scratch: Scratch;
  readonly agenda: Agenda = new Agenda();
  /** Joins to look at again, by latch name: someone arrived, or a member of the group ended. */
  readonly unsettled: Set<string> = new Set();
  /** Groups that lost a member. */
  readonly thinned: Set<GroupId> = new Set();
  readonly changes: Change[] = [];
  readonly hints: Hint[] = [];
  /** How far the line of control that moves now has come without a wait or a handler. */
  hops = 0;
  #counter: number;

  constructor(machine: Machine, before: Instance, at: Instant) {
    assert(
      before.head.version === 0 || before.head.plan === machine.plan.hash,
      'an instance runs the plan it was started with',
    );
    this.machine = machine;
    this.at = at;
    this.scratch = scratchOf(before);
    this.#counter = this.scratch.counter;
  }

  nextId(): number {
    this.#counter += 1;
    return this.#counter;
  }

  record(change: Change): void {
    apply(this.scratch, change, this.at);
    this.changes.push(change);
  }

  kindOf(node: PlanNode): NodeKind {
    const kind = this.machine.kinds.get(node.kind);
    assert(kind !== undefined, () => `kind "${node.kind}" is registered`);
    return kind;
  }

  nodeOf(id: PlanNode['id']): PlanNode {
    const node = this.machine.plan.nodes.get(id);
    assert(node !== undefined, () => `node "${id}" is in the plan`);
    return node;
  }

  placeOf(token: Token): Place {
    return { node: this.nodeOf(token.node), token, scope: this.scopeOf(token.scope) };
  }

  get now(): Instant {
    return this.at;
  }

  get limits(): Limits {
    return this.machine.limits;
  }

  get key(): string | null {
    return this.scratch.head.key;
  }

  call(place: Place, slot: string, seen: Seen = {}): Result<Json, Omit<Fault, 'node'>> {
    return callCode(this.machine, this.scratch, place, slot, seen);
  }

  resultsOf(scope: ScopeId): JsonObject {
    return valuesUp(this.scratch, scope, 'results');
  }

  scopeOf(scope: ScopeId): Scope {
    return scopeOf(this.scratch, scope);
  }

  arrivals(place: Place): number {
    return this.scratch.index.parked.size(latchName(latchOf(place.token)));
  }

  members(group: GroupId): number {
    return this.scratch.index.members.get(group) ?? 0;
  }
}

export interface Turn {
  readonly token: TokenId;
  /** What the token is told; null for one that has just arrived. */
  readonly signal: Signal | null;
  readonly hops: number;
}

/** First in, first out, without shifting the whole array at every turn. */
export class Agenda {
  #turns: Turn[] = [];
  #head = 0;

  push(turn: Turn): void {
    this.#turns.push(turn);
  }

  unshift(turn: Turn): void {
    this.#turns = [turn, ...this.#turns.slice(this.#head)];
    this.#head = 0;
  }

  shift(): Turn | undefined {
    const turn = this.#turns[this.#head];
    if (turn === undefined) {
      this.#turns = [];
      this.#head = 0;
      return undefined;
    }
    this.#head += 1;
    return turn;
  }
}
