/**
 * Item: one runner of a map. It takes the next item that nobody has begun, runs the region with it,
 * keeps what came of it, and comes back for another, until there is none.
 *
 * How many of them there are at a time is the map's limit: each that comes here for the first time
 * brings another along until there are so many. Which item is the next, and how many runners there
 * are, stands beside the results in the scope of the map, where no code of the flow's can see it.
 *
 * An item that fails fails the map, and with it the others; or its error is kept in its place and
 * the others go on. After each item the map may be asked whether it has seen enough: then whatever
 * is at work ends, and what is done counts.
 *
 * BPMN multi-instance loop characteristics · Serverless Workflow for · builder .map()
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Close, Move, NodeKind, Place, View, Write } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { NodeId, ScopeId } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import { bodyOf, problem } from './settings.ts';

type Item = {
  readonly body: NodeId;
  /** How many at a time; all of them if not said. */
  readonly limit?: number;
  /** The variable that has the item, beside `item` itself. */
  readonly as?: string;
  /** The node whose result is that of the item; all results by name if not said. */
  readonly last?: NodeId;
  /** The closure `collect` says what comes of an item. */
  readonly collects?: true;
  /** The closure `until` is asked after each item. */
  readonly asks?: true;
  /** What fails is kept in its place, and so is said of each whether it did. */
  readonly settles?: true;
};
type Here = Place<Item>;
type Asked<Value> = Result<Value, Omit<Fault, 'node'>>;

const NEXT = 'next';
const RUNNERS = 'runners';

export const item: NodeKind<Item> = {
  kind: 'item',

  compile(draft, wires) {
    const body = bodyOf(draft, wires);
    const problems: Diagnostic[] = body.ok ? [] : [...body.problem];
    const { limit, as, last, collects, asks, settles } = draft.settings;
    const config: Mutable<Partial<Item>> = {};
    if (body.ok) config.body = body.value;
    if (limit !== undefined) {
      if (Number.isSafeInteger(limit) && (limit as number) >= 1) config.limit = limit as number;
      else {
        const message = `the limit of "${draft.id}" is a whole number, 1 or more`;
        problems.push(problem(draft, 'bad-limit', message));
      }
    }
    if (typeof as === 'string' && as !== '') config.as = as;
    if (typeof last === 'string') config.last = last as NodeId;
    if (settles === true) config.settles = true;
    if (collects === true) config.collects = true;
    if (asks === true) config.asks = true;
    if (problems.length > 0) return no(problems);
    const code = [...(collects === true ? ['collect'] : []), ...(asks === true ? ['until'] : [])];
    return ok({ config: config as Item, code });
  },

  enter(place) {
    const begun = begin(place, []);
    if (begun === null) return { move: 'take', edges: [] };
    const runners = count(place, RUNNERS) + 1;
    const { limit = Number.MAX_SAFE_INTEGER } = place.node.config;
    const isLast = begun.index === listOf(place).length - 1;
    const writes = [...begun.writes, keep(RUNNERS, runners)];
    if (isLast || runners >= limit) return { ...begun, writes };
    return { ...begun, writes, beside: true };
  },

  resume(place, view, signal) {
    assert(signal.on === 'scope', 'a runner only waits for its item');
    const scope = view.scopeOf(signal.scope);
    const value = resultOf(place, view, signal.scope);
    if (!value.ok) return { move: 'fault', fault: value.problem };
    const kept = place.node.config.settles === true ? fulfilled(value.value) : value.value;
    const writes = [keep(`${scope.index}`, kept)];
    const close = { scope: signal.scope, promote: false };
    const enough = isEnough(place, view, signal.scope);
    if (!enough.ok) return { move: 'fault', fault: enough.problem };
    if (enough.value) return { move: 'prevail', writes, close };
    return goOn(place, writes, close);
  },

  rescue(place, view, fault) {
    const { wait } = place.token;
    if (place.node.config.settles !== true || wait?.on !== 'scope') return null;
    const { index } = view.scopeOf(wait.scope);
    const writes = [keep(`${index}`, { status: 'rejected', reason: fault as unknown as Json })];
    return goOn(place, writes, { scope: wait.scope, promote: false });
  },

  unskippable: 'it runs the items of a map; skip the map, or what is at work in the item',
};

function goOn(place: Here, writes: readonly Write[], close: Close): Move {
  const begun = begin(place, writes);
  return begun === null ? { move: 'take', edges: [], writes, close } : { ...begun, close };
}

type Opening = Extract<Move, { move: 'open' }> & {
  readonly index: number;
  readonly writes: readonly Write[];
};

/** The next item that nobody has begun; null if there is none. */
function begin(place: Here, writes: readonly Write[]): Opening | null {
  const list = listOf(place);
  const index = count(place, NEXT);
  if (index >= list.length) return null;
  const value = list[index] as Json;
  const { body, as } = place.node.config;
  const vars = as === undefined ? {} : { vars: { [as]: value } };
  const after = [...writes, keep(NEXT, index + 1)];
  return { move: 'open', start: body, index, item: value, ...vars, writes: after };
}

function listOf({ scope }: Here): readonly Json[] {
  return scope.item as readonly Json[];
}

function count({ scope }: Here, name: string): number {
  return (scope.items.get(name) as number | undefined) ?? 0;
}

function keep(name: string, value: Json): Write {
  return { in: 'scope', space: 'items', name, value };
}

function fulfilled(value: Json): Json {
  return { status: 'fulfilled', value };
}

function resultOf(place: Here, view: View, scope: ScopeId): Asked<Json> {
  const { collects, last } = place.node.config;
  if (collects === true) return view.call(place, 'collect', { scope });
  const { results } = view.scopeOf(scope);
  return ok(last === undefined ? results.object : (results.get(last) ?? null));
}

function isEnough(place: Here, view: View, scope: ScopeId): Asked<boolean> {
  if (place.node.config.asks !== true) return ok(false);
  const answer = view.call(place, 'until', { scope });
  if (!answer.ok) return answer;
  if (typeof answer.value === 'boolean') return ok(answer.value);
  const came = JSON.stringify(answer.value).slice(0, 80);
  const message = `"until" of "${place.node.id}" answers true or false; came ${came}`;
  return no({ code: 'map.not-boolean', message });
}
