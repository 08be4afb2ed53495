/**
 * Fail: raises an error here.
 *
 * It is treated as any other that happens at this place: caught by the nearest node around it that
 * does, else undone and failed. The error is fixed in the definition or made by a closure, which
 * may hand on one that was caught.
 *
 * BPMN errorEndEvent · Serverless Workflow raise · builder .fail()
 */
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import { faultOf } from '../kernel/code.ts';
import type { NodeKind } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Fault } from '../model/instance.ts';
import { problem } from './settings.ts';

type Fail = { readonly error: JsonObject | null };
type Error = Omit<Fault, 'node'>;

const DEFAULT_CODE = 'flow.failed';

export const fail: NodeKind<Fail> = {
  kind: 'fail',

  compile(draft, wires) {
    const { error } = draft.settings;
    const problems: Diagnostic[] = [];
    if (wires.out.length > 0) {
      problems.push(problem(draft, 'has-outbound', `nothing leads out of "${draft.id}"`));
    }
    const read = error === undefined ? ok(null) : readError(error);
    if (!read.ok) problems.push(problem(draft, 'bad-error', `"${draft.id}": ${read.problem}`));
    if (!read.ok || problems.length > 0) return no(problems);
    const config = { error: read.value as JsonObject | null };
    return ok({ config, code: config.error === null ? ['error'] : [] });
  },

  enter(place, view) {
    const { error } = place.node.config;
    if (error !== null) return { move: 'fault', fault: error as unknown as Error };
    const made = view.call(place, 'error');
    if (!made.ok) return { move: 'fault', fault: made.problem };
    const read = readError(made.value);
    if (read.ok) return { move: 'fault', fault: faultOf(read.value, DEFAULT_CODE, view.limits) };
    const message = `"error" of "${place.node.id}": ${read.problem}`;
    return { move: 'fault', fault: { code: 'fail.bad-error', message } };
  },
};

/** A text is a message; an object has a code, a message, or both. */
function readError(value: Json): Result<Error, string> {
  if (typeof value === 'string') return ok({ code: DEFAULT_CODE, message: value });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return no(`an error is a text or { code, message, details }; came ${brief(value)}`);
  }
  const { code = DEFAULT_CODE, message = code, details = EMPTY, fatal } = value as JsonObject;
  if (typeof code !== 'string' || code === '' || typeof message !== 'string') {
    return no(`the code and the message of an error are texts; came ${brief(value)}`);
  }
  if (typeof details !== 'object' || details === null || Array.isArray(details)) {
    return no(`the details of an error are an object; came ${brief(details)}`);
  }
  const more = Object.keys(details).length === 0 ? {} : { details: details as JsonObject };
  return ok({ code, message, ...more, ...(fatal === true ? { fatal } : {}) });
}

function brief(value: Json): string {
  return JSON.stringify(value).slice(0, 80);
}
