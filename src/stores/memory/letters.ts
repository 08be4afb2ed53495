/** Letters that no target has yet, in the order of writing. They outlive their instance. */
import { parseJson } from '../../base/json.ts';
import type { InstanceId, Instant } from '../../model/ids.ts';
import type {
  ClaimedLetter,
  ExpiredLetter,
  FailedLetter,
  LetterHeld,
  LetterListRequest,
  LetterRequest,
  LetterRow,
  Letters,
  LetterStatus,
} from '../letters.ts';

/** A letter as a commit brings it. */
export interface LetterText {
  readonly id: string;
  readonly instance: InstanceId;
  readonly flow: string;
  readonly type: string;
  readonly key: string | null;
  readonly data: string;
  readonly trace?: string;
  readonly at: Instant;
}

interface Kept {
  readonly text: LetterText;
  readonly place: number;
  status: LetterStatus;
  attempts: number;
  availableAt: number;
  lastError: string | null;
  updatedAt: number;
  version: number;
  lockedBy: string;
  lockedUntil: number;
}

export class MemoryLetters implements Letters {
  readonly #now: () => number;
  readonly #letters = new Map<string, Kept>();
  /** Of each instance that has any, in order. */
  readonly #queues = new Map<InstanceId, Kept[]>();
  #last = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The same id is the same letter, and on its way already. */
  put(text: LetterText): void {
    if (this.#letters.has(text.id)) return;
    this.#last += 1;
    const kept: Kept = {
      text,
      place: this.#last,
      status: 'ready',
      attempts: 0,
      availableAt: text.at,
      lastError: null,
      updatedAt: text.at,
      version: 0,
      lockedBy: '',
      lockedUntil: 0,
    };
    this.#letters.set(text.id, kept);
    const queue = this.#queues.get(text.instance);
    if (queue === undefined) this.#queues.set(text.instance, [kept]);
    else queue.push(kept);
  }

  /** Whether an instance has any that is not given up. */
  hasOf(instance: InstanceId): boolean {
    return this.#queues.get(instance)?.some(({ status }) => status !== 'dead') ?? false;
  }

  async claim({ worker, types, limit, leaseMs }: LetterRequest): Promise<readonly ClaimedLetter[]> {
    const now = this.#now();
    const due = this.#firsts(types).filter(({ availableAt }) => availableAt <= now);
    due.sort((a, b) => a.availableAt - b.availableAt || a.place - b.place);
    return due.slice(0, limit).map((kept) => {
      write(kept, now, { status: 'sending', lockedBy: worker, lockedUntil: now + leaseMs });
      const { flow, type, key, data, trace, at: createdAt } = kept.text;
      const traced = trace === undefined ? {} : { trace };
      const fields = { flow, type, key, data: parseJson(data), ...traced, createdAt };
      return Object.freeze({ ...heldOf(kept), ...fields });
    });
  }

  async sent(held: readonly LetterHeld[]): Promise<void> {
    const now = this.#now();
    for (const claim of held) {
      const kept = this.#find(claim);
      if (kept === undefined || kept.lockedUntil < now) continue;
      this.#letters.delete(claim.id);
      const queue = this.#queueOf(claim.instance).filter((one) => one !== kept);
      if (queue.length === 0) this.#queues.delete(claim.instance);
      else this.#queues.set(claim.instance, queue);
    }
  }

  async failed(failures: readonly FailedLetter[]): Promise<void> {
    const now = this.#now();
    for (const { held, expired, error, afterMs } of failures) {
      const kept = this.#find(held);
      if (kept === undefined || kept.lockedUntil < now !== expired) continue;
      const availableAt = now + (afterMs ?? 0);
      const status = afterMs === null ? 'dead' : 'ready';
      write(kept, now, { status, attempts: kept.attempts + 1, availableAt, lastError: error });
      if (afterMs === null) continue;
      for (const behind of this.#queueOf(held.instance)) {
        if (behind.place <= kept.place || behind.status !== 'ready') continue;
        behind.availableAt = Math.max(behind.availableAt, availableAt);
      }
    }
  }

  async release(held: readonly LetterHeld[]): Promise<void> {
    const now = this.#now();
    for (const claim of held) {
      const kept = this.#find(claim);
      if (kept !== undefined && kept.lockedUntil >= now) write(kept, now, { status: 'ready' });
    }
  }

  async expired(limit: number): Promise<readonly ExpiredLetter[]> {
    const now = this.#now();
    const over = this.#sending().filter(({ lockedUntil }) => lockedUntil < now);
    over.sort((a, b) => a.lockedUntil - b.lockedUntil || a.place - b.place);
    return over.slice(0, limit).map(heldOf);
  }

  /** The next moment at which one can be claimed, or a lease is over. */
  nextDue(types: readonly string[] | null): Instant | undefined {
    const moments = [
      ...this.#firsts(types).map(({ availableAt }) => availableAt),
      ...this.#sending().map(({ lockedUntil }) => lockedUntil + 1),
    ];
    if (moments.length === 0) return undefined;
    const next = moments.reduce((a, b) => Math.min(a, b));
    return Math.max(next, this.#now()) as Instant;
  }

  /** Since when each of those could be sent that could be now. */
  dueNow(now: number): readonly number[] {
    const ready = [...this.#letters.values()].filter(({ status }) => status === 'ready');
    return ready.map(({ availableAt }) => availableAt).filter((at) => at <= now);
  }

  countDead(): number {
    return [...this.#letters.values()].filter(({ status }) => status === 'dead').length;
  }

  async list(request: LetterListRequest): Promise<readonly LetterRow[]> {
    const { status, type, instance, after, limit } = request;
    const found: LetterRow[] = [];
    for (const kept of this.#letters.values()) {
      if (found.length >= limit) break;
      if (kept.place <= after || (status !== null && kept.status !== status)) continue;
      if (type !== null && kept.text.type !== type) continue;
      if (instance === null || kept.text.instance === instance) found.push(rowOf(kept));
    }
    return found;
  }

  async requeue(ids: readonly string[]): Promise<readonly string[]> {
    const now = this.#now();
    const dead = [...new Set(ids)].filter((id) => this.#letters.get(id)?.status === 'dead');
    for (const id of dead) {
      const kept = this.#letters.get(id) as Kept;
      write(kept, now, { status: 'ready', attempts: 0, availableAt: now });
    }
    return dead.sort((a, b) => this.#placeOf(a) - this.#placeOf(b));
  }

  /** The first of each instance that nothing holds back, due or not. */
  #firsts(types: readonly string[] | null): Kept[] {
    const firsts: Kept[] = [];
    for (const queue of this.#queues.values()) {
      const first = queue.find(({ status }) => status !== 'dead');
      if (first === undefined || queue.some(({ status }) => status === 'sending')) continue;
      if (types === null || types.includes(first.text.type)) firsts.push(first);
    }
    return firsts;
  }

  #sending(): Kept[] {
    return [...this.#letters.values()].filter(({ status }) => status === 'sending');
  }

  #queueOf(instance: InstanceId): readonly Kept[] {
    return this.#queues.get(instance) ?? [];
  }

  #placeOf(id: string): number {
    return this.#letters.get(id)?.place ?? 0;
  }

  #find({ id, version, worker }: LetterHeld): Kept | undefined {
    const kept = this.#letters.get(id);
    if (kept?.status !== 'sending' || kept.lockedBy !== worker) return undefined;
    return kept.version === version ? kept : undefined;
  }
}

/** Every write adds one to the version. */
function write(kept: Kept, now: number, fields: Partial<Kept>): void {
  Object.assign(kept, fields, { version: kept.version + 1, updatedAt: now });
}

function heldOf({ text, version, lockedBy, attempts }: Kept): ExpiredLetter {
  const { id, instance } = text;
  return { id, instance, version, worker: lockedBy, attempts };
}

function rowOf(kept: Kept): LetterRow {
  const { status, attempts, lastError, place } = kept;
  const { id, instance, flow, type, key, data, at: createdAt } = kept.text;
  return Object.freeze({
    ...{ id, instance, flow, type, key, data: parseJson(data), status, attempts },
    availableAt: kept.availableAt as Instant,
    ...{ lastError, createdAt, updatedAt: kept.updatedAt as Instant, place },
  });
}
