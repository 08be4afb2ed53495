/**
 * A map as a piece of the draft. The author writes one node; the one that runs the items lies
 * hidden in its region, and the body in that one's. Where items are undone by themselves, a scope
 * that is a saga lies around the body.
 */
import { admitJson, type Json, type JsonObject } from '../../base/json.ts';
import type { NodeCode } from '../../model/definition.ts';
import { type Desk, readBody } from './bodies.ts';
import { begin, complain, type Findings, readClosure, readOptions, show } from './checks.ts';
import { hiddenIn, merge, nodeIn, type Part, type Piece, type Region } from './path.ts';
import { given, readSaga, readWord } from './readers.ts';

const OPTIONS = ['over', 'as', 'mode', 'limit', 'until', 'onError', 'collect', 'saga'];

export function drawMap(
  desk: Desk,
  region: Region,
  [name, options, body]: readonly [name: unknown, options: unknown, body: unknown],
): Piece {
  const found = begin(name);
  const id = found.node;
  const asked = readOptions(found, `map "${id}"`, OPTIONS, options);
  const list = readList(found, asked['over']);
  const item = `${id}/:item`;
  const { settings, code } = readItem(found, asked);
  const { start, last, part } = drawBody(desk, found, body, asked['saga']);
  const inside: Region = { owner: id };
  const runner = hiddenIn(inside, item, 'item', { ...given({ body: start, last }), ...settings });
  const node = nodeIn(region, id, 'map', { body: item, ...list.settings });
  return {
    ...merge([
      { nodes: [node], code: [[id, list.code]], diagnostics: found.list },
      { nodes: [runner], code: [[item, code]] },
      part,
    ]),
    entry: id,
    exit: id,
  };
}

export interface Settled {
  readonly settings: JsonObject;
  readonly code: NodeCode;
}

function readList(found: Findings, over: unknown): Settled {
  if (typeof over === 'function') return { settings: {}, code: readClosure(found, 'over', over) };
  const admitted = admitJson(over ?? null);
  if (admitted.ok && Array.isArray(admitted.value)) {
    return { settings: { over: admitted.value }, code: {} };
  }
  const rule = `"${found.node}" is over a list of JSON values, or what a closure makes`;
  const came = admitted.ok ? show(over) : admitted.problem;
  complain(found, 'map.not-a-list', `${rule}; came ${came}`);
  return { settings: {}, code: {} };
}

/** What is said of the items: how many at a time, and what each is called. */
export function readItem(found: Findings, asked: Readonly<Record<string, unknown>>): Settled {
  const { as, mode, limit, until, onError, collect } = asked;
  const what = `of "${found.node}"`;
  const paces = {
    code: 'map.bad-mode',
    what: `the mode ${what}`,
    words: ['parallel', 'sequential'],
  };
  const ways = {
    code: 'map.bad-on-error',
    what: `the onError ${what}`,
    words: ['fail', 'collect'],
  };
  const isInTurn = readWord(found, paces, mode) === 'sequential';
  const settles = readWord(found, ways, onError) === 'collect';
  const settings = given({
    as: readVariable(found, as),
    limit: readLimit(found, isInTurn, limit),
    collects: collect === undefined ? undefined : true,
    asks: until === undefined ? undefined : true,
    settles: settles ? true : undefined,
  });
  const code = {
    ...(collect === undefined ? {} : readClosure(found, 'collect', collect)),
    ...(until === undefined ? {} : readClosure(found, 'until', until)),
  };
  return { settings, code };
}

/** What begins with a $ is the engine's own, wherever it stands in a path. */
const RESERVED = /(^|\.)\$/;

function readVariable(found: Findings, as: unknown): string | undefined {
  if (as === undefined) return undefined;
  const isName = typeof as === 'string' && as !== '' && as !== '__proto__';
  if (isName && !RESERVED.test(as)) return as;
  const rule = `"as" of "${found.node}" is the name of a variable, and none of the engine's own`;
  complain(found, 'map.bad-as', `${rule}; came ${show(as)}`);
  return undefined;
}

function readLimit(found: Findings, isInTurn: boolean, limit: unknown): number | undefined {
  if (isInTurn && limit !== undefined) {
    const message = `"${found.node}" takes one item after the other, and so has no limit`;
    complain(found, 'map.bad-limit', message);
  }
  if (isInTurn) return 1;
  if (limit === undefined) return undefined;
  if (Number.isSafeInteger(limit) && (limit as number) >= 1) return limit as number;
  const rule = `the limit of "${found.node}" is a whole number, 1 or more`;
  complain(found, 'map.bad-limit', `${rule}; came ${show(limit)}`);
  return undefined;
}

interface DrawnBody {
  readonly start: string;
  /** The node whose result is that of the item; absent if the last one has none. */
  readonly last: Json | undefined;
  readonly part: Part;
}

function drawBody(desk: Desk, found: Findings, body: unknown, saga: unknown): DrawnBody {
  const id = found.node;
  const reach = readSaga(found, { code: 'map.bad-saga', what: `the saga of "${id}"` }, saga);
  const item = `${id}/:item`;
  const scope = reach === undefined ? item : `${id}/:saga`;
  const { body: start, tail, ...inner } = readBody(desk, found, body, scope);
  const end = inner.nodes.find((node) => node.id === tail);
  const last =
    end === undefined || end.hidden === true || RESULTLESS.has(end.kind) ? undefined : tail;
  if (reach === undefined) return { start, last, part: inner };
  const settings = { body: start, promote: true, saga: reach };
  const around = hiddenIn({ owner: item }, scope, 'scope', settings);
  return { start: scope, last, part: merge([{ nodes: [around] }, inner]) };
}

/** What a path of the author's may end with and that has no result of its own. */
const RESULTLESS: ReadonlySet<string> = new Set(['emit', 'repeat', 'scope', 'sleep']);
