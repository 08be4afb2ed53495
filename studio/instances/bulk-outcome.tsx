/** What it would do, or has done: how many, and which ones for which reason. */
import { type ReactNode, useState } from 'react';
import { ProblemBox } from '../parts/screen.tsx';
import { Link, to } from '../shell/routing.tsx';
import { type Outcome, type Reason, reasonsIn } from './bulk.ts';
import type { Progress } from './use-bulk.ts';

/** Links shown of a reason at first. */
const SHOWN_MAX = 12;
const MORE = 200;

const TONES: Readonly<Record<Outcome, string>> = {
  done: 'ok',
  unchanged: 'off',
  refused: 'warn',
  failed: 'bad',
};

export function BulkOutcome({ progress }: { readonly progress: Progress }): ReactNode {
  const { phase, sum, problem, isCut } = progress;
  const isTry = phase === 'trying' || phase === 'tried';
  const isUnderWay = phase === 'trying' || phase === 'doing';
  return (
    <section className="stack bulk-outcome" aria-label={isTry ? 'Dry run' : 'What was done'}>
      <p role="status" className="bulk-words">
        {isUnderWay ? <span className="spinner" aria-hidden="true" /> : null}
        <b>{isTry ? 'Dry run: ' : ''}</b>
        {wordsOf(progress)}
        {isCut && !isUnderWay ? ' It was ended before it was through.' : ''}
      </p>
      {problem === null ? null : <ProblemBox problem={problem} />}
      {isUnderWay ? null : (
        <ul className="reasons">
          {reasonsIn(sum.items).map((reason) => (
            <ReasonItem
              key={`${reason.outcome} ${reason.code} ${reason.message}`}
              reason={reason}
              isTry={isTry}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function wordsOf({ phase, sum }: Progress): string {
  const { done, unchanged, refused, failed } = sum.counts;
  const isTry = phase === 'trying' || phase === 'tried';
  if (sum.matched === 0) {
    const isUnderWay = phase === 'trying' || phase === 'doing';
    return isUnderWay ? 'looking for them …' : 'there is nobody it is for.';
  }
  const parts = [
    `${isTry ? 'would do' : 'did'} ${done.toLocaleString()}`,
    ...(unchanged > 0 ? [`unchanged ${unchanged.toLocaleString()}`] : []),
    ...(refused > 0 ? [`refused ${refused.toLocaleString()}`] : []),
    ...(failed > 0 ? [`failed ${failed.toLocaleString()}`] : []),
  ];
  return `${parts.join(', ')}${phase === 'trying' || phase === 'doing' ? ' so far' : ''}.`;
}

const LABELS: Readonly<Record<Outcome, readonly [string, string]>> = {
  done: ['would be done', 'done'],
  unchanged: ['would stay as it is', 'stayed as it was'],
  refused: ['would be refused', 'refused'],
  failed: ['would fail', 'failed'],
};

interface ReasonItemProps {
  readonly reason: Reason;
  readonly isTry: boolean;
}

function ReasonItem({ reason, isTry }: ReasonItemProps): ReactNode {
  const { outcome, code, message, ids } = reason;
  const [most, setMost] = useState(SHOWN_MAX);
  const [tried, did] = LABELS[outcome];
  return (
    <li className="reason">
      <div className="row">
        <span className={`badge tone-${TONES[outcome]}`}>
          {ids.length.toLocaleString()} {isTry ? tried : did}
        </span>
        {message === null ? null : (
          <span>
            {message} <code className="dim">{code}</code>
          </span>
        )}
      </div>
      <div className="reason-ids">
        {ids.slice(0, most).map((id) => (
          <Link key={id} href={to('instances', id)} className="mono">
            {id}
          </Link>
        ))}
        {ids.length > most ? (
          <button type="button" className="link" onClick={() => setMost(most + MORE)}>
            {(ids.length - most).toLocaleString()} more
          </button>
        ) : null}
      </div>
    </li>
  );
}
