/** What somebody is about to do: nothing, choosing, or one action. */
import { type ReactNode, useState } from 'react';
import type { Instance, Plan } from '../api/shapes.ts';
import { useCommand } from '../shell/commands.ts';
import { type Verb, verbsFor, type Wanted } from './actions/action.ts';
import { ActionDialog } from './actions/action-dialog.tsx';
import { ActionMenu } from './actions/action-menu.tsx';

export interface Wanting {
  readonly act: (wanted: Wanted) => void;
  readonly menu: () => void;
  readonly wanted: Wanted | 'menu' | null;
  readonly close: () => void;
}

/** The keys of it count only for what makes sense now, and in no past. */
export function useWanting(instance: Instance | undefined, isPast: boolean): Wanting {
  const [wanted, setWanted] = useState<Wanted | 'menu' | null>(null);
  const verbs = instance === undefined || isPast ? [] : verbsFor(instance);
  const command = (verb: Verb, label: string, keys: string) =>
    verbs.includes(verb)
      ? { label, keys, group: 'Instance', run: () => setWanted({ verb }) }
      : null;
  useCommand(command('retry', 'Retry what failed', 'r'));
  useCommand(command('suspend', 'Suspend', 'p'));
  useCommand(command('resume', 'Resume', 'p'));
  useCommand(command('cancel', 'Cancel', 'x'));
  useCommand(
    verbs.length === 0
      ? null
      : { label: 'What to do', keys: '.', group: 'Instance', run: () => setWanted('menu') },
  );
  return {
    act: setWanted,
    menu: () => setWanted('menu'),
    wanted,
    close: () => setWanted(null),
  };
}

export interface WantingDialogsProps {
  readonly wanting: Wanting;
  readonly instance: Instance;
  readonly plan: Plan;
  readonly onDone: () => void;
}

export function WantingDialogs({
  wanting,
  instance,
  plan,
  onDone,
}: WantingDialogsProps): ReactNode {
  const { wanted, act, close } = wanting;
  if (wanted === null) return null;
  if (wanted === 'menu') {
    return <ActionMenu instance={instance} onClose={close} onChoose={(verb) => act({ verb })} />;
  }
  return (
    <ActionDialog
      key={`${wanted.verb} ${wanted.token ?? ''}`}
      {...{ wanted, instance, plan }}
      onClose={close}
      onDone={(next) => {
        if (next === null) close();
        else act(next);
        onDone();
      }}
    />
  );
}
