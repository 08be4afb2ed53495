/**
 * A list of tasks as a region: each task is a node, and flow directives are edges between them.
 *
 * `continue` leads to the task after, `exit` to the end of the list and `end` to that of the
 * workflow; a name leads to that task of the same list. Tasks that nothing leads to are left out:
 * the definition may have them, a plan has not.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { EdgeId } from '../../model/ids.ts';
import type { Drawing } from './drawing.ts';
import { escaped } from './templates.ts';

/** Where a list lies, and what its tasks see. */
export interface Region {
  /** The node whose region it is. */
  readonly owner: string;
  /** Before the ids of all nodes in it: what is written once may be there several times. */
  readonly prefix: string;
  /** Variables of loops and handlers around it. */
  readonly vars: readonly string[];
  /** What `exit` means: the end of the list, or more than that. */
  readonly exit: 'list' | 'loop';
  /** It is the workflow's own list: its end is that of the workflow. */
  readonly whole?: true;
  /** The task that an extension extends here; extensions are not extended themselves. */
  readonly of?: string;
  /** Functions that are being called around it. */
  readonly calling: readonly string[];
}

export interface Entry {
  readonly name: string;
  readonly task: JsonObject;
  readonly at: string;
  readonly id: string;
}

/** How a task goes on: asked for by the text of a directive; undefined is `continue`. */
export type Ways = (then: string | undefined) => EdgeId | null;

export function entriesOf(list: readonly Json[], at: string, { prefix }: Region): readonly Entry[] {
  return list.flatMap((item, n) => {
    return Object.entries(item as JsonObject).map(([name, task]) => {
      const place = `${at}/${n}/${escaped(name)}`;
      return { name, task: task as JsonObject, at: place, id: prefix + place };
    });
  });
}

export type DrawTask = (entry: Entry, region: Region, ways: Ways) => void;

/** Draws a list; the id of the node it begins with, or null if it is empty. */
export function drawList(
  drawing: Drawing,
  list: readonly Json[],
  at: string,
  region: Region,
  draw: DrawTask,
): string | null {
  const entries = entriesOf(list, at, region);
  const drawn = new Set<number>();
  const open = entries.length === 0 ? [] : [0];
  const reach = (n: number): void => {
    if (drawn.has(n)) return;
    drawn.add(n);
    open.push(n);
  };
  drawn.add(0);
  for (let n = open.shift(); n !== undefined; n = open.shift()) {
    const from = n;
    const entry = entries[from];
    if (entry === undefined) continue;
    draw(entry, region, (then) => {
      const to = targetOf(entries, from, then);
      if (typeof to === 'number') reach(to);
      return wayTo(drawing, region, entry.id, to, entries);
    });
  }
  return entries[0]?.id ?? null;
}

/** `done` is the end of the list by its last task, which leaves nothing. */
type Target = number | 'exit' | 'end' | 'done';

function targetOf(entries: readonly Entry[], from: number, then: string | undefined): Target {
  if (then === 'exit' || then === 'end') return then;
  const next = from + 1 < entries.length ? from + 1 : 'done';
  if (then === undefined || then === 'continue') return next;
  const named = entries.findIndex(({ name }) => name === then);
  return named < 0 ? next : named;
}

function wayTo(
  drawing: Drawing,
  region: Region,
  from: string,
  to: Target,
  entries: readonly Entry[],
): EdgeId | null {
  if (typeof to === 'number') {
    const entry = entries[to];
    return entry === undefined ? null : drawing.lead(from, entry.id);
  }
  if (to === 'done') return null;
  const { owner, exit, whole } = region;
  const isOver = to === 'exit' ? exit === 'list' : whole === true;
  if (isOver) return null;
  const id = `${owner}#${to}`;
  if (!drawing.nodes.some((node) => node.id === id)) {
    const kind = to === 'exit' ? 'sw-leave' : 'sw-end';
    drawing.add({ id, kind, settings: {}, parent: owner, hidden: true, at: owner });
  }
  return drawing.lead(from, id);
}
