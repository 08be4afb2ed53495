/** A part of the screen: a heading, and what is below it, also if that is nothing or wrong. */
import { type ReactNode, useId } from 'react';
import type { Asked } from '../api/use-asked.ts';
import { ProblemBox } from '../parts/screen.tsx';

export interface PanelProps<Value> {
  readonly title: string;
  readonly asked: Asked<Value>;
  readonly isEmpty: (value: Value) => boolean;
  /** What it means that there is nothing. */
  readonly empty: string;
  readonly aside?: ReactNode;
  readonly children: (value: Value) => ReactNode;
}

export function Panel<Value>(props: PanelProps<Value>): ReactNode {
  const { title, asked, isEmpty, empty, aside, children } = props;
  const heading = useId();
  const { value, problem } = asked;
  return (
    <div className="health-panel">
      <div className="row between">
        <h2 id={heading}>{title}</h2>
        {aside}
      </div>
      {problem === null ? null : <ProblemBox problem={problem} />}
      {value === undefined ? null : isEmpty(value) ? (
        <p className="dim">{empty}</p>
      ) : (
        <div className="card scroll-x" tabIndex={0} role="region" aria-labelledby={heading}>
          {children(value)}
        </div>
      )}
    </div>
  );
}
