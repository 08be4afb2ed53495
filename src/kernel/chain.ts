/**
 * The tokens of a chain stand in a line (D9): all of them are rows from the start, and which comes
 * next the rows alone tell. The definition has no say once they are there.
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import type { NewToken } from '../model/change.ts';
import type { NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { Head, Token } from '../model/instance.ts';
import { lanesIn } from './lanes.ts';
import type { Stride } from './stride.ts';

/** By its plan: its links are not there yet if it was suspended before it began. */
export function isChain(stride: Stride): boolean {
  const { plan, spots } = stride.machine;
  return spots.get(plan.start)?.kind.linesUp === true;
}

/** What a chain is about: its input, until it has begun or someone has said otherwise. */
export function aboutOf(
  { output, input }: Pick<Head, 'output' | 'input'>,
  tokens: readonly Token[],
): Json {
  return isLinedUp(tokens) ? output : (output ?? input);
}

export function isLinedUp(tokens: readonly Token[]): boolean {
  return tokens.some(({ seq }) => seq !== null);
}

/** The first is ready, the others wait for their turn. */
export function lineUp(stride: Stride, scope: ScopeId, nodes: readonly NodeId[]): void {
  const { head, tokens } = stride.scratch;
  const { priority: usual } = head;
  stride.record({ did: 'set-output', output: aboutOf(head, tokens.values()) });
  for (const [seq, node] of nodes.entries()) {
    const id = stride.nextId() as TokenId;
    const { handler, offer, limits } = stride.spotOf(node);
    assert(offer !== undefined, () => `"${node}" of a chain is run by a handler`);
    const status = seq === 0 ? 'ready' : 'created';
    const token: Mutable<NewToken> = { id, scope, node, seq, status, handler };
    const priority = offer.priority ?? usual;
    if (priority !== 0) token.priority = priority;
    if (offer.maxAttempts !== undefined) token.maxAttempts = offer.maxAttempts;
    if (limits.length > 0) token.lanes = lanesIn(limits, stride.scratch.head);
    if (stride.trace !== undefined) token.trace = stride.trace;
    stride.record({ did: 'birth-token', token });
    if (seq === 0) stride.hint({ do: 'offer', token: id, handler });
  }
}

/** They were born one after the other, unless another version of the chain added some later. */
function findNext({ scratch }: Stride, { id, scope, seq }: Token): Token | undefined {
  assert(seq !== null, () => `token ${id} stands in a line`);
  const isNext = (token: Token | undefined): boolean =>
    token?.scope === scope && token.seq === seq + 1;
  const next = scratch.tokens.get((id + 1) as TokenId);
  return isNext(next) ? next : scratch.tokens.values().find(isNext);
}

/** Whoever comes next is ready; nothing happens if that was the last. */
export function callNext(stride: Stride, token: Token): void {
  const next = findNext(stride, token);
  if (next === undefined) return;
  const { id, status, handler } = next;
  assert(status === 'created', () => `token ${id} is ${status} before its turn has come`);
  stride.record({ did: 'activate-token', token: id });
  if (handler !== null) stride.hint({ do: 'offer', token: id, handler });
}
