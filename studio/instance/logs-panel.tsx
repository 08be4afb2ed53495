/** What handlers said while they worked for this instance. */
import type { ReactNode } from 'react';
import type { LogLine } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { clockText } from '../parts/moment.tsx';
import { Empty, Loading, ProblemBox } from '../parts/screen.tsx';
import { shortText } from './actions/what-happens.ts';

const SHOWN_MAX = 500;
const TONES = { debug: 'off', info: 'run', warn: 'warn', error: 'bad' } as const;

export interface LogsPanelProps {
  readonly id: string;
  readonly node: string | null;
  /** Anything whose change may mean that there are more. */
  readonly again: number;
}

export function LogsPanel({ id, node, again }: LogsPanelProps): ReactNode {
  const asked = useAsked<{ readonly lines?: readonly LogLine[] }>(
    '/dev/logs',
    { instance: id },
    again,
  );
  if (asked.problem !== null) return <ProblemBox problem={asked.problem} />;
  if (asked.value === undefined) return <Loading />;
  const lines = (asked.value.lines ?? []).filter((line) => node === null || line.node === node);
  if (lines.length === 0) {
    return (
      <Empty title={node === null ? 'Nothing was logged.' : `Nothing was logged at ${node}.`}>
        What a handler says by <code>log.info(…)</code> is shown here.
      </Empty>
    );
  }
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label="Logs">
      <table className="table">
        <thead>
          <tr>
            {['When', 'Level', 'Node', 'What'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.slice(-SHOWN_MAX).map((line) => (
            <Line key={line.seq} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({
  line: { at, level, node, message, fields },
}: {
  readonly line: LogLine;
}): ReactNode {
  const hasFields = Object.keys(fields).length > 0;
  return (
    <tr>
      <td className="mono">{clockText(at)}</td>
      <td>
        <span className={`badge tone-${TONES[level]}`}>{level}</span>
      </td>
      <td>{node ?? '–'}</td>
      <td>
        {message} {hasFields ? <code className="dim">{shortText(fields)}</code> : null}
      </td>
    </tr>
  );
}
