/**
 * Two instances side by side, at the first moment at which they differ. Which two stands in the
 * URL; the field for the second one knows the other instances of the same flow.
 */
import type { ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemBox, ScreenHead } from '../parts/screen.tsx';
import { useCommand } from '../shell/commands.ts';
import { useQuery } from '../shell/routing.tsx';
import { ComparePick } from './compare-pick.tsx';
import { CompareSides } from './compare-sides.tsx';
import { DiffTable } from './diff-table.tsx';
import { differenceText } from './difference-text.ts';
import { jsonDiff } from './json-diff.ts';
import { type Comparison, useComparison } from './use-comparison.ts';
import './compare.css';

export function CompareScreen(): ReactNode {
  const [query, change] = useQuery();
  const a = query.get('a') ?? '';
  const b = query.get('b') ?? '';
  const { comparison, problem, read } = useComparison(a, b);
  const isReady = a !== '' && b !== '';
  useCommand(
    isReady
      ? { label: 'Swap the two', group: 'Compare', keys: 's', run: () => change({ a: b, b: a }) }
      : null,
  );
  return (
    <>
      <ScreenHead
        title="Compare two instances"
        below="Where they first went different ways; ids, times and workers do not count."
      >
        {isReady ? (
          <button type="button" className="button" onClick={() => change({ a: b, b: a })}>
            <Icon name="retry" /> Swap
          </button>
        ) : null}
      </ScreenHead>
      <div className="stack">
        <ComparePick key={`${a} ${b}`} a={a} b={b} onPick={change} />
        <div className="stack" aria-live="polite">
          {problem === null ? null : <ProblemBox problem={problem} />}
          {isReady && comparison === null && problem === null ? <Reading read={read} /> : null}
          {isReady ? null : (
            <Empty title="Pick two instances.">
              <p>Two of the same flow tell most: one that went well and one that did not.</p>
            </Empty>
          )}
          {comparison === null ? null : <Compared comparison={comparison} />}
        </div>
      </div>
    </>
  );
}

function Reading({ read }: { readonly read: number }): ReactNode {
  if (read === 0) return <Loading />;
  return <p className="dim">The same so far: {read.toLocaleString()} commits compared.</p>;
}

function Compared({ comparison }: { readonly comparison: Comparison }): ReactNode {
  const { a, b, difference } = comparison;
  const inputs = jsonDiff(a.instance.input, b.instance.input);
  const isOtherFlow = a.instance.flow !== b.instance.flow;
  return (
    <>
      {isOtherFlow ? (
        <p className="compare-note tone-warn">
          They are of different flows, {a.instance.flow} and {b.instance.flow}.
        </p>
      ) : null}
      <section className="card padded stack" aria-labelledby="compare-input">
        <h2 id="compare-input">Input</h2>
        {inputs.length === 0 ? (
          <p className="dim">Both were given the same.</p>
        ) : (
          <DiffTable differences={inputs} label="Input, field by field" />
        )}
      </section>
      {difference === null ? (
        <p className="compare-note tone-ok">
          <Icon name="check" /> They went the same way.
        </p>
      ) : (
        <>
          <h2 className="compare-what">{differenceText(difference)}</h2>
          <CompareSides comparison={comparison} difference={difference} />
        </>
      )}
    </>
  );
}
