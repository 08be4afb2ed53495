/** What can be asked of any task, whatever its kind, and the words in which it is told. */
import type { Answered, AskRefusal } from '../kernel/kind.ts';
import type { Instant } from '../model/ids.ts';
import type { Task, TaskAsk, TaskEntry } from '../model/task.ts';

/** What was asked, as the trail of the task keeps it. */
export function entryOf(ask: TaskAsk, at: Instant, more: Partial<TaskEntry> = {}): TaskEntry {
  const { do: did, by, comment, override, once } = ask;
  return {
    at,
    by,
    did,
    ...('to' in ask ? { to: ask.to } : {}),
    ...('decision' in ask ? { decision: ask.decision } : {}),
    ...(comment === undefined ? {} : { comment }),
    ...(override === undefined ? {} : { override }),
    ...(once === undefined ? {} : { once }),
    ...more,
  };
}

export function forbidden(message: string): { readonly refuse: AskRefusal } {
  return { refuse: { code: 'task.forbidden', message } };
}

export function refused(message: string): { readonly refuse: AskRefusal } {
  return { refuse: { code: 'task.refused', message } };
}

/** Comments, attachments and dates; undefined for everything else. */
export function askAny(task: Task, ask: TaskAsk, now: Instant): Answered | undefined {
  switch (ask.do) {
    case 'comment':
      return { entry: entryOf(ask, now) };
    case 'attach': {
      const attachments = [...(task.attachments ?? []), ask.attachment];
      return { entry: entryOf(ask, now, { to: ask.attachment.url }), set: { attachments } };
    }
    case 'update': {
      const { due, followUp, priority } = ask;
      const set = {
        ...(due === undefined ? {} : { due }),
        ...(followUp === undefined ? {} : { followUp }),
        ...(priority === undefined ? {} : { priority }),
      };
      return { entry: entryOf(ask, now), set };
    }
    default:
      return undefined;
  }
}
