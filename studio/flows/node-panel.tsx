/** What a node is, and what leads to it and on. */
import type { ReactNode } from 'react';
import type { Json, Plan, PlanNode } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { JsonView } from '../parts/json-view.tsx';

export interface NodePanelProps {
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly onSelect: (node: string | null) => void;
}

export function NodePanel({ plan, node, onSelect }: NodePanelProps): ReactNode {
  const { id, kind, config, parent } = node;
  const before = plan.edges.filter(({ to }) => to === id).map(({ from }) => from);
  const after = plan.edges.filter(({ from }) => from === id).map(({ to }) => to);
  return (
    <section
      className="card padded stack node-panel"
      aria-label={`Node ${id}`}
      aria-live="polite"
      tabIndex={0}
    >
      <div className="row between">
        <h2 className="row">
          <code>{id}</code> <span className="chip">{kind}</span>
        </h2>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label="Close the node"
          onClick={() => onSelect(null)}
        >
          <Icon name="close" />
        </button>
      </div>
      <dl className="node-ways">
        {parent === null ? null : <Ways name="Inside" nodes={[parent]} onSelect={onSelect} />}
        <Ways name="Comes from" nodes={before} onSelect={onSelect} />
        <Ways name="Goes on to" nodes={after} onSelect={onSelect} />
      </dl>
      {isPlain(config) ? (
        <p className="dim">It has no settings.</p>
      ) : (
        <JsonView value={config} label={`settings of ${id}`} />
      )}
    </section>
  );
}

function isPlain(config: Json): boolean {
  return config === null || (typeof config === 'object' && Object.keys(config).length === 0);
}

function Ways(props: {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly onSelect: (node: string) => void;
}): ReactNode {
  const { name, nodes, onSelect } = props;
  const once = [...new Set(nodes)];
  return (
    <div>
      <dt className="dim">{name}</dt>
      <dd className="row">
        {once.length === 0 ? <span className="dim">nothing</span> : null}
        {once.map((id) => (
          <button key={id} type="button" className="link mono" onClick={() => onSelect(id)}>
            {id}
          </button>
        ))}
      </dd>
    </div>
  );
}
