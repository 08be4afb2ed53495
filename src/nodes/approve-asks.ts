/** What people can ask of an approval, and what comes of it. */
import type { Json } from '../base/json.ts';
import type { Answered } from '../kernel/kind.ts';
import type { InstanceId, Instant, NodeId, TokenId } from '../model/ids.ts';
import type { Letter } from '../model/letter.ts';
import {
  type Approval,
  type ApprovalResult,
  type ApprovalRule,
  freeSeats,
  type Seat,
  type Task,
  type TaskAsk,
  type TaskEntry,
  type Vote,
} from '../model/task.ts';
import { entryOf, forbidden, refused } from './task-asks.ts';
import { tally } from './votes.ts';

/** Which approval it is, for those outside who are told of it. */
export interface About {
  readonly node: NodeId;
  readonly token: TokenId;
  readonly instance: InstanceId;
  readonly key: string | null;
}

type Asking<Do extends TaskAsk['do']> = TaskAsk & { readonly do: Do };

export function answerApproval(task: Task, ask: TaskAsk, now: Instant, about: About): Answered {
  const approval = task.approval as Approval;
  switch (ask.do) {
    case 'decide':
      return decide(approval, ask, now);
    case 'delegate':
    case 'reassign':
      return handOver(approval, ask, now);
    case 'resubmit':
      return resubmit(approval, ask, now);
    case 'recall':
      if (!isSubmitter(approval, ask)) return forbidden(notTheirs(approval, 'recall'));
      return final(approval, 'recall', entryOf(ask, now, { round: approval.round }));
    case 'timeout':
      return timeOut(task, approval, ask, now, about);
    default:
      return refused(`it is an approval, to be decided: there is nothing to ${ask.do}`);
  }
}

function decide(approval: Approval, ask: Asking<'decide'>, now: Instant): Answered {
  const { decision, by } = ask;
  const { round, returned } = approval;
  const entry = entryOf(ask, now, { round });
  if (ask.round !== undefined && ask.round !== round) {
    return refused(`it is in round ${round} and not in round ${ask.round}: look at it again`);
  }
  if (ask.override === true && decision !== 'revise') return final(approval, decision, entry);
  if (returned === true) return refused(`it was sent back: ${waiting(approval)}`);
  const mine = seatsOf(approval, ask);
  if (mine.length === 0 && ask.override !== true) {
    const spoken = approval.votes.find(({ actor }) => actor === by);
    if (spoken !== undefined) {
      return refused(`${by} has ${SPOKEN[spoken.decision]} it already, and has one say in a round`);
    }
    return forbidden(`${by} has no say in it; ${waiting(approval)}`);
  }
  if (decision === 'revise') return sendBack(approval, entry);
  const comment = ask.comment === undefined ? {} : { comment: ask.comment };
  const votes = mine.map((seat): Vote => {
    const group = seat.group === undefined ? {} : { group: seat.group };
    return { seat: seat.name, ...group, actor: by, decision, at: now, ...comment };
  });
  const after = { ...approval, votes: [...approval.votes, ...votes] };
  const decided = tally(after);
  return decided === null ? { entry, set: { approval: after } } : final(after, decided, entry);
}

const SPOKEN = { approve: 'approved', reject: 'rejected' } as const;

function waiting(approval: Approval): string {
  const { seats, returned, submitter } = approval;
  if (returned === true) return `it waits for ${submitter ?? 'its submitter'} to resubmit it`;
  if (seats.length === 0) return 'nobody has: reassign it to somebody';
  return `it waits for ${namesOf(freeSeats(approval))}`;
}

/** Seats of their own name, wherever they are; else one of a group of theirs. One say each. */
function seatsOf(approval: Approval, { by, groups }: TaskAsk): readonly Seat[] {
  if (approval.votes.some(({ actor }) => actor === by)) return [];
  const free = freeSeats(approval);
  const own = free.filter(({ name }) => name === by);
  if (own.length > 0) return own;
  const shared = free.find(({ name }) => groups.includes(name));
  return shared === undefined ? [] : [shared];
}

/** Past the last revision there is nothing left but no. */
function sendBack(approval: Approval, entry: TaskEntry): Answered {
  const { submitter, revisionsMax, round } = approval;
  if (submitter === undefined) return refused('it has no submitter to whom it could be sent back');
  if (revisionsMax === 0) return refused('it is not to be sent back: approve or reject it');
  if (round > revisionsMax) return final(approval, 'reject', entry);
  return { entry, set: { approval: { ...approval, returned: true } }, wakeAt: null };
}

function resubmit(approval: Approval, ask: Asking<'resubmit'>, now: Instant): Answered {
  const { returned, timedOut: _, before, ...rest } = approval;
  if (returned !== true) return refused(`it was not sent back: ${waiting(approval)}`);
  if (!isSubmitter(approval, ask)) return forbidden(notTheirs(approval, 'resubmit'));
  const round = approval.round + 1;
  const after: Approval = { ...rest, ...before, round, votes: [], submission: ask.data };
  const { timeoutMs } = approval;
  const wakeAt = timeoutMs === undefined ? null : ((now + timeoutMs) as Instant);
  return { entry: entryOf(ask, now, { round }), set: { approval: after }, wakeAt };
}

function isSubmitter({ submitter }: Approval, { by, override }: TaskAsk): boolean {
  return override === true || (submitter !== undefined && submitter === by);
}

function notTheirs({ submitter }: Approval, verb: string): string {
  const who = submitter === undefined ? 'it has no submitter' : `it is ${submitter}'s`;
  return `${who}: only whoever asked for it may ${verb} it`;
}

/** Delegated by who has a say; reassigned by whoever runs the place. What was said stays said. */
function handOver(
  approval: Approval,
  ask: Asking<'delegate' | 'reassign'>,
  now: Instant,
): Answered {
  const { seats } = approval;
  const from = ask.do === 'delegate' ? ask.by : (ask as Asking<'reassign'>).from;
  const { to } = ask;
  if (seats.some(({ name }) => name === to)) return refused(`${to} has a say in it already`);
  if (approval.votes.some(({ actor }) => actor === to)) return refused(`${to} has had a say in it`);
  if (seats.length === 0 && ask.do === 'reassign') {
    return { entry: entryOf(ask, now), set: { approval: { ...approval, seats: [{ name: to }] } } };
  }
  const free = freeSeats(approval);
  const given = from === undefined && free.length === 1 ? free : free.filter(isNamed(from));
  const [first] = given;
  if (first === undefined) {
    const who = from === undefined ? `say from whom: ${namesOf(free)}` : `${from} has no say left`;
    return ask.do === 'delegate' ? forbidden(who) : refused(who);
  }
  const after = seats.map((seat) =>
    given.includes(seat) ? { ...seat, name: to, for: seat.for ?? seat.name } : seat,
  );
  const entry = entryOf(ask, now, { from: first.name });
  return { entry, set: { approval: { ...approval, seats: after } } };
}

function isNamed(from: string | undefined): (seat: Seat) => boolean {
  return ({ name }) => name === from;
}

/** Once: whoever has to be told twice is told by other means. */
function timeOut(
  { title }: Task,
  approval: Approval,
  ask: TaskAsk,
  now: Instant,
  about: About,
): Answered {
  const { onTimeout, round } = approval;
  const decision = onTimeout.do;
  const entry = entryOf(ask, now, { decision, round });
  switch (onTimeout.do) {
    case 'approve':
    case 'reject':
      return final(approval, onTimeout.do, entry);
    case 'note':
    case 'notify': {
      const letters = onTimeout.do === 'notify' ? [overdue(approval, title, about)] : [];
      return { entry, set: { approval: { ...approval, timedOut: true } }, wakeAt: null, letters };
    }
    default: {
      const { do: verb, to: seats } = onTimeout;
      const { seats: had, rule: was } = approval;
      const rule = verb === 'escalate' ? ESCALATED : was;
      const before = { seats: had, rule: was };
      const after: Approval = { ...approval, seats, rule, votes: [], timedOut: true, before };
      const to = namesOf(seats);
      return { entry: { ...entry, to }, set: { approval: after }, wakeAt: null };
    }
  }
}

/** Whoever it goes up to: one of them is enough. */
export const ESCALATED: ApprovalRule = { need: 1, per: 'all' };

function overdue(
  approval: Approval,
  title: string | undefined,
  { key, ...about }: About,
): Omit<Letter, 'id'> {
  const waitsFor = freeSeats(approval).map(({ name }) => name);
  const data = { ...about, key, title: title ?? null, round: approval.round, waitsFor };
  return { type: 'task.overdue', key, data };
}

function namesOf(seats: readonly Seat[]): string {
  return seats.length === 0 ? 'nobody' : seats.map(({ name }) => name).join(', ');
}

function final(
  approval: Approval,
  decision: ApprovalResult['decision'],
  entry: TaskEntry,
): Answered {
  const result = resultOf(decision, entry, approval);
  return { entry, set: { approval }, wakeAt: null, done: result as unknown as Json };
}

export function resultOf(
  decision: ApprovalResult['decision'],
  { by, at, comment = null }: { by: string; at: Instant; comment?: string | null },
  { votes, round, submission = null }: Pick<Approval, 'votes' | 'round' | 'submission'>,
): ApprovalResult {
  return {
    decision,
    by,
    at,
    comment,
    votes: votes.map((vote) => ({
      actor: vote.actor,
      decision: vote.decision,
      at: vote.at,
      seat: vote.seat,
      group: vote.group ?? null,
      comment: vote.comment ?? null,
    })),
    round,
    submission,
  };
}
