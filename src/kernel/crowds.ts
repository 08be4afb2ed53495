/**
 * One more index of an instance, which only flowcharts need: who is alive at which activity of a
 * scope, and who waits before which. It is made when a flowchart first asks, and kept from then on.
 *
 * What is asked of it is asked at every commit, with thousands of tokens and activities beside
 * those it is about: so there is a set for each question, as rows of bits (see `approach.ts`), and
 * those who wait are kept by pass and by edge. Like tables, all of it is branched for a stride, and
 * whatever that has not made itself it copies before it writes.
 */
import { addBit, type Bits, copyBits, dropBit, noBits, type ReadonlyBits } from '../base/bits.ts';
import { Table } from '../base/table.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import {
  type Chart,
  type ChartSpot,
  type Gate,
  type Pass,
  type Region,
  samePass,
} from './chart.ts';

export class Crowds {
  readonly chart: Chart;
  readonly #scopes: Table<ScopeId, Crowd>;
  /** Greater than that of all it came from: what bears it was made here. */
  readonly #stamp: number;

  private constructor(chart: Chart, scopes: Table<ScopeId, Crowd>, stamp: number) {
    this.chart = chart;
    this.#scopes = scopes;
    this.#stamp = stamp;
  }

  /** From the tokens themselves. */
  static of(chart: Chart, tokens: Iterable<Token>): Crowds {
    const crowds = new Crowds(chart, Table.empty(), 0);
    for (const token of tokens) crowds.put(token, 1);
    return crowds;
  }

  branch(): Crowds {
    return new Crowds(this.chart, this.#scopes.branch(), this.#stamp + 1);
  }

  in(scope: ScopeId): Crowd | undefined {
    return this.#scopes.get(scope);
  }

  /** Where somebody is alive, ascending. */
  scopes(): readonly ScopeId[] {
    return this.#scopes.keys();
  }

  /** All of it, for whoever compares two. */
  told(): readonly unknown[] {
    return this.scopes().map((scope) => [scope, this.in(scope)?.told()]);
  }

  /** Puts a live token where it belongs, or with -1 takes it out. */
  put(token: Token, by: 1 | -1): void {
    const spot = this.chart.spotAt(token.node);
    if (spot === undefined) return;
    let crowd = this.#scopes.get(token.scope);
    if (crowd === undefined || !crowd.isOf(this.#stamp)) {
      crowd = crowd?.branch(this.#stamp) ?? Crowd.empty(spot.region, this.#stamp);
      this.#scopes.set(token.scope, crowd);
    }
    crowd.put(spot, token, by);
    if (crowd.isEmpty) this.#scopes.delete(token.scope);
  }
}

/** Those of one scope. */
export class Crowd {
  readonly region: Region;
  /** The activities at which somebody is alive; a block is nobody. */
  readonly alive: Bits;
  readonly #stamp: number;
  /** By activity. */
  readonly #rooms: Table<number, Room>;
  readonly #halls: Table<number, Hall>;

  private constructor(
    region: Region,
    stamp: number,
    alive: Bits,
    rooms: Table<number, Room>,
    halls: Table<number, Hall>,
  ) {
    this.region = region;
    this.#stamp = stamp;
    this.alive = alive;
    this.#rooms = rooms;
    this.#halls = halls;
  }

  static empty(region: Region, stamp: number): Crowd {
    return new Crowd(region, stamp, noBits(region.approach.words), Table.empty(), Table.empty());
  }

  branch(stamp: number): Crowd {
    const { region, alive } = this;
    return new Crowd(region, stamp, copyBits(alive), this.#rooms.branch(), this.#halls.branch());
  }

  isOf(stamp: number): boolean {
    return this.#stamp === stamp;
  }

  get isEmpty(): boolean {
    return this.#rooms.size === 0 && this.#halls.size === 0;
  }

  /** How many activities are waited before. */
  get waiting(): number {
    return this.#halls.size;
  }

  /** The numbers of those. */
  halls(): readonly number[] {
    return this.#halls.keys();
  }

  hallAt(activity: number): Hall | undefined {
    return this.#halls.get(activity);
  }

  /** Who is alive at an activity, oldest first. */
  at(activity: number): readonly Token[] {
    return this.#rooms.get(activity)?.tokens.values() ?? [];
  }

  told(): readonly unknown[] {
    const rooms = this.#rooms.keys().map((at) => [at, this.at(at).map(({ id }) => id)]);
    const halls = this.#halls.keys().map((at) => [at, this.#halls.get(at)?.told()]);
    return [this.alive, rooms, halls];
  }

  put({ number, gate }: ChartSpot, token: Token, by: 1 | -1): void {
    if (!isBlock(token)) this.#stand(number, token, by);
    if (gate === null || token.wait?.on !== 'merge') return;
    let hall = this.#halls.get(number);
    if (hall === undefined || !hall.isOf(this.#stamp)) {
      hall = hall?.branch(this.#stamp) ?? Hall.empty(gate, this.#stamp);
      this.#halls.set(number, hall);
    }
    hall.put(token, by);
    if (hall.isEmpty) this.#halls.delete(number);
  }

  #stand(number: number, token: Token, by: 1 | -1): void {
    const room = this.#rooms.get(number);
    const isOwn = room?.stamp === this.#stamp;
    const tokens = isOwn ? room.tokens : (room?.tokens.branch() ?? Table.empty<TokenId, Token>());
    if (by === 1) tokens.set(token.id, token);
    else tokens.delete(token.id);
    if (tokens.size === 0) {
      this.#rooms.delete(number);
      dropBit(this.alive, number);
    } else if (!isOwn) {
      this.#rooms.set(number, { stamp: this.#stamp, tokens });
      addBit(this.alive, number);
    }
  }
}

interface Room {
  readonly stamp: number;
  readonly tokens: Table<TokenId, Token>;
}

/** Those who wait before one activity. */
export class Hall {
  readonly #gate: Gate;
  readonly #stamp: number;
  /** Those who came back. */
  readonly #backs: Table<TokenId, Token>;
  /** The others, by the last number of their pass, which mostly is of no other. */
  readonly #parties: Table<number, readonly Party[]>;
  /** By edge. */
  readonly #blocks: Table<number, readonly Token[]>;

  private constructor(
    gate: Gate,
    stamp: number,
    backs: Table<TokenId, Token>,
    parties: Table<number, readonly Party[]>,
    blocks: Table<number, readonly Token[]>,
  ) {
    this.#gate = gate;
    this.#stamp = stamp;
    this.#backs = backs;
    this.#parties = parties;
    this.#blocks = blocks;
  }

  static empty(gate: Gate, stamp: number): Hall {
    return new Hall(gate, stamp, Table.empty(), Table.empty(), Table.empty());
  }

  branch(stamp: number): Hall {
    const [backs, parties] = [this.#backs.branch(), this.#parties.branch()];
    return new Hall(this.#gate, stamp, backs, parties, this.#blocks.branch());
  }

  isOf(stamp: number): boolean {
    return this.#stamp === stamp;
  }

  get isEmpty(): boolean {
    return this.#backs.size === 0 && this.#parties.size === 0 && this.#blocks.size === 0;
  }

  /** Those who came back, oldest first. */
  backs(): readonly Token[] {
    return this.#backs.values();
  }

  /** The passes of those who came forward, in the order in which the first of each came. */
  passes(): readonly Pass[] {
    const all = this.#parties.values();
    const [only] = all;
    if (all.length === 1 && only?.length === 1) return [(only[0] as Party).pass];
    const parties = all.flat().sort((a, b) => a.first - b.first);
    return parties.map(({ pass }) => pass);
  }

  /** Those of one pass who came forward; of all passes where those do not matter. */
  party(pass: Pass): Party | undefined {
    return this.#parties.get(lastOf(pass))?.find((party) => samePass(party.pass, pass));
  }

  /** The blocks on an edge, oldest first. */
  blocksAt(place: number): readonly Token[] {
    return this.#blocks.get(place) ?? [];
  }

  /** All who came, oldest first. */
  arrived(): readonly Token[] {
    const parties = this.#parties.values().flat();
    const all = [...this.#backs.values(), ...parties.flatMap(({ tokens }) => tokens.values())];
    return all.sort((a, b) => a.id - b.id);
  }

  told(): readonly unknown[] {
    const [backs, blocks] = [this.backs(), this.#blocks.values().flat()].map((all) =>
      all.map(({ id }) => id),
    );
    const parties = this.passes().map((pass) => [pass, this.party(pass)?.told()]);
    return [backs, blocks, parties];
  }

  put(token: Token, by: 1 | -1): void {
    const place = this.#gate.placeOf(token.via);
    if (isBlock(token)) return this.#block(place, token, by);
    const isStrict = this.#gate.mode === 'convergeStrict';
    if (!isStrict && this.#gate.isBack(token.via)) {
      if (by === 1) this.#backs.set(token.id, token);
      else this.#backs.delete(token.id);
      return;
    }
    const pass = isStrict ? NO_PASS : token.groups;
    const last = lastOf(pass);
    const parties = this.#parties.get(last) ?? NOBODY;
    const known = parties.find((party) => samePass(party.pass, pass));
    const isOwn = known?.isOf(this.#stamp) === true;
    const party = isOwn ? known : (known?.branch(this.#stamp) ?? this.#begin(pass));
    party.put(place, token, by);
    if (isOwn && party.tokens.size > 0) return;
    const others = parties.length === 0 ? parties : parties.filter((one) => one !== known);
    if (party.tokens.size > 0) this.#parties.set(last, [...others, party]);
    else if (others.length > 0) this.#parties.set(last, others);
    else this.#parties.delete(last);
  }

  #begin(pass: Pass): Party {
    const { every, sources } = this.#gate;
    const open = sources.length > FEW ? copyBits(every) : null;
    return new Party(this.#gate, this.#stamp, pass, open, Table.empty(), Table.empty());
  }

  #block(place: number, token: Token, by: 1 | -1): void {
    const others = this.blocksAt(place).filter(({ id }) => id !== token.id);
    const all = by === 1 ? [...others, token] : others;
    if (all.length === 0) this.#blocks.delete(place);
    else this.#blocks.set(place, all);
  }
}

/** Those of one pass who wait before an activity and came forward. */
export class Party {
  readonly pass: Pass;
  readonly tokens: Table<TokenId, Token>;
  /** From where edges lead here at which none of them stands; null where those are few. */
  readonly #open: Bits | null;
  readonly #gate: Gate;
  readonly #stamp: number;
  /** By edge: how many stand there. */
  readonly #held: Table<number, number>;

  constructor(
    gate: Gate,
    stamp: number,
    pass: Pass,
    open: Bits | null,
    tokens: Table<TokenId, Token>,
    held: Table<number, number>,
  ) {
    this.#gate = gate;
    this.#stamp = stamp;
    this.pass = pass;
    this.#open = open;
    this.tokens = tokens;
    this.#held = held;
  }

  branch(stamp: number): Party {
    const [tokens, held] = [this.tokens.branch(), this.#held.branch()];
    const open = this.#open === null ? null : copyBits(this.#open);
    return new Party(this.#gate, stamp, this.pass, open, tokens, held);
  }

  isOf(stamp: number): boolean {
    return this.#stamp === stamp;
  }

  /** From where edges lead here at which none of them stands. */
  get open(): Sources {
    if (this.#open !== null) return { all: this.#open, few: null };
    const isOpen = (_: number, place: number): boolean => this.#held.get(place) === undefined;
    return { all: null, few: this.#gate.sources.filter(isOpen) };
  }

  /** At how many edges somebody stands. */
  get held(): number {
    return this.#held.size;
  }

  /** The oldest; of one that is over it does not matter. */
  get first(): number {
    return this.tokens.first() ?? 0;
  }

  told(): readonly unknown[] {
    return [this.tokens.keys(), this.#open, this.#held.keys(), this.#held.values()];
  }

  put(place: number, token: Token, by: 1 | -1): void {
    const count = (this.#held.get(place) ?? 0) + by;
    if (by === 1) this.tokens.set(token.id, token);
    else this.tokens.delete(token.id);
    if (count > 0) this.#held.set(place, count);
    else this.#held.delete(place);
    const source = this.#gate.sources[place];
    if (source === undefined || this.#open === null) return;
    const places = this.#gate.placesFrom(source);
    if (count === 0) addBit(this.#open, source);
    else if (places.every((one) => this.#held.get(one) !== undefined)) dropBit(this.#open, source);
  }
}

/** Some of the activities from where edges lead to one. */
export type Sources =
  | { readonly few: readonly number[]; readonly all: null }
  | { readonly few: null; readonly all: ReadonlyBits };

/** Up to so many edges are gone through; sets are kept of more. */
const FEW = 8;

const NO_PASS: Pass = [];
const NOBODY: readonly Party[] = [];

function lastOf(pass: Pass): number {
  return pass.length === 0 ? 0 : (pass[pass.length - 1] as number);
}

function isBlock({ wait }: Token): boolean {
  return wait?.on === 'merge' && wait.block === true;
}
