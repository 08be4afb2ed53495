/** Every visit as a table; one of them can be opened, and which one stands in the URL. */
import { Fragment, type ReactNode, useMemo } from 'react';
import { Icon } from '../parts/icon.tsx';
import { clockText, spanText } from '../parts/moment.tsx';
import { Empty } from '../parts/screen.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { useQuery } from '../shell/routing.tsx';
import { OlderNotice } from './older-notice.tsx';
import { Pager, pageOf } from './pager.tsx';
import type { PanelProps } from './panel-props.ts';
import { visitName } from './timeline-words.ts';
import { nowOf, useShownVisits } from './use-visits.ts';
import { isFailed, isOpen, statusOf, tookMs, type Visit } from './visit.ts';
import { VisitDetail } from './visit-detail.tsx';
import './visits.css';

const PAGE = 50;
const FILTERS = { all: 'All', open: 'Open', failed: 'Failed' } as const;
type Filter = keyof typeof FILTERS;

export function VisitsPanel(panel: PanelProps): ReactNode {
  const props = { ...panel, now: nowOf(panel) };
  const { node, at } = props;
  const [query, change] = useQuery();
  const filter = (query.get('only') ?? 'all') as Filter;
  const key = query.get('visit');
  const visits = useShownVisits(props);
  const mine = useMemo(() => {
    const born = at === null ? visits : visits.filter(({ bornN }) => bornN <= at);
    return born.filter((visit) => node === null || visit.node === node).toReversed();
  }, [visits, node, at]);
  const found = mine.filter((visit) => passes(visit, filter));
  const chosenAt = found.findIndex((visit) => visit.key === key);
  const page = pageOf(query.get('page'), found.length, PAGE, chosenAt);
  return (
    <section className="stack" aria-label="Visits">
      <OlderNotice {...props} />
      <Filters
        {...props}
        visits={mine}
        filter={filter}
        onFilter={(next) => change({ only: next === 'all' ? null : next, page: null })}
      />
      {found.length === 0 ? (
        <Empty title="No such visit." />
      ) : (
        <VisitTable
          {...props}
          visits={found.slice(page * PAGE, (page + 1) * PAGE)}
          chosen={key}
          onOpen={(visit) => change({ visit: visit === key ? null : visit, page: String(page) })}
        />
      )}
      <Pager
        {...{ page, count: found.length, size: PAGE, what: 'visits' }}
        onPage={(next) => change({ page: String(next), visit: null })}
      />
    </section>
  );
}

function passes(visit: Visit, filter: Filter): boolean {
  if (filter === 'open') return isOpen(visit);
  return filter !== 'failed' || isFailed(visit);
}

interface FiltersProps extends PanelProps {
  readonly visits: readonly Visit[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function Filters({ visits, filter, onFilter, node, onNode, at }: FiltersProps): ReactNode {
  return (
    <div className="row between">
      <div className="row" role="group" aria-label="Which visits">
        {(Object.keys(FILTERS) as Filter[]).map((one) => (
          <button
            key={one}
            type="button"
            className={`button small${one === filter ? ' primary' : ''}`}
            aria-pressed={one === filter}
            onClick={() => onFilter(one)}
          >
            {FILTERS[one]} {visits.filter((visit) => passes(visit, one)).length.toLocaleString()}
          </button>
        ))}
        {node === null ? null : (
          <button type="button" className="button small" onClick={() => onNode(null)}>
            only {node} <Icon name="close" />
          </button>
        )}
      </div>
      {at === null ? null : <span className="dim">those that had begun by commit {at}</span>}
    </div>
  );
}

interface TableProps extends PanelProps {
  readonly visits: readonly Visit[];
  readonly chosen: string | null;
  readonly onOpen: (key: string) => void;
}

function VisitTable(props: TableProps): ReactNode {
  const { visits, chosen, onOpen } = props;
  return (
    <div className="card scroll-x" role="group" tabIndex={0} aria-label="Visits, newest first">
      <table className="table visits-table">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Status</th>
            <th scope="col" className="wide-only">
              Began
            </th>
            <th scope="col" className="num">
              Took
            </th>
            <th scope="col" className="num wide-only">
              Attempts
            </th>
          </tr>
        </thead>
        <tbody>
          {visits.map((visit) => (
            <Fragment key={visit.key}>
              <VisitRow
                visit={visit}
                now={props.now}
                isChosen={visit.key === chosen}
                onOpen={() => onOpen(visit.key)}
              />
              {visit.key === chosen ? (
                <tr className="visits-inside">
                  <td colSpan={5}>
                    <VisitDetail {...props} visit={visit} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly visit: Visit;
  readonly now: number;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}

function VisitRow({ visit, now, isChosen, onOpen }: RowProps): ReactNode {
  const { attempts, startedAt, lastError, how } = visit;
  // What went well in the end is no cause for red.
  const error = how === 'done' ? null : lastError;
  return (
    <tr className={isChosen ? 'is-open' : ''}>
      <td>
        <button type="button" className="visits-node" aria-expanded={isChosen} onClick={onOpen}>
          <Icon name={isChosen ? 'down' : 'right'} />
          {visitName(visit)}
        </button>
        {error === null ? null : <p className="field-problem">{error.message}</p>}
      </td>
      <td>
        <StatusBadge status={statusOf(visit)} />
      </td>
      <td className="wide-only">{startedAt === null ? 'not yet' : clockText(startedAt)}</td>
      <td className="num">{startedAt === null ? '–' : spanText(tookMs(visit, now))}</td>
      <td className="num wide-only">{attempts.length === 0 ? '–' : attempts.length}</td>
    </tr>
  );
}
