/**
 * Blocks into a draft, laid out as the builder lays it out (the test compares the two): a choice
 * and a fork lead into hidden scopes that meet at a hidden pass or join, and regions name the node
 * they begin with.
 *
 * Closures look only at nodes that have certainly run before theirs. Then no order of answers can
 * change what they see, and neither output nor path may depend on it.
 */
import type { JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
import type { DraftEdge, DraftNode } from '../model/draft.ts';
import type { Block, Row } from './random-blocks.ts';
import { type Filled, kindBlocks } from './random-kinds.ts';
import { SHARED_VAR } from './random-luck.ts';
import type { Drawing } from './story.ts';

/** What all nodes of one definition have in common. */
export interface Common {
  readonly name: string;
  /** Which nodes have closures that go wrong. */
  readonly isTrapped: (node: string) => boolean;
}

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
  const draft = { name: common.name, version: 1, start: START, nodes, edges, vars: FIRST_VARS };
  return { draft, code };
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
    if (block.kind === 'end' || block.kind === 'terminate') return null;
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
  const { id, kind, seed, rows } = block;
  const hidden = id === END ? { hidden: true } : {};
  const settle = place(page, { id, kind, ...insideOf(entry), ...hidden });
  const forks = kind === 'fork' || kind === 'choose';
  const [row] = rows;
  const out = forks ? drawArms(page, block, entry) : [];
  const body = forks || row === undefined ? null : drawRegion(page, id, row, entry);
  // A condition asked after a pass sees what the pass did.
  const names =
    body === null || row === undefined ? entry.names : [...entry.names, ...namesIn(row)];
  const trapped = page.common.isTrapped(id);
  const { settings, code } = fill(kind, { id, seed, out, body, names, trapped }, entry);
  settle(settings);
  if (Object.keys(code).length > 0) page.code[id] = code;
  return forks ? meetingOf(block) : id;
}

function insideOf({ region }: Entry): { parent?: string } {
  return region === undefined ? {} : { parent: region };
}

type Fill = (typeof kindBlocks)[string]['fill'];

function fill(kind: string, spot: Parameters<Fill>[0], { region }: Entry): Filled {
  // Only the end of the flow says what the output is: elsewhere it would depend on who is last.
  if (kind === 'end' && region !== undefined) return { settings: { output: 'none' }, code: {} };
  const block = kindBlocks[kind];
  if (block === undefined) throw new Error(`the generator has no block for kind "${kind}"`);
  return block.fill(spot);
}

/** Each arm is a hidden scope that promotes; all of them lead to one meeting point. */
function drawArms(page: Page, block: Block, entry: Entry): string[] {
  const meeting = meetingOf(block);
  const arms = block.rows.map((row, index) => {
    const arm = armOf(block, index);
    const settle = place(page, { id: arm, kind: 'scope', ...insideOf(entry), hidden: true });
    settle({ body: drawRegion(page, arm, row, entry), promote: true });
    return arm;
  });
  const kind = block.kind === 'fork' ? 'join' : 'pass';
  page.nodes.push({ id: meeting, kind, settings: {}, ...insideOf(entry), hidden: true });
  return arms.map((arm) => {
    const way = lead(page, block.id, arm);
    lead(page, arm, meeting);
    return way;
  });
}

function armOf({ id, kind, rows }: Block, index: number): string {
  const last = kind === 'choose' && index === rows.length - 1;
  return last ? `${id}/:otherwise` : `${id}/a${index}`;
}

function meetingOf({ id, kind }: Block): string {
  return kind === 'fork' ? `${id}/:join` : `${id}/:end`;
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
