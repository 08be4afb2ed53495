/** Every commit in words, the newest first. What people did stands out, and nothing is left out. */
import { type ReactNode, useState } from 'react';
import { pathTo } from '../api/asking.ts';
import type { Commit, Json, JsonObject } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Icon } from '../parts/icon.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { clockText } from '../parts/moment.tsx';
import { Empty, Loading, ProblemBox } from '../parts/screen.tsx';
import { commitText, type NodeOf } from './change-text.ts';
import { OlderNotice } from './older-notice.tsx';
import { Pager, pageOf } from './pager.tsx';
import type { PanelProps } from './panel-props.ts';
import { useVisits } from './use-visits.ts';
import './visits.css';

const PAGE = 100;

export function HistoryPanel(props: PanelProps): ReactNode {
  const { commits, at } = props;
  const { nodeOf } = useVisits(commits);
  const [asked, setAsked] = useState<string | null>(null);
  const newest = commits.toReversed();
  const page = pageOf(
    asked,
    newest.length,
    PAGE,
    newest.findIndex(({ n }) => n === at),
  );
  const shown = newest.slice(page * PAGE, (page + 1) * PAGE);
  if (commits.length === 0) return <Empty title="Nothing has happened yet." />;
  return (
    <section className="stack" aria-label="History">
      <ol className="card history-list" aria-label="Commits, newest first">
        {shown.map((commit) => (
          <Item key={commit.n} {...props} commit={commit} nodeOf={nodeOf} />
        ))}
      </ol>
      <Pager
        {...{ page, count: newest.length, size: PAGE, what: 'commits' }}
        onPage={(next) => setAsked(String(next))}
      />
      <OlderNotice {...props} />
      <Notes id={props.instance.id} />
    </section>
  );
}

interface ItemProps extends PanelProps {
  readonly commit: Commit;
  readonly nodeOf: NodeOf;
}

function Item({ commit, nodeOf, at, onAt, commits }: ItemProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const { n } = commit;
  const { headline, next, tone } = commitText(commit, nodeOf);
  const isAt = n === at || (at === null && n === commits.at(-1)?.n);
  const isLater = at !== null && n > at;
  const classes = `history-item is-${tone}${n === at ? ' is-at' : ''}${isLater ? ' is-later' : ''}`;
  return (
    <li className={classes} aria-current={isAt}>
      <span className="history-n">#{n}</span>
      <span className="history-at">{clockText(commit.at)}</span>
      <span className={`history-said${tone === 'bad' ? ' is-bad' : ''}`}>
        {tone === 'act' ? <Icon name="person" /> : null} {headline}{' '}
        <span className="dim">{next}</span>
      </span>
      <span className="row end">
        <button
          type="button"
          className="button quiet small"
          aria-label={`Go to commit ${n}`}
          disabled={isAt}
          onClick={() => onAt(n === commits.at(-1)?.n ? null : n)}
        >
          Go to
        </button>
        <button
          type="button"
          className="button quiet small icon-only"
          aria-expanded={isOpen}
          aria-label={`Changes of commit ${n}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
      </span>
      {isOpen ? (
        <div className="history-more">
          <JsonView value={commit.changes as unknown as Json} label={`changes of commit ${n}`} />
        </div>
      ) : null}
    </li>
  );
}

/** Results that came too late for any commit: nobody needs them until somebody wonders. */
function Notes({ id }: { readonly id: string }): ReactNode {
  const [isAsked, setIsAsked] = useState(false);
  const path = isAsked ? pathTo('instances', id, 'history') : null;
  const { value, problem } = useAsked<{ readonly commits: readonly JsonObject[] }>(path, {
    notes: true,
  });
  if (!isAsked) {
    return (
      <div>
        <button type="button" className="button small" onClick={() => setIsAsked(true)}>
          What was dropped
        </button>
      </div>
    );
  }
  if (problem !== null) return <ProblemBox problem={problem} />;
  if (value === undefined) return <Loading />;
  return (
    <div className="stack" aria-live="polite">
      <h2>What was dropped</h2>
      {value.commits.length === 0 ? (
        <p className="dim">Nothing came too late: every answer is part of the history.</p>
      ) : (
        <JsonView value={value.commits} label="what was dropped" />
      )}
    </div>
  );
}
