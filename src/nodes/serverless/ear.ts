/**
 * An ear rests until an event comes that one of its filters is for, again and again, until it has
 * had what it is for.
 *
 * `one` and `any` are for the first event, `all` for one of each filter, in any order. `any` with
 * `until` goes on until a condition holds for all that was heard, or until events come that end it
 * and are not part of what was heard. It hears what is published from the moment at which
 * its task began, also while no process is there: it subscribes as of then each time it rests.
 *
 * Serverless Workflow listen
 */
import { assert } from '../../base/assert.ts';
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Move, NodeKind, Place, View, Write } from '../../kernel/kind.ts';
import { ANY } from '../../model/awaited.ts';
import type { Instant } from '../../model/ids.ts';
import type { Awaited } from '../../model/instance.ts';
import {
  BUSY,
  type EarConfig,
  type EventFilter,
  GROUPS,
  HEARD,
  INPUT,
  KEYS,
  MET,
  SINCE,
} from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { write } from './envelope.ts';
import { holds } from './expression.ts';
import { fit } from './filters.ts';
import { gathered, groupsIn } from './groups.ts';
import { dataIn, sceneAt, type TaskScene, whereabouts } from './scene.ts';
import { type Trouble, troubleFault } from './trouble.ts';

type Here = Place<EarConfig>;

export const ear: NodeKind<EarConfig & JsonObject> = {
  kind: 'sw-ear',

  compile: compileAs<EarConfig>,

  enter(place) {
    return rest(place);
  },

  resume(place, view, signal) {
    assert(signal.on === 'message', 'an ear is woken by events');
    const event = isJsonObject(signal.data) ? signal.data : EMPTY;
    const heard = hear(place, view, event);
    if (heard.ok) return heard.value;
    const { at, mode } = place.node.config;
    // What starts workflows outlives an event that its filters cannot be asked about.
    if (mode === 'each' || mode === 'gather') return rest(place);
    return { move: 'fault', fault: troubleFault(heard.problem, whereabouts(at, view)) };
  },

  unskippable: 'it hears events for a listener; skip the listener',
};

function rest(place: Here, writes: readonly Write[] = []): Move {
  const { filters, until } = place.node.config;
  const ends = until !== undefined && 'filters' in until ? until.filters : [];
  const types = new Set([...filters, ...ends].map(({ type = ANY }) => type));
  // Of no filters at all, every event is heard.
  const all = types.has(ANY) || filters.length === 0 ? [ANY] : [...types];
  const any = all.map((type): Awaited => ({ arm: type, type, key: ANY }));
  const since = dataIn(place.scope, SINCE) as Instant;
  return { move: 'park', wait: { on: 'first', any, since, live: true }, writes };
}

function hear(place: Here, view: View, event: JsonObject): Result<Move, Trouble> {
  const { mode, filters, until } = place.node.config;
  const scene = sceneFor(place, view);
  // One by one, events have nothing to do with each other.
  const known = mode === 'each' ? EMPTY : dataIn(place.scope, KEYS);
  const keys = (known ?? EMPTY) as JsonObject;
  const met = (dataIn(place.scope, MET) ?? []) as readonly number[];
  if (until !== undefined && 'filters' in until) {
    const ended = meets(until, { event, keys, scene, met });
    if (!ended.ok) return ended;
    if (ended.value !== null) {
      const { isEnough, writes } = ended.value;
      return ok(isEnough ? end(writes) : rest(place, writes));
    }
  }
  if (mode === 'gather') return gatherGroup(place, view, event, scene);
  if (mode === 'all') return gather(place, view, { event, keys, scene, met });
  const found = first(filters, event, keys, scene, []);
  if (!found.ok) return found;
  if (found.value === null) return ok(rest(place));
  return consume(place, view, event, [write(KEYS, found.value.keys)]);
}

interface Hearing {
  readonly event: JsonObject;
  readonly keys: JsonObject;
  readonly scene: TaskScene;
  readonly met: readonly number[];
}

/** `all`: an event is for the first filter that has none yet; whatever else comes is not heard. */
function gather(
  place: Here,
  view: View,
  { event, keys, scene, met }: Hearing,
): Result<Move, Trouble> {
  const { filters } = place.node.config;
  const found = first(filters, event, keys, scene, met);
  if (!found.ok) return found;
  if (found.value === null) return ok(rest(place));
  const now = [...met, found.value.filter];
  const writes = [write(KEYS, found.value.keys), write(MET, now)];
  return consume(place, view, event, writes, now.length >= filters.length);
}

/** Events that end what is heard; they are not part of it. Null: this is none of them. */
function meets(
  { isAll, filters }: { readonly isAll: boolean; readonly filters: readonly EventFilter[] },
  { event, keys, scene, met }: Hearing,
): Result<{ isEnough: boolean; writes: readonly Write[] } | null, Trouble> {
  const found = first(filters, event, keys, scene, isAll ? met : []);
  if (!found.ok || found.value === null) return found.ok ? ok(null) : found;
  const now = [...met, found.value.filter];
  return ok({
    isEnough: !isAll || now.length >= filters.length,
    writes: isAll ? [write(MET, now)] : [],
  });
}

/** The first filter that an event is for, but for those that have one. */
function first(
  filters: readonly EventFilter[],
  event: JsonObject,
  keys: JsonObject,
  scene: TaskScene,
  but: readonly number[],
): Result<{ readonly filter: number; readonly keys: JsonObject } | null, Trouble> {
  if (filters.length === 0) return ok({ filter: 0, keys });
  for (const [filter, each] of filters.entries()) {
    if (but.includes(filter)) continue;
    const is = fit(each, event, keys, scene);
    if (!is.ok) return is;
    if (is.value !== null) {
      return ok({ filter, keys: (is.value as { readonly keys: JsonObject }).keys });
    }
  }
  return ok(null);
}

/** It is part of what was heard; `enough`: with it, all is. */
function consume(
  place: Here,
  view: View,
  event: JsonObject,
  writes: readonly Write[],
  enough?: boolean,
): Result<Move, Trouble> {
  const { mode, read, feeds } = place.node.config;
  const { items } = place.scope;
  const value = mode === 'each' ? [readAs(read, event)] : readAs(read, event);
  const kept: Write[] = [...writes, ...nextHeard(place, value)];
  const heard = (): readonly Json[] => [...items.list, value];
  const done = enough === undefined ? isOver(place, view, heard) : ok(enough);
  if (!done.ok) return done;
  if (feeds === undefined) return ok(done.value ? end(kept) : rest(place, kept));
  return ok(feed(place, kept, done.value));
}

function readAs(read: EarConfig['read'], event: JsonObject): Json {
  return read === 'data' ? (event['data'] ?? event['data_base64'] ?? null) : event;
}

/** As `all`, for every set of keys by itself: one that is complete is heard, and begins anew. */
function gatherGroup(
  place: Here,
  view: View,
  event: JsonObject,
  scene: TaskScene,
): Result<Move, Trouble> {
  const { filters, read } = place.node.config;
  const fits: (JsonObject | null)[] = [];
  for (const filter of filters) {
    const is = first([filter], event, EMPTY, scene, []);
    if (!is.ok) return is;
    fits.push(is.value?.keys ?? null);
  }
  const groups = groupsIn(dataIn(place.scope, GROUPS));
  const { VALUE_CHARS_MAX } = view.limits;
  const made = gathered(groups, fits, readAs(read, event), VALUE_CHARS_MAX);
  if (made === null) return ok(rest(place));
  const writes = [write(GROUPS, made.left)];
  if (made.whole === null) return ok(rest(place, writes));
  return ok(feed(place, [...writes, ...nextHeard(place, made.whole)], false));
}

function nextHeard({ scope }: Here, value: Json): readonly Write[] {
  const count = (scope.items.get(HEARD) as number | undefined) ?? 0;
  return [keep(String(count), value), keep(HEARD, count + 1)];
}

function isOver(place: Here, view: View, heard: () => readonly Json[]): Result<boolean, Trouble> {
  const { mode, until } = place.node.config;
  if (until === undefined) return ok(mode === 'one' || mode === 'any');
  return 'when' in until ? holds(until.when, sceneFor(place, view), heard()) : ok(false);
}

/** Something is to be done for it: by whoever does that, who may be at the one before. */
function feed(place: Here, writes: readonly Write[], isDone: boolean): Move {
  const { again, feeds } = place.node.config;
  const isBusy = dataIn(place.scope, BUSY) === true;
  if (isBusy) return isDone ? end(writes) : rest(place, writes);
  const on = isDone || again === null ? [] : [again];
  const edges = feeds === undefined ? on : [...on, feeds];
  return { move: 'take', edges, writes: [...writes, write(BUSY, true)] };
}

function end(writes: readonly Write[]): Move {
  return { move: 'take', edges: [], writes };
}

export function keep(name: string, value: Json): Write {
  return { in: 'scope', space: 'items', name, value };
}

function sceneFor(place: Here, view: View): TaskScene {
  const input = dataIn(place.scope, INPUT);
  return sceneAt(place, view, { at: place.node.config.at }, { raw: input, input });
}
