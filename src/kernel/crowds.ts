/**
 * Two more indexes of an instance, which only flowcharts need: who is alive in each scope, and who
 * waits before which activity. The first is made when a flowchart first asks, and kept from then
 * on; the second is empty wherever there is none.
 *
 * Both are tables in tables. What a stride has made itself it writes to in place, and everything
 * else it copies first, so that every state stays what it was.
 */
import { Table } from '../base/table.ts';
import type { NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';

/** Who is alive in one scope. */
export type Crowd = Table<TokenId, true>;

/** Who waits before the activities of one scope, by activity. */
export type Halls = ReadonlyMap<NodeId, Table<TokenId, Token>>;

/** What a stride writes these to. */
interface Crowded {
  readonly crowds: Table<ScopeId, Crowd> | null;
  halls: Table<ScopeId, Halls>;
  readonly before: { readonly halls: Table<ScopeId, Halls> } | null;
  owned: Set<object> | null;
}

/** Puts a token into the crowd of its scope, or with -1 takes it out. */
export function crowd(scratch: Crowded, { id, scope }: Token, by: 1 | -1): void {
  const { crowds } = scratch;
  if (crowds === null) return;
  const own = ownTable(scratch, crowds.get(scope));
  if (by === 1) own.set(id, true);
  else own.delete(id);
  if (own.size === 0) crowds.delete(scope);
  else crowds.set(scope, own);
}

/** Who is alive where, from the tokens that are. */
export function crowdsOf(living: readonly Token[]): Table<ScopeId, Crowd> {
  const crowds = Table.empty<ScopeId, Crowd>();
  for (const { id, scope } of living) {
    const those = crowds.get(scope) ?? Table.empty<TokenId, true>();
    those.set(id, true);
    crowds.set(scope, those);
  }
  return crowds;
}

/** Puts a token among those who wait before its activity, or with -1 takes it out. */
export function meet(scratch: Crowded, token: Token, by: 1 | -1): void {
  if (scratch.halls === scratch.before?.halls) scratch.halls = scratch.halls.branch();
  const { id, scope, node } = token;
  const halls = ownHalls(scratch, scratch.halls.get(scope));
  const own = ownTable(scratch, halls.get(node));
  if (by === 1) own.set(id, token);
  else own.delete(id);
  if (own.size === 0) halls.delete(node);
  else halls.set(node, own);
  if (halls.size === 0) scratch.halls.delete(scope);
  else scratch.halls.set(scope, halls);
}

function ownHalls(scratch: Crowded, known: Halls | undefined): Map<NodeId, Table<TokenId, Token>> {
  scratch.owned ??= new Set();
  if (known !== undefined && scratch.owned.has(known)) return known as Map<NodeId, never>;
  const own = new Map(known);
  scratch.owned.add(own);
  return own;
}

function ownTable<Value>(
  scratch: Crowded,
  known: Table<TokenId, Value> | undefined,
): Table<TokenId, Value> {
  scratch.owned ??= new Set();
  if (known !== undefined && scratch.owned.has(known)) return known;
  const own = known === undefined ? Table.empty<TokenId, Value>() : known.branch();
  scratch.owned.add(own);
  return own;
}
