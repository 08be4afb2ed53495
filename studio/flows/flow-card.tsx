/** One flow in the list of flows. */
import type { ReactNode } from 'react';
import type { Definition, Diagnostic, Source } from '../api/shapes.ts';
import { withQuery } from '../api/asking.ts';
import { Icon } from '../parts/icon.tsx';
import { toneOf } from '../parts/status.tsx';
import { Link, to } from '../shell/routing.tsx';
import { type FlowGroup, NOT_STARTABLE, sourceOf } from './flow-groups.ts';

export interface FlowCardProps {
  readonly group: FlowGroup;
  readonly sources: readonly Source[];
  readonly onStart: (definition: Definition) => void;
}

export function FlowCard({ group, sources, onStart }: FlowCardProps): ReactNode {
  const { name, newest, startable, open, problems } = group;
  const file = sourceOf(sources, name, newest.version)?.file ?? null;
  return (
    <li className="card flow-card">
      <div className="flow-card-main">
        <div className="row">
          <h2>
            <Link href={to('flows', name, newest.version)}>{name}</Link>
          </h2>
          <span className="chip">version {newest.version}</span>
          {newest.suspended ? <span className="badge tone-queue">suspended</span> : null}
          <ProblemsBadge problems={problems} />
        </div>
        <p className="dim flow-card-words">
          {open === null ? '' : `${open} open`}
          {file === null ? '' : ` · ${file}`}
        </p>
        <Counts group={group} />
        {group.versions.length > 1 ? <Versions group={group} /> : null}
        {startable === null ? <p className="dim flow-card-why">{NOT_STARTABLE}</p> : null}
      </div>
      <div className="flow-card-actions">
        <Link className="button" href={withQuery('/instances', { flow: name })}>
          <Icon name="list" /> Instances
          <span className="visually-hidden"> of {name}</span>
        </Link>
        {startable === null ? null : (
          <button type="button" className="button primary" onClick={() => onStart(startable)}>
            <Icon name="play" /> Start
            <span className="visually-hidden"> {name}</span>
          </button>
        )}
      </div>
    </li>
  );
}

function ProblemsBadge({ problems }: { readonly problems: readonly Diagnostic[] }): ReactNode {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  return (
    <>
      {errors === 0 ? null : <span className="badge tone-bad">{counted(errors, 'problem')}</span>}
      {warnings === 0 ? null : (
        <span className="badge tone-warn">{counted(warnings, 'warning')}</span>
      )}
    </>
  );
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function Counts({ group: { name, counts } }: { readonly group: FlowGroup }): ReactNode {
  if (counts.length === 0) return null;
  return (
    <ul className="row flow-counts" aria-label={`Instances of ${name} by status`}>
      {counts.map(({ status, count }) => (
        <li key={status}>
          <Link
            className={`badge tone-${toneOf(status)}`}
            href={withQuery('/instances', { flow: name, status })}
          >
            {count} {status}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Versions({ group: { name, versions } }: { readonly group: FlowGroup }): ReactNode {
  return (
    <ul className="row flow-versions" aria-label={`Versions of ${name}`}>
      {versions.map(({ version, open, registered, suspended }) => (
        <li key={version}>
          <Link className="chip" href={to('flows', name, version)}>
            version {version}
            {open === null ? '' : ` · ${open} open`}
            {suspended ? ' · suspended' : ''}
            {registered ? '' : ' · not defined here'}
          </Link>
        </li>
      ))}
    </ul>
  );
}
