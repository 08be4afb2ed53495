/**
 * The rows of a chain by another plan. What is done stays as it is and the current step stays where
 * it is; the rows after it, none of which has begun, become those of the other plan. Progress looks
 * only at rows (D9), so that is all there is to do.
 */
import type { Mutable } from '../base/mutable.ts';
import type { NewToken, Placing } from '../model/change.ts';
import type { NodeId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Crossing } from './crossing.ts';
import { isLive } from './instance.ts';
import { lanesAnew, lanesIn } from './lanes.ts';
import type { Machine, Spot } from './machine.ts';
import type { Stride } from './stride.ts';
import { traceOf } from './traces.ts';

export function placeLinks(stride: Stride, { to }: Crossing): void {
  const rows = stride.scratch.tokens.values().filter(({ seq }) => seq !== null);
  const current = rows.find(isLive);
  if (current === undefined) return;
  const coming = rows.filter(({ status }) => status === 'created').sort(bySeq);
  const after = linksAfter(to, current.node);
  for (const [at, spot] of after.entries()) {
    const row = coming[at];
    if (row === undefined) birthLink(stride, current, spot, at + 1);
    else placeLink(stride, row, spot);
  }
  for (const { id } of coming.slice(after.length)) stride.record({ did: 'drop-token', token: id });
}

function bySeq(a: Token, b: Token): number {
  return (a.seq ?? 0) - (b.seq ?? 0);
}

/** The edges of a chain tell what comes after what; each of its links has one at the most. */
function linksAfter(machine: Machine, node: NodeId): readonly Spot[] {
  const after: Spot[] = [];
  let spot = linkAfter(machine, node);
  while (spot !== undefined && after.length < machine.spots.size) {
    after.push(spot);
    spot = linkAfter(machine, spot.node.id);
  }
  return after;
}

function linkAfter({ plan, spots }: Machine, node: NodeId): Spot | undefined {
  const [edge] = plan.nodes.get(node)?.out ?? [];
  const to = edge === undefined ? undefined : plan.edges.get(edge)?.to;
  return to === undefined ? undefined : spots.get(to);
}

function placeLink(stride: Stride, row: Token, spot: Spot): void {
  const { node, handler, offer = {}, limits } = spot;
  const { maxAttempts = 1, priority = stride.scratch.head.priority } = offer;
  const placing: Mutable<Placing> = {};
  if (row.node !== node.id) placing.node = node.id;
  if (row.handler !== handler) placing.handler = handler;
  if (row.maxAttempts !== maxAttempts) placing.maxAttempts = maxAttempts;
  if (row.priority !== priority) placing.priority = priority;
  const { lanes } = lanesAnew(limits, stride.scratch.head, row);
  if (lanes !== row.lanes) placing.lanes = lanes;
  if (Object.keys(placing).length === 0) return;
  stride.record({ did: 'place-token', token: row.id, ...placing });
}

function birthLink(
  stride: Stride,
  current: Token,
  { node, handler, offer = {}, limits }: Spot,
  place: number,
): void {
  const { maxAttempts = 1, priority = stride.scratch.head.priority } = offer;
  const seq = (current.seq ?? 0) + place;
  const id = stride.nextId() as TokenId;
  const { scope } = current;
  const token: Mutable<NewToken> = { id, scope, node: node.id, seq, status: 'created', handler };
  if (priority !== 0) token.priority = priority;
  if (maxAttempts !== 1) token.maxAttempts = maxAttempts;
  if (limits.length > 0) token.lanes = lanesIn(limits, stride.scratch.head);
  const trace = traceOf(current);
  if (trace !== undefined) token.trace = trace;
  stride.record({ did: 'birth-token', token });
}
