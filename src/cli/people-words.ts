/** Work that waits for people, in words: why a token rests, and what somebody did about it. */
import type { Candidates, TaskEntry, Token } from '../index.ts';
import { shellWord } from './mending.ts';

type Wait = NonNullable<Token['wait']>;
export type Task = Extract<Wait, { on: 'task' }>['task'];

/** For whom, and to do what. */
export function taskText({ assignee, candidates, approval, title }: Task): string {
  const what = title === undefined ? 'it' : `"${title}"`;
  if (approval === undefined) {
    const who = assignee ?? candidatesText(candidates ?? null);
    return `waits for ${who} to complete ${what}`;
  }
  const { seats, votes, returned, submitter } = approval;
  if (returned === true) return `waits for ${submitter ?? 'its submitter'} to resubmit it`;
  const free = seats.filter(
    ({ name, group }) => !votes.some((vote) => vote.seat === name && vote.group === group),
  );
  const names = namesText([...new Set(free.map(({ name }) => name))], 'somebody to be named');
  return `waits for ${names} to decide ${what}`;
}

export function candidatesText(candidates: Candidates | null): string {
  const { any = [], users = [], groups = [] } = candidates ?? {};
  return namesText([...new Set([...any, ...users, ...groups])], 'anyone');
}

export function namesText(names: readonly string[], nobody: string): string {
  return names.length === 0 ? nobody : names.join(', ');
}

/** The commands by which people have a token go on. */
export function taskCommands(instance: string, token: number, task: Task): readonly string[] {
  const id = shellWord(`${instance}:${token}`);
  if (task.approval === undefined) return [`perdure complete ${id} --output JSON`];
  if (task.approval.returned === true) return [`perdure resubmit ${id} --data JSON`];
  if (task.approval.seats.length === 0) return [`perdure reassign ${id} --to NAME`];
  return [`perdure decide ${id} --approve`, `perdure decide ${id} --reject`];
}

const DID: Readonly<Record<TaskEntry['did'], string>> = {
  claim: 'claims it',
  unclaim: 'gives it back',
  comment: 'comments',
  attach: 'attaches',
  update: 'updates it',
  delegate: 'delegates it',
  reassign: 'reassigns it',
  complete: 'completes it',
  decide: 'decides',
  resubmit: 'resubmits it',
  recall: 'recalls it',
  timeout: 'its time is over',
};

const DECIDED: Readonly<Record<string, string>> = {
  approve: 'approves',
  reject: 'rejects',
  revise: 'sends it back',
};

/** Who did what with a task. */
export function entryText(entry: TaskEntry): string {
  const { by, did, from, to, decision, comment, override } = entry;
  const verb = did === 'decide' ? (DECIDED[decision ?? ''] ?? DID.decide) : DID[did];
  const action = did === 'timeout' && decision !== undefined ? `${verb}: ${decision}` : verb;
  const giver = from === undefined || from === by ? '' : ` from ${from}`;
  const taker = to === undefined ? '' : did === 'attach' ? ` ${to}` : ` to ${to}`;
  const said = comment === undefined ? '' : ` (${comment})`;
  return `${by} ${action}${giver}${taker}${override === true ? ', overriding' : ''}${said}`;
}
