/** What can be done to the instances that are selected. It is there while some are. */
import type { ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useCommand } from '../shell/commands.ts';
import { go } from '../shell/routing.tsx';
import type { Deed, Target } from './bulk.ts';
import type { Chosen } from './use-chosen.ts';

interface ChosenBarProps {
  readonly chosen: Chosen;
  readonly onAct: (target: Target, deed: Deed) => void;
}

export function ChosenBar({ chosen, onAct }: ChosenBarProps): ReactNode {
  const ids = [...chosen.ids];
  const [a = '', b = ''] = ids;
  const isSome = ids.length > 0;
  const act = (): void => onAct({ is: 'chosen', ids }, 'retry');
  const compare = (): void => go(`/compare?${new URLSearchParams({ a, b })}`);
  const group = 'Instances';
  useCommand(isSome ? { label: 'Act on the selected', group, keys: 'a', run: act } : null);
  useCommand(
    ids.length === 2 ? { label: 'Compare the two', group, keys: '=', run: compare } : null,
  );
  return (
    <div role="status" className="chosen-place">
      {isSome ? (
        <div className="chosen-bar">
          <b>{ids.length} selected</b>
          <button type="button" className="button small primary" onClick={act}>
            <Icon name="edit" /> Act on them
          </button>
          <button
            type="button"
            className="button small"
            disabled={ids.length !== 2}
            title={ids.length === 2 ? undefined : 'Select two to compare them'}
            onClick={compare}
          >
            <Icon name="branch" /> Compare
          </button>
          <button type="button" className="button small quiet" onClick={chosen.clear}>
            Clear
          </button>
        </div>
      ) : null}
    </div>
  );
}
