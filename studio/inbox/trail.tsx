/** What was done with a task so far, and a place to say something about it. */
import { type ReactNode, type RefObject, useId } from 'react';
import type { Task } from '../api/shapes.ts';
import { Ago } from '../parts/moment.tsx';
import { ProblemBox } from '../parts/screen.tsx';
import { useDeed } from './deed.ts';
import { useDraft } from './drafts.ts';
import { submitOnKeys } from './keys.ts';
import { entryText } from './trail-text.ts';

export function Trail({ task }: { readonly task: Task }): ReactNode {
  return (
    <ol className="inbox-trail">
      <li>
        <span className="dim">
          It was opened <Ago at={task.createdAt} />
        </span>
      </li>
      {task.trail.map((entry, index) => (
        <li key={`${index} ${entry.at}`}>
          <b>{entry.by ?? 'somebody'}</b> {entryText(entry)}{' '}
          <span className="dim">
            <Ago at={entry.at} />
          </span>
          {entry.comment === undefined ? null : <p className="inbox-said">{entry.comment}</p>}
        </li>
      ))}
    </ol>
  );
}

export interface CommentFormProps {
  readonly task: Task;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly onDone: (text: string) => void;
}

export function CommentForm({ task, box, onDone }: CommentFormProps): ReactNode {
  const [text, setText, drop] = useDraft(`${task.id}.say`, '');
  const { act, isBusy, problem } = useDeed(task);
  const id = useId();
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isBusy) return;
    const after = await act({ verb: 'comment', comment: text });
    if (after === null) return;
    drop();
    onDone('Said');
  };
  return (
    <form
      className="stack inbox-say"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={submitOnKeys(() => void send())}
    >
      <label className="visually-hidden" htmlFor={id}>
        Say something about it
      </label>
      <textarea
        id={id}
        ref={box}
        rows={2}
        value={text}
        placeholder="Say something about it, for all who look at it"
        onChange={(event) => setText(event.target.value)}
      />
      {problem === null ? null : <ProblemBox problem={problem} />}
      <div className="row end">
        <button type="submit" className="button small" disabled={isBusy || text.trim() === ''}>
          Comment
        </button>
      </div>
    </form>
  );
}
