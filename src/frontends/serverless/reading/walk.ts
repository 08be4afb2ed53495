/**
 * Every task of a definition with its pointer, wherever it lies: in `do`, in the lists of other
 * tasks, among the functions, and before and after what an extension extends.
 *
 * They come in the order in which they are written, a task before those inside of it, and what is
 * tried before what is done when it fails. What has no shape yet is passed over, so that checks can
 * look at a definition that has mistakes.
 */
import type { JsonObject } from '../../../base/json.ts';
import type { WorkflowDocument } from './document.ts';
import { findKind, type Task, type TaskKind } from './document-tasks.ts';
import { entriesOf, findPart, itemsOf, pointerTo } from './pointer.ts';

export interface WalkedTask {
  readonly pointer: string;
  readonly name: string;
  readonly task: Task;
  readonly kind: TaskKind;
  /** The pointer of the list it lies in; for a function that of all functions. */
  readonly list: string;
  /** The names of all tasks of that list, its own among them; a function has none. */
  readonly siblings: readonly string[];
  /** It is a branch of a fork: none of its siblings comes after it. */
  readonly isBranch: boolean;
}

/** A list of tasks, and where it lies. */
export interface WalkedList {
  readonly pointer: string;
  readonly items: readonly unknown[];
}

export function* tasksOf(document: WorkflowDocument | JsonObject): Generator<WalkedTask> {
  for (const key of Object.keys(document)) {
    if (key === 'do') yield* tasksIn(listAt(document, '', ['do']));
    if (key === 'use') yield* tasksOfUse(document.use);
  }
}

function* tasksOfUse(use: unknown): Generator<WalkedTask> {
  const list = '/use/functions';
  for (const [name, task] of entriesOf(findPart(use, 'functions'))) {
    const pointer = pointerTo(list, name);
    yield* walked(task, { pointer, name, list, siblings: [], isBranch: false });
  }
  yield* tasksIn(extensionsOf(use).flatMap(listsAround));
}

/** The lists of tasks that lie in no task. */
export function listsOfWorkflow(document: JsonObject): readonly WalkedList[] {
  const extensions = extensionsOf(document['use']);
  return [...listAt(document, '', ['do']), ...extensions.flatMap(listsAround)];
}

function listsAround({ pointer, extension }: WalkedExtension): readonly WalkedList[] {
  return ['before', 'after'].flatMap((when) => listAt(extension, pointer, [when]));
}

export interface WalkedExtension {
  readonly pointer: string;
  readonly extension: unknown;
}

/** The extensions of `use`, in their order. */
export function extensionsOf(use: unknown): readonly WalkedExtension[] {
  return itemsOf(findPart(use, 'extensions')).flatMap((item, index) =>
    entriesOf(item).map(([name, extension]) => {
      return { pointer: pointerTo('/use/extensions', index, name), extension };
    }),
  );
}

function* tasksIn(lists: readonly WalkedList[]): Generator<WalkedTask> {
  for (const { pointer: list, items } of lists) {
    const siblings = items.flatMap((item) => entriesOf(item).map(([name]) => name));
    const isBranch = list.endsWith('/branches');
    for (const [index, item] of items.entries()) {
      for (const [name, task] of entriesOf(item)) {
        const pointer = pointerTo(list, index, name);
        yield* walked(task, { pointer, name, list, siblings, isBranch });
      }
    }
  }
}

function* walked(value: unknown, place: Omit<WalkedTask, 'task' | 'kind'>): Generator<WalkedTask> {
  const kind = findKind(Object(value));
  if (kind === undefined) return;
  const one: WalkedTask = { ...place, task: value as Task, kind };
  yield one;
  yield* tasksIn(listsWithin(one));
}

/** Where a task of a kind has tasks inside of it, in the order in which they are run. */
const WITHIN: Partial<Readonly<Record<TaskKind, readonly (readonly string[])[]>>> = {
  do: [['do']],
  for: [['do']],
  fork: [['fork', 'branches']],
  try: [['try'], ['catch', 'do']],
  listen: [['foreach', 'do']],
  call: [['with', 'subscription', 'foreach', 'do']],
};

/** The lists of tasks directly inside of a task. */
export function listsWithin({ pointer, task, kind }: WalkedTask): readonly WalkedList[] {
  // What any other call is given is data, whatever it is called.
  if (kind === 'call' && findPart(task, 'call') !== 'asyncapi') return [];
  return (WITHIN[kind] ?? []).flatMap((steps) => listAt(task, pointer, steps));
}

function listAt(whole: unknown, at: string, steps: readonly string[]): readonly WalkedList[] {
  const value = findPart(whole, ...steps);
  return Array.isArray(value) ? [{ pointer: pointerTo(at, ...steps), items: value }] : [];
}
