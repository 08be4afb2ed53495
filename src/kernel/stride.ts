/** The working memory of one call of the kernel. It dies with the call, all but its three lists. */
import { assert } from '../base/assert.ts';
import type { JsonObject } from '../base/json.ts';
import type { Change } from '../model/change.ts';
import type { NodeCode } from '../model/definition.ts';
import type { Hint } from '../model/hint.ts';
import type { GroupId, Instant, ScopeId, TokenId } from '../model/ids.ts';
import type { Signal } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import { apply } from './apply.ts';
import { callCode, valuesUp } from './code.ts';
import {
  type Instance,
  latchName,
  latchOf,
  type Scratch,
  scopeOf,
  scratchOf,
} from './instance.ts';
import type { Kinds, NodeKind, Place, View } from './kind.ts';

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

export interface Stride {
  readonly machine: Machine;
  readonly at: Instant;
  readonly view: View;
  readonly scratch: Scratch;
  readonly agenda: Agenda;
  /** Joins to look at again, by latch name: someone arrived, or a member of the group ended. */
  readonly unsettled: Set<string>;
  /** Groups that lost a member. */
  readonly thinned: Set<GroupId>;
  readonly changes: Change[];
  readonly hints: Hint[];
  /** How far the line of control that moves now has come without a wait or a handler. */
  hops: number;
  nextId(): number;
  kindOf(node: PlanNode): NodeKind;
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

export function begin(machine: Machine, before: Instance, at: Instant): Stride {
  const { head } = before;
  assert(
    head.version === 0 || head.plan === machine.plan.hash,
    'an instance runs the plan it was started with',
  );
  const scratch = scratchOf(before);
  let counter = head.counter ?? 0;
  return {
    machine,
    at,
    view: viewOf(machine, scratch, at),
    scratch,
    agenda: new Agenda(),
    unsettled: new Set(),
    thinned: new Set(),
    changes: [],
    hints: [],
    hops: 0,
    nextId: () => {
      counter += 1;
      return counter;
    },
    kindOf: (node) => kindOf(machine, node),
  };
}

export function record(stride: Stride, change: Change): void {
  apply(stride.scratch, change, stride.at);
  stride.changes.push(change);
}

export function nodeOf(machine: Machine, id: PlanNode['id']): PlanNode {
  const node = machine.plan.nodes.get(id);
  assert(node !== undefined, `node "${id}" is in the plan`);
  return node;
}

export function placeOf(stride: Stride, token: Token): Place {
  const node = nodeOf(stride.machine, token.node);
  return { node, token, scope: scopeOf(stride.scratch, token.scope) };
}

function kindOf(machine: Machine, node: PlanNode): NodeKind {
  const kind = machine.kinds.get(node.kind);
  assert(kind !== undefined, `kind "${node.kind}" is registered`);
  return kind;
}

function viewOf(machine: Machine, scratch: Scratch, now: Instant): View {
  const { index } = scratch;
  return {
    now,
    limits: machine.limits,
    get key(): string | null {
      return scratch.head.key;
    },
    call: (place, slot, seen = {}) => callCode(machine, scratch, place, slot, seen),
    resultsOf: (scope): JsonObject => valuesUp(scratch, scope, 'results'),
    scopeOf: (scope: ScopeId) => scopeOf(scratch, scope),
    arrivals: (place) => index.parked.size(latchName(latchOf(place.token))),
    members: (group) => index.members.size(group),
  };
}
