/** No task: because there is none, or because the list is narrowed to some. */
import type { ReactNode } from 'react';
import { Empty } from '../parts/screen.tsx';
import { go, useQuery } from '../shell/routing.tsx';
import { usePerson } from './person.ts';
import { useFilter } from './use-tasks.ts';

export function NothingOpen(): ReactNode {
  const { actor } = usePerson();
  const filter = useFilter();
  const [query] = useQuery();
  const isNarrowed = [...query.keys()].some((name) => name !== 'who' && name !== 'order');
  const showAll = (): void => go(`${location.pathname}?who=all`);
  if (isNarrowed || filter.who === 'mine') {
    return (
      <Empty title={isNarrowed ? 'No open task is like that.' : `Nothing waits for ${actor}.`}>
        <button type="button" className="link" onClick={showAll}>
          Show all open tasks
        </button>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing waits for people.">
      <p>
        A task is here as soon as an instance comes to a step for people: <code>.task()</code> has
        somebody do something, <code>.approve()</code> has several agree. Start an instance of a
        flow that has one.
      </p>
    </Empty>
  );
}
