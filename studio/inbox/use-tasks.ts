/** The tasks that are meant by the address, asked for again whenever something has happened. */
import { useEffect, useState } from 'react';
import { get, type Problem, problemFrom } from '../api/asking.ts';
import type { Task, TaskPage } from '../api/shapes.ts';
import { useMe } from '../shell/me.ts';
import { useQuery } from '../shell/routing.tsx';
import { merged, questionsOf, TASK_ORDERS, type TaskFilter } from './task-order.ts';

/** Asked for at first, and how many more at a time; the API gives 1,000 at most. */
export const SHOWN_FIRST = 100;
export const SHOWN_MAX = 1_000;

export interface Tasks {
  readonly tasks: readonly Task[];
  readonly problem: Problem | null;
  /** Nothing has come yet for this question. */
  readonly isFirst: boolean;
  readonly hasMore: boolean;
  readonly reload: () => void;
}

/** Whoever has said who they are sees what is theirs; nobody in particular sees everything. */
export function useFilter(): TaskFilter {
  const [query] = useQuery();
  const me = useMe();
  const isSomebody = me.actor !== null || me.groups.length > 0;
  const who = query.get('who') ?? (isSomebody ? 'mine' : 'all');
  return {
    who: who === 'mine' ? 'mine' : 'all',
    group: query.get('group') ?? '',
    kind: query.get('kind') ?? '',
    flow: query.get('flow') ?? '',
    overdue: query.get('overdue') === 'true',
    order: TASK_ORDERS.find((order) => order === query.get('order')) ?? 'created',
  };
}

interface State {
  readonly asked: string;
  readonly tasks: readonly Task[];
  readonly problem: Problem | null;
  readonly hasMore: boolean;
}

export function useTasks(filter: TaskFilter, limit: number, pulse: number): Tasks {
  const me = useMe();
  const asked = JSON.stringify([filter, me]);
  const [state, setState] = useState<State | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    const ask = (query: Readonly<Record<string, string | number | boolean>>): Promise<TaskPage> =>
      get<TaskPage>('/api/tasks', query, ending.signal);
    Promise.all(questionsOf(filter, me, limit).map(ask)).then(
      (pages) => {
        const tasks = merged(
          pages.map((page) => page.tasks),
          filter.order,
        );
        const hasMore = pages.some(({ cursor }) => cursor !== null) && limit < SHOWN_MAX;
        setState({ asked, tasks, problem: null, hasMore });
      },
      (thrown: unknown) => {
        if (ending.signal.aborted) return;
        const problem = problemFrom(thrown);
        setState((old) => ({
          asked,
          tasks: old?.asked === asked ? old.tasks : [],
          ...{ problem, hasMore: false },
        }));
      },
    );
    return () => ending.abort();
  }, [asked, limit, pulse, turn]);
  const isFirst = state === null;
  const { tasks = [], problem = null, hasMore = false } = state ?? {};
  const reload = (): void => setTurn((count) => count + 1);
  return { tasks, problem, isFirst, hasMore, reload };
}
