/** Tasks of several questions as one list: each once, in one order, and those that are meant. */
import type { Task } from '../api/shapes.ts';

export type TaskOrder = 'created' | 'due' | 'priority';
export const TASK_ORDERS: readonly TaskOrder[] = ['created', 'due', 'priority'];

export function merged(lists: readonly (readonly Task[])[], order: TaskOrder): readonly Task[] {
  const byId = new Map(lists.flat().map((task) => [task.id, task]));
  return [...byId.values()].sort(
    (a, b) => rankOf(a, order) - rankOf(b, order) || a.createdAt - b.createdAt || byText(a, b),
  );
}

/** As the API has it: oldest, soonest (those without a date last), or most urgent first. */
function rankOf({ createdAt, due, priority }: Task, order: TaskOrder): number {
  if (order === 'due') return due ?? Number.MAX_SAFE_INTEGER;
  return order === 'priority' ? -priority : createdAt;
}

function byText(a: Task, b: Task): number {
  return a.id < b.id ? -1 : 1;
}

/** Every word must be somewhere in what a list shows of it, or in what people are shown. */
export function matches(task: Task, words: string): boolean {
  const parts = words
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
  if (parts.length === 0) return true;
  const shown = [task.title, task.node, task.flow, task.key, task.id, task.assignee];
  const text = `${shown.join(' ')} ${JSON.stringify(task.data)}`.toLowerCase();
  return parts.every((part) => text.includes(part));
}

/** Where to go when this one is done: the next, or else the one before. */
export function neighbour(tasks: readonly Task[], id: string, step: 1 | -1): Task | undefined {
  const at = tasks.findIndex((task) => task.id === id);
  if (at === -1) return tasks[0];
  return tasks[at + step];
}

export function nextAfter(tasks: readonly Task[], id: string): Task | undefined {
  return neighbour(tasks, id, 1) ?? tasks.findLast((task) => task.id !== id);
}

/** One that is looked at stays where it was in the list, though it is done by now. */
export function withGone(
  tasks: readonly Task[],
  gone: { readonly task: Task; readonly at: number } | null,
): readonly Task[] {
  if (gone === null || tasks.some(({ id }) => id === gone.task.id)) return tasks;
  return [...tasks.slice(0, gone.at), gone.task, ...tasks.slice(gone.at)];
}

export function isOverdue({ due }: Task, now: number): boolean {
  return due !== null && due < now;
}

export function titleOf({ title, node }: Task): string {
  return title === null || title.trim() === '' ? node : title;
}

export interface TaskFilter {
  readonly who: 'mine' | 'all';
  readonly group: string;
  readonly kind: string;
  readonly flow: string;
  readonly overdue: boolean;
  readonly order: TaskOrder;
}

/**
 * What has to be asked. A person, and each of their groups, are questions of their own: what is
 * theirs is what any of them finds.
 */
export function questionsOf(
  { who, group, kind, flow, overdue, order }: TaskFilter,
  me: { readonly actor: string | null; readonly groups: readonly string[] },
  limit: number,
): readonly Readonly<Record<string, string | number | boolean>>[] {
  const rest = {
    ...{ order, limit },
    ...(kind === '' ? {} : { kind }),
    ...(flow === '' ? {} : { flow }),
    ...(overdue ? { dueBefore: new Date().toISOString() } : {}),
  };
  if (group !== '') return [{ group, ...rest }];
  if (who === 'all') return [rest];
  const person = me.actor === null ? { mine: true } : { actor: me.actor };
  return [{ ...person, ...rest }, ...me.groups.map((name) => ({ group: name, ...rest }))];
}
