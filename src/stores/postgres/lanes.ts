/**
 * Lanes in a Postgres database. Letting through is a transaction of its own, and there is one at a
 * time (`lockLanes`). It waits for no commit: what one has locked is passed over, and is told of
 * again by that commit. So the two can never wait for each other.
 */
import { unreachable } from '../../base/assert.ts';
import type { InstanceId } from '../../model/ids.ts';
import type { LaneFacts } from '../lane-look.ts';
import {
  BEFORE_ALL,
  laneCells,
  movedCells,
  placeRefCells,
  readFacts,
  readHeld,
  readLane,
  readName,
  readNews,
  readPlace,
  readPlaceRef,
  readPlaces,
  readWaiting,
  refCells,
} from '../lane-rows.ts';
import {
  type HeldToken,
  isForAll,
  type LaneRow,
  type Lanes,
  type LetThrough,
  type LetThroughRequest,
  type Place,
} from '../lanes.ts';
import {
  type LaneAsk,
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
import { lettingThrough } from '../letting-through.ts';
import type { Row } from '../rows.ts';
import type { TokenRef } from '../store.ts';
import type { Cell } from '../writes.ts';
import type { StoreClock } from './clock.ts';
import { type Ask, column, columns, type Driver, type Session } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';
import { errorOf, isDisconnected } from './trouble.ts';

const ALL = column(ALL_SHARDS);
/** Of each shard, twice its share: who wait are spread over them. */
const PASSED_OVER_OF_EACH = Math.ceil((PASSED_OVER_MAX * 2) / ALL_SHARDS.length);

export class PostgresLanes implements Lanes {
  readonly #driver: () => Driver;
  readonly #clock: StoreClock;

  constructor(driver: () => Driver, clock: StoreClock) {
    this.#driver = driver;
    this.#clock = clock;
  }

  async letThrough(request: LetThroughRequest): Promise<LetThrough> {
    const driver = this.#driver();
    try {
      return await driver.session((session) => this.#letThrough(session, request));
    } catch (thrown) {
      throw errorOf(thrown, driver.where);
    }
  }

  async list(after: string | null, limit: number): Promise<readonly LaneRow[]> {
    return (await this.#ask(queries.lanesAfter, ALL, after ?? '', limit)).map(readLane);
  }

  async heldOf(instance: InstanceId): Promise<readonly HeldToken[]> {
    return readHeld(await this.#ask(queries.heldIn, ALL, shardOf(instance), instance));
  }

  async #ask(...ask: Ask): Promise<readonly Row[]> {
    const driver = this.#driver();
    try {
      return await driver.one(...ask);
    } catch (thrown) {
      throw errorOf(thrown, driver.where);
    }
  }

  async #letThrough(session: Session, request: LetThroughRequest): Promise<LetThrough> {
    const talk = new Talk(session);
    try {
      const opening = await this.#open(talk, request);
      if (opening === null) {
        await talk.ask([queries.rollback]);
        return { tokens: 0, looked: 0, more: false, isBusy: true };
      }
      const steps = lettingThrough(opening);
      let step = steps.next();
      while (step.done !== true) step = steps.next(await answer(talk, step.value, opening.now));
      await talk.ask([queries.own.end]);
      return step.value;
    } catch (thrown) {
      // What was let through is, or is not and will be.
      if (!isDisconnected(thrown)) await Promise.allSettled([session.ask([queries.rollback])]);
      throw thrown;
    }
  }

  /** Null if somebody else is at it. */
  async #open(talk: Talk, { handlers, lanes: named }: LetThroughRequest): Promise<Opening | null> {
    const { told } = this.#clock;
    // Before anything else: what one that may not look has locked, the one that looks passes over.
    talk.tell([queries.own.beginLanes]);
    const [[lock] = []] = await talk.ask([queries.own.lockLanes]);
    if (lock?.['locked'] !== 1) return null;
    const [news = [], later = [], shelved = [], due = [], time] = await talk.ask(
      [queries.laneNews, ALL, NEWS_MAX],
      [queries.duePlaces, ALL, told, OPENING_MAX],
      [queries.servedPlaces, ALL, column(handlers), OPENING_MAX],
      [queries.dueLanes, ALL, told, OPENING_MAX],
      [queries.own.clock],
    );
    talk.tell(...asked(queries.dropNews, news.map(newsRef)));
    const now = Number(time?.[0]?.now);
    this.#clock.note(now);
    return {
      now: told ?? now,
      news: news.map(readNews),
      places: readPlaces([...later, ...shelved]),
      lanes: [...due.map(readName), ...named],
      isCut:
        news.length >= NEWS_MAX || [later, shelved, due].some((rows) => rows.length >= OPENING_MAX),
      handlers,
    };
  }
}

/** What needs no answer goes out together with the next that does: nobody waits for it. */
class Talk {
  readonly #session: Session;
  #told: Ask[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  tell(...asks: readonly Ask[]): void {
    this.#told.push(...asks);
  }

  async ask(...asks: readonly Ask[]): ReturnType<Session['ask']> {
    const told = this.#told;
    this.#told = [];
    return (await this.#session.ask(...told, ...asks)).slice(told.length);
  }
}

async function answer(talk: Talk, ask: LaneAsk, now: number): Promise<unknown> {
  switch (ask.ask) {
    case 'lanes':
      return factsOf(talk, ask.names);
    case 'queues':
      return queuesOf(talk, ask.of);
    case 'unserved': {
      const cells = [ALL, column(ask.lanes), ask.before, TRIES_AT_ONCE];
      const [rows = []] = await talk.ask([queries.unservedIn, ...cells]);
      return rows.map(readPlace);
    }
    case 'let': {
      const cells = ask.tokens.map((one) => homed(one, [...refCells(one), one.since]));
      return tokensBy(talk, queries.letToken, cells);
    }
    case 'hold': {
      const cells = ask.tokens.map((one) => homed(one, refCells(one)));
      return tokensBy(talk, queries.shelveToken, cells);
    }
    case 'begin':
      return placesBy(talk, queries.beginPlace, ask.places);
    case 'settle':
      return placesBy(talk, queries.settlePlace, ask.places);
    case 'write':
      return talk.tell(...writesOf(ask.writes, now));
    default:
      return unreachable(ask);
  }
}

async function factsOf(talk: Talk, names: readonly string[]): Promise<readonly LaneFacts[]> {
  // What owes a begin is read last: what stood there before may have begun and ended since.
  const open = names.filter(isForAll);
  const [rows = [], facts = [], standing = [], owing = [], shares = []] = await talk.ask(
    [queries.findLane, ...columns(names.map(namedCells))],
    [queries.laneFacts, ALL, column(names)],
    [queries.standingIn, ALL, column(names)],
    [queries.owingIn, ALL, column(names)],
    ...(open.length === 0 ? [] : [sharesIn(open)]),
  );
  const known = new Map(rows.map((row) => [row['name'], row]));
  const byLane = [standing, owing, shares].map((list) => groupBy(list, ({ lane }) => String(lane)));
  return facts.map((counts) => {
    const name = String(counts['name']);
    const row = { ...(known.get(name) ?? { version: null }), ...counts };
    const [stand, owe, share] = byLane.map((rowsOf) => rowsOf.get(name) ?? []);
    return readFacts(name, row, { standing: stand ?? [], owing: owe ?? [], shares: share ?? [] });
  });
}

function sharesIn(lanes: readonly string[]): Ask {
  return [queries.sharesIn, ALL, ...columns(lanes.map(namedCells)), SHARES_AT_ONCE];
}

/** Each is asked for as many as the longest of them wants: it is cut here. */
async function queuesOf(
  talk: Talk,
  of: readonly QueueAsk[],
): Promise<readonly (readonly Waiting[])[]> {
  const after = of.map(({ lane, after: last, without }) => {
    const { priority, since, instance, token } = last ?? BEFORE_ALL;
    const more = without.length === 0 ? 0 : PASSED_OVER_OF_EACH;
    return [lane, priority, since, instance, token, more];
  });
  const most = Math.max(...of.map(({ limit }) => limit));
  // All that leave some out leave out the same.
  const without = column(of.find((one) => one.without.length > 0)?.without ?? []);
  const [rows = []] = await talk.ask([queries.queueOf, ALL, ...columns(after), most, without]);
  const byLane = groupBy(rows, ({ queue }) => String(queue));
  return of.map(({ lane, limit }) => readWaiting(byLane.get(lane) ?? []).slice(0, limit));
}

function groupBy<Item>(
  items: readonly Item[],
  nameOfItem: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOfItem(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}

async function tokensBy(
  talk: Talk,
  query: string,
  cells: readonly (readonly Cell[])[],
): Promise<readonly TokenRef[]> {
  const [rows = []] = await talk.ask([query, ...columns(cells)]);
  return rows.map(readPlaceRef);
}

async function placesBy(
  talk: Talk,
  query: string,
  places: readonly Place[],
): Promise<readonly Place[]> {
  const [rows = []] = await talk.ask([query, ...columns(refsOf(places))]);
  const found = new Set(rows.map(nameOf));
  return places.filter((place) => found.has(nameOf(placeRow(place))));
}

function writesOf(writes: LaneWrites, now: number): readonly Ask[] {
  const { places, dropped, left, shelved, lanes, idle, cleared } = writes;
  const moved = places.map((place) => homed(place, movedCells(place, now)));
  return [
    ...asked(queries.movePlace, moved),
    ...asked(queries.dropPlace, refsOf(dropped)),
    ...asked(queries.endPlace, refsOf(left)),
    ...shelved.map(({ lane, handler }): Ask => {
      return [queries.shelveWaiting, ALL, lane, handler, SHELVED_AT_ONCE];
    }),
    ...(cleared.length === 0 ? [] : [[queries.dropGone, ALL, column(cleared)] as const]),
    ...asked(
      queries.putLane,
      lanes.map((lane) => [shardOf(lane.name), ...laneCells(lane)]),
    ),
    ...(idle.length === 0
      ? []
      : [[queries.dropIdleLane, ALL, ...columns(idle.map(namedCells))] as const]),
  ];
}

function newsRef({ shard, n }: Row): readonly Cell[] {
  return [Number(shard), Number(n)];
}

function refsOf(places: readonly Place[]): readonly (readonly Cell[])[] {
  return places.map((place) => homed(place, placeRefCells(place)));
}

function nameOf({ instance_id, token_id, ordinal }: Row): string {
  return [instance_id, token_id, ordinal].join(' ');
}

function placeRow({ instance, token, ordinal }: Place): Row {
  return { instance_id: instance, token_id: token, ordinal };
}

function asked(query: string, rows: readonly (readonly Cell[])[]): readonly Ask[] {
  return rows.length === 0 ? [] : [[query, ...columns(rows)]];
}

function homed({ instance }: TokenRef, cells: readonly Cell[]): readonly Cell[] {
  return [shardOf(instance), ...cells];
}

function namedCells(name: string): readonly Cell[] {
  return [shardOf(name), name];
}
