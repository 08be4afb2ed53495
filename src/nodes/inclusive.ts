/**
 * Inclusive: waits until nobody else can still come, then goes on as one.
 *
 * It counts no branches and knows no group: it looks where the tokens of its scope are and by which
 * edges they could still get here. One token of each edge that holds any is taken.
 *
 * BPMN inclusiveGateway (converging) · builder .choose() with many: true
 */
import type { NodeKind } from '../kernel/kind.ts';
import { compileMeeting } from './settings.ts';

export const inclusive: NodeKind<null> = {
  kind: 'inclusive',
  inclusive: true,

  compile: compileMeeting,
};
