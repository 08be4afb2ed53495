/** The timeline for those who would rather read it. */
import type { ReactNode } from 'react';
import { clockText, spanText } from '../parts/moment.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { keyOf } from './timeline-lines.tsx';
import type { Row } from './timeline-rows.ts';
import { sumsOf, visitName } from './timeline-words.ts';
import { type SegmentKind, statusOf, tookMs, type Visit } from './visit.ts';

interface TableProps {
  readonly rows: readonly Row[];
  readonly now: number;
  readonly onChoose: (row: Row) => void;
}

export function TimelineTable({ rows, now, onChoose }: TableProps): ReactNode {
  return (
    <section className="card scroll-x" tabIndex={0} aria-label="The timeline as a table">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Status</th>
            <th scope="col">Began</th>
            <th scope="col">Ended</th>
            <th scope="col">Took</th>
            <th scope="col">Queued</th>
            <th scope="col">Running</th>
            <th scope="col">Waiting</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) =>
            row.is === 'visit' ? (
              <VisitRow key={keyOf(row)} visit={row.visit} now={now} onOpen={() => onChoose(row)} />
            ) : (
              <tr key={keyOf(row)}>
                <td colSpan={8}>
                  <button type="button" className="link" onClick={() => onChoose(row)}>
                    and {row.count.toLocaleString()} more of {row.node}
                  </button>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

interface VisitRowProps {
  readonly visit: Visit;
  readonly now: number;
  readonly onOpen: () => void;
}

function VisitRow({ visit, now, onOpen }: VisitRowProps): ReactNode {
  const sums = new Map(sumsOf(visit, now));
  const sum = (...kinds: readonly SegmentKind[]): string => {
    const ms = kinds.reduce((all, kind) => all + (sums.get(kind) ?? 0), 0);
    return ms === 0 ? '–' : spanText(ms);
  };
  return (
    <tr>
      <td>
        <button type="button" className="link" onClick={onOpen}>
          {visitName(visit)}
        </button>
      </td>
      <td>
        <StatusBadge status={statusOf(visit)} />
      </td>
      <td>{clockText(visit.startedAt ?? visit.bornAt)}</td>
      <td>{visit.endedAt === null ? '–' : clockText(visit.endedAt)}</td>
      <td>{spanText(tookMs(visit, now))}</td>
      <td>{sum('queued')}</td>
      <td>{sum('running')}</td>
      <td>{sum('waiting', 'retry', 'paused')}</td>
    </tr>
  );
}
