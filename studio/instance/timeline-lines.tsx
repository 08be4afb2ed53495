/** The lines of the timeline: one is reached by Tab, the others from there by the arrow keys. */
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { spanText } from '../parts/moment.tsx';
import { toneOf } from '../parts/status.tsx';
import type { Row } from './timeline-rows.ts';
import { placeOf, type Scale } from './timeline-scale.ts';
import { segmentText, visitName, visitText } from './timeline-words.ts';
import { isFailed, statusOf, tookMs, type Visit } from './visit.ts';

export interface LinesProps {
  readonly rows: readonly Row[];
  readonly scale: Scale;
  readonly now: number;
  readonly node: string | null;
  readonly chosen: Visit | null;
  /** What began after this moment had not happened yet. */
  readonly after: number | null;
  readonly onChoose: (row: Row) => void;
  readonly onTell: (row: Row | null) => void;
}

export function TimelineLines(props: LinesProps): ReactNode {
  const { rows } = props;
  const [reached, setReached] = useState(0);
  const home = Math.min(reached, rows.length - 1);
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(home + step, 0), rows.length - 1);
    setReached(next);
    event.currentTarget.querySelectorAll<HTMLElement>('.timeline-row')[next]?.focus();
  };
  return (
    <ul className="timeline-rows" aria-label="Visits" onKeyDown={press}>
      {rows.map((row, index) => (
        <Line
          key={keyOf(row)}
          {...props}
          row={row}
          isHome={index === home}
          onReach={() => setReached(index)}
        />
      ))}
    </ul>
  );
}

export function keyOf(row: Row): string {
  return row.is === 'visit' ? row.visit.key : `rest ${row.node}`;
}

interface LineProps extends LinesProps {
  readonly row: Row;
  readonly isHome: boolean;
  readonly onReach: () => void;
}

function Line(props: LineProps): ReactNode {
  const { row, isHome, onReach, onChoose, onTell } = props;
  return (
    <li>
      <button
        type="button"
        className={classOf(props)}
        tabIndex={isHome ? 0 : -1}
        aria-current={row.is === 'visit' && row.visit === props.chosen}
        onClick={() => onChoose(row)}
        onFocus={() => {
          onReach();
          onTell(row);
        }}
        onMouseEnter={() => onTell(row)}
        onMouseLeave={() => onTell(null)}
      >
        {row.is === 'rest' ? <RestOf {...props} row={row} /> : <VisitOf {...props} {...row} />}
      </button>
    </li>
  );
}

function classOf({ row, node, after }: LineProps): string {
  const mine = row.is === 'visit' ? row.visit.node : row.node;
  const from = row.is === 'visit' ? row.visit.bornAt : row.from;
  const classes = ['timeline-row'];
  if (node === mine) classes.push('is-node');
  if (after !== null && from > after) classes.push('is-later');
  return classes.join(' ');
}

function VisitOf({ visit, scale, now }: LineProps & { readonly visit: Visit }): ReactNode {
  const { startedAt, endedAt, segments, attempts } = visit;
  const from = startedAt ?? scale.to;
  return (
    <>
      <span className="timeline-label">
        <span className={`timeline-dot tone-${toneOf(statusOf(visit))}`} />
        <span className="timeline-name">{visitName(visit)}</span>
        {attempts.length > 1 ? <span className="dim">×{attempts.length}</span> : null}
      </span>
      <span className="timeline-lane" aria-hidden="true">
        <span className="timeline-bar bar-none" style={barStyle(scale, from, endedAt ?? now)} />
        {segments
          .filter((segment) => segment.from < now)
          .map((segment) => (
            <span
              key={segment.from}
              className={`timeline-bar bar-${segment.kind}${isFailed(visit) ? ' is-bad' : ''}`}
              style={barStyle(scale, segment.from, Math.min(segment.to ?? now, now))}
              title={segmentText(segment, now)}
            />
          ))}
        {isFailed(visit) ? (
          <span
            className="timeline-end"
            style={{ left: `${placeOf(scale, endedAt ?? now) * 100}%` }}
          />
        ) : null}
      </span>
      <span className="timeline-took">{spanText(tookMs(visit, now))}</span>
      <span className="visually-hidden">, {visitText(visit, now)}</span>
    </>
  );
}

function RestOf({ row, scale }: LineProps & { readonly row: Row & { is: 'rest' } }): ReactNode {
  return (
    <>
      <span className="timeline-label dim">
        and {row.count.toLocaleString()} more
        <span className="visually-hidden"> of {row.node}</span>
      </span>
      <span className="timeline-lane" aria-hidden="true">
        <span className="timeline-bar bar-rest" style={barStyle(scale, row.from, row.to)} />
      </span>
      <span className="timeline-took" />
    </>
  );
}

function barStyle(scale: Scale, from: number, to: number): { left: string; width: string } {
  const left = placeOf(scale, from);
  return { left: `${left * 100}%`, width: `${Math.max(0, placeOf(scale, to) - left) * 100}%` };
}
