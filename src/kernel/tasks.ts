/**
 * What people do with a task. The node's kind decides what comes of it, from what stands in the
 * token's wait and nothing else: so any process can take a decision, whether it has the flow's
 * closures or not. What was decided and that the token goes on are one commit; a worker that has
 * the closures then takes it further (D19).
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Input } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { NOBODY, type TaskAsk } from '../model/task.ts';
import { send } from './posts.ts';
import type { Stride } from './stride.ts';
import { traceOf } from './traces.ts';
import { wakeWith } from './waking.ts';

export function admitTask(stride: Stride, input: Extract<Input, { type: 'task' }>): void {
  const token = stride.scratch.tokens.get(input.token);
  // Whoever was too late need not know whether the instance has ended meanwhile.
  if (token?.wait?.on !== 'task') {
    const message = `token ${input.token} waits for nobody: its task is done, or never was`;
    return stride.refuse('task.not-found', message, { token: input.token });
  }
  if (stride.scratch.head.status === 'suspended') {
    const message = 'the instance is suspended: nothing is done with its tasks until it is resumed';
    return stride.refuse('instance.suspended', message);
  }
  const { TASK_ENTRIES_MAX } = stride.limits;
  if (token.wait.task.trail.length >= TASK_ENTRIES_MAX && ENDLESS.has(input.ask.do)) {
    const message =
      `the task has ${TASK_ENTRIES_MAX} entries (TASK_ENTRIES_MAX): ` +
      'it can be done or reassigned, and nothing else';
    return stride.refuse('task.refused', message, { token: token.id });
  }
  ask(stride, token, input.ask);
}

/** What people could go on with for ever; everything else leads to the end of a task. */
const ENDLESS: ReadonlySet<TaskAsk['do']> = new Set([
  ...(['comment', 'attach', 'update', 'unclaim', 'delegate'] as const),
]);

/** The time of a task is over: its node says what comes of that. */
export function admitTaskTime(stride: Stride, token: Token): void {
  ask(stride, token, { do: 'timeout', by: NOBODY.late, groups: [] });
}

function ask(stride: Stride, token: Token, asked: TaskAsk): void {
  const { kind } = stride.spotOf(token.node);
  assert(kind.ask !== undefined, () => `${kind.kind} opens tasks, so it answers for them`);
  const answer = kind.ask(stride.placeOf(token), stride, asked);
  if (answer === 'same') return;
  if ('refuse' in answer) {
    const { code, message } = answer.refuse;
    return stride.refuse(code, message, { token: token.id, node: token.node });
  }
  const { entry, set, wakeAt, letters = [], done } = answer;
  const more = {
    ...(set === undefined ? {} : { set }),
    ...(wakeAt === undefined ? {} : { wakeAt }),
  };
  stride.record({ did: 'alter-task', token: token.id, entry, ...more });
  stride.trace = traceOf(token);
  for (const letter of letters) send(stride, letter);
  if (wakeAt !== undefined && wakeAt !== null) stride.hint({ do: 'alarm', at: wakeAt });
  if (done === undefined) return;
  const payload = { on: 'task', value: done } as unknown as Json;
  wakeWith(stride, token, { reason: 'resume', payload });
}
