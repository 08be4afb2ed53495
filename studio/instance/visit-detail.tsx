/** Everything about one visit: what it was given, what it came to, and what went wrong between. */
import type { ReactNode } from 'react';
import type { Fault } from '../api/shapes.ts';
import { clockText, spanText } from '../parts/moment.tsx';
import { JsonView } from '../parts/json-view.tsx';
import type { PanelProps } from './panel-props.ts';
import { segmentText } from './timeline-words.ts';
import { ranMs, tookMs, type Visit } from './visit.ts';
import { VisitInput } from './visit-input.tsx';
import { VisitLogs } from './visit-logs.tsx';

export interface VisitProps extends PanelProps {
  readonly visit: Visit;
}

export function VisitDetail(props: VisitProps): ReactNode {
  const { visit, onAt, commits } = props;
  const { bornN, endedN } = visit;
  const last = commits.at(-1)?.n ?? bornN;
  return (
    <div className="stack">
      <Facts {...props} />
      <div className="row">
        <button type="button" className="button small" onClick={() => onAt(bornN)}>
          Go to where it began
        </button>
        {endedN === null || endedN === bornN ? null : (
          <button
            type="button"
            className="button small"
            onClick={() => onAt(endedN === last ? null : endedN)}
          >
            Go to where it ended
          </button>
        )}
      </div>
      {visit.lastError === null || visit.how === 'done' ? null : (
        <FaultBox fault={visit.lastError} />
      )}
      <div className="visit-parts">
        <VisitInput key={visit.key} {...props} />
        <Output visit={visit} />
      </div>
      <Attempts visit={visit} />
      <Segments {...props} />
      <VisitLogs instance={props.instance.id} visit={visit} />
    </div>
  );
}

function Facts({ visit, now }: VisitProps): ReactNode {
  const { startedAt, endedAt, attempts, token, scope, via, index, outcomes } = visit;
  const facts: readonly (readonly [string, string])[] = [
    ['Began', startedAt === null ? 'not yet' : clockText(startedAt)],
    ['Ended', endedAt === null ? 'not yet' : clockText(endedAt)],
    ['Took', spanText(tookMs(visit, now))],
    ['At work', attempts.length === 0 ? '–' : spanText(ranMs(visit))],
    ['Attempts', String(attempts.length)],
    ['Worker', attempts.at(-1)?.worker ?? '–'],
    ['Token', `${token}, in scope ${scope}`],
    ...(index === null ? [] : [['Pass or item', `#${index + 1}`] as const]),
    ...(via === null ? [] : [['Came by', via] as const]),
    ...(outcomes.length === 0 ? [] : [['Outcome', outcomes.join(', ')] as const]),
  ];
  return (
    <dl className="visit-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function FaultBox({ fault }: { readonly fault: Fault }): ReactNode {
  return (
    <div className="visit-fault">
      <p>{fault.message}</p>
      <code>{fault.code}</code>
      {fault.details === undefined ? null : <JsonView value={fault.details} label="details" />}
    </div>
  );
}

function Output({ visit }: { readonly visit: Visit }): ReactNode {
  return (
    <div className="visit-part">
      <h3>Output</h3>
      {visit.output === undefined ? (
        <p className="dim">{visit.endedAt === null ? 'Not yet.' : 'It left no result.'}</p>
      ) : (
        <JsonView value={visit.output} label="output" />
      )}
    </div>
  );
}

/** One that went well needs no table. */
function Attempts({ visit: { attempts } }: { readonly visit: Visit }): ReactNode {
  if (attempts.every(({ error }) => error === null) && attempts.length < 2) return null;
  return (
    <div className="visit-part">
      <h3>Attempts</h3>
      <div className="scroll-x" role="group" tabIndex={0} aria-label="Attempts">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">Claimed</th>
              <th scope="col">Took</th>
              <th scope="col">Came to</th>
              <th scope="col">Worker</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ from, to, worker, error }, index) => (
              <tr key={`${from} ${worker}`}>
                <td>{index + 1}</td>
                <td>{clockText(from)}</td>
                <td>{spanText(to - from)}</td>
                <td>{error === null ? 'done' : <FaultLine fault={error} />}</td>
                <td className="dim">{worker}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function FaultLine({ fault }: { readonly fault: Fault }): ReactNode {
  return (
    <span className="field-problem">
      {fault.message} <code>{fault.code}</code>
    </span>
  );
}

const SEGMENTS_MAX = 30;

function Segments({ visit: { segments }, now }: VisitProps): ReactNode {
  if (segments.length === 0) return null;
  const shown = segments.slice(-SEGMENTS_MAX);
  return (
    <div className="visit-part">
      <h3>How the time went</h3>
      <ul className="visit-list">
        {shown.length < segments.length ? (
          <li className="dim">
            the last {shown.length} of {segments.length}
          </li>
        ) : null}
        {shown.map((segment) => (
          <li key={`${segment.kind} ${segment.from}`}>{segmentText(segment, now)}</li>
        ))}
      </ul>
    </div>
  );
}
