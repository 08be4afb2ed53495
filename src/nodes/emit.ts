/**
 * Emit: publishes a message, as a program would, and goes on.
 *
 * The message is written down in the commit that passes this node and published after it, under an
 * id made of the instance: it is never lost, and whoever waits for it has it once.
 *
 * BPMN intermediateThrowEvent, endEvent (message, signal) · Serverless Workflow emit · builder
 * .emit()
 */
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Emission, NodeKind, Place, View } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Fault } from '../model/instance.ts';
import { keyFor, keyProblems, problem } from './settings.ts';

type Emit = {
  readonly type: string | null;
  readonly key: string | null;
  readonly data: Json;
  readonly keyCode?: true;
  readonly dataCode?: true;
  /** The closure `event` says all of it. */
  readonly eventCode?: true;
};
type Here = Place<Emit>;

export const emit: NodeKind<Emit> = {
  kind: 'emit',

  compile(draft) {
    const { type = null, key = null, data = null, keyCode, dataCode, eventCode } = draft.settings;
    const problems: Diagnostic[] = [];
    if (eventCode !== true && (typeof type !== 'string' || type === '')) {
      problems.push(problem(draft, 'no-type', `"${draft.id}" names the type of its message`));
    }
    problems.push(...keyProblems(draft, key));
    if (problems.length > 0) return no(problems);
    const config: Mutable<Emit> = { type, key, data } as Emit;
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
    return { move: 'take', edges: place.node.out, emit: made.value };
  },
};

type Made = Result<Emission, Omit<Fault, 'node'>>;

function ask(place: Here, view: View): Made {
  const { type, key, keyCode, data, dataCode } = place.node.config;
  const by = keyFor(place, view, {
    key,
    keyCode: keyCode === true,
    what: type as string,
    slot: 'key',
  });
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
  const by = keyFor(place, view, { key, keyCode: false, what: type, slot: 'key' });
  return by.ok ? ok({ type, key: by.value, data }) : by;
}
