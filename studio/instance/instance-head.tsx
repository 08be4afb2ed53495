/** What an instance is, how it stands, whose it is, and what can be done with it. */
import type { ReactNode } from 'react';
import type { Instance, InstancePage } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Icon } from '../parts/icon.tsx';
import { Ago, spanText } from '../parts/moment.tsx';
import { ScreenHead } from '../parts/screen.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Keys } from '../shell/help.tsx';
import { Link, to } from '../shell/routing.tsx';
import { canRevive, type Verb } from './actions/action.ts';

const CHILDREN_MAX = 5;

export interface InstanceHeadProps {
  /** As it is now, whatever moment is looked at. */
  readonly instance: Instance;
  readonly now: number;
  readonly isPast: boolean;
  readonly onVerb: (verb: Verb) => void;
  readonly onMenu: () => void;
}

export function InstanceHead(props: InstanceHeadProps): ReactNode {
  const { instance, isPast, onMenu } = props;
  const { id, flow, flowVersion, status, key } = instance;
  const above = (
    <>
      <Link href="/instances">Instances</Link> ·{' '}
      <Link href={to('flows', flow, flowVersion)}>
        {flow}@{flowVersion}
      </Link>
    </>
  );
  const mark = (
    <span aria-live="polite">
      <StatusBadge status={status} />
    </span>
  );
  return (
    <ScreenHead title={key ?? id} above={above} mark={mark} below={<Facts {...props} />}>
      <MainVerb {...props} />
      <Link className="button" href={`/compare?${new URLSearchParams({ a: id, b: '' })}`}>
        Compare
      </Link>
      <button type="button" className="button" disabled={isPast} onClick={onMenu}>
        Actions <Keys keys="." />
      </button>
    </ScreenHead>
  );
}

/** The one thing that is most often meant. */
function MainVerb({ instance, isPast, onVerb }: InstanceHeadProps): ReactNode {
  const verbs: Readonly<
    Partial<Record<string, readonly [Verb, string, 'play' | 'pause' | 'retry']>>
  > = {
    running: ['suspend', 'Suspend', 'pause'],
    waiting: ['suspend', 'Suspend', 'pause'],
    suspended: ['resume', 'Resume', 'play'],
    failed: canRevive(instance) ? ['revive', 'Revive', 'retry'] : ['rerun', 'Rerun', 'retry'],
  };
  const found = verbs[instance.status];
  if (found === undefined) return null;
  const [verb, label, icon] = found;
  return (
    <button type="button" className="button" disabled={isPast} onClick={() => onVerb(verb)}>
      <Icon name={icon} /> {label}
    </button>
  );
}

function Facts({ instance, now }: InstanceHeadProps): ReactNode {
  const { id, key, tenant, createdAt, endedAt, parent } = instance;
  return (
    <div className="row facts">
      {key === null ? null : <code>{id}</code>}
      {tenant === null ? null : <span className="chip">tenant {tenant}</span>}
      <span>
        started <Ago at={createdAt} />
      </span>
      {endedAt === null ? (
        <span>for {spanText(now - createdAt)}</span>
      ) : (
        <span>
          ended <Ago at={endedAt} />, took {spanText(endedAt - createdAt)}
        </span>
      )}
      {parent === null ? null : (
        <span>
          called by <Link href={to('instances', parent.instance)}>{parent.instance}</Link>
        </span>
      )}
      <Children instance={instance} />
    </div>
  );
}

function Children({ instance: { id, status } }: { readonly instance: Instance }): ReactNode {
  const query = { parent: id, limit: CHILDREN_MAX + 1 };
  const found = useAsked<InstancePage>('/api/instances', query, status).value?.instances ?? [];
  if (found.length === 0) return null;
  return (
    <span>
      called{' '}
      {found.slice(0, CHILDREN_MAX).map((child, index) => (
        <span key={child.id}>
          {index === 0 ? '' : ', '}
          <Link href={to('instances', child.id)}>{child.flow}</Link> ({child.status})
        </span>
      ))}
      {found.length > CHILDREN_MAX ? (
        <>
          {', '}
          <Link href={`/instances?${new URLSearchParams({ parent: id })}`}>and more</Link>
        </>
      ) : null}
    </span>
  );
}
