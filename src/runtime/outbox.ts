/** The letters as people see them: what is on its way, what was given up, and how to try again. */
import { EngineError } from '../base/engine-error.ts';
import type { InstanceId } from '../model/ids.ts';
import type { LetterRow, Letters, LetterStatus } from '../stores/letters.ts';
import { checkFields } from './fields.ts';
import type { Logger } from './logger.ts';
import { checkCursor, checkPage } from './options.ts';
import type { RelayOptions } from './outbox-options.ts';

export interface OutboxFilter {
  /** `dead` are those that were given up. */
  readonly status?: LetterStatus;
  readonly type?: string;
  readonly instance?: string;
  /** 100 unless given. */
  readonly limit?: number;
  /** That of the page before. */
  readonly cursor?: string;
}

/** A letter; the data is undefined if what is stored is no JSON: someone has edited it by hand. */
export interface OutboxLetter
  extends Omit<LetterRow, 'place' | 'availableAt' | 'instance' | 'createdAt' | 'updatedAt'> {
  readonly instance: string;
  /** When it is sent next, if it is ready. In milliseconds since 1970, as the others. */
  readonly dueAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface OutboxPage {
  /** In the order in which they were written. */
  readonly letters: readonly OutboxLetter[];
  /** For the next page; null if this is the last. */
  readonly cursor: string | null;
}

const PAGE_DEFAULT = 100;
const FIELDS: readonly (keyof OutboxFilter)[] = [
  ...(['status', 'type', 'instance', 'limit', 'cursor'] as const),
];
const STATUSES: readonly LetterStatus[] = ['ready', 'sending', 'dead'];

export class Outbox {
  readonly #letters: Letters;
  readonly #assertOpen: () => void;
  readonly #ring: () => void;

  /** `ring` tells whoever sends that there is something to send. */
  constructor(letters: Letters, assertOpen: () => void, ring: () => void) {
    this.#letters = letters;
    this.#assertOpen = assertOpen;
    this.#ring = ring;
  }

  /** Letters that no target has yet, oldest first. */
  async list(filter: OutboxFilter = {}): Promise<OutboxPage> {
    this.#assertOpen();
    checkFields('what is listed', filter, FIELDS);
    const { status = null, type = null, instance = null, limit = PAGE_DEFAULT } = filter;
    checkPage(limit);
    const after = filter.cursor === undefined ? 0 : checkCursor(filter.cursor);
    if (status !== null && !STATUSES.includes(status)) {
      throw bad(`status is one of ${STATUSES.join(', ')}`);
    }
    for (const [name, value] of Object.entries({ type, instance })) {
      if (value !== null && typeof value !== 'string') throw bad(`${name} is a text`);
    }
    // One more than asked for: whether there is another page.
    const rows = await this.#letters.list({
      ...{ status, type, instance: instance as InstanceId | null },
      ...{ after, limit: limit + 1 },
    });
    const letters = rows.slice(0, limit);
    const last = rows.length > limit ? letters.at(-1) : undefined;
    return { letters: letters.map(view), cursor: last === undefined ? null : `${last.place}` };
  }

  /**
   * Has dead letters sent again, as if they were new, at their old place in the order. Says how
   * many of them were dead; the others are left alone.
   */
  async requeue(ids: string | readonly string[]): Promise<number> {
    this.#assertOpen();
    const list: unknown = typeof ids === 'string' ? [ids] : ids;
    if (!Array.isArray(list) || list.some((id) => typeof id !== 'string')) {
      throw bad('requeue takes the id of a letter, or a list of them');
    }
    const requeued = await this.#letters.requeue(list as readonly string[]);
    if (requeued.length > 0) this.#ring();
    return requeued.length;
  }
}

function view({ place: _place, availableAt: dueAt, ...letter }: LetterRow): OutboxLetter {
  return Object.freeze({ ...letter, dueAt });
}

/** When the engine closes. What one of them has against it keeps nobody from closing. */
export async function closeTargets({
  outbox,
  logger,
}: {
  readonly outbox: RelayOptions | null;
  readonly logger: Logger;
}): Promise<void> {
  const targets = new Set(outbox?.targets.values());
  const closed = await Promise.allSettled(Array.from(targets, async (each) => each.close?.()));
  for (const each of closed) {
    if (each.status === 'fulfilled') continue;
    logger.warn({ error: String(each.reason) }, 'a target of the outbox could not be closed');
  }
}

function bad(message: string): EngineError {
  return new EngineError('engine.option-invalid', `outbox: ${message}`);
}
