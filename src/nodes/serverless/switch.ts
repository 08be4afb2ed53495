/**
 * A switch goes on by the first case whose condition holds, in the order they are written; else by
 * the one without a condition, wherever that stands; else by the task's own `then`. Its
 * output is its input.
 *
 * Serverless Workflow switch
 */
import type { JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import type { SwitchConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, finish, within } from './envelope.ts';
import { holds } from './expression.ts';

export const switchKind: NodeKind<SwitchConfig & JsonObject> = {
  kind: 'sw-switch',
  picksOne: true,

  compile: compileAs<SwitchConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const { cases, otherwise } = place.node.config;
      const scene = within(place, view, input);
      for (const { when, ...way } of cases) {
        const met = holds(when, scene, input);
        if (!met.ok) return fault(place, view, met.problem);
        if (met.value) return finish(place, view, { input, output: input, ...way });
      }
      return finish(place, view, { input, output: input, ...otherwise });
    });
  },
};
