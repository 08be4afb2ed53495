/**
 * A task that has a region: it opens it with its input as the data there, and when all of it is
 * over the data it has come to is the task's output.
 */
import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Move, Place, View } from '../../kernel/kind.ts';
import type { NodeId, ScopeId } from '../../model/ids.ts';
import type { Signal } from '../../model/input.ts';
import { DATA, INPUT, PICK, type Picking, type Tasked } from '../../model/serverless.ts';
import { finish } from './envelope.ts';
import { dataIn } from './scene.ts';

/** What is kept of the input, beside the data, which changes. */
export function opening(
  start: NodeId,
  input: Json,
  more: JsonObject = {},
): Extract<Move, { move: 'open' }> {
  return { move: 'open', start, vars: { [DATA]: input, [INPUT]: input, ...more } };
}

/** The region that is over, and the input it began with. */
export function closing(
  view: View,
  signal: Signal,
): { readonly scope: ScopeId; readonly input: Json; readonly data: Json } {
  assert(signal.on === 'scope', 'a task with a region waits for that');
  const region = view.scopeOf(signal.scope);
  return { scope: signal.scope, input: dataIn(region, INPUT), data: dataIn(region) };
}

/** All of it is over: what its data has come to is the output. */
export function finishRegion(place: Place<Tasked & Picking>, view: View, signal: Signal): Move {
  const { scope, input, data } = closing(view, signal);
  const done = { input, output: data, close: scope };
  const pick = view.scopeOf(scope).vars.get(PICK);
  if (typeof pick !== 'number') return finish(place, view, done);
  const { picks } = place.node.config;
  // Where this node lies inside that of its task, too, it only passes on what was picked.
  if (picks === undefined) return finish(place, view, { ...done, pick });
  return finish(place, view, { ...done, next: picks[pick] ?? null });
}
