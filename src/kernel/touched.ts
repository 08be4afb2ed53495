/** What one stride means for the tables: the difference between two states, as rows. */
import { assert } from '../base/assert.ts';
import { EMPTY, type Json } from '../base/json.ts';
import { Table } from '../base/table.ts';
import type { NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { SubscriptionRow, Touched, ValueRow } from '../model/commit.ts';
import type { Latch, Scope, Token } from '../model/instance.ts';
import type { Change, LatchKey, NewScope, Space } from '../model/change.ts';
import { type Group, type Instance, scopeRow } from './instance.ts';

export function touchedBy(
  before: Instance,
  { after, changes }: { readonly after: Instance; readonly changes: readonly Change[] },
): Touched {
  const tokens: Token[] = [];
  const endedTokens: TokenId[] = [];
  let subscribed: SubscriptionRow[] | undefined;
  let unsubscribed: TokenId[] | undefined;
  Table.eachDifference(before.tokens, after.tokens, (id, was, token) => {
    if (token !== undefined) tokens.push(token);
    else endedTokens.push(id);
    if (was?.wait?.on === 'message') (unsubscribed ??= []).push(id);
    if (token?.wait?.on === 'message') {
      (subscribed ??= []).push({ token: id, type: token.wait.type, key: token.wait.key });
    }
  });
  let scopes: Scope[] | undefined;
  let closedScopes: ScopeId[] | undefined;
  Table.eachDifference(before.scopes, after.scopes, (id, was, scope) => {
    if (scope === undefined) (closedScopes ??= []).push(id);
    else if (was === undefined) (scopes ??= []).push(scopeRow(scope));
  });
  let latches: Latch[] | undefined;
  let droppedLatches: LatchKey[] | undefined;
  Table.eachDifference(before.groups, after.groups, (group, was, is) => {
    for (const { node, latch } of is?.gatherings ?? NONE) {
      if (latch === null || latch === latchAt(was, node)) continue;
      (latches ??= []).push(latch);
    }
    for (const { node, latch } of was?.gatherings ?? NONE) {
      if (latch === null || latchAt(is, node) !== null) continue;
      (droppedLatches ??= []).push({ scope: latch.scope, node, group });
    }
  });
  return {
    head: after.head,
    changes,
    tokens,
    endedTokens,
    scopes: scopes ?? NONE,
    closedScopes: closedScopes ?? NONE,
    values: valuesWritten(before, after, changes),
    latches: latches ?? NONE,
    droppedLatches: droppedLatches ?? NONE,
    subscribed: subscribed ?? NONE,
    unsubscribed: unsubscribed ?? NONE,
  };
}

function latchAt(group: Group | undefined, at: NodeId): Latch | null {
  return group?.gatherings.find(({ node }) => node === at)?.latch ?? null;
}

const NONE: readonly never[] = Object.freeze([]);

/** The last value of every name written, in scopes that are still open. */
function valuesWritten(
  before: Instance,
  after: Instance,
  changes: readonly Change[],
): readonly ValueRow[] {
  if (!changes.some(writesMore)) return simpleWrites(after, changes);
  const written = new Written(before);
  for (const change of changes) {
    if (change.did === 'write') written.put(change.scope, change.space, change.name, change.value);
    else if (change.did === 'open-scope') written.open(change.scope);
    else if (change.did === 'return-scope' && change.promote === true)
      written.promote(change.scope);
  }
  return written.rows(after);
}

function writesMore({ did }: Change): boolean {
  return did === 'open-scope' || did === 'return-scope';
}

/** No region came or went, as after most steps: what is written is all there is to it. */
function simpleWrites(after: Instance, changes: readonly Change[]): readonly ValueRow[] {
  let rows: readonly ValueRow[] = NONE;
  for (const change of changes) {
    if (change.did !== 'write' || after.scopes.get(change.scope) === undefined) continue;
    const { scope, space, name, value } = change;
    const others = rows.filter((row) => !isSame(row, change));
    rows = [...others, { scope, space, name, value }];
  }
  return rows;
}

function isSame(a: Omit<ValueRow, 'value'>, b: Omit<ValueRow, 'value'>): boolean {
  return a.name === b.name && a.space === b.space && a.scope === b.scope;
}

/** What a stride wrote, scope by scope; a region's results move up when it returns them. */
class Written {
  readonly #before: Instance;
  readonly #values = new Map<ScopeId, Record<Space, Map<string, Json>>>();
  readonly #parents = new Map<ScopeId, ScopeId | null>();

  constructor(before: Instance) {
    this.#before = before;
  }

  open({ id, parent, vars }: NewScope): void {
    this.#parents.set(id, parent);
    for (const [name, value] of Object.entries(vars ?? EMPTY)) this.put(id, 'vars', name, value);
  }

  put(scope: ScopeId, space: Space, name: string, value: Json): void {
    const held = this.#values.get(scope) ?? { results: new Map(), vars: new Map() };
    held[space].set(name, value);
    this.#values.set(scope, held);
  }

  promote(scope: ScopeId): void {
    const was = this.#before.scopes.get(scope);
    const parent = this.#parents.get(scope) ?? was?.parent;
    assert(
      parent !== null && parent !== undefined,
      'a region that returns has someone to return to',
    );
    const kept = Object.entries(was?.results.object ?? EMPTY);
    const written = this.#values.get(scope)?.results ?? [];
    for (const [name, value] of [...kept, ...written]) this.put(parent, 'results', name, value);
  }

  rows(after: Instance): readonly ValueRow[] {
    const rows: ValueRow[] = [];
    for (const [scope, spaces] of this.#values) {
      if (after.scopes.get(scope) === undefined) continue;
      for (const space of ['results', 'vars'] as const) {
        for (const [name, value] of spaces[space]) rows.push({ scope, space, name, value });
      }
    }
    return rows;
  }
}
