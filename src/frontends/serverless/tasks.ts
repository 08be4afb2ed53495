/**
 * Tasks as nodes: one for each, and around it whatever its timeout and the extensions ask for.
 *
 * A task with a timeout competes with that in a region of its own. One that extensions apply to
 * stands in the middle of theirs. One whose input is made anew and which then waits has its input
 * kept by a region. In all three the outer node is the task, as people see it, and has its
 * envelope; the inner one does what the task is for.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { EdgeId } from '../../model/ids.ts';
import type { Envelope, Picked, SwitchCase, Template } from '../../model/serverless.ts';
import { drawCall } from './calls.ts';
import type { Drawing } from './drawing.ts';
import { bareOf, type Desk, envelopeOf, spotOf } from './envelopes.ts';
import { drawExtended, type Extension, extensionsFor } from './extensions.ts';
import { drawFor, drawFork, drawTry } from './regions.ts';
import { drawListen } from './listening.ts';
import { drawList, type DrawTask, type Entry, type Region, type Ways } from './lists.ts';
import { drawRun } from './runs.ts';
import { listIn, objectIn, reused, textIn } from './shelf.ts';
import { inside, programOf, templateOf } from './templates.ts';

/** A node to be drawn for a task: where it stands, and the envelope it has. */
export interface Sketch {
  readonly desk: Desk;
  readonly entry: Entry;
  readonly region: Region;
  readonly ways: Ways;
  readonly envelope: Envelope;
  /** The id of its node, which is not the task's if it lies inside that. */
  readonly id: string;
  /** Nobody wrote this node. */
  readonly hidden: boolean;
  readonly draw: DrawTask;
  /** The number under which the node around it knows where to go on. */
  readonly pick?: (then: string | undefined) => number;
}

export function drawTask(desk: Desk): DrawTask {
  const draw: DrawTask = (entry, region, ways) => {
    const envelope = envelopeOf(desk, entry, region, ways);
    const sketch = { desk, entry, region, ways, envelope, id: entry.id, hidden: false, draw };
    const extensions = extensionsFor(desk, entry, region);
    const timeout = timeoutOf(desk, entry.task['timeout']);
    if (timeout !== undefined) return drawTimed(sketch, timeout, extensions);
    if (extensions.length > 0) {
      drawWrapped(sketch, (inner) => drawExtended(inner, extensions));
    } else if (envelope.input?.as !== undefined && waits(entry.task)) {
      drawWrapped(sketch, drawBare);
    } else drawBare(sketch);
  };
  return draw;
}

/** Where a task's own definition of a time stands, by name or as it is. */
export function timeoutOf({ shelf }: Desk, value: Json | undefined): Json | undefined {
  const timeout = typeof value === 'string' ? reused(shelf, 'timeouts', value) : value;
  return isJsonObject(timeout) ? timeout['after'] : undefined;
}

const WAITING: readonly string[] = ['call', 'wait', 'listen', 'run', 'try'];

function waits(task: JsonObject): boolean {
  return WAITING.some((keyword) => Object.hasOwn(task, keyword));
}

/** The task as an outer node with the envelope, and in its region what it is for. */
function drawWrapped(sketch: Sketch, drawInner: (inner: Sketch) => string): string {
  const { desk, entry, region, id, hidden, pick } = sketch;
  const picks: (EdgeId | null)[] = [];
  const inner = innerOf(sketch, `${id}#task`, id);
  const body = drawInner({ ...inner, pick: pick ?? pickerFor(sketch, picks) });
  const task = outerOf(sketch);
  // What lies in another passes on what was picked; the outermost follows it.
  const settings = { task, body, ...(pick === undefined ? { picks } : {}) };
  desk.drawing.add({ id, kind: 'sw-do', settings, parent: region.owner, hidden, at: entry.at });
  return id;
}

/** What lies inside cannot lead outside: it says by a number where the task goes on. */
function pickerFor(
  { ways }: Sketch,
  picks: (EdgeId | null)[],
): (then: string | undefined) => number {
  return (then) => picks.push(ways(then)) - 1;
}

/** A sketch of what lies in the region of a task's own node. */
function innerOf(sketch: Sketch, id: string, owner: string): Sketch {
  const { entry, region } = sketch;
  const inside = { ...region, owner, exit: 'list' as const };
  const envelope: Envelope = {
    ...bareOf({ ...entry, id }, region),
    ...{ next: null, inner: true, ...inwardOf(sketch) },
  };
  return { ...sketch, id, region: inside, ways: () => null, envelope, hidden: true };
}

/** The envelope but for what is made further inside. */
function outerOf(sketch: Sketch): Envelope {
  const { envelope } = sketch;
  if (Object.keys(inwardOf(sketch)).length === 0) return envelope;
  const { output: _output, export: _export, ...outer } = envelope;
  return outer;
}

/** How a call was authenticated is known with the call alone: what asks for it is made there. */
function inwardOf({ entry, envelope }: Sketch): Pick<Envelope, 'output' | 'export'> {
  const { output, export: exported } = envelope;
  const asks = JSON.stringify([output, exported]).includes('$authorization');
  if (!asks || !Object.hasOwn(entry.task, 'call')) return {};
  return {
    ...(output === undefined ? {} : { output }),
    ...(exported === undefined ? {} : { export: exported }),
  };
}

function drawTimed(sketch: Sketch, after: Json, extensions: readonly Extension[]): void {
  const { desk, entry, region, id, hidden } = sketch;
  const { drawing } = desk;
  const body = `${id}#start`;
  const picks: (EdgeId | null)[] = [];
  const settings = { task: outerOf(sketch), body, branches: null, picks };
  drawing.add({ id, kind: 'sw-fork', settings, parent: region.owner, hidden, at: entry.at });
  const spot = inside(inside(spotOf(entry, region), 'timeout'), 'after');
  const limit = { at: entry.at, after: templateOf(drawing, after, spot) };
  drawRace(drawing, id, entry.at, limit);
  const inner = innerOf(sketch, `${id}#task`, id);
  const racing = {
    ...{ ...inner, envelope: { ...inner.envelope, prevails: true as const } },
    pick: pickerFor(sketch, picks),
  };
  drawing.lead(body, racing.id);
  if (extensions.length === 0) drawBare(racing);
  else drawWrapped(racing, (deeper) => drawExtended(deeper, extensions));
}

/** What competes with a task: its time. */
export function drawRace(
  drawing: Drawing,
  owner: string,
  at: string,
  limit: { readonly at: string; readonly after: Template; readonly whole?: true },
): void {
  const [start, timer] = [`${owner}#start`, `${owner}#timeout`];
  const hidden = { parent: owner, hidden: true, at };
  drawing.add({ id: start, kind: 'sw-spread', settings: {}, ...hidden });
  drawing.add({ id: timer, kind: 'sw-deadline', settings: limit, ...hidden });
  // First, so that what is done at once finds its time running.
  drawing.lead(start, timer);
}

/** What the task is for; the id of its node. */
export function drawBare(sketch: Sketch): string {
  drawKind(sketch);
  return sketch.id;
}

function drawKind(sketch: Sketch): void {
  const { task } = sketch.entry;
  if ('do' in task && !('for' in task)) return drawDo(sketch);
  if ('set' in task) return drawSet(sketch);
  if ('switch' in task) return drawSwitch(sketch);
  if ('for' in task) return drawFor(sketch);
  if ('fork' in task) return drawFork(sketch);
  if ('try' in task) return drawTry(sketch);
  if ('raise' in task) return drawRaise(sketch);
  if ('wait' in task) return drawWait(sketch);
  if ('emit' in task) return drawEmit(sketch);
  if ('listen' in task) return drawListen(sketch);
  if ('run' in task) return drawRun(sketch);
  return drawCall(sketch);
}

/** The node itself, with its envelope and whatever its kind wants. */
export function put(sketch: Sketch, kind: string, settings: object): void {
  const { desk, entry, region, envelope, id, hidden } = sketch;
  const whole = { task: envelope, ...settings };
  desk.drawing.add({ id, kind, settings: whole, parent: region.owner, hidden, at: entry.at });
}

/** Where a task goes on that says so itself, and not by its own `then`. */
export function wayOf({ ways, pick }: Sketch, then: string | undefined): Picked {
  return pick === undefined ? { next: ways(then) } : { next: null, pick: pick(then) };
}

/** A region of the task's own, for a list of tasks inside it. */
export function regionIn({ region, id }: Sketch, more: Partial<Region> = {}): Region {
  const { whole: _, ...outer } = region;
  return { ...outer, owner: id, exit: 'list', ...more };
}

function drawDo(sketch: Sketch): void {
  const { desk, entry, draw } = sketch;
  const list = listIn(entry.task, 'do');
  const body = drawList(desk.drawing, list, `${entry.at}/do`, regionIn(sketch), draw);
  put(sketch, 'sw-do', { body });
}

function drawSet(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const spot = inside(spotOf(entry, region), 'set');
  const set = templateOf(desk.drawing, entry.task['set'] ?? null, spot);
  put(sketch, 'sw-set', { set });
}

function drawSwitch(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const cases: SwitchCase[] = [];
  let otherwise: Picked | undefined;
  const list = listIn(entry.task, 'switch');
  for (const [n, item] of list.entries()) {
    for (const [name, value] of Object.entries(item as JsonObject)) {
      const way = wayOf(sketch, textIn(value, 'then'));
      const { when } = isJsonObject(value) ? value : {};
      const spot = inside(inside(inside(spotOf(entry, region), 'switch'), n), name);
      if (typeof when !== 'string') otherwise ??= way;
      else cases.push({ when: programOf(desk.drawing, when, inside(spot, 'when')), ...way });
    }
  }
  put(sketch, 'sw-switch', { cases, ...(otherwise === undefined ? {} : { otherwise }) });
}

function drawRaise(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const { error } = objectIn(entry.task, 'raise');
  const isNamed = typeof error === 'string';
  const value = isNamed ? reused(desk.shelf, 'errors', error) : error;
  const at = isNamed ? `/use/errors/${error}` : `${entry.at}/raise/error`;
  const template = templateOf(desk.drawing, value ?? {}, { at, vars: region.vars });
  put(sketch, 'sw-raise', { error: template });
}

function drawWait(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const spot = inside(spotOf(entry, region), 'wait');
  put(sketch, 'sw-wait', { wait: templateOf(desk.drawing, entry.task['wait'] ?? null, spot) });
}

function drawEmit(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const event = objectIn(objectIn(entry.task, 'emit'), 'event');
  const at = `${entry.at}/emit/event/with`;
  const template = templateOf(desk.drawing, event['with'] ?? {}, { at, vars: region.vars });
  put(sketch, 'sw-emit', { event: template });
}
