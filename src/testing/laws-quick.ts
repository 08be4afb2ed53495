/** A definition as a machine, and the quickest way to play it: right answers only, no store. */
import type { Json } from '../base/json.ts';
import { compile } from '../compile/compile.ts';
import { emptyInstance, type Instance, tokenOf } from '../kernel/instance.ts';
import type { Kinds } from '../kernel/kind.ts';
import { type Machine, machineFor } from '../kernel/machine.ts';
import type { Change } from '../model/change.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { LIMITS } from '../model/limits.ts';
import { calledBy, answersOf, messageTo, nextOf, valueFor } from './laws-answers.ts';
import { nextAsk } from './laws-asks.ts';
import { type Ending, obey } from './laws-ending.ts';
import { childAnswer, outcomeOf } from './laws-failures.ts';
import type { Advance } from './laws-stride.ts';
import type { Order } from './random-case.ts';
import { VISITS_MAX } from './random-draw.ts';
import type { Drawing } from './story.ts';

/**
 * A visit takes a stride at the most, a join or scope one more, and a lease may run out twice; a
 * handler may fail some times, and so may its undo.
 */
export const STRIDES_MAX: number = 12 * VISITS_MAX;

export const INPUT: Json = { sku: 'A1', amount: 42 };

/** Limits that are lower than usual, where they are given. */
export interface Lower {
  readonly movesPerCommit: number | null;
  readonly crashesMax: number | null;
}

export function lawMachine(drawing: Drawing, kinds: Kinds, lower: Lower | null = null): Machine {
  const plan = compile(drawing.draft, kinds);
  const problems = plan.ok ? [] : plan.problem;
  obey('compiles', plan.ok, () => JSON.stringify(problems));
  const { value } = plan as Extract<typeof plan, { ok: true }>;
  const { movesPerCommit = null, crashesMax = null } = lower ?? {};
  const short = movesPerCommit === null ? {} : { MOVES_PER_COMMIT: movesPerCommit };
  const frail = crashesMax === null ? {} : { CRASHES_MAX: crashesMax };
  const code = new Map(Object.entries(drawing.code ?? {}));
  return machineFor(value, kinds, { code, limits: { ...LIMITS, ...short, ...frail } });
}

/** What a run came to, told without ids and times. */
export function endingOf(
  { head }: Instance,
  { plan }: Machine,
  counts: ReadonlyMap<string, number>,
): Ending {
  const shown = [...plan.nodes.values()].filter((node) => !node.hidden && counts.has(node.id));
  const visits = new Map(shown.map(({ id }) => [id as string, counts.get(id) ?? 0]));
  const status = head.stalled === null ? head.status : 'stalled';
  return { status, output: head.output, fault: head.fault?.code ?? null, visits };
}

/** How often each node was come to, going forward. */
export function visitsIn(changes: readonly Change[]): Map<string, number> {
  const visits = new Map<string, number>();
  for (const change of changes) {
    if (change.did !== 'birth-token' || change.token.mode === 'compensation') continue;
    const { node } = change.token;
    visits.set(node, (visits.get(node) ?? 0) + 1);
  }
  return visits;
}

export interface Quick {
  readonly seed: number;
  readonly order: Order;
  readonly failures: boolean;
  readonly advance: Advance;
}

/** Right answers only, straight through the kernel. */
export function playQuickly(machine: Machine, habits: Quick): Ending {
  const { order } = habits;
  const { name: flow, version: flowVersion } = machine.plan;
  const history: Change[] = [];
  let instance = emptyInstance(flow as InstanceId);
  const birth = { id: instance.head.id, flow, flowVersion, input: INPUT, key: 'order-1' };
  let input: Input | undefined = { type: 'start', at: 0 as Instant, birth };
  for (let strides = 0; input !== undefined; strides += 1) {
    obey('ends', strides < STRIDES_MAX, () => `more than ${STRIDES_MAX} strides in ${order} order`);
    const { after, changes } = habits.advance(machine, instance, input);
    instance = after;
    history.push(...changes);
    input = quickAnswer(instance, habits);
  }
  return endingOf(instance, machine, visitsIn(history));
}

/** What comes next, and when; undefined if nobody waits for anything. */
export function quickAnswer(
  instance: Instance,
  { seed, order, failures }: Quick,
): Input | undefined {
  const answer = nextOf(answersOf(instance, seed), order, seed);
  if (answer === undefined) return undefined;
  const { token: id, node, path } = answer;
  const token = tokenOf(instance, id);
  const { wait, wakeAt, availableAt } = token;
  const isDue = answer.type !== 'task' && wakeAt !== null;
  const at = Math.max(instance.head.updatedAt, isDue ? wakeAt : availableAt) as Instant;
  if (answer.type === 'time') return { type: 'time', at, token: id };
  if (answer.type === 'child') {
    const about = { node, path, seed };
    const from = calledBy(token);
    return { type: 'child', at, token: id, from, answer: childAnswer(about, failures) };
  }
  const ask = answer.type === 'task' ? nextAsk(token, { node, path, seed }) : null;
  if (ask !== null) return { type: 'task', at, token: id, ask };
  const wanted = messageTo(wait, answer, seed);
  if (wanted !== null) {
    const { type, key } = wanted;
    const message = { id: 'm', type, key, data: valueFor(node, path, seed) };
    return { type: 'message', at, token: id, message };
  }
  if (answer.type === 'incident') return { type: 'retry', at, token: id };
  const claim = { worker: 'w1', version: 1, at };
  if (answer.type === 'continue') return { type: 'continue', at, token: id, claim };
  const outcome = outcomeOf(instance, token, path, { seed, failures });
  return { type: 'result', at, token: id, claim, outcome };
}
