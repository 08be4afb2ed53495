/** Scopes to step into: the tree of them, and what the chosen one knows. */
import { type ReactNode, useMemo, useState } from 'react';
import type { Instance, Scope } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Empty } from '../parts/screen.tsx';
import type { Wanted } from './actions/action.ts';
import { pathTo, type ScopeTree, scopeName, scopeTree } from './scope-tree.ts';
import { tokenText } from './token-text.ts';

/** A map may have thousands of items at work. */
const SHOWN_MAX = 50;

export interface ScopesPanelProps {
  readonly instance: Instance;
  readonly scope: number | null;
  readonly onScope: (scope: number | null) => void;
  /** Null where nothing can be done: in the past, or once it is over. */
  readonly onAct: ((wanted: Wanted) => void) | null;
  readonly now: number;
}

export function ScopesPanel(props: ScopesPanelProps): ReactNode {
  const { instance, scope, onScope } = props;
  const tree = useMemo(() => scopeTree(instance), [instance]);
  const chosen = (scope === null ? undefined : tree.byId.get(scope)) ?? tree.root;
  if (tree.root === undefined) return <Empty title="Nothing of it is left." />;
  return (
    <div className="scopes">
      <div className="scopes-tree">
        <h3>Scopes</h3>
        <ul>
          <Branch
            {...{ tree, onScope }}
            scope={tree.root}
            chosen={chosen?.id ?? null}
            open={new Set(chosen === undefined ? [] : pathTo(tree, chosen.id).map(({ id }) => id))}
          />
        </ul>
      </div>
      {chosen === undefined ? null : <Inside {...props} tree={tree} chosen={chosen} />}
    </div>
  );
}

interface BranchProps {
  readonly tree: ScopeTree;
  readonly scope: Scope;
  readonly chosen: number | null;
  /** Those on the way to the chosen one. */
  readonly open: ReadonlySet<number>;
  readonly onScope: (scope: number | null) => void;
}

function Branch({ tree, scope, chosen, open, onScope }: BranchProps): ReactNode {
  const inside = tree.inside.get(scope.id) ?? [];
  const [isOpen, setIsOpen] = useState(scope.parent === null || open.has(scope.id));
  const [most, setMost] = useState(SHOWN_MAX);
  const name = scopeName(scope);
  return (
    <li>
      <div className="scope-row">
        {inside.length === 0 ? (
          <span className="scope-fold" />
        ) : (
          <button
            type="button"
            className="scope-fold"
            aria-expanded={isOpen}
            aria-label={`What is inside ${name}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
          </button>
        )}
        <button
          type="button"
          className="scope-name"
          aria-current={chosen === scope.id ? 'true' : undefined}
          onClick={() => onScope(scope.parent === null ? null : scope.id)}
        >
          {name}
          <TokenCount count={tree.tokens.get(scope.id)?.length ?? 0} />
        </button>
      </div>
      {isOpen && inside.length > 0 ? (
        <ul>
          {inside.slice(0, most).map((one) => (
            <Branch key={one.id} {...{ tree, chosen, open, onScope }} scope={one} />
          ))}
          {inside.length > most ? (
            <li>
              <button type="button" className="link" onClick={() => setMost(most + SHOWN_MAX)}>
                {inside.length - most} more
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </li>
  );
}

function TokenCount({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null;
  return <span className="tab-count">{count === 1 ? '1 token' : `${count} tokens`}</span>;
}

interface InsideProps extends ScopesPanelProps {
  readonly tree: ScopeTree;
  readonly chosen: Scope;
}

function Inside({ tree, chosen, onAct, now }: InsideProps): ReactNode {
  const tokens = tree.tokens.get(chosen.id) ?? [];
  const name = scopeName(chosen);
  return (
    <div className="stack scopes-inside">
      <div className="row between">
        <h2>{name}</h2>
        {onAct === null ? null : (
          <button
            type="button"
            className="button small"
            onClick={() => onAct({ verb: 'set', scope: chosen.id })}
          >
            <Icon name="edit" /> Set a variable
          </button>
        )}
      </div>
      {chosen.index === null ? null : (
        <section>
          <h3>Item {chosen.index}</h3>
          <JsonView value={chosen.item} label={`item of ${name}`} />
        </section>
      )}
      <section>
        <h3>Variables</h3>
        <JsonView value={chosen.vars} label={`variables of ${name}`} />
      </section>
      <section>
        <h3>Results</h3>
        <JsonView value={chosen.results} label={`results of ${name}`} />
      </section>
      {tokens.length === 0 ? null : (
        <section>
          <h3>Tokens</h3>
          <ul className="told">
            {tokens.slice(0, SHOWN_MAX).map((token) => (
              <li key={token.id}>
                {token.id} at <strong>{token.node}</strong>, {tokenText(token, now)}
              </li>
            ))}
            {tokens.length > SHOWN_MAX ? <li>and {tokens.length - SHOWN_MAX} more</li> : null}
          </ul>
        </section>
      )}
    </div>
  );
}
