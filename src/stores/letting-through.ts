/**
 * Who is let through, the same for every store. Told what has come to lanes and left them, it looks
 * at the lanes concerned, tries those who wait where there is room, the most urgent of the oldest
 * instances first, and lets through whoever finds room in all its lanes. Who does not goes on to
 * wait in the lane that is full, and is tried when that has room. It stands there for all that wait
 * behind it: no more are sent on than there was room for. So a lane that many customers share has
 * few of each in its queue, and a flood is not moved from one lane to the other. Who is behind them
 * and needs nothing that is full goes past them.
 *
 * It asks the store for rows as it needs them, and yields to have them: one store answers at once,
 * another after a while.
 */
import { TENANT_READY_MAX } from '../model/limits.ts';
import {
  inOrdinalOrder,
  type LaneAsk,
  type LaneWrites,
  LANES_AT_ONCE,
  type LetToken,
  type Opening,
  TRIES_AT_ONCE,
  UNSERVED_MS,
  type Waiting,
} from './lane-asks.ts';
import { type LaneFacts, LaneLook, type StandingPlace } from './lane-look.ts';
import { inTurn } from './lane-turns.ts';
import { isForAll, type LetThrough, type Place, sharedLane } from './lanes.ts';
import type { TokenRef } from './store.ts';

type Steps<Result> = Generator<LaneAsk, Result, unknown>;

/** Who wait and are looked at in one go. */
const TRIES_MAX = 1_000;

export function* lettingThrough(opening: Opening): Steps<LetThrough> {
  const look = new Look(opening);
  const { news, places, lanes } = opening;
  yield* look.learn([...lanes, ...[...news, ...places].map(({ lane }) => lane)]);
  look.absorb(opening);
  yield* look.shelve();
  yield* look.write();
  let isCut = false;
  for (let tried = 0; look.hasRoom(); ) {
    isCut = tried >= TRIES_MAX;
    if (isCut) break;
    const waiting = yield* look.queues();
    tried += waiting.length;
    look.consider(waiting);
  }
  const through = yield* look.let();
  yield* look.conclude(isCut);
  const looked = news.length + places.length + lanes.length;
  const more = isCut || opening.isCut || look.isTorn;
  return { tokens: through, looked, more, isBusy: false };
}

class Look {
  /** Something was passed over: somebody else is at it, or its news are not read yet. */
  isTorn = false;
  readonly #opening: Opening;
  readonly #now: number;
  readonly #lanes = new Map<string, LaneLook>();
  readonly #changed = new Map<string, Place>();
  readonly #dropped: Place[] = [];
  readonly #left: Place[] = [];
  readonly #shelved: { lane: string; handler: string }[] = [];
  /** Handlers whose lane for all is full: nobody else who needs one fits either. */
  readonly #blocked = new Set<string>();
  /** Who is to be let through, with the places they had. */
  readonly #passing = new Map<string, readonly Place[]>();

  constructor(opening: Opening) {
    this.#opening = opening;
    this.#now = opening.now;
  }

  *learn(names: readonly string[]): Steps<void> {
    const all = names.flatMap((name) => [sharedLane(name) ?? name, name]);
    const unknown = [...new Set(all)].filter((name) => !this.#lanes.has(name));
    if (unknown.length === 0) return;
    const told = (yield { ask: 'lanes', names: unknown }) as readonly LaneFacts[];
    // What is shared comes before its shares.
    const facts = told.toSorted((a, b) => shareDepth(a) - shareDepth(b));
    const begun = facts.flatMap((one) => this.#learn(one));
    if (begun.length > 0) yield* this.#begin(begun);
    const owing = facts.flatMap((one) => one.owing);
    if (owing.length > 0) yield* this.#settle(owing);
  }

  /** Of those that share a lane with room, the next. */
  *#meetShares(): Steps<void> {
    yield* this.learn([...this.#lanes.values()].flatMap((lane) => lane.nextShares()));
  }

  /** Those that have begun since the lane was looked at. */
  #learn(facts: LaneFacts): readonly StandingPlace[] {
    const lane = this.#meet(facts);
    lane.noteShares(facts.shares);
    for (const { place, status } of facts.standing) {
      if (status === 'ready') lane.stand();
      else if (lane.isTenant || status === null) {
        lane.leave();
        this.#left.push(place);
      }
    }
    return lane.isTenant ? [] : facts.standing.filter(({ status }) => status === 'executing');
  }

  /** What a commit has just written tells of its begin itself, and counts as standing till then. */
  *#begin(begun: readonly StandingPlace[]): Steps<void> {
    const places = begun.map(({ place }) => place);
    const noted = new Set(((yield { ask: 'begin', places }) as readonly Place[]).map(nameOf));
    for (const { place, lockedAt } of begun) {
      const lane = this.#lane(place.lane);
      if (noted.has(nameOf(place))) lane.begin(lockedAt ?? this.#now);
      else lane.stand();
    }
  }

  /** The same of what has ended since. */
  *#settle(owing: readonly Place[]): Steps<void> {
    const settled = (yield { ask: 'settle', places: owing }) as readonly Place[];
    const noted = new Set(settled.map(nameOf));
    for (const place of owing) {
      const lane = this.#lane(place.lane);
      if (noted.has(nameOf(place))) lane.begin(place.owedAt ?? this.#now, place.owed);
      else lane.stand(place.owed);
    }
  }

  #lane(name: string): LaneLook {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const none = { shares: [], standing: [], owing: [] };
    return this.#meet({ name, row: null, atWork: 0, waiting: false, ...none });
  }

  #meet(facts: LaneFacts): LaneLook {
    const whole = sharedLane(facts.name);
    const lane = new LaneLook(facts, this.#now, whole === null ? undefined : this.#lane(whole));
    this.#lanes.set(lane.name, lane);
    return lane;
  }

  /** Numbers are learnt, and whoever has become due, or found a handler, takes its place. */
  absorb({ news, places }: Opening): void {
    for (const { lane, numbers } of news) if (numbers !== null) this.#lane(lane).adopt(numbers);
    for (const own of byToken(places)) if (isWhole(own)) this.#queue(own);
  }

  #queue(places: readonly Place[]): void {
    const isLater = places.some(({ availableAt }) => availableAt > this.#now);
    if (isLater) for (const place of places) this.#put(place, 'later');
    else this.#waitIn(places, places[0]);
  }

  #waitIn(places: readonly Place[], where: Place | undefined): void {
    for (const place of places) {
      const isHere = place.lane === where?.lane;
      if (isHere) this.#lane(place.lane).waiting = true;
      this.#put(place, isHere ? 'waiting' : 'aside');
    }
  }

  #put(place: Place, state: Place['state']): void {
    const begun = state === 'passed' && !this.#lane(place.lane).tellsBegun;
    this.#changed.set(nameOf(place), { ...place, state, begun });
  }

  /** Of a lane that stays full: what nobody has a handler for makes room. */
  *shelve(): Steps<void> {
    const full = [...this.#lanes.values()].filter(
      (lane) => !lane.isTenant && lane.isDue && lane.isAwaited && lane.room <= 0,
    );
    if (full.length === 0) return;
    const lanes = full.map(({ name }) => name);
    const before = this.#now - UNSERVED_MS;
    // Who stands in two of them was found twice.
    const told = (yield { ask: 'unserved', lanes, before }) as readonly Place[];
    const found = [...new Map(told.map((place) => [nameOf(place), place])).values()];
    const served = new Set(this.#opening.handlers);
    const unserved = byToken(found.filter(({ handler }) => !served.has(handler))).filter(isWhole);
    if (unserved.length === 0) return;
    const tokens = unserved.flatMap((places) => places[0] ?? []);
    const held = namesOf((yield { ask: 'hold', tokens }) as readonly TokenRef[]);
    for (const places of unserved) {
      if (places[0] === undefined || !held.has(tokenName(places[0]))) continue;
      yield* this.learn(places.map(({ lane }) => lane));
      for (const place of places) {
        this.#lane(place.lane).pass(-1);
        this.#put(place, place.ordinal === 0 ? 'shelved' : 'aside');
        if (lanes.includes(place.lane)) this.#shelveAll(place);
      }
    }
  }

  #shelveAll({ lane: name, handler }: Place): void {
    for (const lane of [name, ...this.#lane(name).shares]) {
      const isKnown = this.#shelved.some((one) => one.lane === lane && one.handler === handler);
      if (!isKnown) this.#shelved.push({ lane, handler });
    }
  }

  hasRoom(): boolean {
    return [...this.#lanes.values()].some(({ isOpen, hasUnmet }) => isOpen || hasUnmet);
  }

  #open(): readonly LaneLook[] {
    return [...this.#lanes.values()].filter(({ isOpen }) => isOpen);
  }

  /** The next of all who wait where there is room. */
  *queues(): Steps<readonly Waiting[]> {
    yield* this.#meetShares();
    const first = yield* this.#ask(this.#open());
    // Whoever waits in a lane that was met only now has its turn, too.
    yield* this.#meetShares();
    return [...first, ...(yield* this.#ask(this.#open().filter(({ last }) => last === null)))];
  }

  *#ask(lanes: readonly LaneLook[]): Steps<readonly Waiting[]> {
    const open = lanes.slice(0, LANES_AT_ONCE);
    if (open.length === 0) return [];
    const most = Math.min(TRIES_AT_ONCE, Math.ceil(TRIES_MAX / open.length));
    // Of those that share a lane each is asked for its part.
    const parts = new Map<LaneLook, number>();
    for (const { whole } of open) parts.set(whole, (parts.get(whole) ?? 0) + 1);
    const of = open.map(({ name: lane, last: after, tries, whole, hasSentAll }) => {
      const share = Math.ceil(tries / (parts.get(whole) ?? 1));
      const without = hasSentAll ? [...this.#blocked] : [];
      return { lane, after, limit: Math.min(share, most), without };
    });
    const found = (yield { ask: 'queues', of }) as readonly (readonly Waiting[])[];
    for (const [index, lane] of open.entries()) {
      const waiting = found[index] ?? [];
      lane.last = waiting.at(-1)?.at ?? lane.last;
      if (waiting.length < (of[index]?.limit ?? 0)) lane.isThrough = true;
      if (waiting.some(({ places }) => places.length === 0)) lane.isLocked = true;
    }
    const all = found.flat();
    yield* this.learn(all.flatMap(({ places }) => places.map(({ lane }) => lane)));
    return all;
  }

  consider(waiting: readonly Waiting[]): void {
    const known = waiting.filter(({ places }) => isWhole(places));
    const torn = waiting.filter(({ places }) => places.length > 0 && !isWhole(places));
    for (const { places } of torn) this.#tear(places);
    for (const { places, isHeld } of inTurn(known, (name) => this.#lane(name))) {
      if (!isHeld) this.#dropped.push(...places);
      else if (places.some(({ availableAt }) => availableAt > this.#now)) this.#queue(places);
      else this.#try(places);
    }
  }

  #try(places: readonly Place[]): void {
    const here = places.find(({ state }) => state === 'waiting');
    if (here === undefined || this.#lane(here.lane).tries === 0) return;
    // Its news are still to be read, and with them it is looked at again.
    if (places.some(({ lane }) => !this.#lane(lane).isKnown)) return this.#tear(places);
    const full = places.find(({ lane }) => this.#lane(lane).room <= 0);
    if (full !== undefined) return this.#sendOn(places, here, full);
    for (const place of places) {
      this.#lane(place.lane).pass(1);
      this.#put(place, 'passed');
    }
    const shared = new Set(places.map(({ lane }) => sharedLane(lane)));
    for (const { lane } of places) if (!shared.has(lane)) this.#lane(lane).takeTurn();
    this.#passing.set(tokenName(here), places);
  }

  #sendOn(places: readonly Place[], here: Place, full: Place): void {
    const lane = this.#lane(here.lane);
    // Whoever goes back to a narrower one has taken nobody's place here.
    if (full.ordinal < here.ordinal) return this.#waitIn(places, full);
    const isOfAll = isForAll(full.lane) || sharedLane(full.lane) !== null;
    if (isOfAll) this.#blocked.add(here.handler);
    if (lane.hasSentAll) {
      lane.left += 1;
      return;
    }
    lane.whole.sentOn += 1;
    this.#waitIn(places, full);
  }

  /** Who is held by another's commit stays where it is; that commit tells what became of it. */
  *let(): Steps<number> {
    if (this.#passing.size === 0) return 0;
    const counts = new Map<string, number>();
    const tokens = [...this.#passing.values()].flatMap((places) => this.#letting(places, counts));
    const stood = namesOf((yield { ask: 'let', tokens }) as readonly TokenRef[]);
    for (const [name, places] of this.#passing) {
      if (stood.has(name)) continue;
      this.#tear(places);
      for (const place of places) {
        this.#lane(place.lane).pass(-1);
        this.#changed.delete(nameOf(place));
      }
    }
    return stood.size;
  }

  /**
   * A flood of one tenant's is older than what others have, or more urgent: its turn comes by when
   * it is let, and the next of each tenant's a moment after the one before it. So there is one of
   * each after the other in the queue, too, and those of each in their order. The last stands where
   * it is let, and the first as long before that as there may be others in between.
   */
  #letting(places: readonly Place[], counts: Map<string, number>): readonly LetToken[] {
    const [first] = places;
    if (first === undefined) return [];
    const { instance, token } = first;
    const tenants = places.find(({ lane }) => this.#lane(lane).isTenant)?.lane;
    if (tenants === undefined) return [{ instance, token, since: null }];
    const count = (counts.get(tenants) ?? 0) + 1;
    counts.set(tenants, count);
    return [{ instance, token, since: this.#now - Math.max(TENANT_READY_MAX - count, 0) }];
  }

  /** It is looked at once more. */
  #tear(places: readonly Place[]): void {
    this.isTorn = true;
    for (const { lane } of places) this.#lane(lane).isTorn = true;
  }

  /** Before the queues are asked for: what came is to be found there. */
  *write(): Steps<void> {
    yield { ask: 'write', writes: { ...this.#taken(), lanes: [], idle: [], cleared: [] } };
  }

  *conclude(isCut: boolean): Steps<void> {
    const lanes: LaneWrites['lanes'][number][] = [];
    const idle: string[] = [];
    for (const lane of this.#lanes.values()) {
      const row = lane.row(isCut);
      if (row !== null) lanes.push({ name: lane.name, ...row });
      if (!lane.isAwaited) idle.push(lane.name);
    }
    const cleared = [...new Set(this.#opening.news.map(({ lane }) => lane))];
    yield { ask: 'write', writes: { ...this.#taken(), lanes, idle, cleared } };
  }

  #taken(): Pick<LaneWrites, 'places' | 'dropped' | 'left' | 'shelved'> {
    const places = [...this.#changed.values()];
    this.#changed.clear();
    const [dropped, left] = [this.#dropped.splice(0), this.#left.splice(0)];
    return { places, dropped, left, shelved: this.#shelved.splice(0) };
  }
}

function shareDepth({ name }: LaneFacts): number {
  return sharedLane(name) === null ? 0 : 1;
}

/** All the places of a token; somebody may have some of them locked. */
function isWhole(places: readonly Place[]): boolean {
  const [first] = places;
  if (first === undefined) return false;
  return places.filter(({ ordinal }) => ordinal < first.lanes).length === first.lanes;
}

function byToken(places: readonly Place[]): readonly Place[][] {
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const own = groups.get(tokenName(place)) ?? [];
    own.push(place);
    groups.set(tokenName(place), own);
  }
  return Array.from(groups.values(), inOrdinalOrder);
}

function nameOf(place: Place): string {
  return `${tokenName(place)} ${place.lane}`;
}

function tokenName({ instance, token }: TokenRef): string {
  return `${token} ${instance}`;
}

function namesOf(refs: readonly TokenRef[]): ReadonlySet<string> {
  return new Set(refs.map(tokenName));
}
