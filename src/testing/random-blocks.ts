/**
 * Structured definitions: what the builder can say, as a tree of blocks.
 *
 * The tree is what is drawn, walked by the oracle and shrunk; the draft is laid out from it as the
 * builder lays it out. Any tree gives a valid draft, so a shrinker may cut wherever it likes.
 */
import { luck, lucky } from './random-luck.ts';

/**
 * A node the author wrote, of the kind of that name, and the rows of blocks inside it. Two are said
 * by other kinds: a `race` is a scope with a fork and a win in it, a `many` a choose of that sort.
 */
export interface Block {
  readonly kind: string;
  readonly id: string;
  readonly seed: number;
  /**
   * One for a region, one for every branch or arm; the last arm of a choice is its otherwise, and
   * the second row of a try what it does with what it caught.
   */
  readonly rows: readonly Row[];
  /** How many items a map has at the most. */
  readonly size?: number;
}

export type Row = readonly Block[];

/** How many blocks one definition has at the most, and how deep they nest. */
const BLOCKS_MAX = 24;
const DEPTH_MAX = 4;
const LOOPS_MAX = 2;
/** Items of a map that is in no loop, and of one that is; one of so many is long. */
const ITEMS = { most: 6, inside: 3, long: 100, more: 60 };
const LONG_OF = 40;
/** Of a row inside a block; now and then it is empty. */
const LENGTHS = [0, 1, 1, 1, 2, 2, 2, 3];

/**
 * What a definition is mostly made of. In a calm one nothing ends what runs beside it, so that the
 * oracle can say what it comes to; a stormy one is about failures and what they undo.
 */
export type Mood = 'calm' | 'mixed' | 'stormy';

const SIMPLE = [
  ...['step', 'step', 'step', 'step', 'step', 'step', 'step'],
  ...['set', 'set', 'sleep', 'wait', 'wait', 'first', 'emit', 'call'],
  ...['task', 'approve'],
];
const CALM = ['choose', 'choose', 'many', 'fork', 'fork', 'fork', 'repeat', 'map', 'map', 'scope'];
const KINDS: Readonly<Record<Mood, { simple: readonly string[]; nesting: readonly string[] }>> = {
  calm: { simple: SIMPLE, nesting: [...CALM, 'try'] },
  mixed: { simple: SIMPLE, nesting: [...CALM, 'scope', 'try', 'try', 'race'] },
  stormy: {
    simple: ['step', 'step', 'step', 'step', 'step', 'step', 'set', 'call', 'wait', 'approve'],
    nesting: [
      ...['scope', 'scope', 'scope', 'try', 'try', 'fork', 'fork', 'race', 'repeat', 'choose'],
      ...['map', 'map'],
    ],
  },
};
/** Of so many rows three end in a fail. */
const FAILS_OF: Readonly<Record<Mood, number>> = { calm: 600, mixed: 60, stormy: 20 };
/** Nothing follows these. */
const LAST: ReadonlySet<string> = new Set(['end', 'terminate', 'fail']);

export function isLast({ kind }: Block): boolean {
  return LAST.has(kind);
}

/** These have two rows or more. */
const WIDE: ReadonlySet<string> = new Set(['choose', 'many', 'fork', 'race']);

export function randomRow(seed: number, mood: Mood): Row {
  const draw = { seed, mood, left: 2 + luck(BLOCKS_MAX - 1, seed, 'size'), count: 0 };
  const row = drawRow(draw, { depth: 0, loops: 0, place: 'top' });
  const end = luck(5, seed, 'end') > 0 ? [blockOf(draw, 'end', [])] : [];
  const last = row.at(-1);
  return last !== undefined && isLast(last) ? row : [...row, ...end];
}

interface Draw {
  readonly seed: number;
  readonly mood: Mood;
  left: number;
  count: number;
}

interface Spot {
  readonly depth: number;
  /** Repeats and maps around it: more than two would run for thousands of strides. */
  readonly loops: number;
  readonly place: string;
}

function drawRow(draw: Draw, { depth, loops, place }: Spot): Row {
  const { seed } = draw;
  const row: Block[] = [];
  const length = depth === 0 ? 3 + luck(4, seed, place, 'length') : lucky(LENGTHS, seed, place);
  for (let i = 0; i < length && draw.left > 0; i += 1) {
    row.push(drawBlock(draw, { depth, loops, place: `${place}/${i}` }));
  }
  // A row may end early; rarely it ends everything.
  const last = luck(60, seed, place, 'last');
  if (depth > 0 && last === 0 && draw.mood === 'mixed') row.push(blockOf(draw, 'terminate', []));
  if (depth > 0 && last <= 2 && last > 0) row.push(blockOf(draw, 'end', []));
  const fails = depth > 0 && last > 2 && luck(FAILS_OF[draw.mood], seed, place, 'fails') < 3;
  if (fails) row.push(blockOf(draw, 'fail', []));
  return row;
}

function drawBlock(draw: Draw, { depth, loops, place }: Spot): Block {
  draw.left -= 1;
  const nests = depth < DEPTH_MAX && luck(5, draw.seed, place, 'nests') < 2;
  const { simple, nesting } = KINDS[draw.mood];
  const drawn = lucky(nests ? nesting : simple, draw.seed, place, 'kind');
  const kind = LOOPS.has(drawn) && loops === LOOPS_MAX ? 'scope' : drawn;
  const inside = { depth: depth + 1, loops: LOOPS.has(kind) ? loops + 1 : loops };
  const rows: Row[] = [];
  const count = nests ? rowsOf(kind, draw.seed, place) : 0;
  for (let i = 0; i < count; i += 1)
    rows.push(drawRow(draw, { ...inside, place: `${place}:${i}` }));
  if (kind !== 'map') return blockOf(draw, kind, rows);
  return { ...blockOf(draw, kind, rows), size: itemsOf(rows, loops, draw.seed, place) };
}

const LOOPS: ReadonlySet<string> = new Set(['repeat', 'map']);
const LITTLE: ReadonlySet<string> = new Set(['step', 'set', 'sleep', 'wait', 'task', 'emit']);

function itemsOf(rows: readonly Row[], loops: number, seed: number, place: string): number {
  if (loops > 0) return ITEMS.inside;
  const isLittle = rows.flat().length <= 2 && rows.flat().every(({ kind }) => LITTLE.has(kind));
  const isLong = isLittle && luck(LONG_OF, seed, place, 'long') === 0;
  return isLong ? ITEMS.long + luck(ITEMS.more, seed, place, 'items') : ITEMS.most;
}

function rowsOf(kind: string, seed: number, place: string): number {
  if (kind === 'try') return luck(4, seed, place, 'rows') === 0 ? 1 : 2;
  return WIDE.has(kind) ? 2 + luck(3, seed, place, 'rows') : 1;
}

function blockOf(draw: Draw, kind: string, rows: readonly Row[]): Block {
  draw.count += 1;
  const id = `${kind}${draw.count}`;
  return { kind, id, seed: luck(2 ** 31, draw.seed, id), rows };
}

/** Every row with something left out or simplified, the biggest cuts first. */
export function* smallerRows(row: Row): Iterable<Row> {
  for (const [i, block] of row.entries()) {
    const before = row.slice(0, i);
    const after = row.slice(i + 1);
    yield [...before, ...after];
    // A container may give way to what is in one of its rows.
    for (const inner of block.rows) yield [...before, ...inner, ...after];
  }
  for (const [i, block] of row.entries()) {
    for (const smaller of smallerBlocks(block)) yield row.with(i, smaller);
  }
}

function* smallerBlocks(block: Block): Iterable<Block> {
  const least = WIDE.has(block.kind) ? 2 : 1;
  const { size = 0 } = block;
  if (size > 1) yield { ...block, size: Math.ceil(size / 2) };
  for (const [i, row] of block.rows.entries()) {
    if (block.rows.length > least) yield { ...block, rows: block.rows.toSpliced(i, 1) };
    for (const smaller of smallerRows(row)) yield { ...block, rows: block.rows.with(i, smaller) };
  }
}

/** The same with no list longer than usual. */
export function withShortLists(row: Row): Row {
  return row.map((block) => {
    const rows = block.rows.map(withShortLists);
    const { size } = block;
    return { ...block, rows, ...(size === undefined ? {} : { size: Math.min(size, ITEMS.most) }) };
  });
}

/** True if some block of the tree is of one of these kinds. */
export function hasKind(row: Row, ...kinds: readonly string[]): boolean {
  return row.some(
    (block) => kinds.includes(block.kind) || block.rows.some((r) => hasKind(r, ...kinds)),
  );
}
