/** What one stride means for the tables: the difference between two states, as rows. */
import { assert } from '../base/assert.ts';
import type { JsonObject } from '../base/json.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { SubscriptionRow, Touched, ValueRow } from '../model/commit.ts';
import type { Latch, Scope, Token } from '../model/instance.ts';
import type { Change, LatchKey, NewScope, Space } from '../model/change.ts';
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
    values: valuesWritten(before, after, changes),
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

/** The last value of every name written, in scopes that are still open. */
function valuesWritten(
  before: Instance,
  after: Instance,
  changes: readonly Change[],
): readonly ValueRow[] {
  const written = new Written(before);
  for (const change of changes) {
    if (change.did === 'write') written.put(change.scope, change.space, change.values);
    else if (change.did === 'open-scope') written.open(change.scope);
    else if (change.did === 'return-scope' && change.promote === true) written.promote(change.scope);
  }
  return written.rows(after);
}

/** What a stride wrote, scope by scope; a region's results move up when it returns them. */
class Written {
  readonly #before: Instance;
  readonly #values = new Map<ScopeId, Record<Space, JsonObject>>();
  readonly #parents = new Map<ScopeId, ScopeId | null>();

  constructor(before: Instance) {
    this.#before = before;
  }

  open({ id, parent, vars }: NewScope): void {
    this.#parents.set(id, parent);
    if (vars !== undefined) this.put(id, 'vars', vars);
  }

  put(scope: ScopeId, space: Space, values: JsonObject): void {
    const held = this.#values.get(scope);
    if (held !== undefined) held[space] = { ...held[space], ...values };
    else this.#values.set(scope, { results: {}, vars: {}, [space]: values });
  }

  promote(scope: ScopeId): void {
    const was = this.#before.scopes.get(scope);
    const parent = this.#parents.get(scope) ?? was?.parent;
    assert(parent != null, 'a region that returns has someone to return to');
    this.put(parent, 'results', { ...was?.results, ...this.#values.get(scope)?.results });
  }

  rows(after: Instance): readonly ValueRow[] {
    const rows: ValueRow[] = [];
    for (const [scope, spaces] of this.#values) {
      if (after.scopes.get(scope) === undefined) continue;
      for (const space of ['results', 'vars'] as const) {
        for (const [name, value] of Object.entries(spaces[space])) {
          rows.push({ scope, space, name, value });
        }
      }
    }
    return rows;
  }
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
