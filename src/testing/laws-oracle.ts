/**
 * What a structured definition comes to, worked out without tokens: a walk over the tree of blocks,
 * branches one after the other, with the same closures and the same answers. A fault is thrown and
 * a try catches it. It shares no line with the kernel, so the two agree only if both are right.
 */
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Code, CodeView } from '../model/definition.ts';
import type { Fault } from '../model/instance.ts';
import type { NodeId } from '../model/ids.ts';
import { intentOf, outputOf as handedIn } from './laws-asks.ts';
import { armOf, setsFor, timesOut, tryOf, valueFor } from './laws-answers.ts';
import type { Ending } from './laws-ending.ts';
import { childAnswer, failureAt } from './laws-failures.ts';
import type { Block, Row } from './random-blocks.ts';
import { END } from './random-layout.ts';
import { itemOf, sagaOf } from './random-maps.ts';
import type { Drawing } from './story.ts';

/** The seed of the answers, and whether some of them are failures. */
export interface Answering {
  readonly seed: number;
  readonly failures: boolean;
}

export function expectedOf(row: Row, drawing: Drawing, answers: Answering, input: Json): Ending {
  const walk: Walk = { drawing, ...answers, input, visits: new Map(), output: null };
  const { visits } = walk;
  const vars = { ...drawing.draft.vars };
  const root: Floor = { above: null, results: {}, vars, index: null, item: null, path: '' };
  try {
    const ended = walkRow(walk, row, root);
    if (!ended) walk.output = { ...root.results };
  } catch (thrown) {
    if (!(thrown instanceof Raised)) throw thrown;
    return { status: 'failed', output: walk.output, fault: thrown.fault.code, visits };
  }
  return { status: 'completed', output: walk.output, fault: null, visits };
}

/** A fault on its way out. */
class Raised extends Error {
  readonly fault: Fault;

  constructor(fault: Omit<Fault, 'node'>, node: string) {
    super(fault.code);
    this.fault = { ...fault, node: node as NodeId };
  }
}

interface Walk extends Answering {
  readonly drawing: Drawing;
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
  readonly item: Json;
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
      return walkStep(walk, id, floor);
    case 'call':
      return walkCall(walk, id, floor);
    case 'fail': {
      const { error = ask(walk, id, 'error', viewOf(walk, floor)) as Json } = settingsOf(walk, id);
      throw new Raised(error as unknown as Fault, id);
    }
    case 'try':
      return walkTry(walk, block, floor);
    case 'emit':
      return;
    case 'first':
      return walkFirst(walk, id, floor);
    case 'many': {
      const arms = rows.slice(0, -1);
      const holds = arms.filter(
        (_, arm) => ask(walk, id, `when.a${arm}`, viewOf(walk, floor)) === true,
      );
      const taken = holds.length > 0 ? holds : rows.slice(-1);
      for (const row of taken) walkInside(walk, row, floor);
      return;
    }
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
    case 'map':
      return walkMap(walk, block, floor);
    case 'task':
      floor.results[id] = handedIn({ node: id, path: floor.path, seed: walk.seed });
      return;
    case 'approve':
      return walkApproval(walk, id, floor);
    default:
      throw new Error(`the oracle does not know the kind "${kind}"`);
  }
}

function walkStep(walk: Walk, id: string, floor: Floor): void {
  const { seed, failures } = walk;
  const { path } = floor;
  const policy = settingsOf(walk, id)['retry'] as { readonly maxAttempts?: number } | undefined;
  for (let tries = 0; failures; tries += 1) {
    const failed = failureAt({ node: id, path, tries, seed });
    if (failed === null) break;
    const last = tries + 1 >= (policy?.maxAttempts ?? 1);
    const doubt = failed.inDoubt === true ? { unanswered: true as const } : {};
    if (last || failed.final || failed.fault.fatal) {
      throw new Raised({ ...failed.fault, ...doubt }, id);
    }
  }
  floor.results[id] = valueFor(id, path, seed);
  for (const { name, value, in: where } of setsFor(id, path, seed)) {
    (where === 'scope' ? floor : topOf(floor)).vars[name] = value;
  }
}

function walkCall(walk: Walk, id: string, floor: Floor): void {
  const { seed, failures } = walk;
  const answer = childAnswer({ node: id, path: floor.path, seed }, failures);
  const { flow } = settingsOf(walk, id);
  if (answer.status === 'completed') floor.results[id] = answer.output;
  if (answer.status === 'canceled') {
    const message = `the instance of ${JSON.stringify(flow)} was canceled`;
    throw new Raised({ code: 'call.canceled', message }, id);
  }
  if (answer.status === 'failed') {
    const { code, message, node } = answer.fault;
    throw new Raised({ code, message, details: { failedAt: node } }, id);
  }
}

function walkFirst(walk: Walk, id: string, floor: Floor): void {
  type Arm = { readonly arm: string; readonly event?: string; readonly afterMs?: number | null };
  const arms = settingsOf(walk, id)['arms'] as unknown as readonly Arm[];
  const view = viewOf(walk, floor);
  const lengthOf = ({ arm, afterMs }: Arm): number =>
    afterMs ?? Number(ask(walk, id, `after.${arm}`, view));
  const timers = arms.filter(({ event }) => event === undefined);
  const [soonest] = timers.toSorted((a, b) => lengthOf(a) - lengthOf(b));
  const any = arms.flatMap(({ arm, event }) =>
    event === undefined ? [] : [{ arm, type: event, key: '' }],
  );
  const timer = soonest === undefined ? {} : { timer: soonest.arm };
  const met = armOf({ any, ...timer }, id, floor.path, walk.seed);
  const data = met === null ? null : valueFor(id, floor.path, walk.seed);
  floor.results[id] = { arm: met?.arm ?? soonest?.arm ?? '', data };
}

/** The region again and again while its policy says so, then whatever is done about the fault. */
function walkTry(walk: Walk, { id, rows }: Block, floor: Floor): void {
  const { caught, errors, asks, retry } = settingsOf(walk, id);
  const policy = retry as { readonly maxAttempts: number; readonly asks?: true } | undefined;
  const [body = [], mend = []] = rows;
  for (let tries = 0; ; tries += 1) {
    const path = tries === 0 ? floor.path : triedPath(id, tries, floor.path);
    try {
      return walkInside(walk, body, floor, path);
    } catch (thrown) {
      if (!(thrown instanceof Raised)) throw thrown;
      const { fault } = thrown;
      const view = { ...viewOf(walk, floor), error: fault };
      if (Array.isArray(errors) && !errors.includes(fault.code)) throw thrown;
      if (asks === true && ask(walk, id, 'when', view) !== true) throw thrown;
      const left = policy !== undefined && tries + 1 < policy.maxAttempts && fault.fatal !== true;
      if (left && (policy.asks !== true || ask(walk, id, 'retry.when', view) === true)) continue;
      if (caught === undefined) throw thrown;
      floor.results[id] = fault as unknown as Json;
      return walkInside(walk, mend, floor);
    }
  }
}

function triedPath(id: string, tries: number, path: string): string {
  return path === '' ? tryOf(id, tries) : `${tryOf(id, tries)}/${path}`;
}

function walkSet(walk: Walk, id: string, floor: Floor): void {
  const value = ask(walk, id, 'value', viewOf(walk, floor)) as Json;
  floor.results[id] = value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const where = settingsOf(walk, id)['in'] === 'instance' ? topOf(floor) : floor;
  Object.assign(where.vars, value);
}

/** A row in a scope of its own, whose results go up when it is done. */
function walkInside(walk: Walk, row: Row, floor: Floor, path: string = floor.path): void {
  const inside = { ...floor, above: floor, results: {}, vars: {}, path };
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
    const pass = { results: {}, vars: {}, index, item: floor.item };
    last = { above: floor, ...pass, path: `${id}#${index}${before}` };
    walkRow(walk, rows[0] ?? [], last);
    const after = { ...viewOf(walk, last), index };
    if (check === 'until' && ask(walk, id, 'until', after) === true) break;
  }
  Object.assign(floor.results, last?.results);
}

/** One item after the other: where it matters who is first, the oracle is not asked. */
function walkMap(walk: Walk, { id, rows, seed }: Block, floor: Floor): void {
  const { over = ask(walk, id, 'over', viewOf(walk, floor)) } = settingsOf(walk, id);
  const runner = itemOf(id);
  const { as, last, collects, asks, settles } = settingsOf(walk, runner);
  const results: Json[] = [];
  for (const [index, item] of (over as readonly Json[]).entries()) {
    const before = floor.path === '' ? '' : `/${floor.path}`;
    const vars = typeof as === 'string' ? { [as]: item } : {};
    const path = `${runner}#${index}${before}`;
    const inside: Floor = { above: floor, results: {}, vars, index, item, path };
    try {
      // What is undone by itself lies in a scope of its own.
      if (sagaOf(seed) === null) walkRow(walk, rows[0] ?? [], inside);
      else walkInside(walk, rows[0] ?? [], inside);
    } catch (thrown) {
      if (!(thrown instanceof Raised) || settles !== true) throw thrown;
      results.push({ status: 'rejected', reason: thrown.fault as unknown as Json });
      continue;
    }
    const { results: all } = inside;
    const whole = typeof last === 'string' ? (all[last] ?? null) : all;
    const view = viewOf(walk, inside);
    const value = collects === true ? (ask(walk, runner, 'collect', view) as Json) : whole;
    results.push(settles === true ? { status: 'fulfilled', value } : value);
    if (asks === true && ask(walk, runner, 'until', view) === true) break;
  }
  floor.results[id] = results;
}

/** Whatever the people are, they come to what they meant to, unless time or the rules are first. */
function walkApproval(walk: Walk, id: string, floor: Floor): void {
  const { fixed, asks, onEmpty, onReject, onTimeout, revisions, rule } = settingsOf(walk, id);
  const view = viewOf(walk, floor);
  const part = (name: string): Json => {
    const isAsked = (asks as readonly string[]).includes(name);
    return isAsked ? (ask(walk, id, name, view) as Json) : ((fixed as JsonObject)[name] ?? null);
  };
  const approvers = part('approvers');
  const groups = Array.isArray(approvers) ? [] : Object.entries((approvers ?? {}) as JsonObject);
  const vacant = groups.filter(([, names]) => (names as readonly Json[]).length === 0);
  const isEmpty = Object.values(approvers ?? []).flat().length === 0;
  const lacking = isPerGroup(rule) ? vacant.map(([name]) => name) : [];
  if ((isEmpty || lacking.length > 0) && onEmpty === 'fail') {
    const where = lacking.length === 0 ? '' : ` in ${lacking.join(', ')}`;
    const message = `"${id}" has no approvers${where}`;
    throw new Raised({ code: 'approval.no-approvers', message }, id);
  }
  const intent = intentOf({ node: id, path: floor.path, seed: walk.seed });
  const ends = part('timeout') !== null && intent.timesOut && isDecision(onTimeout);
  const most = (revisions ?? 3) as number;
  const isSentBack = part('submitter') !== null && most > 0 && intent.revises > most;
  const meant = ends ? onTimeout : isSentBack ? 'reject' : intent.decision;
  const decision = isEmpty && onEmpty === 'approve' ? 'approve' : (meant as Json);
  // Only this of it is compared (see `timeless`).
  const result = { decision, votes: [], submission: null };
  if (onReject !== 'fail' || decision === 'approve') {
    floor.results[id] = result;
    return;
  }
  const message = `"${id}" was ${decision === 'reject' ? 'rejected' : 'recalled'} by somebody`;
  const fault = { code: 'approval.rejected', message, details: { result }, fatal: true } as const;
  throw new Raised(fault, id);
}

function isPerGroup(rule: Json | undefined): boolean {
  return isJsonObject(rule) && 'perGroup' in rule;
}

function isDecision(onTimeout: Json | undefined): boolean {
  return onTimeout === 'approve' || onTimeout === 'reject';
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
  return { input, results, vars, item: floor.item, index: floor.index };
}

function topOf(floor: Floor): Floor {
  let top = floor;
  while (top.above !== null) top = top.above;
  return top;
}
