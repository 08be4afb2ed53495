/** Two versions of a flow: what is otherwise, what that means for what runs, and both graphs. */
import { type ReactNode, useMemo, useState } from 'react';
import { pathTo } from '../api/asking.ts';
import type { Definition, Json, Plan } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Graph, type Mark } from '../graph/graph.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemBox } from '../parts/screen.tsx';
import { counted } from './flow-card.tsx';
import {
  type Difference,
  diffMarks,
  type Impact,
  IMPACT_ORDER,
  IMPACTS,
  type PlanDiff,
} from './diff-marks.ts';

export interface DiffViewProps {
  readonly from: Definition;
  readonly to: Definition;
}

export function DiffView({ from, to }: DiffViewProps): ReactNode {
  const query = { from: from.version, to: to.version };
  const again = `${from.hash} ${to.hash}`;
  const diff = useAsked<PlanDiff>(pathTo('definitions', to.name, 'diff'), query, again);
  const [chosen, setChosen] = useState<string | null>(null);
  const { value } = diff;
  const marks = useMemo(() => (value === undefined ? null : diffMarks(value)), [value]);
  if (value === undefined || marks === null) {
    return diff.problem === null ? <Loading /> : <ProblemBox problem={diff.problem} />;
  }
  const { differences } = value;
  const side = { selected: chosen, onSelect: setChosen };
  return (
    <div className="stack">
      <Verdict {...{ from, to, differences }} />
      <div className="flow-halves diff-halves">
        <Side {...side} definition={from} marks={marks.from} word="Before" />
        <Side {...side} definition={to} marks={marks.to} word="After" />
      </div>
      {IMPACT_ORDER.map((impact) => (
        <Part
          key={impact}
          impact={impact}
          differences={differences.filter((one) => one.impact === impact)}
          onChoose={setChosen}
        />
      ))}
      <Renames diff={value} />
    </div>
  );
}

function Verdict(
  props: DiffViewProps & { readonly differences: readonly Difference[] },
): ReactNode {
  const { from, to, differences } = props;
  const breaking = differences.filter(({ impact }) => impact === 'mapping').length;
  if (differences.length === 0) {
    return <Empty title={`Versions ${from.version} and ${to.version} are the same plan.`} />;
  }
  return (
    <div className="card padded row diff-verdict">
      <span className={`badge tone-${breaking === 0 ? 'ok' : 'bad'}`}>
        {breaking === 0 ? 'nothing breaks' : `${breaking} breaking`}
      </span>
      <p>
        From version {from.version} to version {to.version}:{' '}
        {counted(differences.length, 'difference')}.{' '}
        {from.open === null
          ? ''
          : `${counted(from.open, 'open instance')} on version ${from.version}.`}
      </p>
    </div>
  );
}

function Side(props: {
  readonly definition: Definition;
  readonly marks: ReadonlyMap<string, Mark>;
  readonly word: string;
  readonly selected: string | null;
  readonly onSelect: (node: string | null) => void;
}): ReactNode {
  const { definition, marks, word, selected, onSelect } = props;
  const { name, version, hash } = definition;
  const { value, problem } = useAsked<Plan>(pathTo('definitions', name, version), {}, hash);
  const words = `${word}: version ${version}`;
  const isThere = value?.nodes.some(({ id }) => id === selected) ?? false;
  return (
    <section className="diff-side" aria-label={words}>
      <h2>{words}</h2>
      <div className="card flow-graph">
        {value === undefined ? (
          problem === null ? (
            <Loading />
          ) : (
            <ProblemBox problem={problem} />
          )
        ) : (
          <Graph
            {...{ marks, onSelect }}
            plan={value}
            selected={isThere ? selected : null}
            label={`Graph of version ${version}`}
          />
        )}
      </div>
    </section>
  );
}

function Part(props: {
  readonly impact: Impact;
  readonly differences: readonly Difference[];
  readonly onChoose: (node: string | null) => void;
}): ReactNode {
  const { impact, differences, onChoose } = props;
  if (differences.length === 0) return null;
  const { title, words, tone } = IMPACTS[impact];
  return (
    <section className="card padded stack" aria-label={title}>
      <div>
        <h2 className="row">
          <span className={`badge tone-${tone}`}>{differences.length}</span> {title}
        </h2>
        <p className="dim">{words}</p>
      </div>
      <ul className="diff-list">
        {differences.map((difference) => (
          <One
            key={`${difference.code} ${difference.node} ${difference.path} ${difference.message}`}
            {...{ difference, onChoose }}
          />
        ))}
      </ul>
    </section>
  );
}

function One(props: {
  readonly difference: Difference;
  readonly onChoose: (node: string | null) => void;
}): ReactNode {
  const { node, message, code, path, was, is } = props.difference;
  return (
    <li>
      <div>
        {node === null ? (
          <span className="chip">flow</span>
        ) : (
          <button type="button" className="link mono" onClick={() => props.onChoose(node)}>
            {node}
          </button>
        )}{' '}
        {message} <code className="dim">{code}</code>
      </div>
      {path === undefined ? null : (
        <div className="diff-values">
          <del>{shown(was)}</del> <Icon name="right" /> <ins>{shown(is)}</ins>
        </div>
      )}
    </li>
  );
}

/** As much of a value as a line has room for. */
const VALUE_MAX = 160;

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}

function Renames({ diff: { renames, mapping } }: { readonly diff: PlanDiff }): ReactNode {
  const pairs = Object.entries(mapping);
  if (renames.length + pairs.length === 0) return null;
  return (
    <section className="card padded stack" aria-label="Names">
      <div>
        <h2>Probably the same under another name</h2>
        <p className="dim">What a migration maps unless it is told otherwise.</p>
      </div>
      <ul className="diff-list">
        {renames.map(({ from, to, why }) => (
          <li key={`${from} ${to}`}>
            <code>{from}</code> is <code>{to}</code> now: {why}
          </li>
        ))}
        {pairs
          .filter(([from, to]) => !renames.some((one) => one.from === from && one.to === to))
          .map(([from, to]) => (
            <li key={`${from} ${to}`}>
              <code>{from}</code> goes to <code>{to}</code>
            </li>
          ))}
      </ul>
    </section>
  );
}
