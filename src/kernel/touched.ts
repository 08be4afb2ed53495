/** What one stride means for the tables: the difference between two states, as rows. */
import { assert } from '../base/assert.ts';
import type { Json, JsonObject } from '../base/json.ts';
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
  let subscribed: readonly SubscriptionRow[] = NONE;
  let unsubscribed: readonly TokenId[] = NONE;
  after.tokens.eachTouched((id, token) => {
    const was = before.tokens.get(id);
    if (token !== undefined) tokens.push(token);
    else if (was !== undefined) endedTokens.push(id);
    if (was?.wait?.on === 'message') unsubscribed = [...unsubscribed, id];
    if (token?.wait?.on === 'message') {
      subscribed = [...subscribed, { token: id, type: token.wait.type, key: token.wait.key }];
    }
  });
  const scopes: Scope[] = [];
  const closedScopes: ScopeId[] = [];
  after.scopes.eachTouched((id, scope) => {
    const was = before.scopes.get(id) !== undefined;
    if (scope === undefined) {
      if (was) closedScopes.push(id);
    } else if (!was) scopes.push(scope);
  });
  const latches: Latch[] = [];
  const droppedLatches: LatchKey[] = [];
  after.latches.eachTouched((name, latch) => {
    const was = before.latches.get(name);
    if (latch !== undefined) latches.push(latch);
    else if (was !== undefined) droppedLatches.push(was);
  });
  return {
    head: after.head,
    changes,
    tokens,
    endedTokens,
    scopes,
    closedScopes,
    values: valuesWritten(before, after, changes),
    latches,
    droppedLatches,
    subscribed,
    unsubscribed,
  };
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
    if (change.did === 'write') written.put(change.scope, change.space, change.values);
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
  const rows: ValueRow[] = [];
  for (const change of changes) {
    if (change.did !== 'write' || after.scopes.get(change.scope) === undefined) continue;
    const { scope, space, values } = change;
    for (const name of Object.keys(values)) {
      const again = rows.findIndex(
        (row) => row.name === name && row.space === space && row.scope === scope,
      );
      if (again >= 0) rows.splice(again, 1);
      rows.push({ scope, space, name, value: values[name] as Json });
    }
  }
  return rows;
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
    assert(
      parent !== null && parent !== undefined,
      'a region that returns has someone to return to',
    );
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
