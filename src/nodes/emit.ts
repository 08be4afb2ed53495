/**
 * Emit: publishes a message, as a program would, and goes on.
 *
 * The message is written down in the commit that passes this node and published after it, under an
 * id made of the instance: it is never lost, and whoever waits for it has it once. With `outbox` it
 * is also a letter for the world outside; then it needs no key, and without one nobody here has it.
 *
 * BPMN intermediateThrowEvent, endEvent (message, signal) · Serverless Workflow emit · builder
 * .emit()
 */
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { NodeKind, Place, View } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Fault } from '../model/instance.ts';
import type { Letter } from '../model/letter.ts';
import { keyFor, keyProblems, problem } from './settings.ts';

type Emit = {
  readonly type: string | null;
  readonly key: string | null;
  readonly data: Json;
  readonly keyCode?: true;
  readonly dataCode?: true;
  /** The closure `event` says all of it. */
  readonly eventCode?: true;
  /** It goes outside, too. */
  readonly outbox?: true;
};
type Here = Place<Emit>;

export const emit: NodeKind<Emit> = {
  kind: 'emit',

  compile(draft) {
    const { type = null, key = null, data = null, keyCode, dataCode, eventCode } = draft.settings;
    const { outbox } = draft.settings;
    const problems: Diagnostic[] = [];
    if (eventCode !== true && (typeof type !== 'string' || type === '')) {
      problems.push(problem(draft, 'no-type', `"${draft.id}" names the type of its message`));
    }
    problems.push(...keyProblems(draft, key));
    if (problems.length > 0) return no(problems);
    const config: Mutable<Emit> = { type, key, data } as Emit;
    if (outbox === true) config.outbox = true;
    const code: string[] = [];
    const asked = { key: keyCode, data: dataCode, event: eventCode };
    for (const slot of ['key', 'data', 'event'] as const) {
      if (asked[slot] !== true) continue;
      config[`${slot}Code`] = true;
      code.push(slot);
    }
    return ok({ config, code });
  },

  enter(place, view) {
    const made = place.node.config.eventCode === true ? askAll(place, view) : ask(place, view);
    if (!made.ok) return { move: 'fault', fault: made.problem };
    const { type, key, data } = made.value;
    const inside = key === null ? {} : { emit: { type, key, data } };
    const outside = place.node.config.outbox === true ? { letters: [made.value] } : {};
    return { move: 'take', edges: place.node.out, ...inside, ...outside };
  },
};

type Made = Result<Omit<Letter, 'id'>, Omit<Fault, 'node'>>;

function ask(place: Here, view: View): Made {
  const { type, key, keyCode, data, dataCode } = place.node.config;
  const by = keyOf(place, view, { key, keyCode: keyCode === true, what: type as string });
  if (!by.ok) return by;
  const brought = dataCode === true ? view.call(place, 'data') : ok(data);
  if (!brought.ok) return brought;
  return ok({ type: type as string, key: by.value, data: brought.value });
}

function askAll(place: Here, view: View): Made {
  const made = view.call(place, 'event');
  if (!made.ok) return made;
  const { value } = made;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const { type, key = null, data = null } = isObject ? (value as JsonObject) : EMPTY;
  const isType =
    typeof type === 'string' && type !== '' && type.length <= view.limits.KEY_CHARS_MAX;
  if (!isType || (key !== null && typeof key !== 'string')) {
    const rule = 'answers { type, key, data }, the first two texts (KEY_CHARS_MAX)';
    return no({ code: 'emit.bad-event', message: `"event" of "${place.node.id}" ${rule}` });
  }
  const by = keyOf(place, view, { key, keyCode: false, what: type });
  return by.ok ? ok({ type, key: by.value, data }) : by;
}

/** Null: there is none, and what goes outside needs none. */
function keyOf(
  place: Here,
  view: View,
  node: { readonly key: string | null; readonly keyCode: boolean; readonly what: string },
): Result<string | null, Omit<Fault, 'node'>> {
  const hasNone = !node.keyCode && (node.key ?? view.key) === null;
  if (hasNone && place.node.config.outbox === true) return ok(null);
  return keyFor(place, view, { ...node, slot: 'key' });
}
