/**
 * An each does what is to be done for every event that a listener hears, for one after the other,
 * in the order they came. What comes of it takes the event's place in the listener's output, as
 * `foreach.output` has it; without that the event itself stays there. It is kept beside the event:
 * whether a listener goes on is asked of the events.
 *
 * It ends when there is no event left, and is begun anew by the next one.
 *
 * Serverless Workflow listen: foreach
 */
import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { no, ok, type Result } from '../../base/result.ts';
import type { Move, NodeKind, Place, View, Write } from '../../kernel/kind.ts';
import type { ScopeId } from '../../model/ids.ts';
import {
  BUSY,
  CONTEXT,
  DATA,
  DONE,
  type EachConfig,
  HEARD,
  INPUT,
  MADE,
  OVER,
} from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { shape, tooLarge, write } from './envelope.ts';
import { keep } from './ear.ts';
import { dataIn, sceneAt, type TaskScene, whereabouts } from './scene.ts';
import { type Trouble, troubleFault } from './trouble.ts';

type Here = Place<EachConfig>;

export const each: NodeKind<EachConfig & JsonObject> = {
  kind: 'sw-each',

  compile: compileAs<EachConfig>,

  enter(place) {
    return next(place, (place.scope.items.get(DONE) as number | undefined) ?? 0, []);
  },

  resume(place, view, signal) {
    assert(signal.on === 'scope', 'it waits for what it does for one event');
    const over = view.scopeOf(signal.scope);
    const index = over.index ?? 0;
    const made = writesFor(place, view, index, signal.scope);
    if (!made.ok) return fail(place, view, made.problem);
    return next(place, index + 1, [...made.value, keep(DONE, index + 1)], signal.scope);
  },

  unskippable: 'it does something for each event; skip the listener, or what is at work for one',
};

function next(place: Here, index: number, writes: readonly Write[], last?: ScopeId): Move {
  const { body, item, index: counter, keeps, back } = place.node.config;
  const { items } = place.scope;
  const close = last === undefined ? {} : { close: { scope: last, promote: false } };
  const heard = (items.get(HEARD) as number | undefined) ?? 0;
  if (index >= heard || body === null) {
    // Numbers are used again: there is no end to them otherwise.
    const anew = keeps === true ? [keep(HEARD, 0), keep(DONE, 0)] : [];
    const isOver = back === undefined || dataIn(place.scope, OVER) === true;
    return {
      move: 'take',
      edges: isOver ? [] : [back],
      writes: [...writes, ...anew, write(BUSY, false)],
      ...close,
    };
  }
  const event = items.get(String(index)) ?? null;
  const vars = { [DATA]: dataIn(place.scope, INPUT), [item]: event, [counter]: index };
  return { move: 'open', start: body, index, vars, writes, ...close };
}

/** What came of one event, where the author wants anything of it. */
function writesFor(
  place: Here,
  view: View,
  index: number,
  scope: ScopeId,
): Result<readonly Write[], Trouble> {
  const { output: stage, export: exported } = place.node.config;
  const data = dataIn(view.scopeOf(scope));
  const writes: Write[] = [];
  const scene = (): TaskScene => sceneFor(place, view, scope, data);
  const output = shape(stage ?? {}, 'output', data, scene);
  if (!output.ok) return output;
  if (stage !== undefined) writes.push(keep(`${MADE}${index}`, output.value));
  if (exported !== undefined) {
    const context = shape(exported, 'export', output.value, scene);
    if (!context.ok) return context;
    writes.push({ in: 'instance', space: 'vars', name: CONTEXT, value: context.value });
  }
  const values = writes.map(({ value }) => value);
  const large = tooLarge(values, view);
  return large === undefined ? ok(writes) : no(large);
}

function sceneFor(place: Here, view: View, scope: ScopeId, output: Json): TaskScene {
  const input = dataIn(place.scope, INPUT);
  const subject = { at: place.node.config.at };
  return sceneAt(place, view, subject, { raw: input, input, output }, view.scopeOf(scope));
}

function fail(place: Here, view: View, trouble: Trouble): Move {
  return { move: 'fault', fault: troubleFault(trouble, whereabouts(place.node.config.at, view)) };
}
