/** Tasks that are one node and need nothing around it: do, set, switch, raise, wait, emit. */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Picked, SwitchCase } from '../../model/serverless.ts';
import { spotOf } from './envelopes.ts';
import { drawList } from './lists.ts';
import { listIn, objectIn, reused, textIn } from './shelf.ts';
import { put, regionIn, type Sketch, wayOf } from './sketch.ts';
import { escaped, inside, programOf, templateOf } from './templates.ts';

export function drawDo(sketch: Sketch): void {
  const { desk, entry, draw } = sketch;
  const list = listIn(entry.task, 'do');
  const body = drawList(desk.drawing, list, `${entry.at}/do`, regionIn(sketch), draw);
  put(sketch, 'sw-do', { body });
}

export function drawSet(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const spot = inside(spotOf(entry, region), 'set');
  const set = templateOf(desk.drawing, entry.task['set'] ?? null, spot);
  put(sketch, 'sw-set', { set });
}

export function drawSwitch(sketch: Sketch): void {
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

export function drawRaise(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const { error } = objectIn(entry.task, 'raise');
  const isNamed = typeof error === 'string';
  const value = isNamed ? reused(desk.shelf, 'errors', error) : error;
  const at = isNamed ? `/use/errors/${escaped(error)}` : `${entry.at}/raise/error`;
  const template = templateOf(desk.drawing, value ?? {}, { at, vars: region.vars });
  put(sketch, 'sw-raise', { error: template });
}

export function drawWait(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const spot = inside(spotOf(entry, region), 'wait');
  put(sketch, 'sw-wait', { wait: templateOf(desk.drawing, entry.task['wait'] ?? null, spot) });
}

export function drawEmit(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const event = objectIn(objectIn(entry.task, 'emit'), 'event');
  const at = `${entry.at}/emit/event/with`;
  const template = templateOf(desk.drawing, event['with'] ?? {}, { at, vars: region.vars });
  put(sketch, 'sw-emit', { event: template });
}
