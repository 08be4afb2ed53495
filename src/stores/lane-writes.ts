/**
 * What a commit writes about lanes. A token that is ready under limits is held as those of
 * suspended instances are: nobody finds it by the index of work. Beside it there is a row for each
 * of its lanes; and news, for each lane to which somebody came or which somebody left.
 *
 * The lane of a tenant is not the kernel's affair, which knows no queue: it follows from the head.
 * Whoever is taken over at once does not stand in the queue, and so is not in that lane. Of its
 * rows none is taken back by a commit: whoever looks at the lane sees that the token is gone.
 */
import { CRASHES_LONE, TENANT_READY_MAX } from '../model/limits.ts';
import type { Touched } from '../model/commit.ts';
import type { TokenId } from '../model/ids.ts';
import type { Head, Token } from '../model/instance.ts';
import type { Lane } from '../model/lane.ts';
import { isForAll, type PlaceState, shareOf, TENANT, tenantLane } from './lanes.ts';
import { encodeUnlessNull, exact } from './payload.ts';
import type { Commit } from './store.ts';
import type { Cell, Write } from './writes.ts';

/** The lanes that hold a token back after a commit; most often none. */
export function lanesHolding(token: Token, { touched: { head }, take }: Commit): readonly Lane[] {
  const { status, handler, lanes, crashes } = token;
  if (lanes.length === 0 && head.tenant === null) return NO_LANES;
  if (status !== 'ready' || handler === null) return NO_LANES;
  if (take?.tokens.includes(token.id) === true) return NO_LANES;
  const narrow = lanes.length > 1 ? lanes.toSorted((a, b) => width(a) - width(b)) : lanes;
  const { tenant } = head;
  const sharer = tenant ?? valueOf(narrow[0]);
  if (sharer === null) return narrow;
  const shared = narrow.flatMap((lane) => {
    return isForAll(lane.name) ? [shareIn(lane, sharer), lane] : [lane];
  });
  // A lone one is claimed apart, and stands before nobody.
  if (tenant === null || crashes >= CRASHES_LONE) return shared;
  const name = tenantLane(tenant, handler);
  return [...shared, { name, concurrency: TENANT_READY_MAX, rate: null }];
}

/** Without that of the tenant, which is the last, and which whoever is claimed has left. */
export function lanesNeeded(lanes: readonly Lane[]): number {
  return Math.max(1, lanes.filter(({ name }) => !name.startsWith(TENANT)).length);
}

/** Before the lane itself: it is where to wait. */
function shareIn({ name }: Lane, sharer: string): Lane {
  return { name: shareOf(name, sharer), concurrency: null, rate: null };
}

/** What a lane goes by, which takes turns with other values where there is no tenant. */
function valueOf(lane: Lane | undefined): string | null {
  const at = lane?.name.indexOf('=') ?? -1;
  return at === -1 ? null : (lane?.name.slice(at) ?? null);
}

/** The narrowest is waited in first: that of one value before that of all, a step before a flow. */
function width({ name }: Lane): number {
  return (name.includes('=') ? 0 : 2) + (name.startsWith('flow:') ? 1 : 0);
}

const NO_LANES: readonly Lane[] = [];

/** After the tokens are written. */
export function laneWrites(commit: Commit): readonly Write[] {
  const { touched } = commit;
  const { head, laned, tokens, pausing } = touched;
  const { drained } = touched;
  if (laned.length === 0 && head.tenant === null && !pausing && drained.length === 0) return NONE;
  const writes: Write[] = [];
  for (const id of laned) {
    if (isBorn(id, touched)) continue;
    writes.push(['tellLanes', head.id, id], ['leaveLanes', head.id, id, beganAt(commit, id)]);
  }
  for (const token of tokens) {
    const lanes = lanesHolding(token, commit);
    const isKept = head.tenant !== null && !isBorn(token.id, touched);
    if (lanes.length > 0 || isKept || laned.includes(token.id)) {
      writes.push(['putLanes', head.id, token.id, ...keptCells(token, head, lanes)]);
    }
    for (const [ordinal, lane] of lanes.entries()) {
      const cells = placeCells({ token, lane, ordinal, lanes: lanesNeeded(lanes) }, head);
      writes.push(
        ['enterLane', head.id, token.id, ...cells],
        ['tellLane', ...newsCells(lane, head)],
      );
    }
  }
  return [...writes, ...wakeWrites(touched), ...drainWrites(touched)];
}

/**
 * What drains has only to be seen not to have begun: it goes to a worker at once, who will not run
 * it, and no saga waits for room in a lane.
 */
function drainWrites({ head, drained }: Touched): readonly Write[] {
  if (head.status === 'suspended') return NONE;
  return drained.flatMap((token): readonly Write[] => [
    ['tellDrained', head.id, token],
    ['leaveDrained', head.id, token],
    ['freeDrained', head.id, token],
  ]);
}

const NONE: readonly Write[] = [];

/** When the execution began that is over now; if there was none, as if it had just now. */
export function beganAt({ touched: { changes, head } }: Commit, id: TokenId): number {
  const claim = changes.find((change) => change.did === 'claim-token' && change.token === id);
  return claim?.did === 'claim-token' ? claim.at : head.updatedAt;
}

function isBorn(id: TokenId, { bornAfter, restoring }: Touched): boolean {
  return id > bornAfter && !restoring;
}

/** What is put aside of it, and the limits it is under, as the kernel knows them. */
function keptCells(token: Token, { status }: Head, lanes: readonly Lane[]): readonly Cell[] {
  const isHeld = lanes.length > 0 || status === 'suspended';
  return [
    isHeld ? token.handler : null,
    encodeUnlessNull(token.lanes.length === 0 ? null : token.lanes),
  ];
}

interface Entering {
  readonly token: Token;
  readonly lane: Lane;
  readonly ordinal: number;
  readonly lanes: number;
}

function placeCells({ token, lane, ordinal, lanes }: Entering, head: Head): readonly Cell[] {
  const { handler, priority, availableAt } = token;
  const state = stateOf(token, ordinal, head);
  const { createdAt } = head;
  return [exact(lane.name), ordinal, lanes, state, handler, priority, createdAt, availableAt];
}

/** As which it comes to one of its lanes. */
export function stateOf({ availableAt }: Token, ordinal: number, head: Head): PlaceState {
  if (head.status === 'suspended') return 'asleep';
  if (availableAt > head.updatedAt) return 'later';
  return ordinal === 0 ? 'waiting' : 'aside';
}

function newsCells({ name, concurrency, rate }: Lane, { flowVersion }: Head): readonly Cell[] {
  return [exact(name), flowVersion, concurrency, rate?.max ?? null, rate?.perMs ?? null];
}

/**
 * Of what is suspended nobody waits. This comes before its tokens are held: one that is just being
 * let through has been by then, and is held like the others. Nobody claims one meanwhile.
 */
export function sleepWrites({ head, pausing }: Touched): readonly Write[] {
  if (!pausing || head.status !== 'suspended') return NONE;
  return [
    ['lockTokens', head.id],
    ['sleepLanes', head.id],
    ['tellAll', head.id],
  ];
}

/** What goes on waits again, and is held again. */
function wakeWrites({ head, pausing }: Touched): readonly Write[] {
  if (!pausing || head.status === 'suspended') return NONE;
  return [
    ['wakeLanes', head.id],
    ['tellAll', head.id],
    ['holdWaiting', head.id],
  ];
}
