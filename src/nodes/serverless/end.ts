/**
 * An end is where `then: end` leads inside a list that is not the workflow's own. The workflow is
 * completed with the data of that list; whatever else is alive ends, and tasks around it make
 * nothing of it. If the output does not fit, nobody inside catches that.
 *
 * Serverless Workflow then: end
 */
import type { JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import { DATA } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { dataIn, whereabouts } from './scene.ts';
import { troubleFault } from './trouble.ts';
import { outputOf } from './workflow.ts';

/** Where the data stands: a branch of a fork keeps its own. */
interface EndConfig {
  readonly from?: string;
}

export const endKind: NodeKind<EndConfig & JsonObject> = {
  kind: 'sw-end',

  compile: compileAs<EndConfig>,

  enter(place, view) {
    const { from = DATA } = place.node.config;
    const output = outputOf(place, view, dataIn(place.scope, from));
    if (output.ok) return { move: 'terminate', output: output.value };
    const fault = troubleFault(output.problem, whereabouts('/output', view));
    return { move: 'fault', fault: { ...fault, guard: true } };
  },
};
