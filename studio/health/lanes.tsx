/** Limits of how many steps are at work at a time, and who waits because of them. */
import type { ReactNode } from 'react';
import { useAsked } from '../api/use-asked.ts';
import { spanText } from '../parts/moment.tsx';
import { Panel } from './panel.tsx';

interface Lane {
  readonly name: string;
  readonly concurrency: number | null;
  readonly rate: { readonly max: number; readonly perMs: number } | null;
  readonly atWork: number;
  readonly waiting: number;
}

export function Lanes({ beat }: { readonly beat: number }): ReactNode {
  const asked = useAsked<{ readonly lanes: readonly Lane[] }>('/api/lanes', {}, beat);
  return (
    <Panel
      title="Lanes"
      asked={asked}
      isEmpty={({ lanes }) => lanes.length === 0}
      empty="No step waits because of a limit."
    >
      {({ lanes }) => (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Lane</th>
              <th scope="col">Limit</th>
              <th scope="col">At work</th>
              <th scope="col">Waiting</th>
            </tr>
          </thead>
          <tbody>
            {lanes.map((lane) => (
              <tr key={lane.name}>
                <td>{lane.name}</td>
                <td>{limitText(lane)}</td>
                <td>{lane.atWork}</td>
                <td>{lane.waiting}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function limitText({ concurrency, rate }: Lane): string {
  const both = [
    ...(concurrency === null ? [] : [`${concurrency} at a time`]),
    ...(rate === null ? [] : [`${rate.max} per ${spanText(rate.perMs)}`]),
  ];
  return both.length === 0 ? 'that of the whole' : both.join(', ');
}
