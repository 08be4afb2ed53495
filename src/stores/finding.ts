/**
 * How a database finds instances: it walks the ids of one stretch of an index, newest first, and
 * has those picked out that are as asked for. Which stretch is walked is decided here, by what
 * leaves the fewest; everything else that was asked for is looked up row by row, by key.
 *
 * A walk goes in growing strides, each a statement of its own, so that a first page costs little
 * and nobody else waits long for a walk that finds nothing. It ends after so many ids (`walk`),
 * and then says where to go on.
 */
import { isOver } from './payload.ts';
import type { FindRequest, Found, FoundInstance, Sought } from './instances.ts';
import { tagCells } from './tags.ts';
import type { Cell } from './writes.ts';

/** An id has at most so many units of UTF-16, and this character takes two. */
const ID_UNITS_MAX = 500;
/** Greater than any id: the last character there is, once more often than an id has room for. */
const LAST = '\u{10ffff}'.repeat(ID_UNITS_MAX / 2 + 1);

/** Ids of one stride at most, and how much longer each is than the one before. */
const STRIDE_MAX = 1_000;
const STRIDE_GROWTH = 4;
/** A range of numbers with more instances than this is not sorted: it is walked past. */
export const RANGE_MAX = 10_000;

/** A stretch of an index that holds all who can be meant, in order of their ids. */
export type Stretch =
  | { readonly of: 'all' | 'open' | 'faulty' | 'troubled' | 'stalled' }
  | { readonly of: 'flow' | 'tenant' | 'key' | 'parent'; readonly is: string }
  | { readonly of: 'attribute'; readonly sought: Extract<Sought, { is: unknown }> }
  | { readonly of: 'range'; readonly sought: Exclude<Sought, { is: unknown }> };

/** The statement that walks a stretch. */
export type WalkName =
  | 'walkAll'
  | 'walkOpen'
  | 'walkFaulty'
  | 'walkTroubled'
  | 'walkStalled'
  | 'walkFlow'
  | 'walkTenant'
  | 'walkKey'
  | 'walkParent'
  | 'walkTag'
  | 'walkRange';

const WALKS: Readonly<Record<Stretch['of'], WalkName>> = {
  all: 'walkAll',
  open: 'walkOpen',
  faulty: 'walkFaulty',
  troubled: 'walkTroubled',
  stalled: 'walkStalled',
  flow: 'walkFlow',
  tenant: 'walkTenant',
  key: 'walkKey',
  parent: 'walkParent',
  attribute: 'walkTag',
  range: 'walkRange',
};

export interface FindTools {
  /** Ids before this one, in descending order, about so many. */
  walk(stretch: Stretch, before: string, limit: number): Promise<Walked>;
  /** Whether a range holds at most RANGE_MAX. */
  isShort(sought: Exclude<Sought, { is: unknown }>): Promise<boolean>;
  /** Those of them that are as asked for, in descending order. */
  match(ids: readonly string[], request: FindRequest): Promise<readonly FoundInstance[]>;
}

export interface Walked {
  readonly ids: readonly string[];
  /** Whether there are no more. */
  readonly isEnd: boolean;
}

export async function findBy(tools: FindTools, request: FindRequest): Promise<Found> {
  const { limit, walk } = request;
  const stretch = await stretchOf(tools, request);
  const found: FoundInstance[] = [];
  let before = request.before ?? LAST;
  let stride = limit + 1;
  for (let walked = 0; ; ) {
    const wanted = Math.min(stride, walk - walked);
    const came = await tools.walk(stretch, before, wanted);
    const ids = came.ids.slice(0, wanted);
    if (ids.length > 0) found.push(...(await tools.match(ids, request)));
    if (found.length > limit) {
      const instances = found.slice(0, limit);
      return { instances, next: instances.at(-1)?.id ?? null };
    }
    if (came.isEnd && came.ids.length <= wanted) return { instances: found, next: null };
    walked += ids.length;
    before = ids.at(-1) ?? before;
    if (walked >= walk) return { instances: found, next: before as FoundInstance['id'] };
    stride = Math.min(stride * STRIDE_GROWTH, STRIDE_MAX);
  }
}

async function stretchOf(tools: FindTools, request: FindRequest): Promise<Stretch> {
  const { parent, key, attributes, stalled, statuses, tenant, flow } = request;
  if (parent !== null) return { of: 'parent', is: parent };
  if (key !== null) return { of: 'key', is: key };
  for (const sought of attributes) if ('is' in sought) return { of: 'attribute', sought };
  for (const sought of attributes) {
    if (!('is' in sought) && (await tools.isShort(sought))) return { of: 'range', sought };
  }
  if (stalled) return { of: 'stalled' };
  // Whatever has failed has a fault; some that are being undone have one, too.
  if (statuses?.every((status) => status === 'failed')) return { of: 'faulty' };
  if (request.fault !== null) return { of: 'troubled' };
  if (statuses?.every((status) => status === 'waiting' || !isOver(status))) return { of: 'open' };
  if (tenant !== null) return { of: 'tenant', is: tenant };
  if (flow !== null) return { of: 'flow', is: flow };
  return { of: 'all' };
}

/** The statement, and what it is given beside where it begins and how far it goes. */
export function walkOf(stretch: Stretch): readonly [WalkName, ...Cell[]] {
  const name = WALKS[stretch.of];
  switch (stretch.of) {
    case 'attribute': {
      const [type, value] = tagCells(stretch.sought.is);
      return [name, stretch.sought.name, type, value];
    }
    case 'range':
      return [name, stretch.sought.name, stretch.sought.low, stretch.sought.high];
    default:
      return 'is' in stretch ? [name, stretch.is] : [name];
  }
}
