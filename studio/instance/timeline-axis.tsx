/** The axis: real times, how long the notches are, and which commit is looked at. */
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Commit } from '../api/shapes.ts';
import { clockText, spanText } from '../parts/moment.tsx';
import { momentAt, type Piece, type Scale, ticksOf } from './timeline-scale.ts';
import { tickText } from './timeline-words.ts';

interface AxisProps {
  readonly commits: readonly Commit[];
  readonly scale: Scale;
  readonly at: number | null;
  readonly onAt: (n: number | null) => void;
}

/** Labels need so much room each, in pixels; wide screens have it for more of them. */
const TICK_PX = 120;
const NOTCH_PX = 80;
const WIDTH_PX_FIRST = 700;

function useWidth(): readonly [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDTH_PX_FIRST);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(Math.max(1, current.clientWidth)));
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return [box, width];
}

export function TimelineAxis({ commits, scale, at, onAt }: AxisProps): ReactNode {
  const [box, width] = useWidth();
  const first = commits[0]?.n ?? 1;
  const last = commits.at(-1)?.n ?? 1;
  const shown = at ?? last;
  const set = (n: number): void => onAt(n >= last ? null : Math.max(first, n));
  const press = (event: KeyboardEvent): void => {
    const next = {
      ...{ ArrowLeft: shown - 1, ArrowDown: shown - 1, ArrowRight: shown + 1, ArrowUp: shown + 1 },
      ...{ Home: first, End: last, PageUp: shown + 10, PageDown: shown - 10 },
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };
  const point = (event: MouseEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const moment = momentAt(scale, (event.clientX - left) / width);
    set(commits.findLast((commit) => commit.at <= moment)?.n ?? first);
  };
  const moment = commits.find(({ n }) => n === shown)?.at ?? scale.to;
  return (
    <div className="timeline-axis-row">
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        className="timeline-axis"
        title="Click to look at that moment"
        aria-label="Commit that is looked at"
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={`commit ${shown}, ${at === null ? 'now' : clockText(moment)}`}
        onKeyDown={press}
        onClick={point}
      >
        <Notches pieces={scale.pieces} apart={NOTCH_PX / width} />
        <Ticks scale={scale} apart={TICK_PX / width} />
      </div>
    </div>
  );
}

interface TicksProps {
  readonly scale: Scale;
  readonly apart: number;
}

function Ticks({ scale, apart }: TicksProps): ReactNode {
  const ticks = ticksOf(scale, apart);
  const drawn = scale.pieces
    .filter(({ isIdle }) => !isIdle)
    .reduce((sum, { from, to }) => sum + to - from, 0);
  return ticks.map(({ at, place }, index) => (
    <span key={at} className="timeline-tick" style={{ left: `${place * 100}%` }}>
      {tickText(at, ticks[index - 1]?.at ?? null, index === 0 ? scale.to - scale.from : drawn)}
    </span>
  ));
}

interface NotchesProps {
  readonly pieces: readonly Piece[];
  readonly apart: number;
}

/** The longest have their label first, wherever they are; the others have a place to point at. */
function Notches({ pieces, apart }: NotchesProps): ReactNode {
  const idle = pieces.filter(({ isIdle }) => isIdle);
  const labelled = new Map<Piece, number>();
  for (const piece of idle.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    const place = labelPlace(piece, apart);
    const isFree = [...labelled.values()].every((other) => Math.abs(other - place) >= apart);
    if (isFree) labelled.set(piece, place);
  }
  return idle.map((piece) => {
    const { from, to, left, right } = piece;
    const text = `${spanText(to - from)} idle`;
    const title = `${text}: ${clockText(from)} – ${clockText(to)}`;
    const place = labelled.get(piece);
    const style = { left: `${left * 100}%`, width: `${(right - left) * 100}%` };
    if (place === undefined) {
      return <span key={from} className="timeline-gap" style={style} title={title} />;
    }
    return (
      <span key={from} className="timeline-idle" style={{ left: `${place * 100}%` }} title={title}>
        {text}
      </span>
    );
  });
}

/** In the middle of the notch, but not over the edge. */
function labelPlace({ left, right }: Piece, apart: number): number {
  const half = Math.min(0.5, apart / 2);
  return Math.min(Math.max((left + right) / 2, half), 1 - half);
}
