/** Where in the process a task stands: the graph of its instance, small, with its node chosen. */
import type { ReactNode } from 'react';
import { pathTo } from '../api/asking.ts';
import type { Instance, Plan, Task } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Graph } from '../graph/graph.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Link, to } from '../shell/routing.tsx';

export interface WhereaboutsProps {
  readonly task: Pick<Task, 'instance' | 'flow' | 'version' | 'node'>;
  readonly pulse: number;
}

export function Whereabouts({ task, pulse }: WhereaboutsProps): ReactNode {
  const { value: instance } = useAsked<Instance>(pathTo('instances', task.instance), {}, pulse);
  const { value: plan } = useAsked<Plan>(pathTo('definitions', task.flow, task.version));
  return (
    <section className="stack inbox-part" aria-label="Where in the process">
      <div className="row between">
        <h3>Where in the process</h3>
        <span className="row">
          {instance === undefined ? null : <StatusBadge status={instance.status} />}
          <Link href={to('instances', task.instance)}>Open the instance</Link>
        </span>
      </div>
      {plan === undefined ? null : (
        <div className="inbox-graph">
          <Graph
            plan={plan}
            tokens={instance?.tokens ?? []}
            selected={task.node}
            label={`${task.flow}, at ${task.node}`}
          />
        </div>
      )}
    </section>
  );
}
