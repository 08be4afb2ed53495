/**
 * The verbs about lanes, over an open database: what the thread does. Letting through is one
 * transaction, and SQLite has a single writer: so there is nobody to be passed over.
 */
import { isForAll, type LetThrough } from '../lanes.ts';
import type { LaneFacts } from '../lane-look.ts';
import {
  BEFORE_ALL,
  laneCells,
  movedCells,
  placeRefCells,
  readFacts,
  readName,
  readNews,
  readPlace,
  readPlaces,
  readWaiting,
  refCells,
} from '../lane-rows.ts';
import {
  type LaneWrites,
  NEWS_MAX,
  type Opening,
  OPENING_MAX,
  PASSED_OVER_MAX,
  type QueueAsk,
  SHARES_AT_ONCE,
  SHELVED_AT_ONCE,
  TRIES_AT_ONCE,
  type Waiting,
} from '../lane-asks.ts';
import { type LaneTools, lettingThroughNow } from '../letting-through-now.ts';
import type { Row } from '../rows.ts';
import type { Cell } from '../writes.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';
import { writingAt } from './transaction.ts';

type Told = number | null;

export class LaneSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  letThrough(told: Told, handlers: readonly string[], named: readonly string[]): LetThrough {
    return writingAt(this.#driver, told, (now) => {
      const opening = this.#open(now, handlers, named);
      return lettingThroughNow(opening, this.#tools(now));
    });
  }

  list(_told: Told, after: string, limit: number): readonly Row[] {
    return this.#driver.all(queries.lanesAfter, after, limit);
  }

  heldOf(_told: Told, instance: string): readonly Row[] {
    return this.#driver.all(queries.heldIn, instance);
  }

  #open(now: number, handlers: readonly string[], named: readonly string[]): Opening {
    const driver = this.#driver;
    const news = driver.all(queries.laneNews, NEWS_MAX);
    driver.run(queries.dropNews, Number(news.at(-1)?.n ?? 0));
    const later = driver.all(queries.duePlaces, now, OPENING_MAX);
    const shelved = driver.all(queries.servedPlaces, JSON.stringify(handlers), OPENING_MAX);
    const lanes = driver.all(queries.dueLanes, now, OPENING_MAX).map(readName);
    const isCut = [later, shelved, lanes].some((rows) => rows.length >= OPENING_MAX);
    return {
      now,
      news: news.map(readNews),
      places: readPlaces([...later, ...shelved]),
      lanes: [...lanes, ...named],
      isCut: isCut || news.length >= NEWS_MAX,
      handlers,
    };
  }

  #tools(now: number): LaneTools {
    const alters = (query: string, cells: readonly Cell[]): boolean =>
      this.#driver.run(query, ...cells) > 0;
    return {
      factsOf: (lane) => this.#facts(lane),
      queueOf: (ask) => this.#queue(ask),
      unservedIn: (lane, before) =>
        this.#driver.all(queries.unservedIn, lane, before, TRIES_AT_ONCE).map(readPlace),
      let: (token) => alters(queries.letToken, [...refCells(token), token.since]),
      hold: (token) => alters(queries.shelveToken, refCells(token)),
      begin: (place) => alters(queries.beginPlace, placeRefCells(place)),
      settle: (place) => alters(queries.settlePlace, placeRefCells(place)),
      write: (writes) => this.#write(writes, now),
    };
  }

  #facts(name: string): LaneFacts {
    const row = this.#driver.get(queries.findLane, name) ?? { version: null };
    const counts = this.#driver.get(queries.laneFacts, name);
    const standing = this.#driver.all(queries.standingIn, name);
    const owing = this.#driver.all(queries.owingIn, name);
    const shares = isForAll(name) ? this.#shares(name, row.turn) : [];
    return readFacts(name, { ...row, ...counts }, { standing, owing, shares });
  }

  /** Those after the one that had the last turn, and those before it. */
  #shares(lane: string, last: unknown): readonly Row[] {
    const turn = typeof last === 'string' ? last : lane;
    const between = (after: string, upTo: string): readonly Row[] =>
      this.#driver.all(queries.sharesIn, after, upTo, SHARES_AT_ONCE);
    return [...between(turn, `${lane} `), ...between(lane, turn)];
  }

  #queue({ lane, after, limit, without }: QueueAsk): readonly Waiting[] {
    const { priority, since, instance, token } = after ?? BEFORE_ALL;
    const cells = [lane, priority, since, instance, token, limit] as const;
    const looked = limit + (without.length === 0 ? 0 : PASSED_OVER_MAX);
    return readWaiting(
      this.#driver.all(queries.queueOf, ...cells, looked, JSON.stringify(without)),
    );
  }

  #write(writes: LaneWrites, now: number): void {
    const driver = this.#driver;
    for (const place of writes.places) driver.run(queries.movePlace, ...movedCells(place, now));
    for (const place of writes.dropped) driver.run(queries.dropPlace, ...placeRefCells(place));
    for (const place of writes.left) driver.run(queries.endPlace, ...placeRefCells(place));
    for (const { lane, handler } of writes.shelved) {
      driver.run(queries.shelveWaiting, lane, handler, SHELVED_AT_ONCE);
    }
    for (const lane of writes.cleared) driver.run(queries.dropGone, lane);
    for (const lane of writes.lanes) driver.run(queries.putLane, ...laneCells(lane));
    for (const name of writes.idle) driver.run(queries.dropIdleLane, name);
  }
}
