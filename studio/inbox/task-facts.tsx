/** What a task is: where it comes from, until when, and what people are shown to decide by. */
import type { ReactNode } from 'react';
import type { Json, Task } from '../api/shapes.ts';
import { JsonView } from '../parts/json-view.tsx';
import { Ago, useNow } from '../parts/moment.tsx';
import { Link, to } from '../shell/routing.tsx';
import { candidatesText } from './standing.ts';
import { isOverdue } from './task-order.ts';

export function Facts({ task }: { readonly task: Task }): ReactNode {
  const now = useNow();
  const { owner = null, timeoutAt = null } = task;
  return (
    <dl className="inbox-facts">
      <Fact name="Flow">
        <Link href={to('flows', task.flow, task.version)}>{task.flow}</Link>
        <span className="dim"> version {task.version}</span>
      </Fact>
      <Fact name="Step">{task.node}</Fact>
      {task.key === null ? null : <Fact name="Key">{task.key}</Fact>}
      {task.kind === 'task' ? (
        <Fact name="Whose">
          {task.assignee ?? `nobody’s yet, open to ${candidatesText(task.candidates)}`}
          {owner === null ? '' : ` (delegated by ${owner})`}
        </Fact>
      ) : null}
      {task.due === null ? null : (
        <Fact name="Due">
          <Ago at={task.due} />{' '}
          {isOverdue(task, now) ? <span className="badge tone-bad">overdue</span> : null}
        </Fact>
      )}
      {task.followUp === null ? null : (
        <Fact name="Come back to it">
          <Ago at={task.followUp} />
        </Fact>
      )}
      {task.priority === 0 ? null : <Fact name="Priority">{task.priority}</Fact>}
      {timeoutAt === null ? null : (
        <Fact name="Its time is over">
          <Ago at={timeoutAt} />
        </Fact>
      )}
    </dl>
  );
}

function Fact(props: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

export function Shown({ task }: { readonly task: Task }): ReactNode {
  const { data, submission = null, attachments } = task;
  const hasNothing = data === null && submission === null && attachments.length === 0;
  return (
    <section className="stack inbox-part" aria-label="What it is about">
      <h3>What it is about</h3>
      {hasNothing ? <p className="dim">The flow shows nothing here.</p> : null}
      {data === null ? null : <Value value={data} label="what it is about" />}
      {submission === null ? null : (
        <>
          <p>What {task.submitter ?? 'the submitter'} came back with:</p>
          <Value value={submission} label="what came back" />
        </>
      )}
      <Attachments task={task} />
    </section>
  );
}

/** Text of more than a line is for reading: at the top, and on its own. */
function Value({ value, label }: { readonly value: Json; readonly label: string }): ReactNode {
  if (typeof value === 'string') return <p className="inbox-text">{value}</p>;
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  const texts = isRecord
    ? Object.entries(value).filter((entry): entry is [string, string] => isLong(entry[1]))
    : [];
  const names = new Set(texts.map(([name]) => name));
  const rest = isRecord
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
    : value;
  const hasRest = !isRecord || Object.keys(rest as object).length > 0 || texts.length === 0;
  return (
    <>
      {texts.map(([name, text]) => (
        <div key={name}>
          <p className="inbox-text-name">{name}</p>
          <p className="inbox-text">{text}</p>
        </div>
      ))}
      {hasRest ? <JsonView value={rest as Json} label={label} /> : null}
    </>
  );
}

function isLong(value: Json | undefined): boolean {
  return typeof value === 'string' && value.includes('\n');
}

function Attachments({ task }: { readonly task: Task }): ReactNode {
  if (task.attachments.length === 0) return null;
  return (
    <ul className="inbox-attachments" aria-label="Attachments">
      {task.attachments.map(({ name, url }) => (
        <li key={`${name} ${url}`}>
          {isWebAddress(url) ? (
            <a href={url} target="_blank" rel="noreferrer">
              {name}
            </a>
          ) : (
            <span>{name}</span>
          )}{' '}
          <code className="dim">{url}</code>
        </li>
      ))}
    </ul>
  );
}

/** Anything else might run something when it is clicked. */
function isWebAddress(url: string): boolean {
  try {
    return /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}
