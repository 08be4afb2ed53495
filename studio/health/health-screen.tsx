/**
 * Whether all is well: who is at work, what waits and since when, and what to do about what is not.
 * There is no stream of these numbers; they are asked for every two seconds while somebody looks.
 */
import type { ReactNode } from 'react';
import { useAsked } from '../api/use-asked.ts';
import { Loading, ProblemBox, ScreenHead } from '../parts/screen.tsx';
import { useBeat } from './beat.ts';
import { Doctor } from './doctor.tsx';
import { Lanes } from './lanes.tsx';
import { Letters } from './letters.tsx';
import { type Backlog, readingsOf, type Tone, worst } from './readings.ts';
import { Schedules } from './schedules.tsx';
import { Halts, Unserved } from './standing-still.tsx';
import { Tiles } from './tiles.tsx';
import { Workers, type WorkersAnswer } from './workers.tsx';
import './health.css';

const STATES: Readonly<Record<Tone, string>> = {
  ok: 'all is well',
  warn: 'worth a look',
  bad: 'something is wrong',
};

export function HealthScreen(): ReactNode {
  const beat = useBeat();
  const backlog = useAsked<Backlog>('/api/backlog', {}, beat);
  const workers = useAsked<WorkersAnswer>('/api/workers', {}, beat);
  const readings =
    backlog.value === undefined || workers.value === undefined
      ? []
      : readingsOf(backlog.value, workers.value.workers.length);
  const state = worst(readings.map(({ tone }) => tone));
  const mark =
    readings.length === 0 ? null : <span className={`badge tone-${state}`}>{STATES[state]}</span>;
  return (
    <>
      <ScreenHead
        title="Health"
        mark={mark}
        below="As the store has it now, for all who work on it."
      />
      <div className="health">
        <Unserved beat={beat} />
        <Halts beat={beat} />
        {backlog.problem === null ? null : <ProblemBox problem={backlog.problem} />}
        {readings.length === 0 && backlog.problem === null ? <Loading /> : null}
        <Tiles readings={readings} />
        <Workers asked={workers} />
        <Doctor />
        <Letters beat={beat} />
        <Schedules beat={beat} />
        <Lanes beat={beat} />
      </div>
    </>
  );
}
