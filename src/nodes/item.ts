/**
 * Item: one runner of a map. It takes the next item that nobody has begun, runs the region with it,
 * keeps what came of it, and comes back for another, until there is none.
 *
 * How many of them there are at a time is the map's limit: each that begins an item brings another
 * along while there are fewer, and ends instead if there are more, as after a migration to another
 * limit. Which item is the next, and how many runners there are, stands beside the results in the
 * scope of the map, where no code of the flow's can see it.
 *
 * An item that fails fails the map, and with it the others; or its error is kept in its place and
 * the others go on. After each item that did not fail the map may be asked whether it has seen
 * enough: then whatever is at work ends, and what is done counts.
 *
 * BPMN multi-instance loop characteristics · Serverless Workflow for · builder .map()
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Close, Move, NodeKind, Place, View, Write } from '../kernel/kind.ts';
import { regionOf } from '../kernel/signals.ts';
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
const SETTLES = 'settles';

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
    const again = place.scope.items.get(onceMore(place));
    if (typeof again === 'number') return openFor(place, again, [keep(onceMore(place), null)]);
    const runners = count(place, RUNNERS) + 1;
    return (
      goOn(place, { writes: [keep(RUNNERS, runners)], runners }) ?? { move: 'take', edges: [] }
    );
  },

  resume(place, view, signal) {
    assert(signal.on === 'scope', 'a runner only waits for its item');
    const { scope } = signal;
    const done = doneWith(place, view, scope);
    if (!done.ok) return { move: 'fault', fault: done.problem };
    const enough = done.value.isFulfilled ? isEnough(place, view, scope) : ok(false);
    if (!enough.ok) return { move: 'fault', fault: enough.problem };
    const { writes } = done.value;
    const close = { scope, promote: false };
    if (enough.value) return { move: 'prevail', writes, close };
    return comeBack(place, writes, close);
  },

  rescue(place, view, fault) {
    const { wait } = place.token;
    if (place.node.config.settles !== true || wait?.on !== 'scope') return null;
    const writes = keepRejected(place, view.scopeOf(wait.scope).index, fault);
    return comeBack(place, writes, { scope: wait.scope, promote: false });
  },

  leaves(place, { index }) {
    return [keep(onceMore(place), index)];
  },

  unskippable: 'it runs the items of a map; skip the map, or what is at work in the item',

  /** What is kept of the items that are done, and what those at work have begun with, stays. */
  unfit({ node, token, scope }, view) {
    const { as, settles = false } = node.config;
    const isKept = scope.items.list.length > 0;
    if (isKept && (scope.items.get(SETTLES) === true) !== settles) {
      const way = settles ? 'keeps what fails' : 'fails with what fails';
      return `"${node.id}" ${way}, and the items that are done were not done so`;
    }
    const region = regionOf(token);
    if (as === undefined || region === undefined) return undefined;
    if (view.scopeOf(region).vars.get(as) !== undefined) return undefined;
    return `"${node.id}" has its item as "${as}", and token ${token.id} began one without`;
  },
};

/** Where a runner finds the item that it could not bring to an end, once it is mended. */
function onceMore({ token }: Here): string {
  return `again ${token.id}`;
}

/** Done with one item: with the next, or no more. */
function comeBack(place: Here, writes: readonly Write[], close: Close): Move {
  const runners = count(place, RUNNERS);
  const begun = goOn(place, { writes, runners });
  if (begun !== undefined) return { ...begun, close };
  const fewer = leftIn(place) > 0 ? [keep(RUNNERS, runners - 1)] : [];
  return { move: 'take', edges: [], writes: [...writes, ...fewer], close };
}

type Opening = Extract<Move, { move: 'open' }>;

/** The next item that nobody has begun; undefined if there is none, or there are too many. */
function goOn(
  place: Here,
  { writes, runners }: { readonly writes: readonly Write[]; readonly runners: number },
): Opening | undefined {
  const [index, left] = [count(place, NEXT), leftIn(place)];
  const { limit = Number.MAX_SAFE_INTEGER } = place.node.config;
  if (left <= 0 || runners > limit) return undefined;
  const begun = openFor(place, index, [...writes, keep(NEXT, index + 1)]);
  return left > 1 && runners < limit ? { ...begun, beside: true } : begun;
}

function openFor(place: Here, index: number, writes: readonly Write[]): Opening {
  const value = listOf(place)[index] as Json;
  const { body, as } = place.node.config;
  const vars = as === undefined ? {} : { vars: { [as]: value } };
  return { move: 'open', start: body, index, item: value, ...vars, writes };
}

function listOf({ scope }: Here): readonly Json[] {
  return scope.item as readonly Json[];
}

function leftIn(place: Here): number {
  return listOf(place).length - count(place, NEXT);
}

function count({ scope }: Here, name: string): number {
  return (scope.items.get(name) as number | undefined) ?? 0;
}

function keep(name: string, value: Json): Write {
  return { in: 'scope', space: 'items', name, value };
}

interface Done {
  readonly writes: readonly Write[];
  readonly isFulfilled: boolean;
}

/** An item whose result cannot be made has failed, as one in which something fails. */
function doneWith(place: Here, view: View, scope: ScopeId): Asked<Done> {
  const { settles } = place.node.config;
  const { index } = view.scopeOf(scope);
  const value = resultOf(place, view, scope);
  if (value.ok) {
    const kept = settles === true ? { status: 'fulfilled', value: value.value } : value.value;
    return ok({ writes: keepAs(place, index, kept), isFulfilled: true });
  }
  if (settles !== true) return value;
  const fault = { ...value.problem, node: place.node.id };
  return ok({ writes: keepRejected(place, index, fault), isFulfilled: false });
}

function keepRejected(place: Here, index: number | null, fault: Fault): readonly Write[] {
  return keepAs(place, index, { status: 'rejected', reason: fault as unknown as Json });
}

function keepAs(place: Here, index: number | null, value: Json): readonly Write[] {
  const isSaid = place.node.config.settles !== true || place.scope.items.get(SETTLES) === true;
  return [keep(`${index}`, value), ...(isSaid ? [] : [keep(SETTLES, true)])];
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
  const message = `"until" of "${place.scope.node}" answers true or false; came ${came}`;
  return no({ code: 'map.not-boolean', message });
}
