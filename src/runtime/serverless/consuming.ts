/** Messages of a subscription: which of them are consumed, and until when, is asked for each. */
import { EMPTY, type Json, type JsonObject } from '../../base/json.ts';
import { subscribeAsyncApi } from '../../calls/asyncapi/subscribe.ts';
import type { Calling } from '../../calls/calling.ts';
import { COUNT, type FetchConfig, SINCE, STATE, type Template } from '../../model/serverless.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { fill, holds } from '../../nodes/serverless/expression.ts';
import { durationMs } from '../../nodes/serverless/moments.ts';
import type { TaskScene } from '../../nodes/serverless/scene.ts';
import type { CallContext } from './handler.ts';

/** One round: what it brings, and what the next one must know. */
export async function consume(
  calling: Calling,
  args: JsonObject,
  { node, config, vars, head, now }: CallContext & { readonly config: FetchConfig },
  scene: TaskScene,
): Promise<Json> {
  const { filter, while: during, until, amount, for: within } = config.consume;
  const asks =
    (text: string) =>
    (message: Json): boolean => {
      const answer = holds(text, scene, message);
      if (answer.ok) return answer.value;
      const { kind, ...parts } = answer.problem;
      throw new WorkflowError(kind, parts);
    };
  const since = (vars[SINCE] ?? now) as number;
  // What is asked for each message is no argument any more; that there is a subscription still is.
  const whole = { ...args, subscription: EMPTY };
  const { messages, done, state } = await subscribeAsyncApi(calling, whole, {
    accept: filter === undefined ? () => true : asks(filter),
    ...(during === undefined ? {} : { while: asks(during) }),
    ...(until === undefined ? {} : { until: asks(until) }),
    ...(amount === undefined ? {} : { amount: countOf(amount, scene, calling.input) }),
    ...(within === undefined
      ? {}
      : { forMs: leftOf(within, scene, calling.input, { now, since }) }),
    // What is done for one message may decide whether there is another.
    ...(config.feeds === undefined ? {} : { max: 1 }),
    ...{ known: (vars[COUNT] ?? 0) as number, state: vars[STATE] ?? null },
    session: `${head.id}${node}@${since}`,
  });
  return { messages, done, state };
}

function countOf(template: Template, scene: TaskScene, input: Json): number {
  const value = fill(template, scene, input);
  if (value.ok && Number.isSafeInteger(value.value) && (value.value as number) >= 0) {
    return value.value as number;
  }
  const detail = value.ok ? '"amount" is a whole number' : value.problem.detail;
  throw new WorkflowError('expression', { detail });
}

/** What earlier rounds have left of the time. */
function leftOf(
  template: Template,
  scene: TaskScene,
  input: Json,
  { now, since }: { readonly now: number; readonly since: number },
): number {
  const value = fill(template, scene, input);
  const ms = value.ok ? durationMs(value.value, since) : value;
  if (ms.ok) return Math.max(ms.value - (now - since), 0);
  const { problem } = ms;
  const detail = typeof problem === 'string' ? problem : problem.detail;
  throw new WorkflowError('expression', { detail });
}
