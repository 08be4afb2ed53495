/** One action for many instances: tried out first, always, and then done to those it is for. */
import { type ReactNode, useState } from 'react';
import { Dialog } from '../shell/dialog.tsx';
import { BulkFields, Line } from './bulk-fields.tsx';
import { BulkOutcome } from './bulk-outcome.tsx';
import { actionOf, type ActionAsked, DRAFT, type Deed, planOf, type Target } from './bulk.ts';
import { type Bulk, useBulk } from './use-bulk.ts';

export interface BulkDialogProps {
  readonly target: Target;
  readonly deed: Deed;
  readonly onClose: () => void;
}

export function BulkDialog({ target, deed, onClose }: BulkDialogProps): ReactNode {
  const [draft, setDraft] = useState({ ...DRAFT, deed });
  const [reason, setReason] = useState('');
  const bulk = useBulk(target);
  const read = actionOf(draft);
  const action = 'action' in read ? read.action : null;
  const { progress } = bulk;
  const isUnderWay = progress?.phase === 'trying' || progress?.phase === 'doing';
  const isOver = progress?.phase === 'done';
  const isShown =
    progress !== null && (isOver || (action !== null && progress.plan === planOf(target, action)));
  const footer = <Buttons {...{ bulk, action, reason, isShown, onClose }} />;
  return (
    <Dialog title="Act on many" onClose={onClose} footer={footer}>
      <div className="stack">
        <TargetWords target={target} />
        <BulkFields
          draft={draft}
          onChange={setDraft}
          wrong={'problem' in read ? read : null}
          isLocked={isUnderWay || isOver}
        />
        <fieldset className="bulk-fields" disabled={isUnderWay || isOver}>
          <Line label="Why (stands in their histories)" value={reason} onChange={setReason} />
        </fieldset>
        {isShown ? <BulkOutcome progress={progress} /> : null}
      </div>
    </Dialog>
  );
}

function TargetWords({ target }: { readonly target: Target }): ReactNode {
  if (target.is === 'chosen') {
    const count = target.ids.length;
    return <p>{count === 1 ? 'The one instance' : `The ${count} instances`} that you selected.</p>;
  }
  return (
    <p>
      All instances that are found by <code className="bulk-filter">{target.words}</code>, as they
      are when it comes to them.
    </p>
  );
}

interface ButtonsProps {
  readonly bulk: Bulk;
  readonly action: ActionAsked | null;
  readonly reason: string;
  /** What was tried out is what the fields say. */
  readonly isShown: boolean;
  readonly onClose: () => void;
}

function Buttons({ bulk, action, reason, isShown, onClose }: ButtonsProps): ReactNode {
  const { progress, run, stop } = bulk;
  if (progress?.phase === 'trying' || progress?.phase === 'doing') {
    return (
      <button type="button" className="button" onClick={stop} disabled={progress.isCut}>
        Stop here
      </button>
    );
  }
  if (progress?.phase === 'done') {
    return (
      <button type="button" className="button primary" onClick={onClose}>
        Close
      </button>
    );
  }
  const tryOut = (): void => {
    if (action !== null) run(action, true, reason);
  };
  if (!isShown || progress === null || progress.problem !== null || progress.isCut) {
    return (
      <button type="button" className="button primary" disabled={action === null} onClick={tryOut}>
        Dry run
      </button>
    );
  }
  const count = progress.sum.counts.done;
  return (
    <>
      <button type="button" className="button" onClick={tryOut}>
        Dry run again
      </button>
      <button
        type="button"
        className={action?.do === 'cancel' ? 'button danger' : 'button primary'}
        disabled={count === 0 || action === null}
        onClick={() => {
          if (action !== null) run(action, false, reason);
        }}
      >
        Do it to {count.toLocaleString()} {count === 1 ? 'instance' : 'instances'}
      </button>
    </>
  );
}
