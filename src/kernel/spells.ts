/**
 * Places in the history of an instance: where it began to fail, and where it last came to a node.
 *
 * Both lie in the middle of a commit as often as not. What comes after the first only takes things
 * down; what comes before the second includes the end of whoever brought the token there, and all
 * that were born with it: between the two nobody is lost, and nobody is there twice.
 */
import type { Change, Restored } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { NodeId, TokenId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import { isLive } from './instance.ts';
import type { Machine } from './machine.ts';

/** A place in the history: within a commit, before the change of this index. */
export interface Spell {
  readonly n: number;
  readonly index: number;
}

/**
 * Where the instance as a whole began to fail, and the token with which that began: what comes
 * after it only takes things down. What failed may be a region that had undone what was in it; then
 * that is run again as a whole. `rows` are all commits of the instance, in order.
 */
export function failureIn(rows: readonly HistoryRow[]): (Spell & { failed: TokenId }) | null {
  const fall = fallIn(rows);
  if (fall === null) return null;
  const { n, changes } = fall.row;
  let first = -1;
  for (let at = fall.at - 1; at >= 0 && takesDown(changes[at] as Change); at -= 1) {
    if (isFailure(changes[at] as Change)) first = at;
  }
  const failed = changes[first];
  if (failed?.did !== 'end-token') return null;
  // What it opened was closed before it failed.
  let index = first;
  while (index > 0 && LEAVES.has(changes[index - 1]?.did ?? 'finish')) index -= 1;
  return { n, index, failed: failed.token };
}

/** The change by which it fails: its end, or the beginning of the saga that came before that. */
function fallIn(rows: readonly HistoryRow[]): { row: HistoryRow; at: number } | null {
  const row = rows.at(-1);
  const at = row?.changes.findLastIndex(({ did }) => did === 'finish') ?? -1;
  if (row === undefined || at < 0) return null;
  const before = row.changes[at - 1];
  if (before?.did !== 'end-saga') return { row, at };
  const begins = (change: Change): boolean =>
    change.did === 'start-saga' && change.scope === before.scope;
  const begun = rows.findLast(({ changes }) => changes.some(begins));
  return begun === undefined ? null : { row: begun, at: begun.changes.findLastIndex(begins) };
}

/** The last commit of an instance, up to where its end began if it is over. */
export function lastBeforeEnd({ changes, ...row }: HistoryRow): HistoryRow {
  let at = changes.findLastIndex(({ did }) => did === 'finish');
  if (at < 0) return { ...row, changes };
  while (at > 0 && takesDown(changes[at - 1] as Change)) at -= 1;
  return { ...row, changes: changes.slice(0, at) };
}

const LEAVES: ReadonlySet<Change['did']> = new Set([
  'return-scope',
  'hand-undos',
  'drain-scope',
  'release-scope',
  'record-undo',
]);

const TAKES_DOWN: ReadonlySet<Change['did']> = new Set([
  ...LEAVES,
  'end-token',
  'drop-latch',
  'close-scope',
  'post',
  // A wait of an application's kind has something to say when it is over.
  'send',
  'start-saga',
  'stall',
  'unstall',
]);

function takesDown(change: Change): boolean {
  return TAKES_DOWN.has(change.did) && !isProgress(change);
}

function isFailure(change: Change): boolean {
  return change.did === 'end-token' && change.why === 'failed';
}

function isProgress(change: Change): boolean {
  return change.did === 'end-token' && (change.why === 'done' || change.why === 'joined');
}

/** When the instance last came to a node, by all of its history. */
export function arrivalAt(
  machine: Machine,
  rows: Iterable<HistoryRow>,
  node: NodeId,
): Arrival | null {
  const arrivals = new Arrivals(machine, node);
  for (const row of rows) arrivals.read(row);
  return arrivals.last;
}

/** Where a token came to a node. */
export interface Arrival extends Spell {
  readonly token: TokenId;
}

/**
 * When the instance last came to a node, and with which token: after the change that brought it
 * there, and after the end of whoever did. What it came to by another plan is not looked for: that
 * state is none of this plan. Commits are read one by one, in order and from the first on.
 */
export class Arrivals {
  readonly #plan: Plan;
  readonly #node: NodeId;
  readonly #nodes = new Map<TokenId, NodeId>();
  last: Arrival | null = null;

  constructor({ plan }: Machine, node: NodeId) {
    this.#plan = plan;
    this.#node = node;
  }

  read({ n, changes }: HistoryRow): void {
    // What a migration opens around others has come from nowhere.
    const placed = changes.findLastIndex(({ did }) => did === 'place-token');
    for (const [at, change] of changes.entries()) {
      if (change.did === 'migrate') this.last = null;
      const token = comer(change, this.#nodes);
      // A copy knows no other beginning; whoever was restored in place had come there before.
      if (change.did === 'restore' && this.last === null) {
        const back = broughtBack(change.as, this.#node);
        if (back !== undefined) this.last = { n, token: back, index: at + 1 };
      }
      if (token === null || this.#nodes.get(token) !== this.#node || at < placed) continue;
      this.last = { n, token, index: afterMover(this.#plan, changes, at, this.#nodes) };
    }
  }
}

/** Whoever has opened something there came before that. */
function broughtBack({ tokens, scopes }: Restored, at: NodeId): TokenId | undefined {
  const opened = new Set(scopes.map(({ owner }) => owner));
  const back = tokens.filter((token) => isLive(token) && token.mode === 'forward');
  return back.findLast(({ id, node }) => node === at && !opened.has(id))?.id;
}

/** Who begins something with this change, forwards. */
function comer(change: Change, nodes: Map<TokenId, NodeId>): TokenId | null {
  switch (change.did) {
    case 'restore':
      for (const { id, node } of change.as.tokens) nodes.set(id, node);
      return null;
    case 'place-token':
      if (change.node !== undefined) nodes.set(change.token, change.node);
      return null;
    case 'activate-token':
      return change.token;
    case 'birth-token': {
      const { id, node, mode, status, wait } = change.token;
      nodes.set(id, node);
      // Whoever waits before an activity has not come to it.
      if (wait?.on === 'merge') return null;
      return mode === 'compensation' || status === 'created' ? null : id;
    }
    default:
      return null;
  }
}

/**
 * Whoever brought it there ends after it was born, and after those who were born with it: all that
 * is to be part of the past, too.
 */
function afterMover(
  plan: Plan,
  changes: readonly Change[],
  at: number,
  nodes: ReadonlyMap<TokenId, NodeId>,
): number {
  let end = at + 1;
  while (end < changes.length && comesAlong(changes[end] as Change)) end += 1;
  const mover = changes[end];
  const from = originOf(plan, changes[at] as Change);
  const isMover =
    mover?.did === 'end-token' &&
    isProgress(mover) &&
    (from === LINE || (from !== null && nodes.get(mover.token) === from));
  if (from === null) {
    const fired = afterFiring(changes, at, nodes);
    if (fired > at + 1) return fired;
  }
  // Nobody: it is the first of its region, or someone put it there.
  if (!isMover) return at + (changes[at + 1]?.did === 'open-latch' ? 2 : 1);
  end += 1;
  while (end < changes.length && endsJoin(changes[end] as Change)) end += 1;
  return end;
}

/** An activity of a flowchart runs for those who waited before it, and may leave blocks. */
function afterFiring(
  changes: readonly Change[],
  at: number,
  nodes: ReadonlyMap<TokenId, NodeId>,
): number {
  const born = changes[at] as Extract<Change, { did: 'birth-token' }>;
  const isTaken = (change: Change | undefined): boolean =>
    change?.did === 'end-token' &&
    change.why === 'joined' &&
    nodes.get(change.token) === born.token.node;
  const isBlock = (change: Change | undefined): boolean =>
    change?.did === 'birth-token' &&
    change.token.wait?.on === 'merge' &&
    change.token.node === born.token.node;
  let end = at + 1;
  while (isTaken(changes[end])) end += 1;
  while (end > at + 1 && isBlock(changes[end])) end += 1;
  return end;
}

/** Born together with it; a token at a join opens its latch. */
function comesAlong({ did }: Change): boolean {
  return did === 'birth-token' || did === 'open-latch';
}

/** Whoever stands before it in its chain. */
const LINE = Symbol('line');

/** The node it came from; null if it came by no edge. */
function originOf({ edges }: Plan, change: Change): NodeId | typeof LINE | null {
  if (change.did === 'activate-token') return LINE;
  if (change.did !== 'birth-token') return null;
  const { seq, via } = change.token;
  if (seq !== undefined) return LINE;
  return via === undefined || via === null ? null : (edges.get(via)?.from ?? null);
}

function endsJoin(change: Change): boolean {
  return change.did === 'drop-latch' || (change.did === 'end-token' && change.why === 'joined');
}
