/**
 * One lane while it is looked at: how much room there is, and when to look again. What is at work
 * is what the rows say; what is let through meanwhile is added here.
 *
 * A share has no room of its own, but that of the lane it is a share of; and it is that lane that
 * is looked at again. Whose turn it is among its shares goes round: whoever comes after the one
 * that had the last turn, by name, is the next.
 */
import { TENANT_READY_MAX } from '../model/limits.ts';
import type { Rate } from '../model/lane.ts';
import type { QueuePoint } from './lane-asks.ts';
import { inWindow, type LaneLog, logged, roomAt, sumOf } from './lane-log.ts';
import { type LaneNews, type Place, TENANT } from './lanes.ts';
import { compareTexts } from './texts.ts';

/** A full lane is looked at so often at least, for what nobody told of. */
export const LANE_LOOK_MS = 30_000;
/** That of a tenant more often: who claims, and dies before the lane is looked at, tells nobody. */
export const TENANT_LOOK_MS = 5_000;

/** Of those that share a lane so many more are met than have room: some may need what is full. */
const SHARES_MORE = 4;

/** So many of one lane are tried at most after enough were sent on to wait elsewhere. */
const LEFT_MAX = 100;

/**
 * Who has somebody locked tells when it is through, unless it takes everything back. It may take
 * its time: one that is within a transaction of the user's.
 */
const LOCKED_LOOK_MS = 1_000;

/** A lane as its rows tell. */
export interface LaneFacts {
  readonly name: string;
  /** Numbers and moments; null if it has no row yet. */
  readonly row: LaneNumbers | null;
  /** How many were let through, those that have begun among them. */
  readonly atWork: number;
  /** Whether anyone waits; and in which shares of it, those whose turn is next among them. */
  readonly waiting: boolean;
  readonly shares: readonly string[];
  /** Those that had not begun when they were last looked at. */
  readonly standing: readonly StandingPlace[];
  /** Those that have begun and ended since it was looked at. */
  readonly owing: readonly Place[];
}

export interface LaneNumbers {
  readonly version: number;
  readonly concurrency: number | null;
  readonly rate: Rate | null;
  readonly log: LaneLog;
  readonly lookAt: number | null;
  /** Who had the last turn: the name of a share, or of the lane for what has no tenant. */
  readonly turn: string | null;
}

export interface StandingPlace {
  readonly place: Place;
  /** `ready`, or `executing` since then; null if the token is neither any more. */
  readonly status: 'ready' | 'executing' | null;
  readonly lockedAt: number | null;
}

const UNKNOWN: LaneNumbers = {
  ...{ version: 0, concurrency: null, rate: null },
  ...{ log: [], lookAt: null, turn: null },
};

export class LaneLook {
  readonly name: string;
  readonly isTenant: boolean;
  /** Itself, unless it is a share. */
  readonly whole: LaneLook;
  waiting: boolean;
  /** The last that was seen of those who wait here; all of them were, if it is true. */
  last: QueuePoint | null = null;
  isThrough = false;
  /** Somebody was passed over. */
  isTorn = false;
  /** Of somebody not even a place could be read. */
  isLocked = false;
  /** Tried and sent on to wait elsewhere: each would have taken a place here. */
  sentOn = 0;
  /** Tried, and left where they are: enough were sent on. */
  left = 0;
  readonly #before: LaneNumbers | null;
  readonly #now: number;
  readonly #shares: LaneLook[] = [];
  /** Shares in which somebody waits and that nobody has looked at yet, in the order of turns. */
  #unmet: readonly string[] = [];
  #numbers: LaneNumbers;
  #isNumbered: boolean;
  #atWork: number;
  #standing = 0;

  constructor({ name, row, atWork, waiting }: LaneFacts, now: number, whole?: LaneLook) {
    this.name = name;
    this.isTenant = name.startsWith(TENANT);
    this.whole = whole ?? this;
    if (whole !== undefined) whole.#meet(this);
    this.waiting = waiting;
    this.#before = row;
    this.#now = now;
    this.#numbers = row ?? UNKNOWN;
    this.#isNumbered = row !== null;
    this.#atWork = atWork;
    this.#trim();
  }

  #meet(share: LaneLook): void {
    this.#shares.push(share);
    this.#unmet = this.#unmet.filter((name) => name !== share.name);
  }

  /** Its moment has come, whatever else has happened. */
  get isDue(): boolean {
    const lookAt = this.#before?.lookAt ?? null;
    return lookAt !== null && lookAt <= this.#now;
  }

  /**
   * False if somebody is there already, and the news that came with it are not read yet: then
   * nobody can say how much room there is.
   */
  get isKnown(): boolean {
    return this.isTenant || (this.whole === this ? this.#isNumbered : this.whole.isKnown);
  }

  /** Those of the newest version count. */
  adopt({ version, concurrency, rate }: NonNullable<LaneNews['numbers']>): void {
    this.#isNumbered = true;
    if (version < this.#numbers.version) return;
    this.#numbers = { ...this.#numbers, version, concurrency, rate };
    this.#trim();
  }

  #trim(): void {
    const { rate, log } = this.#numbers;
    const left = rate === null ? [] : inWindow(log, rate, this.#now);
    if (left.length < log.length) this.#numbers = { ...this.#numbers, log: left };
  }

  /** Whether it matters when those that are let through begin. */
  get tellsBegun(): boolean {
    return this.isTenant || this.#numbers.rate !== null;
  }

  /** Whether anyone waits here, or in one of its shares. */
  get isAwaited(): boolean {
    return this.waiting || this.#unmet.length > 0 || this.#shares.some(({ waiting }) => waiting);
  }

  /** Those it has, as far as the store told. */
  get shares(): readonly string[] {
    return [...this.#shares.map(({ name }) => name), ...this.#unmet];
  }

  /** Where somebody waits, as the store tells. */
  noteShares(names: readonly string[]): void {
    const met = new Set(this.#shares.map(({ name }) => name));
    const unmet = names.filter((name) => !met.has(name));
    this.#unmet = unmet.sort((one, other) => this.#compareTurns(one, other));
  }

  /** Those whose turn is next: somewhat more than there is room for. Others need not be met. */
  nextShares(): readonly string[] {
    if (this.room <= 0 || this.#unmet.length === 0) return [];
    const most = Math.min(this.room + SHARES_MORE, this.#unmet.length);
    const next = this.#unmet.slice(0, most);
    this.#unmet = this.#unmet.slice(most);
    return next;
  }

  /** There is room for those that are still to be met. */
  get hasUnmet(): boolean {
    return this.#unmet.length > 0 && this.room > 0;
  }

  /** Before or behind others that share the lane: whoever is after the last by name is next. */
  compareTurns(other: LaneLook): number {
    return this.whole.#compareTurns(this.name, other.name);
  }

  #compareTurns(one: string, other: string): number {
    const last = this.#numbers.turn ?? this.name;
    const [a, b] = [one, other].map((name) => Number(compareTexts(name, last) <= 0));
    return a === b ? compareTexts(one, other) : Number(a) - Number(b);
  }

  /** This one had its turn. */
  takeTurn(): void {
    const { whole, name } = this;
    if (whole.#shares.length > 0) whole.#numbers = { ...whole.#numbers, turn: name };
  }

  get room(): number {
    if (this.whole !== this) return this.whole.room;
    if (!this.isKnown) return 0;
    const { concurrency, rate, log } = this.#numbers;
    if (this.isTenant) return TENANT_READY_MAX - this.#standing;
    const places = concurrency === null ? Infinity : concurrency - this.#atWork;
    // What was let through may begin any moment.
    const begins = rate === null ? Infinity : rate.max - sumOf(log) - this.#standing;
    return Math.min(places, begins);
  }

  /** No more are sent on than there is room for: they stand there for those behind them, */
  get hasSentAll(): boolean {
    return this.room <= this.whole.sentOn;
  }

  /** but who needs nothing that is full goes past them. How many are worth a try, */
  get tries(): number {
    return this.left < LEFT_MAX ? Math.max(this.room, 0) : 0;
  }

  /** and are still to be asked for. */
  get isOpen(): boolean {
    return this.waiting && !this.isThrough && this.tries > 0;
  }

  stand(count = 1): void {
    this.#standing += count;
  }

  begin(at: number, count = 1): void {
    const { rate, log } = this.#numbers;
    if (rate !== null) this.#numbers = { ...this.#numbers, log: logged(log, at, count, rate) };
    this.#trim();
  }

  pass(by: 1 | -1): void {
    this.#atWork += by;
    if (this.tellsBegun) this.#standing += by;
  }

  /** Of those that were counted one is not at work. */
  leave(): void {
    this.#atWork -= 1;
  }

  /** The row as it is to be; null if it is so already, or nobody knows. */
  row(isCut: boolean): LaneNumbers | null {
    if (this.whole === this && !this.isKnown) return null;
    const next = { ...this.#numbers, lookAt: this.#lookAt(isCut) };
    return JSON.stringify(next) === JSON.stringify(this.#before) ? null : next;
  }

  #lookAt(isCut: boolean): number | null {
    if (this.whole !== this) return null;
    if (this.isTorn || (isCut && this.isAwaited && this.tries > 0)) return this.#now;
    if (this.isLocked || this.#shares.some(({ isLocked }) => isLocked)) {
      return this.#now + LOCKED_LOOK_MS;
    }
    const usual = this.#now + (this.isTenant ? TENANT_LOOK_MS : LANE_LOOK_MS);
    if (this.isTenant) return this.waiting || this.#standing > 0 ? usual : null;
    const { rate, log } = this.#numbers;
    if (!this.isAwaited) {
      // Then it can go, if nobody has come.
      const [last] = log.at(-1) ?? [];
      return rate === null || last === undefined ? null : last + rate.perMs;
    }
    const before = this.#before?.lookAt ?? null;
    const next = before !== null && before > this.#now && before <= usual ? before : usual;
    if (rate === null) return next;
    // What was let through begins now at the earliest.
    const opens = roomAt(logged(log, this.#now, this.#standing, rate), rate, rate.max);
    return opens === null ? next : Math.min(next, opens);
  }
}
