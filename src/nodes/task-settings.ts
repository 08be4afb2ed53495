/**
 * What a task or an approval is given: each part is fixed in the definition or made by a closure
 * when a token comes. Both are read by the same functions, so what is wrong is said alike, as a
 * diagnostic or as a fault.
 */
import { type Duration, parseDuration } from '../base/duration.ts';
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Move, Place, View } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { Instant } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import type { Candidates, Seat, Task } from '../model/task.ts';
import { problem } from './settings.ts';

/** The parts that are fixed, and the names of those that closures make. */
export type Given = {
  readonly fixed: JsonObject;
  readonly asks: readonly string[];
};

type Read<Value> = Result<Value, string>;

/** Fixed parts are checked here already; what closures make is checked when it is there. */
export function compileGiven(draft: DraftNode, readers: Readers, problems: Diagnostic[]): Given {
  const { fixed = EMPTY, asks = [] } = draft.settings;
  for (const [name, value] of Object.entries(fixed as JsonObject)) {
    const badly = readers[name]?.(value, 0 as Instant);
    if (badly === undefined || badly.ok) continue;
    const message = `"${name}" of "${draft.id}" ${badly.problem}`;
    problems.push(problem(draft, `bad-${name}`, message));
  }
  return { fixed: fixed as JsonObject, asks: asks as readonly string[] };
}

/** All parts as they are for this token: what is null or left out is not there. */
function givenFor(
  place: Place<Given>,
  view: View,
  readers: Readers,
): Result<Readonly<Record<string, unknown>>, Omit<Fault, 'node'>> {
  const { node } = place;
  const parts: Record<string, unknown> = {};
  const given: Record<string, Json> = { ...node.config.fixed };
  for (const slot of node.config.asks) {
    const made = view.call(place, slot);
    if (!made.ok) return made;
    given[slot] = made.value;
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    const read = readers[name]?.(value, view.now);
    if (read === undefined) continue;
    if (!read.ok) {
      const message = `"${name}" of "${node.id}" ${read.problem}`;
      return no({ code: `${node.kind}.bad-${name}`, message });
    }
    parts[name] = read.value;
  }
  return ok(parts);
}

/** A token comes: the task is opened from its parts, or they are wrong. */
export function opening(
  place: Place<Given>,
  view: View,
  readers: Readers,
  open: (parts: Readonly<Record<string, unknown>>) => Move,
): Move {
  const given = givenFor(place, view, readers);
  return given.ok ? open(given.value) : { move: 'fault', fault: given.problem };
}

type Reader = (value: Json, now: Instant) => Read<unknown>;
export type Readers = Readonly<Record<string, Reader>>;

/** Names stand in indexes of the database. */
const NAME_CHARS_MAX = 250;

/** What tasks and approvals have in common. */
export const COMMON: Readers = {
  title: (value) => (typeof value === 'string' ? ok(value) : no('is a text')),
  data: (value) => ok(value),
  priority: (value) => (Number.isSafeInteger(value) ? ok(value) : no('is a whole number')),
  due: readMoment,
  followUp: readMoment,
};

export function readName(value: Json): Read<string> {
  const isName = typeof value === 'string' && value !== '' && value.length <= NAME_CHARS_MAX;
  return isName ? ok(value) : no(`is a name of 1 to ${NAME_CHARS_MAX} characters`);
}

/** So long from now, or a moment as `{ at }` in milliseconds since 1970. */
function readMoment(value: Json, now: Instant): Read<Instant> {
  if (isObject(value)) {
    const { at } = value;
    return Number.isSafeInteger(at) ? ok(at as Instant) : no('has its moment as { at: ms }');
  }
  const ms = parseDuration(value as Duration);
  return ms.ok ? ok((now + ms.value) as Instant) : no(`is a duration or { at: ms }: ${ms.problem}`);
}

export function readTimeout(value: Json): Read<number> {
  const ms = parseDuration(value as Duration);
  if (!ms.ok) return no(`is a duration: ${ms.problem}`);
  return ms.value > 0 ? ms : no('is more than nothing');
}

/** Names of people or groups; or which of them are which. */
export function readCandidates(value: Json): Read<Candidates> {
  if (Array.isArray(value)) {
    const names = readNames(value);
    return names.ok ? ok({ any: names.value }) : names;
  }
  if (!isObject(value)) return no('are names, or { users, groups }');
  const made: Mutable<Candidates> = {};
  for (const [name, list] of Object.entries(value)) {
    if (name !== 'users' && name !== 'groups') return no(`has no "${name}": users and groups`);
    const names = readNames(list);
    if (!names.ok) return names;
    made[name] = names.value;
  }
  return ok(made);
}

/** Names; or names by group, where each group must agree. One name counts once in a group. */
export function readSeats(value: Json): Read<readonly Seat[]> {
  if (Array.isArray(value)) {
    const names = readNames(value);
    return names.ok ? ok(names.value.map((name) => ({ name }))) : names;
  }
  if (!isObject(value)) return no('are names, or names by group');
  const seats: Seat[] = [];
  for (const [group, list] of Object.entries(value)) {
    const names = readNames(list);
    if (!names.ok) return names;
    seats.push(...names.value.map((name) => ({ name, group })));
  }
  return ok(seats);
}

function readNames(value: Json): Read<readonly string[]> {
  const isList = Array.isArray(value) && value.every((one) => readName(one as Json).ok);
  if (!isList) return no(`are a list of names of 1 to ${NAME_CHARS_MAX} characters`);
  return ok([...new Set(value as readonly string[])]);
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Base = Pick<Task, 'title' | 'data' | 'priority' | 'due' | 'followUp'>;

/** The common parts of a task that were given. */
export function baseOf(parts: Readonly<Record<string, unknown>>): Base {
  const names = Object.keys(COMMON).filter((name) => parts[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, parts[name]]));
}
