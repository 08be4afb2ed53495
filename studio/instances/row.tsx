/** One instance in the list: what it is, how it stands, and what is to be known of it. */
import { memo, type MouseEvent, type ReactNode } from 'react';
import type { InstanceSummary } from '../api/shapes.ts';
import { agoText, spanText } from '../parts/moment.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { go, Link, to } from '../shell/routing.tsx';

interface RowProps {
  readonly row: InstanceSummary;
  readonly now: number;
  readonly isChanged: boolean;
  readonly isIncident: boolean;
  readonly isChosen: boolean;
  readonly onToggle: (id: string) => void;
}

function RowOnce(props: RowProps): ReactNode {
  const { row, now, isChanged, isIncident, isChosen, onToggle } = props;
  const { id, flow, version, status, key, createdAt, updatedAt, endedAt } = row;
  const href = to('instances', id);
  const open = (event: MouseEvent): void => {
    const isOwn =
      event.target instanceof Element && event.target.closest('a, button, input, label');
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey;
    // Whoever marks text to copy it does not want to go elsewhere.
    if (!isOwn && isPlain && getSelection()?.isCollapsed !== false) go(href);
  };
  return (
    <tr
      data-id={id}
      className={`${isChanged ? 'row-changed' : ''}${isChosen ? ' row-chosen' : ''}`}
      onClick={open}
    >
      <td className="cell-choose">
        <label>
          <input type="checkbox" checked={isChosen} onChange={() => onToggle(id)} />
          <span className="visually-hidden">Select {key ?? id}</span>
        </label>
      </td>
      <td className="cell-name">
        <Link href={href} className="row-link" title={id}>
          {key ?? shortId(id)}
        </Link>
        {key === null ? null : <span className="row-id mono">{shortId(id)}</span>}
      </td>
      <td className="cell-flow">
        {flow} <span className="dim flow-version">v{version}</span>
      </td>
      <td className="cell-status">
        <StatusBadge status={status} />
        {isIncident ? <StatusBadge status="incident" /> : null}
      </td>
      <td className="cell-known">
        <Known row={row} />
      </td>
      <Time at={createdAt} now={now} label="Started" />
      <Time at={updatedAt} now={now} label="Updated" />
      <td className="cell-time" data-label="Took">
        {endedAt === null ? <span className="dim">–</span> : spanText(endedAt - createdAt)}
      </td>
    </tr>
  );
}

export const Row = memo(RowOnce);

const ID_CHARS = 13;

/** Ids of the engine begin with when they were made: their ends tell them apart. */
function shortId(id: string): string {
  return id.length > ID_CHARS + 5 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

interface TimeProps {
  readonly at: number;
  readonly now: number;
  readonly label: string;
}

function Time({ at, now, label }: TimeProps): ReactNode {
  const date = new Date(at);
  return (
    <td className="cell-time" data-label={label}>
      <time dateTime={date.toISOString()} title={date.toLocaleString()}>
        {agoText(at, Math.max(at, now))}
      </time>
    </td>
  );
}

function Known({ row }: { readonly row: InstanceSummary }): ReactNode {
  const { fault, stalled, attributes, tenant } = row;
  const named = Object.entries(attributes);
  return (
    <div className="known">
      {fault === null ? null : (
        <span className="known-fault" title={fault.message}>
          <code>{fault.code}</code>
          {fault.node === null || fault.node === undefined ? null : ` at ${fault.node}`}:{' '}
          {fault.message}
        </span>
      )}
      {stalled === null || stalled === undefined ? null : (
        <span className="badge tone-warn">stalled: {stalled.reason}</span>
      )}
      {named.map(([name, value]) => (
        <span key={name} className="chip">
          {name}={String(value)}
        </span>
      ))}
      {tenant === null ? null : <span className="chip">tenant {tenant}</span>}
    </div>
  );
}
