/** Questions with a name, one click away; and a name for the one that is asked now. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useCommand } from '../shell/commands.ts';
import { Link } from '../shell/routing.tsx';
import { say } from '../shell/toasts.tsx';
import { BUILT_IN, dropView, saveView, useViews, type View } from './views.ts';

/** `query` is that of what is looked for, in the one order that queries are compared in. */
export function ViewsBar({ query }: { readonly query: string }): ReactNode {
  const kept = useViews();
  const [isNaming, setIsNaming] = useState(false);
  const isKnown = [...BUILT_IN, ...kept].some((view) => view.query === query);
  useCommand(
    isKnown
      ? null
      : {
          ...{ label: 'Save this view', group: 'Instances', keys: 'v' },
          run: () => setIsNaming(true),
        },
  );
  const drop = ({ name }: View): void => {
    dropView(name);
    say(`The view ${name} is gone`);
  };
  return (
    <nav className="views" aria-label="Views">
      {BUILT_IN.map((view) => (
        <ViewLink key={view.name} view={view} isHere={view.query === query} />
      ))}
      {kept.map((view) => (
        <span key={view.name} className="view-kept">
          <ViewLink view={view} isHere={view.query === query} />
          <button
            type="button"
            className="chip-drop"
            aria-label={`Delete the view ${view.name}`}
            onClick={() => drop(view)}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {isNaming && !isKnown ? (
        <Naming query={query} onClose={() => setIsNaming(false)} />
      ) : isKnown ? null : (
        <button type="button" className="button small quiet" onClick={() => setIsNaming(true)}>
          <Icon name="star" /> Save view
        </button>
      )}
    </nav>
  );
}

function ViewLink({ view, isHere }: { readonly view: View; readonly isHere: boolean }): ReactNode {
  const { name, query } = view;
  const href = query === '' ? '/instances' : `/instances?${query}`;
  return (
    <Link href={href} className="view" aria-current={isHere ? 'page' : undefined}>
      {name}
    </Link>
  );
}

interface NamingProps {
  readonly query: string;
  readonly onClose: () => void;
}

function Naming({ query, onClose }: NamingProps): ReactNode {
  const [name, setName] = useState('');
  const named = name.trim();
  const isTaken = BUILT_IN.some((view) => view.name === named);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (named === '' || isTaken) return;
    saveView({ name: named, query });
    say(`Kept as ${named}, in this browser`);
    onClose();
  };
  return (
    <form className="row view-naming" onSubmit={save}>
      <input
        aria-label="Name of the view"
        placeholder="Name of the view"
        maxLength={60}
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <button type="submit" className="button small primary" disabled={named === '' || isTaken}>
        Save
      </button>
      <button type="button" className="button small quiet" onClick={onClose}>
        Cancel
      </button>
      {isTaken ? <span className="field-problem">There is one of this name.</span> : null}
    </form>
  );
}
