/** Instances as they are listed: a page at a time, newest first. */
import { EngineError } from '../base/engine-error.ts';
import { sha256 } from '../base/hash.ts';
import type { Attributes, FoundInstance, ShownStatus } from '../stores/instances.ts';
import type { Limits } from '../model/limits.ts';
import type { Fault, ParentRef } from '../model/instance.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Store } from '../stores/store.ts';
import { checkFields } from './fields.ts';
import { FILTER_FIELDS, type InstanceFilter, readFilter } from './filter.ts';
import { type HandlersMissing, missingIn, type ShownStall } from './missing-handlers.ts';
import { checkPage, NAME_CHARS_MAX } from './options.ts';

export interface ListOptions extends InstanceFilter {
  /** 100 unless given. */
  readonly limit?: number;
  /** That of the page before. */
  readonly cursor?: string;
}

export interface InstanceSummary {
  readonly id: InstanceId;
  readonly flow: string;
  readonly version: number;
  /** As `run.status()` says it. */
  readonly status: ShownStatus;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly priority: number;
  readonly fault: Fault | null;
  /** Also if nobody has a handler for what is due: `stalled: true` does not look for those. */
  readonly stalled: ShownStall | null;
  readonly outcome: 'compensated' | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly endedAt: Instant | null;
  /** What its flow has it found by. */
  readonly attributes: Attributes;
  readonly parent: ParentRef | null;
}

export interface InstancePage {
  readonly instances: readonly InstanceSummary[];
  /**
   * For the next page; null on the last. A page may be short, or even empty, and still have one:
   * what no index answers is looked for a stretch at a time.
   */
  readonly cursor: string | null;
}

const PAGE_DEFAULT = 100;

/** How many instances are looked at for a page, at most. */
export const LIST_WALK_MAX = 10_000;

const LIST_FIELDS: readonly (keyof ListOptions)[] = [...FILTER_FIELDS, 'limit', 'cursor'];

interface ListHouse {
  readonly store: Store;
  readonly limits: Limits;
}

export async function list(house: ListHouse, options: ListOptions = {}): Promise<InstancePage> {
  checkFields('what is listed', options, LIST_FIELDS);
  const { limit = PAGE_DEFAULT, cursor, ...filter } = options;
  checkPage(limit);
  const { instances, last } = await pageAfter(house, filter, readCursor(cursor), limit);
  return { instances, cursor: last === null ? null : cursorOf(last) };
}

/** A page, and the id that it ended with; null if there is nothing after it. */
export interface FoundPage {
  readonly instances: readonly InstanceSummary[];
  readonly last: string | null;
}

export async function pageAfter(
  { store, limits }: ListHouse,
  filter: InstanceFilter,
  before: string | null,
  limit: number,
): Promise<FoundPage> {
  const request = readFilter(filter, limits);
  const walk = Math.max(LIST_WALK_MAX, limit + 1);
  const found = await store.instances.find({ ...request, before, limit, walk });
  const atWork = found.instances.filter(({ status }) => MAY_BE_DUE.has(status));
  const missing = await missingIn(
    store,
    atWork.map(({ id }) => id),
  );
  const instances = found.instances.map((one) => summaryOf(one, missing.get(one.id) ?? null));
  return { instances, last: found.next };
}

/** Ids may be any text: by its end it is known that it came with a page. */
function cursorOf(id: string): string {
  return `${id}/${sha256(id).slice(0, 6)}`;
}

/** The id after which a page begins. */
function readCursor(cursor: unknown): string | null {
  if (cursor === undefined) return null;
  const id = typeof cursor === 'string' ? cursor.slice(0, cursor.lastIndexOf('/')) : '';
  if (id !== '' && id.length <= NAME_CHARS_MAX && cursor === cursorOf(id)) return id;
  const message = 'cursor is what the page before came with, and left out for the first';
  throw new EngineError('engine.option-invalid', message, { details: { field: 'cursor' } });
}

/** Of those that are suspended nothing is due, and those that wait wait for something else. */
const MAY_BE_DUE: ReadonlySet<ShownStatus> = new Set(['running', 'compensating']);

function summaryOf(
  { flowVersion: version, stalled, ...found }: FoundInstance,
  missing: HandlersMissing | null,
): InstanceSummary {
  return Object.freeze({ ...found, version, stalled: stalled ?? missing });
}
