/**
 * What a handler returned or threw, as the API takes it: by the rules that the engine has for its
 * own handlers, so that one can be moved out of it and stays as it is.
 */
import { type Duration, parseDuration } from '../base/duration.ts';
import { admitJson, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { ApiError } from './asking.ts';
import type { Execution } from './step.ts';

export interface Answer {
  readonly as: 'complete' | 'fail';
  readonly body: JsonObject;
}

/** The words by which `completed()` and its like are known. */
interface Became {
  readonly became?: unknown;
  readonly event?: unknown;
  readonly timeout?: unknown;
  readonly outbound?: unknown;
  readonly backoff?: unknown;
  readonly error?: unknown;
  readonly outcomes?: unknown;
  readonly data?: unknown;
}

export function answerOf(execution: Execution, returned: unknown): Answer {
  const { assigned } = execution;
  const isLink = 'context' in assigned;
  const isOther = isLink || assigned.activity !== undefined;
  const said: Became = isOther && typeof returned === 'object' ? (returned ?? {}) : {};
  const { event, timeout, outbound, backoff, error, outcomes, data } = said;
  const context = contextIn(execution);
  switch (said.became) {
    case 'waiting': {
      const waiting = { type: event, outbound, ...(timeout === null ? {} : { timeout }) };
      return complete({ waiting, ...context });
    }
    case 'retry': {
      const after = backoff === null ? {} : { retryAfter: backoff };
      return fail({ error: { code: 'chain.retry', message: error }, ...after, ...context });
    }
    case 'dead':
      return fail({ error: { code: 'chain.dead', message: error, fatal: true }, ...context });
    case 'outcomes':
      return complete({ outcomes, result: data, ...writesIn(execution) });
    case 'completed':
      return complete(isLink ? context : writesIn(execution));
    default:
      break;
  }
  if (!isLink) return complete({ result: returned ?? null, ...writesIn(execution) });
  if (returned === undefined || returned === null) return complete(context);
  const rule = 'a step of a chain returns completed(), waiting(…), retry(…), dead(…) or nothing';
  return fail({ error: { code: 'chain.bad-result', message: rule } });
}

function contextIn({ assigned, step }: Execution): { readonly context?: unknown } {
  const isSame = JSON.stringify(step.context) === JSON.stringify(assigned.context);
  return isSame ? {} : { context: step.context };
}

function writesIn({ writes }: Execution): { readonly set?: Execution['writes'] } {
  return writes.length === 0 ? {} : { set: writes };
}

/** What cannot be written as JSON fails the execution, as it does at home. */
function complete(body: object): Answer {
  const admitted = admitJson(body);
  if (admitted.ok) return { as: 'complete', body: admitted.value as JsonObject };
  const message = `an answer is JSON: ${admitted.problem}`;
  return fail({ error: { code: 'handler.result-not-json', message } });
}

function fail(body: object): Answer {
  const admitted = admitJson(body);
  const message = 'what went wrong cannot be written as JSON';
  const kept = admitted.ok ? admitted.value : { error: { message } };
  return { as: 'fail', body: kept as JsonObject };
}

/** The answer could not be kept over there: that is what went wrong. */
export function refusedAnswer({ code, message, details }: ApiError): Answer {
  const { code: inner } = details;
  return fail({ error: { code: typeof inner === 'string' ? inner : code, message } });
}

const MESSAGE_CHARS_MAX = 10_000;
const CODE_CHARS_MAX = 200;

/** `code`, `details`, `fatal` and `retryAfter` of what was thrown are honoured. */
export function failureOf(thrown: unknown): Answer {
  try {
    if (typeof thrown !== 'object' || thrown === null) {
      return fail({ error: { message: String(thrown).slice(0, MESSAGE_CHARS_MAX) } });
    }
    return fail({ error: errorIn(thrown), ...afterIn(Reflect.get(thrown, 'retryAfter')) });
  } catch {
    // A getter, a proxy or a toString of the stranger's threw while we looked at it.
    return fail({ error: { message: 'something unreadable was thrown' } });
  }
}

function errorIn(thrown: object): JsonObject {
  const [code, name, message] = ['code', 'name', 'message'].map((each) => {
    const value: unknown = Reflect.get(thrown, each);
    return typeof value === 'string' ? value : '';
  }) as [string, string, string];
  const isFatal = Reflect.get(thrown, 'fatal') === true;
  const named = name === '' || name === 'Error' || isFatal ? '' : `${name}: `;
  const details: Json = detailsOf(Reflect.get(thrown, 'details'));
  return {
    message: `${named}${message}`.slice(0, MESSAGE_CHARS_MAX),
    ...(code === '' ? {} : { code: code.slice(0, CODE_CHARS_MAX) }),
    ...(isJsonObject(details) ? { details } : {}),
    ...(isFatal ? { fatal: true } : {}),
  };
}

/** What an error says besides is kept if it can be. */
function detailsOf(details: unknown): Json {
  const admitted = admitJson(details);
  return admitted.ok ? admitted.value : null;
}

function afterIn(retryAfter: unknown): { readonly retryAfter?: Duration } {
  const isPlain = typeof retryAfter === 'string' || typeof retryAfter === 'number';
  if (!isPlain || !parseDuration(retryAfter).ok) return {};
  return { retryAfter };
}
