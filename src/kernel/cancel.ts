/**
 * Ending what lies inside a scope, because something outside it has been decided.
 *
 * Whatever waits or has not begun ends at once and leaves nothing behind. A step that can be undone
 * and that a handler may be at work on is another matter: whether it did anything is known only
 * when the handler answers or its lease runs out. If there is a saga to hear of it, such a token
 * stays where it is and its scope drains: nobody wants the result, but what it did may have to be
 * undone. The kernel cannot see whether a worker has claimed it (D2), so one that nobody has stays
 * too, until a worker claims it, sees that it is not wanted and puts it down unrun.
 */
import { assert } from '../base/assert.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { isLive, isResting, latchesOf, type OpenScope, tokenOf } from './instance.ts';
import { post } from './posts.ts';
import type { Stride } from './stride.ts';
import { isUndoing, reachOf, recordDoubt, sagaOf } from './undos.ts';

/** How it is ended: `saga` hears of what is left, and nobody if it is null. */
export interface Ending {
  readonly saga: ScopeId | null;
  readonly except?: TokenId;
  /** The whole instance is over, whatever was still being undone. */
  readonly atOnce?: boolean;
}

/**
 * Ends every token in a scope and in those it holds, but for one, and closes the latter. The scope
 * itself stays, and drains if something in it does. A scope inside that is being undone has failed
 * already: unless the saga that begins takes it over, it goes on by itself until that is done.
 */
export function cancelInside(
  stride: Stride,
  region: ScopeId,
  { saga, except, atOnce = false }: Ending,
): void {
  // As for most that fail among many: nobody is left in it, and nothing drains.
  if (isAlone(stride, region)) return;
  if (!atOnce && saga !== region) leaveSagas(stride, region, saga);
  const inside = scopesInside(stride, region, saga, atOnce);
  const draining = new Set<ScopeId>();
  // Youngest first, so that a scope is always emptied before the token that owns it ends.
  for (const id of stride.scratch.tokens.keys().reverse()) {
    const token = tokenOf(stride.scratch, id);
    if (id === except || !isLive(token) || !inside.has(token.scope)) continue;
    if (saga !== null && mayBeAtWork(stride, token)) {
      // A compensation is not to stop half way.
      if (token.mode === 'forward') stride.hint({ do: 'abort', token: id });
      draining.add(token.scope);
    } else cancelToken(stride, token, saga);
  }
  for (const { scope, node, group } of latchesOf(stride.scratch)) {
    if (inside.has(scope)) stride.record({ did: 'drop-latch', latch: { scope, node, group } });
  }
  const sagas = new Set(stride.scratch.undos.values().map((undo) => undo.saga));
  for (const scope of [...inside].sort((a, b) => b - a)) {
    if (draining.has(scope) && saga !== null && scope !== saga) {
      stride.record({ did: 'drain-scope', scope, to: saga });
    }
    // Whoever asked for all this goes on with the region itself, and closes it or lets go of it.
    if (scope === region) continue;
    if (sagas.has(scope)) stride.record({ did: 'hand-undos', from: scope, to: saga });
    stride.record({ did: draining.has(scope) ? 'release-scope' : 'close-scope', scope });
  }
}

function isAlone({ scratch }: Stride, region: ScopeId): boolean {
  return scratch.draining === 0 && scratch.inhabitants.get(region) === undefined;
}

export function rootOf(stride: Stride): ScopeId {
  const root = stride.scratch.scopes.first();
  assert(root !== undefined, 'an open instance has a scope');
  return root;
}

/** Lets go of every scope in a region whose saga is running. */
function leaveSagas(stride: Stride, region: ScopeId, saga: ScopeId | null): void {
  if (stride.scratch.troubled === 0) return;
  for (const scope of [...scopesInside(stride, region, saga)].sort((a, b) => b - a)) {
    if (scope === region || !isUndoing(stride.scratch, scope)) continue;
    const { owner } = stride.scopeOf(scope);
    if (owner === null) continue;
    stride.record({ did: 'drain-scope', scope, to: scope });
    stride.record({ did: 'release-scope', scope });
  }
}

/** What drains for this very saga is where it should be already, and so is what undoes itself. */
function scopesInside(
  stride: Stride,
  region: ScopeId,
  saga: ScopeId | null,
  atOnce = false,
): Set<ScopeId> {
  const inside = new Set([region]);
  // A scope is younger than the one it lies in, unless it was let go of.
  const lies = ({ id, parent, owner, drains }: OpenScope): boolean => {
    if (id === region || parent === null || !inside.has(parent)) return false;
    return owner !== null || (parent !== saga && (drains !== id || atOnce));
  };
  const scopes = stride.scratch.scopes.values();
  for (let before = 0; before !== inside.size; ) {
    before = inside.size;
    for (const scope of scopes) if (lies(scope)) inside.add(scope.id);
  }
  return inside;
}

/** Compensations, too. */
export function mayBeAtWork(stride: Stride, token: Token): boolean {
  if (token.status !== 'ready' || token.handler === null || isResting(token)) return false;
  // One that waits for its next execution is not at work.
  if (token.availableAt > stride.at) return false;
  if (token.mode === 'compensation') return true;
  if (stride.machine.spots.get(token.node)?.offer?.undoAttempts === undefined) return false;
  return sagaOf(stride, token.scope) !== null;
}

function cancelToken(stride: Stride, token: Token, saga: ScopeId | null): void {
  const { id, wait, status } = token;
  if (status === 'ready') stride.hint({ do: 'abort', token: id });
  if (wait?.on === 'child' && wait.lasts !== true) {
    post(stride, { do: 'cancel', instance: wait.instance, saga: saga !== null });
  }
  // It waits to be tried again, or to be mended, and its last execution may have done something.
  if (saga !== null && token.lastError?.unanswered === true) recordDoubt(stride, token);
  stride.record({ did: 'end-token', token: id, why: 'cancelled' });
}

/**
 * A region is over. If it was a saga of its own, what may still have to be undone is the outer
 * one's from now on, and so is what drains; if there is none, both are let go of.
 */
export function passOn(stride: Stride, region: ScopeId): void {
  if (stride.scratch.undos.size === 0 && stride.scratch.troubled === 0) return;
  const scope = stride.scopeOf(region);
  if (scope.parent === null || reachOf(stride, scope) !== 'scope') return;
  const saga = sagaOf(stride, scope.parent);
  handOn(stride, region, saga);
  for (const { id, drains, owner } of stride.scratch.scopes.values().reverse()) {
    if (drains !== region || owner !== null) continue;
    if (saga === null) {
      cancelInside(stride, id, { saga });
      stride.record({ did: 'close-scope', scope: id });
    } else {
      stride.record({ did: 'drain-scope', scope: id, to: saga });
      stride.record({ did: 'release-scope', scope: id });
    }
  }
}

/** What was done in a scope that ends is the outer saga's to undo. */
function handOn(stride: Stride, from: ScopeId, to: ScopeId | null): void {
  if (stride.scratch.undos.size === 0) return;
  if (!stride.scratch.undos.values().some(({ saga }) => saga === from)) return;
  stride.record({ did: 'hand-undos', from, to });
}
