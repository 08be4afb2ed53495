/** One task: what it is about, what can be done with it, and what was done so far. */
import { type ReactNode, useRef } from 'react';
import type { Task } from '../api/shapes.ts';
import { useCommand } from '../shell/commands.ts';
import { CompleteForm, ResubmitForm } from './complete-form.tsx';
import { DecideForm } from './decide-form.tsx';
import { MoreActions } from './more-actions.tsx';
import { NoSay } from './no-say.tsx';
import { usePerson } from './person.ts';
import { standingOf } from './standing.ts';
import { Facts, Shown } from './task-facts.tsx';
import { titleOf } from './task-order.ts';
import { CommentForm, Trail } from './trail.tsx';
import { Votes } from './votes.tsx';
import { Whereabouts } from './whereabouts.tsx';

export interface TaskViewProps {
  readonly task: Task;
  readonly pulse: number;
  readonly onDone: (text: string) => void;
  /** It is over, or over for whoever did it: on to the next. */
  readonly onEnded: (text: string) => void;
  readonly children?: ReactNode;
}

export function TaskView({ task, pulse, onDone, onEnded, children }: TaskViewProps): ReactNode {
  const standing = standingOf(task, usePerson());
  const box = useRef<HTMLTextAreaElement>(null);
  const run = (): void => box.current?.focus();
  useCommand({ label: 'Comment on the task', group: 'Task', keys: 'm', run });
  const form = { task, canAct: standing.canAct, onEnded };
  return (
    <article className="card padded stack inbox-task" aria-label={titleOf(task)}>
      {children}
      <header className="stack inbox-task-head">
        <div className="row">
          <h2>{titleOf(task)}</h2>
          <span className="badge tone-wait">{task.kind}</span>
          {task.returned === true ? <span className="badge tone-warn">sent back</span> : null}
          {(task.round ?? 1) > 1 ? <span className="chip">round {task.round}</span> : null}
        </div>
        <Facts task={task} />
        <MoreActions {...{ task, standing, onDone, onEnded }} />
      </header>
      <Shown task={task} />
      <NoSay task={task} standing={standing} />
      <Primary {...form} />
      {task.kind === 'approval' ? <Votes task={task} /> : null}
      <Whereabouts task={task} pulse={pulse} />
      <section className="stack inbox-part" aria-label="What was done so far">
        <h3>What was done so far</h3>
        <Trail task={task} />
        <CommentForm key={task.id} task={task} box={box} onDone={onDone} />
      </section>
    </article>
  );
}

function Primary(props: {
  readonly task: Task;
  readonly canAct: boolean;
  readonly onEnded: (text: string) => void;
}): ReactNode {
  const { task } = props;
  if (task.kind === 'task') return <CompleteForm key={task.id} {...props} />;
  if (task.returned === true) return <ResubmitForm key={task.id} {...props} />;
  // Another round is another decision; what was being written for the last one is kept.
  return <DecideForm key={`${task.id} ${task.round ?? 1}`} {...props} />;
}
