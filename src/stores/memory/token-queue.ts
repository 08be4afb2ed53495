/**
 * What is to happen to tokens and when: who can be claimed, who must be woken, whose lease ends.
 *
 * A token is in one place at a time: ready ones in the queue of their handler, waiting ones with a
 * time to wake among the sleepers, claimed ones among the leases. A queue has two heaps, because
 * what is not due yet must not stand before what is, however urgent. Lone tokens (D11) have queues
 * of their own, which are not there until there is one. Of an instance that is suspended only the
 * claimed ones are anywhere, and what waits in a lane is nowhere.
 */
import { assert } from '../../base/assert.ts';
import type { Instant } from '../../model/ids.ts';
import { CRASHES_LONE } from '../../model/limits.ts';
import type { Outlook } from '../store.ts';
import { Heap, type Heaped } from './heap.ts';
import type { TokenRow } from './rows.ts';

interface Queue extends Heaped {
  readonly due: Heap<TokenRow>;
  readonly later: Heap<TokenRow>;
}

/** What somebody takes: of these handlers, so many at most, and whether only the lone ones. */
interface Wanted {
  readonly handlers: readonly string[];
  readonly limit: number;
  readonly lone: boolean;
}

/** By handler. */
type Queues = Map<string, Queue>;

const NEVER = Number.POSITIVE_INFINITY;

export class TokenQueue {
  readonly #queues: Queues = new Map();
  readonly #lone: Queues = new Map();
  readonly #sleepers = new Heap<TokenRow>(byMoment((row) => row.token.wakeAt ?? 0));
  /**
   * Few at a time and looked through seldom, but coming and going with every step: no heap, only a
   * list in which each knows its place.
   */
  readonly #leases: TokenRow[] = [];
  #order = 0;

  /** Puts a token where its state says. It must be in no heap. */
  add(row: TokenRow, now: number): void {
    if (row.lockedBy !== null) {
      row.place = this.#leases.length;
      this.#leases.push(row);
      return;
    }
    const heap = this.#heapFor(row, now);
    if (heap === null) return;
    this.#order += 1;
    row.order = this.#order;
    row.heap = heap;
    heap.push(row);
  }

  remove(row: TokenRow): void {
    if (row.lockedBy !== null) this.#endLease(row);
    if (row.heap === null) return;
    row.heap.remove(row);
    row.heap = null;
  }

  /** Its instance was suspended or goes on. */
  replace(row: TokenRow, now: number): void {
    this.remove(row);
    this.add(row, now);
  }

  #endLease(row: TokenRow): void {
    assert(this.#leases[row.place] === row, 'a claimed token is among the leases');
    const last = this.#leases.pop() as TokenRow;
    if (last === row) return;
    this.#leases[row.place] = last;
    last.place = row.place;
  }

  /** Takes the first of the due ones out, best first. Whoever calls puts them back as claimed. */
  takeDue(wanted: Wanted, now: number): TokenRow[] {
    return takeFrom(this.#wanted(wanted), wanted.limit, now);
  }

  /** The same for those of one tenant: all that are due are looked through. */
  takeDueOf(tenant: string, wanted: Wanted, now: number): TokenRow[] {
    const own: TokenRow[] = [];
    for (const queue of this.#wanted(wanted)) {
      sift(queue, now);
      own.push(...[...queue.due].filter(({ home }) => home.head.tenant === tenant));
    }
    const taken = own.sort((a, b) => (isBefore(a, b) ? -1 : 1)).slice(0, wanted.limit);
    for (const row of taken) this.remove(row);
    return taken;
  }

  #wanted({ handlers, lone }: Wanted): Iterable<Queue> {
    return queuesOf(lone ? this.#lone : this.#queues, handlers);
  }

  /** What is due, and where: nothing is moved. The lone ones are among it. */
  *dueNow(now: number): Iterable<TokenRow> {
    for (const { due, later } of [...this.#queues.values(), ...this.#lone.values()]) {
      for (const row of [...due, ...later]) if (row.token.availableAt <= now) yield row;
    }
  }

  get leases(): readonly TokenRow[] {
    return this.#leases;
  }

  expired(limit: number, now: number): TokenRow[] {
    const over = this.#leases.filter((row) => row.lockedUntil < now);
    return over.sort((a, b) => a.lockedUntil - b.lockedUntil).slice(0, limit);
  }

  toWake(limit: number, now: number): TokenRow[] {
    return this.#sleepers.first(limit, (row) => (row.token.wakeAt ?? 0) <= now);
  }

  /** The next moments. All that are due and lone are looked at, of which there are never many. */
  outlook(
    handlers: readonly string[],
    now: number,
  ): Pick<Outlook, 'work' | 'lone' | 'timers' | 'leases'> {
    let [work, lone, leases] = [NEVER, NEVER, NEVER];
    for (const { due, later } of queuesOf(this.#queues, handlers)) {
      work = Math.min(work, due.size > 0 ? now : (later.peek()?.token.availableAt ?? NEVER));
    }
    for (const { due, later } of queuesOf(this.#lone, handlers)) {
      for (const { token } of due) lone = Math.min(lone, token.availableAt);
      lone = Math.min(lone, later.peek()?.token.availableAt ?? NEVER);
    }
    // A lease that ends now still holds (L-23).
    for (const { lockedUntil } of this.#leases) leases = Math.min(leases, lockedUntil + 1);
    const timers = this.#sleepers.peek()?.token.wakeAt ?? NEVER;
    const next = (at: number): Instant | undefined => momentOf(Math.max(at, now));
    return { work: next(work), lone: momentOf(lone), timers: next(timers), leases: next(leases) };
  }

  #heapFor({ home, token, isHeld }: TokenRow, now: number): Heap<TokenRow> | null {
    if (home.head.status === 'suspended' || isHeld) return null;
    if (token.status === 'waiting') return token.wakeAt === null ? null : this.#sleepers;
    if (token.status !== 'ready' || token.handler === null) return null;
    const queues = token.crashes < CRASHES_LONE ? this.#queues : this.#lone;
    const queue = queueOf(queues, token.handler);
    return token.availableAt <= now ? queue.due : queue.later;
  }
}

function momentOf(at: number): Instant | undefined {
  return at === NEVER ? undefined : (at as Instant);
}

function queueOf(queues: Queues, handler: string): Queue {
  let queue = queues.get(handler);
  if (queue === undefined) {
    const later = new Heap<TokenRow>(byMoment((row) => row.token.availableAt));
    queue = { due: new Heap<TokenRow>(isBefore), later, place: -1 };
    queues.set(handler, queue);
  }
  return queue;
}

/** Whichever list is shorter is walked: a worker may have thousands of handlers. */
function* queuesOf(queues: Queues, handlers: readonly string[]): Iterable<Queue> {
  if (queues.size === 0) return;
  const wanted = new Set(handlers);
  if (wanted.size > queues.size) {
    for (const [handler, queue] of queues) if (wanted.has(handler)) yield queue;
    return;
  }
  for (const handler of wanted) {
    const queue = queues.get(handler);
    if (queue !== undefined) yield queue;
  }
}

function takeFrom(queues: Iterable<Queue>, limit: number, now: number): TokenRow[] {
  const front = new Heap<Queue>((a, b) => isBefore(a.due.peek(), b.due.peek()));
  for (const queue of queues) {
    sift(queue, now);
    if (queue.due.size > 0) front.push(queue);
  }
  const taken: TokenRow[] = [];
  while (taken.length < limit) {
    const queue = front.pop();
    const row = queue?.due.pop();
    if (queue === undefined || row === undefined) break;
    row.heap = null;
    taken.push(row);
    sift(queue, now);
    if (queue.due.size > 0) front.push(queue);
  }
  return taken;
}

/** Lets those whose moment came step forward, and back if the clock itself was set back. */
function sift({ due, later }: Queue, now: number): void {
  const shift = (row: TokenRow, from: Heap<TokenRow>, to: Heap<TokenRow>): void => {
    from.remove(row);
    row.heap = to;
    to.push(row);
  };
  for (let row = later.peek(); row !== undefined; row = later.peek()) {
    if (row.token.availableAt > now) break;
    shift(row, later, due);
  }
  for (let row = due.peek(); row !== undefined; row = due.peek()) {
    if (row.token.availableAt <= now) break;
    shift(row, due, later);
  }
}

/** When it took its place in the queue. */
function dueOf({ letAt, token }: TokenRow): number {
  return letAt ?? token.availableAt;
}

/** What was let through for a tenant stands by when it was: all of it has one priority. */
function urgencyOf({ letAt, token }: TokenRow): number {
  return letAt === null ? token.priority : 0;
}

/** The order of claims: most urgent, then longest due, then first come. */
function isBefore(a: TokenRow | undefined, b: TokenRow | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined;
  const [one, other] = [urgencyOf(a), urgencyOf(b)];
  if (one !== other) return one > other;
  const [first, second] = [dueOf(a), dueOf(b)];
  if (first !== second) return first < second;
  return a.order < b.order;
}

function byMoment(of: (row: TokenRow) => number): (a: TokenRow, b: TokenRow) => boolean {
  return (a, b) => {
    const difference = of(a) - of(b);
    return difference === 0 ? a.order < b.order : difference < 0;
  };
}
