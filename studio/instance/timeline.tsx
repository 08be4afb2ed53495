/**
 * When what happened: a line for each visit, on a scale that leaves out the time in which nothing
 * did. A row is a button that opens its visit; the axis is a slider that goes through the commits.
 */
import { type ReactNode, useMemo, useState } from 'react';
import { Empty } from '../parts/screen.tsx';
import { useQuery } from '../shell/routing.tsx';
import { OlderNotice } from './older-notice.tsx';
import type { PanelProps } from './panel-props.ts';
import { TimelineAxis } from './timeline-axis.tsx';
import { TimelineLines } from './timeline-lines.tsx';
import { type Row, rowsOf } from './timeline-rows.ts';
import { busySpans, idleSpans, placeOf, type Scale, scaleOf } from './timeline-scale.ts';
import { TimelineTable } from './timeline-table.tsx';
import { KIND_WORDS, rowText } from './timeline-words.ts';
import { nowOf, useShownVisits } from './use-visits.ts';
import type { SegmentKind, Visit } from './visit.ts';
import { VisitCard } from './visit-card.tsx';
import './timeline.css';
import './visits.css';

export function Timeline(panel: PanelProps): ReactNode {
  const now = nowOf(panel);
  const props = { ...panel, now };
  const visits = useShownVisits(props);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [isTable, setIsTable] = useState(false);
  const [query, change] = useQuery();
  const rows = useMemo(() => rowsOf(visits, { now, unfolded }), [visits, now, unfolded]);
  const scale = useScale(props, visits);
  const chosen = visits.find(({ key }) => key === query.get('visit')) ?? null;
  const choose = (row: Row): void => {
    if (row.is === 'rest') return setUnfolded(new Set([...unfolded, row.node]));
    props.onNode(row.visit.node);
    change({ visit: row.visit.key });
  };
  if (rows.length === 0) return <Empty title="Nothing has been visited yet." />;
  return (
    <section className="stack timeline" aria-label="Timeline">
      <OlderNotice {...props} />
      <div className="row between">
        <Legend />
        <button
          type="button"
          className="button small"
          aria-pressed={isTable}
          onClick={() => setIsTable(!isTable)}
        >
          As a table
        </button>
      </div>
      {isTable ? (
        <TimelineTable rows={rows} now={now} onChoose={choose} />
      ) : (
        <Chart {...props} rows={rows} scale={scale} chosen={chosen} onChoose={choose} />
      )}
      {chosen === null ? null : (
        <VisitCard {...props} visit={chosen} onClose={() => change({ visit: null })} />
      )}
    </section>
  );
}

function useScale({ commits, now }: PanelProps, visits: readonly Visit[]): Scale {
  return useMemo(() => {
    const last = commits.at(-1);
    const isOver = last?.changes.some(({ did }) => did === 'finish') === true;
    const to = isOver ? last.at : Math.max(now, last?.at ?? now);
    const from = Math.min(commits[0]?.at ?? to, ...visits.slice(0, 1).map(({ bornAt }) => bornAt));
    const busy = busySpans(
      visits,
      commits.map(({ at }) => at),
      to,
    );
    return scaleOf({ from, to }, idleSpans({ from, to }, busy));
  }, [commits, visits, now]);
}

interface ChartProps extends PanelProps {
  readonly rows: readonly Row[];
  readonly scale: Scale;
  readonly chosen: Visit | null;
  readonly onChoose: (row: Row) => void;
}

function Chart(props: ChartProps): ReactNode {
  const { rows, scale, now, commits, at, onAt, chosen, node, onChoose } = props;
  const [told, setTold] = useState<Row | null>(null);
  const moment = at === null ? null : (commits.find(({ n }) => n === at)?.at ?? scale.from);
  const cursor = moment === null ? null : placeOf(scale, moment);
  return (
    <div className="card timeline-card">
      <TimelineAxis commits={commits} scale={scale} at={at} onAt={onAt} />
      <div className="timeline-body">
        <div className="timeline-over" aria-hidden="true">
          {scale.pieces
            .filter(({ isIdle }) => isIdle)
            .map(({ from, left, right }) => (
              <span key={from} className="timeline-notch" style={spanStyle(left, right)} />
            ))}
          {cursor === null ? null : (
            <>
              <span className="timeline-veil" style={spanStyle(cursor, 1)} />
              <span className="timeline-cursor" style={{ left: `${cursor * 100}%` }} />
            </>
          )}
        </div>
        <TimelineLines
          {...{ rows, scale, now, node, chosen, onChoose, after: moment }}
          onTell={setTold}
        />
      </div>
      <p className="timeline-told dim">
        {told === null
          ? 'Point at a line for its times; click to open the visit.'
          : rowText(told, now)}
      </p>
    </div>
  );
}

function spanStyle(left: number, right: number): { readonly left: string; readonly width: string } {
  return { left: `${left * 100}%`, width: `${(right - left) * 100}%` };
}

const KINDS = Object.keys(KIND_WORDS) as readonly SegmentKind[];

function Legend(): ReactNode {
  return (
    <ul className="row timeline-legend" aria-label="Colours">
      {KINDS.map((kind) => (
        <li key={kind} className="row">
          <span className={`timeline-swatch bar-${kind}`} aria-hidden="true" />
          {KIND_WORDS[kind]}
        </li>
      ))}
      <li className="row">
        <span className="timeline-swatch timeline-swatch-idle" aria-hidden="true" />
        idle, not to scale
      </li>
    </ul>
  );
}
