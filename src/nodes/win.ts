/**
 * Win: the first token to come here ends everything else in its scope.
 *
 * Put where the branches of a race meet: the first that gets there ends the others, wherever in the
 * scope they are and whatever they wait for, and the scope is over. What a handler was at work on
 * is not waited for; if it can be undone, how it ends is still heard of.
 *
 * BPMN: no such element (a terminateEndEvent of an embedded subProcess) · Serverless Workflow fork
 * with compete: true · builder .race()
 */
import { no, ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import { problem } from './settings.ts';

export const win: NodeKind<null> = {
  kind: 'win',

  compile(draft, wires) {
    if (wires.out.length === 0) return ok({ config: null });
    return no([problem(draft, 'has-outbound', `nothing leads out of "${draft.id}"`)]);
  },

  enter() {
    return { move: 'prevail' };
  },
};
