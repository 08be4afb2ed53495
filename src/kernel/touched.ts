/** What one stride means for the tables: the difference between two states, as rows. */
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { SubscriptionRow, Touched, ValueRow } from '../model/commit.ts';
import type { Latch, Scope, Token } from '../model/instance.ts';
import type { Change, LatchKey } from '../model/change.ts';
import type { Instance } from './instance.ts';

/** `after` must be the outcome of one stride on `before`, and neither absorbed yet. */
export function touchedBy(
  before: Instance,
  { after, changes }: { readonly after: Instance; readonly changes: readonly Change[] },
): Touched {
  const tokens: Token[] = [];
  const endedTokens: TokenId[] = [];
  const subscribed: SubscriptionRow[] = [];
  const unsubscribed: TokenId[] = [];
  after.tokens.eachTouched((id, token) => {
    const was = before.tokens.get(id);
    if (token !== undefined) tokens.push(token);
    else if (was !== undefined) endedTokens.push(id);
    if (was?.wait?.on === 'message') unsubscribed.push(id);
    if (token?.wait?.on === 'message') {
      subscribed.push({ token: id, type: token.wait.type, key: token.wait.key });
    }
  });
  return {
    head: after.head,
    changes,
    tokens,
    endedTokens,
    subscribed,
    unsubscribed,
    ...scopesTouched(before, after),
    values: valuesWritten(after, changes),
    ...latchesTouched(before, after),
  };
}

function scopesTouched(
  before: Instance,
  after: Instance,
): Pick<Touched, 'scopes' | 'closedScopes'> {
  const scopes: Scope[] = [];
  const closedScopes: ScopeId[] = [];
  after.scopes.eachTouched((id, scope) => {
    const was = before.scopes.get(id) !== undefined;
    if (scope === undefined) {
      if (was) closedScopes.push(id);
    } else if (!was) scopes.push(scope);
  });
  return { scopes, closedScopes };
}

function valuesWritten(after: Instance, changes: readonly Change[]): ValueRow[] {
  const rows = new Map<string, ValueRow>();
  const put = (scope: ScopeId, space: ValueRow['space'], name: string, value: ValueRow['value']) =>
    rows.set(`${scope} ${space} ${name}`, { scope, space, name, value });
  for (const change of changes) {
    if (change.did === 'write' && after.scopes.get(change.scope) !== undefined) {
      for (const [name, value] of Object.entries(change.values)) {
        put(change.scope, change.space, name, value);
      }
    }
    if (change.did === 'open-scope' && after.scopes.get(change.scope.id) !== undefined) {
      for (const [name, value] of Object.entries(change.scope.vars ?? {})) {
        put(change.scope.id, 'vars', name, value);
      }
    }
  }
  return [...rows.values()];
}

function latchesTouched(
  before: Instance,
  after: Instance,
): Pick<Touched, 'latches' | 'droppedLatches'> {
  const latches: Latch[] = [];
  const droppedLatches: LatchKey[] = [];
  after.latches.eachTouched((name, latch) => {
    const was = before.latches.get(name);
    if (latch !== undefined) latches.push(latch);
    else if (was !== undefined) droppedLatches.push(was);
  });
  return { latches, droppedLatches };
}
