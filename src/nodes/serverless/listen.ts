/**
 * A listen consumes events, and its output is the list of them, also where it is for one.
 *
 * In its region an `sw-ear` hears events, and where something is to be done for each, an `sw-each`
 * does it for one after the other beside it, so that no event is missed meanwhile. What was
 * consumed is kept under its number: a listener that hears ten thousand events writes each of them
 * once.
 *
 * Serverless Workflow listen
 */
import type { JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import { type ListenConfig, MADE, SINCE } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, finish, skipWith } from './envelope.ts';
import { closing, opening } from './region.ts';

export const listenKind: NodeKind<ListenConfig & JsonObject> = {
  kind: 'sw-listen',

  compile: compileAs<ListenConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const { body } = place.node.config;
      if (body === null) return finish(place, view, { input, output: [] });
      return opening(body, input, { [SINCE]: view.now });
    });
  },

  resume(place, view, signal) {
    const { scope, input } = closing(view, signal);
    const { items } = view.scopeOf(scope);
    const output = items.list.map((event, n) => {
      const made = items.get(`${MADE}${n}`);
      return made === undefined ? event : made;
    });
    return finish(place, view, { input, output, close: scope });
  },

  skip: skipWith,
};
