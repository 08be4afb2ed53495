/**
 * Extensions: tasks that run before and after every task of a kind. They are drawn for each task
 * they apply to, in the order they are declared before it and in reverse after it.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { Desk } from './envelopes.ts';
import { drawList, type Entry, type Region } from './lists.ts';
import { listIn, objectIn, textIn } from './shelf.ts';
import type { Sketch } from './sketch.ts';
import { escaped, programOf } from './templates.ts';

export interface Extension {
  readonly name: string;
  readonly at: string;
  readonly when?: string;
  readonly before: readonly Json[];
  readonly after: readonly Json[];
}

/** Those that apply to a task; none apply to what an extension does. */
export function extensionsFor(
  desk: Desk,
  { task }: Entry,
  { of, vars }: Region,
): readonly Extension[] {
  if (of !== undefined) return [];
  const list = listIn(objectIn(desk.shelf.definition, 'use'), 'extensions');
  return list.flatMap((item, n) => {
    return Object.entries(item as JsonObject).flatMap(([name, given]) => {
      if (!appliesTo(textIn(given, 'extend') ?? '', task)) return [];
      const at = `/use/extensions/${n}/${escaped(name)}`;
      const when = textIn(given, 'when');
      const asked =
        when === undefined
          ? {}
          : { when: programOf(desk.drawing, when, { at: `${at}/when`, vars }) };
      return [
        { name, at, ...asked, before: listIn(given, 'before'), after: listIn(given, 'after') },
      ];
    });
  });
}

const COMPOSITE: readonly string[] = ['do', 'fork'];

function appliesTo(extend: string, task: JsonObject): boolean {
  if (extend === 'all') return true;
  const isLoop = Object.hasOwn(task, 'for');
  if (extend === 'composite') {
    return !isLoop && COMPOSITE.some((keyword) => Object.hasOwn(task, keyword));
  }
  return extend === 'do' ? Object.hasOwn(task, 'do') && !isLoop : Object.hasOwn(task, extend);
}

/** What comes before, the task, and what comes after, one after the other. */
export function drawExtended(
  sketch: Sketch,
  extensions: readonly Extension[],
  drawBare: (sketch: Sketch) => string,
): string {
  const { desk, id } = sketch;
  const before = extensions.filter((each) => each.before.length > 0);
  const after = extensions.filter((each) => each.after.length > 0).reverse();
  const asides = [
    ...before.map((each) => ({ ...each, list: each.before, part: 'before' as const })),
    ...after.map((each) => ({ ...each, list: each.after, part: 'after' as const })),
  ];
  const ids = asides.map(({ at, part }) => `${sketch.entry.id}>${at}/${part}`);
  const order = [...ids.slice(0, before.length), id, ...ids.slice(before.length)];
  const nextOf = (from: string): ReturnType<Desk['drawing']['lead']> | null => {
    const to = order[order.indexOf(from) + 1];
    return to === undefined ? null : desk.drawing.lead(from, to);
  };
  for (const [n, aside] of asides.entries()) {
    const own = ids[n] as string;
    drawAside(sketch, own, { ...aside, next: nextOf(own) });
  }
  drawBare({ ...sketch, envelope: { ...sketch.envelope, next: nextOf(id) } });
  return order[0] as string;
}

interface Aside extends Extension {
  readonly list: readonly Json[];
  readonly part: 'before' | 'after';
  readonly next: ReturnType<Desk['drawing']['lead']> | null;
}

function drawAside(sketch: Sketch, id: string, aside: Aside): void {
  const { desk, entry, region, draw } = sketch;
  const { at, part, list, next, when } = aside;
  const place = `${at}/${part}`;
  const inner: Region = {
    ...{ owner: id, prefix: `${entry.id}>`, vars: region.vars, calling: region.calling },
    // `exit` before a task leaves the task, and not only the list.
    ...{ exit: part === 'before' ? 'loop' : 'list', of: entry.at },
  };
  const body = drawList(desk.drawing, list, place, inner, draw);
  const settings = {
    ...{ at: place, of: entry.at, body, next },
    ...(when === undefined ? {} : { when }),
    ...(part === 'after' ? { after: true } : {}),
    ...(objectIn(entry.task, 'input')['from'] === undefined ? {} : { shaped: true }),
    ...(JSON.stringify(list).includes('$task') ? { tells: true } : {}),
  };
  desk.drawing.add({
    id,
    kind: 'sw-aside',
    settings,
    parent: region.owner,
    hidden: true,
    at: place,
  });
}
