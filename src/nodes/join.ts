/**
 * Join: waits for every live member of the group on top of the token's stack, then goes on as one.
 *
 * Members are the tokens that carry the group, wherever they are; one that ended elsewhere is no
 * longer expected. With two forks into one join, it fires once per group and each firing takes its
 * own group off. A token that carries no group has nobody to wait for and passes.
 *
 * BPMN parallelGateway (converging) · Serverless Workflow: the end of a fork · builder .parallel()
 */
import { assert } from '../base/assert.ts';
import type { NodeKind } from '../kernel/kind.ts';
import { compileMeeting } from './settings.ts';

export const join: NodeKind<null> = {
  kind: 'join',
  joins: true,

  compile: compileMeeting,

  /** Only a token without a group comes here: the others wait from their birth. */
  enter({ node }) {
    return { move: 'take', edges: node.out };
  },

  resume(place, view, signal) {
    assert(signal.on === 'join', 'a token at a join is only looked at again');
    const group = place.token.groups.at(-1);
    assert(group !== undefined, 'a token waits at a join only if it carries a group');
    if (view.arrivals(place) < view.members(group)) return { move: 'stay' };
    return { move: 'join', edges: place.node.out };
  },
};
