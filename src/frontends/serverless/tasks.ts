/**
 * Tasks as nodes: one for each, and around it whatever its timeout and the extensions ask for.
 *
 * A task with a timeout competes with that in a region of its own. One that extensions apply to
 * stands in the middle of theirs. One whose input is made anew and which then waits has its input
 * kept by a region. In all three the outer node is the task, as people see it, and has its
 * envelope; the inner one does what the task is for.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { EdgeId } from '../../model/ids.ts';
import type { Envelope } from '../../model/serverless.ts';
import { drawCall } from './calls.ts';
import { bareOf, type Desk, envelopeOf, spotOf } from './envelopes.ts';
import { drawExtended, type Extension, extensionsFor } from './extensions.ts';
import { drawListen } from './listening.ts';
import type { DrawTask } from './lists.ts';
import { drawDo, drawEmit, drawRaise, drawSet, drawSwitch, drawWait } from './plain.ts';
import { drawFor, drawFork, drawTry } from './regions.ts';
import { drawRun } from './runs.ts';
import { drawRace, type Sketch, timeoutOf } from './sketch.ts';
import { inside, templateOf } from './templates.ts';

export function drawTask(desk: Desk): DrawTask {
  const draw: DrawTask = (entry, region, ways) => {
    const envelope = envelopeOf(desk, entry, region, ways);
    const extensions = extensionsFor(desk, entry, region);
    const extended = extensions.length > 0;
    const more = { id: entry.id, hidden: false, extended, draw };
    const sketch = { desk, entry, region, ways, envelope, ...more };
    const timeout = timeoutOf(desk, entry.task['timeout']);
    if (timeout !== undefined) return drawTimed(sketch, timeout, extensions);
    if (extended) {
      drawWrapped(sketch, (inner) => drawExtended(inner, extensions, drawBare));
    } else if (envelope.input?.as !== undefined && waits(entry.task)) {
      drawWrapped(sketch, drawBare);
    } else drawBare(sketch);
  };
  return draw;
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
  const { input, inner } = sketch.envelope;
  const inside = { ...region, owner, exit: 'list' as const };
  const envelope: Envelope = {
    ...{ ...bareOf({ ...entry, id }, region), next: null, ...inwardOf(sketch) },
    ...(input?.as === undefined && inner !== true ? {} : { inner: true }),
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

/**
 * What comes after a task that is extended sees its whole output. And how a call was authenticated
 * is known with the call alone: what asks for it is made there.
 */
function inwardOf({ entry, envelope, extended }: Sketch): Pick<Envelope, 'output' | 'export'> {
  const { output, export: exported } = envelope;
  const asks = JSON.stringify([output, exported]).includes('$authorization');
  if (!extended && !(asks && Object.hasOwn(entry.task, 'call'))) return {};
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
  else drawWrapped(racing, (deeper) => drawExtended(deeper, extensions, drawBare));
}

/** What the task is for; the id of its node. */
function drawBare(sketch: Sketch): string {
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
