/**
 * Terminate: ends the whole instance now, whatever else is alive.
 *
 * Every other token is cancelled, in every branch and scope, in the same commit; the instance is
 * completed, with the output this node gives.
 *
 * BPMN terminateEndEvent (of the process) · Serverless Workflow then: end · builder .terminate()
 */
import type { NodeKind } from '../kernel/kind.ts';
import { compileOutput } from './settings.ts';

type Terminate = { readonly output: 'code' | 'none' };

export const terminate: NodeKind<Terminate> = {
  kind: 'terminate',

  compile: (draft, wires) => compileOutput(draft, wires, ['code', 'none']),

  enter(place, view) {
    if (place.node.config.output === 'none') return { move: 'terminate', output: null };
    const value = view.call(place, 'output');
    if (!value.ok) return { move: 'fault', fault: value.problem };
    return { move: 'terminate', output: value.value };
  },
};
