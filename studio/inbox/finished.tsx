/**
 * A task that is not there any more. It does not vanish under whoever looks at it: what became of
 * it stands in the history of its instance, and is told here.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { get, pathTo } from '../api/asking.ts';
import type { HistoryPage, Instance, Task, TaskEntry } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Ago } from '../parts/moment.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Link, to } from '../shell/routing.tsx';
import { titleOf } from './task-order.ts';
import { entryText } from './trail-text.ts';

export interface FinishedProps {
  readonly id: string;
  /** As it was seen last, if it was. */
  readonly seen: Task | undefined;
  readonly children?: ReactNode;
}

export function Finished({ id, seen, children }: FinishedProps): ReactNode {
  const place = placeOf(id);
  const path = place === null ? null : pathTo('instances', place.instance);
  const { value: instance } = useAsked<Instance>(path);
  const last = useLastEntry(place);
  return (
    <article className="card padded stack inbox-task" aria-label="A task that is done">
      {children}
      <h2>{seen === undefined ? 'This task is not open' : titleOf(seen)}</h2>
      <p role="status">
        {last === null ? (
          'It is done, or its branch is over, or there never was one of this name.'
        ) : (
          <>
            It is done: <b>{last.by ?? 'somebody'}</b> {entryText(last)} <Ago at={last.at} />.
          </>
        )}
      </p>
      {last?.comment === undefined ? null : <p className="inbox-said">{last.comment}</p>}
      {instance === undefined ? null : (
        <p className="row">
          <Link href={to('instances', instance.id)}>Open its instance</Link>
          <StatusBadge status={instance.status} />
        </p>
      )}
    </article>
  );
}

interface Place {
  readonly instance: string;
  readonly token: number;
}

/** Ids of tasks are INSTANCE:TOKEN. */
function placeOf(id: string): Place | null {
  const [, instance, token] = /^(.+):(\d+)$/s.exec(id) ?? [];
  return instance === undefined ? null : { instance, token: Number(token) };
}

const COMMITS_MAX = 1_000;

function useLastEntry(place: Place | null): TaskEntry | null {
  const [entry, setEntry] = useState<TaskEntry | null>(null);
  const { instance, token } = place ?? {};
  useEffect(() => {
    if (instance === undefined) return undefined;
    const ending = new AbortController();
    const query = { limit: COMMITS_MAX };
    get<HistoryPage>(pathTo('instances', instance, 'history'), query, ending.signal).then(
      ({ commits }) => {
        const changes = commits.flatMap((commit) => commit.changes);
        const change = changes.findLast((one) => one.did === 'alter-task' && one.token === token);
        setEntry((change?.['entry'] as TaskEntry | undefined) ?? null);
      },
      // Without a history there is simply nothing more to tell.
      () => setEntry(null),
    );
    return () => ending.abort();
  }, [instance, token]);
  return entry;
}
