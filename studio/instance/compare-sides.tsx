/** Both instances as they were at the commits at which they differ, and those commits in words. */
import { type ReactNode, useMemo } from 'react';
import { pathTo } from '../api/asking.ts';
import type { Instance, Json, Plan } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Graph, type Mark } from '../graph/graph.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { clockText } from '../parts/moment.tsx';
import { Loading, ProblemBox } from '../parts/screen.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Link, to } from '../shell/routing.tsx';
import { commitText } from './change-text.ts';
import { DiffTable } from './diff-table.tsx';
import { sideText } from './difference-text.ts';
import type { Difference, Side } from './first-difference.ts';
import { jsonDiff } from './json-diff.ts';
import { edgesTakenBy, talliesOf } from './tallies.ts';
import type { Comparison, Loaded } from './use-comparison.ts';
import { VisitBook } from './visits.ts';

interface SidesProps {
  readonly comparison: Comparison;
  readonly difference: Difference;
}

export function CompareSides({ comparison, difference }: SidesProps): ReactNode {
  const { a, b } = difference;
  const values = a.fact !== null && b.fact !== null ? jsonDiff(a.fact.value, b.fact.value) : [];
  return (
    <>
      {values.length === 0 ? null : (
        <div className="card padded">
          <DiffTable differences={values} label="What differs, by path" />
        </div>
      )}
      <div className="compare-sides">
        <OneSide name="A" loaded={comparison.a} side={a} node={difference.node} />
        <OneSide name="B" loaded={comparison.b} side={b} node={difference.node} />
      </div>
    </>
  );
}

interface SideProps {
  readonly name: string;
  readonly loaded: Loaded;
  readonly side: Side;
  readonly node: string;
}

function OneSide({ name, loaded, side, node }: SideProps): ReactNode {
  const { instance, commits } = loaded;
  const { n, fact } = side;
  const commit = commits.find((one) => one.n === n);
  const book = useMemo(() => {
    const read = new VisitBook();
    for (const one of commits.filter((each) => each.n <= n)) read.add(one);
    return read;
  }, [commits, n]);
  const text = commit === undefined ? null : commitText(commit, (token) => book.nodeOf(token));
  const heading = `compare-side-${name}`;
  return (
    <section className="card padded stack compare-side" aria-labelledby={heading}>
      <div className="row between">
        <div className="row">
          <h3 id={heading}>
            {name}: {instance.flow} v{instance.flowVersion}
          </h3>
          <StatusBadge status={instance.status} />
        </div>
        <Link href={`${to('instances', instance.id)}?at=${n}`}>Open at commit {n}</Link>
      </div>
      <p className="mono dim compare-id">{instance.key ?? instance.id}</p>
      <p>
        <strong>{sideText(side)}</strong>
        <br />
        <span className="dim">
          #{n}
          {commit === undefined ? '' : `, ${clockText(commit.at)}`}: {text?.headline} {text?.next}
        </span>
      </p>
      <GraphAt loaded={loaded} n={n} node={fact?.node ?? node} book={book} name={name} />
      {commit === undefined ? null : (
        <details>
          <summary>All changes of this commit</summary>
          <JsonView value={commit.changes as unknown as Json} label={`changes of ${name}`} />
        </details>
      )}
    </section>
  );
}

interface GraphAtProps {
  readonly loaded: Loaded;
  readonly n: number;
  readonly node: string;
  readonly book: VisitBook;
  readonly name: string;
}

function GraphAt({ loaded, n, node, book, name }: GraphAtProps): ReactNode {
  const { id } = loaded.instance;
  const then = useAsked<Instance>(pathTo('instances', id, 'at', n));
  const { flow, flowVersion } = then.value ?? loaded.instance;
  const plan = useAsked<Plan>(pathTo('definitions', flow, flowVersion));
  const tallies = useMemo(() => talliesOf(book.visits()), [book]);
  const edgesTaken = useMemo(() => edgesTakenBy(book.visits()), [book]);
  const marks = useMemo(
    () => new Map<string, Mark>(node === '' ? [] : [[node, 'changed']]),
    [node],
  );
  const problem = then.problem ?? plan.problem;
  if (problem !== null) return <ProblemBox problem={problem} />;
  if (then.value === undefined || plan.value === undefined) return <Loading />;
  return (
    <div className="compare-graph">
      <Graph
        plan={plan.value}
        tokens={then.value.tokens}
        tallies={tallies}
        edgesTaken={edgesTaken}
        marks={marks}
        selected={node === '' ? null : node}
        label={`${name} at commit ${n}`}
      />
    </div>
  );
}
