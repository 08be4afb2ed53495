/**
 * What a structured definition comes to, worked out without tokens: a walk over the tree of blocks,
 * branches one after the other, with the same closures and the same answers. It shares no line with
 * the kernel, so the two agree only if both are right.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { Code, CodeView } from '../model/definition.ts';
import { setsFor, timesOut, valueFor } from './laws-answers.ts';
import type { Ending } from './laws-ending.ts';
import type { Block, Row } from './random-blocks.ts';
import { END } from './random-layout.ts';
import type { Drawing } from './story.ts';

export function expectedOf(row: Row, drawing: Drawing, seed: number, input: Json): Ending {
  const walk: Walk = { drawing, seed, input, visits: new Map(), output: null };
  const vars = { ...drawing.draft.vars };
  const root: Floor = { above: null, results: {}, vars, index: null, path: '' };
  const ended = walkRow(walk, row, root);
  if (!ended) walk.output = { ...root.results };
  return { status: 'completed', output: walk.output, fault: null, visits: walk.visits };
}

interface Walk {
  readonly drawing: Drawing;
  readonly seed: number;
  readonly input: Json;
  readonly visits: Map<string, number>;
  output: Json;
}

/** A scope as the walk keeps it. */
interface Floor {
  readonly above: Floor | null;
  readonly results: Record<string, Json>;
  readonly vars: Record<string, Json>;
  /** Which pass it is, its own or that of the nearest one above. */
  readonly index: number | null;
  readonly path: string;
}

/** True if an end was met: nothing of the row follows it. */
function walkRow(walk: Walk, row: Row, floor: Floor): boolean {
  for (const block of row) {
    if (block.kind === 'end' && floor.above === null) {
      walk.output = outputOf(walk, floor);
      return true;
    }
    walk.visits.set(block.id, (walk.visits.get(block.id) ?? 0) + 1);
    if (block.kind === 'end') return true;
    walkBlock(walk, block, floor);
  }
  return false;
}

function walkBlock(walk: Walk, block: Block, floor: Floor): void {
  const { id, kind, rows } = block;
  switch (kind) {
    case 'step':
      floor.results[id] = valueFor(id, floor.path, walk.seed);
      for (const { name, value, in: where } of setsFor(id, floor.path, walk.seed)) {
        (where === 'scope' ? floor : topOf(floor)).vars[name] = value;
      }
      return;
    case 'set':
      return walkSet(walk, id, floor);
    case 'sleep':
      return;
    case 'wait': {
      const canTimeOut = settingsOf(walk, id)['timeoutMs'] !== undefined;
      const late = timesOut(id, floor.path, walk.seed, canTimeOut);
      floor.results[id] = late ? null : valueFor(id, floor.path, walk.seed);
      return;
    }
    case 'choose': {
      const taken = rows.findIndex(
        (_, arm) => ask(walk, id, `when.a${arm}`, viewOf(walk, floor)) === true,
      );
      return walkInside(walk, rows[taken] ?? rows.at(-1) ?? [], floor);
    }
    case 'fork':
      for (const row of rows) walkInside(walk, row, floor);
      return;
    case 'scope':
      return walkInside(walk, rows[0] ?? [], floor);
    case 'repeat':
      return walkRepeat(walk, block, floor);
    default:
      throw new Error(`the oracle does not know the kind "${kind}"`);
  }
}

function walkSet(walk: Walk, id: string, floor: Floor): void {
  const value = ask(walk, id, 'value', viewOf(walk, floor)) as Json;
  floor.results[id] = value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const where = settingsOf(walk, id)['in'] === 'instance' ? topOf(floor) : floor;
  Object.assign(where.vars, value);
}

/** A row in a scope of its own, whose results go up when it is done. */
function walkInside(walk: Walk, row: Row, floor: Floor): void {
  const inside = { ...floor, above: floor, results: {}, vars: {} };
  walkRow(walk, row, inside);
  Object.assign(floor.results, inside.results);
}

function walkRepeat(walk: Walk, { id, rows }: Block, floor: Floor): void {
  const { check, times } = settingsOf(walk, id);
  let last: Floor | null = null;
  for (let index = 0; ; index += 1) {
    const view = viewOf(walk, last ?? floor);
    if (check === 'while' && ask(walk, id, 'while', { ...view, index }) !== true) break;
    if (check === 'times' && index >= Number(times ?? ask(walk, id, 'times', view))) break;
    const before = floor.path === '' ? '' : `/${floor.path}`;
    last = { above: floor, results: {}, vars: {}, index, path: `${id}#${index}${before}` };
    walkRow(walk, rows[0] ?? [], last);
    const after = { ...viewOf(walk, last), index };
    if (check === 'until' && ask(walk, id, 'until', after) === true) break;
  }
  Object.assign(floor.results, last?.results);
}

function outputOf(walk: Walk, floor: Floor): Json {
  switch (settingsOf(walk, END)['output']) {
    case 'results':
      return { ...floor.results };
    case 'code':
      return ask(walk, END, 'output', viewOf(walk, floor)) as Json;
    default:
      return null;
  }
}

function settingsOf({ drawing }: Walk, id: string): JsonObject {
  return drawing.draft.nodes.find((node) => node.id === id)?.settings ?? {};
}

function ask({ drawing }: Walk, id: string, slot: string, view: CodeView): unknown {
  const code: Code | undefined = drawing.code?.[id]?.[slot];
  return code?.(view);
}

function viewOf({ input }: Walk, floor: Floor): CodeView {
  const floors: Floor[] = [];
  for (let at: Floor | null = floor; at !== null; at = at.above) floors.unshift(at);
  const results = Object.assign({}, ...floors.map((at) => at.results)) as JsonObject;
  const vars = Object.assign({}, ...floors.map((at) => at.vars)) as JsonObject;
  return { input, results, vars, item: null, index: floor.index };
}

function topOf(floor: Floor): Floor {
  let top = floor;
  while (top.above !== null) top = top.above;
  return top;
}
