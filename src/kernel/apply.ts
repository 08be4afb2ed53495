/**
 * The only function that alters an instance. Histories are folded with it too, so it must never be
 * cleverer than the change it is given: it looks up, checks that the transition has a name, and
 * writes. What a change leaves out has its usual value (see also `births.ts`).
 */
import { assert, unreachable } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import type { Change, Departure, LatchKey, NewScope, Space } from '../model/change.ts';
import type { Instant, ScopeId, TokenId } from '../model/ids.ts';
import type { Fault, Token, Wake } from '../model/instance.ts';
import {
  gatheringOf,
  indexScope,
  indexToken,
  type OpenScope,
  passAround,
  reindexToken,
  type Scratch,
  scopeOf,
  setLatch,
  tokenOf,
} from './instance.ts';
import { headOf, tokenFrom } from './births.ts';
import { Items } from './items.ts';
import { applyOperation, inPhase, resumed } from './apply-operation.ts';
import { dropUndos, handUndos, recordUndo, settleUndo, undoBy } from './apply-undo.ts';
import { postNumber } from './posts.ts';
import { signalOf } from './signals.ts';
import { isFirst, traceLeft, wokenIn } from './traces.ts';
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
    case 'drain-scope':
      return alterScope(scratch, change.scope, { drains: change.to });
    case 'release-scope':
      return releaseScope(scratch, change.scope);
    case 'write':
      return write(scratch, change.scope, change.space, change.name, change.value);
    case 'birth-token':
      if (change.token.undoes !== undefined) undoBy(scratch, change.token.undoes, change.token.id);
      return birthToken(scratch, tokenFrom(change.token, at));
    case 'activate-token':
      return activateToken(scratch, change.token, at);
    case 'claim-token':
    case 'enter-token':
      return put(scratch, shifted(scratch, change.token, 'claim', at));
    case 'park-token':
      return parkToken(scratch, change, at);
    case 'wake-token':
      return wakeToken(scratch, change, at);
    case 'rest-token':
      return restToken(scratch, change, at);
    case 'recover-token':
      return recover(scratch, change.token, change.error, at);
    case 'retry-token':
      return retryToken(scratch, change, at);
    case 'end-token':
      return endToken(scratch, change.token, change.why, change.fault ?? null, at);
    case 'open-latch':
      return setLatch(scratch, change.latch, { ...change.latch, fired: false });
    case 'fire-latch':
      return fireLatch(scratch, change.latch);
    case 'drop-latch':
      return setLatch(scratch, change.latch, null);
    case 'record-undo':
    case 'settle-undo':
    case 'hand-undos':
    case 'start-saga':
    case 'end-saga':
      return applySaga(scratch, change, at);
    // Nothing of the instance's own but its number: the rest is for whoever brings it.
    case 'post':
    case 'send':
      return count(scratch, postNumber(change.did === 'post' ? change.post : change.letter));
    case 'set-output':
      scratch.head = { ...scratch.head, output: change.output };
      return;
    case 'stall':
    case 'unstall': {
      const stalled = change.did === 'stall' ? change.stalled : null;
      scratch.head = { ...scratch.head, stalled };
      return;
    }
    case 'finish':
      return finish(scratch, change, at);
    // What is left are changes that only people bring about, and what is for them to read.
    default:
      return applyOperation(scratch, change, at);
  }
}

type SagaDid = 'record-undo' | 'settle-undo' | 'hand-undos' | 'start-saga' | 'end-saga';

function applySaga(scratch: Scratch, change: Did<SagaDid>, at: Instant): void {
  switch (change.did) {
    case 'record-undo':
      return recordUndo(scratch, change.undo);
    case 'settle-undo':
      return settleUndo(scratch, change.undo, change.as, change.fault ?? null);
    case 'hand-undos':
      return handUndos(scratch, change.from, change.to);
    case 'start-saga':
      return startSaga(scratch, change.scope, change.fault ?? null, at);
    case 'end-saga':
      return endSaga(scratch, change.scope, at);
    default:
      unreachable(change);
  }
}

/** Closes a commit: the version is the number of its history row. */
export function seal(scratch: Scratch, version: number, at: Instant): void {
  scratch.head = { ...scratch.head, version, counter: scratch.counter, updatedAt: at };
  scratch.before = null;
}

const ENDS: Readonly<Record<Departure, Transition>> = {
  done: 'complete',
  joined: 'join',
  failed: 'fail',
  cancelled: 'cancel',
};

function openScope(scratch: Scratch, fields: NewScope, at: Instant): void {
  const scope: OpenScope = {
    id: fields.id,
    parent: fields.parent,
    owner: fields.owner,
    node: fields.node,
    index: fields.index ?? null,
    item: fields.item ?? null,
    drains: null,
    results: Values.none,
    vars: fields.vars === undefined ? Values.none : Values.of(fields.vars),
    items: Items.none,
  };
  count(scratch, scope.id);
  scratch.scopes.set(scope.id, scope);
  indexScope(scratch, scope, 1);
  if (scope.owner === null) return;
  const owner = letGo(shifted(scratch, scope.owner, 'park', at));
  owner.wait = { on: 'scope', scope: scope.id };
  owner.wake = traceLeft(owner.wake);
  put(scratch, owner);
}

function returnScope(scratch: Scratch, id: ScopeId, promote: boolean, at: Instant): void {
  const { parent, owner, results, drains } = scopeOf(scratch, id);
  assert(parent !== null && owner !== null, 'only a region returns to someone');
  if (drains !== null && scratch.inhabitants.get(id) !== undefined) releaseScope(scratch, id);
  else closeScope(scratch, id);
  if (promote) {
    for (const [name, value] of Object.entries(results.object)) {
      write(scratch, parent, 'results', name, value);
    }
  }
  goOn(scratch, owner, at);
}

/** The owner of a region that is over is moved by the kernel again. */
function goOn(scratch: Scratch, owner: TokenId, at: Instant): void {
  // A stride that ended in between has woken it already, and the next one has picked it up.
  if (tokenOf(scratch, owner).status === 'executing') return;
  const token = letGo(shifted(scratch, owner, 'wake', at));
  token.status = move(token.status, 'claim', owner);
  put(scratch, token);
}

/** Whatever it was part of is over; its saga hears of what is left in it. */
function releaseScope(scratch: Scratch, id: ScopeId): void {
  const scope = scopeOf(scratch, id);
  assert(scope.drains !== null, () => `scope ${id} drains before it is let go of`);
  // One that undoes itself lies in the root: whatever is in between may close before it is done.
  const parent = scope.drains === id ? (scratch.scopes.first() ?? null) : scope.drains;
  // From now on nothing around it tells.
  const { index, item } = passAround(scratch, id);
  alterScope(scratch, id, { parent, owner: null, index, item });
}

function alterScope(scratch: Scratch, id: ScopeId, fields: Partial<OpenScope>): void {
  const before = scopeOf(scratch, id);
  const after = { ...before, ...fields };
  indexScope(scratch, before, -1);
  indexScope(scratch, after, 1);
  scratch.scopes.set(id, after);
}

/** Nothing in it goes forward any more. That of the whole instance shows in its head. */
function startSaga(scratch: Scratch, id: ScopeId, fault: Fault | null, at: Instant): void {
  const { owner } = scopeOf(scratch, id);
  if (owner === null) {
    const { head } = scratch;
    scratch.head = { ...head, ...inPhase(head, 'compensating'), fault, stalled: null };
    return;
  }
  assert(fault !== null, 'only the saga of a whole instance needs no fault');
  const token = { ...tokenOf(scratch, owner), updatedAt: at };
  token.wait = { on: 'saga', scope: id, fault };
  put(scratch, token);
}

function endSaga(scratch: Scratch, id: ScopeId, at: Instant): void {
  const { owner } = scopeOf(scratch, id);
  closeScope(scratch, id);
  if (owner !== null) goOn(scratch, owner, at);
}

function closeScope(scratch: Scratch, id: ScopeId): void {
  const scope = scopeOf(scratch, id);
  assert(scratch.inhabitants.get(id) === undefined, () => `scope ${id} is empty when it closes`);
  indexScope(scratch, scope, -1);
  scratch.scopes.delete(id);
}

function write(scratch: Scratch, id: ScopeId, space: Space, name: string, value: Json): void {
  const scope = scopeOf(scratch, id);
  const { parent, owner, node, index, item, drains, results, vars, items } = scope;
  scratch.scopes.set(id, {
    id,
    parent,
    owner,
    node,
    index,
    item,
    drains,
    results: space === 'results' ? results.with(name, value) : results,
    vars: space === 'vars' ? vars.with(name, value) : vars,
    items: space === 'items' ? items.with(name, value) : items,
  });
}

function fireLatch(scratch: Scratch, key: LatchKey): void {
  const latch = gatheringOf(scratch, key)?.latch;
  assert(latch?.fired === false, 'a join fires once per group');
  setLatch(scratch, key, { ...latch, fired: true });
}

const RECOVERED: Wake = { reason: 'lease-recovery', payload: null };

function recover(scratch: Scratch, id: TokenId, error: Fault, at: Instant): void {
  const token = shifted(scratch, id, 'recover', at);
  assert(token.wait === null, 'a token that was claimed does not wait');
  token.attempts += 1;
  token.crashes += 1;
  token.lastError = error;
  // A step that was woken by an event or a timeout runs again as what it was (D10).
  if (isFirst(token.wake)) token.wake = wokenIn(token.wake, RECOVERED);
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
  const token = letGo({ ...before });
  token.status = status;
  token.wake = null;
  token.lastError = lastError;
  token.updatedAt = at;
  // What failed while it was suspended was counted then.
  if (why === 'failed' && signalOf(before.wake)?.on !== 'fault') token.attempts += 1;
  scratch.tokens.set(id, token);
}

function activateToken(scratch: Scratch, id: TokenId, at: Instant): void {
  const token = shifted(scratch, id, 'activate', at);
  token.availableAt = at;
  scratch.tokens.set(id, token);
  indexToken(scratch, token, 1);
}

function parkToken(scratch: Scratch, change: Did<'park-token'>, at: Instant): void {
  const token = letGo(shifted(scratch, change.token, 'park', at));
  token.wait = change.wait;
  token.wakeAt = change.wakeAt ?? null;
  token.wake = traceLeft(token.wake);
  if (change.error !== undefined) {
    token.attempts += 1;
    token.lastError = change.error;
  }
  put(scratch, token);
}

function wakeToken(scratch: Scratch, change: Did<'wake-token'>, at: Instant): void {
  const token = letGo(shifted(scratch, change.token, 'wake', at));
  if (change.enter === true) token.status = move(token.status, 'claim', token.id);
  token.wake = wokenIn(token.wake, change.wake);
  if (token.seq === null) token.handler = change.handler ?? null;
  token.hops = change.hops ?? 0;
  if (change.again === true) {
    token.visit += 1;
    token.availableAt = at;
  }
  if (change.maxAttempts !== undefined) token.maxAttempts = change.maxAttempts;
  if (change.anew === true) token.attempts = 0;
  if (change.anew === true || change.maxAttempts !== undefined) token.crashes = 0;
  put(scratch, token);
}

function restToken(scratch: Scratch, change: Did<'rest-token'>, at: Instant): void {
  const token = shifted(scratch, change.token, 'rest', at);
  token.handler = change.handler;
  token.hops = change.hops;
  put(scratch, token);
}

function retryToken(scratch: Scratch, change: Did<'retry-token'>, at: Instant): void {
  const token = shifted(scratch, change.token, 'retry', at);
  token.attempts += 1;
  token.lastError = change.error;
  const { reason, since } = token.wake ?? {};
  // What it was woken by it still has to answer, however often it is tried (D10).
  if (reason !== 'event' && reason !== 'timeout') {
    const wake = {
      reason: 'retry',
      payload: null,
      ...(since === undefined ? {} : { since }),
    } as const;
    token.wake = wokenIn(token.wake, wake);
  }
  token.availableAt = change.availableAt;
  put(scratch, token);
}

function finish(scratch: Scratch, change: Did<'finish'>, at: Instant): void {
  assert(scratch.head.endedAt === null, 'an instance ends once');
  scratch.head = {
    ...scratch.head,
    ...resumed(scratch.head, at, false),
    status: change.as,
    fault: change.fault ?? null,
    stalled: null,
    outcome: change.outcome ?? null,
    endedAt: at,
  };
  // What could not be undone stays, for people to see (B-67).
  dropUndos(scratch, ({ status: undone }) => undone !== 'failed');
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
  // A row of a chain says whose step it is, whatever state it is in.
  if (token.seq === null) token.handler = null;
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
