/**
 * Where a bulk is, as a text that can be kept and handed in again. It names the bulk and what that
 * was about: under the name of one bulk nothing else is done, and to nobody else.
 */
import { sha256 } from '../base/hash.ts';
import { admitJson, canonicalJson, type Json } from '../base/json.ts';
import type { Action } from '../model/action.ts';
import type { Store } from '../stores/store.ts';
import { told, wrong } from './fields.ts';
import type { readFilter } from './filter.ts';
import { newId } from './ids.ts';
import { DEED_NAME } from './options.ts';

/** Before when all were created that a bulk means, which one it is, and where: '' at first. */
export interface Place {
  readonly before: number;
  readonly bulk: string;
  /** By which the same filter and action are known again. */
  readonly job: string;
  readonly after: string;
}

/** Chance does not make two jobs of a shop look alike, and a cursor is typed by people. */
const JOB_CHARS = 12;

const CURSOR = /^(?<before>\d{1,15})\/(?<bulk>[\w-]{1,40})\.(?<job>[\da-f]{12})\/(?<after>.*)$/s;

export function readPlace(
  { cursor, name = newId() }: { readonly cursor?: unknown; readonly name?: string },
  job: string,
  store: Store,
): Place {
  if (typeof name !== 'string' || !DEED_NAME.test(name)) {
    const rule = 'is 1 to 40 letters, digits, _ and -';
    throw wrong(`the name of a bulk ${rule}; came ${told(name)}`, 'name');
  }
  if (cursor === undefined) return { before: store.now() + 1, bulk: name, job, after: '' };
  const found = typeof cursor === 'string' ? CURSOR.exec(cursor)?.groups : undefined;
  const { before, bulk, job: earlier, after } = found ?? {};
  if (before === undefined || bulk === undefined || after === undefined) {
    throw wrong(`cursor is where an earlier bulk stopped; came ${told(cursor)}`, 'cursor');
  }
  if (earlier === job) return { before: Number(before), bulk, job, after };
  const advice = 'hand in the same, or begin another bulk without a cursor';
  throw wrong(
    `this cursor is of a bulk with another filter or another action: ${advice}`,
    'cursor',
  );
}

export function cursorOf({ before, bulk, job }: Place, after: string): string {
  return `${before}/${bulk}.${job}/${after}`;
}

/**
 * What a bulk is about. Of times only which are named: "older than a day" is another moment
 * whenever it is said, and still the same job.
 */
export function jobOf(request: ReturnType<typeof readFilter>, action: Action): string {
  const { created, ended, statuses, attributes, ...rest } = request;
  const meant = {
    ...rest,
    statuses: statuses?.toSorted() ?? null,
    attributes: attributes.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    times: [created.from, created.to, ended.from, ended.to].map((at) => at !== null),
  };
  // Where a value is no JSON nobody can have it: each refuses it, under whichever name.
  const said = admitJson(action);
  const job = [meant as unknown as Json, said.ok ? said.value : action.do];
  return sha256(canonicalJson(job)).slice(0, JOB_CHARS);
}
