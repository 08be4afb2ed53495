/**
 * A token leaves what it does and goes on at another node: the repair for an instance that took the
 * wrong way. It stays in its scope and keeps its groups, so the other node must lie in the same
 * region, and whoever waits for the token at a join goes on waiting for it.
 */
import type { LatchKey } from '../model/change.ts';
import type { EdgeId, NodeId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { isChain } from './chain.ts';
import { doubtOf } from './doubts.ts';
import { gatheringOf, latchOf } from './instance.ts';
import { cancelBranch, isOver, liveToken } from './operate.ts';
import { birth } from './moves.ts';
import type { Stride } from './stride.ts';
import { traceOf } from './traces.ts';
import { isUnwanted, recordDoubt } from './undos.ts';

export function admitMove(stride: Stride, id: TokenId, to: NodeId): void {
  if (isOver(stride)) return;
  const token = liveToken(stride, id);
  if (token === undefined) return;
  const target = stride.machine.plan.nodes.get(to);
  if (target === undefined) {
    const nodes = [...stride.machine.plan.nodes.keys()];
    return stride.refuse('node.not-found', `the plan has no node "${to}"`, { node: to, nodes });
  }
  const why = immovable(stride, token, to);
  if (why !== undefined) return stride.refuse('operation.refused', why, { token: id, node: to });

  // Whether it did anything is not known, and nobody will hear of it any more.
  if (doubtOf(stride, token) !== null) recordDoubt(stride, token);
  if (token.status === 'ready') stride.record({ did: 'enter-token', token: id });
  cancelBranch(stride, token);
  if (token.wait?.on === 'join') leaveJoin(stride, latchOf(token));
  // Nobody looks at the scope in between; and whoever goes back to here finds one, not two.
  const groups = stride.machine.chart?.passAt(token.node, to, token.groups) ?? token.groups;
  stride.trace = traceOf(token);
  birth(stride, token.scope, to, groups, arrival(stride, token, to));
}

/** A latch without anyone at it is none. */
function leaveJoin(stride: Stride, latch: LatchKey): void {
  if (gatheringOf(stride.scratch, latch)?.arrived.size === 0) {
    stride.record({ did: 'drop-latch', latch });
  }
}

function immovable(stride: Stride, token: Token, to: NodeId): string | undefined {
  const { plan } = stride.machine;
  if (isChain(stride)) return 'a chain goes from step to step: rerun it from one instead';
  if (token.mode === 'compensation') return `token ${token.id} undoes something`;
  if (isUnwanted(stride.scratch, token)) return `nobody wants token ${token.id} any more`;
  if (token.wait?.on === 'merge' && token.wait.block === true) {
    return `token ${token.id} keeps "${token.node}" from running twice, and is nowhere itself`;
  }
  if (token.wait?.on === 'saga') return `what token ${token.id} opened is being undone`;
  const unskippable = stride.machine.spots.get(token.node)?.kind.unskippable;
  if (unskippable !== undefined) return `token ${token.id}: ${unskippable}`;
  if (plan.start === to) return `"${to}" is where instances begin: rerun from it instead`;
  const [here, there] = [plan.nodes.get(token.node)?.parent, plan.nodes.get(to)?.parent];
  if (here === there) return undefined;
  return `"${to}" lies in ${nameOf(there)} and the token in ${nameOf(here)}`;
}

function nameOf(region: NodeId | null | undefined): string {
  return typeof region === 'string' ? `the region of "${region}"` : 'no region';
}

/** At a join it comes by an edge that nobody of its group has come by; elsewhere by none. */
function arrival(stride: Stride, { scope, groups }: Token, to: NodeId): EdgeId | undefined {
  const spot = stride.machine.spots.get(to);
  if (spot?.kind.joins !== true && spot?.kind.inclusive !== true) return undefined;
  const group = groups.at(-1);
  const others = stride.scratch.tokens
    .values()
    .filter((token) => token.node === to && token.scope === scope && token.groups.at(-1) === group);
  const taken = new Set(others.map(({ via }) => via));
  return spot.node.in.find((edge) => !taken.has(edge)) ?? spot.node.in[0];
}
