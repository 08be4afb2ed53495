/** A definition as a machine, and the quickest way to play it: right answers only, no store. */
import type { Json } from '../base/json.ts';
import { compile } from '../compile/compile.ts';
import { advance } from '../kernel/advance.ts';
import { emptyInstance, type Instance } from '../kernel/instance.ts';
import type { Kinds } from '../kernel/kind.ts';
import { type Machine, machineFor } from '../kernel/machine.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { LIMITS } from '../model/limits.ts';
import { answersOf, nextOf, setsFor, valueFor } from './laws-answers.ts';
import { type Ending, obey } from './laws-ending.ts';
import type { Order } from './random-case.ts';
import { VISITS_MAX } from './random-draw.ts';
import type { Drawing } from './story.ts';

/** A visit takes a stride at the most, a join or scope one more, and a lease may run out twice. */
export const STRIDES_MAX: number = 5 * VISITS_MAX;

export const INPUT: Json = { sku: 'A1', amount: 42 };

export function lawMachine(drawing: Drawing, kinds: Kinds, movesPerCommit: number | null): Machine {
  const plan = compile(drawing.draft, kinds);
  const problems = plan.ok ? [] : plan.problem;
  obey('compiles', plan.ok, () => JSON.stringify(problems));
  const { value } = plan as Extract<typeof plan, { ok: true }>;
  const short = movesPerCommit === null ? {} : { MOVES_PER_COMMIT: movesPerCommit };
  const code = new Map(Object.entries(drawing.code ?? {}));
  return machineFor(value, kinds, { code, limits: { ...LIMITS, ...short } });
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

/** Right answers only, straight through the kernel. */
export function playQuickly(machine: Machine, seed: number, order: Order): Ending {
  const { name: flow, version: flowVersion } = machine.plan;
  const visits = new Map<string, number>();
  let instance = emptyInstance(flow as InstanceId);
  const birth = { id: instance.head.id, flow, flowVersion, input: INPUT, key: 'order-1' };
  let input: Input | undefined = { type: 'start', at: 0 as Instant, birth };
  for (let strides = 0; input !== undefined; strides += 1) {
    obey('ends', strides < STRIDES_MAX, () => `more than ${STRIDES_MAX} strides in ${order} order`);
    const { after, changes } = advance(machine, instance, input);
    instance = after;
    for (const change of changes) {
      if (change.did !== 'birth-token') continue;
      const { node } = change.token;
      visits.set(node, (visits.get(node) ?? 0) + 1);
    }
    input = quickAnswer(instance, order, seed);
  }
  return endingOf(instance, machine, visits);
}

function quickAnswer(instance: Instance, order: Order, seed: number): Input | undefined {
  const answer = nextOf(answersOf(instance, seed), order, seed);
  if (answer === undefined) return undefined;
  const { token, node, path } = answer;
  const { wait, wakeAt } = instance.tokens.get(token) ?? {};
  const at = Math.max(instance.head.updatedAt, wakeAt ?? 0) as Instant;
  if (answer.type === 'time') return { type: 'time', at, token };
  const value = valueFor(node, path, seed);
  if (wait?.on === 'message') {
    const { type, key } = wait;
    return { type: 'message', at, token, message: { id: 'm', type, key, data: value } };
  }
  const claim = { worker: 'w1', version: 1, at };
  const outcome = { outcome: 'done', value, sets: setsFor(node, path, seed) } as const;
  return { type: 'result', at, token, claim, outcome };
}
