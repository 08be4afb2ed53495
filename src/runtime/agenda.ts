/**
 * What a worker has to look for, and when, so that it asks for nothing that is not there.
 *
 * A kind is due because somebody rang for it here (a commit of this process left something), or
 * because its moment has come, which the store told at the last look. A look asks for the next
 * moments of all kinds in one query. It is taken once per poll, for whatever nobody rang for; when
 * something rang that did not say what for; and when a moment was used up, for the one after it. So
 * an idle worker asks once per poll, and a busy one whose work rings for itself no more than that.
 *
 * Nothing is lost in between: whatever rings while a look is under way is kept beside its answer.
 */
import type { Instant } from '../model/ids.ts';
import type { Outlook, OutlookRequest, Store } from '../stores/store.ts';

/** What can be looked for. */
export type Kind = Exclude<keyof Outlook, 'halts'>;

/** In looks. After so many that told of something which was not found, the next poll will do. */
const MISSES_MAX = 2;
/** In looks: a look that takes long because of messages is to cost one part in a hundred. */
const MESSAGES_LOOKS = 100;
/** But one that took long because the process was busy says nothing about messages. */
const MESSAGES_MS_MAX = 60_000;

const NEVER = Number.POSITIVE_INFINITY;

export interface AgendaHouse {
  readonly store: Store;
  readonly pollMs: number;
  readonly request: () => Omit<OutlookRequest, 'messages'>;
  /** How long nothing is to be taken back from others. */
  readonly patienceMs: () => number;
}

export class Agenda {
  readonly #house: AgendaHouse;
  readonly #rung = new Set<Kind>();
  /** The next moments, as far as they are known. */
  readonly #told = new Map<Kind, number>();
  /** Kinds whose moment was used up: the next is not known. */
  readonly #stale = new Set<Kind>();
  #lookAt = 0;
  #messagesAt = 0;
  /** Messages are to be looked for whatever that costs. */
  #wantsMessages = true;
  /** What was taken last was due by what the store told. */
  #tookTold = false;
  #misses = 0;

  constructor(house: AgendaHouse) {
    this.#house = house;
  }

  /** There may be something of this kind. */
  ring(kind: Kind): void {
    this.#rung.add(kind);
  }

  /** There may be something of any kind; of messages only if they are named. */
  ringAll(withMessages: boolean): void {
    this.#lookAt = 0;
    if (withMessages) this.#wantsMessages = true;
  }

  /** Something will be due then. True if that is news. */
  ringAt(at: Instant): boolean {
    if (at >= this.#lookAt) return false;
    this.#lookAt = at;
    return true;
  }

  /** Whether it is time to look. */
  get mustLook(): boolean {
    const { store, pollMs } = this.#house;
    const now = store.now();
    // A clock that was set back is no reason to wait for longer.
    return this.#isOwing || now >= this.#lookAt || this.#lookAt - now > pollMs;
  }

  /** If the store does not answer, everything is to be looked for again. */
  async look(): Promise<Outlook> {
    const { store, pollMs, request } = this.#house;
    const before = store.now();
    const messages =
      this.#wantsMessages || this.#rung.has('messages') || before >= this.#messagesAt;
    // Of whose tokens some were claimed here the store cannot tell: that ring is kept.
    for (const kind of this.#rung) if (kind !== 'lanes') this.#rung.delete(kind);
    this.#lookAt = NEVER;
    this.#wantsMessages = false;
    const outlook = await store.outlook({ ...request(), messages });
    const now = store.now();
    this.#lookAt = Math.min(this.#lookAt, before + pollMs);
    if (messages) {
      const pauseMs = Math.min((now - before) * MESSAGES_LOOKS, MESSAGES_MS_MAX);
      this.#messagesAt = before + Math.max(pauseMs, pollMs);
    }
    this.#learn(outlook, now);
    return outlook;
  }

  /** Whether this kind is due. */
  isDue(kind: Kind): boolean {
    return this.#rung.has(kind) || (this.#told.get(kind) ?? NEVER) <= this.#house.store.now();
  }

  /** Those of some kinds that are due now. Whoever looks for one and leaves some rings again. */
  take(kinds: readonly Kind[]): ReadonlySet<Kind> {
    const now = this.#house.store.now();
    const due = new Set<Kind>();
    for (const kind of kinds) {
      if (this.#rung.delete(kind)) due.add(kind);
      if ((this.#told.get(kind) ?? NEVER) > now) continue;
      due.add(kind);
      this.#told.delete(kind);
      // The relay says by itself when it has sent what there was.
      if (kind === 'letters') continue;
      this.#stale.add(kind);
      this.#tookTold = true;
    }
    return due;
  }

  /** Whether there was anything of what was taken since the last time. */
  note(found: boolean): void {
    if (found) this.#misses = 0;
    else if (this.#tookTold) this.#misses += 1;
    this.#tookTold = false;
    // Due and yet not found: it came just now, or it is set aside and looking again won't help.
    if (this.#misses >= MISSES_MAX) this.#stale.clear();
  }

  /** How long nothing is due of these kinds, nor a look. */
  sleepMs(kinds: readonly Kind[]): number {
    const now = this.#house.store.now();
    let next = this.#isOwing ? now : this.#lookAt;
    if (kinds.some((kind) => this.#rung.has(kind))) next = now;
    for (const [kind, at] of this.#told) {
      // What is due and cannot be taken now wakes nobody.
      if (at > now || kinds.includes(kind)) next = Math.min(next, at);
    }
    return Math.min(Math.max(next - now, 0), this.#house.pollMs);
  }

  /** What is rung for will be looked for in any case, and what comes after it be asked for then. */
  get #isOwing(): boolean {
    for (const kind of this.#stale) if (!this.#rung.has(kind)) return true;
    return false;
  }

  #learn(outlook: Outlook, now: number): void {
    const { posts, messages, leases, halts: _, ...moments } = outlook;
    this.#stale.clear();
    this.#told.clear();
    for (const [kind, at] of Object.entries(moments) as [Kind, Instant | undefined][]) {
      if (at !== undefined) this.#told.set(kind, at);
    }
    // What others hold is not taken back yet; then it is.
    if (leases !== undefined) {
      this.#told.set('leases', Math.max(leases, now + this.#house.patienceMs()));
    }
    if (posts) this.#told.set('posts', now);
    if (messages) this.#told.set('messages', now);
    if (Math.min(...this.#told.values()) > now) this.#misses = 0;
  }
}

/** The next moment of all, if there is one. */
export function nextIn(outlook: Outlook): Instant | undefined {
  const { work, lone, timers, lanes, leases, letters, schedules } = outlook;
  const moments = [work, lone, timers, lanes, leases, letters, schedules];
  const known = moments.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : (Math.min(...known) as Instant);
}
