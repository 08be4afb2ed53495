/**
 * A set makes a value, and that is its output; nothing of its input is left unless it says so.
 *
 * Serverless Workflow set
 */
import type { JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import type { SetConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, finish, within } from './envelope.ts';
import { fill } from './expression.ts';

export const setKind: NodeKind<SetConfig & JsonObject> = {
  kind: 'sw-set',

  compile: compileAs<SetConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const output = fill(place.node.config.set, within(place, view, input), input);
      if (!output.ok) return fault(place, view, output.problem);
      return finish(place, view, { input, output: output.value });
    });
  },
};
