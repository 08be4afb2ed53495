/** Every flow there is: what runs of it, what is wrong with it, and how to start it. */
import { type ReactNode, useRef, useState } from 'react';
import type { Definition, Source } from '../api/shapes.ts';
import { CodeView } from '../parts/code-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemBox, ScreenHead } from '../parts/screen.tsx';
import { useCommand } from '../shell/commands.ts';
import { useQuery } from '../shell/routing.tsx';
import { Editor } from './editor.tsx';
import { FlowCard } from './flow-card.tsx';
import { brokenFiles, type FlowGroup, groupFlows, isFound } from './flow-groups.ts';
import { StartDialog } from './start-dialog.tsx';
import { useFlows, useTally } from './use-flows.ts';
import './flows.css';

export function FlowsScreen(): ReactNode {
  const [query, setQuery] = useQuery();
  const isNew = query.get('new') !== null;
  useCommand({
    ...{ label: 'New definition', group: 'Flows', keys: 'n' },
    run: () => setQuery({ new: '1' }, { replace: false }),
  });
  if (isNew) {
    return (
      <>
        <ScreenHead title="New definition" />
        <Editor name="new" onClose={() => setQuery({ new: null })} />
      </>
    );
  }
  return (
    <>
      <ScreenHead title="Flows">
        <button
          type="button"
          className="button"
          onClick={() => setQuery({ new: '1' }, { replace: false })}
        >
          <Icon name="plus" /> New definition
        </button>
      </ScreenHead>
      <List />
    </>
  );
}

function List(): ReactNode {
  const { definitions, sources, hasSources, turn } = useFlows();
  const tally = useTally(turn);
  const [query] = useQuery();
  const [starting, setStarting] = useState<Definition | null>(null);
  const words = query.get('q') ?? '';
  if (definitions.value === undefined || !hasSources) {
    return definitions.problem === null ? (
      <Loading />
    ) : (
      <ProblemBox problem={definitions.problem} />
    );
  }
  const groups = groupFlows(definitions.value.definitions, sources, tally);
  const broken = brokenFiles(sources, definitions.value.definitions);
  if (groups.length + broken.length === 0) return <Beginning />;
  const shown = groups.filter(({ name }) => isFound(words, name));
  return (
    <div className="stack">
      {definitions.problem === null ? null : <ProblemBox problem={definitions.problem} />}
      <Search count={shown.length} total={groups.length} />
      {broken.map((source) => (
        <BrokenFile key={source.file} source={source} />
      ))}
      <Cards groups={shown} sources={sources} words={words} onStart={setStarting} />
      {starting === null ? null : (
        <StartDialog definition={starting} onClose={() => setStarting(null)} />
      )}
    </div>
  );
}

function Cards(props: {
  readonly groups: readonly FlowGroup[];
  readonly sources: readonly Source[];
  readonly words: string;
  readonly onStart: (definition: Definition) => void;
}): ReactNode {
  const { groups, sources, words, onStart } = props;
  if (groups.length === 0 && words !== '') {
    return <Empty title={`No flow is called anything like “${words}”.`} />;
  }
  return (
    <ul className="flow-cards" aria-label="Flows">
      {groups.map((group) => (
        <FlowCard key={group.name} {...{ group, sources, onStart }} />
      ))}
    </ul>
  );
}

function Search({ count, total }: { readonly count: number; readonly total: number }): ReactNode {
  const [query, setQuery] = useQuery();
  const box = useRef<HTMLInputElement>(null);
  useCommand({
    ...{ label: 'Search flows', group: 'Flows', keys: '/' },
    run: () => box.current?.focus(),
  });
  return (
    <div className="row">
      <input
        ref={box}
        type="search"
        className="flow-search"
        aria-label="Search flows"
        placeholder="Search flows"
        value={query.get('q') ?? ''}
        onChange={({ target }) => setQuery({ q: target.value })}
      />
      <span className="dim" role="status">
        {count === total
          ? `${total} ${total === 1 ? 'flow' : 'flows'}`
          : `${count} of ${total} flows`}
      </span>
    </div>
  );
}

function BrokenFile({ source }: { readonly source: Source }): ReactNode {
  const { file, diagnostics, text, language } = source;
  const [first] = diagnostics;
  const [isOpen, setIsOpen] = useState(false);
  if (first === undefined) return null;
  const place = first.line === null ? file : `${file}:${first.line}`;
  const more = diagnostics.length - 1;
  return (
    <section className="card padded stack broken-file" aria-label={`${file} defines nothing`}>
      <div className="row between">
        <h2 className="row">
          <span className="badge tone-bad">defines nothing</span> <code>{place}</code>
        </h2>
        <button
          type="button"
          className="button small"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide the source' : 'Show the source'}
        </button>
      </div>
      <p className="broken-words">
        {first.message} <code>{first.code}</code>
      </p>
      {first.explanation === null ? null : <p className="dim">{first.explanation}</p>}
      {more === 0 ? null : <p className="dim">{more} more in this file.</p>}
      {isOpen ? (
        <div className="broken-code">
          <CodeView
            {...{ text, language }}
            label={`Source of ${file}`}
            problems={diagnostics}
            lit={first.line === null ? null : { line: first.line, endLine: first.line }}
          />
        </div>
      ) : null}
    </section>
  );
}

function Beginning(): ReactNode {
  return (
    <Empty title="There are no flows yet.">
      <p>Write one in a file, and give the file to the studio:</p>
      <p className="begin-line">
        <code>perdure dev order.ts</code>
      </p>
      <p>
        What you save is read again at once. Serverless Workflows and flowcharts can also be written
        here: press <kbd>n</kbd> or choose “New definition”.
      </p>
    </Empty>
  );
}
