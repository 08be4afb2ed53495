/** What else can be done with a task: take it, give it to others, put it off, take it back. */
import { type ReactNode, useState } from 'react';
import type { Task } from '../api/shapes.ts';
import { useCommand } from '../shell/commands.ts';
import { ProblemBox } from '../parts/screen.tsx';
import { useDeed } from './deed.ts';
import { DeedDialog } from './deed-dialog.tsx';
import { momentIn, momentText } from './moments.ts';
import type { Standing } from './standing.ts';
import { titleOf } from './task-order.ts';

type Open = 'delegate' | 'reassign' | 'update' | 'recall' | null;

export interface MoreActionsProps {
  readonly task: Task;
  readonly standing: Standing;
  /** It is still there. */
  readonly onDone: (text: string) => void;
  readonly onEnded: (text: string) => void;
}

export function MoreActions({ task, standing, onDone, onEnded }: MoreActionsProps): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const onClose = (): void => setOpen(null);
  const done = (text: string, isOver = false): void => {
    onClose();
    if (isOver) onEnded(text);
    else onDone(text);
  };
  const opens = (label: string, what: Open): ReactNode => (
    <button type="button" className="button small" onClick={() => setOpen(what)}>
      {label}
    </button>
  );
  const parts = { task, onClose, done };
  return (
    <div className="row inbox-more" role="group" aria-label="More to do with it">
      <Taking {...{ task, standing, onDone }} />
      {opens('Delegate …', 'delegate')}
      {opens('Reassign …', 'reassign')}
      {opens('Dates and priority …', 'update')}
      {task.kind === 'approval' && task.submitter !== null ? opens('Recall …', 'recall') : null}
      {open === 'delegate' || open === 'reassign' ? <Giving verb={open} {...parts} /> : null}
      {open === 'update' ? <Update {...parts} /> : null}
      {open === 'recall' ? <Recall {...parts} /> : null}
    </div>
  );
}

function Taking({ task, standing, onDone }: Omit<MoreActionsProps, 'onEnded'>): ReactNode {
  const { act, isBusy, problem } = useDeed(task);
  const take = async (verb: 'claim' | 'unclaim', did: string): Promise<void> => {
    if ((await act({ verb })) !== null) onDone(`${did}: ${titleOf(task)}`);
  };
  const claim = (): void => void take('claim', 'Taken');
  const unclaim = (): void => void take('unclaim', 'Given back');
  useCommand(
    standing.canClaim ? { label: 'Take the task', group: 'Task', keys: 'c', run: claim } : null,
  );
  const button = (label: string, run: () => void): ReactNode => (
    <button type="button" className="button small" disabled={isBusy} onClick={run}>
      {label}
    </button>
  );
  return (
    <>
      {standing.canClaim ? button('Claim', claim) : null}
      {standing.canUnclaim ? button('Unclaim', unclaim) : null}
      {problem === null ? null : <ProblemBox problem={problem} />}
    </>
  );
}

interface PartProps {
  readonly task: Task;
  readonly onClose: () => void;
  readonly done: (text: string, isOver?: boolean) => void;
}

const GIVING = {
  delegate: 'Somebody else does it for you, or has your say.',
  reassign: 'Somebody else has it for good. Nobody is asked: it is for whoever runs the place.',
} as const;

const GIVEN = { delegate: 'Delegated', reassign: 'Reassigned' } as const;

function Giving({
  verb,
  task,
  onClose,
  done,
}: PartProps & { verb: keyof typeof GIVING }): ReactNode {
  const [to, setTo] = useState('');
  const seats = verb === 'reassign' ? [...new Set(task.waitsFor ?? [])] : [];
  const [from, setFrom] = useState(seats[0] ?? '');
  const title = verb === 'delegate' ? 'Delegate' : 'Reassign';
  return (
    <DeedDialog
      {...{ task, verb, title, onClose }}
      explanation={GIVING[verb]}
      body={{ to: to.trim(), ...(from === '' ? {} : { from }) }}
      canSend={to.trim() !== ''}
      submit={title}
      onDone={() => done(`${GIVEN[verb]} to ${to.trim()}: ${titleOf(task)}`)}
    >
      <label className="field">
        <span>To whom</span>
        <input autoFocus value={to} onChange={(event) => setTo(event.target.value)} />
      </label>
      {seats.length === 0 ? null : (
        <label className="field">
          <span>Whose say</span>
          <select value={from} onChange={(event) => setFrom(event.target.value)}>
            {seats.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
    </DeedDialog>
  );
}

function Update({ task, onClose, done }: PartProps): ReactNode {
  const [due, setDue] = useState(momentText(task.due));
  const [followUp, setFollowUp] = useState(momentText(task.followUp));
  const [priority, setPriority] = useState(String(task.priority));
  const body = {
    ...(due === momentText(task.due) ? {} : { due: momentIn(due) }),
    ...(followUp === momentText(task.followUp) ? {} : { followUp: momentIn(followUp) }),
    ...(priority === String(task.priority) ? {} : { priority: Number(priority) }),
  };
  const date = (label: string, value: string, set: (text: string) => void): ReactNode => (
    <label className="field">
      <span>{label}</span>
      <input type="datetime-local" value={value} onChange={(event) => set(event.target.value)} />
    </label>
  );
  return (
    <DeedDialog
      {...{ task, verb: 'update', title: 'Dates and priority', onClose, body }}
      explanation="People sort and look by them. Nothing happens by itself when a date has come."
      canSend={Object.keys(body).length > 0 && /^-?\d{1,9}$/.test(priority)}
      submit="Change"
      onDone={() => done(`Changed: ${titleOf(task)}`)}
    >
      {date('Due', due, setDue)}
      {date('Come back to it', followUp, setFollowUp)}
      <label className="field">
        <span>Priority: the higher, the more urgent</span>
        <input
          inputMode="numeric"
          value={priority}
          onChange={(event) => setPriority(event.target.value)}
        />
      </label>
    </DeedDialog>
  );
}

function Recall({ task, onClose, done }: PartProps): ReactNode {
  return (
    <DeedDialog
      {...{ task, verb: 'recall', title: 'Recall', onClose, body: {}, canSend: true }}
      explanation={`Whoever asked for it, ${task.submitter ?? ''}, no longer wants it: it is over.`}
      submit="Recall it"
      onDone={() => done(`Recalled: ${titleOf(task)}. The instance goes on.`, true)}
    />
  );
}
