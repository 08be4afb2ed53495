/** In whose name one acts, and how to be somebody else for a while. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Dialog } from './dialog.tsx';
import { setMe, useMe } from './me.ts';

export function Whom({ user }: { readonly user: string }): ReactNode {
  const me = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const groups = me.groups.length === 0 ? '' : ` · ${me.groups.join(', ')}`;
  return (
    <>
      <button type="button" className="whom" onClick={() => setIsOpen(true)}>
        <Icon name="person" />
        <span>
          {me.actor ?? user}
          <span className="dim">{groups}</span>
        </span>
      </button>
      {isOpen ? <WhomDialog user={user} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function WhomDialog(props: { readonly user: string; readonly onClose: () => void }): ReactNode {
  const me = useMe();
  const [actor, setActor] = useState(me.actor ?? '');
  const [groups, setGroups] = useState(me.groups.join(', '));
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const named = groups.split(',').map((name) => name.trim());
    setMe({
      actor: actor.trim() === '' ? null : actor.trim(),
      groups: named.filter((name) => name !== ''),
    });
    props.onClose();
  };
  return (
    <Dialog title="Act as" onClose={props.onClose} size="small">
      <form onSubmit={save} className="stack">
        <p className="dim">
          Everything you do stands in histories under this name. Whoever runs the studio may be
          anybody: be each approver of a flow in turn.
        </p>
        <label className="field">
          <span>Name</span>
          <input
            value={actor}
            placeholder={props.user}
            onChange={(e) => setActor(e.target.value)}
          />
        </label>
        <label className="field">
          <span>Groups, with commas between</span>
          <input
            value={groups}
            placeholder="finance, legal"
            onChange={(event) => setGroups(event.target.value)}
          />
        </label>
        <div className="row end">
          <button type="submit" className="button primary">
            Act as this person
          </button>
        </div>
      </form>
    </Dialog>
  );
}
