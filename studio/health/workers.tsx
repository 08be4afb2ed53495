/** Who is at work: what each can do, and what each is at just now. */
import { type ReactNode, useState } from 'react';
import type { Asked } from '../api/use-asked.ts';
import { Ago } from '../parts/moment.tsx';
import { Link, to } from '../shell/routing.tsx';
import { Panel } from './panel.tsx';

export interface Hold {
  readonly instance: string;
  readonly token: number;
  readonly node: string;
  /** Since when, and until when unless it says that it is still at it. */
  readonly since: number | null;
  readonly until: number;
}

export interface Worker {
  readonly worker: string;
  readonly handlers: readonly string[];
  readonly until: number;
  /** Servers of before do not tell it. */
  readonly holds?: readonly Hold[];
}

export interface WorkersAnswer {
  readonly workers: readonly Worker[];
}

/** A program may have hundreds of handlers. */
const HANDLERS_SHOWN = 6;
const HOLDS_SHOWN = 5;

export function Workers({ asked }: { readonly asked: Asked<WorkersAnswer> }): ReactNode {
  return (
    <Panel
      title="Workers"
      asked={asked}
      isEmpty={({ workers }) => workers.length === 0}
      empty="Nobody is at work: steps wait until a program with a worker is started."
    >
      {({ workers }) => (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Worker</th>
              <th scope="col">Can do</th>
              <th scope="col">Is at</th>
              <th scope="col">Is there until</th>
            </tr>
          </thead>
          <tbody>
            {workers.map((worker) => (
              <WorkerRow key={worker.worker} worker={worker} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function WorkerRow({ worker }: { readonly worker: Worker }): ReactNode {
  const { holds } = worker;
  return (
    <tr>
      <td>
        <code>{worker.worker}</code>
      </td>
      <td>
        <Handlers names={worker.handlers} />
      </td>
      <td>{holds === undefined ? <span className="dim">–</span> : <Holds holds={holds} />}</td>
      <td>
        <Ago at={worker.until} />
      </td>
    </tr>
  );
}

function Handlers({ names }: { readonly names: readonly string[] }): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? names : names.slice(0, HANDLERS_SHOWN);
  if (names.length === 0) return <span className="dim">no handlers</span>;
  return (
    <span className="health-chips">
      {shown.map((name) => (
        <span key={name} className="chip">
          {name}
        </span>
      ))}
      {names.length > HANDLERS_SHOWN ? (
        <button
          type="button"
          className="link"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'fewer' : `${names.length - HANDLERS_SHOWN} more`}
        </button>
      ) : null}
    </span>
  );
}

function Holds({ holds }: { readonly holds: readonly Hold[] }): ReactNode {
  if (holds.length === 0) return <span className="dim">nothing just now</span>;
  return (
    <ul className="health-holds">
      {holds.slice(0, HOLDS_SHOWN).map(({ instance, token, node, since }) => (
        <li key={`${instance}:${token}`}>
          <Link href={to('instances', instance)}>{node}</Link>{' '}
          <span className="dim">{since === null ? '' : <Ago at={since} />}</span>
        </li>
      ))}
      {holds.length > HOLDS_SHOWN ? (
        <li className="dim">and {holds.length - HOLDS_SHOWN} more</li>
      ) : null}
    </ul>
  );
}
