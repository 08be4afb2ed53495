/**
 * Fork: one token in, one child down every edge, all of them of one fresh group.
 *
 * The group lies on top of each child's stack and stays there through whatever the child passes
 * (choices, loops, scopes, further forks) until a join takes it off.
 *
 * BPMN parallelGateway (diverging) · Serverless Workflow fork · builder .parallel()
 */
import { no, ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import { problem } from './settings.ts';

export const fork: NodeKind<null> = {
  kind: 'fork',
  forks: true,

  compile(draft, wires) {
    if (wires.out.length >= 2) return ok({ config: null });
    const message = `"${draft.id}" forks into two ways or more; came ${wires.out.length}`;
    return no([problem(draft, 'too-few-ways', message)]);
  },

  enter({ node }) {
    return { move: 'take', edges: node.out, fork: true };
  },
};
