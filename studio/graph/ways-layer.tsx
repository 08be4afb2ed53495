/** All ways of a graph, and what stands on them. */
import { memo, type ReactNode, useId, useMemo } from 'react';
import type { Drawn, DrawnWay } from './drawing.ts';
import type { GraphPlan } from './shapes.ts';
import { pathOf, takenWays } from './ways.ts';

interface WaysProps {
  readonly drawn: Drawn;
  readonly plan: GraphPlan;
  readonly taken: ReadonlySet<string> | undefined;
}

const NONE: ReadonlySet<string> = new Set();

export const Ways = memo(function Ways({ drawn, plan, taken = NONE }: WaysProps): ReactNode {
  const marker = useId();
  const strong = useMemo(() => takenWays(drawn, plan, taken), [drawn, plan, taken]);
  // Ways share pieces: what was taken is seen on top.
  const ordered = useMemo(
    () => drawn.ways.toSorted((a, b) => Number(strong.has(a)) - Number(strong.has(b))),
    [drawn, strong],
  );
  return (
    <div className="graph-ways" aria-hidden="true">
      <svg width={drawn.width + 40} height={drawn.height + 40}>
        <defs>
          {['plain', 'taken', 'back'].map((kind) => (
            <marker
              key={kind}
              id={`${marker}${kind}`}
              className={`graph-arrow graph-arrow-${kind}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="9"
              markerHeight="9"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0,0 L8,4 L0,8 z" />
            </marker>
          ))}
        </defs>
        {ordered.map((way) => (
          <Way key={keyOf(way)} way={way} isTaken={strong.has(way)} marker={marker} />
        ))}
      </svg>
      {drawn.words.map(({ x, y, width, text, isInside }) => (
        <span
          key={`${x} ${y}`}
          className={isInside ? 'graph-words graph-words-inside' : 'graph-words'}
          style={{ left: x - 6, top: y, minWidth: width + 4 }}
        >
          {text}
        </span>
      ))}
    </div>
  );
});

function keyOf({ from, to, points: [first] }: DrawnWay): string {
  return `${from} ${to} ${first?.x} ${first?.y}`;
}

interface WayProps {
  readonly way: DrawnWay;
  readonly isTaken: boolean;
  readonly marker: string;
}

function Way({ way, isTaken, marker }: WayProps): ReactNode {
  const kind = way.isBack ? 'back' : isTaken ? 'taken' : 'plain';
  return (
    <path
      className={`graph-way graph-way-${kind}${isTaken ? ' graph-way-was' : ''}`}
      d={pathOf(way.points)}
      markerEnd={way.hasArrow ? `url(#${marker}${kind})` : undefined}
    />
  );
}
