/**
 * Leave: where `then: exit` leads in a list that something else waits for in a different way than
 * for its end: the body of a loop, and what an extension does before a task.
 *
 * Serverless Workflow then: exit
 */
import { ok } from '../../base/result.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import { LEFT } from '../../model/serverless.ts';
import { write } from './envelope.ts';

export const leave: NodeKind<null> = {
  kind: 'sw-leave',

  compile() {
    return ok({ config: null });
  },

  enter() {
    return { move: 'take', edges: [], writes: [write(LEFT, true)] };
  },
};
