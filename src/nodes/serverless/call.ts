/**
 * A call asks or starts something outside, by a handler that the engine brings; what comes back is
 * its output. What is run is a call as well: a shell, a script, a container.
 *
 * Whether it runs at all, and with what, its handler finds out when it has the token: so nothing of
 * what it is called with, secrets among it, is ever stored.
 *
 * Serverless Workflow call, run
 */
import { assert } from '../../base/assert.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import type { CallConfig } from '../../model/serverless.ts';
import { sharedHandler } from '../run-settings.ts';
import { compileAs } from './compiling.ts';
import { type Done, finish, skip, skipWith } from './envelope.ts';
import { dataIn } from './scene.ts';

/** What its handler brings: what it ran with and what came of it, or that it did not run. */
export type Called =
  | { readonly skipped: true }
  /** Of a subscription: what a round of it has brought. */
  | { readonly round: Json }
  | {
      readonly input: Json;
      readonly output: Json;
      /** What it has made of its output itself, because that asks how it was authenticated. */
      readonly shaped?: { readonly output: boolean; readonly context?: Json };
    };

/** Its handler is the engine's own, and known by this. */
export const OWN = '$';

/** What is called is offered to whoever has the handler for it. */
export const BY_HANDLER: Pick<NodeKind<CallConfig & JsonObject>, 'handler' | 'offer'> = {
  handler({ node }, flow) {
    return sharedHandler(flow, OWN + node.config.call);
  },

  offer() {
    return {};
  },
};

export const callKind: NodeKind<CallConfig & JsonObject> = {
  kind: 'sw-call',

  compile: compileAs<CallConfig>,

  ...BY_HANDLER,

  resume(place, view, signal) {
    assert(signal.on === 'result', 'a call ends with what its handler brings');
    const raw = dataIn(place.scope);
    const { value } = signal;
    if (isJsonObject(value) && value['skipped'] === true) return skip(place, raw);
    const { input = raw, output = null, shaped } = isJsonObject(value) ? value : {};
    const made = isJsonObject(shaped) ? { shaped: shaped as Done['shaped'] & object } : {};
    return finish(place, view, { input, output, ...made });
  },

  skip: skipWith,
};
