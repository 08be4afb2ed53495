/** What has to be seen first: another time, a standstill, a failure and what to do about it. */
import type { ReactNode } from 'react';
import type { Fault, Incident, Instance } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { agoText } from '../parts/moment.tsx';
import { canRevive, type Verb, type Wanted } from './actions/action.ts';

const INCIDENTS_MAX = 3;

export interface BannersProps {
  readonly instance: Instance;
  readonly onAct: (wanted: Wanted) => void;
  readonly onNode: (node: string) => void;
}

export function Banners(props: BannersProps): ReactNode {
  const { instance, onAct } = props;
  const { status, stalled, incidents, fault } = instance;
  return (
    <>
      {status === 'suspended' ? (
        <div className="banner tone-queue">
          <Icon name="pause" />
          <p>Suspended: nothing of it is due, and its timers stand still.</p>
          <button type="button" className="button small" onClick={() => onAct({ verb: 'resume' })}>
            Resume
          </button>
        </div>
      ) : null}
      {stalled === null ? null : (
        <div className="banner tone-warn">
          <Icon name="warn" />
          <p>{stalledText(stalled)}</p>
        </div>
      )}
      {incidents.slice(0, INCIDENTS_MAX).map((incident) => (
        <IncidentCard key={incident.token} {...props} incident={incident} />
      ))}
      {incidents.length > 1 ? <AllIncidents count={incidents.length} onAct={onAct} /> : null}
      {status === 'failed' && fault !== null ? <FailedCard {...props} fault={fault} /> : null}
    </>
  );
}

function stalledText(stalled: {
  readonly reason: string;
  readonly [more: string]: unknown;
}): string {
  const { reason } = stalled;
  if (reason === 'handler.missing') {
    return 'It waits for a handler: no process that is at work now has one for what is due.';
  }
  const joins = Array.isArray(stalled['joins']) ? stalled['joins'] : [];
  const names = (joins as readonly { readonly node: string; readonly missing: readonly string[] }[])
    .map(({ node, missing }) => `${node}, where nobody came by ${missing.join(', ')}`)
    .join('; ');
  const where = names === '' ? '' : `: it holds tokens at ${names}`;
  return `It stands still, and nothing will move it until someone mends it${where}.`;
}

interface IncidentCardProps extends BannersProps {
  readonly incident: Incident;
}

function IncidentCard({ incident, onAct, onNode }: IncidentCardProps): ReactNode {
  const { token, node, fault, can } = incident;
  const retry: Wanted = { verb: 'retry', token };
  return (
    <section className="incident" aria-label={`Incident at ${node}`}>
      <Icon name="warn" />
      <div className="incident-text">
        <h2>
          <button type="button" className="link" onClick={() => onNode(node)}>
            {node}
          </button>{' '}
          failed
        </h2>
        <FaultText fault={fault} />
      </div>
      <div className="row">
        {can.includes('retry') ? (
          <button type="button" className="button primary" onClick={() => onAct(retry)}>
            <Icon name="retry" /> Retry
          </button>
        ) : null}
        {can.includes('skip') ? (
          <button type="button" className="button" onClick={() => onAct({ verb: 'skip', token })}>
            <Icon name="skip" /> Skip
          </button>
        ) : null}
        <button
          type="button"
          className="button"
          onClick={() =>
            onAct(can.includes('retry') ? { verb: 'set', next: retry } : { verb: 'set' })
          }
        >
          <Icon name="edit" /> Edit variables
        </button>
      </div>
    </section>
  );
}

function AllIncidents(props: {
  readonly count: number;
  readonly onAct: (wanted: Wanted) => void;
}): ReactNode {
  const hidden = props.count - INCIDENTS_MAX;
  return (
    <p className="row">
      {hidden > 0 ? <span>and {hidden} more incidents</span> : null}
      <button type="button" className="button small" onClick={() => props.onAct({ verb: 'retry' })}>
        Retry all {props.count}
      </button>
    </p>
  );
}

function FailedCard({
  instance,
  fault,
  onAct,
}: BannersProps & { readonly fault: Fault }): ReactNode {
  const act = (verb: Verb): void => {
    onAct(fault.node === null ? { verb } : { verb, node: fault.node });
  };
  return (
    <section className="incident" aria-label="Why it failed">
      <Icon name="warn" />
      <div className="incident-text">
        <h2>
          Failed{fault.node === null ? '' : ` at ${fault.node}`}
          {instance.outcome === null ? '' : `, ${instance.outcome}`}
        </h2>
        <FaultText fault={fault} />
      </div>
      <div className="row">
        {canRevive(instance) && (
          <button type="button" className="button primary" onClick={() => act('revive')}>
            <Icon name="retry" /> Revive
          </button>
        )}
        <button type="button" className="button" onClick={() => act('rerun')}>
          Rerun from a node
        </button>
      </div>
    </section>
  );
}

function FaultText({ fault }: { readonly fault: Fault | null }): ReactNode {
  if (fault === null) return null;
  return (
    <>
      <p>{fault.message}</p>
      <code>{fault.code}</code>
    </>
  );
}

export interface PastBannerProps {
  readonly at: number;
  readonly version: number;
  readonly moment: number | null;
  /** How it stood then. */
  readonly status: string | null;
  readonly now: number;
  readonly onNow: () => void;
}

export function PastBanner(props: PastBannerProps): ReactNode {
  const { at, version, moment, status, now, onNow } = props;
  return (
    <div className="banner tone-wait past" role="status">
      <Icon name="clock" />
      <p>
        You look at commit {at} of {version}
        {moment === null ? '' : `, ${agoText(moment, now)}`}.{' '}
        {status === null ? '' : `It was ${status} then.`}
      </p>
      <button type="button" className="button small" onClick={onNow}>
        Back to now
      </button>
    </div>
  );
}
