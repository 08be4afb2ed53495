/**
 * Which events a filter is for.
 *
 * An attribute is the very same, or fits as a pattern from its beginning to its end; an expression
 * is asked with the attribute as its input. Data that is an object must have those members, to any
 * depth. Correlation keys are made of the event; what they are to be is said by the filter, or by
 * the first event that fits.
 */
import { isJsonObject, type Json, type JsonObject, sameJson } from '../../base/json.ts';
import { no, ok } from '../../base/result.ts';
import { compileJq } from '../../expressions/jq/jq.ts';
import {
  type Correlation,
  type EventFilter,
  isPattern,
  type Template,
} from '../../model/serverless.ts';
import { type Evaluated, evaluate, fill, type Scene } from './expression.ts';

/** The correlation keys with those that the event fixes, as `keys`; null if it does not fit. */
export function fit(
  { with: wanted, correlate }: EventFilter,
  event: JsonObject,
  keys: JsonObject,
  scene: Scene,
): Evaluated {
  for (const [name, template] of wanted) {
    const attribute = Object.hasOwn(event, name) ? (event[name] as Json) : null;
    const is = fits(template, attribute, scene);
    if (!is.ok) return is;
    if (!is.value) return ok(null);
  }
  return related(correlate, event, keys, scene);
}

/** The keys with those that this event fixes; null if it has another of one. */
function related(
  correlate: readonly Correlation[],
  event: JsonObject,
  keys: JsonObject,
  scene: Scene,
): Evaluated {
  // By name, whatever the author calls a key: every object has a "constructor".
  const fixed = new Map<string, Json>(Object.entries(keys));
  for (const { key, from, expect } of correlate) {
    const came = evaluate(from, scene, event);
    if (!came.ok) return came;
    // What has no value is related to nothing.
    if (came.value === null) return ok(null);
    const known = fixed.get(key) ?? came.value;
    const wanted = expect === undefined ? ok(known) : fill(expect, scene, inputOf(scene));
    if (!wanted.ok) return wanted;
    if (!sameJson(came.value, wanted.value)) return ok(null);
    fixed.set(key, came.value);
  }
  return ok({ keys: Object.fromEntries(fixed) });
}

function inputOf(scene: Scene): Json {
  return scene.variable('input');
}

function fits(template: Template, attribute: Json, scene: Scene): Evaluated<boolean> {
  if ('jq' in template) {
    const answer = evaluate(template.jq, scene, attribute);
    if (!answer.ok) return answer;
    const { value } = answer;
    // A condition, or the value that is wanted.
    if (typeof value === 'boolean' && typeof attribute !== 'boolean') return ok(value);
    return ok(sameJson(attribute, value));
  }
  const wanted = fill(template, scene, attribute);
  if (!wanted.ok) return wanted;
  return has(attribute, wanted.value);
}

/** The same, or an object with at least those members, or a text that fits the pattern. */
function has(value: Json, wanted: Json): Evaluated<boolean> {
  if (isJsonObject(wanted)) {
    if (!isJsonObject(value)) return ok(false);
    for (const [name, part] of Object.entries(wanted)) {
      const is = Object.hasOwn(value, name) ? has(value[name] as Json, part) : ok(false);
      if (!is.ok || !is.value) return is;
    }
    return ok(true);
  }
  if (sameJson(value, wanted)) return ok(true);
  if (typeof wanted !== 'string' || typeof value !== 'string') return ok(false);
  return isPattern(wanted) ? matches(value, wanted) : ok(false);
}

const TEST = compileJq('. as [$text, $pattern] | $text | test("^(?:" + $pattern + ")$")');

/** Patterns are matched by the engine that pays for what it does, as those of expressions are. */
function matches(text: string, pattern: string): Evaluated<boolean> {
  if (!TEST.ok) return ok(false);
  const ran = TEST.value.run([text, pattern]);
  if (ran.ok) return ok(ran.value[0] === true);
  // A text that is no pattern was meant as it is.
  if (ran.problem.code === 'jq.error') return ok(false);
  return no({ kind: 'expression', detail: `the pattern "${pattern}": ${ran.problem.message}` });
}
