/** What somebody hands in: by the form that the task has, or as they like if it has none. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Problem } from '../api/asking.ts';
import type { Json } from '../api/shapes.ts';
import { SchemaForm } from '../parts/schema-form.tsx';
import type { FieldProblem } from '../parts/schema-rules.ts';
import { ProblemBox } from '../parts/screen.tsx';
import { Keys } from '../shell/help.tsx';
import type { FormProps } from './decide-form.tsx';
import { useDeed } from './deed.ts';
import { useDraft } from './drafts.ts';
import { submitOnKeys } from './keys.ts';
import { Override } from './override.tsx';
import { typedIn } from './outputs.ts';
import { titleOf } from './task-order.ts';

export function CompleteForm({ task, canAct, onEnded }: FormProps): ReactNode {
  const [filled, setFilled, dropFilled] = useDraft<Json | undefined>(`${task.id}.form`, undefined);
  const [text, setText, dropText] = useDraft(`${task.id}.output`, '');
  const [override, setOverride] = useState(false);
  const { act, isBusy, problem } = useDeed(task);
  const form = task.form ?? null;
  const isOpen = (canAct || override) && !isBusy && !task.suspended;
  const complete = async (): Promise<void> => {
    if (!isOpen) return;
    const output = form === null ? typedIn(text).value : filled;
    const body = output === undefined ? {} : { output };
    const after = await act({ verb: 'complete', body, override });
    if (after === null) return;
    dropFilled();
    dropText();
    onEnded(`Done: ${titleOf(task)}. The instance goes on.`);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void complete();
  };
  return (
    <section className="inbox-part" aria-label="Complete it">
      <form
        className="stack"
        noValidate
        onSubmit={submit}
        onKeyDown={submitOnKeys(() => void complete())}
      >
        <h3>Complete it</h3>
        {form === null ? (
          <Anything value={text} onChange={setText} />
        ) : (
          <SchemaForm
            schema={form}
            value={filled}
            onChange={setFilled}
            problems={problemsIn(problem)}
            idPrefix={`task-${task.token}`}
          />
        )}
        {canAct ? null : <Override value={override} onChange={setOverride} />}
        {problem === null ? null : <ProblemBox problem={problem} />}
        <div className="row">
          <button type="submit" className="button primary" disabled={!isOpen}>
            Complete
          </button>
          <span className="dim inbox-hint">
            <Keys keys="mod+Enter" /> completes
          </span>
        </div>
      </form>
    </section>
  );
}

const NONE: readonly FieldProblem[] = [];

/** What the engine found wrong, each with its place. */
function problemsIn(problem: Problem | null): readonly FieldProblem[] {
  const problems = problem?.code === 'task.invalid' ? problem.details['problems'] : undefined;
  return Array.isArray(problems) ? (problems as readonly FieldProblem[]) : NONE;
}

export interface AnythingProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label?: string;
}

function Anything({ value, onChange, label = 'What came of it' }: AnythingProps): ReactNode {
  const id = useId();
  const { kind } = typedIn(value);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        value={value}
        placeholder={'{ "any": "JSON" }, or plain text'}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-hint`} className="field-hint">
        {kind === 'nothing' ? 'Nothing is handed in.' : `It is handed in as ${kind}.`}
      </span>
    </div>
  );
}

/** An approval that was sent back: its submitter comes again, with another word or without. */
export function ResubmitForm({ task, canAct, onEnded }: FormProps): ReactNode {
  const [text, setText, drop] = useDraft(`${task.id}.resubmit`, '');
  const { act, isBusy, problem } = useDeed(task);
  const isOpen = canAct && !isBusy && !task.suspended;
  const send = async (): Promise<void> => {
    if (!isOpen) return;
    const data = typedIn(text).value;
    const after = await act({ verb: 'resubmit', body: data === undefined ? {} : { data } });
    if (after === null) return;
    drop();
    onEnded(`Resubmitted: ${titleOf(task)}.`);
  };
  return (
    <section
      className="stack inbox-part"
      aria-label="Resubmit it"
      onKeyDown={submitOnKeys(() => void send())}
    >
      <h3>Resubmit it</h3>
      <Anything value={text} onChange={setText} label="What was asked for" />
      {problem === null ? null : <ProblemBox problem={problem} />}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={!isOpen}
          onClick={() => void send()}
        >
          Resubmit
        </button>
      </div>
    </section>
  );
}
