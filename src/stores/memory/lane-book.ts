/**
 * The places of tokens in lanes, found by token, by lane and by what is to happen to them. A place
 * is in the queue of its lane while it waits, among the later ones while it is not due, and on the
 * shelf while nobody has its handler.
 */
import type { Mutable } from '../../base/mutable.ts';
import type { InstanceId, TokenId } from '../../model/ids.ts';
import { comparePlaces, inOrdinalOrder } from '../lane-asks.ts';
import { beganAt, lanesHolding, lanesNeeded, stateOf } from '../lane-writes.ts';
import type { LaneNews, Place, PlaceState } from '../lanes.ts';
import type { Commit, TokenRef } from '../store.ts';
import { Heap, type Heaped } from './heap.ts';
import type { TokenRow } from './rows.ts';

export interface PlaceRow extends Heaped {
  at: Place;
  passedAt: number | null;
  heap: Heap<PlaceRow> | null;
}

const WAITS: ReadonlySet<PlaceState> = new Set(['waiting', 'aside', 'later', 'shelved']);

interface LaneBox {
  readonly waiting: Heap<PlaceRow>;
  readonly passed: Set<PlaceRow>;
  readonly gone: Set<PlaceRow>;
  readonly owing: Set<PlaceRow>;
  members: number;
}

/** By token, and then by lane. */
type Own = Map<TokenId, Map<string, PlaceRow>>;

export class LaneBook {
  readonly #instances = new Map<InstanceId, Own>();
  readonly #boxes = new Map<string, LaneBox>();
  readonly later: Heap<PlaceRow> = new Heap<PlaceRow>(
    (a, b) => a.at.availableAt < b.at.availableAt,
  );
  readonly shelf: Set<PlaceRow> = new Set();
  /** What came to lanes, or left them, since somebody looked. */
  news: LaneNews[] = [];

  boxOf(lane: string): LaneBox {
    let box = this.#boxes.get(lane);
    if (box === undefined) {
      const waiting = new Heap<PlaceRow>((a, b) => comparePlaces(a.at, b.at) < 0);
      box = { waiting, passed: new Set(), gone: new Set(), owing: new Set(), members: 0 };
      this.#boxes.set(lane, box);
    }
    return box;
  }

  hasAny(lane: string): boolean {
    return (this.#boxes.get(lane)?.members ?? 0) > 0;
  }

  placesOf({ instance, token }: TokenRef): readonly PlaceRow[] {
    return [...(this.#instances.get(instance)?.get(token)?.values() ?? [])];
  }

  /** Those it has not left. */
  standingOf(ref: TokenRef): readonly Place[] {
    const places = this.placesOf(ref).map(({ at }) => at);
    return inOrdinalOrder(places.filter(({ state }) => state !== 'gone'));
  }

  goneFrom(lane: string): readonly PlaceRow[] {
    return [...(this.#boxes.get(lane)?.gone ?? [])];
  }

  rowsOf(instance: InstanceId): readonly PlaceRow[] {
    const own = this.#instances.get(instance)?.values() ?? [];
    return [...own].flatMap((lanes) => [...lanes.values()]);
  }

  find({ instance, token, lane }: Place): PlaceRow | undefined {
    return this.#instances.get(instance)?.get(token)?.get(lane);
  }

  put(row: PlaceRow, fields: Partial<Mutable<Place>>): void {
    this.#unfile(row);
    row.at = { ...row.at, ...fields };
    if (row.at.state !== 'passed') row.passedAt = null;
    this.#file(row);
  }

  drop(row: PlaceRow): void {
    const { instance, token, lane } = row.at;
    this.#unfile(row);
    this.boxOf(lane).members -= 1;
    if (this.boxOf(lane).members === 0) this.#boxes.delete(lane);
    const own = this.#instances.get(instance);
    const lanes = own?.get(token);
    lanes?.delete(lane);
    if (lanes?.size === 0) own?.delete(token);
    if (own?.size === 0) this.#instances.delete(instance);
  }

  #file(row: PlaceRow): void {
    const { state, lane, owed } = row.at;
    if (owed > 0) this.boxOf(lane).owing.add(row);
    if (state === 'passed') this.boxOf(lane).passed.add(row);
    if (state === 'gone') this.boxOf(lane).gone.add(row);
    if (state === 'shelved') this.shelf.add(row);
    if (state !== 'waiting' && state !== 'later') return;
    row.heap = state === 'waiting' ? this.boxOf(lane).waiting : this.later;
    row.heap.push(row);
  }

  #unfile(row: PlaceRow): void {
    this.shelf.delete(row);
    this.#boxes.get(row.at.lane)?.passed.delete(row);
    this.#boxes.get(row.at.lane)?.gone.delete(row);
    this.#boxes.get(row.at.lane)?.owing.delete(row);
    row.heap?.remove(row);
    row.heap = null;
  }

  /** It has ended, or is written anew. */
  leave(ref: TokenRef, began: number): void {
    for (const row of this.placesOf(ref)) {
      const { state, begun, owed, owedAt } = row.at;
      if (state === 'gone') continue;
      const more = Number(state === 'passed' && !begun);
      const owing = { owed: owed + more, owedAt: Math.max(owedAt ?? 0, began) };
      this.put(row, { state: 'gone', begun: false, ...owing });
      this.#tell(row.at.lane);
    }
  }

  /** What a commit leaves: tokens that wait from now on are held, and their rows say so. */
  note(commit: Commit, rows: readonly TokenRow[]): void {
    const { laned, head } = commit.touched;
    for (const token of laned) this.leave({ instance: head.id, token }, beganAt(commit, token));
    if (laned.length === 0 && head.tenant === null) return;
    for (const row of rows) this.#enter(row, commit);
  }

  #enter(row: TokenRow, commit: Commit): void {
    const { head } = commit.touched;
    const { id: token, handler, priority, availableAt } = row.token;
    const lanes = lanesHolding(row.token, commit);
    row.isHeld = lanes.length > 0;
    for (const [ordinal, { name: lane, concurrency, rate }] of lanes.entries()) {
      const state = stateOf(row.token, ordinal, head);
      this.#add({
        ...{ instance: head.id, token, lane, ordinal, lanes: lanesNeeded(lanes), state },
        ...{ handler: handler ?? '', priority, since: head.createdAt, availableAt },
        ...{ begun: false, owed: 0, owedAt: null },
      });
      this.news.push({ lane, numbers: { version: head.flowVersion, concurrency, rate } });
    }
  }

  #add(at: Place): void {
    const known = this.find(at);
    if (known !== undefined) {
      const { owed, owedAt } = known.at;
      return this.put(known, { ...at, owed, owedAt });
    }
    const { instance, token, lane } = at;
    const row: PlaceRow = { at, passedAt: null, heap: null, place: -1 };
    const own: Own = this.#instances.get(instance) ?? new Map();
    const lanes = own.get(token) ?? new Map<string, PlaceRow>();
    this.#instances.set(instance, own);
    own.set(token, lanes);
    lanes.set(lane, row);
    this.boxOf(lane).members += 1;
    this.#file(row);
  }

  /** Of what is suspended nobody waits; what is at work goes on to the end of its step. */
  sleep(instance: InstanceId, isAtWork: (token: TokenId) => boolean): void {
    for (const row of this.rowsOf(instance)) {
      const { state, token } = row.at;
      if (state === 'asleep' || state === 'gone') continue;
      if (state === 'passed' && isAtWork(token)) continue;
      this.put(row, { state: 'asleep', begun: false });
      this.#tell(row.at.lane);
    }
  }

  /** It goes on; which of its tokens wait again. */
  wake(instance: InstanceId): ReadonlySet<TokenId> {
    const waiting = new Set<TokenId>();
    for (const row of this.rowsOf(instance)) {
      if (row.at.state !== 'asleep') continue;
      this.put(row, { state: row.at.ordinal === 0 ? 'waiting' : 'aside' });
      this.#tell(row.at.lane);
      waiting.add(row.at.token);
    }
    return waiting;
  }

  /** Given back: it has begun, and waits to begin once more. Of what is suspended nobody waits. */
  rejoin(ref: TokenRef, began: number, isSuspended: boolean): void {
    for (const row of this.placesOf(ref)) {
      const { state, begun, ordinal, owed, owedAt } = row.at;
      if (state !== 'passed') continue;
      const next = isSuspended ? 'asleep' : ordinal === 0 ? 'waiting' : 'aside';
      const owing = { owed: owed + Number(!begun), owedAt: Math.max(owedAt ?? 0, began) };
      this.put(row, { state: next, begun: false, ...owing });
      this.#tell(row.at.lane);
    }
  }

  /** It has not begun, and need not: it leaves its lanes. False if it was in none. */
  drain(ref: TokenRef): boolean {
    const waiting = this.placesOf(ref).filter(({ at }) => WAITS.has(at.state));
    for (const row of waiting) {
      this.put(row, { state: 'gone', begun: false });
      this.#tell(row.at.lane);
    }
    return waiting.length > 0;
  }

  #tell(lane: string): void {
    this.news.push({ lane, numbers: null });
  }
}
