/**
 * What was asked under a name, and what came of it: so that doing something twice is the same as
 * doing it once, whichever process is asked, and whichever has died in between.
 *
 * Whoever is the first to take a name does the work, under an id that stands in the receipt from
 * then on: whoever has to do it again finds what had come about, and makes nothing twice. In the
 * end it settles the receipt with its answer, or leaves it without one.
 *
 *     taken ──settle──► answered (the first answer stays)
 *       │ ▲
 *   leave │ take, by one: the others go on waiting
 *       ▼ │
 *      left
 *
 * Somebody who dies has neither settled nor left: how long ago it was taken says whether that is
 * likely, and what is likely enough is for the caller to say.
 */
import type { Duration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import { admitJson, type Json } from '../base/json.ts';
import type { Limits } from '../model/limits.ts';
import type { Receipts } from '../stores/receipts.ts';
import type { Store } from '../stores/store.ts';
import { durationOf } from './durations.ts';
import { newInstanceId } from './ids.ts';
import { checkName, checkWhole } from './options.ts';

export interface Receipt {
  /** Of what was asked first under this name: if it is not yours, the name was used before. */
  readonly fingerprint: string;
  /** For what is made: drawn when it was first taken, and the same ever after. */
  readonly instance: string;
  /** What came of it; null if nothing has yet. */
  readonly answer: Json | null;
  /** You are the first. */
  readonly isNew: boolean;
  /** Since it was first taken. */
  readonly ageMs: number;
  /** Whoever had it ended without an answer, and now it is yours. */
  readonly isLeft: boolean;
}

/** What is kept under the name. */
interface Slip extends Pick<Receipt, 'fingerprint' | 'instance' | 'answer' | 'isLeft'> {}

interface ReceiptHouse {
  readonly store: Pick<Store, 'now' | 'receipts'>;
  readonly limits: Limits;
}

/** Each time somebody else was quicker; past this it stays as it is, which does no harm. */
const ENDS_MAX = 8;

export class EngineReceipts {
  readonly #house: ReceiptHouse;
  readonly #assertOpen: () => void;

  constructor(house: ReceiptHouse, assertOpen: () => void) {
    this.#house = house;
    this.#assertOpen = assertOpen;
  }

  /** Gives what stands under the name, and writes it down if there is nothing, for so long. */
  async take(name: string, fingerprint: string, ttl: Duration): Promise<Receipt> {
    this.#assertOpen();
    checkName('name', name);
    checkName('fingerprint', fingerprint);
    const ttlMs = durationOf(ttl);
    checkWhole('ttl', ttlMs, 1);
    const { store } = this.#house;
    const instance = newInstanceId(store.now());
    const blank = { fingerprint, instance, answer: null, isLeft: false };
    const { body, at, isNew } = await this.#receipts.take(name, blank, ttlMs);
    const slip = readSlip(body);
    const ageMs = Math.max(store.now() - at, 0);
    const isOurs = slip.fingerprint === fingerprint;
    const isLeft = slip.isLeft && (!isOurs || (await this.#takeOver(name, body)));
    return Object.freeze({ ...slip, isNew, ageMs, isLeft });
  }

  /**
   * What came of it. An answer that is larger than VALUE_CHARS_MAX is not kept: the receipt is left
   * without one, and whoever asks again does it again.
   */
  async settle(name: string, answer: Json): Promise<void> {
    this.#assertOpen();
    checkName('name', name);
    const admitted = admitJson(answer);
    if (!admitted.ok) {
      throw new EngineError('input.invalid', `an answer is JSON: ${admitted.problem}`);
    }
    const isLarge = JSON.stringify(admitted.value).length > this.#house.limits.VALUE_CHARS_MAX;
    await this.#end(name, isLarge ? null : admitted.value);
  }

  /** Whoever took it has ended without an answer: the next one need not wait. */
  async leave(name: string): Promise<void> {
    this.#assertOpen();
    checkName('name', name);
    await this.#end(name, null);
  }

  /** Of several who come next only one has it; to the others it is under way. */
  #takeOver(name: string, was: Json): Promise<boolean> {
    return this.#receipts.put(name, slipOf({ ...readSlip(was), isLeft: false }), was);
  }

  /** The first answer stays: somebody may have been given it already. */
  async #end(name: string, answer: Json | null): Promise<void> {
    for (let tries = 0; tries < ENDS_MAX; tries += 1) {
      const found = await this.#receipts.find(name);
      if (found === undefined) return;
      const slip = readSlip(found.body);
      if (slip.answer !== null) return;
      const ended = slipOf({ ...slip, answer, isLeft: answer === null });
      if (await this.#receipts.put(name, ended, found.body)) return;
    }
  }

  get #receipts(): Receipts {
    return this.#house.store.receipts;
  }
}

function slipOf({ fingerprint, instance, answer, isLeft }: Slip): Json {
  return { fingerprint, instance, answer, isLeft };
}

function readSlip(body: Json): Slip {
  return body as unknown as Slip;
}
