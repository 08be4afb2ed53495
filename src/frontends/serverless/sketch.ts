/**
 * What is drawn of a task: a sketch says where its node stands and what it has, and everything that
 * draws one works from that.
 */
import { isJsonObject, type Json } from '../../base/json.ts';
import type { Envelope, Picked, Template } from '../../model/serverless.ts';
import type { Drawing } from './drawing.ts';
import type { Desk } from './envelopes.ts';
import type { DrawTask, Entry, Region, Ways } from './lists.ts';
import { reused } from './shelf.ts';
import { BUILT_IN_VARIABLES } from './templates.ts';

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
  /** Extensions apply to the task. */
  readonly extended: boolean;
  readonly draw: DrawTask;
  /** The number under which the node around it knows where to go on. */
  readonly pick?: (then: string | undefined) => number;
}

/** Where a task's own definition of a time stands, by name or as it is. */
export function timeoutOf({ shelf }: Desk, value: Json | undefined): Json | undefined {
  const timeout = typeof value === 'string' ? reused(shelf, 'timeouts', value) : value;
  return isJsonObject(timeout) ? timeout['after'] : undefined;
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

/** The node itself, with its envelope and whatever its kind wants. */
export function put(sketch: Sketch, kind: string, settings: object): void {
  const { desk, entry, region, envelope, id, hidden } = sketch;
  const whole = { task: envelope, ...settings };
  desk.drawing.add({ id, kind, settings: whole, parent: region.owner, hidden, at: entry.at });
}

/** Where a task goes on that says so itself, and not by its own `then`. */
export function wayOf({ ways, pick, envelope }: Sketch, then: string | undefined): Picked {
  return pick === undefined ? { next: ways(then) } : { next: envelope.next, pick: pick(then) };
}

/** A region of the task's own, for a list of tasks inside it. */
export function regionIn({ region, id }: Sketch, more: Partial<Region> = {}): Region {
  const { whole: _, ...outer } = region;
  return { ...outer, owner: id, exit: 'list', ...more };
}

/** A variable of one's own is not named as one of the language's. */
export function checkVariable({ desk }: Sketch, name: string, at: string): void {
  if (/^[A-Za-z_]\w*$/.test(name) && !BUILT_IN_VARIABLES.includes(name)) return;
  const rule = 'a variable is named with letters, digits and _, and not as one of the language';
  const message = `${rule} (${BUILT_IN_VARIABLES.join(', ')}); came ${JSON.stringify(name)}`;
  desk.drawing.complain('serverless.bad-variable', message, at);
}
