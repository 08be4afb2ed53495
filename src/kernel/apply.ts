/**
 * The only function that alters an instance. Histories are folded with it too, so it must never be
 * cleverer than the change it is given: it looks up, checks that the transition has a name, and
 * writes. What a change leaves out has its usual value, and this file is where that value stands.
 */
import { assert, unreachable } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import type { Birth, Change, Departure, NewScope, NewToken, Space } from '../model/change.ts';
import type { GroupId, Instant, ScopeId, TokenId } from '../model/ids.ts';
import type { Fault, Head, Token } from '../model/instance.ts';
import {
  gatheringOf,
  indexScope,
  indexToken,
  type OpenScope,
  reindexToken,
  type Scratch,
  scopeOf,
  setLatch,
  tokenOf,
} from './instance.ts';
import { move, type Transition } from './transitions.ts';
import { Values } from './values.ts';

export function apply(scratch: Scratch, change: Change, at: Instant): void {
  switch (change.did) {
    case 'start-instance':
      scratch.head = headOf(change.instance, at);
      return;
    case 'open-scope':
      return openScope(scratch, change.scope, at);
    case 'return-scope':
      return returnScope(scratch, change.scope, change.promote === true, at);
    case 'close-scope':
      return closeScope(scratch, change.scope);
    case 'write':
      return write(scratch, change.scope, change.space, change.name, change.value);
    case 'birth-token':
      return birthToken(scratch, tokenFrom(change.token, at));
    case 'claim-token':
    case 'enter-token':
      return put(scratch, shifted(scratch, change.token, 'claim', at));
    case 'park-token':
      return parkToken(scratch, change, at);
    case 'wake-token':
      return wakeToken(scratch, change, at);
    case 'rest-token': {
      const token = shifted(scratch, change.token, 'rest', at);
      token.handler = change.handler;
      token.hops = change.hops;
      return put(scratch, token);
    }
    case 'recover-token':
      return recover(scratch, change.token, change.error, at);
    case 'end-token':
      return endToken(scratch, change.token, change.why, change.fault ?? null, at);
    case 'open-latch':
      return setLatch(scratch, change.latch, { ...change.latch, fired: false });
    case 'fire-latch': {
      const latch = gatheringOf(scratch, change.latch)?.latch;
      assert(latch?.fired === false, 'a join fires once per group');
      return setLatch(scratch, change.latch, { ...latch, fired: true });
    }
    case 'drop-latch':
      return setLatch(scratch, change.latch, null);
    case 'set-output':
      scratch.head = { ...scratch.head, output: change.output };
      return;
    case 'stall':
      scratch.head = { ...scratch.head, stalled: change.stalled };
      return;
    case 'unstall':
      scratch.head = { ...scratch.head, stalled: null };
      return;
    case 'finish':
      assert(scratch.head.status === 'running', 'an instance ends once');
      scratch.head = {
        ...scratch.head,
        status: change.as,
        fault: change.fault ?? null,
        stalled: null,
        endedAt: at,
      };
      return;
    default:
      unreachable(change);
  }
}

/** Closes a commit: the version is the number of its history row. */
export function seal(scratch: Scratch, version: number, at: Instant): void {
  scratch.head = { ...scratch.head, version, counter: scratch.counter, updatedAt: at };
}

const ENDS: Readonly<Record<Departure, Transition>> = {
  done: 'complete',
  joined: 'join',
  failed: 'fail',
  cancelled: 'cancel',
};

function headOf(birth: Birth, at: Instant): Head {
  return {
    id: birth.id,
    plan: birth.plan,
    flow: birth.flow,
    flowVersion: birth.flowVersion,
    status: 'running',
    version: 0,
    counter: 0,
    key: birth.key ?? null,
    tenant: birth.tenant ?? null,
    priority: birth.priority ?? 0,
    input: birth.input,
    output: null,
    fault: null,
    stalled: null,
    createdAt: at,
    updatedAt: at,
    endedAt: null,
  };
}

/** Most tokens come through no fork. Not frozen: a frozen list is slow to walk. */
export const NO_GROUPS: readonly GroupId[] = [];

function tokenFrom(token: NewToken, at: Instant): Token {
  return {
    id: token.id,
    scope: token.scope,
    node: token.node,
    via: token.via ?? null,
    handler: token.handler ?? null,
    seq: token.seq ?? null,
    status: token.status ?? 'executing',
    mode: 'forward',
    groups: token.groups ?? NO_GROUPS,
    visit: 1,
    attempts: 0,
    crashes: 0,
    maxAttempts: token.maxAttempts ?? 1,
    priority: token.priority ?? 0,
    availableAt: token.availableAt ?? at,
    wait: token.wait ?? null,
    wakeAt: null,
    wake: null,
    lastError: null,
    hops: 0,
    createdAt: at,
    updatedAt: at,
  };
}

function openScope(scratch: Scratch, fields: NewScope, at: Instant): void {
  const scope: OpenScope = {
    id: fields.id,
    parent: fields.parent,
    owner: fields.owner,
    node: fields.node,
    index: fields.index ?? null,
    item: fields.item ?? null,
    results: Values.none,
    vars: fields.vars === undefined ? Values.none : Values.of(fields.vars),
  };
  count(scratch, scope.id);
  scratch.scopes.set(scope.id, scope);
  indexScope(scratch, scope, 1);
  if (scope.owner === null) return;
  const owner = letGo(shifted(scratch, scope.owner, 'park', at));
  owner.wait = { on: 'scope', scope: scope.id };
  owner.wake = null;
  put(scratch, owner);
}

function returnScope(scratch: Scratch, id: ScopeId, promote: boolean, at: Instant): void {
  const { parent, owner, results } = scopeOf(scratch, id);
  assert(parent !== null && owner !== null, 'only a region returns to someone');
  closeScope(scratch, id);
  if (promote) {
    for (const [name, value] of Object.entries(results.object)) {
      write(scratch, parent, 'results', name, value);
    }
  }
  // A stride that ended in between has woken it already, and the next one has picked it up.
  if (tokenOf(scratch, owner).status === 'executing') return;
  const token = letGo(shifted(scratch, owner, 'wake', at));
  token.status = move(token.status, 'claim', owner);
  put(scratch, token);
}

function closeScope(scratch: Scratch, id: ScopeId): void {
  const scope = scopeOf(scratch, id);
  assert(scratch.inhabitants.get(id) === undefined, () => `scope ${id} is empty when it closes`);
  indexScope(scratch, scope, -1);
  scratch.scopes.delete(id);
}

function write(scratch: Scratch, id: ScopeId, space: Space, name: string, value: Json): void {
  const scope = scopeOf(scratch, id);
  const { parent, owner, node, index, item, results, vars } = scope;
  scratch.scopes.set(id, {
    id,
    parent,
    owner,
    node,
    index,
    item,
    results: space === 'results' ? results.with(name, value) : results,
    vars: space === 'vars' ? vars.with(name, value) : vars,
  });
}

function recover(scratch: Scratch, id: TokenId, error: Fault, at: Instant): void {
  const token = shifted(scratch, id, 'recover', at);
  assert(token.wait === null, 'a token that was claimed does not wait');
  token.attempts += 1;
  token.crashes += 1;
  token.lastError = error;
  // A step that was woken by an event or a timeout runs again as what it was (D10).
  token.wake ??= { reason: 'lease-recovery', payload: null };
  token.availableAt = at;
  put(scratch, token);
}

function endToken(
  scratch: Scratch,
  id: TokenId,
  why: Departure,
  lastError: Fault | null,
  at: Instant,
): void {
  const before = tokenOf(scratch, id);
  const status = move(before.status, ENDS[why], id);
  indexToken(scratch, before, -1);
  // A chain keeps its finished steps as rows (D14); everything else that ended lives in history.
  if (before.seq === null) return scratch.tokens.delete(id);
  scratch.tokens.set(id, { ...letGo({ ...before }), status, lastError, updatedAt: at });
}

function parkToken(scratch: Scratch, change: Did<'park-token'>, at: Instant): void {
  const token = letGo(shifted(scratch, change.token, 'park', at));
  token.wait = change.wait;
  token.wakeAt = change.wakeAt ?? null;
  token.wake = null;
  put(scratch, token);
}

function wakeToken(scratch: Scratch, change: Did<'wake-token'>, at: Instant): void {
  const token = letGo(shifted(scratch, change.token, 'wake', at));
  if (change.enter === true) token.status = move(token.status, 'claim', token.id);
  token.wake = change.wake;
  token.handler = change.handler ?? null;
  token.hops = change.hops ?? 0;
  put(scratch, token);
}

type Did<What extends Change['did']> = Extract<Change, { did: What }>;

/** A copy of the token after a transition, for the caller to finish and put back. */
function shifted(scratch: Scratch, id: TokenId, by: Transition, at: Instant): Mutable<Token> {
  const token: Mutable<Token> = { ...tokenOf(scratch, id) };
  token.status = move(token.status, by, id);
  token.updatedAt = at;
  return token;
}

/** What a wait leaves behind when it is over, or a claim when it is given back. */
function letGo(token: Mutable<Token>): Mutable<Token> {
  token.handler = null;
  token.wait = null;
  token.wakeAt = null;
  token.hops = 0;
  return token;
}

function put(scratch: Scratch, token: Token): void {
  reindexToken(scratch, tokenOf(scratch, token.id), token);
  scratch.tokens.set(token.id, token);
}

function birthToken(scratch: Scratch, token: Token): void {
  count(scratch, token.id);
  indexToken(scratch, token, 1);
  scratch.tokens.set(token.id, token);
}

function count(scratch: Scratch, id: number): void {
  if (id > scratch.counter) scratch.counter = id;
}
