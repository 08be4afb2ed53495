/** What the list of tasks is narrowed to. All of it stands in the address. */
import type { ReactNode } from 'react';
import type { Definition, Task } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { useMe } from '../shell/me.ts';
import { useQuery } from '../shell/routing.tsx';
import { groupsIn } from './standing.ts';
import type { TaskFilter } from './task-order.ts';

const ORDER_LABELS = { created: 'Oldest first', due: 'Due first', priority: 'Most urgent first' };

export interface FiltersProps {
  readonly filter: TaskFilter;
  readonly tasks: readonly Task[];
}

export function Filters({ filter, tasks }: FiltersProps): ReactNode {
  const [query, change] = useQuery();
  const words = query.get('q') ?? '';
  return (
    <div className="inbox-filters" role="search" aria-label="Which tasks">
      <div className="row">
        <Who filter={filter} />
        <input
          type="search"
          className="inbox-search"
          aria-label="Search in title, flow, key and data"
          placeholder="Search"
          value={words}
          onChange={(event) => change({ q: event.target.value })}
        />
      </div>
      <div className="inbox-selects">
        <Choice
          label="Kind"
          value={filter.kind}
          options={[
            ['', 'Any kind'],
            ['task', 'Tasks'],
            ['approval', 'Approvals'],
          ]}
          onChange={(kind) => change({ kind })}
        />
        <FlowChoice value={filter.flow} onChange={(flow) => change({ flow })} />
        <GroupChoice filter={filter} tasks={tasks} onChange={(group) => change({ group })} />
        <Choice
          label="Order"
          value={filter.order}
          options={Object.entries(ORDER_LABELS)}
          onChange={(order) => change({ order: order === 'created' ? null : order })}
        />
        <label className="inbox-check">
          <input
            type="checkbox"
            checked={filter.overdue}
            onChange={(event) => change({ overdue: event.target.checked ? 'true' : null })}
          />
          Overdue
        </label>
      </div>
    </div>
  );
}

function Who({ filter }: { readonly filter: TaskFilter }): ReactNode {
  const [, change] = useQuery();
  const button = (who: 'mine' | 'all', label: string): ReactNode => (
    <button
      type="button"
      className="inbox-who"
      aria-pressed={filter.who === who && filter.group === ''}
      onClick={() => change({ who, group: null })}
    >
      {label}
    </button>
  );
  return (
    <div className="inbox-whos" role="group" aria-label="Whose tasks">
      {button('mine', 'Mine')}
      {button('all', 'All')}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}

type Chosen = Pick<ChoiceProps, 'onChange'>;

function FlowChoice({ value, onChange }: Chosen & { readonly value: string }): ReactNode {
  const { value: found } = useAsked<{ definitions: readonly Definition[] }>('/api/definitions');
  const names = new Set(found?.definitions.map(({ name }) => name) ?? []);
  if (value !== '') names.add(value);
  const options = [
    ['', 'Any flow'] as const,
    ...[...names].sort().map((name) => [name, name] as const),
  ];
  return <Choice label="Flow" value={value} options={options} onChange={onChange} />;
}

/** Groups are known to nobody: those that tasks name are offered, and those that one is in. */
function GroupChoice({ filter, tasks, onChange }: FiltersProps & Chosen): ReactNode {
  const { groups } = useMe();
  const names = new Set([...groups, ...tasks.flatMap(groupsIn)]);
  if (filter.group !== '') names.add(filter.group);
  const sorted = [...names].sort();
  return (
    <Choice
      label="Open to"
      value={filter.group}
      options={[['', 'Open to …'], ...sorted.map((name) => [name, `Open to ${name}`] as const)]}
      onChange={onChange}
    />
  );
}
