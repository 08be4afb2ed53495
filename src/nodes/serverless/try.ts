/**
 * A try runs its list of tasks, and says what is done about errors that come out of it.
 *
 * What is caught is narrowed by the members of the error and by two conditions; what is not passes
 * on outwards. As long as its retry policy allows, the list is run again from its beginning, with
 * the same input. Then `catch.do` is run, and what that comes to is the output. Without it the
 * error is swallowed and the output is the input, unless there was a policy, which is used up: then
 * the error goes on. What fails in `catch.do` is not caught here again.
 *
 * Serverless Workflow try
 */
import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Move, NodeKind, Place, View } from '../../kernel/kind.ts';
import type { Instant, ScopeId } from '../../model/ids.ts';
import { CAUGHT, DATA, INPUT, type TryConfig } from '../../model/serverless.ts';
import { catches, pauseBefore } from './catching.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, finish, skipWith, within } from './envelope.ts';
import { closing, opening } from './region.ts';
import { dataIn, workflowOf } from './scene.ts';
import { errorOf, type Trouble } from './trouble.ts';

type Here = Place<TryConfig>;

export const tryKind: NodeKind<TryConfig & JsonObject> = {
  kind: 'sw-try',

  compile: compileAs<TryConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const { body } = place.node.config;
      return body === null ? finish(place, view, { input, output: input }) : opening(body, input);
    });
  },

  resume(place, view, signal) {
    const { body, caught } = place.node.config;
    if (signal.on === 'time') {
      assert(body !== null, 'what is tried again is something');
      return opening(body, dataIn(place.scope));
    }
    const { scope, input, data } = closing(view, signal);
    const handled = view.scopeOf(scope).vars.has(CAUGHT) ? caught : undefined;
    return finish(place, view, { input, output: data, close: scope, ...handled });
  },

  rescue(place, view, raised) {
    const { wait } = place.token;
    assert(wait?.on === 'scope', 'a try catches while its region is open');
    const region = view.scopeOf(wait.scope);
    if (region.vars.has(CAUGHT)) return null;
    const input = dataIn(region, INPUT);
    const error = errorOf(raised, workflowOf(view).errors);
    const { as } = place.node.config.catch;
    const scene = within(place, view, input, { locals: { [as]: error } });
    const caught = catches(place.node.config.catch, error, scene);
    if (!caught.ok) return fault(place, view, caught.problem);
    if (!caught.value) return null;
    const pause = nextTry(place, view, { error, input, scene });
    if (!pause.ok) return fault(place, view, pause.problem);
    if (pause.value === null) return handle(place, view, { error, input, scope: wait.scope });
    const wakeAt = (view.now + pause.value) as Instant;
    const close = { scope: wait.scope, promote: false };
    return { move: 'park', wait: { on: 'time' }, wakeAt, error: raised, close };
  },

  skip: skipWith,
};

function nextTry(
  place: Here,
  view: View,
  asked: Parameters<typeof pauseBefore>[2],
): Result<number | null, Trouble> {
  const { retry } = place.node.config.catch;
  if (retry === undefined) return ok(null);
  const { createdAt, attempts } = place.token;
  const sinceMs = view.now - createdAt - view.asleep(createdAt);
  return pauseBefore(retry, { failures: attempts + 1, sinceMs }, asked, { place, view });
}

interface Caught {
  readonly error: JsonObject;
  readonly input: Json;
  readonly scope: ScopeId;
}

function handle(place: Here, view: View, { error, input, scope }: Caught): Move | null {
  const { catch: catching, handler, handles, caught } = place.node.config;
  if (handler !== null) {
    const vars = { [DATA]: input, [INPUT]: input, [CAUGHT]: true, [catching.as]: error };
    return { move: 'open', start: handler, vars, close: { scope, promote: false } };
  }
  // A policy that is used up, and nothing to be done about it.
  if (catching.retry !== undefined && !handles && caught === undefined) return null;
  return finish(place, view, { input, output: input, close: scope, ...caught });
}
