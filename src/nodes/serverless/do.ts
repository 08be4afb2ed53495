/**
 * A do runs the tasks of its list, one after the other; what the last comes to is its output.
 *
 * A function that is called is one, too: its list is one task, and begins with the arguments. So is
 * what is around any task whose input is made anew and which then waits.
 *
 * Serverless Workflow do, call (a function of its own)
 */
import type { JsonObject } from '../../base/json.ts';
import { ok } from '../../base/result.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import { DATA, type DoConfig, RAW } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, finish, skipWith, tooLarge, within } from './envelope.ts';
import { fill } from './expression.ts';
import { finishRegion, opening } from './region.ts';
import { dataIn } from './scene.ts';

export const doKind: NodeKind<DoConfig & JsonObject> = {
  kind: 'sw-do',

  compile: compileAs<DoConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const { body, args, task } = place.node.config;
      if (body === null) return finish(place, view, { input, output: input });
      const data = args === undefined ? ok(input) : fill(args, within(place, view, input), input);
      if (!data.ok) return fault(place, view, data.problem);
      const large = args === undefined ? undefined : tooLarge([data.value], view);
      if (large !== undefined) return fault(place, view, large);
      const raw = task.input?.as === undefined ? {} : { [RAW]: dataIn(place.scope) };
      return opening(body, input, { [DATA]: data.value, ...raw });
    });
  },

  resume: finishRegion,

  skip: skipWith,
};
