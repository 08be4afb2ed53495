/**
 * Tasks as rows: which lists each of them is in, and what a commit writes of them. The same for
 * every store; what a task is stands in its token, and the rows only say how it is found.
 */
import type { TokenId } from '../model/ids.ts';
import type { Touched } from '../model/commit.ts';
import type { Head } from '../model/instance.ts';
import type { TaskRow } from '../model/task.ts';
import { exact } from './payload.ts';
import { offersOf, rankOf, type TaskOffer } from './tasks.ts';
import type { Cell, Write } from './writes.ts';

/** Whose list it is; empty where there is only one. */
export type TaskList = readonly [
  list: 'open' | 'flow' | 'tenant' | 'assignee' | TaskOffer['to'],
  name: string,
];

/** The lists that a task is in. */
export function listsOf({ flow, tenant }: Head, { task }: TaskRow): readonly TaskList[] {
  const lists: TaskList[] = [OPEN, ['flow', flow]];
  const { assignee = null } = task;
  if (tenant !== null) lists.push(['tenant', exact(tenant)]);
  if (assignee !== null) lists.push(['assignee', exact(assignee)]);
  for (const { to, name } of offersOf(task)) lists.push([to, exact(name)]);
  return lists;
}

/** That of all tasks. */
export const OPEN: TaskList = ['open', ''];

/** Of those that a commit opens or alters. */
export function taskWrites({ head, tasks }: Touched): readonly Write[] {
  return tasks.flatMap((row): readonly Write[] => {
    const { token, task, createdAt } = row;
    const orders = (['created', 'due', 'priority'] as const).map((order) =>
      rankOf(order, createdAt, task),
    );
    return [
      ['putTask', head.id, token, ...taskCells(head, row)],
      ['unlistTask', head.id, token],
      ...listsOf(head, row).map((list): Write => ['listTask', head.id, token, ...list, ...orders]),
    ];
  });
}

function taskCells({ flow, tenant }: Head, { node, task, createdAt }: TaskRow): readonly Cell[] {
  const { kind, assignee = null, priority = 0, due = null, followUp = null } = task;
  return [node, kind, flow, tenant, assignee, priority, due, followUp, createdAt];
}

/** Of tokens that no longer wait for people. */
export function closing(instance: string, tokens: readonly TokenId[]): readonly Write[] {
  return tokens.flatMap((token): readonly Write[] => [
    ['unlistTask', instance, token],
    ['closeTask', instance, token],
  ]);
}
