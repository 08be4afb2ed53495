/** What the handler of a visit wrote to its log. */
import type { ReactNode } from 'react';
import type { LogLine } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { clockText } from '../parts/moment.tsx';
import type { Visit } from './visit.ts';

interface LogsProps {
  readonly instance: string;
  readonly visit: Visit;
}

const SHOWN_MAX = 200;
const TONES = { debug: 'off', info: 'run', warn: 'warn', error: 'bad' } as const;

export function VisitLogs({ instance, visit }: LogsProps): ReactNode {
  const { token, node, endedN, attempts } = visit;
  const again = `${endedN} ${attempts.length}`;
  const asked = useAsked<{ readonly lines: readonly LogLine[] }>('/dev/logs', { instance }, again);
  const mine = (asked.value?.lines ?? []).filter((line) =>
    line.token === null ? line.node === node : line.token === token,
  );
  return (
    <div className="visit-part">
      <h3>Log</h3>
      {mine.length === 0 ? (
        <p className="dim">
          {asked.problem === null ? 'It wrote nothing.' : asked.problem.message}
        </p>
      ) : (
        <ol className="visit-list mono">
          {mine.slice(-SHOWN_MAX).map((line) => (
            <Line key={line.seq} line={line} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Line({ line }: { readonly line: LogLine }): ReactNode {
  const { at, level, message, fields } = line;
  const more = Object.keys(fields).length === 0 ? '' : JSON.stringify(fields);
  return (
    <li className="visit-log">
      <span className="dim">{clockText(at)}</span>{' '}
      <span className={`badge tone-${TONES[level]}`}>{level}</span> {message}{' '}
      <span className="dim">{more}</span>
    </li>
  );
}
