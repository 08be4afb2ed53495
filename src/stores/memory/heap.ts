/**
 * A binary heap whose members know their place in it, so that any of them can be taken out again in
 * O(log n). Without that, every claim that was settled would linger until its lease ran out.
 */
import { assert } from '../../base/assert.ts';

export interface Heaped {
  /** Where it is in its heap; the heap alone writes this. */
  place: number;
}

export class Heap<Member extends Heaped> {
  readonly #members: Member[] = [];
  readonly #before: (a: Member, b: Member) => boolean;

  constructor(before: (a: Member, b: Member) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#members.length;
  }

  peek(): Member | undefined {
    return this.#members[0];
  }

  /** All of them, in no order. */
  [Symbol.iterator](): Iterator<Member> {
    return this.#members.values();
  }

  push(member: Member): void {
    member.place = this.#members.length;
    this.#members.push(member);
    this.#rise(member);
  }

  pop(): Member | undefined {
    const first = this.#members[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  remove(member: Member): void {
    assert(this.#members[member.place] === member, 'a member is in the heap it is taken out of');
    const last = this.#members.pop();
    if (last === undefined || last === member) return;
    this.#put(last, member.place);
    this.#rise(last);
    this.#sink(last);
  }

  /** The first of them while they hold, in order; they stay where they are. */
  first(limit: number, holds: (member: Member) => boolean): Member[] {
    const found: Member[] = [];
    while (found.length < limit) {
      const next = this.peek();
      if (next === undefined || !holds(next)) break;
      this.remove(next);
      found.push(next);
    }
    for (const member of found) this.push(member);
    return found;
  }

  #rise(member: Member): void {
    let at = member.place;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#members[above] as Member;
      if (!this.#before(member, parent)) break;
      this.#put(parent, at);
      at = above;
    }
    this.#put(member, at);
  }

  #sink(member: Member): void {
    let at = member.place;
    for (;;) {
      const left = at * 2 + 1;
      if (left >= this.#members.length) break;
      let child = this.#members[left] as Member;
      const other = this.#members[left + 1];
      if (other !== undefined && this.#before(other, child)) child = other;
      if (!this.#before(child, member)) break;
      const below = child.place;
      this.#put(child, at);
      at = below;
    }
    this.#put(member, at);
  }

  #put(member: Member, at: number): void {
    this.#members[at] = member;
    member.place = at;
  }
}
