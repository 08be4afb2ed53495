/**
 * A leave is where `then: exit` leads in the body of a loop, and in what an extension does before a
 * task: whoever waits for the list is told that it was left, and not only that it has ended.
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
