/**
 * A spread makes one token for each of what runs side by side: the branches of a fork, or a task
 * and its deadline.
 *
 * Serverless Workflow fork, timeout
 */
import { ok } from '../../base/result.ts';
import type { NodeKind } from '../../kernel/kind.ts';

export const spread: NodeKind<null> = {
  kind: 'sw-spread',

  compile() {
    return ok({ config: null });
  },

  enter({ node }) {
    return { move: 'take', edges: node.out };
  },
};
