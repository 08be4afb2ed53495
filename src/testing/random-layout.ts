/**
 * Blocks into a draft, laid out as the builder lays it out (the test compares the two): a choice
 * and a fork lead into hidden scopes that meet at a hidden pass or join, a race does so inside a
 * scope, a try leads to a hidden scope for what it caught, a map holds a hidden node that runs its
 * items, and regions name the node they begin with.
 *
 * Closures look only at nodes that have certainly run before theirs. Then no order of answers can
 * change what they see, and neither output nor path may depend on it.
 */
import type { JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
import type { Draft, DraftEdge, DraftNode } from '../model/draft.ts';
import { type Block, isLast, type Row } from './random-blocks.ts';
import { type KindBlock, kindBlocks } from './random-kinds.ts';
import { SHARED_VAR } from './random-luck.ts';
import { itemOf, sagaIn, sagaOf } from './random-maps.ts';
import type { Filled, Spot } from './random-spot.ts';
import type { Drawing } from './story.ts';

/** What all nodes of one definition have in common. */
export interface Common {
  readonly name: string;
  /** Which nodes have closures that go wrong. */
  readonly isTrapped: (node: string) => boolean;
  /** What the definition says of failures. */
  readonly failing: Failing;
}

export type Failing = Pick<Draft, 'saga' | 'onUndoFailure' | 'onFailure'>;

/** What the top begins with, for scopes below to hide. */
export const FIRST_VARS: JsonObject = { [SHARED_VAR]: 0 };

const START = ':start';
export const END = ':end';

export function layOut(row: Row, common: Common): Drawing {
  const page: Page = { common, nodes: [], edges: [], code: {} };
  page.nodes.push({ id: START, kind: 'start', settings: {}, hidden: true });
  const last = drawRow(page, row, { from: START, names: [] });
  if (last !== null) {
    page.nodes.push({ id: END, kind: 'end', settings: { output: 'results' }, hidden: true });
    lead(page, last, END);
  }
  const { nodes, edges, code } = page;
  const head = { name: common.name, version: 1, start: START, ...common.failing };
  return { draft: { ...head, nodes, edges, vars: FIRST_VARS }, code };
}

/** A draft while it is drawn. */
export interface Page {
  readonly common: Common;
  readonly nodes: DraftNode[];
  readonly edges: DraftEdge[];
  readonly code: Record<string, NodeCode>;
}

/** Where a row begins: after a node or as the body of one, and what has run before it. */
interface Entry {
  readonly from?: string;
  readonly region?: string;
  readonly names: readonly string[];
}

/** Keeps a node's place in the list; it is filled in once its wires are known. */
function place(page: Page, node: Omit<DraftNode, 'settings'>): (settings: JsonObject) => void {
  const at = page.nodes.push({ ...node, settings: {} }) - 1;
  return (settings) => {
    page.nodes[at] = { ...node, settings };
  };
}

function lead(page: Page, from: string, to: string): string {
  const id = `${from}->${to}`;
  page.edges.push({ id, from, to });
  return id;
}

/** Draws the blocks one after the other. The last node, or null if nothing can follow. */
function drawRow(page: Page, row: Row, entry: Entry): string | null {
  const names = [...entry.names];
  let last = entry.from;
  for (const block of row) {
    const id = nameOf(block, entry);
    if (last !== undefined) lead(page, last, id);
    last = drawBlock(page, { ...block, id }, { ...entry, names });
    if (isLast(block)) return null;
    names.push(...namesIn([block]));
  }
  return last ?? null;
}

/** The end of the flow is the builder's own node; an end inside a region is the author's. */
function nameOf({ kind, id }: Block, { region }: Entry): string {
  return kind === 'end' && region === undefined ? END : id;
}

/** Draws one block and gives the node that the next one follows. */
function drawBlock(page: Page, block: Block, entry: Entry): string {
  const { id, seed, rows } = block;
  const kind = KIND_OF[block.kind] ?? block.kind;
  const hidden = id === END ? { hidden: true } : {};
  const settle = place(page, { id, kind, ...insideOf(entry), ...hidden });
  if (block.kind === 'race') {
    settle({ body: drawRace(page, block, entry), promote: true });
    return id;
  }
  if (kind === 'map') {
    settle(drawMap(page, block, entry));
    return id;
  }
  const forks = kind === 'fork' || kind === 'choose';
  const [row] = rows;
  const arms = forks ? drawArms(page, block, { ...entry, from: id }, meetingOf(block)) : [];
  const body = forks || row === undefined ? null : drawRegion(page, id, row, entry);
  const out = kind === 'try' ? drawCatch(page, block, entry) : arms;
  // A condition asked after a pass sees what the pass did; one that is asked what to catch may not.
  const passed = body === null || row === undefined || kind === 'try' ? [] : namesIn(row);
  const names = [...entry.names, ...passed];
  const trapped = page.common.isTrapped(id);
  const { settings, code } = fill(page, block, { id, seed, out, body, names, trapped }, entry);
  settle(settings);
  if (Object.keys(code).length > 0) page.code[id] = code;
  if (kind === 'try') return `${id}/:end`;
  return forks ? meetingOf(block).id : id;
}

/** Blocks that are nodes of another kind. */
const KIND_OF: Readonly<Record<string, string>> = { race: 'scope', many: 'choose' };

function insideOf({ region }: Entry): { parent?: string } {
  return region === undefined ? {} : { parent: region };
}

function fill(page: Page, { kind }: Block, spot: Spot, { region }: Entry): Filled {
  // Only the end of the flow says what the output is: elsewhere it would depend on who is last.
  if (kind === 'end' && region !== undefined) return { settings: { output: 'none' }, code: {} };
  const { settings, code } = blockFor(KIND_OF[kind] ?? kind).fill(spot);
  if (kind === 'many') return { settings: { ...settings, many: true }, code };
  const undone = kind === 'scope' && page.common.failing.saga === 'scope';
  return { settings: undone ? { saga: 'scope', ...settings } : settings, code };
}

function blockFor(kind: string): KindBlock {
  const block = kindBlocks[kind];
  if (block === undefined) throw new Error(`the generator has no block for kind "${kind}"`);
  return block;
}

/** Each arm is a hidden scope that promotes; all of them lead to one meeting point. */
function drawArms(
  page: Page,
  block: Block,
  entry: Entry,
  meeting: { readonly id: string; readonly kind: string },
): string[] {
  const arms = block.rows.map((row, index) => {
    const arm = armOf(block, index);
    drawHidden(page, arm, row, entry);
    return arm;
  });
  page.nodes.push({ ...meeting, settings: {}, ...insideOf(entry), hidden: true });
  return arms.map((arm) => {
    const way = lead(page, entry.from ?? '', arm);
    lead(page, arm, meeting.id);
    return way;
  });
}

function drawHidden(page: Page, id: string, row: Row, entry: Entry): void {
  const settle = place(page, { id, kind: 'scope', ...insideOf(entry), hidden: true });
  settle({ body: drawRegion(page, id, row, entry), promote: true });
}

/** The branches lie in a scope, which is over as soon as one of them is. */
function drawRace(page: Page, block: Block, { names }: Entry): string {
  const { id } = block;
  const fork = `${id}/:fork`;
  page.nodes.push({ id: fork, kind: 'fork', settings: {}, parent: id, hidden: true });
  drawArms(page, block, { region: id, from: fork, names }, { id: `${id}/:win`, kind: 'win' });
  return fork;
}

/** Its items are run by a hidden node, in whose region they lie. Gives the map's own settings. */
function drawMap(page: Page, { id, seed, rows, size }: Block, { names }: Entry): JsonObject {
  const item = itemOf(id);
  const [row = []] = rows;
  const settle = place(page, { id: item, kind: 'item', parent: id, hidden: true });
  const inside = [...names, item];
  const saga = sagaOf(seed);
  const around = sagaIn(id);
  const settleSaga =
    saga === null ? null : place(page, { id: around, kind: 'scope', parent: item, hidden: true });
  const region = saga === null ? item : around;
  const start = drawRegion(page, region, row, { names: inside });
  settleSaga?.({ body: start, promote: true, saga: saga ?? '' });
  const body = saga === null ? start : around;
  const { isTrapped } = page.common;
  const common = { seed, out: [], ...(size === undefined ? {} : { size }) };
  const seen = [...inside, ...namesIn(row)];
  const end = row.at(-1);
  const last = end !== undefined && RESULTS.has(end.kind) ? { last: end.id } : {};
  const items = { ...common, id: item, body, names: seen, ...last, trapped: isTrapped(item) };
  settle(filled(page, 'item', items));
  return filled(page, 'map', { ...common, id, body: item, names, trapped: isTrapped(id) });
}

/** What has a result by its own name. */
const RESULTS: ReadonlySet<string> = new Set([
  ...['step', 'set', 'wait', 'first', 'call', 'map', 'task', 'approve'],
]);

function filled(page: Page, kind: string, spot: Spot): JsonObject {
  const { settings, code } = blockFor(kind).fill(spot);
  if (Object.keys(code).length > 0) page.code[spot.id] = code;
  return settings;
}

/** The ways out of a try: when all is well, and for what it caught. */
function drawCatch(page: Page, { id, rows }: Block, entry: Entry): string[] {
  const [end, mend] = [`${id}/:end`, `${id}/:catch`];
  const [, row] = rows;
  if (row !== undefined) drawHidden(page, mend, row, { ...entry, names: [...entry.names, id] });
  page.nodes.push({ id: end, kind: 'pass', settings: {}, ...insideOf(entry), hidden: true });
  const done = lead(page, id, end);
  if (row === undefined) return [done];
  lead(page, mend, end);
  return [done, lead(page, id, mend)];
}

function armOf({ id, kind, rows }: Block, index: number): string {
  const last = (kind === 'choose' || kind === 'many') && index === rows.length - 1;
  return last ? `${id}/:otherwise` : `${id}/a${index}`;
}

function meetingOf({ id, kind }: Block): { readonly id: string; readonly kind: string } {
  if (kind === 'choose') return { id: `${id}/:end`, kind: 'pass' };
  return { id: `${id}/:join`, kind: kind === 'fork' ? 'join' : 'inclusive' };
}

/** The row as the region of a node. Gives the node it begins with; an empty row has a pass. */
function drawRegion(page: Page, region: string, row: Row, { names }: Entry): string {
  drawRow(page, row, { region, names });
  const [first] = row;
  if (first !== undefined) return first.id;
  const id = `${region}/:start`;
  page.nodes.push({ id, kind: 'pass', settings: {}, parent: region, hidden: true });
  return id;
}

/** Every block of a row that will have run when the row has, or may have. */
function namesIn(row: Row): string[] {
  return row.flatMap((block) => [block.id, ...block.rows.flatMap(namesIn)]);
}
