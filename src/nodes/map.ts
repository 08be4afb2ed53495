/**
 * Map: does the same for every item of a list, one after the other or at the same time, and keeps
 * what came of each in the order of the list.
 *
 * The list is made once, when a token comes here, and kept in a scope of its own. In that scope so
 * many tokens run as there may be items at work at a time (see `item.ts`); each opens a region for
 * one item after the other. What comes of an item is kept apart, under its number, until all are
 * done: so an item that ends costs the same in a list of ten and of ten thousand. Then the results
 * are put together as one list, and that is this node's result.
 *
 * BPMN multi-instance activity · Serverless Workflow for · builder .map()
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { NodeKind, Place, View } from '../kernel/kind.ts';
import type { CodeView } from '../model/definition.ts';
import type { NodeId } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import { bodyOf, problem, takeWith } from './settings.ts';

type Mapping = {
  /** Where its items run. */
  readonly body: NodeId;
  /** The list itself, if it is not made by the closure `over`. */
  readonly over?: readonly Json[];
  /** Or the way to it: `input`, `results` or `vars`, and names from there. */
  readonly from?: readonly string[];
};

export const map: NodeKind<Mapping> = {
  kind: 'map',

  compile(draft, wires) {
    const body = bodyOf(draft, wires);
    if (!body.ok) return body;
    const { over, from } = draft.settings;
    if (over === undefined && isPath(from)) return ok({ config: { body: body.value, from } });
    if (over === undefined) return ok({ config: { body: body.value }, code: ['over'] });
    if (Array.isArray(over)) return ok({ config: { body: body.value, over } });
    const message = `"${draft.id}" maps a list or what a closure returns; came ${typeof over}`;
    return no([problem(draft, 'not-a-list', message)]);
  },

  enter(place, view) {
    const list = listFor(place, view);
    if (!list.ok) return { move: 'fault', fault: list.problem };
    if (list.value.length === 0) return takeWith(place.node, []);
    return { move: 'open', start: place.node.config.body, item: list.value };
  },

  resume({ node }, view, signal) {
    assert(signal.on === 'scope', 'a map only waits for its items');
    const { items } = view.scopeOf(signal.scope);
    const value = items.list;
    const close = { scope: signal.scope, promote: false };
    const size = JSON.stringify(value).length;
    const { VALUE_CHARS_MAX } = view.limits;
    if (size > VALUE_CHARS_MAX) {
      const rule = `VALUE_CHARS_MAX ${VALUE_CHARS_MAX}`;
      const message = `the results of "${node.id}" are ${size} characters of JSON (${rule})`;
      return { move: 'fault', fault: { code: 'map.too-large', message } };
    }
    return { ...takeWith(node, value), close };
  },

  skip({ node }, _view, value) {
    return takeWith(node, value);
  },
};

function listFor(place: Place<Mapping>, view: View): Result<readonly Json[], Omit<Fault, 'node'>> {
  const { over, from } = place.node.config;
  const asked =
    over !== undefined
      ? ok(over)
      : from === undefined
        ? view.call(place, 'over')
        : ok(found(view.sight(place.token.scope), from));
  if (!asked.ok) return asked;
  const { value } = asked;
  const { id } = place.node;
  if (!Array.isArray(value)) {
    const came = JSON.stringify(value).slice(0, 80);
    const message = `"over" of "${id}" answers a list; came ${came}`;
    return no({ code: 'map.not-a-list', message });
  }
  const { MAP_ITEMS_MAX } = view.limits;
  if (value.length <= MAP_ITEMS_MAX) return ok(value);
  const message = `"${id}" has ${value.length} items (MAP_ITEMS_MAX ${MAP_ITEMS_MAX})`;
  return no({ code: 'map.too-many-items', message });
}

const ROOTS: ReadonlySet<unknown> = new Set(['input', 'results', 'vars', 'item']);

function isPath(from: Json | undefined): from is readonly string[] {
  if (!Array.isArray(from) || !ROOTS.has(from[0])) return false;
  return from.every((name) => typeof name === 'string');
}

function found(sight: CodeView, path: readonly string[]): Json {
  let value: unknown = sight[path[0] as 'input'];
  for (const name of path.slice(1)) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    value = isThere ? Reflect.get(value as object, name) : null;
  }
  return value as Json;
}
