/** Suspends or resumes a flow or a version, and says before how many instances that is. */
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { pathTo, type Problem, post, problemFrom } from '../api/asking.ts';
import type { Definition } from '../api/shapes.ts';
import { FieldFrame } from '../parts/field-frame.tsx';
import { ProblemBox } from '../parts/screen.tsx';
import { SubmitFoot } from '../parts/submit-foot.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { acting, useMe } from '../shell/me.ts';
import { say } from '../shell/toasts.tsx';
import { counted } from './flow-card.tsx';

export interface HaltDialogProps {
  readonly definition: Definition;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface Told {
  readonly suspended: number;
  readonly resumed: number;
}

/** How many it would be, or what speaks against it. */
type Looked = number | Problem | null;

function useDryRun(path: string, body: object, verb: 'suspend' | 'resume'): Looked {
  const [looked, setLooked] = useState<Looked>(null);
  const text = JSON.stringify({ ...body, dryRun: true });
  useEffect(() => {
    let isMeant = true;
    setLooked(null);
    const tell = (next: Looked): void => {
      if (isMeant) setLooked(next);
    };
    post<Told>(path, JSON.parse(text)).then(
      ({ suspended, resumed }) => tell(verb === 'suspend' ? suspended : resumed),
      (thrown: unknown) => tell(problemFrom(thrown)),
    );
    return () => {
      isMeant = false;
    };
  }, [path, text, verb]);
  return looked;
}

export function HaltDialog({ definition, onClose, onDone }: HaltDialogProps): ReactNode {
  const { name, version, suspended } = definition;
  const verb = suspended ? 'resume' : 'suspend';
  const form = useId();
  const me = useMe();
  const [isWhole, setIsWhole] = useState(false);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const path = pathTo('definitions', name, verb);
  const scope = isWhole ? {} : { version };
  const looked = useDryRun(path, scope, verb);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    post<Told>(path, { ...scope, ...acting(me, reason) }).then(
      (told) => {
        const count = suspended ? told.resumed : told.suspended;
        say(`${suspended ? 'Resumed' : 'Suspended'} ${counted(count, 'instance')} of ${name}`);
        onDone();
        onClose();
      },
      (thrown: unknown) => setProblem(problemFrom(thrown)),
    );
  };
  const title = `${suspended ? 'Resume' : 'Suspend'} ${name}`;
  return (
    <Dialog {...{ title, onClose }} footer={<Foot {...{ form, suspended, onClose, looked }} />}>
      <form id={form} className="stack" onSubmit={submit}>
        {problem === null ? null : <ProblemBox problem={problem} />}
        <Scope {...{ version, isWhole, onChange: setIsWhole }} />
        <Effect {...{ looked, suspended }} />
        <FieldFrame
          id={`${form}-why`}
          label="Reason"
          hint="Optional; it stands in the history."
          problems={[]}
        >
          <input
            id={`${form}-why`}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </FieldFrame>
      </form>
    </Dialog>
  );
}

function Scope(props: {
  readonly version: number;
  readonly isWhole: boolean;
  readonly onChange: (isWhole: boolean) => void;
}): ReactNode {
  const { version, isWhole, onChange } = props;
  const name = useId();
  return (
    <fieldset className="halt-scope">
      <legend className="visually-hidden">Which instances</legend>
      <label className="row">
        <input type="radio" {...{ name }} checked={!isWhole} onChange={() => onChange(false)} />
        Version {version} only
      </label>
      <label className="row">
        <input type="radio" {...{ name }} checked={isWhole} onChange={() => onChange(true)} />
        All versions of the flow
      </label>
    </fieldset>
  );
}

function Effect({
  looked,
  suspended,
}: {
  readonly looked: Looked;
  readonly suspended: boolean;
}): ReactNode {
  if (looked !== null && typeof looked !== 'number') return <ProblemBox problem={looked} />;
  const count = looked === null ? 'Counting…' : counted(looked, 'instance');
  return (
    <p role="status">
      {looked === null ? (
        count
      ) : suspended ? (
        <>
          <strong>{count}</strong> would go on. What was suspended by itself stays so.
        </>
      ) : (
        <>
          <strong>{count}</strong> would stand still, and so would those that begin later. Steps
          that are under way come to their end.
        </>
      )}
    </p>
  );
}

function Foot(props: {
  readonly form: string;
  readonly suspended: boolean;
  readonly onClose: () => void;
  readonly looked: Looked;
}): ReactNode {
  return (
    <SubmitFoot
      form={props.form}
      isDisabled={typeof props.looked !== 'number'}
      onClose={props.onClose}
    >
      {props.suspended ? 'Resume' : 'Suspend'}
    </SubmitFoot>
  );
}
