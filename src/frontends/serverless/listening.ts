/** `listen`: which events, how many of them, and what is done for each. */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Mutable } from '../../base/mutable.ts';
import {
  type Correlation,
  type EarConfig,
  type EventFilter,
  isPattern,
  type Template,
} from '../../model/serverless.ts';
import { bareOf, type Desk, stageOf } from './envelopes.ts';
import { drawList } from './lists.ts';
import { listIn, objectIn, textIn } from './shelf.ts';
import { checkVariable, put, regionIn, type Sketch } from './sketch.ts';
import { inside, programOf, type Spot, templateOf } from './templates.ts';

export function drawListen(sketch: Sketch): void {
  const { desk, entry, region, id } = sketch;
  const listen = objectIn(entry.task, 'listen');
  const spot = { at: `${entry.at}/listen/to`, vars: region.vars };
  const heard = kept(listen, readStrategy(desk, objectIn(listen, 'to'), spot));
  const isNothing = heard.mode === 'all' && heard.filters.length === 0;
  const ear = `${id}#ear`;
  put(sketch, 'sw-listen', { body: isNothing ? null : ear });
  if (isNothing) return;
  const { drawing } = desk;
  const { foreach: value } = entry.task;
  const foreach = isJsonObject(value) ? { value, at: `${entry.at}/foreach` } : null;
  const feeds = foreach === null ? {} : drawEach(sketch, ear, foreach);
  const again = 'feeds' in feeds ? drawing.lead(ear, ear) : null;
  const read = textIn(listen, 'read') ?? 'data';
  const settings = { at: entry.at, ...heard, read, again, ...feeds };
  drawing.add({ id: ear, kind: 'sw-ear', settings, parent: id, hidden: true, at: entry.at });
}

/** What starts a workflow by events hears them for ever, and gathers those that belong together. */
function kept(listen: JsonObject, heard: Strategy): Strategy {
  return listen['keeps'] === true
    ? { mode: heard.mode === 'all' ? 'gather' : 'each', filters: heard.filters }
    : heard;
}

/** What is done for each of them, as it is written. */
interface Foreach {
  readonly value: JsonObject;
  readonly at: string;
  /** Where more of them come from, when something was done for all. */
  readonly back?: string;
}

/** What is done for each, by a node beside the one that hears or fetches them. */
export function drawEach(
  sketch: Sketch,
  source: string,
  { value: foreach, at, back }: Foreach,
): Pick<EarConfig, 'feeds'> {
  const { desk, entry, region, id, draw } = sketch;
  const { drawing } = desk;
  const [item, index] = [textIn(foreach, 'item') ?? 'item', textIn(foreach, 'at') ?? 'index'];
  checkVariable(sketch, item, `${at}/item`);
  checkVariable(sketch, index, `${at}/at`);
  const vars = [...region.vars, item, index];
  const runner = `${id}#each`;
  const inner = regionIn(sketch, { owner: runner, vars });
  const list = drawList(drawing, listIn(foreach, 'do'), `${at}/do`, inner, draw);
  const body = list ?? drawItem(sketch, runner, item);
  const output = stageOf(desk, foreach['output'], { at: `${at}/output`, vars });
  const exported = stageOf(desk, foreach['export'], { at: `${at}/export`, vars });
  const settings = {
    ...{ at: entry.at, item, index, body },
    ...(output === undefined ? {} : { output }),
    ...(exported === undefined ? {} : { export: exported }),
    ...(back === undefined ? {} : { back: drawing.lead(runner, back) }),
    ...(objectIn(entry.task, 'listen')['keeps'] === true ? { keeps: true } : {}),
  };
  drawing.add({ id: runner, kind: 'sw-each', settings, parent: id, hidden: true, at: entry.at });
  return { feeds: drawing.lead(source, runner) };
}

/** Without tasks an event comes to what it is. */
function drawItem({ desk, entry, region }: Sketch, owner: string, item: string): string {
  const id = `${owner}#item`;
  const task = { ...bareOf({ ...entry, id }, region), next: null };
  const settings = { task, set: { jq: `$${item}` } };
  desk.drawing.add({ id, kind: 'sw-set', settings, parent: owner, hidden: true, at: entry.at });
  return id;
}

type Strategy = Pick<EarConfig, 'mode' | 'filters' | 'until'>;

/** `one`, `any` (perhaps until something) or `all`. */
function readStrategy(desk: Desk, to: JsonObject, spot: Spot): Strategy {
  if (isJsonObject(to['one'])) {
    return { mode: 'one', filters: [readFilter(desk, to['one'], inside(spot, 'one'))] };
  }
  const mode = Array.isArray(to['all']) ? 'all' : 'any';
  const list = inside(spot, mode);
  const filters = listIn(to, mode).map((filter, n) => readFilter(desk, filter, inside(list, n)));
  const { until } = to;
  if (mode === 'all' || until === undefined) return { mode, filters };
  const end = inside(spot, 'until');
  if (typeof until === 'string') {
    return { mode, filters, until: { when: programOf(desk.drawing, until, end) } };
  }
  if (!isJsonObject(until)) return { mode, filters };
  const { mode: how, filters: ends } = readStrategy(desk, until, end);
  return { mode, filters, until: { isAll: how === 'all', filters: ends } };
}

function readFilter(desk: Desk, filter: Json, spot: Spot): EventFilter {
  const wanted = Object.entries(objectIn(filter, 'with')).map(
    ([name, value]) =>
      [name, templateOf(desk.drawing, value, inside(inside(spot, 'with'), name))] as const,
  );
  const keys = Object.entries(objectIn(filter, 'correlate')).map(([key, given]) =>
    readCorrelation(desk, key, given, inside(inside(spot, 'correlate'), key)),
  );
  const type = literalType(wanted.find(([name]) => name === 'type')?.[1]);
  return { with: wanted, correlate: keys, ...(type === undefined ? {} : { type }) };
}

function readCorrelation(desk: Desk, key: string, given: Json, spot: Spot): Correlation {
  const { from, expect } = isJsonObject(given) ? given : {};
  const correlation: Mutable<Correlation> = {
    key,
    from: programOf(desk.drawing, typeof from === 'string' ? from : '.', inside(spot, 'from')),
  };
  if (expect !== undefined) {
    correlation.expect = templateOf(desk.drawing, expect, inside(spot, 'expect'));
  }
  return correlation;
}

/** A type that is no pattern is the only one that fits, and can be subscribed to. */
function literalType(template: Template | undefined): string | undefined {
  if (template === undefined || !('lit' in template) || typeof template.lit !== 'string') {
    return undefined;
  }
  return isPattern(template.lit) ? undefined : template.lit;
}
