/**
 * A raise fails with an error of the author's own. Where that was is added if they did not say.
 *
 * Serverless Workflow raise
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import type { RaiseConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, tooLarge, within } from './envelope.ts';
import { fill } from './expression.ts';
import { subjectOf, whereabouts } from './scene.ts';
import { raisedFault } from './trouble.ts';

export const raiseKind: NodeKind<RaiseConfig & JsonObject> = {
  kind: 'sw-raise',

  compile: compileAs<RaiseConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const { error: template, task } = place.node.config;
      const error = fill(template, within(place, view, input), input);
      if (!error.ok) return fault(place, view, error.problem);
      if (!isError(error.value)) {
        const came = JSON.stringify(error.value).slice(0, 200);
        const rule = 'an error has a "type", which is a text, and a "status", a number';
        const detail = `${rule}; came ${came}`;
        return fault(place, view, { kind: 'expression', detail });
      }
      const large = tooLarge([error.value], view);
      if (large !== undefined) return fault(place, view, large);
      const { at } = subjectOf(task, place.node.id);
      return { move: 'fault', fault: raisedFault(error.value, whereabouts(at, view)) };
    });
  },
};

function isError(value: Json): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return typeof value['type'] === 'string' && typeof value['status'] === 'number';
}
