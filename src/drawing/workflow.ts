/**
 * What is drawn of a Serverless Workflow: its tasks, under their names, with what each does in a
 * few words of its definition; a task that is made of tasks is a frame around them.
 *
 * What the frontend adds for the kernel's sake is left out: who came to it belongs to the task
 * around it, a task that lies inside itself for the sake of its timeout is one, and what extensions
 * do before and after every task is named and not drawn.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { documentTitle, nameIn, objectIn, placeIn, textIn, workflowIn } from './workflow-names.ts';
import type { Marks, Picture, PictureEdge, PictureNode } from './picture.ts';
import type { Sketch, SketchEdge, SketchNode } from './sketch.ts';
import { detailsOf } from './workflow-words.ts';

/** Undefined if it is no workflow. */
export function workflowPicture(sketch: Sketch, marks: Marks): Picture | undefined {
  const root = workflowIn(sketch);
  return root === undefined ? undefined : new Drawer(sketch, root, marks).draw();
}

const SKIPPED = 'if not';

/** Ends that are drawn: of the workflow, and of a loop that is left. */
const ENDS: Readonly<Record<string, string>> = { 'sw-end': 'end', 'sw-leave': 'leaves the loop' };

class Drawer {
  readonly #root: SketchNode;
  readonly #nodes: ReadonlyMap<string, SketchNode>;
  readonly #edges: readonly SketchEdge[];
  readonly #marks: Marks;
  readonly #definition: JsonObject;

  constructor({ nodes, edges }: Sketch, root: SketchNode, marks: Marks) {
    this.#root = root;
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#edges = edges;
    this.#marks = marks;
    this.#definition = objectIn(root.settings, 'definition');
  }

  draw(): Picture {
    const tasks = [...this.#nodes.values()].filter((node) => this.#isDrawn(node));
    const lists = tasks.flatMap((task) => this.#listsOf(task));
    const nodes = [...tasks.map((task) => this.#drawn(task)), ...lists];
    const inside = new Set(nodes.map(({ parent }) => parent));
    const shown = nodes.map((node) => (inside.has(node.id) ? framed(node) : node));
    const ways = this.#edges.flatMap((edge) => this.#way(edge));
    const stops = this.#stops(tasks);
    const edges = [...ways, ...this.#handlings(lists), ...stops.edges, ...this.#loops(tasks, ways)];
    return { title: documentTitle(this.#root), nodes: [...shown, ...stops.nodes], edges };
  }

  /** Tasks that somebody wrote, but for those of extensions; and ends. */
  #isDrawn(node: SketchNode): boolean {
    if (node.hidden && !(node.kind in ENDS)) return false;
    for (let at = node.parent; at !== null; at = this.#nodes.get(at)?.parent ?? null) {
      if (this.#nodes.get(at)?.kind === 'sw-aside') return false;
    }
    return true;
  }

  /** The task around a node, or the list of it that the node is in; null for the workflow. */
  #frameOf(node: SketchNode): string | null {
    let at = node.parent === null ? undefined : this.#nodes.get(node.parent);
    while (at?.hidden === true) at = at.parent === null ? undefined : this.#nodes.get(at.parent);
    if (at === undefined) return null;
    const caught = `${placeIn(at)}/catch/do/`;
    const isHandled = this.#hasHandler(at) && this.#placeOf(node).startsWith(caught);
    if (!this.#hasHandler(at)) return at.id;
    return isHandled ? catchOf(at.id) : tryOf(at.id);
  }

  /** An end belongs to the list of whoever leads there. */
  #placeOf(node: SketchNode): string {
    if (!node.hidden) return placeIn(node);
    const comes = this.#edges.find(({ to }) => to === node.id);
    const from = comes === undefined ? undefined : this.#nodes.get(comes.from);
    return from === undefined ? placeIn(node) : placeIn(from);
  }

  /** What does the work of a task: the task itself, or what lies inside it in its place. */
  #workOf(task: SketchNode): SketchNode {
    let work = task;
    for (
      let inner = this.#nodes.get(`${work.id}#task`);
      inner !== undefined;
      inner = this.#nodes.get(`${work.id}#task`)
    ) {
      work = inner;
    }
    return work;
  }

  #hasHandler(task: SketchNode): boolean {
    const { kind, settings } = this.#workOf(task);
    return kind === 'sw-try' && typeof settings['handler'] === 'string';
  }

  /** Of a try that does something about errors: what is tried, and what is done then. */
  #listsOf(task: SketchNode): readonly PictureNode[] {
    if (!this.#hasHandler(task)) return [];
    const caught = objectIn(this.#writtenAs(task), 'catch');
    const as = textIn(caught, 'as') ?? 'error';
    const part = { parent: task.id, shape: 'region', kind: 'list' } as const;
    return [
      { ...part, id: tryOf(task.id), lines: ['try'] },
      { ...part, id: catchOf(task.id), lines: [`catch as ${as}`] },
    ];
  }

  #handlings(lists: readonly PictureNode[]): readonly PictureEdge[] {
    return lists.flatMap(({ parent, id }) => {
      if (parent === null || id !== catchOf(parent)) return [];
      return [{ from: tryOf(parent), to: id, label: 'an error' }];
    });
  }

  #drawn(node: SketchNode): PictureNode {
    const { id, kind } = node;
    const parent = this.#frameOf(node);
    const end = node.hidden ? ENDS[kind] : undefined;
    if (end !== undefined) return { id, kind, parent, shape: 'round', lines: [end] };
    const mark = this.#markOn(node);
    const work = this.#workOf(node);
    const details = detailsOf(this.#writtenAs(node), this.#extensionsOf(node));
    return {
      ...{ id, kind: work.kind === 'sw-switch' ? 'choose' : work.kind, parent, shape: 'box' },
      ...{ lines: [nameIn(node), ...details] },
      ...(mark === undefined ? {} : { mark }),
    };
  }

  /** The task as it stands in the definition; of one that was fetched, nothing. */
  #writtenAs(task: SketchNode): JsonObject {
    const parts = placeIn(task).split('/').slice(1);
    let at: Json | undefined = this.#definition;
    for (const part of parts) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = Reflect.get(Object(at), name) as Json | undefined;
    }
    return objectIn({ at: at ?? null }, 'at');
  }

  #extensionsOf(task: SketchNode): readonly string[] {
    const names = [...this.#nodes.values()].flatMap(({ kind, settings, parent }) => {
      if (kind !== 'sw-aside' || parent === null || !this.#isOf(parent, task)) return [];
      return textIn(settings, 'at')?.split('/').at(-2) ?? [];
    });
    return [...new Set(names)];
  }

  /** Whether a node is a task, or lies inside it in its place. */
  #isOf(id: string, task: SketchNode): boolean {
    return id === task.id || (this.#nodes.get(id)?.hidden === true && id.startsWith(`${task.id}#`));
  }

  /** What goes on at a node that is not drawn goes on at the task around it. */
  #markOn(task: SketchNode): string | undefined {
    const own = this.#marks.get(task.id);
    for (const [id, mark] of this.#marks) {
      const node = this.#nodes.get(id);
      if (node === undefined || node.kind === 'sw-deadline' || this.#isDrawn(node)) continue;
      if (this.#drawnAround(node) === task.id) return mark;
    }
    return own;
  }

  #drawnAround(node: SketchNode): string | null {
    let at: SketchNode | undefined = node;
    while (at !== undefined && !this.#isDrawn(at)) {
      at = at.parent === null ? undefined : this.#nodes.get(at.parent);
    }
    return at?.id ?? null;
  }

  #way({ id, from, to }: SketchEdge): readonly PictureEdge[] {
    const [source, target] = [this.#nodes.get(from), this.#nodes.get(to)];
    if (source === undefined || target === undefined || source.hidden) return [];
    if (!this.#isDrawn(source) || !this.#isDrawn(target)) return [];
    const label = this.#labelOf(source, id);
    // A task without a condition is never skipped.
    if (label === SKIPPED && objectIn(source.settings, 'task')['if'] === undefined) return [];
    return [label === undefined ? { id, from, to } : { id, from, to, label }];
  }

  /** When a way is taken that is not always: of a switch, the cases by their names. */
  #labelOf(task: SketchNode, way: string | null): string | undefined {
    const cases = this.#casesOf(task).filter(({ next }) => next === way);
    if (cases.length > 0) return cases.map(({ name }) => name).join(', ');
    const { next, skip } = objectIn(task.settings, 'task');
    if (next === way) return undefined;
    const { caught } = this.#workOf(task).settings;
    if (caught !== undefined && this.#picked(task, caught) === way) return 'after an error';
    return skip !== undefined && skip === way ? SKIPPED : undefined;
  }

  /** Where each case of a switch leads, in the order in which they are written. */
  #casesOf(task: SketchNode): readonly { readonly name: string; readonly next: string | null }[] {
    const { kind, settings } = this.#workOf(task);
    const written = this.#writtenAs(task)['switch'];
    if (kind !== 'sw-switch' || !Array.isArray(written)) return [];
    const { cases, otherwise } = settings;
    const asked = Array.isArray(cases) ? [...(cases as readonly Json[])] : [];
    return (written as readonly Json[]).flatMap((one) =>
      Object.entries(Object(one) as JsonObject).map(([name, value]) => {
        const isAsked = textIn(value, 'when') !== undefined;
        return { name, next: this.#picked(task, isAsked ? asked.shift() : otherwise) };
      }),
    );
  }

  #picked({ settings }: SketchNode, way: Json | undefined): string | null {
    const pick: unknown = Reflect.get(Object(way), 'pick');
    const { picks } = settings;
    if (typeof pick !== 'number' || !Array.isArray(picks)) return textIn(way, 'next') ?? null;
    const picked: unknown = picks[pick];
    return typeof picked === 'string' ? picked : null;
  }

  /** Cases that lead nowhere end their list: the way there is drawn, so that they are not lost. */
  #stops(tasks: readonly SketchNode[]): { nodes: PictureNode[]; edges: PictureEdge[] } {
    const nodes = new Map<string, PictureNode>();
    const edges = tasks.flatMap((task): PictureEdge[] => {
      if (!this.#casesOf(task).some(({ next }) => next === null)) return [];
      const parent = this.#frameOf(task);
      const id = `${parent ?? ''} done`;
      const lines = [parent === null ? 'end' : 'done'];
      nodes.set(id, { id, kind: 'end', parent, shape: 'round', lines });
      const label = this.#labelOf(task, null);
      return [label === undefined ? { from: task.id, to: id } : { from: task.id, to: id, label }];
    });
    return { nodes: [...nodes.values()], edges };
  }

  /** What ends in a loop begins it again. */
  #loops(tasks: readonly SketchNode[], ways: readonly PictureEdge[]): readonly PictureEdge[] {
    return tasks.flatMap((task) => {
      const { kind, id } = this.#workOf(task);
      const runner = this.#nodes.get(kind === 'sw-for' ? `${id}#pass` : `${id}#each`);
      const first = runner === undefined ? undefined : textIn(runner.settings, 'body');
      if (first === undefined) return [];
      const last = tasks.filter((node) => {
        const isIn = !node.hidden && this.#frameOf(node) === task.id;
        return isIn && ways.every(({ from }) => from !== node.id);
      });
      return last.map((node) => ({ from: node.id, to: first, isBack: true as const }));
    });
  }
}

/** What is said of a frame stands in its border. */
function framed(node: PictureNode): PictureNode {
  const [name = '', ...details] = node.lines;
  return {
    ...node,
    shape: 'region',
    lines: [[name, details.join(', ')].filter(Boolean).join(': ')],
  };
}

function tryOf(task: string): string {
  return `${task} try`;
}

function catchOf(task: string): string {
  return `${task} catch`;
}
