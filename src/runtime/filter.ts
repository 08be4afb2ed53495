/**
 * Which instances are meant, as people say it, and read before anything is asked: a filter that
 * means nothing must not be taken for one that means all. What is not said does not matter.
 */
import type { EngineError } from '../base/engine-error.ts';
import { meant } from '../base/nearest.ts';
import { type Attribute, attributeOf } from '../model/attribute.ts';
import type { Flow } from '../model/definition.ts';
import type { Instant } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { FaultSought, FindRequest, ShownStatus, Sought } from '../stores/instances.ts';
import { checkFields, told, wrong } from './fields.ts';
import { isName, NAME_CHARS_MAX } from './options.ts';

/** A moment: a date, milliseconds since 1970, or ISO 8601 text. */
export type Moment = Date | number | string;

export interface InstanceFilter {
  /** Its name; a flow itself stands for its name. */
  readonly flow?: string | Pick<Flow, 'name'>;
  readonly version?: number;
  /** As `run.status()` says it; one or several. */
  readonly status?: ShownStatus | readonly ShownStatus[];
  /** Only those that stand still at joins; not those for which nobody has a handler just now. */
  readonly stalled?: boolean;
  /** The business key, also of those that are over. */
  readonly key?: string;
  readonly tenant?: string;
  /** The instance that called them. */
  readonly parent?: string;
  /** At this moment or later, and before this moment. */
  readonly createdAfter?: Moment;
  readonly createdBefore?: Moment;
  readonly endedAfter?: Moment;
  readonly endedBefore?: Moment;
  /**
   * The code of the instance's fault, `pay.*` for all that begin so; or what its message says, and
   * where it happened. Also of what one of its tokens waits for someone to mend.
   */
  readonly error?: string | ErrorFilter;
  /** Search attributes of its flow, all of them: equal, or a number from one to another. */
  readonly attributes?: Readonly<Record<string, Attribute | AttributeRange>>;
}

export interface ErrorFilter {
  readonly code?: string;
  /** A part of the message, letter by letter. */
  readonly contains?: string;
  /** The node that failed. */
  readonly node?: string;
}

/** Both ends are in it. */
export interface AttributeRange {
  readonly from?: number;
  readonly to?: number;
}

const STATUSES: readonly ShownStatus[] = [
  'running',
  'waiting',
  'suspended',
  'compensating',
  'completed',
  'failed',
  'canceled',
];

export const FILTER_FIELDS: readonly (keyof InstanceFilter)[] = [
  'flow',
  'version',
  'status',
  'stalled',
  'key',
  'tenant',
  'parent',
  'createdAfter',
  'createdBefore',
  'endedAfter',
  'endedBefore',
  'error',
  'attributes',
];

/** No store keeps a greater one. */
const VERSION_MAX = 2 ** 31 - 1;

export function readFilter(
  filter: InstanceFilter,
  limits: Limits,
): Omit<FindRequest, 'before' | 'limit' | 'walk'> {
  checkFields('the filter', filter, FILTER_FIELDS);
  const { version, stalled } = filter;
  const isVersion = Number.isInteger(version) && isBetween(version ?? 0, 1, VERSION_MAX);
  if (version !== undefined && !isVersion) {
    throw bad('version', `is a whole number from 1 to ${VERSION_MAX}`, version);
  }
  if (stalled !== undefined && typeof stalled !== 'boolean') {
    throw bad('stalled', 'is true or false', stalled);
  }
  return {
    flow: readFlow(filter.flow),
    version: version ?? null,
    statuses: filter.status === undefined ? null : readStatuses(filter.status, STATUSES),
    stalled: stalled ?? false,
    key: readText('key', filter.key),
    tenant: readText('tenant', filter.tenant),
    parent: readText('parent', filter.parent),
    created: {
      from: readMoment('createdAfter', filter.createdAfter),
      to: readMoment('createdBefore', filter.createdBefore),
    },
    ended: {
      from: readMoment('endedAfter', filter.endedAfter),
      to: readMoment('endedBefore', filter.endedBefore),
    },
    fault: filter.error === undefined ? null : readError(filter.error),
    attributes: readAttributes(filter.attributes, limits),
  };
}

/** Whether it leaves out nobody. */
export function meansAll(request: ReturnType<typeof readFilter>): boolean {
  const { stalled, attributes, created, ended, ...rest } = request;
  const named = [...Object.values(rest), created.from, created.to, ended.from, ended.to];
  return !stalled && attributes.length === 0 && named.every((one) => one === null);
}

export function readFlow(flow: unknown): string | null {
  const isFlow = typeof flow === 'object' && flow !== null && 'name' in flow;
  return readText('flow', isFlow ? flow.name : flow);
}

export function readText(field: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (isName(value)) return value;
  throw bad(field, `is a text of 1 to ${NAME_CHARS_MAX} characters`, value);
}

export function readStatuses<Status extends string>(
  given: unknown,
  known: readonly Status[],
): readonly Status[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw bad('status', 'names at least one status', given);
  return list.map((one) => {
    const status = known.find((each) => each === one);
    if (status !== undefined) return status;
    const advice = typeof one === 'string' ? meant(one, known) : `there are ${known.join(', ')}`;
    throw wrong(`status ${told(one)} is none that can be asked for here; ${advice}`, 'status');
  });
}

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** What is read otherwise than it was written, as the 31st of February, is no day. */
function isDay(day: string): boolean {
  const at = Date.parse(day);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(day);
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

export function readMoment(field: string, moment: unknown): Instant | null {
  if (moment === undefined) return null;
  const at =
    moment instanceof Date
      ? moment.getTime()
      : typeof moment === 'string' && ISO.test(moment) && isDay(moment.slice(0, 10))
        ? Date.parse(moment)
        : moment;
  if (Number.isSafeInteger(at)) return at as Instant;
  const rule = 'is a date, milliseconds since 1970 or ISO 8601 such as "2026-11-16T12:00:00Z"';
  throw bad(field, rule, moment);
}

function readError(error: unknown): FaultSought {
  if (typeof error === 'string') return readError({ code: error });
  checkFields('error', error, ['code', 'contains', 'node']);
  const { code, contains, node: at } = error as ErrorFilter;
  const word = readText('error.code', code);
  const text = readText('error.contains', contains);
  const node = readText('error.node', at);
  if (word === null && text === null && node === null) {
    throw bad('error', 'has a code, a node, or says what its message contains', error);
  }
  const isPrefix = word?.endsWith('*') ?? false;
  return {
    code: isPrefix ? null : word,
    prefix: isPrefix ? (word?.slice(0, -1) ?? null) : null,
    text,
    node,
  };
}

function readAttributes(
  attributes: unknown,
  { KEY_CHARS_MAX }: Pick<Limits, 'KEY_CHARS_MAX'>,
): readonly Sought[] {
  if (attributes === undefined) return [];
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    throw bad('attributes', 'is an object such as { customer: "c-1" }', attributes);
  }
  return Object.entries(attributes).map(([name, value]) => {
    const field = `attributes.${name}`;
    if (typeof value === 'object' && value !== null) return readRange(name, field, value);
    const is =
      typeof value === 'number' && !Number.isFinite(value)
        ? null
        : attributeOf(value, KEY_CHARS_MAX);
    if (is !== null) return { name, is };
    throw bad(field, 'is text, a number, a boolean or { from, to }', value);
  });
}

function readRange(name: string, field: string, range: object): Sought {
  checkFields(field, range, ['from', 'to']);
  const { from, to } = range as AttributeRange;
  for (const [end, value] of Object.entries({ from, to })) {
    if (value !== undefined && !Number.isFinite(value)) {
      throw bad(`${field}.${end}`, 'is a number', value);
    }
  }
  if (from === undefined && to === undefined) throw bad(field, 'has a from, a to or both', range);
  return { name, low: from ?? null, high: to ?? null };
}

function bad(field: string, rule: string, came: unknown): EngineError {
  return wrong(`${field} ${rule}; came ${told(came)}`, field);
}
