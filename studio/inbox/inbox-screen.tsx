/**
 * Work that waits for people: what is open on the left, and the one that is looked at on the right.
 * On a phone it is first the one and then the other.
 */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { pathTo } from '../api/asking.ts';
import { usePulse } from '../api/live.ts';
import type { Task } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemBox, ScreenHead } from '../parts/screen.tsx';
import { useCommand } from '../shell/commands.ts';
import { go, Link, usePath, useQuery } from '../shell/routing.tsx';
import { say } from '../shell/toasts.tsx';
import { Filters } from './filters.tsx';
import { Finished } from './finished.tsx';
import { NothingOpen } from './nothing-open.tsx';
import { usePerson } from './person.ts';
import { taskHref, TaskList } from './task-list.tsx';
import { matches, neighbour, nextAfter, withGone } from './task-order.ts';
import { TaskView } from './task-view.tsx';
import { SHOWN_FIRST, SHOWN_MAX, type Tasks, useFilter, useTasks } from './use-tasks.ts';
import './inbox.css';

export function InboxScreen(): ReactNode {
  const [, id] = usePath();
  const [query] = useQuery();
  const pulse = usePulse();
  const filter = useFilter();
  const [limit, setLimit] = useState(SHOWN_FIRST);
  const found = useTasks(filter, limit, pulse);
  const words = query.get('q') ?? '';
  const shown = useMemo(
    () => found.tasks.filter((task) => matches(task, words)),
    [found.tasks, words],
  );
  const [isGone, setIsGone] = useState(false);
  const tasks = useKept(shown, id, JSON.stringify([filter, words]));
  useStepping(tasks, id);
  const onEnded = (text: string): void => {
    say(text);
    const next = id === undefined ? undefined : nextAfter(shown, id);
    go(taskHref(next?.id ?? null));
    found.reload();
  };
  const onDone = (text: string): void => {
    say(text);
    found.reload();
  };
  return (
    <>
      <Head />
      <div className="inbox" data-open={id !== undefined}>
        <div className="inbox-side">
          <Filters filter={filter} tasks={found.tasks} />
          <Listed {...{ found, tasks, id, isGone }} />
          {found.hasMore ? (
            <button type="button" className="button" onClick={() => setLimit(SHOWN_MAX)}>
              More than these: show up to {SHOWN_MAX}
            </button>
          ) : null}
        </div>
        <div className="inbox-main">
          {id === undefined ? (
            <Nothing has={tasks.length > 0} />
          ) : (
            <Chosen key={id} {...{ id, pulse, onDone, onEnded }} tell={setIsGone} />
          )}
        </div>
      </div>
    </>
  );
}

function Head(): ReactNode {
  const { actor, groups } = usePerson();
  const of = groups.length === 0 ? '' : ` of ${groups.join(', ')}`;
  return <ScreenHead title="Inbox" below={`Tasks and approvals. You act as ${actor}${of}.`} />;
}

interface ListedProps {
  readonly found: Tasks;
  readonly tasks: readonly Task[];
  readonly id: string | undefined;
  readonly isGone: boolean;
}

function Listed({ found, tasks, id, isGone }: ListedProps): ReactNode {
  if (found.problem !== null) return <ProblemBox problem={found.problem} />;
  if (found.isFirst) return <Loading />;
  if (tasks.length === 0) return <NothingOpen />;
  return <TaskList tasks={tasks} chosen={id} isGone={isGone} />;
}

function Nothing({ has }: { readonly has: boolean }): ReactNode {
  return has ? <Empty title="Choose a task.">J and K go through them.</Empty> : null;
}

/** The one that is looked at stays at its place while it is, and while the same is asked for. */
function useKept(shown: readonly Task[], id: string | undefined, asked: string): readonly Task[] {
  const last = useRef<{ task: Task; at: number; asked: string } | null>(null);
  const at = shown.findIndex((task) => task.id === id);
  const task = shown[at];
  if (task !== undefined) last.current = { task, at, asked };
  else if (last.current?.task.id !== id || last.current?.asked !== asked) last.current = null;
  return withGone(shown, last.current);
}

function useStepping(tasks: readonly Task[], id: string | undefined): void {
  const step = (by: 1 | -1) => (): void => {
    const next = id === undefined ? tasks[0] : neighbour(tasks, id, by);
    if (next !== undefined) go(taskHref(next.id));
  };
  useCommand({ label: 'Next task', group: 'Inbox', keys: 'j', run: step(1) });
  useCommand({ label: 'Previous task', group: 'Inbox', keys: 'k', run: step(-1) });
}

interface ChosenProps {
  readonly id: string;
  readonly pulse: number;
  readonly onDone: (text: string) => void;
  readonly onEnded: (text: string) => void;
  /** Whether it is done by now. */
  readonly tell: (isGone: boolean) => void;
}

function Chosen({ id, pulse, onDone, onEnded, tell }: ChosenProps): ReactNode {
  const { value: task, problem, reload } = useAsked<Task>(pathTo('tasks', id), {}, pulse);
  const isGone = problem?.code === 'task.not-found';
  useEffect(() => {
    tell(isGone);
    return () => tell(false);
  }, [isGone, tell]);
  const back = (
    <Link className="inbox-back" href={taskHref(null)}>
      <Icon name="left" /> All tasks
    </Link>
  );
  if (isGone) {
    return (
      <Finished id={id} seen={task}>
        {back}
      </Finished>
    );
  }
  if (task === undefined) return problem === null ? <Loading /> : <ProblemBox problem={problem} />;
  const done = (text: string): void => {
    reload();
    onDone(text);
  };
  return (
    <TaskView {...{ task, pulse, onEnded }} onDone={done}>
      {back}
    </TaskView>
  );
}
