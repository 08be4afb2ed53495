/**
 * A fork runs its branches side by side, each with the same input.
 *
 * Its output is what came of each, in the order they are written. If they compete it is what came
 * of the first that is done, and the others end with that. A branch that fails fails the fork
 * . A task that has a timeout is a fork, too: it competes with that.
 *
 * Serverless Workflow fork, timeout
 */
import type { JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import { type ForkConfig, RAW } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, finish, skipWith } from './envelope.ts';
import { closing, finishRegion, opening } from './region.ts';
import { dataIn } from './scene.ts';

export const forkKind: NodeKind<ForkConfig & JsonObject> = {
  kind: 'sw-fork',

  compile: compileAs<ForkConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const { body, branches, task } = place.node.config;
      const raw = task.input?.as === undefined ? {} : { [RAW]: dataIn(place.scope) };
      if (body !== null) return opening(body, input, raw);
      return finish(place, view, { input, output: branches === null ? input : [] });
    });
  },

  resume(place, view, signal) {
    const { branches } = place.node.config;
    if (branches === null) return finishRegion(place, view, signal);
    const { scope, input } = closing(view, signal);
    const region = view.scopeOf(scope);
    const output = branches.map((name) => dataIn(region, name));
    return finish(place, view, { input, output, close: scope });
  },

  skip: skipWith,
};
