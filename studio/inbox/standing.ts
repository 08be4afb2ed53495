/**
 * Who has a say in a task, and by what rule, told from what the API shows of it. The engine decides
 * that by itself; this is so that a screen can say it before anybody is refused.
 */
import type { ApprovalRule, Seat, Task, Vote } from '../api/shapes.ts';

export interface Person {
  readonly actor: string;
  readonly groups: readonly string[];
}

/** A seat, and what was said from it in this round. */
export interface SeatState {
  readonly seat: Seat;
  readonly vote: Vote | null;
}

export function seatStates({ seats = [], votes = [] }: Task): readonly SeatState[] {
  return seats.map((seat) => ({
    seat,
    vote: votes.find((vote) => vote.seat === seat.name && vote.group === seat.group) ?? null,
  }));
}

export interface Standing {
  /** They can end it, or have a part in that: decide, complete, resubmit. */
  readonly canAct: boolean;
  readonly canClaim: boolean;
  readonly canUnclaim: boolean;
  readonly canRecall: boolean;
  /** Why not, and who can: null if they can. */
  readonly why: string | null;
}

export function standingOf(task: Task, person: Person): Standing {
  return task.kind === 'approval' ? ofApproval(task, person) : ofTask(task, person);
}

function ofApproval(task: Task, person: Person): Standing {
  const { returned = false, submitter = null, votes = [] } = task;
  const isSubmitter = submitter !== null && submitter === person.actor;
  const rest = { canClaim: false, canUnclaim: false, canRecall: isSubmitter };
  if (returned) {
    const why = `It was sent back, and waits for ${submitter ?? 'its submitter'} to resubmit it.`;
    return { ...rest, canAct: isSubmitter, why: isSubmitter ? null : why };
  }
  const spoken = votes.find(({ actor }) => actor === person.actor);
  if (spoken !== undefined) {
    const said = spoken.decision === 'approve' ? 'approved' : 'rejected';
    const why = `As ${person.actor} you have ${said} it already; everybody has one say in a round.`;
    return { ...rest, canAct: false, why: `${why} ${stillToSpeak(task)}` };
  }
  const isSeated = seatStates(task).some(
    ({ seat, vote }) => vote === null && sits(seat.name, person),
  );
  if (isSeated) return { ...rest, canAct: true, why: null };
  return {
    ...rest,
    canAct: false,
    why: `As ${person.actor} you have no say in it. ${stillToSpeak(task)}`,
  };
}

export function stillToSpeak({ waitsFor = [], seats = [] }: Task): string {
  if (seats.length === 0) return 'Nobody has a say yet: reassign it to somebody.';
  return waitsFor.length === 0 ? '' : `Still to speak: ${waitsFor.join(', ')}.`;
}

function sits(name: string, { actor, groups }: Person): boolean {
  return name === actor || groups.includes(name);
}

function ofTask(task: Task, person: Person): Standing {
  const { assignee = null, candidates = null } = task;
  const isTheirs = assignee === person.actor;
  const isCandidate = assignee === null && isOffered(task, person);
  const who = assignee ?? candidatesText(candidates);
  const why = assignee === null ? `It is open to ${who} only.` : `It is ${assignee}’s to complete.`;
  return {
    canAct: isTheirs || isCandidate,
    canClaim: isCandidate,
    canUnclaim: isTheirs,
    canRecall: false,
    why: isTheirs || isCandidate ? null : why,
  };
}

function isOffered({ candidates = null }: Task, person: Person): boolean {
  if (candidates === null) return true;
  const { any = [], users = [], groups = [] } = candidates;
  return (
    any.some((name) => sits(name, person)) ||
    users.includes(person.actor) ||
    groups.some((name) => person.groups.includes(name))
  );
}

export function candidatesText(candidates: Task['candidates']): string {
  const { any = [], users = [], groups = [] } = candidates ?? {};
  const names = [...new Set([...any, ...users, ...groups])];
  return names.length === 0 ? 'anyone' : names.join(', ');
}

/** Whom one would have to be. Where a name may be a person's or a group's, the person is meant. */
export function stands(task: Task, person: Person): readonly Person[] {
  const named = (name: string): Person => ({ actor: name, groups: [] });
  if (task.kind === 'approval') {
    const { submitter = null, returned = false } = task;
    if (returned) return submitter === null ? [] : [named(submitter)];
    return (task.waitsFor ?? []).map(named);
  }
  const { assignee = null } = task;
  if (assignee !== null) return [named(assignee)];
  const { any = [], users = [], groups = [] } = task.candidates ?? {};
  const people = [...new Set([...any, ...users])].map(named);
  return [...people, ...groups.map((group) => ({ actor: person.actor, groups: [group] }))];
}

/** Every group that a task names, as far as it says that it is one or may be one. */
export function groupsIn({ candidates = null, seats = [] }: Task): readonly string[] {
  const { any = [], groups = [] } = candidates ?? {};
  return [...any, ...groups, ...seats.map(({ name }) => name)];
}

/** The rule as people say it: “2 of 3 must approve”. */
export function ruleText(
  { need, per, rejectCounts }: ApprovalRule,
  seats: readonly Seat[],
): string {
  const reject = rejectCounts === true ? REJECTS_COUNT : '';
  if (per === 'group') {
    const groups = new Set(seats.map(({ group }) => group)).size;
    const each = need === 'all' ? 'All' : need === 1 ? 'One' : String(need);
    return `${each} of each group must approve (${groups} groups)${reject}.`;
  }
  const total = seats.length;
  if (total <= 1) return 'One has a say.';
  if (need === 'all' || need >= total) {
    return `${total === 2 ? 'Both' : `All ${total}`} must approve${reject}.`;
  }
  if (need === 1) return `One of ${total} is enough${reject}.`;
  return `${need} of ${total} must approve${reject}.`;
}

const REJECTS_COUNT = '; a reject ends it only when too few are left to approve';
