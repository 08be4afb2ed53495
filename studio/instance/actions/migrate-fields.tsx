/** Which version, and what nodes are called there: filled in from what differs between the two. */
import { type ReactNode, useEffect } from 'react';
import { pathTo } from '../../api/asking.ts';
import type { Definition, Plan } from '../../api/shapes.ts';
import { useAsked } from '../../api/use-asked.ts';
import { ProblemBox } from '../../parts/screen.tsx';
import { NODE_FIELD, type Values } from './action.ts';
import { nodeChoices } from './choices.ts';
import { type FieldsProps, Select } from './field-parts.tsx';

interface Diff {
  readonly differences: readonly { readonly message: string; readonly impact: string }[];
  readonly renames: readonly { readonly from: string; readonly to: string; readonly why: string }[];
  readonly mapping: Readonly<Record<string, string>>;
}

const TOLD_MAX = 20;

export function MigrateFields(props: FieldsProps): ReactNode {
  const { flow, flowVersion } = props.instance;
  const asked = useAsked<{ readonly definitions: readonly Definition[] }>('/api/definitions', {
    name: flow,
  });
  const list = (asked.value?.definitions ?? [])
    .filter(({ version }) => version !== flowVersion)
    .map(({ version }) => ({ value: String(version), label: `version ${version}` }));
  const version = props.values['version'] ?? '';
  return (
    <>
      <p className="dim">
        It runs version {flowVersion} of {flow}.
      </p>
      <Select {...props} name="version" label="Goes on by" list={list} />
      {asked.value !== undefined && list.length === 0 ? (
        <p className="field-problem">There is no other version of this flow.</p>
      ) : null}
      {version === '' ? null : <Mapping key={version} {...props} version={version} />}
    </>
  );
}

function Mapping(props: FieldsProps & { readonly version: string }): ReactNode {
  const { instance, plan, version, values, onChange } = props;
  const query = { from: instance.flowVersion, to: version };
  const diff = useAsked<Diff>(pathTo('definitions', instance.flow, 'diff'), query);
  const other = useAsked<Plan>(pathTo('definitions', instance.flow, version)).value;
  const mapping = diff.value?.mapping;
  useEffect(() => {
    if (mapping === undefined) return;
    const fields: Record<string, string> = {};
    for (const [from, to] of Object.entries(mapping)) fields[NODE_FIELD + from] = to;
    onChange(fields);
    // Once for each version: what somebody chose since stays.
  }, [mapping]);
  if (diff.problem !== null) return <ProblemBox problem={diff.problem} />;
  if (diff.value === undefined || other === undefined) return null;
  const rows = homeless(plan, other, values);
  const busy = new Set(instance.tokens.map(({ node }) => node));
  const isFirst = (node: string): boolean =>
    busy.has(node) || (values[NODE_FIELD + node] ?? '') !== '';
  const row = (node: string): ReactNode => (
    <Select
      key={node}
      {...props}
      name={NODE_FIELD + node}
      label={node}
      none="has no place there"
      list={nodeChoices(other)}
    />
  );
  const rest = rows.filter((node) => !isFirst(node));
  return (
    <>
      <Differences diff={diff.value} />
      {rows.length === 0 ? null : (
        <fieldset className="mapping">
          <legend>What nodes are called there</legend>
          {rows.filter(isFirst).map(row)}
          {rest.length === 0 ? null : (
            <details>
              <summary>{rest.length} where no token is</summary>
              <div className="stack">{rest.map(row)}</div>
            </details>
          )}
        </fieldset>
      )}
    </>
  );
}

/** Nodes that the other version does not have by this name, and those that are mapped anyway. */
function homeless(plan: Plan, other: Plan, values: Values): readonly string[] {
  const there = new Set(other.nodes.map(({ id }) => id));
  return plan.nodes
    .filter(
      ({ id, hidden }) => !hidden && (!there.has(id) || (values[NODE_FIELD + id] ?? '') !== ''),
    )
    .map(({ id }) => id);
}

function Differences({ diff }: { readonly diff: Diff }): ReactNode {
  const { differences } = diff;
  if (differences.length === 0) return <p className="dim">The two are the same.</p>;
  return (
    <details>
      <summary>{differences.length} differences</summary>
      <ul className="told">
        {differences.slice(0, TOLD_MAX).map(({ message, impact }) => (
          <li key={message}>
            {message}{' '}
            {impact === 'mapping' ? <span className="badge tone-warn">mapping</span> : null}
          </li>
        ))}
        {differences.length > TOLD_MAX ? <li>and {differences.length - TOLD_MAX} more</li> : null}
      </ul>
    </details>
  );
}
