/**
 * What tasks and approvals are given, as their author writes it. Whoever draws a flow, whoever
 * compiles it and whoever opens a task read it by the same functions, so that what is wrong is said
 * in the same words, early or late: a closure may answer wrongly only when a token has come.
 */
import { type Duration, parseDuration } from '../base/duration.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Instant } from './ids.ts';
import type { ApprovalRule, Candidates, Seat, TimeoutAction } from './task.ts';

type Read<Value> = Result<Value, string>;
/** A problem is what the part has to be. `now` is when its task opens. */
export type Reader = (value: Json, now: Instant) => Read<unknown>;
export type Readers = Readonly<Record<string, Reader>>;

/** Names stand in indexes of the database, which keeps no half of a surrogate pair. */
const NAME_CHARS_MAX = 250;
const HALF_A_PAIR = /\p{Surrogate}/u;

const COMMON: Readers = {
  title: (value) => (typeof value === 'string' ? ok(value) : no('is a text')),
  data: (value) => ok(value),
  priority: (value) => (Number.isSafeInteger(value) ? ok(value) : no('is a whole number')),
  due: readMoment,
  followUp: readMoment,
};

/** Each is fixed in the definition, or made by a closure when a token comes. */
export const TASK_PARTS: Readers = {
  ...COMMON,
  assignee: readName,
  candidates: readCandidates,
  form: (value): Read<JsonObject> =>
    isJsonObject(value) ? ok(value) : no('is a JSON Schema, as an object'),
};

/** Likewise. */
export const APPROVAL_PARTS: Readers = {
  ...COMMON,
  approvers: readSlate,
  submitter: readName,
  timeout: readTimeout,
};

/** What an approval is told once, by its definition. */
export interface ApprovalWays {
  readonly rule: ApprovalRule;
  readonly onEmpty: 'wait' | 'fail' | 'approve';
  readonly onTimeout: TimeoutAction;
  readonly onReject: 'continue' | 'fail';
  /** How often it may be sent back. */
  readonly revisions: number;
}

export const APPROVAL_WAYS: {
  readonly [Way in keyof ApprovalWays]: (value: Json) => Read<ApprovalWays[Way]>;
} = {
  rule: readRule,
  onEmpty: oneOf(['wait', 'fail', 'approve']),
  onTimeout: readTimeoutAction,
  onReject: oneOf(['continue', 'fail']),
  revisions: readRevisions,
};

/** In so many words: what is wrong with a part, and what came instead. */
export function badPart(node: string, name: string, rule: string, came: Json): string {
  return `"${name}" of "${node}" ${rule}; came ${JSON.stringify(came).slice(0, 80)}`;
}

function readName(value: Json): Read<string> {
  const isText = typeof value === 'string' && value !== '' && value.length <= NAME_CHARS_MAX;
  const isName = isText && !HALF_A_PAIR.test(value);
  return isName ? ok(value) : no(`is a name of 1 to ${NAME_CHARS_MAX} characters`);
}

/** So long from now, or a moment as `{ at }` in milliseconds since 1970. */
function readMoment(value: Json, now: Instant): Read<Instant> {
  const { at, ...more } = isJsonObject(value) ? value : {};
  const isMoment = Number.isSafeInteger(at) && Object.keys(more).length === 0;
  if (isMoment) return ok(at as Instant);
  const ms = parseDuration(value as Duration);
  if (ms.ok) return ok((now + ms.value) as Instant);
  return no(`is a duration such as '3d', or a moment as { at: ms since 1970 }`);
}

function readTimeout(value: Json): Read<number> {
  const ms = parseDuration(value as Duration);
  return ms.ok && ms.value > 0 ? ms : no(`is a duration such as '7d', longer than 0`);
}

/** Names of people or groups; or which of them are which. That nobody may is never meant. */
function readCandidates(value: Json): Read<Candidates> {
  const rule = 'are names of people or groups, or { users, groups }';
  if (Array.isArray(value)) return fromSome(readNames(value), (any) => ({ any }));
  if (!isJsonObject(value)) return no(rule);
  const made: Mutable<Candidates> = {};
  for (const [name, list] of Object.entries(value)) {
    if (name !== 'users' && name !== 'groups') return no(rule);
    const names = readNames(list);
    if (!names.ok) return names;
    made[name] = names.value;
  }
  const { users = [], groups = [] } = made;
  return fromSome(ok([...users, ...groups]), () => made);
}

function fromSome<Made>(
  names: Read<readonly string[]>,
  make: (names: readonly string[]) => Made,
): Read<Made> {
  if (!names.ok) return names;
  if (names.value.length > 0) return ok(make(names.value));
  return no('name somebody; leave them out, or null, if anyone may claim it');
}

/** Who has a say. One name counts once in a group. */
export interface Slate {
  readonly seats: readonly Seat[];
  /** Groups that were named and have nobody. */
  readonly vacant: readonly string[];
}

/** Names; or names by group, where each group must agree. */
function readSlate(value: Json): Read<Slate> {
  if (Array.isArray(value)) {
    const names = readNames(value);
    return names.ok ? ok({ seats: names.value.map((name) => ({ name })), vacant: [] }) : names;
  }
  if (!isJsonObject(value)) return no('are names, or names by group');
  const seats: Seat[] = [];
  const vacant: string[] = [];
  for (const [group, list] of Object.entries(value)) {
    const names = readNames(list);
    if (!names.ok) return names;
    if (!readName(group).ok) return no(`are in groups with names of 1 to ${NAME_CHARS_MAX}`);
    if (names.value.length === 0) vacant.push(group);
    seats.push(...names.value.map((name) => ({ name, group })));
  }
  return ok({ seats, vacant });
}

function readNames(value: Json): Read<readonly string[]> {
  const isList = Array.isArray(value) && value.every((one) => readName(one as Json).ok);
  if (!isList) return no(`are a list of names of 1 to ${NAME_CHARS_MAX} characters`);
  return ok([...new Set(value as readonly string[])]);
}

function readRule(value: Json): Read<ApprovalRule> {
  if (value === 'first') return ok({ need: 1, per: 'all' });
  if (value === 'unanimous') return ok({ need: 'all', per: 'all' });
  const { atLeast, perGroup, reject = 'ends', ...more } = isJsonObject(value) ? value : {};
  const need = atLeast ?? (perGroup === true ? 1 : perGroup);
  const isOne = (atLeast === undefined) !== (perGroup === undefined);
  const isCount = Number.isSafeInteger(need) && (need as number) >= 1;
  const isKnown = Object.keys(more).length === 0 && (reject === 'ends' || reject === 'counts');
  if (!isOne || !isCount || !isKnown) {
    const rules = `'first', 'unanimous', { atLeast: n } or { perGroup: n } with n from 1`;
    return no(`is ${rules}, where a reject: 'ends' it or 'counts'`);
  }
  const per = atLeast === undefined ? 'group' : 'all';
  const counted = reject === 'counts' ? { rejectCounts: true as const } : {};
  return ok({ need: need as number, per, ...counted });
}

function readTimeoutAction(value: Json): Read<TimeoutAction> {
  const way = TIMEOUT_WAYS.find((one) => one === value);
  if (way !== undefined) return ok({ do: way });
  const [entry, ...more] = isJsonObject(value) ? Object.entries(value) : [];
  const [verb, to] = entry ?? [null, null];
  const slate = readSlate(to);
  const isVerb = verb === 'reassign' || verb === 'escalate';
  const isSomebody = slate.ok && slate.value.seats.length > 0 && slate.value.vacant.length === 0;
  if (isVerb && more.length === 0 && isSomebody) return ok({ do: verb, to: slate.value.seats });
  const ways = TIMEOUT_WAYS.map((one) => `'${one}'`).join(', ');
  return no(`is ${ways}, { reassign: [names] } or { escalate: [names] }`);
}

const TIMEOUT_WAYS = ['note', 'notify', 'approve', 'reject'] as const;

function oneOf<Word extends string>(words: readonly Word[]): (value: Json) => Read<Word> {
  return (value) => {
    const word = words.find((one) => one === value);
    const list = words.map((one) => `'${one}'`).join(', ');
    return word === undefined ? no(`is one of ${list}`) : ok(word);
  };
}

function readRevisions(value: Json): Read<number> {
  const isCount = Number.isSafeInteger(value) && (value as number) >= 0;
  return isCount ? ok(value as number) : no('is a whole number, 0 for none');
}
