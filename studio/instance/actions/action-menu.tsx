/** Everything that can be done to the instance as it stands, with what it means. */
import type { ReactNode } from 'react';
import type { Instance } from '../../api/shapes.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { DEEDS, type Verb, verbsFor } from './action.ts';

export interface ActionMenuProps {
  readonly instance: Instance;
  readonly onClose: () => void;
  readonly onChoose: (verb: Verb) => void;
}

export function ActionMenu({ instance, onClose, onChoose }: ActionMenuProps): ReactNode {
  return (
    <Dialog title="What to do" onClose={onClose}>
      <ul className="deeds">
        {verbsFor(instance).map((verb) => (
          <li key={verb}>
            <button type="button" className="deed" onClick={() => onChoose(verb)}>
              <strong>{DEEDS[verb].label}</strong>
              <span className="dim">{DEEDS[verb].means}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
