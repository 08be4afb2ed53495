/**
 * What people call the nodes of a Serverless Workflow, whose ids are pointers into its definition:
 * a task by its name, or by the pointer where several have that name. What nobody wrote belongs to
 * the task around it, and is told as that task where it is what the task does or waits for.
 */
import type { Flow, InstanceView, Json, Store } from '../index.ts';
import { sketchOfFlow, sketchOfPlan, type SketchNode } from '../drawing/sketch.ts';
import { documentTitle, nameIn, placeIn, workflowIn } from '../drawing/workflow-names.ts';
import type { Happening } from './happening.ts';
import { isWritten } from './telling.ts';

export interface Naming {
  /** The workflow and its version, as its document has them. */
  readonly title: string;
  /** The task that a node belongs to; undefined if that is the workflow as a whole. */
  taskOf(node: string): string | undefined;
  /** What that task is called. */
  nameOf(node: string): string | undefined;
  /** Whether something that happened to a node is told of its task. */
  isTold(node: string, state: Happening['state']): boolean;
  /** Nobody wrote it. */
  isHidden(node: string): boolean;
}

/** Null if the plan is none of a workflow. */
export function namingOf(plan: Json): Naming | null {
  const sketch = sketchOfPlan(plan);
  const root = workflowIn(sketch);
  if (root === undefined) return null;
  const nodes = new Map(sketch.nodes.map((node) => [node.id, node]));
  const names = namesOf(sketch.nodes);
  const taskOf = (id: string): string | undefined => {
    let node = nodes.get(id);
    while (node !== undefined && node.hidden) {
      node = node.parent === null ? undefined : nodes.get(node.parent);
    }
    return node?.id;
  };
  const isHidden = (id: string): boolean => nodes.get(id)?.hidden !== false;
  return {
    title: documentTitle(root),
    taskOf,
    nameOf: (id) => names.get(taskOf(id) ?? ''),
    isTold: (id, state) => !isHidden(id) || tellsInside(nodes.get(id)?.kind ?? '').includes(state),
    isHidden,
  };
}

/** What a node is told as that something happened to; undefined if it is not told of. */
export function shownName(
  node: string,
  state: Happening['state'],
  { naming, inChart }: { readonly naming: Naming | null; readonly inChart: boolean },
): string | undefined {
  if (naming === null) return isWritten(node, inChart) ? node : undefined;
  return naming.isTold(node, state) ? naming.nameOf(node) : undefined;
}

/** Of the plan that an instance runs by; null if that is none of a workflow. */
export async function namingIn(
  store: Store,
  run: { inspect(): Promise<InstanceView> },
): Promise<Naming | null> {
  const { plan } = await run.inspect();
  return namingOf((await store.loadPlan(plan))?.body ?? null);
}

export function isWorkflow(flow: Flow): boolean {
  return workflowIn(sketchOfFlow(flow)) !== undefined;
}

/** A flow and its version, as people call them: a workflow has a version of three parts. */
export function titleOf(flow: Flow): string {
  const root = workflowIn(sketchOfFlow(flow));
  return root === undefined ? `${flow.name}@${flow.version}` : documentTitle(root);
}

/** Of what does the work of a task, its end is the task's to tell. */
const AT_WORK: readonly Happening['state'][] = ['begun', 'waits', 'goes on', 'failed'];

function tellsInside(kind: string): readonly Happening['state'][] {
  switch (kind) {
    // That a time runs is no news; that it is over is.
    case 'sw-deadline':
      return ['failed'];
    case 'sw-workflow':
    case 'sw-spread':
    case 'sw-leave':
    case 'sw-end':
    case 'sw-aside':
      return [];
    default:
      return AT_WORK;
  }
}

/** By node: the name of a task, or where it stands if that is no name of its alone. */
function namesOf(nodes: readonly SketchNode[]): ReadonlyMap<string, string> {
  const tasks = nodes.filter(({ hidden }) => !hidden);
  const names = countsOf(tasks.map(nameIn));
  const places = countsOf(tasks.map(placeIn));
  return new Map(
    tasks.map((task) => {
      const [name, place] = [nameIn(task), placeIn(task)];
      if (names.get(name) === 1) return [task.id, name];
      return [task.id, places.get(place) === 1 ? place : task.id];
    }),
  );
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
