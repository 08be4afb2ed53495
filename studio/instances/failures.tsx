/** What goes wrong, by its cause: a hundred instances that fail alike are one thing to mend. */
import type { ReactNode } from 'react';
import type { Cause, Tally } from '../api/shapes.ts';
import { Empty, Loading } from '../parts/screen.tsx';
import { Icon } from '../parts/icon.tsx';
import { Link, to } from '../shell/routing.tsx';
import { groupOf, type Deed, type Target } from './bulk.ts';
import { EVERYTHING, type Sought } from './sought.ts';
import { writeWords } from './words.ts';

interface FailuresProps {
  readonly tally: Tally | undefined;
  readonly onShow: (sought: Sought) => void;
  readonly onAct: (target: Target, deed: Deed) => void;
}

export function Failures({ tally, onShow, onAct }: FailuresProps): ReactNode {
  if (tally === undefined) return <Loading />;
  if (tally.causes.length === 0) {
    return <Empty title="Nothing has failed, and nothing waits to be mended." />;
  }
  return (
    <div className="stack">
      {tally.isAll ? null : (
        <p className="dim">
          Counted among the newest {tally.counted.toLocaleString()} instances: there are older ones.
        </p>
      )}
      <ul className="stack causes">
        {tally.causes.map((cause) => (
          <CauseCard key={nameOf(cause)} cause={cause} onShow={onShow} onAct={onAct} />
        ))}
      </ul>
    </div>
  );
}

function nameOf({ flow, node, code, kind }: Cause): string {
  return JSON.stringify([flow, node, code, kind]);
}

interface CauseCardProps {
  readonly cause: Cause;
  readonly onShow: (sought: Sought) => void;
  readonly onAct: (target: Target, deed: Deed) => void;
}

function CauseCard({ cause, onShow, onAct }: CauseCardProps): ReactNode {
  const { flow, node, code, kind, count, newest, messages } = cause;
  const { filter, deed } = groupOf(cause);
  const sought: Sought = {
    ...{ ...EVERYTHING, flow, error: code, errorNode: node },
    status: filter.status ?? [],
  };
  const act = (): void => {
    onAct({ is: 'filter', filter, words: writeWords(sought) }, deed);
  };
  return (
    <li className="card padded cause">
      <div className="cause-count">
        <b>{count.toLocaleString()}</b>
        <span className="dim">{kind === 'failed' ? 'failed' : 'to mend'}</span>
      </div>
      <div className="cause-what">
        <h2>
          <code>{code}</code> <span className="dim">in</span> {flow}
          {node === null ? null : (
            <>
              {' '}
              <span className="dim">at</span> {node}
            </>
          )}
        </h2>
        <ul className="cause-messages">
          {messages.map(({ message, count: times }) => (
            <li key={message}>
              {message} {messages.length > 1 ? <span className="chip">{times}×</span> : null}
            </li>
          ))}
        </ul>
        <Link href={to('instances', newest)}>The newest of them</Link>
      </div>
      <div className="cause-acts">
        <button type="button" className="button small" onClick={() => onShow(sought)}>
          Show them
        </button>
        <button type="button" className="button small primary" onClick={act}>
          <Icon name="retry" /> Retry the group
        </button>
      </div>
    </li>
  );
}
