/** Which errors a `catch` is for, and when what failed is tried again. */
import { chanceOf } from '../../base/chance.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { no, ok, type Result } from '../../base/result.ts';
import type { Place, View } from '../../kernel/kind.ts';
import type { CatchConfig, RetryPolicy, Template } from '../../model/serverless.ts';
import { standardKind } from '../../model/workflow-error.ts';
import { type Evaluated, fill, holds, type Scene } from './expression.ts';
import { durationMs } from './moments.ts';
import type { Trouble } from './trouble.ts';

/** Whether it is caught, as far as the filter and the two conditions are asked. */
export function catches(
  { errors, when, exceptWhen }: CatchConfig,
  error: JsonObject,
  scene: Scene,
): Evaluated<boolean> {
  if (errors !== undefined && !matches(errors, error)) return ok(false);
  return allowed({ when, exceptWhen }, error, scene);
}

interface Conditions {
  readonly when: string | undefined;
  readonly exceptWhen: string | undefined;
}

function allowed({ when, exceptWhen }: Conditions, error: Json, scene: Scene): Evaluated<boolean> {
  const is = when === undefined ? ok(true) : holds(when, scene, error);
  if (!is.ok || !is.value || exceptWhen === undefined) return is;
  const isNot = holds(exceptWhen, scene, error);
  return isNot.ok ? ok(!isNot.value) : isNot;
}

/** Every member that is given must be the same; a standard type is the same in all families. */
function matches(wanted: JsonObject, error: JsonObject): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const member = name === 'details' ? 'detail' : name;
    if (error[member] === value) return true;
    if (member !== 'type' || typeof value !== 'string') return false;
    const [kind, { type }] = [standardKind(value), error];
    return kind !== undefined && typeof type === 'string' && kind === standardKind(type);
  });
}

/**
 * How long to wait before the next try; null if there is none. `failures` counts this one, and
 * `sinceMs` is how long all attempts have taken together.
 */
export function pauseBefore(
  policy: RetryPolicy,
  { failures, sinceMs }: { readonly failures: number; readonly sinceMs: number },
  asked: { readonly error: JsonObject; readonly input: Json; readonly scene: Scene },
  { place, view }: { readonly place: Place<unknown>; readonly view: View },
): Result<number | null, Trouble> {
  const { when, exceptWhen, count = Infinity, within } = policy;
  const { RETRY_DELAY_MS_MIN, RETRY_DELAY_MS_MAX, RETRIES_MAX } = view.limits;
  if (failures > Math.min(count, RETRIES_MAX)) return ok(null);
  const worth = allowed({ when, exceptWhen }, asked.error, asked.scene);
  if (!worth.ok) return worth;
  if (!worth.value) return ok(null);
  const length = (template: Template | undefined): Result<number, Trouble> => {
    if (template === undefined) return ok(0);
    const value = fill(template, asked.scene, asked.input);
    if (!value.ok) return value;
    const ms = durationMs(value.value, view.now);
    return ms.ok ? ms : no({ kind: 'expression', detail: ms.problem });
  };
  const delay = length(policy.delay);
  if (!delay.ok) return delay;
  const spread = jitter(policy, length, `${view.instance}/${place.token.id}/${failures}`);
  if (!spread.ok) return spread;
  const factor = FACTORS[policy.backoff ?? 'constant'](failures);
  const wanted = delay.value === 0 ? 0 : delay.value * factor;
  const ms = Math.min(wanted + spread.value, RETRY_DELAY_MS_MAX);
  // What fails at once and is tried for ever must not fail a thousand times a second.
  const pause = count === Infinity ? Math.max(Math.round(ms), RETRY_DELAY_MS_MIN) : Math.round(ms);
  if (within === undefined) return ok(pause);
  const whole = length(within);
  if (!whole.ok) return whole;
  return ok(sinceMs + pause > whole.value ? null : pause);
}

/** By the number of the failure, from 1. */
const FACTORS = {
  constant: () => 1,
  linear: (n: number) => n,
  exponential: (n: number) => 2 ** (n - 1),
} as const;

/** Anything between the two, drawn from the token: the same run makes the same pauses. */
function jitter(
  { jitter: range }: RetryPolicy,
  length: (template: Template) => Result<number, Trouble>,
  seed: string,
): Result<number, Trouble> {
  if (range === undefined) return ok(0);
  const from = length(range.from);
  if (!from.ok) return from;
  const to = length(range.to);
  if (!to.ok) return to;
  if (from.value > to.value) {
    const detail = `jitter goes from less to more; came ${from.value} to ${to.value} ms`;
    return no({ kind: 'configuration', detail });
  }
  return ok(from.value + (to.value - from.value) * chanceOf(seed));
}
