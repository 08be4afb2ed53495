/** What “perdure doctor” finds: what was looked at, what it is like, and what to do about it. */
import { type ReactNode, useState } from 'react';
import type { Symptom } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { StatusBadge } from '../parts/status.tsx';
import { useCommand } from '../shell/commands.ts';
import { Panel } from './panel.tsx';

export interface DoctorAnswer {
  readonly ok: boolean;
  readonly checks: readonly Symptom[];
}

const RANK = { fail: 0, warn: 1, ok: 2 } as const;

/** It asks the database a lot: when one comes, and when one says so. */
export function Doctor(): ReactNode {
  const [isFull, setIsFull] = useState(false);
  const asked = useAsked<DoctorAnswer>('/dev/doctor', isFull ? { full: true } : {});
  const look = (): void => {
    if (isFull) asked.reload();
    else setIsFull(true);
  };
  useCommand({ label: 'Check everything', group: 'Health', keys: 'c', run: look });
  const state = asked.isLoading ? 'Looking …' : isFull ? 'Everything was looked at.' : '';
  return (
    <Panel
      title="What the doctor finds"
      asked={asked}
      isEmpty={({ checks }) => checks.length === 0}
      empty="The doctor looked at nothing."
      aside={
        <span className="row">
          <span className="dim" role="status">
            {state}
          </span>
          <button
            type="button"
            className="button small"
            disabled={asked.isLoading}
            onClick={asked.reload}
          >
            Look again
          </button>
          <button type="button" className="button small" disabled={asked.isLoading} onClick={look}>
            Full check
          </button>
        </span>
      }
    >
      {({ checks }) => <Checks checks={checks} />}
    </Panel>
  );
}

function Checks({ checks }: { readonly checks: readonly Symptom[] }): ReactNode {
  const sorted = checks.toSorted((a, b) => RANK[a.status] - RANK[b.status]);
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Check</th>
          <th scope="col">State</th>
          <th scope="col">Found</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ name, status, found, advice }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>
              <StatusBadge status={status} />
            </td>
            <td>
              {found}
              {advice === null ? null : <p className="health-advice">{advice}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
