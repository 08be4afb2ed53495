/** The list with what is around it: what can be done to all of it, and how it goes on below. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemBox } from '../parts/screen.tsx';
import { Link, to } from '../shell/routing.tsx';
import { RowsTable } from './rows-table.tsx';
import { keyOf, type Sought } from './sought.ts';
import type { Chosen } from './use-chosen.ts';
import type { Rows } from './use-rows.ts';

/** More is fetched when its place comes this near. */
const AHEAD = '600px';

interface ListProps {
  readonly sought: Sought;
  readonly found: Rows;
  readonly incidents: ReadonlySet<string>;
  readonly chosen: Chosen;
  readonly onActOnAll: () => void;
}

export function List({ sought, found, incidents, chosen, onActOnAll }: ListProps): ReactNode {
  const { rows, changed, problem } = found;
  const isThere = rows !== undefined;
  // For whoever measures: from the beginning of the navigation to the first rows.
  useEffect(() => {
    if (isThere) performance.mark('perdure:rows');
  }, [isThere]);
  if (rows === undefined) return problem === null ? <Loading /> : <ProblemBox problem={problem} />;
  return (
    <div className="stack">
      {problem === null ? null : <ProblemBox problem={problem} />}
      <ListHead {...{ sought, found, onActOnAll }} />
      {rows.length > 0 ? (
        <div className="card rows-card">
          <RowsTable {...{ rows, changed, incidents, chosen }} />
        </div>
      ) : found.hasMore ? null : (
        <Nobody sought={sought} />
      )}
      <Further found={found} />
    </div>
  );
}

function ListHead({
  sought,
  found,
  onActOnAll,
}: Omit<ListProps, 'chosen' | 'incidents'>): ReactNode {
  const count = found.rows?.length ?? 0;
  const isAll = keyOf(sought) === '';
  if (count === 0) return null;
  return (
    <div className="row between list-head">
      <p className="dim" role="status">
        {count.toLocaleString()}
        {found.hasMore ? ' shown, and there are more' : count === 1 ? ' instance' : ' instances'}
      </p>
      {isAll ? (
        <span className="dim">Filter or select to act on many.</span>
      ) : (
        <button type="button" className="button small" onClick={onActOnAll}>
          <Icon name="edit" /> Act on all that match
        </button>
      )}
    </div>
  );
}

function Nobody({ sought }: { readonly sought: Sought }): ReactNode {
  const { key } = sought;
  if (keyOf(sought) === '') {
    return (
      <Empty title="No instance has been started yet.">
        <Link href="/flows">Start one of your flows</Link>
      </Empty>
    );
  }
  return (
    <Empty title="No instance is like that.">
      {key === null ? null : (
        <Link href={to('instances', key)}>Open the instance with the id {key}</Link>
      )}
    </Empty>
  );
}

/** Where the list ends for now; coming near it fetches more. */
function Further({ found }: { readonly found: Rows }): ReactNode {
  const { hasMore, isLoading, walked, loadMore, rows } = found;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    // Where nothing was found for long, somebody says whether to go on.
    if (element === null || !hasMore || walked > 0) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadMore();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
    // Observed anew after each page: one that comes without moving the place tells nothing.
  }, [hasMore, walked, loadMore, rows?.length, isLoading]);
  if (!hasMore) return null;
  return (
    <div ref={place} className="row further">
      {walked > 0 ? (
        <span role="status">Looked through {walked.toLocaleString()} so far.</span>
      ) : null}
      <button type="button" className="button" disabled={isLoading} onClick={loadMore}>
        {walked > 0 ? 'Go on' : 'Load more'}
      </button>
    </div>
  );
}
