/**
 * What a task or an approval is given: each part is fixed in the definition or made by a closure
 * when a token comes. Both are read by the same functions, so what is wrong is said alike, as a
 * diagnostic or as a fault.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Move, Place, View } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { Instant } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import type { Task } from '../model/task.ts';
import { badPart, type Readers } from '../model/task-parts.ts';
import { problem } from './settings.ts';

/** The parts that are fixed, and the names of those that closures make. */
export type Given = {
  readonly fixed: JsonObject;
  readonly asks: readonly string[];
};

/** Fixed parts are checked here already; what closures make is checked when it is there. */
export function compileGiven(draft: DraftNode, readers: Readers, problems: Diagnostic[]): Given {
  const { fixed = EMPTY, asks = [] } = draft.settings;
  const isRead = isJsonObject(fixed) && Array.isArray(asks);
  const names = isRead ? [...Object.keys(fixed), ...asks] : [null];
  const unknown = names.filter((name) => readers[String(name)] === undefined);
  if (!isRead || unknown.length > 0) {
    const known = Object.keys(readers).join(', ');
    const message = `"${draft.id}" is given ${unknown.join(', ')}; its parts are ${known}`;
    problems.push(problem(draft, 'bad-parts', message));
    return { fixed: EMPTY, asks: [] };
  }
  for (const [name, value] of Object.entries(fixed)) {
    const read = value === null ? undefined : readers[name]?.(value, 0 as Instant);
    if (read === undefined || read.ok) continue;
    const message = badPart(draft.id, name, read.problem, value);
    problems.push(problem(draft, `bad-${name}`, message));
  }
  return { fixed, asks: asks as readonly string[] };
}

/** All parts as they are for this token: what is null or left out is not there. */
function givenFor(
  place: Place<Given>,
  view: View,
  readers: Readers,
): Result<Readonly<Record<string, unknown>>, Omit<Fault, 'node'>> {
  const { node } = place;
  const parts: Record<string, unknown> = {};
  const given: Record<string, Json> = { ...node.config.fixed };
  for (const slot of node.config.asks) {
    const made = view.call(place, slot);
    if (!made.ok) return made;
    given[slot] = made.value;
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    const read = readers[name]?.(value, view.now);
    if (read === undefined) continue;
    if (!read.ok) {
      const message = badPart(node.id, name, read.problem, value);
      return no({ code: `${node.kind}.bad-${name}`, message });
    }
    parts[name] = read.value;
  }
  return ok(parts);
}

/** A token comes: the task is opened from its parts, or they are wrong. */
export function opening(
  place: Place<Given>,
  view: View,
  readers: Readers,
  open: (parts: Readonly<Record<string, unknown>>) => Move,
): Move {
  const given = givenFor(place, view, readers);
  return given.ok ? open(given.value) : { move: 'fault', fault: given.problem };
}

/** The parts of a task that were given and that it has under the same name. */
export function partsOf<Name extends keyof Task>(
  parts: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Pick<Task, Name> {
  const there = names.filter((name) => parts[name] !== undefined);
  return Object.fromEntries(there.map((name) => [name, parts[name]])) as Pick<Task, Name>;
}

export const COMMON = ['title', 'data', 'priority', 'due', 'followUp'] as const;
