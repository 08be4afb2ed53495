/**
 * Copy-on-write tables: what lets one stride cost what it touches and not what the instance holds.
 *
 * A table is a base that several readers share and a patch of its own. `branch` starts a new patch
 * on the same base in constant time; writes go to the patch; the base stays as it was, so whoever
 * holds the earlier table still reads the earlier rows. Once the stride is committed, `absorb`
 * folds the patch into the base: then the earlier table is history, and using it again is a bug
 * that the generation number catches.
 */
import { assert } from '../base/assert.ts';

const GONE: unique symbol = Symbol('gone');

interface Base<Rows> {
  /** Most tables of most instances never hold anything, and then cost nothing. */
  rows: Rows | null;
  generation: number;
}

export class CowMap<Key, Value> {
  readonly #base: Base<Map<Key, Value>>;
  #generation: number;
  #patch: Map<Key, Value | typeof GONE> | null = null;
  #size: number;

  private constructor(base: Base<Map<Key, Value>>) {
    this.#base = base;
    this.#generation = base.generation;
    this.#size = base.rows?.size ?? 0;
  }

  static of<Key, Value>(rows?: Iterable<readonly [Key, Value]>): CowMap<Key, Value> {
    return new CowMap({ rows: rows === undefined ? null : new Map(rows), generation: 0 });
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const patched = this.#patch?.get(key);
    if (patched === undefined) return this.#base.rows?.get(key);
    return patched === GONE ? undefined : patched;
  }

  set(key: Key, value: Value): void {
    if (this.get(key) === undefined) this.#size += 1;
    this.#patch ??= new Map();
    this.#patch.set(key, value);
  }

  delete(key: Key): void {
    if (this.get(key) === undefined) return;
    this.#size -= 1;
    this.#patch ??= new Map();
    if (this.#base.rows?.has(key) === true) this.#patch.set(key, GONE);
    else this.#patch.delete(key);
  }

  /** Every row, in no order that may be relied on. */
  *entries(): Iterable<[Key, Value]> {
    for (const [key, value] of this.#base.rows ?? []) {
      if (this.#patch?.has(key) !== true) yield [key, value];
    }
    for (const [key, value] of this.#patch ?? []) if (value !== GONE) yield [key, value];
  }

  /** What differs from the base: the row as it is now, or undefined for one that is gone. */
  eachTouched(visit: (key: Key, value: Value | undefined) => void): void {
    this.#patch?.forEach((value, key) => visit(key, value === GONE ? undefined : value));
  }

  branch(): CowMap<Key, Value> {
    if (this.#patch !== null && this.#patch.size > 0) return CowMap.of(this.entries());
    assert(this.#generation === this.#base.generation, 'a stride begins at the newest state');
    return new CowMap(this.#base);
  }

  absorb(): void {
    if (this.#patch === null) return;
    assert(this.#generation === this.#base.generation, 'a state is absorbed once');
    this.#base.rows ??= new Map();
    for (const [key, value] of this.#patch) {
      if (value === GONE) this.#base.rows.delete(key);
      else this.#base.rows.set(key, value);
    }
    this.#base.generation += 1;
    this.#generation = this.#base.generation;
    this.#patch = null;
  }
}

interface Diff<Member> {
  size: number;
  /** True for a member that came, false for one that left. */
  readonly members: Map<Member, boolean>;
}

/** A set of ids per key, with the same life as a CowMap. */
export class CowIndex<Key, Member extends number | string> {
  readonly #base: Base<Map<Key, Set<Member>>>;
  #generation: number;
  #patch: Map<Key, Diff<Member>> | null = null;

  private constructor(base: Base<Map<Key, Set<Member>>>) {
    this.#base = base;
    this.#generation = base.generation;
  }

  static empty<Key, Member extends number | string>(): CowIndex<Key, Member> {
    return new CowIndex({ rows: null, generation: 0 });
  }

  size(key: Key): number {
    return this.#patch?.get(key)?.size ?? this.#base.rows?.get(key)?.size ?? 0;
  }

  add(key: Key, member: Member): void {
    const diff = this.#diff(key);
    diff.size += 1;
    if (!diff.members.delete(member)) diff.members.set(member, true);
  }

  delete(key: Key, member: Member): void {
    const diff = this.#diff(key);
    diff.size -= 1;
    if (!diff.members.delete(member)) diff.members.set(member, false);
  }

  /** One of the members, whichever is at hand; undefined if there is none. */
  any(key: Key): Member | undefined {
    const diff = this.#patch?.get(key)?.members;
    for (const [member, came] of diff ?? []) if (came) return member;
    for (const member of this.#base.rows?.get(key) ?? []) {
      if (diff?.get(member) !== false) return member;
    }
    return undefined;
  }

  /** The members in ascending order: the same after a reload as before it. */
  list(key: Key): Member[] {
    if (this.size(key) === 0) return [];
    const base = this.#base.rows?.get(key);
    const diff = this.#patch?.get(key)?.members;
    const kept =
      base === undefined ? [] : [...base].filter((member) => diff?.get(member) !== false);
    const come = diff === undefined ? [] : [...diff].filter(([, came]) => came).map(([id]) => id);
    return [...kept, ...come].sort((a, b) => (a < b ? -1 : 1));
  }

  branch(): CowIndex<Key, Member> {
    if (this.#patch !== null && this.#patch.size > 0) return this.#copy();
    assert(this.#generation === this.#base.generation, 'a stride begins at the newest state');
    return new CowIndex(this.#base);
  }

  absorb(): void {
    const { generation } = this.#base;
    if (this.#patch === null) return;
    assert(this.#generation === generation, 'a state is absorbed once');
    this.#base.rows ??= new Map();
    const { rows } = this.#base;
    for (const [key, diff] of this.#patch) {
      if (diff.size === 0) {
        rows.delete(key);
        continue;
      }
      const set = rows.get(key) ?? new Set();
      for (const [member, came] of diff.members) came ? set.add(member) : set.delete(member);
      rows.set(key, set);
    }
    this.#base.generation += 1;
    this.#generation = this.#base.generation;
    this.#patch = null;
  }

  #diff(key: Key): Diff<Member> {
    this.#patch ??= new Map();
    let diff = this.#patch.get(key);
    if (diff === undefined) {
      diff = { size: this.#base.rows?.get(key)?.size ?? 0, members: new Map() };
      this.#patch.set(key, diff);
    }
    return diff;
  }

  #copy(): CowIndex<Key, Member> {
    const copy = CowIndex.empty<Key, Member>();
    const keys = new Set([...(this.#base.rows?.keys() ?? []), ...(this.#patch?.keys() ?? [])]);
    for (const key of keys) {
      const members = this.list(key);
      if (members.length === 0) continue;
      copy.#base.rows ??= new Map();
      copy.#base.rows.set(key, new Set(members));
    }
    return copy;
  }
}
