/** Lanes and the places of tokens in them, as rows and back; the same for every database. */
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Rate } from '../model/lane.ts';
import { instant, integer, integerOrNull, text, textOrNull } from './cells.ts';
import type { LaneFacts, LaneNumbers, StandingPlace } from './lane-look.ts';
import { readLog } from './lane-log.ts';
import { type HeldToken, type LaneNews, type LaneRow, type Place, sharedLane } from './lanes.ts';
import {
  comparePlaces,
  inOrdinalOrder,
  type LaneWrites,
  type QueuePoint,
  type Waiting,
} from './lane-asks.ts';
import { encode } from './payload.ts';
import type { Row } from './rows.ts';
import type { TokenRef } from './store.ts';
import type { Cell } from './writes.ts';

export function readPlace(row: Row): Place {
  return {
    ...readPlaceRef(row),
    lane: text(row, 'lane'),
    ordinal: integer(row, 'ordinal'),
    lanes: integer(row, 'lanes'),
    state: text(row, 'state') as Place['state'],
    handler: text(row, 'handler'),
    priority: integer(row, 'priority'),
    since: instant(row, 'since'),
    availableAt: instant(row, 'available_at'),
    begun: integer(row, 'begun') === 1,
    owed: integer(row, 'owed'),
    owedAt: integerOrNull(row, 'owed_at'),
  };
}

export function readNews(row: Row): LaneNews {
  const version = integerOrNull(row, 'version');
  const lane = text(row, 'lane');
  if (version === null) return { lane, numbers: null };
  const concurrency = integerOrNull(row, 'concurrency');
  return { lane, numbers: { version, concurrency, rate: readRate(row) } };
}

/** Of a lane. */
export function readName(row: Row): string {
  return text(row, 'name');
}

export function readPlaceRef(row: Row): TokenRef {
  return {
    instance: text(row, 'instance_id') as InstanceId,
    token: integer(row, 'token_id') as TokenId,
  };
}

function readRate(row: Row): Rate | null {
  const [max, perMs] = [integerOrNull(row, 'rate_max'), integerOrNull(row, 'rate_per_ms')];
  return max === null || perMs === null ? null : { max, perMs };
}

interface FactRows {
  readonly standing: readonly Row[];
  readonly owing: readonly Row[];
  readonly shares: readonly Row[];
}

export function readFacts(
  name: string,
  row: Row,
  { standing, owing, shares }: FactRows,
): LaneFacts {
  return {
    name,
    shares: shares.map(readName).filter((share) => sharedLane(share) === name),
    row: row.version === null ? null : readNumbers(row),
    atWork: integer(row, 'at_work'),
    waiting: integer(row, 'waiting') > 0,
    standing: standing.map(readStanding),
    owing: owing.map(readPlace),
  };
}

function readNumbers(row: Row): LaneNumbers {
  return {
    version: integer(row, 'version'),
    concurrency: integerOrNull(row, 'concurrency'),
    rate: readRate(row),
    log: readLog(textOrNull(row, 'log')),
    lookAt: integerOrNull(row, 'look_at'),
    turn: textOrNull(row, 'turn'),
  };
}

function readStanding(row: Row): StandingPlace {
  return {
    place: readPlace(row),
    status: textOrNull(row, 'status') as StandingPlace['status'],
    lockedAt: integerOrNull(row, 'locked_at'),
  };
}

/** Each once, though it was found twice. */
export function readPlaces(rows: readonly Row[]): readonly Place[] {
  const found = rows.map(readPlace);
  return [...new Map(found.map((place) => [placeRefCells(place).join(' '), place])).values()];
}

/** Where a queue begins: nobody stands there. */
export const BEFORE_ALL: QueuePoint = {
  priority: Number.MAX_SAFE_INTEGER,
  since: 0 as Instant,
  instance: '' as InstanceId,
  token: 0 as TokenId,
};

/** Those who wait, in order, each with its places; the rows come in any order. */
export function readWaiting(rows: readonly Row[]): readonly Waiting[] {
  const found = new Map<string, { at: QueuePoint; places: Place[]; isHeld: boolean }>();
  for (const row of rows) {
    const [ref, isHeld] = [readPlaceRef(row), row['is_held'] === 1];
    const at = { ...ref, priority: integer(row, 'priority'), since: instant(row, 'since') };
    const name = `${at.token} ${at.instance}`;
    const own = found.get(name) ?? { at, places: [], isHeld };
    // Without a lane all of its places are locked.
    if (row['lane'] !== null) own.places.push(readPlace(row));
    found.set(name, own);
  }
  const waiting = Array.from(found.values(), ({ at, places, isHeld }) => {
    return { at, places: inOrdinalOrder(places), isHeld };
  });
  return waiting.sort((a, b) => comparePlaces(a.at, b.at));
}

export function readLane(row: Row): LaneRow {
  return Object.freeze({
    name: text(row, 'name'),
    concurrency: integerOrNull(row, 'concurrency'),
    rate: readRate(row),
    atWork: integer(row, 'at_work'),
    waiting: integer(row, 'waiting'),
  });
}

/** One for each token: what is not due yet is so in all its lanes. */
export function readHeld(rows: readonly Row[]): readonly HeldToken[] {
  const held = new Map<number, HeldToken>();
  for (const row of rows) {
    const token = integer(row, 'token_id') as TokenId;
    if (held.has(token)) continue;
    const place = text(row, 'lane');
    const lane = sharedLane(place) ?? place;
    held.set(token, Object.freeze({ token, lane, ahead: integer(row, 'ahead') }));
  }
  return [...held.values()];
}

export function refCells({ instance, token }: TokenRef): readonly Cell[] {
  return [instance, token];
}

export function placeRefCells({ instance, token, ordinal }: Place): readonly Cell[] {
  return [instance, token, ordinal];
}

export function movedCells(place: Place, now: number): readonly Cell[] {
  return [...placeRefCells(place), place.state, Number(place.begun), now];
}

export function laneCells(lane: LaneWrites['lanes'][number]): readonly Cell[] {
  const { name, version, concurrency, rate, log, lookAt, turn } = lane;
  const text = log.length === 0 ? null : encode(log);
  return [name, version, concurrency, rate?.max ?? null, rate?.perMs ?? null, text, lookAt, turn];
}
