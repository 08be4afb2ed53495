/**
 * What an operator does next, by luck: mostly something that makes sense for the state the instance
 * is in, and now and then something that does not, which must be refused.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { type Instance, isLive } from '../kernel/instance.ts';
import type { Action } from '../model/action.ts';
import type { NodeId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Plan } from '../model/plan.ts';
import { luck, lucky } from './random-luck.ts';

/** Whom it is done to, and all the luck there is: a seed and how often something was done. */
export interface Occasion {
  readonly instance: Instance;
  readonly plan: Plan;
  /** Nodes it has come to. */
  readonly visited: readonly NodeId[];
  readonly seed: number;
  readonly turn: number;
}

type Verb = Exclude<Action['do'], 'send' | 'migrate'>;

const VERBS: readonly Verb[] = [
  ...(['cancel', 'suspend', 'resume', 'retry', 'skip', 'revive', 'wake'] as const),
  ...(['set', 'move', 'rerun'] as const),
];

/** One of three is drawn whatever the state: most of those make no sense. */
export function drawAction(on: Occasion): Action {
  const { seed, turn } = on;
  const fitting = luck(3, seed, 'blind', turn) === 0 ? VERBS : fittingFor(on);
  const verb = lucky(fitting, seed, 'verb', turn);
  switch (verb) {
    case 'suspend':
    case 'resume':
    case 'revive':
      return { do: verb };
    case 'cancel':
      return { do: verb, saga: luck(2, seed, 'saga', turn) === 0 };
    case 'retry': {
      const token = tokenFor(on, hasFailed);
      return luck(3, seed, 'all', turn) === 0 ? { do: verb } : { do: verb, token: token.id };
    }
    case 'skip':
      return { do: verb, token: tokenFor(on).id, result: valueFor(on) };
    case 'wake': {
      const { id, wait } = tokenFor(on, waits);
      const token = luck(8, seed, 'only one', turn) === 0 ? {} : { token: id };
      const [first] = wait?.on === 'first' ? wait.any : [];
      const says = first !== undefined && luck(4, seed, 'says which', turn) > 0;
      const isOdd = luck(9, seed, 'odd arm', turn) === 0;
      const arm = isOdd ? { arm: 'nowhere' } : says ? { arm: first.arm } : {};
      const vars = lucky(WOKEN_VARS, seed, 'vars', turn);
      return { do: verb, ...token, data: valueFor(on), ...arm, ...(vars && { vars }) };
    }
    case 'set':
      return { do: verb, name: lucky(['x', 'y', 'context'], seed, 'name', turn), ...setting(on) };
    case 'move':
      return movement(on);
    case 'rerun': {
      const copy = luck(6, seed, 'copy', turn) === 0 ? { copy: true } : {};
      return { do: verb, from: placeFor(on), ...copy };
    }
  }
}

/** What begins with a $ is nobody's to write. */
const WOKEN_VARS: readonly (JsonObject | null)[] = [
  ...[null, null, null, null, { x: 1 }, { x: [2], y: null }],
  ...[{ $x: 1 }, { 'x.$y': 1 }],
];

function fittingFor({ instance }: Occasion): readonly Verb[] {
  const { status, endedAt } = instance.head;
  if (endedAt !== null) return status === 'failed' ? ['revive', 'revive', 'rerun'] : ['rerun'];
  const tokens = instance.tokens.values();
  return [
    ...(status === 'suspended' ? REPEATED.resume : (['suspend', 'suspend'] as const)),
    ...(tokens.some(hasFailed) ? REPEATED.retry : []),
    ...(tokens.some(waits) ? REPEATED.wake : []),
    ...(['skip', 'skip', 'move', 'move', 'move', 'set', 'rerun', 'rerun', 'cancel'] as const),
  ];
}

const REPEATED = {
  resume: ['resume', 'resume', 'resume', 'resume'],
  retry: ['retry', 'retry', 'retry', 'retry'],
  wake: ['wake', 'wake'],
} as const satisfies Record<string, readonly Verb[]>;

type Suits = (token: Token) => boolean;

function hasFailed({ wait, attempts, status }: Token): boolean {
  return wait?.on === 'incident' || (attempts > 0 && (status === 'ready' || wait?.on === 'time'));
}

function waits({ wait }: Token): boolean {
  return wait !== null && OUTWARD.has(wait.on);
}

/** What waits for people is not for everyone to wake, and is tried all the same. */
const OUTWARD: ReadonlySet<string> = new Set(['message', 'first', 'time', 'task']);

/** Somebody alive whom it suits, most of the time. */
function tokenFor({ instance, seed, turn }: Occasion, suits: Suits = isLive): Chosen {
  const stranger = {
    id: luck(instance.head.counter + 3, seed, 'who', turn),
    wait: null,
  };
  if (luck(12, seed, 'stranger', turn) === 0) return stranger;
  const live = instance.tokens.values().filter(isLive);
  // Who skips the burning of fuel, or goes past it, goes round for ever.
  const free = live.filter(({ node }) => !node.endsWith('.burn'));
  const suiting = free.filter(suits);
  const among = suiting.length > 0 && luck(5, seed, 'suits', turn) > 0 ? suiting : free;
  return among.length === 0 ? stranger : lucky(among, seed, 'token', turn);
}

interface Chosen extends Pick<Token, 'wait'> {
  readonly id: number;
  readonly node?: NodeId;
}

function valueFor({ seed, turn }: Occasion): Json {
  return lucky<Json>([null, 7, { by: 'hand' }, [], 'text'], seed, 'value', turn);
}

function setting(on: Occasion): { value: Json; scope?: number } {
  const { instance, seed, turn } = on;
  const value = valueFor(on);
  const scopes = instance.scopes.keys();
  if (scopes.length === 0 || luck(2, seed, 'scope', turn) === 0) return { value };
  if (luck(8, seed, 'closed', turn) === 0) return { value, scope: -1 };
  return { value, scope: lucky(scopes, seed, 'which scope', turn) };
}

/** To a node of the region the token is in, most of the time. */
function movement(on: Occasion): Extract<Action, { do: 'move' }> {
  const { plan, seed, turn } = on;
  const { id: token, node } = tokenFor(on);
  if (luck(15, seed, 'nowhere', turn) === 0) return { do: 'move', token, to: 'nowhere' };
  const nodes = [...plan.nodes.values()];
  const here = node === undefined ? undefined : plan.nodes.get(node)?.parent;
  const near = nodes.filter(({ parent }) => parent === here);
  const among = near.length === 0 || luck(6, seed, 'far', turn) === 0 ? nodes : near;
  return { do: 'move', token, to: lucky(among, seed, 'node', turn).id };
}

function placeFor({ plan, visited, seed, turn }: Occasion): NodeId {
  const often = visited.length > 0 && luck(10, seed, 'unseen', turn) > 0;
  return often
    ? lucky(visited, seed, 'from', turn)
    : lucky([...plan.nodes.keys()], seed, 'at', turn);
}
