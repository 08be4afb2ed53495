/**
 * Approve, reject or send back. The round that was looked at is sent along: what came back since
 * nobody has seen. The keys choose what is meant; it is sent by a click, or Ctrl with Enter.
 */
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { Task } from '../api/shapes.ts';
import { ProblemBox } from '../parts/screen.tsx';
import { useCommand } from '../shell/commands.ts';
import { Keys } from '../shell/help.tsx';
import { type After, useDeed } from './deed.ts';
import { useDraft } from './drafts.ts';
import { submitOnKeys } from './keys.ts';
import { Override } from './override.tsx';
import { stillToSpeak } from './standing.ts';
import { titleOf } from './task-order.ts';

type Decision = 'approve' | 'reject' | 'revise';

const LABELS = { approve: 'Approve', reject: 'Reject', revise: 'Send back' } as const;
const DONE = { approve: 'Approved', reject: 'Rejected', revise: 'Sent back' } as const;

export interface FormProps {
  readonly task: Task;
  readonly canAct: boolean;
  readonly onEnded: (text: string) => void;
}

export function DecideForm({ task, canAct, onEnded }: FormProps): ReactNode {
  const [comment, setComment, drop] = useDraft(`${task.id}.decide`, '');
  const [meant, setMeant] = useState<Decision>('approve');
  const [override, setOverride] = useState(false);
  const { act, isBusy, problem } = useDeed(task);
  const box = useRef<HTMLTextAreaElement>(null);
  const isOpen = (canAct || override) && !isBusy && !task.suspended;
  const decide = async (decision: Decision): Promise<void> => {
    if (!isOpen) return;
    const body = { decision, ...(task.round === undefined ? {} : { round: task.round }) };
    const after = await act({ verb: 'decide', body, comment, override });
    if (after === null) return;
    drop();
    onEnded(toldOf(task, decision, after));
  };
  useDecisionKeys(box, setMeant);
  const decisions: readonly Decision[] =
    task.submitter === null ? ['approve', 'reject'] : ['approve', 'reject', 'revise'];
  return (
    <section
      className="stack inbox-part"
      aria-label="Decide"
      onKeyDown={submitOnKeys(() => void decide(meant))}
    >
      <h3>Decide</h3>
      <CommentBox value={comment} onChange={setComment} box={box} />
      {canAct ? null : <Override value={override} onChange={setOverride} decides />}
      {problem === null ? null : <ProblemBox problem={problem} />}
      <div className="row">
        {decisions.map((decision) => (
          <button
            key={decision}
            type="button"
            className={`button ${toneOf(decision, meant)}`}
            disabled={!isOpen}
            onClick={() => void decide(decision)}
          >
            {LABELS[decision]}
          </button>
        ))}
        <span className="dim inbox-hint">
          <Keys keys="mod+Enter" /> {LABELS[meant].toLowerCase()}s
        </span>
      </div>
    </section>
  );
}

function toneOf(decision: Decision, meant: Decision): string {
  if (decision === 'reject') return meant === decision ? 'danger inbox-meant' : 'danger';
  return meant === decision ? 'primary' : '';
}

function useDecisionKeys(
  box: RefObject<HTMLTextAreaElement | null>,
  mean: (decision: Decision) => void,
): void {
  const meaning = (decision: Decision) => (): void => {
    mean(decision);
    box.current?.focus();
  };
  const group = 'Task';
  useCommand({ label: 'Approve, with a comment', group, keys: 'a', run: meaning('approve') });
  useCommand({ label: 'Reject, with a comment', group, keys: 'x', run: meaning('reject') });
}

interface CommentBoxProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly box: RefObject<HTMLTextAreaElement | null>;
}

function CommentBox({ value, onChange, box }: CommentBoxProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Why, if that is worth a word</label>
      <textarea
        id={id}
        ref={box}
        rows={2}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** What came of it, for whoever is on the next task by now. */
function toldOf(task: Task, decision: Decision, { task: now }: After): string {
  const what = `${DONE[decision]}: ${titleOf(task)}.`;
  if (now === undefined) return `${what} It is decided, and the instance goes on.`;
  if (now.returned === true) return `${what} It waits for ${now.submitter ?? 'its submitter'}.`;
  return `${what} ${stillToSpeak(now)}`;
}
