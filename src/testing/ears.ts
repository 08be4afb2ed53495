/**
 * Kinds of nodes for tests. One listens: it hears so many events, each by its id, and goes on with
 * the list of them; with `hop` every event has another token take its place. The other has
 * something for other instances, and goes on at once.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { ok } from '../base/result.ts';
import type {
  Calling,
  Emission,
  Kinds,
  Move,
  NodeKind,
  Place,
  View,
  Write,
} from '../kernel/kind.ts';
import { ANY } from '../model/awaited.ts';
import type { Flow } from '../model/definition.ts';
import type { Instant } from '../model/ids.ts';
import { kinds } from '../nodes/index.ts';

export const EAR = 'test-ear';

export type Ear = {
  readonly type?: string;
  readonly key?: string;
  /** So many are enough. */
  readonly count: number;
  readonly hop?: boolean;
  /** It hears what came so long before it began. */
  readonly lookBackMs?: number;
};

const ear: NodeKind<Ear> = {
  kind: EAR,
  compile: (draft) => ok({ config: draft.settings as Ear }),
  enter: (place, view) => rest(place, view),
  resume(place, view, signal) {
    const { count, hop } = place.node.config;
    const { id } = (signal.on === 'message' ? signal.data : {}) as { readonly id?: string };
    const before = place.scope.vars.get(listOf(place));
    const heard = [...((before ?? []) as string[]), id ?? 'nothing'];
    const writes = [write(listOf(place), heard)];
    const [first, ...ways] = place.node.out;
    // The first way leads back to here, where there are two.
    const [back, on] = ways.length === 0 ? [undefined, first] : [first, ways[0]];
    if (heard.length < count && hop === true && back !== undefined) {
      return { move: 'take', edges: [back], writes };
    }
    if (heard.length < count) return rest(place, view, writes);
    return { move: 'take', edges: on === undefined ? [] : [on], writes };
  },
};

function rest(place: Place<Ear>, view: View, writes: readonly Write[] = []): Move {
  const { type = ANY, key = ANY, lookBackMs = 0 } = place.node.config;
  const name = `since ${place.node.id}`;
  const since = place.scope.vars.get(name) ?? view.now - lookBackMs;
  const any = [{ arm: 'heard', type, key }];
  return {
    move: 'park',
    wait: { on: 'first', any, since: since as Instant, live: true },
    writes: [...writes, write(name, since)],
  };
}

function listOf({ node }: Place<Ear>): string {
  return `heard ${node.id}`;
}

function write(name: string, value: Json): Write {
  return { in: 'scope', space: 'vars', name, value };
}

const MOUTH = 'test-mouth';

export type Mouth = { readonly emit?: Emission; readonly starts?: readonly Calling[] };

const mouth: NodeKind<JsonObject> = {
  kind: MOUTH,
  compile: (draft) => ok({ config: draft.settings }),
  enter({ node }) {
    const { emit, starts } = node.config as unknown as Mouth;
    return {
      ...{ move: 'take', edges: node.out },
      ...(emit === undefined ? {} : { emit }),
      ...(starts === undefined ? {} : { starts }),
    };
  },
};

const known = kinds as Map<string, NodeKind> & Kinds;

/** From now on this process knows the kinds. */
export function knowEars(): void {
  known.set(EAR, ear);
  known.set(MOUTH, mouth);
}

/** For whoever comes after in this process. */
export function forgetEars(): void {
  known.delete(EAR);
  known.delete(MOUTH);
}

/** Says one thing after the other, and then waits for a while. */
export function speaker(name: string, said: readonly Mouth[]): Flow<null> {
  const mouths = said.map((settings, n) => {
    return { id: `say${n}`, kind: MOUTH, settings: settings as JsonObject };
  });
  const nodes = [
    { id: 'start', kind: 'start', settings: {} },
    ...mouths,
    { id: 'rest', kind: 'sleep', settings: { ms: 60_000 } },
    { id: 'end', kind: 'end', settings: { output: 'none' } },
  ];
  const edges = nodes.slice(1).map(({ id: to }, at) => {
    const from = nodes[at]?.id ?? '';
    return { id: `${from}->${to}`, from, to };
  });
  const draft = { name, version: 1, start: 'start', nodes, edges };
  const made = { code: new Map(), handlers: new Map(), serves: [], diagnostics: [] };
  return { name, version: 1, definition: { draft, ...made } };
}

/** Hears so many events at each of its ears, side by side, and ends with the lists of them. */
export function listener(name: string, ears: Readonly<Record<string, Ear>>): Flow<null, Heard> {
  const names = Object.keys(ears);
  const isOne = names.length === 1;
  const nodes = names.map((id) => ({ id, kind: EAR, settings: ears[id] as JsonObject }));
  const edges = names.flatMap((id) => [
    { id: `fork->${id}`, from: 'fork', to: id },
    { id: `${id}->${id}`, from: id, to: id },
    { id: `${id}->join`, from: id, to: 'join' },
  ]);
  const draft = {
    ...{ name, version: 1, start: 'start' },
    nodes: [
      { id: 'start', kind: 'start', settings: {} },
      { id: 'fork', kind: isOne ? 'pass' : 'fork', settings: {} },
      ...nodes,
      { id: 'join', kind: isOne ? 'pass' : 'join', settings: {} },
      { id: 'end', kind: 'end', settings: { output: 'code' } },
    ],
    edges: [
      { id: 'begin', from: 'start', to: 'fork' },
      ...edges,
      { id: 'over', from: 'join', to: 'end' },
    ],
  };
  const output = ({ vars }: { readonly vars: JsonObject }): Heard =>
    Object.fromEntries(names.map((id) => [id, vars[`heard ${id}`] as string[]]));
  const code = new Map([['end', { output }]]);
  const definition = { draft, code, handlers: new Map(), serves: [], diagnostics: [] };
  return { name, version: 1, definition };
}

export type Heard = Readonly<Record<string, readonly string[]>>;
