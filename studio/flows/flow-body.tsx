/**
 * The graph of a version and the text that it is made of, side by side: what is chosen in the one
 * is shown in the other.
 */
import { type ReactNode, useMemo, useState } from 'react';
import { pathTo } from '../api/asking.ts';
import type { Definition, Diagnostic, Json, Plan, Source } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Graph, type Mark } from '../graph/graph.tsx';
import { CodeView, ProblemNote } from '../parts/code-view.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Loading, ProblemBox } from '../parts/screen.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useQuery } from '../shell/routing.tsx';
import { counted } from './flow-card.tsx';
import { nodeAt } from './flow-groups.ts';
import { NodePanel } from './node-panel.tsx';
import { useNarrow } from './use-narrow.ts';

export interface FlowBodyProps {
  readonly definition: Definition;
  readonly source: Source | null;
  readonly hasSources: boolean;
}

export function FlowBody({ definition, source, hasSources }: FlowBodyProps): ReactNode {
  const { name, version, hash } = definition;
  const { value: plan, problem } = useAsked<Plan>(pathTo('definitions', name, version), {}, hash);
  const [query, setQuery] = useQuery();
  const [line, setLine] = useState<number | null>(null);
  if (plan === undefined) return problem === null ? <Loading /> : <ProblemBox problem={problem} />;
  const selected = plan.nodes.find(({ id }) => id === query.get('node')) ?? null;
  const select = (node: string | null): void => {
    setLine(null);
    setQuery({ node });
  };
  const reach = (next: number): void => {
    setLine(next);
    setQuery({ view: 'source' });
  };
  const part = { plan, source, select, selected: selected?.id ?? null };
  const panel =
    selected === null ? null : <NodePanel plan={plan} node={selected} onSelect={select} />;
  return (
    <div className="stack">
      <Problems problems={source?.diagnostics ?? []} onLine={reach} />
      <Halves
        drawing={<Drawing {...part} />}
        text={<Text {...{ ...part, hasSources, line }} />}
        panel={panel}
      />
    </div>
  );
}

/** Side by side where there is room, and one at a time where there is not. */
function Halves(props: {
  readonly drawing: ReactNode;
  readonly text: ReactNode;
  readonly panel: ReactNode;
}): ReactNode {
  const { drawing, text, panel } = props;
  const [query, setQuery] = useQuery();
  const view = query.get('view') ?? 'graph';
  if (!useNarrow()) {
    return (
      <div className="flow-halves">
        {drawing}
        <div className="flow-half">
          {text}
          {panel}
        </div>
      </div>
    );
  }
  return (
    <>
      <Tabs
        label="Parts of the flow"
        tabs={[
          { id: 'graph', label: 'Graph' },
          { id: 'source', label: 'Source' },
        ]}
        chosen={view}
        onChoose={(id) => setQuery({ view: id })}
      >
        <div className="flow-part">{view === 'source' ? text : drawing}</div>
      </Tabs>
      {panel}
    </>
  );
}

interface PartProps {
  readonly plan: Plan;
  readonly source: Source | null;
  readonly selected: string | null;
  readonly select: (node: string | null) => void;
}

function Drawing({ plan, source, selected, select }: PartProps): ReactNode {
  const marks = useMemo(() => marksOf(source), [source]);
  return (
    <section className="card flow-graph" aria-label="Graph">
      <Graph
        {...{ plan, marks, selected }}
        onSelect={select}
        label={`Graph of ${plan.name}, version ${plan.version}`}
      />
    </section>
  );
}

/** A node on whose lines something is wrong. */
function marksOf(source: Source | null): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const { line } of source?.diagnostics ?? []) {
    const node = source === null || line === null ? null : nodeAt(source.spans, line);
    if (node !== null) marks.set(node, 'problem');
  }
  return marks;
}

function Text(
  props: PartProps & { readonly hasSources: boolean; readonly line: number | null },
): ReactNode {
  const { plan, source, selected, select, hasSources, line: said } = props;
  if (source === null) {
    return (
      <section className="flow-source" aria-label="Plan">
        {hasSources ? (
          <p className="dim flow-source-words">
            The source is not known here: it is a flow of another program, or was deployed. This is
            its plan.
          </p>
        ) : null}
        <JsonView value={plan as unknown as Json} label="plan" />
      </section>
    );
  }
  const ofNode = selected === null ? null : (source.spans[selected] ?? null);
  const lit = said === null ? ofNode : { line: said, endLine: said };
  return (
    <section className="flow-source" aria-label="Source">
      <CodeView
        text={source.text}
        language={source.language}
        label={`Source: ${source.file}`}
        problems={source.diagnostics}
        lit={lit}
        nameOf={(line) => nodeAt(source.spans, line)}
        onLine={(line) => select(nodeAt(source.spans, line))}
      />
    </section>
  );
}

function Problems(props: {
  readonly problems: readonly Diagnostic[];
  readonly onLine: (line: number) => void;
}): ReactNode {
  const { problems, onLine } = props;
  if (problems.length === 0) return null;
  const isError = problems.some(({ severity }) => severity === 'error');
  return (
    <section className="flow-problems" aria-label="Problems">
      <h2>{counted(problems.length, isError ? 'problem' : 'warning')}</h2>
      <ul>
        {problems.map((problem) => {
          const { line, column, code, message, severity } = problem;
          return (
            <li key={`${code} ${line} ${column} ${message}`}>
              {line === null ? (
                <ProblemNote problem={problem} />
              ) : (
                <span className={`flow-problem-${severity}`}>
                  <button type="button" className="link" onClick={() => onLine(line)}>
                    Line {line}
                  </button>{' '}
                  {message} <code>{code}</code>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
