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
import type { Diagnostic } from '../model/draft.ts';
import { problem } from './settings.ts';

type Terminate = { readonly output: 'code' | 'none' };

export const terminate: NodeKind<Terminate> = {
  kind: 'terminate',

  compile(draft, wires) {
    const { output = 'none' } = draft.settings;
    const problems: Diagnostic[] = [];
    if (wires.out.length > 0) {
      problems.push(problem(draft, 'has-outbound', `nothing leads out of "${draft.id}"`));
    }
    if (output !== 'code' && output !== 'none') {
      const message = `the output of "${draft.id}" is 'code' or 'none'`;
      problems.push(problem(draft, 'bad-output', message));
    }
    if (problems.length > 0) return no(problems);
    const config = { output } as Terminate;
    return ok({ config, code: output === 'code' ? ['output'] : [] });
  },

  enter(place, view) {
    if (place.node.config.output === 'none') return { move: 'terminate', output: null };
    const value = view.call(place, 'output');
    if (!value.ok) return { move: 'fault', fault: value.problem };
    return { move: 'terminate', output: value.value };
  },
};
