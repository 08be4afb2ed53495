/** One version of a flow: its graph beside its source, and what can be done with it. */
import { type ReactNode, useState } from 'react';
import { withQuery } from '../api/asking.ts';
import type { Definition, Source } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemBox, ScreenHead } from '../parts/screen.tsx';
import { useCommand } from '../shell/commands.ts';
import { go, Link, to, usePath, useQuery } from '../shell/routing.tsx';
import { DiffView } from './diff-view.tsx';
import type { Draft } from './draft.ts';
import { Editor } from './editor.tsx';
import { FlowBody } from './flow-body.tsx';
import { NOT_STARTABLE, sourceOf, startableOf, versionsOf } from './flow-groups.ts';
import { HaltDialog } from './halt-dialog.tsx';
import { StartDialog } from './start-dialog.tsx';
import { useFlows } from './use-flows.ts';
import './flows.css';

export function FlowScreen(): ReactNode {
  const [, name = '', said] = usePath();
  const { definitions, sources, hasSources } = useFlows(name);
  const { value, problem, reload } = definitions;
  if (value === undefined) {
    return (
      <>
        <ScreenHead title={name} above={<Back />} />
        {problem === null ? <Loading /> : <ProblemBox problem={problem} />}
      </>
    );
  }
  const versions = versionsOf(value.definitions, name);
  const version = said === undefined ? versions[0]?.version : Number(said);
  const shown = versions.find((one) => one.version === version);
  if (shown === undefined) return <Unknown {...{ name, said, versions }} />;
  const source = sourceOf(sources, name, shown.version);
  return (
    <Shown
      {...{ shown, versions, source, hasSources, onChanged: reload }}
      key={`${name} ${shown.version}`}
    />
  );
}

function Back(): ReactNode {
  return <Link href="/flows">Flows</Link>;
}

function Unknown(props: {
  readonly name: string;
  readonly said: string | undefined;
  readonly versions: readonly Definition[];
}): ReactNode {
  const { name, said, versions } = props;
  const what = versions.length === 0 ? `no flow “${name}”` : `no version ${said} of “${name}”`;
  return (
    <>
      <ScreenHead title={name} above={<Back />} />
      <Empty title={`There is ${what} here or in the store.`}>
        {versions[0] === undefined ? (
          <Link href="/flows">All flows</Link>
        ) : (
          <Link href={to('flows', name, versions[0].version)}>To the newest version</Link>
        )}
      </Empty>
    </>
  );
}

interface ShownProps {
  readonly shown: Definition;
  readonly versions: readonly Definition[];
  readonly source: Source | null;
  readonly hasSources: boolean;
  readonly onChanged: () => void;
}

/** Languages that are data can be written here; a program is not. */
function draftOf(source: Source | null): Draft | null {
  if (source === null) return null;
  const { language, text } = source;
  return language === 'serverless' || language === 'flowchart' ? { language, text } : null;
}

function Shown(props: ShownProps): ReactNode {
  const { shown, versions, source } = props;
  const [query, setQuery] = useQuery();
  const compared = Number(query.get('compare') ?? Number.NaN);
  const other = versions.find(({ version }) => version === compared) ?? null;
  const draft = draftOf(source);
  const isEdited = query.get('edit') !== null && draft !== null;
  return (
    <>
      <Head {...props} canEdit={draft !== null} isEdited={isEdited} />
      {isEdited ? (
        <Editor
          name={`${shown.name} ${shown.version}`}
          begin={draft}
          file={source?.file ?? null}
          onClose={() => setQuery({ edit: null })}
        />
      ) : other === null ? (
        <FlowBody definition={shown} source={source} hasSources={props.hasSources} />
      ) : (
        <DiffView from={other} to={shown} />
      )}
    </>
  );
}

type Opened = 'start' | 'halt' | null;

function Head(
  props: ShownProps & { readonly canEdit: boolean; readonly isEdited: boolean },
): ReactNode {
  const { shown, versions, source, canEdit, isEdited } = props;
  const { name, version, suspended } = shown;
  const [opened, setOpened] = useState<Opened>(null);
  const startable = startableOf(versions);
  const close = (): void => setOpened(null);
  return (
    <>
      <ScreenHead
        title={name}
        above={<Back />}
        mark={suspended ? <span className="badge tone-queue">suspended</span> : undefined}
        below={source === null ? undefined : <code>{source.file}</code>}
      >
        <HeadActions {...{ shown, versions, startable, canEdit, isEdited }} onOpen={setOpened} />
      </ScreenHead>
      <div className="row flow-bar">
        <VersionChoice shown={shown} versions={versions} />
        <CompareChoice shown={shown} versions={versions} />
        <Link href={withQuery('/instances', { flow: name, version })}>
          Instances of version {version}
        </Link>
      </div>
      {startable === null ? <p className="dim flow-why">{NOT_STARTABLE}</p> : null}
      {opened === 'start' && startable !== null ? (
        <StartDialog definition={startable} onClose={close} />
      ) : null}
      {opened === 'halt' ? (
        <HaltDialog definition={shown} onClose={close} onDone={props.onChanged} />
      ) : null}
    </>
  );
}

function HeadActions(props: {
  readonly shown: Definition;
  readonly versions: readonly Definition[];
  readonly startable: Definition | null;
  readonly canEdit: boolean;
  readonly isEdited: boolean;
  readonly onOpen: (opened: Opened) => void;
}): ReactNode {
  const { shown, startable, canEdit, isEdited, onOpen } = props;
  const [, setQuery] = useQuery();
  const start = (): void => onOpen('start');
  const edit = (): void => setQuery({ edit: isEdited ? null : '1', compare: null });
  const halt = shown.suspended ? 'Resume' : 'Suspend';
  const group = 'This flow';
  useCommand(startable === null ? null : { label: 'Start', group, keys: 's', run: start });
  useCommand(canEdit ? { label: 'Edit', group, keys: 'e', run: edit } : null);
  useCommand({ label: halt, group, run: () => onOpen('halt') });
  const isOther = startable !== null && startable.version !== shown.version;
  return (
    <>
      {canEdit ? (
        <button type="button" className="button" aria-pressed={isEdited} onClick={edit}>
          <Icon name="edit" /> {isEdited ? 'Back to the graph' : 'Edit'}
        </button>
      ) : null}
      <button type="button" className="button" onClick={() => onOpen('halt')}>
        <Icon name={shown.suspended ? 'play' : 'pause'} /> {halt}
      </button>
      {startable === null ? null : (
        <button type="button" className="button primary" onClick={start}>
          <Icon name="play" /> {isOther ? `Start version ${startable.version}` : 'Start'}
        </button>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly shown: Definition;
  readonly versions: readonly Definition[];
}

function VersionChoice({ shown, versions }: ChoiceProps): ReactNode {
  return (
    <label className="row flow-choice">
      <span>Version</span>
      <select
        value={shown.version}
        onChange={({ target }) => go(to('flows', shown.name, target.value))}
      >
        {versions.map(({ version, open, suspended }) => (
          <option key={version} value={version}>
            {version}
            {open === null ? '' : ` · ${open} open`}
            {suspended ? ' · suspended' : ''}
          </option>
        ))}
      </select>
    </label>
  );
}

function CompareChoice({ shown, versions }: ChoiceProps): ReactNode {
  const [query, setQuery] = useQuery();
  const others = versions.filter(({ version }) => version !== shown.version);
  const compare = query.get('compare') ?? '';
  const next = others[0]?.version;
  const toggle = (): void =>
    setQuery({ compare: compare === '' ? String(next) : null, edit: null, node: null });
  useCommand(
    next === undefined
      ? null
      : { label: 'Compare with another version', group: 'This flow', keys: 'c', run: toggle },
  );
  if (next === undefined) return null;
  return (
    <label className="row flow-choice">
      <span>Compare with</span>
      <select
        value={compare}
        onChange={({ target }) => setQuery({ compare: target.value, edit: null, node: null })}
      >
        <option value="">nothing</option>
        {others.map(({ version }) => (
          <option key={version} value={version}>
            version {version}
          </option>
        ))}
      </select>
    </label>
  );
}
