/**
 * An aside is what an extension does before a task, or after it. What comes of it changes nothing
 * for the task, with one exception: if it is left by `exit` before the task, that is the task's
 * output, and the task itself is not run. What fails in it fails the task.
 *
 * Serverless Workflow use.extensions
 */
import { assert } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Move, NodeKind, Place } from '../../kernel/kind.ts';
import { type AsideConfig, DATA, EXTENDED, INPUT, LEFT, RAW } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { write } from './envelope.ts';
import { holds } from './expression.ts';
import { opening } from './region.ts';
import { dataIn, lookUp, sceneAt, whereabouts } from './scene.ts';
import { troubleFault } from './trouble.ts';

export const aside: NodeKind<AsideConfig & JsonObject> = {
  kind: 'sw-aside',

  compile: compileAs<AsideConfig>,

  enter(place, view) {
    const { at, of, when, body, after, shaped, tells } = place.node.config;
    const data = dataIn(place.scope);
    const input = dataIn(place.scope, INPUT);
    if (body === null) return goOn(place);
    const raw = (shaped === true ? lookUp(view, place.scope, RAW) : undefined) ?? input;
    const output = after === true ? data : null;
    if (when !== undefined) {
      const scene = sceneAt(place, view, { at, of }, { raw, input, output });
      const applies = holds(when, scene, data);
      if (!applies.ok) {
        return { move: 'fault', fault: troubleFault(applies.problem, whereabouts(at, view)) };
      }
      if (!applies.value) return goOn(place);
    }
    return opening(body, data, tells === true ? { [EXTENDED]: { input: raw, output } } : {});
  },

  resume(place, view, signal) {
    assert(signal.on === 'scope', 'what is done aside waits for its tasks');
    const { scope } = signal;
    const over = view.scopeOf(scope);
    const close = { scope, promote: false };
    if (!over.vars.has(LEFT)) return { ...goOn(place), close };
    return { move: 'take', edges: [], writes: [write(DATA, dataIn(over))], close };
  },
};

function goOn({ node }: Place<AsideConfig>): Extract<Move, { move: 'take' }> {
  const { next } = node.config;
  return { move: 'take', edges: next === null ? [] : [next] };
}
