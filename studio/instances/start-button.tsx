/** Starts an instance of the flow that is looked at, or asks of which. */
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Definition } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemBox } from '../parts/screen.tsx';
import { useCommand } from '../shell/commands.ts';
import { Dialog } from '../shell/dialog.tsx';
import { startable } from './startable.ts';

// Rows come first: what starting takes is fetched when somebody starts.
const StartDialog = lazy(async () => {
  const { StartDialog: Start } = await import('../flows/start-dialog.tsx');
  return { default: Start };
});

export function StartButton({ flow }: { readonly flow: string | null }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => setIsOpen(true);
  useCommand({ label: 'Start an instance', group: 'Instances', keys: 'n', run: open });
  return (
    <>
      <button type="button" className="button primary" onClick={open}>
        <Icon name="play" /> Start
      </button>
      {isOpen ? <Start flow={flow} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

interface StartProps {
  readonly flow: string | null;
  readonly onClose: () => void;
}

function Start({ flow, onClose }: StartProps): ReactNode {
  const asked = useAsked<{ definitions: readonly Definition[] }>('/api/definitions');
  const [named, setNamed] = useState(flow);
  const flows = startable(asked.value?.definitions ?? []);
  const definition = flows.find(({ name }) => name === named);
  if (definition !== undefined) {
    return (
      <Suspense fallback={<Loading />}>
        <StartDialog definition={definition} onClose={onClose} />
      </Suspense>
    );
  }
  return (
    <Dialog title="Start which flow?" size="small" onClose={onClose}>
      {asked.problem === null ? null : <ProblemBox problem={asked.problem} />}
      {asked.value === undefined && asked.problem === null ? <Loading /> : null}
      {asked.value !== undefined && flows.length === 0 ? (
        <Empty title="There is no flow yet." />
      ) : null}
      <ul className="start-list">
        {flows.map(({ name, version }) => (
          <li key={name}>
            <button type="button" className="start-flow" onClick={() => setNamed(name)}>
              <Icon name="flow" />
              <span>{name}</span>
              <span className="dim">v{version}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
