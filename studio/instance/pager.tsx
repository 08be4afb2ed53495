/** Pages of something that is all there, so that a page of the browser never has all of it. */
import type { ReactNode } from 'react';

/** The page that was asked for; else that of the one that is looked at; else the first. */
export function pageOf(asked: string | null, count: number, size: number, at = -1): number {
  const last = Math.max(0, Math.ceil(count / size) - 1);
  const wanted = asked === null ? Math.floor(Math.max(0, at) / size) : Math.trunc(Number(asked));
  return Number.isNaN(wanted) ? 0 : Math.min(Math.max(0, wanted), last);
}

interface PagerProps {
  readonly page: number;
  readonly count: number;
  readonly size: number;
  /** What they are, as of several. */
  readonly what: string;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, count, size, what, onPage }: PagerProps): ReactNode {
  if (count <= size) return null;
  const last = Math.ceil(count / size) - 1;
  const from = page * size + 1;
  const to = Math.min(count, from + size - 1);
  return (
    <nav className="row" aria-label={`Pages of ${what}`}>
      <button
        type="button"
        className="button small"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      >
        Previous
      </button>
      <span className="dim" aria-live="polite">
        {from.toLocaleString()}–{to.toLocaleString()} of {count.toLocaleString()} {what}
      </span>
      <button
        type="button"
        className="button small"
        disabled={page === last}
        onClick={() => onPage(page + 1)}
      >
        Next
      </button>
    </nav>
  );
}
