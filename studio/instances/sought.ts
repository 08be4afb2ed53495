/**
 * What somebody looks for: read from the address, and said again as an address, as a question to
 * the server, or as the filter of a bulk. The names in the address are those of the API, but for
 * times: there `created=24h` stays "the last 24 hours", whenever it is looked at.
 */
import type { Query } from '../api/asking.ts';
import { STATUSES, type Status } from '../api/shapes.ts';
import type { QueryPatch } from '../shell/routing.tsx';

/** `24h`, or two days or moments with two dots between of which one may be left out. */
export type SpanWords = string;

export interface Sought {
  readonly flow: string | null;
  readonly version: number | null;
  readonly status: readonly Status[];
  readonly key: string | null;
  readonly tenant: string | null;
  readonly parent: string | null;
  readonly created: SpanWords | null;
  readonly ended: SpanWords | null;
  readonly error: string | null;
  readonly errorNode: string | null;
  readonly errorContains: string | null;
  readonly attribute: readonly string[];
  readonly stalled: boolean;
}

export const EVERYTHING: Sought = {
  ...{ flow: null, version: null, status: [], key: null, tenant: null, parent: null },
  ...{ created: null, ended: null, error: null, errorNode: null, errorContains: null },
  ...{ attribute: [], stalled: false },
};

/** What is one text each. */
const TEXTS = [
  ...(['flow', 'key', 'tenant', 'parent', 'created', 'ended'] as const),
  ...(['error', 'errorNode', 'errorContains'] as const),
];

export function soughtIn(query: URLSearchParams): Sought {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, query.get(name)]));
  const version = Number(query.get('version') ?? Number.NaN);
  return {
    ...EVERYTHING,
    ...texts,
    version: isVersion(version) ? version : null,
    status: STATUSES.filter((one) => query.getAll('status').includes(one)),
    attribute: query.getAll('attribute').filter((one) => one.indexOf('=') > 0),
    stalled: query.get('stalled') === 'true',
  };
}

export function isVersion(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0;
}

/** The address that means it; what else stands there is left as it is. */
export function patchOf(sought: Sought): QueryPatch {
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, sought[name]])),
    version: sought.version === null ? null : String(sought.version),
    status: sought.status,
    attribute: sought.attribute,
    stalled: sought.stalled ? 'true' : null,
  };
}

/** As one text, in one order: two that are alike mean the same. */
export function keyOf(sought: Sought): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(patchOf(sought))) {
    for (const one of [value ?? []].flat()) words.append(name, one);
  }
  return String(words);
}

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

export interface Span {
  readonly after?: string;
  readonly before?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Null if it is no span. A day that ends a span is in it. */
export function spanOf(words: SpanWords, now: number): Span | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(words) ?? [];
  const size = UNITS_MS[unit];
  if (size !== undefined) return { after: isoOf(now - Number(count) * size) };
  const [from = '', to = '', ...more] = words.split('..');
  if (more.length > 0 || !words.includes('..') || words === '..') return null;
  const after = momentOf(from, 0);
  const before = momentOf(to, 1);
  if (after === null || before === null) return null;
  return {
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

/** Undefined if nothing is said, null if it is no moment. Days are those of whoever looks. */
function momentOf(text: string, days: number): string | null | undefined {
  if (text === '') return undefined;
  const date = new Date(DAY.test(text) ? `${text}T00:00` : text);
  if (Number.isNaN(date.getTime()) || !/^\d{4}-/.test(text)) return null;
  if (DAY.test(text)) date.setDate(date.getDate() + days);
  return date.toISOString();
}

/** What the server is asked for rows. */
export function askOf(sought: Sought, now: number): Query {
  const { created, ended, status, attribute, stalled, ...rest } = sought;
  const began = spanOf(created ?? '', now) ?? {};
  const over = spanOf(ended ?? '', now) ?? {};
  return {
    ...rest,
    ...{ status, attribute, stalled: stalled ? true : null },
    ...{ createdAfter: began.after, createdBefore: began.before },
    ...{ endedAfter: over.after, endedBefore: over.before },
  };
}

/** As `POST /actions` takes it. */
export interface Filter {
  readonly flow?: string;
  readonly version?: number;
  readonly status?: readonly Status[];
  readonly stalled?: boolean;
  readonly key?: string;
  readonly tenant?: string;
  readonly parent?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly endedAfter?: string;
  readonly endedBefore?: string;
  readonly error?: { readonly code?: string; readonly node?: string; readonly contains?: string };
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

/** The same as a filter. Times become moments: what was tried out is what is done. */
export function filterOf(sought: Sought, now: number): Filter {
  const { flow, version, key, tenant, parent, status, attribute, stalled } = sought;
  const began = spanOf(sought.created ?? '', now) ?? {};
  const over = spanOf(sought.ended ?? '', now) ?? {};
  const error = said({
    code: sought.error,
    node: sought.errorNode,
    contains: sought.errorContains,
  });
  return said({
    ...{ flow, version, key, tenant, parent },
    status: status.length === 0 ? null : status,
    stalled: stalled ? true : null,
    ...{ createdAfter: began.after, createdBefore: began.before },
    ...{ endedAfter: over.after, endedBefore: over.before },
    error: Object.keys(error).length === 0 ? null : error,
    attributes: attribute.length === 0 ? null : Object.fromEntries(attribute.map(pairOf)),
  });
}

/** What is said of it, without what is not. */
function said<Value extends object>(
  value: Value,
): { readonly [Name in keyof Value]?: NonNullable<Value[Name]> } {
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(entries) as {
    readonly [Name in keyof Value]?: NonNullable<Value[Name]>;
  };
}

/** Values are read as the server reads them in a query: what looks like a number is one. */
function pairOf(words: string): [string, string | number | boolean] {
  const at = words.indexOf('=');
  return [words.slice(0, at), valueOf(words.slice(at + 1))];
}

function valueOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}

/** Whether counts by flow, version and status are counts of this. */
export function isCounted(sought: Sought): boolean {
  return keyOf({ ...sought, flow: null, version: null, status: [] }) === keyOf(EVERYTHING);
}
