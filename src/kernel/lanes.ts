/**
 * The lanes of a token: the limits of its flow and of its step, each under a name of its own, with
 * the value that the limit goes by if it goes by one. They are read off the plan and the head, and
 * stay with the token for its life. All versions of a flow share them.
 */
import { sha256 } from '../base/hash.ts';
import type { Json } from '../base/json.ts';
import type { Head, Token } from '../model/instance.ts';
import { type Lane, type Limit, NO_LANES } from '../model/lane.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import type { Offer } from './kind.ts';

/** A limit under the name of what it limits. */
export interface NamedLimit {
  readonly name: string;
  readonly limit: Limit;
}

/** Most nodes have none. */
const NO_LIMITS: readonly NamedLimit[] = [];

/** Names stand in indexes of the database; of a longer value the rest is told by its hash. */
const VALUE_CHARS_MAX = 200;

/** What cannot be kept as it is: half a surrogate pair, no character, and what parts names. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are just what is meant.
const UNKEPT = /[\p{Cs}\u0000\u001f]/u;

/** The limits at one node, the flow's before its own. */
export function limitsAt(
  plan: Plan,
  { id }: PlanNode,
  offer: Offer | undefined,
): readonly NamedLimit[] {
  const { name: flow, limit } = plan;
  if (offer === undefined || (limit === null && offer.limit === undefined)) return NO_LIMITS;
  const ofFlow = limit === null ? [] : [{ name: `flow:${flow}`, limit }];
  if (offer.limit === undefined) return ofFlow;
  return [...ofFlow, { name: `step:${flow}/${offer.limitedAs ?? id}`, limit: offer.limit }];
}

export function lanesIn(limits: readonly NamedLimit[], head: Head): readonly Lane[] {
  return limits.map(({ name, limit: { by, concurrency = null, rate = null } }) => ({
    name: by === undefined ? name : `${name}=${textOf(valueOf(by, head))}`,
    concurrency,
    rate,
  }));
}

/** Those it has by another plan, if they are others than it had. */
export function lanesAnew(
  limits: readonly NamedLimit[],
  head: Head,
  { mode, lanes }: Token,
): Pick<Token, 'lanes'> {
  const anew = mode === 'compensation' ? NO_LANES : lanesIn(limits, head);
  return { lanes: JSON.stringify(anew) === JSON.stringify(lanes) ? lanes : anew };
}

function valueOf(by: string, { key, tenant, input }: Head): Json | undefined {
  if (by === 'key' || by === 'tenant') return (by === 'key' ? key : tenant) ?? undefined;
  const [, ...path] = by.split('.');
  let value: Json | undefined = input;
  for (const name of path) {
    const isObject: boolean =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    value = isObject ? (value as Readonly<Record<string, Json>>)[name] : undefined;
  }
  return value;
}

/** None is the empty text; a text is itself; anything else is its JSON. */
function textOf(value: Json | undefined): string {
  if (value === undefined) return '';
  const isKept = typeof value === 'string' && !UNKEPT.test(value);
  const text = isKept ? value : JSON.stringify(value);
  if (text.length <= VALUE_CHARS_MAX) return text;
  // Not in the middle of a pair.
  const begun = text.slice(0, VALUE_CHARS_MAX).replace(/\p{Cs}/u, '');
  return `${begun}…${sha256(text)}`;
}
