/** One dialog for every action: its fields, why, what will happen, and then it is done. */
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Instance, Plan } from '../../api/shapes.ts';
import { useNow } from '../../parts/moment.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import { go, to } from '../../shell/routing.tsx';
import { say } from '../../shell/toasts.tsx';
import { DEEDS, type Wanted } from './action.ts';
import { Fields } from './fields.tsx';
import { PreviewView } from './preview-view.tsx';
import { Refusal } from './refusal.tsx';
import { AT_ONCE, useAction } from './use-action.ts';

export interface ActionDialogProps {
  readonly wanted: Wanted;
  readonly instance: Instance;
  readonly plan: Plan;
  readonly onClose: () => void;
  /** It is done; what comes next, if something does. */
  readonly onDone: (next: Wanted | null) => void;
}

/** Where one begins to type: in the first field, or where there is nothing to say but why. */
function useFirstField(isAtOnce: boolean): React.RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const all = form.current?.querySelectorAll<HTMLElement>('input, select, textarea') ?? [];
    const list = [...all];
    (isAtOnce ? list.at(-1) : list[0])?.focus();
  }, [isAtOnce]);
  return form;
}

export function ActionDialog(props: ActionDialogProps): ReactNode {
  const { wanted, instance, plan, onClose, onDone } = props;
  const { label, means, now, done } = DEEDS[wanted.verb];
  const form = useId();
  const clock = useNow();
  const [reason, setReason] = useState('');
  const action = useAction(wanted, instance);
  const fields = useFirstField(AT_ONCE.has(wanted.verb));
  const perform = async (): Promise<void> => {
    const made = await action.perform(reason.trim());
    if (made === null) return;
    say(done);
    onDone(wanted.next ?? null);
    if (made !== instance.id) go(to('instances', made));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (action.preview === null) action.look();
    else void perform();
  };
  const isDanger = wanted.verb === 'cancel';
  const button = `button ${isDanger && action.preview !== null ? 'danger' : 'primary'}`;
  const footer = (
    <div className="row end">
      <button type="button" className="button" onClick={onClose}>
        Leave it
      </button>
      <button type="submit" form={form} className={button} disabled={action.isBusy}>
        {action.preview === null ? 'Preview' : now}
      </button>
    </div>
  );
  return (
    <Dialog title={label} onClose={onClose} footer={footer}>
      <form ref={fields} id={form} className="stack" onSubmit={submit}>
        <p className="dim">{means}</p>
        <Fields
          {...{ verb: wanted.verb, instance, plan, now: clock }}
          {...{ values: action.values, bad: action.bad, onChange: action.change }}
        />
        <label className="field">
          <span>Why, for the history</span>
          <input value={reason} onChange={(event) => setReason(event.target.value)} />
        </label>
        {action.problem === null ? null : <Refusal problem={action.problem} />}
        {action.preview === null ? null : <PreviewView preview={action.preview} />}
      </form>
    </Dialog>
  );
}
