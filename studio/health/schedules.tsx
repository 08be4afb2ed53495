/** Flows that are started by the clock: when, and what can be done about it. */
import { type ReactNode, useState } from 'react';
import { pathTo, post } from '../api/asking.ts';
import type { JsonObject } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Ago } from '../parts/moment.tsx';
import { Link, to } from '../shell/routing.tsx';
import { say, sayProblem } from '../shell/toasts.tsx';
import { Panel } from './panel.tsx';
import { whenText } from './when-text.ts';

interface Schedule {
  readonly name: string;
  readonly flow: string;
  readonly status: 'active' | 'paused';
  readonly spec: JsonObject | null;
  readonly nextAt: number | null;
  readonly lastAt: number | null;
}

type Verb = 'pause' | 'resume' | 'trigger';
const DONE = { pause: 'paused', resume: 'active again', trigger: 'started' } as const;

export function Schedules({ beat }: { readonly beat: number }): ReactNode {
  const asked = useAsked<{ readonly schedules: readonly Schedule[] }>('/api/schedules', {}, beat);
  const [busy, setBusy] = useState<string | null>(null);
  const act = async (name: string, verb: Verb): Promise<void> => {
    setBusy(name);
    try {
      await post(pathTo('schedules', name, verb));
      say(`${name} is ${DONE[verb]}`);
    } catch (thrown) {
      sayProblem(thrown);
    } finally {
      setBusy(null);
      asked.reload();
    }
  };
  return (
    <Panel
      title="Schedules"
      asked={asked}
      isEmpty={({ schedules }) => schedules.length === 0}
      empty="Nothing is started by the clock."
    >
      {({ schedules }) => (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Schedule</th>
              <th scope="col">Flow</th>
              <th scope="col">When</th>
              <th scope="col">Next</th>
              <th scope="col">Last</th>
              <th scope="col">
                <span className="visually-hidden">What to do</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {schedules.map((schedule) => (
              <ScheduleRow
                key={schedule.name}
                schedule={schedule}
                isBusy={busy === schedule.name}
                onAct={(verb) => void act(schedule.name, verb)}
              />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

interface ScheduleRowProps {
  readonly schedule: Schedule;
  readonly isBusy: boolean;
  readonly onAct: (verb: Verb) => void;
}

function ScheduleRow({ schedule, isBusy, onAct }: ScheduleRowProps): ReactNode {
  const { name, flow, status, spec, nextAt, lastAt } = schedule;
  const isPaused = status === 'paused';
  const button = (label: string, verb: Verb): ReactNode => (
    <button
      type="button"
      className="button small"
      disabled={isBusy}
      aria-label={`${label} ${name}`}
      onClick={() => onAct(verb)}
    >
      {label}
    </button>
  );
  return (
    <tr>
      <td>{name}</td>
      <td>
        <Link href={to('flows', flow)}>{flow}</Link>
      </td>
      <td>{whenText(spec)}</td>
      <td>{isPaused ? <span className="badge tone-queue">paused</span> : <Ago at={nextAt} />}</td>
      <td>
        <Ago at={lastAt} />
      </td>
      <td>
        <span className="row">
          {isPaused ? button('Resume', 'resume') : button('Pause', 'pause')}
          {button('Start now', 'trigger')}
        </span>
      </td>
    </tr>
  );
}
