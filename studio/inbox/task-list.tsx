/** Open tasks as a list of links: what it is, where it comes from, since when, and how urgent. */
import type { ReactNode } from 'react';
import type { Task } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { Ago, useNow } from '../parts/moment.tsx';
import { Link, to } from '../shell/routing.tsx';
import { isOverdue, titleOf } from './task-order.ts';

export interface TaskListProps {
  readonly tasks: readonly Task[];
  readonly chosen: string | undefined;
  /** The chosen one is done by now. */
  readonly isGone: boolean;
}

export function TaskList({ tasks, chosen, isGone }: TaskListProps): ReactNode {
  return (
    <ul className="inbox-list card" aria-label="Open tasks">
      {tasks.map((task) => (
        <li key={task.id}>
          <TaskRow
            task={task}
            isChosen={task.id === chosen}
            isGone={isGone && task.id === chosen}
          />
        </li>
      ))}
    </ul>
  );
}

interface TaskRowProps {
  readonly task: Task;
  readonly isChosen: boolean;
  readonly isGone: boolean;
}

function TaskRow({ task, isChosen, isGone }: TaskRowProps): ReactNode {
  const now = useNow();
  return (
    <Link
      className={`inbox-row${isGone ? ' inbox-row-gone' : ''}`}
      href={taskHref(task.id)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span className="inbox-row-top">
        <Icon name={task.kind === 'approval' ? 'check' : 'edit'} />
        <span className="inbox-row-title">{titleOf(task)}</span>
        {task.priority > 0 ? <span className="chip">urgent {task.priority}</span> : null}
      </span>
      <span className="inbox-row-below">
        <span className="inbox-row-flow">
          {task.flow}
          {task.key === null ? '' : ` · ${task.key}`}
        </span>
        <span>
          <Ago at={task.createdAt} />
        </span>
      </span>
      <span className="inbox-row-marks">
        {isGone ? (
          <span className="badge tone-off">done meanwhile</span>
        ) : (
          <Marks task={task} now={now} />
        )}
      </span>
    </Link>
  );
}

function Marks({ task, now }: { readonly task: Task; readonly now: number }): ReactNode {
  const { seats = [], votes = [], assignee = null, returned = false } = task;
  return (
    <>
      {task.due === null ? null : isOverdue(task, now) ? (
        <span className="badge tone-bad">
          overdue, was due <Ago at={task.due} />
        </span>
      ) : (
        <span className="dim">
          due <Ago at={task.due} />
        </span>
      )}
      {returned ? <span className="badge tone-warn">sent back</span> : null}
      {task.suspended ? <span className="badge tone-queue">suspended</span> : null}
      {task.kind === 'approval' ? (
        <span className="dim">
          {votes.length} of {seats.length} have spoken
        </span>
      ) : (
        <span className="dim">{assignee === null ? 'nobody’s yet' : `${assignee}’s`}</span>
      )}
    </>
  );
}

/** What the list is narrowed to stays in the address while tasks are looked at. */
export function taskHref(id: string | null): string {
  return `${id === null ? '/inbox' : to('inbox', id)}${location.search}`;
}
