/**
 * One activity of a flowchart is cancelled, and the flowchart goes on without it (E-08): whatever
 * is at work there ends, and so do the tokens that wait before it and those that it brought and
 * that wait before others. Who waited for any of these is asked again, in the same stride.
 *
 * Blocks stay: whoever lost a race to this activity has lost it, and does not run it instead.
 */
import type { NodeId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { isLive } from './instance.ts';
import { closeIfEmpty } from './moves.ts';
import { cancelBranch, isOver } from './operate.ts';
import type { Stride } from './stride.ts';

export function admitCancelActivity(stride: Stride, node: NodeId): void {
  if (isOver(stride)) return;
  const { plan } = stride.machine;
  if (plan.nodes.get(node)?.merge === undefined) {
    const nodes = [...plan.nodes.values()].flatMap(({ id, merge }) => (merge ? [id] : []));
    const message = `the plan has no activity "${node}"`;
    return stride.refuse('node.not-found', message, { node, nodes });
  }
  const tokens = stride.scratch.tokens.values().filter((token) => isOf(stride, token, node));
  if (tokens.length === 0) {
    const message = `nothing is at work at "${node}", and nothing of it waits anywhere`;
    return stride.refuse('operation.refused', message, { node });
  }
  for (const token of tokens) cancelBranch(stride, token);
  for (const scope of new Set(tokens.map((token) => token.scope))) closeIfEmpty(stride, scope);
}

/** It is there, or on its way there, or it waits where it came to from there. */
function isOf({ machine }: Stride, token: Token, node: NodeId): boolean {
  const { wait, via } = token;
  const isArrival = wait?.on === 'merge' && wait.block !== true;
  if (!isLive(token) || (wait?.on === 'merge' && !isArrival)) return false;
  if (token.node === node) return true;
  return isArrival && via !== null && machine.plan.edges.get(via)?.from === node;
}
