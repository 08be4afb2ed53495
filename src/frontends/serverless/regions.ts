/** Tasks that have lists of tasks inside them, and what happens with those: for, fork, try. */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Mutable } from '../../base/mutable.ts';
import type { CatchConfig, RetryPolicy, Template } from '../../model/serverless.ts';
import { spotOf } from './envelopes.ts';
import { drawList, entriesOf } from './lists.ts';
import { listIn, objectIn, reused, textIn } from './shelf.ts';
import {
  escaped,
  expressionOrValue,
  inside,
  programOf,
  type Spot,
  templateOf,
} from './templates.ts';
import { checkVariable, drawRace, put, regionIn, type Sketch, wayOf } from './sketch.ts';

/** The loop's node, in its region what runs the passes, and in the region of that the tasks. */
export function drawFor(sketch: Sketch): void {
  const { desk, entry, region, id, draw } = sketch;
  const { drawing } = desk;
  const loop = objectIn(entry.task, 'for');
  const [each, index] = [textIn(loop, 'each') ?? 'item', textIn(loop, 'at') ?? 'index'];
  for (const [key, name] of [
    ['each', each],
    ['at', index],
  ] as const) {
    checkVariable(sketch, name, `${entry.at}/for/${key}`);
  }
  const vars = [...region.vars, each, index];
  const runner = `${id}#pass`;
  const inner = regionIn(sketch, { owner: runner, vars, exit: 'loop' });
  const body = drawList(drawing, listIn(entry.task, 'do'), `${entry.at}/do`, inner, draw);
  const spot = spotOf(entry, region);
  const over = expressionOrValue(drawing, loop['in'] ?? null, inside(inside(spot, 'for'), 'in'));
  put(sketch, 'sw-for', { in: over, body: body === null ? null : runner });
  const { while: condition } = entry.task;
  const asked =
    typeof condition === 'string'
      ? { while: programOf(drawing, condition, { at: `${entry.at}/while`, vars }) }
      : {};
  if (body === null) return;
  const settings = { at: entry.at, each, index, body, ...asked };
  drawing.add({ id: runner, kind: 'sw-pass', settings, parent: id, hidden: true, at: entry.at });
}

/** The branches, all in the region of the fork; each keeps its output for itself. */
export function drawFork(sketch: Sketch): void {
  const { desk, entry, id, draw } = sketch;
  const { drawing } = desk;
  const fork = objectIn(entry.task, 'fork');
  const competes = fork['compete'] === true;
  const inner = regionIn(sketch);
  const entries = entriesOf(listIn(fork, 'branches'), `${entry.at}/fork/branches`, inner);
  const body = entries.length === 0 ? null : `${id}#start`;
  const names = entries.map((_, n) => `$branch${n}`);
  put(sketch, 'sw-fork', { body, branches: competes ? null : names });
  if (body === null) return;
  drawing.add({
    id: body,
    kind: 'sw-spread',
    settings: {},
    parent: id,
    hidden: true,
    at: entry.at,
  });
  for (const [n, branch] of entries.entries()) {
    const before = drawing.nodes.length;
    draw(branch, inner, (then) => {
      if (then !== 'end') return null;
      const end = `${branch.id}#end`;
      if (!drawing.nodes.some((node) => node.id === end)) {
        const settings = competes ? {} : { from: names[n] as string };
        drawing.add({ id: end, kind: 'sw-end', settings, parent: id, hidden: true, at: branch.at });
      }
      return drawing.lead(branch.id, end);
    });
    drawing.lead(body, branch.id);
    const more = competes ? { prevails: true } : { into: names[n] as string };
    drawing.amend(before, branch.id, more);
  }
}

/** What is tried, and what is done about errors: two lists in one region. */
export function drawTry(sketch: Sketch): void {
  const { desk, entry, region, draw } = sketch;
  const { drawing } = desk;
  const caught = objectIn(entry.task, 'catch');
  const as = textIn(caught, 'as') ?? 'error';
  checkVariable(sketch, as, `${entry.at}/catch/as`);
  const retry = retryOf(sketch, caught['retry'], as);
  const inner = regionIn(sketch);
  const list = listIn(entry.task, 'try');
  const body = drawTried(sketch, list, retry?.attempt);
  const handling = { ...inner, vars: [...region.vars, as] };
  const handler = drawList(drawing, listIn(caught, 'do'), `${entry.at}/catch/do`, handling, draw);
  const then = textIn(caught, 'then');
  const config = catchOf(sketch, caught, as, retry?.policy);
  put(sketch, 'sw-try', {
    ...{ catch: config, body, handler, handles: Array.isArray(caught['do']) },
    ...(then === undefined ? {} : { caught: wayOf(sketch, then) }),
  });
}

/** The list that is tried; one attempt may have its time. */
function drawTried(
  sketch: Sketch,
  list: readonly Json[],
  attempt: Template | undefined,
): string | null {
  const { desk, entry, id, draw } = sketch;
  const { drawing } = desk;
  const at = `${entry.at}/try`;
  if (attempt === undefined || list.length === 0) {
    return drawList(drawing, list, at, regionIn(sketch), draw);
  }
  const owner = `${id}#attempt`;
  const [task, body] = [`${owner}#task`, `${owner}#start`];
  const bare = { name: entry.name, at: entry.at, next: null, inner: true };
  const outer = { task: bare, body, branches: null };
  const hidden = { hidden: true, at: entry.at };
  drawing.add({ id: owner, kind: 'sw-fork', settings: outer, parent: id, ...hidden });
  drawRace(drawing, owner, entry.at, { at: entry.at, after: attempt });
  const inner = drawList(drawing, list, at, regionIn(sketch, { owner: task }), draw);
  const settings = { task: { ...bare, prevails: true }, body: inner };
  drawing.add({ id: task, kind: 'sw-do', settings, parent: owner, ...hidden });
  drawing.lead(body, task);
  return owner;
}

function catchOf(
  { desk, entry, region }: Sketch,
  caught: JsonObject,
  as: string,
  retry: RetryPolicy | undefined,
): CatchConfig {
  const config: Mutable<CatchConfig> = { as };
  const errors = objectIn(caught, 'errors')['with'];
  if (isJsonObject(errors)) config.errors = errors;
  for (const name of ['when', 'exceptWhen'] as const) {
    const text = caught[name];
    if (typeof text !== 'string') continue;
    const spot = { at: `${entry.at}/catch/${name}`, vars: [...region.vars, as] };
    config[name] = programOf(desk.drawing, text, spot);
  }
  if (retry !== undefined) config.retry = retry;
  return config;
}

interface Retrying {
  readonly policy: RetryPolicy;
  /** How long one attempt may take. */
  readonly attempt?: Template;
}

function retryOf(sketch: Sketch, value: Json | undefined, as: string): Retrying | undefined {
  const { desk, entry, region } = sketch;
  const isNamed = typeof value === 'string';
  const given = isNamed ? reused(desk.shelf, 'retries', value) : value;
  if (!isJsonObject(given)) return undefined;
  const at = isNamed ? `/use/retries/${escaped(value)}` : `${entry.at}/catch/retry`;
  return readRetry(sketch, given, { at, vars: [...region.vars, as] });
}

function readRetry({ desk }: Sketch, given: JsonObject, spot: Spot): Retrying {
  const { drawing } = desk;
  const policy: Mutable<RetryPolicy> = {};
  for (const name of ['when', 'exceptWhen'] as const) {
    const text = given[name];
    if (typeof text === 'string') policy[name] = programOf(drawing, text, inside(spot, name));
  }
  const { delay, backoff } = given;
  if (delay !== undefined) policy.delay = templateOf(drawing, delay, inside(spot, 'delay'));
  const [shape] = isJsonObject(backoff) ? Object.keys(backoff) : [];
  if (shape === 'linear' || shape === 'exponential') policy.backoff = shape;
  const limit = objectIn(given, 'limit');
  const { count, duration } = objectIn(limit, 'attempt');
  if (typeof count === 'number') policy.count = count;
  const limits = inside(spot, 'limit');
  if (limit['duration'] !== undefined) {
    policy.within = templateOf(drawing, limit['duration'], inside(limits, 'duration'));
  }
  const { from, to } = objectIn(given, 'jitter');
  if (from !== undefined && to !== undefined) {
    const range = inside(spot, 'jitter');
    policy.jitter = {
      from: templateOf(drawing, from, inside(range, 'from')),
      to: templateOf(drawing, to, inside(range, 'to')),
    };
  }
  if (duration === undefined) return { policy };
  const one = inside(inside(limits, 'attempt'), 'duration');
  return { policy, attempt: templateOf(drawing, duration, one) };
}
