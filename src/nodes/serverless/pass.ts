/**
 * A pass runs the passes of a `for`, each in a scope of its own with the item and its number as
 * variables. `while` is asked before each of them, with both and with the data so far; `exit` in
 * the list leaves the loop.
 *
 * Serverless Workflow for
 */
import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Move, NodeKind, Place, View } from '../../kernel/kind.ts';
import type { ScopeId } from '../../model/ids.ts';
import { DATA, INPUT, LEFT, LIST, type PassConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { write } from './envelope.ts';
import { holds } from './expression.ts';
import { dataIn, sceneAt, whereabouts } from './scene.ts';
import { troubleFault } from './trouble.ts';

type Here = Place<PassConfig>;

export const pass: NodeKind<PassConfig & JsonObject> = {
  kind: 'sw-pass',

  compile: compileAs<PassConfig>,

  enter(place, view) {
    return begin(place, view, { index: 0, data: dataIn(place.scope) });
  },

  resume(place, view, signal) {
    assert(signal.on === 'scope', 'what runs passes waits for one');
    const { scope } = signal;
    const over = view.scopeOf(scope);
    const data = dataIn(over);
    if (over.vars.has(LEFT)) return end(data, scope);
    return begin(place, view, { index: (over.index ?? 0) + 1, data, last: scope });
  },

  unskippable: 'it runs the passes of a loop; skip the loop, or what is at work in the pass',
};

/** The pass to come, and the one before it. */
interface Next {
  readonly index: number;
  readonly data: Json;
  readonly last?: ScopeId;
}

function begin(place: Here, view: View, { index, data, last }: Next): Move {
  const { at, each, index: counter, while: asked, body } = place.node.config;
  const list = dataIn(place.scope, LIST) as readonly Json[];
  assert(body !== null, 'a loop that does nothing has no passes');
  if (index >= list.length) return end(data, last);
  const locals = { [each]: list[index] as Json, [counter]: index };
  if (asked !== undefined) {
    const input = dataIn(place.scope, INPUT);
    const scene = sceneAt(place, view, { at }, { raw: input, input, locals });
    const goesOn = holds(asked, scene, data);
    if (!goesOn.ok) {
      return { move: 'fault', fault: troubleFault(goesOn.problem, whereabouts(at, view)) };
    }
    if (!goesOn.value) return end(data, last);
  }
  return open(body, index, { ...locals, [DATA]: data }, last);
}

function open(
  start: NonNullable<PassConfig['body']>,
  index: number,
  vars: JsonObject,
  last?: ScopeId,
): Move {
  const opened = { move: 'open', start, index, vars } as const;
  return last === undefined ? opened : { ...opened, close: { scope: last, promote: false } };
}

function end(data: Json, last?: ScopeId): Move {
  const close = last === undefined ? {} : { close: { scope: last, promote: false } };
  return { move: 'take', edges: [], writes: [write(DATA, data)], ...close };
}
