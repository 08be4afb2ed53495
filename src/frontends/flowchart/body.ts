/**
 * Reads a flowchart, the outermost or one inside another, and draws its activities and connections.
 *
 * What is wrong is said, and what is not is drawn all the same: others have something to say about
 * it too, and people hear everything at once.
 */
import { meant } from '../../base/nearest.ts';
import type { DraftNode } from '../../model/draft.ts';
import { show } from '../builder/checks.ts';
import {
  COMMON_FIELDS,
  HANDLER_FIELDS,
  readCanStart,
  readHandled,
  readId,
  readMode,
  readOutcomes,
  readType,
} from './activities.ts';
import { builtInOf, type Inside, type Made } from './built-in.ts';
import {
  type Around,
  type Connected,
  type Connection,
  edgeFor,
  readConnections,
} from './connections.ts';
import { checkFields, fieldsOf, type Part, readList, say, sayOfItem } from './parts.ts';
import {
  type Beginner,
  byFrom,
  endlessAmong,
  likeliestStart,
  reachedFrom,
  startOf,
} from './starts.ts';

/** `owner` has the fields of the flowchart; it lies in the region of `parent`. */
export function readBody(owner: Part, parent: string, prefix: string): Inside {
  const around: Around = { desk: owner.desk, prefix, owner };
  const activities = readActivities(around, parent);
  const list = readLines(owner);
  if (activities === undefined) return { body: null, nodes: [], edges: [] };
  const known = new Map(activities.map((activity) => [activity.id, activity]));
  const connections = readConnections(around, list ?? [], known);
  const start = readStart(owner, activities, connections);
  // Where it begins may be wrong, and still some may be lost from wherever that was meant to be.
  const begins = start === undefined ? likeliestStart([...known.keys()], connections) : start;
  if (typeof begins === 'string' && list !== undefined)
    checkReached(prefix, begins, known, connections);
  checkEndless(known, connections);
  if (start === null) return { body: null, nodes: [], edges: [] };
  const ways = connections.filter(({ isSound, from, to }) => {
    return isSound && known.get(from)?.node !== undefined && known.get(to)?.node !== undefined;
  });
  const leaving = byFrom(ways);
  return {
    body: start === undefined ? null : prefix + start,
    nodes: [...known.values()].flatMap((activity) => {
      return drawActivity(activity, prefix, leaving.get(activity.id) ?? []);
    }),
    edges: [
      ...ways.map((way) => edgeFor(prefix, way)),
      ...[...known.values()].flatMap(({ made }) => made?.edges ?? []),
    ],
  };
}

function readLines(owner: Part): readonly unknown[] | undefined {
  if (owner.fields['connections'] === undefined) return [];
  return readList(owner, 'connections', 'flowchart.bad-connections');
}

interface ReadActivity extends Beginner, Connected {
  readonly part: Part;
  /** What it is in the draft, but for its ways; absent if it cannot be there. */
  readonly node?: DraftNode;
  /** What a built-in type has made of it. */
  readonly made?: Made | undefined;
}

function readActivities(around: Around, parent: string): readonly ReadActivity[] | undefined {
  const { owner, desk, prefix } = around;
  const list = readList(owner, 'activities', 'flowchart.bad-activities');
  if (list?.length === 0 && owner.fields['start'] !== null) {
    const message = `${owner.what} has no activities, so there is nothing to start`;
    say(owner, { code: 'flowchart.no-start', message }, 'activities');
  }
  const seen = new Set<string>();
  return list?.flatMap((value, index) => {
    const fields = fieldsOf(value);
    if (fields === undefined) {
      const rule = `activity ${index + 1} of ${owner.what} is an object with "id" and "type"`;
      const message = `${rule}; came ${show(value)}`;
      sayOfItem(owner, ['activities', index], { code: 'flowchart.bad-activity', message });
      return [];
    }
    const { id: name } = fields;
    const node = typeof name === 'string' && name !== '' ? prefix + name : owner.node;
    const whose = node === undefined ? {} : { node };
    const part: Part = { desk, source: value as object, fields, what: owner.what, ...whose };
    const id = readId(part, index);
    if (id === undefined) return [];
    const own = { ...part, what: `"${prefix}${id}"` };
    if (seen.has(id)) {
      const message = `two activities are named ${own.what}: call one of them something else`;
      say(own, { code: 'flowchart.duplicate-id', message }, 'id');
      return [];
    }
    seen.add(id);
    return [readActivity(own, id, { parent, prefix })];
  });
}

interface Place {
  readonly parent: string;
  readonly prefix: string;
}

function readActivity(part: Part, id: string, { parent, prefix }: Place): ReadActivity {
  const type = readType(part);
  const merge = readMode(part);
  const canStart = readCanStart(part);
  const builtIn = builtInOf(type);
  checkFields(part, [...COMMON_FIELDS, ...HANDLER_FIELDS]);
  const full = prefix + id;
  const made =
    builtIn &&
    readBuiltIn(part, type as string, (config) => {
      return builtIn(config, full, (inner, region) => readBody(inner, region, `${full}/`));
    });
  const outcomes = made?.outcomes ?? readOutcomes(part);
  const settings = made?.settings ?? { type: type ?? '', ...readHandled(part, outcomes) };
  const span = part.desk.placeOf(part.source);
  const node = {
    id: full,
    parent,
    kind: made?.kind ?? 'activity',
    settings,
    merge,
    ...(prefix === '' ? {} : { local: id }),
    ...(span === undefined ? {} : { span }),
  };
  return {
    ...{ id, type: type ?? '', canStart, part, outcomes, made },
    ...(builtIn === undefined ? {} : { builtIn: type as string }),
    ...(type === undefined ? {} : { node }),
  };
}

/** Its config, and nothing that is for handlers. */
function readBuiltIn(part: Part, type: string, read: (config: Part) => Made): Made {
  for (const field of HANDLER_FIELDS) {
    if (part.fields[field] === undefined) continue;
    const message = `${part.what} is a ${type}, which no handler runs, and so has no "${field}"`;
    say(part, { code: 'flowchart.not-for-built-in', message }, field);
  }
  const { config = {} } = part.fields;
  const fields = fieldsOf(config);
  if (fields === undefined) {
    const message = `the config of ${part.what} is an object; came ${show(config)}`;
    say(part, { code: 'flowchart.bad-config', message }, 'config');
  }
  const source = part.fields['config'] === undefined ? part.source : (config as object);
  return read({ ...part, source, fields: fields ?? {} });
}

/** Null if it is to begin nowhere; undefined if it cannot be said where. */
function readStart(
  owner: Part,
  activities: readonly ReadActivity[],
  connections: readonly Connection[],
): string | null | undefined {
  const { start } = owner.fields;
  if (start === null) return null;
  if (start === undefined) return startOf(activities, connections);
  const ids = activities.map(({ id }) => id);
  if (typeof start === 'string' && ids.includes(start)) return start;
  if (typeof start !== 'string') {
    const message = `the start of ${owner.what} is the id of an activity, or null`;
    say(
      owner,
      { code: 'flowchart.bad-start', message: `${message}; came ${show(start)}` },
      'start',
    );
    return undefined;
  }
  const advice = ids.length === 0 ? 'there is none' : meant(start, ids);
  const message = `${owner.what} starts at ${show(start)}, which is no activity here; ${advice}`;
  say(owner, { code: 'flowchart.unknown-start', message }, 'start');
  return undefined;
}

/** An activity nobody can come to is a forgotten connection: better said than never run. */
function checkReached(
  prefix: string,
  start: string,
  activities: ReadonlyMap<string, ReadActivity>,
  connections: readonly Connection[],
): void {
  const reached = reachedFrom(start, connections);
  for (const [id, { part }] of activities) {
    if (reached.has(id)) continue;
    const rule = `nothing leads to ${part.what} from "${prefix}${start}", where it begins`;
    const message = `${rule}: connect it, or leave it out`;
    say(part, { code: 'node.unreachable', message }, 'id');
  }
}

/** Whoever comes into such a circle goes round as fast as it can, and for ever. */
function checkEndless(
  activities: ReadonlyMap<string, ReadActivity>,
  connections: readonly Connection[],
): void {
  // One that waits for a way back and a way in waits, at least.
  const idle = [...activities.values()].filter(
    ({ node }) => node?.kind === 'pass' && node.merge !== 'convergeStrict',
  );
  const ways = connections.filter(({ isSound }) => isSound);
  const circle = endlessAmong(
    idle.map(({ id }) => id),
    ways,
  );
  const part = activities.get(circle[0] ?? '')?.part;
  if (part === undefined) return;
  const names = circle.map((id) => `"${id}"`).join(', ');
  const rule = `${names} lead round in a circle in which nothing is done or waited for`;
  say(part, { code: 'flowchart.endless', message: `${rule}: it would never end` }, 'id');
}

/** An activity with a handler knows which connections are for which outcome. */
function drawActivity(
  { node, made }: ReadActivity,
  prefix: string,
  leaving: readonly Connection[],
): readonly DraftNode[] {
  if (node === undefined) return [];
  if (made !== undefined) return [node, ...(made.nodes ?? [])];
  const ways = new Map<string, string[]>();
  for (const connection of leaving) {
    const { outcome } = connection;
    const list = ways.get(outcome) ?? [];
    list.push(edgeFor(prefix, connection).id);
    ways.set(outcome, list);
  }
  return [{ ...node, settings: { ...node.settings, ways: Object.fromEntries(ways) } }];
}
