/**
 * Pass: lets every token through by the way out, one at a time.
 *
 * Several edges may lead in: whoever comes goes on at once, so this is also the exclusive merge.
 *
 * BPMN exclusiveGateway (merging) · Serverless Workflow: a task with no effect · builder: made by
 * .choose(), where its arms meet again
 */
import { ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';

export const pass: NodeKind<null> = {
  kind: 'pass',

  compile: () => ok({ config: null }),

  enter({ node }) {
    return { move: 'take', edges: node.out };
  },
};
