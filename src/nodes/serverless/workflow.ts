/**
 * A workflow node is all of a Serverless Workflow, from its input to its output.
 *
 * It has one region, the tasks of `do`. The raw input of the instance is checked and made into the
 * first task's input; what the last task comes to is made into the output, and checked. The context
 * that all tasks share begins with the input, if that is an object.
 *
 * Here stands what is so for the whole definition, and the definition itself.
 *
 * Serverless Workflow: the document
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { no, ok } from '../../base/result.ts';
import type { Move, NodeKind, Place, View } from '../../kernel/kind.ts';
import { CONTEXT, type WorkflowConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { shape, take, tooLarge } from './envelope.ts';
import type { Evaluated } from './expression.ts';
import { lifecycle } from './lifecycle.ts';
import { closing, opening } from './region.ts';
import { sceneAt, whereabouts, workflowOf } from './scene.ts';
import { type Trouble, troubleFault } from './trouble.ts';

type Config = WorkflowConfig & JsonObject;
type Here = Place<WorkflowConfig>;

export const workflow: NodeKind<Config> = {
  kind: 'sw-workflow',
  asksHost: true,

  compile: compileAs<WorkflowConfig>,

  enter(place, view) {
    const { body, input: stage } = place.node.config;
    const raw = view.head.input;
    const scene = () => sceneAt(place, view, WHOLE, { raw, input: raw });
    const input = stage === undefined ? ok(raw) : take(stage, 'input', raw, scene);
    const problem = input.ok ? tooLarge([input.value], view) : input.problem;
    if (!input.ok || problem !== undefined) {
      return {
        move: 'fault',
        fault: troubleFault(problem as Trouble, whereabouts('/input', view)),
      };
    }
    const value = isJsonObject(input.value) ? input.value : {};
    const writes = [{ in: 'scope', space: 'vars', name: CONTEXT, value }] as const;
    if (body === null) return end(place, view, input.value, { writes });
    return { ...opening(body, input.value), writes };
  },

  resume(place, view, signal) {
    const { scope, data } = closing(view, signal);
    return end(place, view, data, { close: { scope, promote: false } });
  },

  skip(place, view, value) {
    return end(place, view, value, {});
  },

  chronicle: lifecycle,
};

/** The workflow itself, as what expressions of its own are told of. */
const WHOLE = { at: '' };

type More = Pick<Extract<Move, { move: 'take' }>, 'close' | 'writes'>;

function end(place: Here, view: View, data: Json, more: More): Move {
  const output = outputOf(place, view, data);
  if (output.ok) return { move: 'take', edges: [], output: output.value, ...more };
  return { move: 'fault', fault: troubleFault(output.problem, whereabouts('/output', view)) };
}

/** What the workflow ends with if this is the data it has come to. */
export function outputOf(place: Place<unknown>, view: View, data: Json): Evaluated {
  const { output: stage } = workflowOf(view);
  if (stage === undefined) return ok(data);
  const scene = () => sceneAt(place, view, WHOLE, { raw: null, input: null, output: data });
  const output = shape(stage, 'output', data, scene);
  const large = output.ok ? tooLarge([output.value], view) : undefined;
  return large === undefined ? output : no(large);
}
