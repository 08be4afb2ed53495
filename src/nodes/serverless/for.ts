/**
 * A for runs its tasks once for every item of a list, one after the other, each pass with what the
 * one before it came to.
 *
 * The list is made once, before the first pass, and kept in a scope of its own; the passes are run
 * by an `sw-pass` inside. The output is what the last pass came to, or the input if there was none.
 *
 * Serverless Workflow for
 */
import type { JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import { type ForConfig, LIST } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, finish, skipWith, tooLarge, within } from './envelope.ts';
import { fill } from './expression.ts';
import { finishRegion, opening } from './region.ts';

export const forKind: NodeKind<ForConfig & JsonObject> = {
  kind: 'sw-for',

  compile: compileAs<ForConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const { body, in: over } = place.node.config;
      const made = fill(over, within(place, view, input), input);
      if (!made.ok) return fault(place, view, made.problem);
      const list = made.value ?? [];
      if (!Array.isArray(list)) {
        const came = JSON.stringify(list).slice(0, 80);
        const detail = `"for.in" answers a list; came ${came}`;
        return fault(place, view, { kind: 'expression', detail });
      }
      const large = tooLarge([list], view);
      if (large !== undefined) return fault(place, view, large);
      if (list.length === 0 || body === null) return finish(place, view, { input, output: input });
      return opening(body, input, { [LIST]: list });
    });
  },

  resume: finishRegion,

  skip: skipWith,
};
