/**
 * What every task does around what it is for: whether it runs at all, what it is given, what
 * becomes of its output, and where it goes on.
 *
 *     raw input → if → input.schema → input.from → the task → output.as → output.schema
 *               → export.as → export.schema → the next task's raw input, and the context
 *
 * The raw input is the data of the list that the task stands in. It stays there while the task
 * runs, so a task that waits need not keep it.
 */
import { type Json, JSON_DEPTH_MAX, type JsonObject } from '../../base/json.ts';
import { ok } from '../../base/result.ts';
import { checkSchema, toldIn } from '../../expressions/schema/schema.ts';
import type { Close, Move, Place, Said, View, Write } from '../../kernel/kind.ts';
import type { EdgeId, ScopeId } from '../../model/ids.ts';
import type { Fault } from '../../model/instance.ts';
import { CONTEXT, DATA, PICK, RAW, type Stage, type Tasked } from '../../model/serverless.ts';
import { type Evaluated, fill, holds, type Scene } from './expression.ts';
import {
  dataIn,
  lookUp,
  sceneAt,
  type Seen,
  subjectOf,
  type TaskScene,
  whereabouts,
} from './scene.ts';
import { type Trouble, troubleFault } from './trouble.ts';

type Here = Place<Tasked>;

/** Why a task does not run, as the move that follows from that; or what it runs with. */
type Begun = { readonly move: Move } | { readonly input: Json };

function begin(place: Here, view: View): Begun {
  const { task } = place.node.config;
  const raw = dataIn(place.scope);
  if (task.if !== undefined) {
    const runs = holds(task.if, sceneOf(place, view, { raw, input: raw }), raw);
    if (!runs.ok) return { move: fault(place, view, runs.problem) };
    if (!runs.value) return { move: skip(place, raw) };
  }
  if (task.input === undefined) return { input: raw };
  const input = take(task.input, 'input', raw, () => sceneOf(place, view, { raw, input: raw }));
  if (!input.ok) return { move: fault(place, view, input.problem) };
  const large = tooLarge([input.value], view);
  return large === undefined ? { input: input.value } : { move: fault(place, view, large) };
}

/** What a task does once it has its input; or what follows from that it does not run. */
export function entering(place: Here, view: View, run: (input: Json) => Move): Move {
  const begun = begin(place, view);
  return 'move' in begun ? begun.move : run(begun.input);
}

/** As if it were not there: its data stays what it was, and its `then` is not followed. */
export function skip(place: Here, raw: Json): Move {
  const { next, skip: on = next, into } = place.node.config.task;
  const edges = on === null ? [] : [on];
  const writes = into === undefined ? [] : [write(into, raw)];
  // Not as who prevails: a branch that is skipped has not won anything.
  return { move: 'take', edges, writes, outcomes: SKIPPED };
}

const SKIPPED: readonly string[] = Object.freeze(['skipped']);

/** What a task has come to. */
export interface Done extends Said {
  /** What it ran with. */
  readonly input: Json;
  /** What came of it, before `output.as`. */
  readonly output: Json;
  /** The output is what `output` made of it already, and this the context that `export` did. */
  readonly shaped?: { readonly output: boolean; readonly context?: Json };
  /** Where it goes on, if it says so itself: a switch does. */
  readonly next?: EdgeId | null;
  /** Where the node around it goes on. */
  readonly pick?: number;
  readonly close?: ScopeId;
}

/** It is done: its output is made, and it goes on. */
export function finish(place: Here, view: View, done: Done): Move {
  const { task } = place.node.config;
  const { input, output: raw } = done;
  const seen = (more: Partial<Seen>): TaskScene =>
    sceneOf(place, view, { raw: rawOf(place, view), input, output: raw, ...more });
  const isMade = task.output === undefined || done.shaped?.output === true;
  const output = isMade ? ok(raw) : shape(task.output, 'output', raw, () => seen({}));
  if (!output.ok) return fault(place, view, output.problem);
  return goOn(place, view, done, output.value, seen);
}

/** With an output that is made already. */
function goOn(
  place: Here,
  view: View,
  done: Done,
  output: Json,
  seen: (more: Partial<Seen>) => TaskScene,
): Move {
  const { task } = place.node.config;
  const writes: Write[] = [write(task.into ?? DATA, output)];
  const { context: made } = done.shaped ?? {};
  if (made !== undefined) writes.push(exported(made));
  else if (task.export !== undefined) {
    const context = shape(task.export, 'export', output, () => seen({ shown: output }));
    if (!context.ok) return fault(place, view, context.problem);
    writes.push(exported(context.value));
  }
  if (done.pick !== undefined) writes.push(write(PICK, done.pick));
  const large = tooLarge(
    writes.map(({ value }) => value),
    view,
  );
  if (large !== undefined) return fault(place, view, large);
  return leave(place, writes, done);
}

function exported(value: Json): Write {
  return { in: 'instance', space: 'vars', name: CONTEXT, value };
}

function leave(place: Here, writes: readonly Write[], done: Done): Move {
  const { next, prevails } = place.node.config.task;
  const { close: scope, next: to = next, letters, emit, starts } = done;
  const close: { close?: Close } = scope === undefined ? {} : { close: { scope, promote: false } };
  const said: Said = {
    ...(letters === undefined ? {} : { letters }),
    ...(emit === undefined ? {} : { emit }),
    ...(starts === undefined ? {} : { starts }),
  };
  if (prevails === true && to === null) return { move: 'prevail', writes, ...close, ...said };
  return { move: 'take', edges: to === null ? [] : [to], writes, ...close, ...said };
}

export function write(name: string, value: Json): Write {
  return { in: 'scope', space: 'vars', name, value };
}

/** The raw input of the task, which the node around it has kept if that made another of it. */
function rawOf({ node, scope }: Here, view: View): Json {
  const kept = node.config.task.inner === true ? lookUp(view, scope, RAW) : undefined;
  return kept ?? dataIn(scope);
}

function sceneOf(place: Here, view: View, seen: Seen): TaskScene {
  return sceneAt(place, view, subjectOf(place.node.config.task, place.node.id), seen);
}

/** A scene for what a task says of what it is for, once it has its input. */
export function within(place: Here, view: View, input: Json, more: Partial<Seen> = {}): TaskScene {
  return sceneOf(place, view, { raw: rawOf(place, view), input, ...more });
}

export function fault(place: Here, view: View, trouble: Trouble): Extract<Move, { move: 'fault' }> {
  return { move: 'fault', fault: faultAt(place, view, trouble) };
}

function faultAt(place: Here, view: View, trouble: Trouble): Omit<Fault, 'node'> {
  const { at } = subjectOf(place.node.config.task, place.node.id);
  return troubleFault(trouble, whereabouts(at, view));
}

/** What comes in is checked as it is, and then made into what the task sees. */
export function take(stage: Stage, what: string, raw: Json, scene: () => Scene): Evaluated {
  const fits = check(stage, what, raw);
  if (!fits.ok || stage.as === undefined) return fits;
  return fill(stage.as, scene(), raw);
}

/** What goes out is made first, and then checked. */
export function shape(stage: Stage, what: string, raw: Json, scene: () => Scene): Evaluated {
  const made = stage.as === undefined ? ok(raw) : fill(stage.as, scene(), raw);
  return made.ok ? check(stage, what, made.value) : made;
}

function check({ schema }: Stage, what: string, value: Json): Evaluated {
  if (schema === undefined) return ok(value);
  const checked = checkSchema(schema, value);
  const problems = checked.ok ? checked.value : checked.problem;
  if (problems.length === 0) return ok(value);
  const kind = checked.ok ? 'validation' : 'configuration';
  const said = problems.map(toldIn).join('; ');
  const detail = checked.ok ? `the ${what} does not fit its schema: ${said}` : said;
  return { ok: false, problem: { kind, detail } };
}

/** Why these cannot be kept in an instance; undefined if they can. */
export function tooLarge(values: readonly Json[], { limits }: View): Trouble | undefined {
  const { VALUE_CHARS_MAX } = limits;
  for (const value of values) {
    const size = sizeOf(value);
    if (size === null) {
      return { kind: 'runtime', detail: `its data is nested deeper than ${JSON_DEPTH_MAX}` };
    }
    if (size > VALUE_CHARS_MAX) {
      const detail = `its data is ${size} characters of JSON (VALUE_CHARS_MAX ${VALUE_CHARS_MAX})`;
      return { kind: 'runtime', detail };
    }
  }
  return undefined;
}

/** In characters of JSON; null if it is nested too deep to be written. */
function sizeOf(value: Json): number | null {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  const size = lengthOf(value);
  // Two brackets for each level: most are too short to be looked through.
  const isDoubtful = size !== null && size > 2 * JSON_DEPTH_MAX;
  return isDoubtful && isDeep(value, JSON_DEPTH_MAX) ? null : size;
}

function lengthOf(value: Json): number | null {
  try {
    return JSON.stringify(value).length;
  } catch (thrown) {
    // So deep that the stack ends before it does.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

function isDeep(value: Json, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const part of Object.values(value as JsonObject)) {
    if (isDeep(part, left - 1)) return true;
  }
  return false;
}

/** Someone has it go on as if this had come of it. */
export function skipWith(place: Here, view: View, value: Json): Move {
  return finish(place, view, { input: dataIn(place.scope), output: value });
}
