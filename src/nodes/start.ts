/**
 * Start: where the first token is born. It passes on at once; nothing may lead into it.
 *
 * BPMN startEvent · Serverless Workflow: the first task · builder: made by flow()
 */
import { no, ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import { problem } from './settings.ts';

export const start: NodeKind<null> = {
  kind: 'start',

  compile(draft, wires) {
    if (wires.in.length === 0) return ok({ config: null });
    return no([problem(draft, 'has-inbound', `nothing leads into the start "${draft.id}"`)]);
  },

  enter({ node }) {
    return { move: 'take', edges: node.out };
  },
};
