/** Beside the graph: the node that is chosen, or the instance as a whole. */
import type { ReactNode } from 'react';
import type { Instance, Json, Plan, Token } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { spanText } from '../parts/moment.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Link, to } from '../shell/routing.tsx';
import { canWake, type Wanted } from './actions/action.ts';
import { tokenText } from './token-text.ts';
import { statusOf, tookMs, type Visit } from './visit.ts';

const SHOWN_MAX = 20;

export interface DetailsPanelProps {
  readonly instance: Instance;
  readonly plan: Plan;
  readonly node: string | null;
  readonly onNode: (node: string | null) => void;
  /** In the chosen scope. */
  readonly tokens: readonly Token[];
  readonly visits: readonly Visit[];
  readonly now: number;
  /** Null where nothing can be done: in the past. */
  readonly onAct: ((wanted: Wanted) => void) | null;
  readonly onAt: (n: number | null) => void;
}

export function DetailsPanel(props: DetailsPanelProps): ReactNode {
  return (
    <aside className="card details" aria-label="Details" tabIndex={0}>
      {props.node === null ? <Whole {...props} /> : <OneNode {...props} node={props.node} />}
    </aside>
  );
}

function Whole(props: DetailsPanelProps): ReactNode {
  const { instance, tokens } = props;
  return (
    <>
      <h2>{tokens.length === 0 ? 'No token is alive' : 'Where it is'}</h2>
      <TokenList {...props} tokens={tokens} hasNode />
      <Card title="Input" value={instance.input} />
      {instance.output === null ? null : <Card title="Output" value={instance.output} />}
      {instance.fault?.details === undefined ? null : (
        <Card title="Details of the fault" value={instance.fault.details} />
      )}
    </>
  );
}

function Card({ title, value }: { readonly title: string; readonly value: Json }): ReactNode {
  return (
    <section>
      <h3>{title}</h3>
      <JsonView value={value} label={title.toLowerCase()} />
    </section>
  );
}

function OneNode(props: DetailsPanelProps & { readonly node: string }): ReactNode {
  const { plan, node, instance, onNode, onAct } = props;
  const known = plan.nodes.find(({ id }) => id === node);
  const here = props.tokens.filter((token) => token.node === node);
  const result = instance.scopes.find(({ results }) => Object.hasOwn(results, node))?.results[node];
  return (
    <>
      <div className="row between">
        <h2>{node}</h2>
        <button type="button" className="button quiet small" onClick={() => onNode(null)}>
          <Icon name="close" /> Deselect
        </button>
      </div>
      <p className="dim">{known?.kind ?? 'not in this version'}</p>
      {here.length === 0 ? <p>No token is here.</p> : <TokenList {...props} tokens={here} />}
      {result === undefined ? null : <Card title="Result" value={result} />}
      <NodeVisits {...props} />
      {onAct === null ? null : (
        <div className="row">
          <button
            type="button"
            className="button small"
            onClick={() => onAct({ verb: 'rerun', node })}
          >
            <Icon name="retry" /> Rerun from here
          </button>
        </div>
      )}
    </>
  );
}

function TokenList(
  props: Pick<DetailsPanelProps, 'tokens' | 'now' | 'onAct' | 'onNode' | 'instance'> & {
    readonly hasNode?: boolean;
  },
): ReactNode {
  const { tokens, now, onNode, hasNode = false } = props;
  if (tokens.length === 0) return null;
  return (
    <ul className="token-list">
      {tokens.slice(0, SHOWN_MAX).map((token) => (
        <li key={token.id}>
          <div className="row">
            <StatusBadge status={token.wait?.on === 'incident' ? 'incident' : token.status} />
            {hasNode ? (
              <button type="button" className="link" onClick={() => onNode(token.node)}>
                {token.node}
              </button>
            ) : null}
            <span className="dim">token {token.id}</span>
          </div>
          <p className="token-text">{tokenText(token, now)}</p>
          <TokenActs {...props} token={token} />
        </li>
      ))}
      {tokens.length > SHOWN_MAX ? <li>and {tokens.length - SHOWN_MAX} more</li> : null}
    </ul>
  );
}

interface TokenActsProps {
  readonly instance: Instance;
  readonly token: Token;
  readonly onAct: ((wanted: Wanted) => void) | null;
}

function TokenActs({ instance, token, onAct }: TokenActsProps): ReactNode {
  const { id, wait } = token;
  const can = instance.incidents.find((incident) => incident.token === id)?.can ?? [];
  const child = wait?.on === 'child' ? wait['instance'] : undefined;
  if (typeof child === 'string') return <Link href={to('instances', child)}>Open it</Link>;
  if (wait?.on === 'task') {
    const query = new URLSearchParams({ instance: instance.id });
    return <Link href={`/inbox?${query}`}>To the inbox</Link>;
  }
  if (onAct === null) return null;
  const verbs = [
    ...(can.includes('retry') ? (['retry'] as const) : []),
    ...(can.includes('skip') || canWake(token) ? (['skip'] as const) : []),
    ...(canWake(token) ? (['wake'] as const) : []),
  ];
  if (verbs.length === 0) return null;
  return (
    <div className="row">
      {verbs.map((verb) => (
        <button
          key={verb}
          type="button"
          className="button small"
          aria-label={`${verb} token ${id}`}
          onClick={() => onAct({ verb, token: id })}
        >
          {verb === 'wake' ? 'Wake' : verb === 'skip' ? 'Skip' : 'Retry'}
        </button>
      ))}
    </div>
  );
}

function NodeVisits({ visits, node, now, onAt }: DetailsPanelProps): ReactNode {
  const here = visits.filter((visit) => visit.node === node);
  if (here.length === 0) return null;
  return (
    <section>
      <h3>{here.length === 1 ? 'One visit' : `${here.length} visits`}</h3>
      <ul className="told">
        {here
          .slice(-SHOWN_MAX)
          .reverse()
          .map((visit) => (
            <li key={visit.key} className="row">
              <StatusBadge status={statusOf(visit)} />
              <button type="button" className="link" onClick={() => onAt(visit.bornN)}>
                commit {visit.bornN}
              </button>
              <span className="dim">{spanText(tookMs(visit, now))}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}
