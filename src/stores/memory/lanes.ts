/** Lanes in memory: the places of tokens are in a book, and numbers in a map by lane. */
import type { InstanceId, Instant } from '../../model/ids.ts';
import type { LaneFacts, LaneNumbers, StandingPlace } from '../lane-look.ts';
import {
  type HeldToken,
  isForAll,
  type LaneRow,
  type Lanes,
  type LetThrough,
  type LetThroughRequest,
  type Place,
  sharedLane,
} from '../lanes.ts';
import {
  comparePlaces,
  type LaneWrites,
  type Opening,
  OPENING_MAX,
  PASSED_OVER_MAX,
  type QueueAsk,
  SHARES_AT_ONCE,
  TRIES_AT_ONCE,
  type Waiting,
} from '../lane-asks.ts';
import { type LaneTools, lettingThroughNow } from '../letting-through-now.ts';
import type { TokenRef } from '../store.ts';
import { compareTexts } from '../texts.ts';
import type { LaneBook, PlaceRow } from './lane-book.ts';

import type { Tables } from './tables.ts';
import type { TokenQueue } from './token-queue.ts';

export interface LanesHouse {
  readonly book: LaneBook;
  readonly tables: Tables;
  readonly queue: TokenQueue;
  readonly now: () => Instant;
}

export class MemoryLanes implements Lanes {
  readonly #house: LanesHouse;
  readonly #rows = new Map<string, LaneNumbers>();

  constructor(house: LanesHouse) {
    this.#house = house;
  }

  async letThrough(request: LetThroughRequest): Promise<LetThrough> {
    const now = this.#house.now();
    return lettingThroughNow(this.#open(request, now), this.#tools(now));
  }

  async list(after: string | null, limit: number): Promise<readonly LaneRow[]> {
    const names = [...this.#rows.keys()]
      .filter(
        (name) => sharedLane(name) === null && (after === null || compareTexts(name, after) > 0),
      )
      .sort(compareTexts);
    return names.slice(0, limit).map((name) => {
      const { concurrency = null, rate = null } = this.#rows.get(name) ?? {};
      const { passed, waiting } = this.#house.book.boxOf(name);
      const counts = { atWork: passed.size, waiting: waiting.size + this.#waitingInShares(name) };
      return Object.freeze({ name, concurrency, rate, ...counts });
    });
  }

  #waitingInShares(lane: string): number {
    const shares = [...this.#rows.keys()].filter((name) => sharedLane(name) === lane);
    return shares.reduce((sum, name) => sum + this.#house.book.boxOf(name).waiting.size, 0);
  }

  async heldOf(instance: InstanceId): Promise<readonly HeldToken[]> {
    const held = new Map<number, HeldToken>();
    for (const { at } of this.#house.book.rowsOf(instance)) {
      const { state, token, lane } = at;
      if (state !== 'waiting' && state !== 'later' && state !== 'shelved') continue;
      if (held.has(token)) continue;
      const others = [...this.#house.book.boxOf(lane).waiting];
      const ahead = others.filter((other) => comparePlaces(other.at, at) < 0).length;
      held.set(token, Object.freeze({ token, lane: sharedLane(lane) ?? lane, ahead }));
    }
    return [...held.values()].sort((a, b) => a.token - b.token);
  }

  /** When looking may be of use. */
  nextDue(handlers: readonly string[]): Instant | undefined {
    const { book, now } = this.#house;
    const isServed = book.shelf.size > 0 && this.#served(new Set(handlers)).length > 0;
    if (book.news.length > 0 || isServed) return now();
    let next: number = book.later.peek()?.at.availableAt ?? Infinity;
    for (const { lookAt } of this.#rows.values()) next = Math.min(next, lookAt ?? Infinity);
    return next === Infinity ? undefined : (Math.max(next, now()) as Instant);
  }

  #served(handlers: ReadonlySet<string>): readonly PlaceRow[] {
    return [...this.#house.book.shelf].filter(({ at }) => handlers.has(at.handler));
  }

  #open({ handlers, lanes: named }: LetThroughRequest, now: number): Opening {
    const { book } = this.#house;
    const news = book.news.splice(0);
    const found = [
      ...book.later.first(OPENING_MAX, ({ at }) => at.availableAt <= now),
      ...this.#served(new Set(handlers)).slice(0, OPENING_MAX),
    ];
    const all = new Set(found.flatMap(({ at }) => book.standingOf(at)));
    const due = [...this.#rows].filter(([, { lookAt }]) => (lookAt ?? Infinity) <= now);
    const lanes = due.map(([name]) => name);
    return {
      now,
      news,
      places: [...all],
      lanes: [...lanes, ...named],
      isCut: found.length >= OPENING_MAX,
      handlers,
    };
  }

  #tools(now: number): LaneTools {
    return {
      factsOf: (lane) => this.#facts(lane),
      queueOf: (ask) => this.#queue(ask),
      unservedIn: (lane, before) => this.#unserved(lane, before),
      let: (token) => this.#hold(token, false, now, token.since),
      hold: (token) => this.#hold(token, true, now),
      begin: (place) => this.#alter(place, { begun: true }),
      settle: (place) => this.#alter(place, { owed: 0, owedAt: null }),
      write: (writes) => this.#write(writes, now),
    };
  }

  #facts(name: string): LaneFacts {
    const { passed, waiting, owing } = this.#house.book.boxOf(name);
    const standing = [...passed].filter(({ at }) => !at.begun);
    return {
      name,
      row: this.#rows.get(name) ?? null,
      atWork: passed.size,
      waiting: waiting.size > 0,
      shares: isForAll(name) ? this.#shares(name) : [],
      standing: standing.map(({ at }) => this.#standing(at)),
      owing: Array.from(owing, ({ at }) => at),
    };
  }

  #shares(lane: string): readonly string[] {
    const turn = this.#rows.get(lane)?.turn ?? lane;
    const { book } = this.#house;
    const all = [...this.#rows.keys()]
      .filter((name) => sharedLane(name) === lane && book.boxOf(name).waiting.size > 0)
      .sort(compareTexts);
    const isAfter = (name: string): boolean => compareTexts(name, turn) > 0;
    const [after, before] = [all.filter(isAfter), all.filter((name) => !isAfter(name))];
    return [...after.slice(0, SHARES_AT_ONCE), ...before.slice(0, SHARES_AT_ONCE)];
  }

  #standing(place: Place): StandingPlace {
    const row = this.#house.tables.findToken(place);
    if (row === undefined || row.token.status !== 'ready') {
      return { place, status: null, lockedAt: null };
    }
    if (row.lockedBy !== null) return { place, status: 'executing', lockedAt: row.lockedAt };
    return { place, status: row.isHeld ? null : 'ready', lockedAt: null };
  }

  #queue({ lane, after, limit, without }: QueueAsk): readonly Waiting[] {
    const { book, tables } = this.#house;
    const { waiting } = book.boxOf(lane);
    const seen = after === null ? 0 : TRIES_AT_ONCE * 20;
    const passedOver = without.length === 0 ? 0 : PASSED_OVER_MAX;
    const rows = waiting
      .first(seen + passedOver + limit, () => true)
      .filter(({ at }) => after === null || comparePlaces(after, at) < 0)
      .filter(({ at }) => !without.includes(at.handler))
      .slice(0, limit);
    return rows.map((row) => {
      const places = book.standingOf(row.at);
      const token = tables.findToken(row.at);
      return { at: row.at, places, isHeld: token?.isHeld === true && token.lockedBy === null };
    });
  }

  #unserved(lane: string, before: number): readonly Place[] {
    const { book } = this.#house;
    const idle = [...book.boxOf(lane).passed].filter(
      ({ at, passedAt }) =>
        (passedAt ?? Infinity) <= before && this.#standing(at).status === 'ready',
    );
    return idle.flatMap(({ at }) => book.standingOf(at));
  }

  /** Nobody may claim it from now on, or anybody. False if it is so, or somebody has it. */
  #hold(ref: TokenRef, isHeld: boolean, now: number, since: number | null = null): boolean {
    const { tables, queue } = this.#house;
    const row = tables.findToken(ref);
    if (row === undefined || row.isHeld === isHeld || row.lockedBy !== null) return false;
    row.isHeld = isHeld;
    row.letAt = since ?? row.letAt;
    queue.replace(row, now);
    return true;
  }

  #alter(place: Place, fields: Partial<Place>): boolean {
    const row = this.#house.book.find(place);
    if (row !== undefined) this.#house.book.put(row, fields);
    return row !== undefined;
  }

  #write(writes: LaneWrites, now: number): void {
    const { book } = this.#house;
    for (const place of writes.places) {
      const row = book.find(place);
      if (row === undefined) continue;
      book.put(row, { state: place.state, begun: place.begun });
      if (place.state === 'passed') row.passedAt ??= now;
    }
    for (const place of [...writes.dropped, ...writes.left]) {
      const row = book.find(place);
      if (row !== undefined) book.drop(row);
    }
    for (const { lane, handler } of writes.shelved) {
      const waiting = [...book.boxOf(lane).waiting].filter(({ at }) => at.handler === handler);
      for (const row of waiting) book.put(row, { state: 'shelved' });
    }
    for (const lane of writes.cleared) {
      for (const row of book.goneFrom(lane)) if (row.at.owed === 0) book.drop(row);
    }
    for (const { name, ...numbers } of writes.lanes) this.#rows.set(name, numbers);
    for (const name of writes.idle) this.#dropIdle(name);
  }

  #dropIdle(name: string): void {
    const lookAt = this.#rows.get(name)?.lookAt ?? null;
    if (lookAt === null && !this.#house.book.hasAny(name)) this.#rows.delete(name);
  }
}
