/**
 * What an application's kind answered, as a move of the kernel's. Whatever does not read as one of
 * the four is a fault that nobody catches: the kind is wrong, and not what it was given.
 */
import { type Duration, parseDuration } from '../base/duration.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { meant } from '../base/nearest.ts';
import { no, ok, type Result } from '../base/result.ts';
import { cut } from '../kernel/code.ts';
import type { Move, Place, View, Write } from '../kernel/kind.ts';
import { isReserved } from '../kernel/reserved.ts';
import { ANY } from '../model/awaited.ts';
import type { CustomKind } from '../model/custom-kind.ts';
import type { EdgeId, Instant } from '../model/ids.ts';
import type { Fault, KindWait, Wait } from '../model/instance.ts';
import type { Letter } from '../model/letter.ts';

export type Asked<Value> = Result<Value, Omit<Fault, 'node'>>;
export type Ways = Readonly<Record<string, EdgeId>>;
export type Paused = Pick<KindWait, 'name' | 'data'>;

interface Asker {
  readonly own: Pick<CustomKind, 'kind' | 'pauses' | 'wakes'>;
  readonly node: Place<unknown>['node'];
  readonly view: View;
}

interface Mover extends Asker {
  readonly token: Place['token'];
  readonly ways: Ways | undefined;
}

type Read<Value> = Result<Value, string>;
type Unsent = readonly Omit<Letter, 'id'>[];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  go: ['result', 'way', 'vars', 'in', 'outbound'],
  pause: ['name', 'data', 'event', 'key', 'timeout', 'until', 'outbound'],
  fault: ['code', 'message', 'details'],
  end: ['output', 'outbound'],
};

/** `parting` says what is to be sent when a pause is over. */
export function moveFor(
  answer: Json,
  mover: Mover,
  parting: (paused: Paused) => Asked<KindWait['leave']>,
): Move {
  const wrong = shapeProblem(answer);
  if (wrong !== undefined) return bad(mover, wrong);
  const { move, ...said } = answer as JsonObject;
  if (move === 'fault') return faultFor(said, mover);
  const letters = lettersOf(said['outbound'] ?? [], mover);
  if (!letters.ok) return bad(mover, letters.problem);
  const outbound = letters.value.length === 0 ? {} : { letters: letters.value };
  if (move === 'pause') return pauseFor(said, outbound, mover, parting);
  const taken = move === 'go' ? goFor(said, mover) : ok(endFor(said));
  return taken.ok ? { ...taken.value, ...outbound } : bad(mover, taken.problem);
}

function shapeProblem(answer: Json): string | undefined {
  const { move = null } = isJsonObject(answer) ? answer : {};
  const fields = typeof move === 'string' && Object.hasOwn(FIELDS, move) ? FIELDS[move] : undefined;
  if (fields === undefined) {
    const came = cut(JSON.stringify(answer), 60);
    return `answers with go(…), pause(…), fault(…) or end(…); came ${came}`;
  }
  const stray = Object.keys(answer as JsonObject).find((f) => f !== 'move' && !fields.includes(f));
  return stray && `answered with a "${stray}" that no such move has; ${meant(stray, fields)}`;
}

function bad({ own, node }: Asker, problem: string): Move {
  return { move: 'fault', fault: badMove(own, node, problem) };
}

function badMove(
  { kind }: Pick<CustomKind, 'kind'>,
  { id }: Asker['node'],
  problem: string,
): Omit<Fault, 'node'> {
  return { code: 'kind.bad-move', message: `"${kind}" at "${id}" ${problem}`, guard: true };
}

type Take = Extract<Move, { move: 'take' }>;

function goFor({ result = null, way, vars = {}, in: where }: JsonObject, mover: Mover): Read<Take> {
  const { node } = mover;
  if (where !== undefined && where !== 'scope' && where !== 'instance') {
    return no(`sets variables in 'scope' or in 'instance'; came ${JSON.stringify(where)}`);
  }
  if (!isJsonObject(vars)) return no('sets variables by name, as an object');
  const odd = Object.keys(vars).find((name) => !isVariable(name));
  if (odd !== undefined) return no(`sets "${cut(odd, 60)}", which is no name of a variable`);
  const edges = edgesFor(way, mover);
  if (!edges.ok) return edges;
  const writes: Write[] = [{ in: 'scope', space: 'results', name: node.id, value: result }];
  for (const [name, value] of Object.entries(vars)) {
    writes.push({ in: where ?? 'scope', space: 'vars', name, value });
  }
  return ok({ move: 'take', edges: edges.value, writes });
}

/** Names stand in an index of the database. */
const VARIABLE_NAME_CHARS_MAX = 500;

function isVariable(name: string): boolean {
  const isName = name !== '' && name.length <= VARIABLE_NAME_CHARS_MAX;
  return isName && name !== '__proto__' && !isReserved(name);
}

function edgesFor(way: Json | undefined, { node, ways }: Mover): Read<readonly EdgeId[]> {
  if (ways === undefined) {
    return way === undefined ? ok(node.out) : no(`has no ways with names; came ${show(way)}`);
  }
  const names = Object.keys(ways);
  if (way === undefined) return no(`says by which way it goes on: ${names.join(', ')}`);
  const edge = typeof way === 'string' && Object.hasOwn(ways, way) ? ways[way] : undefined;
  if (edge !== undefined) return ok([edge]);
  return no(`has no way ${show(way)}; ${meant(typeof way === 'string' ? way : '', names)}`);
}

function show(value: Json): string {
  return cut(JSON.stringify(value), 60);
}

function endFor({ output }: JsonObject): Take {
  return { move: 'take', edges: [], ...(output === undefined ? {} : { output }) };
}

function faultFor({ code, message, details }: JsonObject, mover: Mover): Move {
  const isCode = typeof code === 'string' && code !== '' && code.length <= 200;
  if (!isCode || typeof message !== 'string') return bad(mover, 'faults with a code and a message');
  if (details !== undefined && !isJsonObject(details)) {
    return bad(mover, 'faults with details as an object, if any');
  }
  const { FAULT_CHARS_MAX } = mover.view.limits;
  const more = details === undefined ? {} : { details };
  return { move: 'fault', fault: { code, message: cut(message, FAULT_CHARS_MAX), ...more } };
}

function pauseFor(
  said: JsonObject,
  outbound: { readonly letters?: Unsent },
  mover: Mover,
  parting: (paused: Paused) => Asked<KindWait['leave']>,
): Move {
  const { own, node } = mover;
  if (own.pauses !== true) {
    const rule = 'its kind does not say { pauses: true }';
    const message = `"${own.kind}" at "${node.id}" pauses, and ${rule}`;
    return { move: 'fault', fault: { code: 'kind.may-not-pause', message, guard: true } };
  }
  const read = readPause(said, mover);
  if (!read.ok) return bad(mover, read.problem);
  const leave = parting(read.value.paused);
  if (!leave.ok) return { move: 'fault', fault: leave.problem };
  const { on, paused, wakeAt } = read.value;
  const wait = {
    ...on,
    ...paused,
    ...(own.wakes === 'any' ? {} : { gated: true }),
    ...(leave.value === undefined ? {} : { leave: leave.value }),
  } as Wait;
  return { move: 'park', wait, ...(wakeAt === undefined ? {} : { wakeAt }), ...outbound };
}

interface ReadPause {
  readonly on: Pick<Wait, 'on'>;
  readonly paused: Paused;
  readonly wakeAt?: Instant;
}

function readPause(said: JsonObject, { node, view }: Mover): Read<ReadPause> {
  const { name = node.id, data, event, key = view.key, timeout, until } = said;
  if (!isText(name, NAME_CHARS_MAX))
    return no(`pauses by a name of 1 to ${NAME_CHARS_MAX} letters`);
  const paused = { name, ...(data === undefined ? {} : { data }) };
  if (until !== undefined) {
    if (event !== undefined || timeout !== undefined) {
      return no('pauses until a moment, or for an event or with a timeout, and not both');
    }
    if (!Number.isSafeInteger(until)) return no('pauses until a moment in ms since 1970');
    return ok({ on: { on: 'time' }, paused, wakeAt: until as Instant });
  }
  const time = timeout === undefined ? ok(undefined) : parseDuration(timeout as Duration);
  if (!time.ok) return no(`pauses with a timeout that is a duration: ${time.problem}`);
  const limited = time.value === undefined ? {} : { wakeAt: (view.now + time.value) as Instant };
  if (event === undefined) return ok({ on: { on: 'signal' }, paused, ...limited });
  const { KEY_CHARS_MAX } = view.limits;
  if (!isText(event, KEY_CHARS_MAX) || !isText(key, KEY_CHARS_MAX) || key === ANY) {
    const rule = `texts of 1 to KEY_CHARS_MAX ${KEY_CHARS_MAX} characters, and not "${ANY}"`;
    return no(`pauses for an event by its type and its key, or the business key, ${rule}`);
  }
  return ok({ on: { on: 'message', type: event, key } as Wait, paused, ...limited });
}

const NAME_CHARS_MAX = 250;

function isText(value: Json, max: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= max;
}

/** What `leave` answered. */
export function lettersIn(answer: Json, asker: Asker): Asked<Unsent> {
  const letters = lettersOf(answer, asker);
  return letters.ok ? letters : no(badMove(asker.own, asker.node, letters.problem));
}

function lettersOf(list: Json, { view }: Pick<Asker, 'view'>): Read<Unsent> {
  const { KEY_CHARS_MAX } = view.limits;
  const rule = `has outbound events as a list of { type, key, data }`;
  if (!Array.isArray(list)) return no(`${rule}; came ${show(list)}`);
  const letters: Omit<Letter, 'id'>[] = [];
  for (const event of list as readonly Json[]) {
    const { type = null, key = view.key, data = null } = isJsonObject(event) ? event : {};
    const isKey = key === null || isText(key, KEY_CHARS_MAX);
    if (!isText(type, KEY_CHARS_MAX) || !isKey) {
      return no(`${rule}, the first two texts of 1 to KEY_CHARS_MAX ${KEY_CHARS_MAX} characters`);
    }
    letters.push({ type, key, data });
  }
  return ok(letters);
}
