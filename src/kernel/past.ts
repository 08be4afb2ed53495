/**
 * States out of the history of an instance, to go on from.
 *
 * Between two commits an instance is at rest; but a commit may hold the end of one step and the
 * beginning of what is wanted, and whoever goes on from there must not do the step again. So a past
 * is made in the middle of a commit: everything up to a change, and then whoever was about to move
 * is set down, as at the end of a stride that was long enough. The next stride picks them up.
 */
import type { Change, Restored } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { Instant, ScopeId, TokenId } from '../model/ids.ts';
import type { Doubt, Past } from '../model/input.ts';
import type { Head, Scope, Token, Undo } from '../model/instance.ts';
import { apply } from './apply.ts';
import { doubtOf, unheard } from './doubts.ts';
import {
  type Instance,
  isLive,
  isResting,
  phaseOf,
  rowsOf,
  scratchOf,
  tokenOf,
} from './instance.ts';
import type { Machine } from './machine.ts';
import { Stride } from './stride.ts';

/** The instance at a place in its history; `before` is what it was after the commit before. */
export function pastAt(
  machine: Machine,
  before: Instance,
  row: HistoryRow,
  index: number,
): Restored {
  const scratch = scratchOf(before);
  for (const change of row.changes.slice(0, index)) apply(scratch, change, row.at);
  const { head, tokens, scopes, latches, undos } = rowsOf(scratch);
  const output = head.output ?? null;
  const still = tokens.map((token) => deferred(setDown(machine, token), head, row.at));
  return { output, tokens: still, scopes, latches, undos };
}

/** Its timeout stood still from the beginning of the pause it was in, as a resume would tell it. */
function deferred(token: Token, { status, pauses }: Head, then: Instant): Token {
  const { wakeAt, wait, updatedAt } = token;
  const pause = pauses.at(-1);
  if (status !== 'suspended' || pause === undefined) return token;
  if (wakeAt === null || wait?.on === 'time') return token;
  const stood = then - Math.max(pause.from, updatedAt);
  return { ...token, wakeAt: (wakeAt + stood) as Instant };
}

/** Whoever was moving waits for the next stride, or for a worker. */
function setDown({ spots }: Machine, token: Token): Token {
  if (token.status !== 'executing') return token;
  const spot = spots.get(token.node);
  if (spot?.offer === undefined) return { ...token, status: 'ready', handler: null };
  const ready = { ...token, status: 'ready' } as const;
  // One that was woken to fail waited for whoever could tell what follows.
  const isOwn = token.handler !== null && !isResting(ready);
  return { ...ready, handler: isOwn ? token.handler : spot.handler };
}

/** A saga is running, of the whole or of a part. */
export function isUndoing({ head, tokens }: Instance): boolean {
  return phaseOf(head) === 'compensating' || tokens.values().some(isOfSaga);
}

function isOfSaga({ mode, wait }: Token): boolean {
  return mode === 'compensation' || wait?.on === 'saga';
}

/** Why nobody can go on from there; undefined if one can. `since` is what came after it. */
export function unlivable(
  { tokens, scopes, undos }: Restored,
  since: Iterable<Change>,
): string | undefined {
  if (tokens.some(isOfSaga) || scopes.some(({ drains }) => drains !== null)) {
    return 'something was being undone at that time';
  }
  const done = new Map(undos.map(({ id, node }) => [id, node]));
  for (const change of since) {
    const node = change.did === 'settle-undo' ? done.get(change.undo) : undefined;
    if (node !== undefined) return `"${node}", which was done by then, has been undone since`;
  }
  return undefined;
}

/** The past that failed, to be lived again: whoever was at work does the same once more. */
export function pastOfFailure(rows: Restored, at: Instant, failed: TokenId): Past {
  return { rows, at, failed, doubts: [] };
}

/** What has become of an instance since the past it is to go back to. */
export interface Since {
  /** As it is, or was before its end began. */
  readonly now: Instance;
  readonly machine: Machine;
  /** By when its workers may be at work. */
  readonly at: Instant;
  /** How often each token has entered its node, over all of its history. */
  readonly visits: ReadonlyMap<TokenId, number>;
}

/**
 * The past of a node. What has ended since then runs again, and is to be told apart. What was done
 * since then and can be undone still can be: it belongs to the instance as a whole, if its own saga
 * is none of that time; and so does what may have been done.
 */
export function pastOfNode(rows: Restored, at: Instant, token: TokenId, since: Since): Past {
  const { now, visits } = since;
  const stride = new Stride(since.machine, now, since.at);
  const tokens = rows.tokens.map((one): Token => {
    const is = now.tokens.get(one.id);
    // Whose handler has said since then that it waits has been run: it is run once more.
    const reenters = since.machine.spots.get(one.node)?.kind.reenters === true;
    const hasRun = reenters && one.status === 'ready' && is?.wait?.on === 'message';
    const isSame = one.id !== token && is?.visit === one.visit && !hasRun;
    const runsOn = isLive(one) && isSame && isLive(tokenOf(now, one.id));
    if (runsOn && doubtOf(stride, tokenOf(now, one.id)) !== null) {
      return { ...one, lastError: unheard(one) };
    }
    // Whose turn in a chain has not come runs again, too, if it has run since.
    const runsAgain = isLive(one) ? !runsOn : one.status === 'created' && visits.has(one.id);
    return runsAgain ? { ...one, visit: (visits.get(one.id) ?? one.visit) + 1 } : one;
  });
  const past = { ...rows, tokens, undos: undosFor(rows, now) };
  return { rows: past, at, failed: null, doubts: doubtsFor(past, stride) };
}

/** How often each token has entered its node, at the most; going back does not take that back. */
export class Visits {
  readonly most: Map<TokenId, number> = new Map<TokenId, number>();
  readonly #now = new Map<TokenId, number>();

  /** Commits are read one by one, in order and from the first on. */
  read({ changes }: HistoryRow): void {
    for (const change of changes) {
      if (change.did === 'birth-token') {
        this.#enter(change.token.id, 1, change.token.status !== 'created');
      } else if (change.did === 'activate-token') {
        this.#enter(change.token, this.#current(change.token));
      } else if (change.did === 'wake-token' && change.again === true) {
        this.#enter(change.token, this.#current(change.token) + 1);
      } else if (change.did === 'restore') {
        for (const token of change.as.tokens) this.#enter(token.id, token.visit, isLive(token));
      }
    }
  }

  #enter(id: TokenId, visit: number, isThere = true): void {
    this.#now.set(id, visit);
    if (isThere) this.most.set(id, Math.max(this.most.get(id) ?? 0, visit));
  }

  #current(id: TokenId): number {
    return this.#now.get(id) ?? 1;
  }
}

/** What it has let go of since can be undone again, too: the region that did it is back. */
function undosFor({ undos, scopes }: Restored, now: Instance): readonly Undo[] {
  const then = new Map(undos.map((undo) => [undo.id, undo]));
  const lost = undos.filter(({ id }) => now.undos.get(id) === undefined);
  const all = [...now.undos.values(), ...lost].sort((a, b) => a.id - b.id);
  return all.flatMap((undo): readonly Undo[] => {
    if (undo.status !== 'pending') return [];
    return [{ ...undo, saga: sagaThen(scopes, then.get(undo.id)?.saga ?? undo.saga), by: null }];
  });
}

/** Whoever is at work now and is not to be any more: nobody will hear what it did. */
function doubtsFor({ tokens, scopes }: Restored, stride: Stride): readonly Doubt[] {
  const kept = new Map(tokens.filter(isLive).map(({ id, visit }) => [id, visit]));
  return stride.scratch.tokens.values().flatMap((token): readonly Doubt[] => {
    if (!isLive(token) || kept.get(token.id) === token.visit) return [];
    const doubt = doubtOf(stride, token);
    return doubt === null ? [] : [{ ...doubt, saga: sagaThen(scopes, doubt.saga) }];
  });
}

function sagaThen(scopes: readonly Scope[], saga: ScopeId): ScopeId {
  const [root] = scopes;
  return root === undefined || scopes.some(({ id }) => id === saga) ? saga : root.id;
}
