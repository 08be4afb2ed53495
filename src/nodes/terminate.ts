/**
 * Terminate: ends the whole instance now, whatever else is alive.
 *
 * Every other token is cancelled, in every branch and scope, in the same commit; the instance is
 * completed, with the output this node gives.
 *
 * BPMN terminateEndEvent (of the process) · Serverless Workflow then: end · builder .terminate()
 */
import { no, ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import { problem } from './settings.ts';

type Terminate = { readonly output: 'code' | 'none' };

export const terminate: NodeKind<Terminate> = {
  kind: 'terminate',

  compile(draft, wires) {
    const { output = 'none' } = draft.settings;
    if (wires.out.length > 0) {
      return no([problem(draft, 'has-outbound', `nothing leads out of "${draft.id}"`)]);
    }
    if (output === 'code') return ok({ config: { output }, code: ['output'] });
    if (output === 'none') return ok({ config: { output } });
    const message = `the output of "${draft.id}" is 'code' or 'none'`;
    return no([problem(draft, 'bad-output', message)]);
  },

  enter(place, view) {
    if (place.node.config.output === 'none') return { move: 'terminate', output: null };
    const value = view.call(place, 'output');
    if (!value.ok) return { move: 'fault', fault: value.problem };
    return { move: 'terminate', output: value.value };
  },
};
