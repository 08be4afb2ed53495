/**
 * What is drawn of a definition: the nodes somebody wrote, under the names they gave them, and the
 * ways between them. What the frontends add for the kernel's sake is taken out again where it says
 * nothing: a branch of one node is that node with the branch's name on the way to it, a pass where
 * arms meet is nothing at all, and what lies in the region around a flowchart lies at the top.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { spanText } from '../base/span-text.ts';
import { DONE, outcomeIn } from './outcomes.ts';
import type { Sketch, SketchEdge, SketchNode } from './sketch.ts';

export interface Picture {
  readonly title: string;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

export interface PictureNode {
  readonly id: string;
  readonly kind: string;
  readonly parent: string | null;
  /** `region` has nodes inside; `round` is where something begins, ends or meets. */
  readonly shape: 'box' | 'round' | 'region';
  /** Its name, then what there is to say of it. */
  readonly lines: readonly string[];
  /** Something is going on here. */
  readonly mark?: string;
}

export interface PictureEdge {
  /** The edge of the plan that it is drawn for; a way back into a loop is for none. */
  readonly id?: string;
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  /** Leads back to where the loop begins. */
  readonly isBack?: true;
}

/** By node: what is going on there. */
export type Marks = ReadonlyMap<string, string>;

export function pictureOf(sketch: Sketch, marks: Marks = new Map()): Picture {
  const draft = { nodes: [...sketch.nodes], edges: sketch.edges.map(labelled(sketch.nodes)) };
  const merged = inlineBranches(withoutPasses(withoutRunners(withoutFrame(draft))));
  const regions = new Set(merged.nodes.map(({ parent }) => parent));
  return {
    title: `${sketch.name}@${sketch.version}`,
    nodes: merged.nodes.map((node) => drawn(node, regions.has(node.id), marks)),
    edges: [...merged.edges.map((edge) => named(edge, merged.nodes)), ...loopsIn(merged)],
  };
}

interface Working {
  readonly nodes: readonly SketchNode[];
  readonly edges: readonly (PictureEdge & { readonly id: string })[];
}

type WorkingEdge = Working['edges'][number];

/** What a choice, a fork or a try calls the way; of an activity, the outcome it is taken for. */
function labelled(nodes: readonly SketchNode[]): (edge: SketchEdge) => WorkingEdge {
  const known = new Map(nodes.map((node) => [node.id, node]));
  return (edge) => {
    const { id, from, to } = edge;
    const source = known.get(from);
    const label =
      source?.merge === undefined
        ? (labelIn(source?.settings ?? {}, id) ?? branchOf(id, from, to))
        : outcomeBy(edge);
    return label === undefined ? edge : { ...edge, label };
  };
}

/** What needs no word is left without. */
function outcomeBy({ id, from, to }: SketchEdge): string | undefined {
  const outcome = outcomeIn(id, from, to);
  return outcome === DONE ? undefined : outcome;
}

function labelIn({ arms, otherwise, caught }: JsonObject, edge: string): string | undefined {
  if (edge === otherwise) return 'otherwise';
  if (edge === caught) return 'caught';
  if (!Array.isArray(arms)) return undefined;
  const arm = arms.find((one: Json) => textIn(one, 'edge') === edge) as Json | undefined;
  return arm === undefined ? undefined : textIn(arm, 'slot')?.replace(/^when\./, '');
}

/** An edge that once led to a branch is still called after it, whatever took its place. */
function branchOf(id: string, from: string, to: string): string | undefined {
  if (!id.startsWith(`${from}->`)) return undefined;
  const once = id.slice(from.length + 2);
  return once === to || !once.startsWith(`${from}/`) ? undefined : lastName(once);
}

/** `fulfil/goods` is `goods`, and `size/:otherwise` is `otherwise`. */
function lastName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).replace(/^:/, '');
}

/** All of a flowchart lies in the region of one node that nobody wrote. */
function withoutFrame({ nodes, edges }: Working): Working {
  const frame = nodes.find(({ kind, hidden, parent }) => {
    return kind === 'flowchart' && hidden && parent === null;
  });
  if (frame === undefined) return { nodes, edges };
  return {
    edges,
    nodes: nodes.flatMap((node) => {
      if (node === frame) return [];
      return [node.parent === frame.id ? { ...node, parent: null } : node];
    }),
  };
}

/**
 * What runs the items of a map, and the saga around each, are the map's own affair: what lies in
 * them is drawn in the map, and their limit is said of it.
 */
function withoutRunners({ nodes, edges }: Working): Working {
  const gone = new Map<string, string>();
  const limits = new Map<string, Json>();
  const bodies = new Set(nodes.map(({ kind, settings }) => kind === 'item' && settings['body']));
  // Whatever holds a node comes before it.
  for (const { id, kind, hidden, parent, settings } of nodes) {
    const map = parent === null ? undefined : (gone.get(parent) ?? parent);
    // A hidden scope that is not what an item begins with is a branch of something in it.
    const isAround = kind === 'item' || (kind === 'scope' && bodies.has(id));
    if (!hidden || map === undefined || !isAround) continue;
    gone.set(id, map);
    if (settings['limit'] !== undefined) limits.set(map, settings['limit']);
  }
  const left = nodes.filter(({ id }) => !gone.has(id));
  return {
    edges,
    nodes: left.map((node) => {
      const { id, settings } = node;
      const parent = node.parent === null ? null : (gone.get(node.parent) ?? node.parent);
      const limit = limits.get(id);
      return { ...node, parent, settings: limit === undefined ? settings : { ...settings, limit } };
    }),
  };
}

/** Nobody wrote them and nothing happens there: who came by one goes on to what is behind it. */
function withoutPasses({ nodes, edges }: Working): Working {
  let left = edges;
  const gone = new Set<string>();
  for (const { id, kind, hidden } of nodes) {
    const out = left.filter(({ from }) => from === id);
    if (kind !== 'pass' || !hidden || out.length > 1 || out[0]?.to === id) continue;
    gone.add(id);
    const [next] = out;
    left = left.flatMap((edge) => {
      if (edge.from === id) return [];
      if (edge.to !== id) return [edge];
      return next === undefined ? [] : [{ ...edge, to: next.to }];
    });
  }
  return { nodes: nodes.filter(({ id }) => !gone.has(id)), edges: left };
}

/** A branch of one node is that node, and the way to it has the branch's name. */
function inlineBranches({ nodes, edges }: Working): Working {
  const takes = new Map<string, string>();
  const moved = new Map<string, SketchNode>();
  for (const scope of nodes) {
    const inside = nodes.filter(({ parent }) => parent === scope.id);
    const [only] = inside;
    if (scope.kind !== 'scope' || !scope.hidden || inside.length !== 1 || only === undefined)
      continue;
    takes.set(scope.id, only.id);
    moved.set(only.id, { ...only, parent: scope.parent });
  }
  const standsFor = (id: string): string => {
    let at = id;
    for (let next = takes.get(at); next !== undefined; next = takes.get(at)) at = next;
    return at;
  };
  const parentOf = (id: string | null): string | null => {
    const scope = id === null ? undefined : nodes.find((node) => node.id === id);
    return scope !== undefined && takes.has(scope.id) ? parentOf(scope.parent) : id;
  };
  return {
    nodes: nodes
      .filter(({ id }) => !takes.has(id))
      .map((node) => ({ ...(moved.get(node.id) ?? node), parent: parentOf(node.parent) })),
    edges: edges.filter(goesOn(nodes, edges)).map((edge) => {
      const to = standsFor(edge.to);
      const label = edge.label ?? (to === edge.to ? undefined : lastName(edge.to));
      const from = standsFor(edge.from);
      return { ...edge, from, to, ...(label === undefined ? {} : { label }) };
    }),
  };
}

/** What stands in a branch that only ever fails or ends everything does not go on after it. */
function goesOn(nodes: Working['nodes'], edges: Working['edges']): (edge: WorkingEdge) => boolean {
  const ended = nodes.filter(({ id, kind, hidden }) => {
    if (kind !== 'scope' || !hidden) return false;
    const last = nodes.filter((node) => {
      return node.parent === id && edges.every(({ from }) => from !== node.id);
    });
    return last.length > 0 && last.every((node) => FINAL.has(node.kind));
  });
  const ids = new Set(ended.map(({ id }) => id));
  return ({ from }) => !ids.has(from);
}

/** The name of a branch stands on the way to it, whether it is one node or many. */
function named(
  { id, from, to, label, isBack }: WorkingEdge,
  nodes: readonly SketchNode[],
): PictureEdge {
  const target = nodes.find(({ id }) => id === to);
  const isBranch = target?.hidden === true && target.kind === 'scope';
  const name = label ?? (isBranch ? lastName(to) : undefined);
  const back = isBack === true ? { isBack } : {};
  const words = name === undefined ? {} : { label: name };
  return { id, from, to, ...words, ...back };
}

/** What ends in a region that is repeated begins it again. */
function loopsIn({ nodes, edges }: Working): readonly PictureEdge[] {
  return nodes.flatMap(({ id: loop, kind, settings }) => {
    const inside = nodes.filter(({ parent }) => parent === loop);
    const named = inside.find(({ id }) => id === settings['body']);
    const first = named ?? inside.find(({ id }) => edges.every(({ to }) => to !== id));
    if (kind !== 'repeat' || first === undefined) return [];
    const last = inside.filter((node) => {
      return !LAST_WORDS.has(node.kind) && edges.every(({ from }) => from !== node.id);
    });
    return last.map(({ id }) => ({ from: id, to: first.id, isBack: true as const }));
  });
}

/** Nothing comes after these, wherever they stand. */
const FINAL: ReadonlySet<string> = new Set(['terminate', 'fail']);
/** Nor after these in a loop: what ends there has left it. */
const LAST_WORDS: ReadonlySet<string> = new Set([...FINAL, 'end']);

/** What nobody wrote is drawn by what it does. */
const MEETINGS: Readonly<Record<string, string>> = {
  start: 'start',
  chain: 'start',
  end: 'end',
  fork: 'all of',
  join: 'all are there',
  inclusive: 'all that were taken',
  win: 'the first wins',
};

function drawn(node: SketchNode, isRegion: boolean, marks: Marks): PictureNode {
  const { id, kind, parent, hidden, settings, merge, local = id } = node;
  const mark =
    marks.get(id) ?? (kind === 'map' ? marks.get(textIn(settings, 'body') ?? '') : undefined);
  const meeting = hidden ? MEETINGS[kind] : undefined;
  const name = meeting ?? (hidden ? lastName(id) : local);
  const details = hidden ? [] : [detailOf(node), modeOf(node)];
  const said = [name, ...details.filter((detail) => detail !== undefined)];
  // A branch is called after the way to it.
  const lines = isRegion ? (hidden ? [] : [said.join(': ')]) : said;
  const isEdge = meeting !== undefined || (merge !== undefined && BOUNDS.has(kind));
  const shape = isRegion ? 'region' : isEdge ? 'round' : 'box';
  return { id, kind, parent, shape, lines, ...(mark === undefined ? {} : { mark }) };
}

/** Where a flowchart begins and where it ends. */
const BOUNDS: ReadonlySet<string> = new Set(['pass', 'win']);

/** How an activity takes those who come to it, if not as all do. */
function modeOf({ merge }: SketchNode): string | undefined {
  return merge === undefined || merge === 'converge' ? undefined : `mode: ${merge}`;
}

/** What a node does, in a few words; a step does what its name says. */
function detailOf({ id, kind, settings, merge, local = id }: SketchNode): string | undefined {
  switch (kind) {
    case 'activity': {
      const type = textIn(settings, 'type');
      return type === local ? undefined : type;
    }
    case 'flowchart':
      return undefined;
    case 'win':
      return merge === undefined ? kind : undefined;
    case 'step':
    case 'link':
    case 'scope':
    case 'pass':
      return undefined;
    case 'sleep':
      return typeof settings['ms'] === 'number' ? `sleeps ${spanText(settings['ms'])}` : 'sleeps';
    case 'wait': {
      const { timeoutMs } = settings;
      const most = typeof timeoutMs === 'number' ? `, at most ${spanText(timeoutMs)}` : '';
      return `waits for ${textIn(settings, 'event') ?? 'something'}${most}`;
    }
    case 'first':
      return `first of ${armNames(settings['arms']).join(', ')}`;
    case 'fork':
      return 'all of';
    case 'choose':
      return settings['many'] === true ? 'any that hold' : 'one of';
    case 'repeat':
      return typeof settings['times'] === 'number' && settings['check'] === 'times'
        ? `repeats ${settings['times']} times`
        : `repeats ${textIn(settings, 'check') ?? ''}`;
    case 'map': {
      const { limit } = settings;
      if (limit === undefined) return 'for each at once';
      return limit === 1 ? 'for each in turn' : `for each, ${JSON.stringify(limit)} at a time`;
    }
    case 'call':
      return `calls ${textIn(settings, 'flow') ?? 'another'}`;
    case 'emit':
      return typeof settings['type'] === 'string' ? `emits ${settings['type']}` : 'emits';
    case 'try':
      return 'try';
    default:
      return kind;
  }
}

function armNames(arms: Json | undefined): readonly string[] {
  return Array.isArray(arms) ? arms.flatMap((arm: Json) => textIn(arm, 'arm') ?? []) : [];
}

function textIn(value: Json, name: string): string | undefined {
  const found: unknown = Reflect.get(Object(value), name);
  return typeof found === 'string' ? found : undefined;
}
