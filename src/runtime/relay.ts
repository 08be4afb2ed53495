/**
 * The relay: brings letters to their targets. It has a loop of its own, beside the worker's, so
 * that a target which hangs holds up nothing but its own letters. It asks the store for nothing
 * unless it is rung: by a commit that wrote a letter, or by the worker when one is due.
 *
 * At least once, and in order within an instance: the store hands out a letter only when those
 * before it are gone. Whoever dies between sending and saying so leaves a lease that runs out, and
 * the letter goes out again, under the same id. That counts as an attempt, so that a letter which
 * kills whoever sends it is given up in the end.
 */
import { assert } from '../base/assert.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import type { OutboxEvent } from '../calls/target.ts';
import { CLOUD_EVENT } from '../model/cloud-event.ts';
import type { ClaimedLetter, ExpiredLetter, FailedLetter } from '../stores/letters.ts';
import type { Store } from '../stores/store.ts';
import { type Alarm, Bell } from './alarm.ts';
import { type Pauses, pauseMs } from './backoff.ts';
import type { Logger } from './logger.ts';
import type { Measuring } from './measuring.ts';
import { ANY_TYPE, type RelayOptions } from './outbox-options.ts';
import { readTraceparent, traceparentOf } from './traceparent.ts';

/** A lease outlives the send it is for by so much: time to say how it went. */
const LEASE_MORE_MS = 10_000;
/** Leases that ran out, looked at together. */
const EXPIRED_MAX = 200;
/** How often it is looked for letters that have no target here, and how many are looked at. */
const STRANGERS_EVERY_MS = 60_000;
const STRANGERS_MAX = 100;
const ERROR_CHARS_MAX = 1_000;
/** Until it is rung. */
const NEVER = Number.POSITIVE_INFINITY;
/** After an error of the store the loop waits up to this long, doubling up to the cap. */
const BACKOFF: Pauses = { baseMs: 100, maxMs: 10_000 };

export interface RelayHouse {
  readonly store: Store;
  readonly alarm: Alarm;
  readonly logger: Logger;
  readonly measuring: Measuring;
  /** The name it claims letters by. */
  readonly worker: string;
  /** Has the worker look when the next letter is due, and ring. */
  readonly look: () => void;
  /** Called when it may have nothing to do any more. */
  readonly onQuiet: () => void;
}

/** A send that is under way, or has ended and the store has not been told yet. */
interface Outgoing {
  readonly letter: ClaimedLetter;
  readonly abort: AbortController;
  /** Null while it is under way. */
  outcome: 'sent' | FailedLetter | null;
  /** Ends the time limit. */
  stopLimit: () => void;
}

/** What was made as an event is handed over as one, and as its data. */
function contentOf(data: Json): Pick<OutboxEvent, 'data' | 'event'> {
  const event = isJsonObject(data) ? data[CLOUD_EVENT] : undefined;
  return isJsonObject(event) ? { data: event['data'] ?? null, event } : { data };
}

/** It may become a header: what is no trace is not handed on. */
function tracedBy(text: string | undefined): Pick<OutboxEvent, 'trace'> {
  const kept = readTraceparent(text);
  return kept === undefined ? {} : { trace: traceparentOf(kept) };
}

export class Relay {
  readonly #house: RelayHouse;
  readonly #options: RelayOptions;
  /** Null stands for any. */
  readonly #types: readonly string[] | null;
  readonly #bell = new Bell();
  readonly #outgoing = new Set<Outgoing>();
  readonly #strange = new Set<string>();
  #strangersAt = 0;
  #isClosed = false;
  /** Nothing that ends now is told to the store any more. */
  #isOver = false;
  #isWaiting = false;
  #hasEnded = false;
  /** Turns in a row that failed, and all that ever did. */
  #errors = 0;
  #failures = 0;
  /** There may be something to send. */
  #isRung = false;
  /** Something was sent, or tried: when the next is due has to be asked. */
  #isOwing = false;

  constructor(house: RelayHouse, options: RelayOptions) {
    this.#house = house;
    this.#options = options;
    const types = [...options.targets.keys()];
    this.#types = types.includes(ANY_TYPE) ? null : types;
  }

  start(): void {
    void this.#run();
  }

  /** There may be something to send. */
  ring(): void {
    this.#isRung = true;
    this.#bell.ring();
  }

  /** What is left to do is to wait: for sends that their time limit will end, or for the store. */
  get onlyTimeHelps(): boolean {
    if (!this.#isWaiting || this.#bell.rung || this.#outgoing.size === 0) return false;
    return this.#errors > 0 || [...this.#outgoing].every(({ outcome }) => outcome === null);
  }

  get isQuiet(): boolean {
    // Once the loop has ended, nobody hears the bell any more.
    if (this.#isOver || this.#hasEnded) return true;
    const rung = this.#isClosed ? this.#isRung : this.#bell.rung;
    return this.#isWaiting && this.#outgoing.size === 0 && !rung;
  }

  /** What it has targets for; null stands for any. */
  get types(): readonly string[] | null {
    return this.#types;
  }

  /** Claims nothing that is not rung for yet; what is under way comes to its end. */
  stop(): void {
    this.#isClosed = true;
    this.#bell.ring();
  }

  /** What has not ended by now is not waited for: it is given back, to be sent by another. */
  async giveBack(): Promise<void> {
    const { store, logger } = this.#house;
    const left = [...this.#outgoing].filter(({ outcome }) => outcome === null);
    this.#end();
    for (const { abort } of left) abort.abort(new Error('the engine closes'));
    if (left.length === 0) return;
    try {
      await store.letters.release(left.map(({ letter }) => letter));
    } catch (thrown) {
      logger.warn({ error: String(thrown) }, 'letters could not be given back');
    }
  }

  /** Stops at once and gives nothing back, as a killed process would. */
  abandon(): void {
    this.#end();
  }

  #end(): void {
    this.#isClosed = true;
    this.#isOver = true;
    for (const { stopLimit } of this.#outgoing) stopLimit();
    this.#bell.ring();
  }

  async #run(): Promise<void> {
    while (!this.#isOver && !(this.#isClosed && this.#outgoing.size === 0 && !this.#isRung)) {
      const sleepMs = await this.#turn();
      if (sleepMs <= 0) continue;
      this.#isWaiting = true;
      this.#house.onQuiet();
      await this.#bell.wait(this.#house.alarm, sleepMs);
      this.#isWaiting = false;
    }
    this.#hasEnded = true;
    this.#house.onQuiet();
  }

  /** What is to be done now; how long to sleep after it. */
  async #turn(): Promise<number> {
    const { logger, worker } = this.#house;
    try {
      const settled = await this.#settle();
      // What somebody rang for before the engine was told to close is still sent.
      if (this.#isClosed && !this.#isRung) return settled ? 0 : NEVER;
      const isRung = this.#isRung;
      this.#isRung = false;
      const recovered = isRung && (await this.#recover());
      // What was behind a letter that has left, or another that has come.
      const claimed = (isRung || settled) && (await this.#claim());
      this.#errors = 0;
      if (settled || recovered || claimed) this.#isOwing = true;
      return this.#isRung ? 0 : await this.#sleepMs();
    } catch (thrown) {
      this.#isRung = true;
      this.#errors += 1;
      this.#failures += 1;
      logger.warn({ error: String(thrown) }, 'the store did not answer; trying again');
      return pauseMs(BACKOFF, this.#errors, `${worker} relay ${this.#failures}`);
    }
  }

  /** Nothing is left that can be sent now. */
  async #sleepMs(): Promise<number> {
    if (this.#isOwing) this.#house.look();
    this.#isOwing = false;
    await this.#noticeStrangers();
    return this.#types === null ? NEVER : this.#strangersAt - this.#house.store.now();
  }

  get #free(): number {
    return this.#options.concurrency - this.#outgoing.size;
  }

  /** Tells the store how sends have ended. If it does not answer, they are told again. */
  async #settle(): Promise<boolean> {
    const { letters } = this.#house.store;
    const ended = [...this.#outgoing].filter(({ outcome }) => outcome !== null);
    if (ended.length === 0) return false;
    const sent = ended.filter(({ outcome }) => outcome === 'sent').map(({ letter }) => letter);
    const failed = ended.flatMap(({ outcome }) => (typeof outcome === 'object' ? outcome : []));
    if (sent.length > 0) await letters.sent(sent);
    if (failed.length > 0) await letters.failed(failed.filter((each) => each !== null));
    for (const outgoing of ended) this.#outgoing.delete(outgoing);
    return true;
  }

  /** L-21: a lease that ran out is an attempt that came to nothing. */
  async #recover(): Promise<boolean> {
    const { letters } = this.#house.store;
    const expired = await letters.expired(EXPIRED_MAX);
    if (expired.length === 0) return false;
    const why = 'LEASE_EXPIRED: whoever sent it did not say how that went';
    await letters.failed(expired.map((letter) => this.#failure(letter, why, { expired: true })));
    return true;
  }

  async #claim(): Promise<boolean> {
    const { store, worker } = this.#house;
    const limit = this.#free;
    if (limit === 0) return false;
    const leaseMs = this.#options.timeoutMs + LEASE_MORE_MS;
    const claimed = await store.letters.claim({ worker, types: this.#types, limit, leaseMs });
    for (const letter of claimed) void this.#send(letter);
    return claimed.length > 0;
  }

  /** Never rejects: however it ends is what the store is told. */
  async #send(letter: ClaimedLetter): Promise<void> {
    const { alarm } = this.#house;
    const { timeoutMs } = this.#options;
    const begun = performance.now();
    const abort = new AbortController();
    const outgoing: Outgoing = { letter, abort, outcome: null, stopLimit: () => {} };
    this.#outgoing.add(outgoing);
    const late = new Promise<never>((_resolve, reject) => {
      const error = new Error(`it took longer than ${timeoutMs} ms (timeout)`);
      outgoing.stopLimit = alarm.set(timeoutMs, () => {
        abort.abort(error);
        reject(error);
      });
    });
    let outcome: 'sent' | FailedLetter = 'sent';
    try {
      await Promise.race([this.#handOver(letter, abort.signal), late]);
    } catch (thrown) {
      outcome = this.#failure(letter, textOf(thrown), { thrown });
    }
    outgoing.stopLimit();
    outgoing.outcome = outcome;
    this.#tell(letter, outcome, begun);
    this.#bell.ring();
  }

  #tell({ type }: ClaimedLetter, came: 'sent' | FailedLetter, begun: number): void {
    const { measuring } = this.#house;
    if (!measuring.isOn) return;
    const outcome = came === 'sent' ? came : came.afterMs === null ? 'dead' : 'failed';
    measuring.tell({ what: 'letter', type, outcome, ms: performance.now() - begun });
  }

  async #handOver(letter: ClaimedLetter, signal: AbortSignal): Promise<void> {
    const { id, type, key, data, instance, flow, createdAt, attempts } = letter;
    // Someone has edited it by hand. It is given up, and the others go on (B-20).
    if (data === undefined) throw new Spoiled('store.corrupt: its data is no JSON');
    const { targets } = this.#options;
    const target = targets.get(type) ?? targets.get(ANY_TYPE);
    const attempt = attempts + 1;
    const event: OutboxEvent = Object.freeze({
      ...{ id, type, key, instance, flow, at: createdAt, attempt, ...contentOf(data) },
      ...tracedBy(letter.trace),
    });
    assert(target !== undefined, 'only what has a target is claimed');
    await target.send(event, { signal });
  }

  #failure(
    { attempts, ...held }: ExpiredLetter,
    error: string,
    how: { thrown?: unknown; expired?: boolean },
  ): FailedLetter {
    const { maxAttempts, pauses } = this.#options;
    const { logger } = this.#house;
    const { isFatal, waitMs } = adviceIn(how.thrown);
    const attempt = attempts + 1;
    const isDead = isFatal || attempt >= maxAttempts;
    const asked = Math.ceil(Math.min(waitMs, pauses.maxMs));
    const pause = Math.max(pauseMs(pauses, attempt, `${held.id} ${attempt}`), asked);
    const details = { letter: held.id, instance: held.instance, attempt, error };
    if (isDead) logger.error(details, 'a letter was given up');
    else logger.debug(details, 'a letter could not be sent and is tried again');
    return { held, expired: how.expired ?? false, error, afterMs: isDead ? null : pause };
  }

  /** Another process may have a target for them; if none has, this is how people learn of it. */
  async #noticeStrangers(): Promise<void> {
    const { store, logger } = this.#house;
    const types = this.#types;
    if (types === null || store.now() < this.#strangersAt) return;
    this.#strangersAt = store.now() + STRANGERS_EVERY_MS;
    const any = { type: null, instance: null, after: 0, limit: STRANGERS_MAX };
    for (const { type } of await store.letters.list({ ...any, status: 'ready' })) {
      if (types.includes(type) || this.#strange.has(type)) continue;
      this.#strange.add(type);
      logger.warn({ type }, 'letters of this type have no target here, and wait for another');
    }
  }
}

/** A letter that no attempt can help. */
class Spoiled extends Error {
  readonly fatal = true as const;
}

/** What a stranger threw may be anything, and looking at it may throw, too. */
function textOf(thrown: unknown): string {
  try {
    const text = String(thrown instanceof Error ? thrown.message : thrown);
    return text.slice(0, ERROR_CHARS_MAX).replaceAll(/\p{Cs}/gu, '\ufffd');
  } catch {
    return 'it threw what cannot be shown';
  }
}

/** Whether another attempt is worth it, and how long to wait for it at least. */
function adviceIn(thrown: unknown): { isFatal: boolean; waitMs: number } {
  try {
    const { fatal, retryAfterMs } = (thrown ?? {}) as Record<string, unknown>;
    const isTime = typeof retryAfterMs === 'number' && retryAfterMs > 0;
    return { isFatal: fatal === true, waitMs: isTime ? retryAfterMs : 0 };
  } catch {
    return { isFatal: false, waitMs: 0 };
  }
}
