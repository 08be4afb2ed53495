/** Something that can be done with a task and takes a few words first. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Task } from '../api/shapes.ts';
import { ProblemBox } from '../parts/screen.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { type After, useDeed, type Verb } from './deed.ts';
import { submitOnKeys } from './keys.ts';
import { Override } from './override.tsx';

export interface DeedDialogProps {
  readonly task: Task;
  readonly verb: Verb;
  readonly title: string;
  readonly explanation: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly canSend: boolean;
  readonly submit: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly onDone: (after: After) => void;
}

export function DeedDialog(props: DeedDialogProps): ReactNode {
  const { task, verb, title, explanation, body, canSend, submit, children, onClose } = props;
  const [comment, setComment] = useState('');
  const [override, setOverride] = useState(false);
  const { act, isBusy, problem } = useDeed(task);
  const form = useId();
  const send = async (): Promise<void> => {
    if (!canSend || isBusy) return;
    const after = await act({ verb, body, comment, override });
    if (after !== null) props.onDone(after);
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      size="small"
      footer={
        <button type="submit" form={form} className="button primary" disabled={!canSend || isBusy}>
          {submit}
        </button>
      }
    >
      <form
        id={form}
        className="stack"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void send();
        }}
        onKeyDown={submitOnKeys(() => void send())}
      >
        <p className="dim">{explanation}</p>
        {children}
        <label className="field">
          <span>Comment</span>
          <textarea rows={2} value={comment} onChange={(event) => setComment(event.target.value)} />
        </label>
        {problem === null ? null : <ProblemBox problem={problem} />}
        {problem?.code === 'task.forbidden' ? (
          <Override value={override} onChange={setOverride} />
        ) : null}
      </form>
    </Dialog>
  );
}
