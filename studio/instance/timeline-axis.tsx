/** The axis: real times, how long the notches are, and which commit is looked at. */
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import type { Commit } from '../api/shapes.ts';
import { clockText, spanText } from '../parts/moment.tsx';
import { momentAt, type Piece, type Scale, ticksOf } from './timeline-scale.ts';
import { tickText } from './timeline-words.ts';

export interface AxisProps {
  readonly commits: readonly Commit[];
  readonly scale: Scale;
  readonly at: number | null;
  readonly onAt: (n: number | null) => void;
}

/** Labels need so much of the width each. */
const APART = 0.16;
const NOTCHES_APART = 0.11;

export function TimelineAxis({ commits, scale, at, onAt }: AxisProps): ReactNode {
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
        <Notches pieces={scale.pieces} />
        <Ticks scale={scale} />
      </div>
    </div>
  );
}

function Ticks({ scale }: { readonly scale: Scale }): ReactNode {
  const ticks = ticksOf(scale, APART);
  const drawn = scale.pieces
    .filter(({ isIdle }) => !isIdle)
    .reduce((sum, { from, to }) => sum + to - from, 0);
  return ticks.map(({ at, place }, index) => (
    <span key={at} className="timeline-tick" style={{ left: `${place * 100}%` }}>
      {tickText(at, ticks[index - 1]?.at ?? null, index === 0 ? scale.to - scale.from : drawn)}
    </span>
  ));
}

function Notches({ pieces }: { readonly pieces: readonly Piece[] }): ReactNode {
  let before = Number.NEGATIVE_INFINITY;
  return pieces
    .filter(({ isIdle }) => isIdle)
    .map(({ from, to, left, right }) => {
      const middle = (left + right) / 2;
      const isFree = middle - before >= NOTCHES_APART;
      if (isFree) before = middle;
      const text = `${spanText(to - from)} idle`;
      return (
        <span
          key={from}
          className="timeline-idle"
          style={{ left: `${middle * 100}%` }}
          title={`${text}: ${clockText(from)} – ${clockText(to)}`}
        >
          {isFree ? text : '⋯'}
        </span>
      );
    });
}
