/**
 * A deadline is the time that a task, or the whole workflow, may take. It rests beside what it is
 * for, in the same scope, and faults when the time is over: that ends everything there. If the
 * other is done first, the deadline ends with it.
 *
 * The time stands still while the instance is suspended. That of the whole workflow is
 * caught by nobody.
 *
 * Serverless Workflow timeout
 */
import { assert } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Move, NodeKind, Place, View } from '../../kernel/kind.ts';
import type { Instant } from '../../model/ids.ts';
import type { DeadlineConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { fill } from './expression.ts';
import { durationMs } from './moments.ts';
import { dataIn, sceneAt, whereabouts } from './scene.ts';
import { type Trouble, troubleFault } from './trouble.ts';

type Here = Place<DeadlineConfig>;

export const deadline: NodeKind<DeadlineConfig & JsonObject> = {
  kind: 'sw-deadline',

  compile: compileAs<DeadlineConfig>,

  enter(place, view) {
    const { at, after } = place.node.config;
    const input = dataIn(place.scope);
    const scene = sceneAt(place, view, { at }, { raw: input, input });
    const length = fill(after, scene, input);
    if (!length.ok) return fail(place, view, length.problem);
    const ms = durationMs(length.value, view.now);
    if (!ms.ok) return fail(place, view, { kind: 'expression', detail: ms.problem });
    const wakeAt = (view.now + ms.value) as Instant;
    // Not a sleep: a timeout is put off by as long as the instance is suspended.
    return { move: 'park', wait: { on: 'first', any: [], timer: 'deadline' }, wakeAt };
  },

  resume(place, view, signal) {
    assert(signal.on === 'time', 'a deadline ends by time alone');
    const what = place.node.config.whole === true ? 'the workflow' : 'the task';
    return fail(place, view, { kind: 'timeout', detail: `${what} took longer than its timeout` });
  },

  unskippable: 'it is the timeout of a task; skip the task',
};

function fail(place: Here, view: View, trouble: Trouble): Move {
  const { at, whole } = place.node.config;
  const fault = troubleFault(trouble, whereabouts(at, view));
  return { move: 'fault', fault: whole === true ? { ...fault, guard: true } : fault };
}
