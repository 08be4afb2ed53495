/**
 * The book of what waits for people, kept from the history alone and by the plainest reading of
 * what each kind promises; it shares no line with the nodes.
 *
 * - Something is open exactly while its token waits for it; what is closed takes no more.
 * - Who may do what, and what comes of it, is said before it is done, and so it comes.
 * - Nobody has a say twice in a sitting, and nobody has one who was not asked.
 * - What was said is counted here as well: what is decided goes on in the same commit, with that
 *   decision and with everything that was said, and what is not decided does not.
 * - Time that is over is acted on once a round.
 */
import type { Instance } from '../kernel/instance.ts';
import type { Change } from '../model/change.ts';
import type { TokenId } from '../model/ids.ts';
import type { ApprovalResult, Task, TaskAsk, TaskEntry } from '../model/task.ts';
import { isOffered } from './laws-asks.ts';
import { obey, obeySame } from './laws-ending.ts';
import { groupsOf } from './random-people.ts';

/** What must come of an ask. */
export type AskVerdict = 'done' | 'so already' | 'task.forbidden' | 'task.refused';

interface Chair {
  name: string;
  readonly group: string | null;
  said: { readonly by: string; readonly decision: string } | null;
}

/** A task or an approval, as those who sit at it know it. */
interface Sitting {
  readonly kind: Task['kind'];
  readonly opened: Task;
  assignee: string | null;
  owner: string | null;
  chairs: Chair[];
  need: number | 'all';
  each: boolean;
  rejectsCount: boolean;
  /** How it was before its time was over: so it is again in the next round. */
  before: Pick<Sitting, 'chairs' | 'need' | 'each' | 'rejectsCount'> | null;
  round: number;
  isBack: boolean;
  timed: Set<number>;
  entries: number;
}

type Decision = ApprovalResult['decision'];

export class PeopleBook {
  readonly #open = new Map<number, Sitting>();
  /** Decided in this commit and not gone on with yet. */
  readonly #decided = new Map<number, { as: Decision | null; by: string }>();

  /** What must come of it, if the token waits for people. */
  expect(token: number, ask: TaskAsk): AskVerdict | undefined {
    const sitting = this.#open.get(token);
    if (sitting === undefined) return undefined;
    return verdictOn(sitting, ask);
  }

  enter(changes: readonly Change[], after: Instance): void {
    for (const change of changes) this.#note(change);
    for (const [token, { by }] of this.#decided) {
      obey('decided', false, () => `token ${token} is decided by ${by} and goes on waiting`);
    }
    const waiting = after.tokens.values().filter(({ wait }) => wait?.on === 'task');
    const told = [...this.#open.keys()].sort((a, b) => a - b).join();
    obey('open tasks', told === waiting.map(({ id }) => id).join(), () => `open: ${told}`);
    for (const { id, wait } of waiting) {
      if (wait?.on === 'task') checkSame(id, this.#open.get(id) as Sitting, wait.task);
    }
  }

  #note(change: Change): void {
    switch (change.did) {
      case 'park-token':
        if (change.wait.on === 'task') this.#open.set(change.token, sittingOf(change.wait.task));
        return;
      case 'alter-task':
        return this.#alter(change);
      case 'wake-token':
        return this.#wake(change);
      case 'end-token':
        this.#open.delete(change.token);
        return;
      case 'restore':
        this.#open.clear();
        for (const { id, wait } of change.as.tokens) {
          if (wait?.on === 'task') this.#open.set(id, sittingOf(wait.task));
        }
        return;
      default:
        return;
    }
  }

  #alter({ token, entry }: Extract<Change, { did: 'alter-task' }>): void {
    const sitting = this.#open.get(token);
    const isOpen = sitting !== undefined && !this.#decided.has(token);
    obey('open tasks', isOpen, () => `${entry.did} is done with token ${token}, which is closed`);
    if (sitting === undefined) return;
    sitting.entries += 1;
    const decided = act(sitting, entry);
    if (decided !== undefined) this.#decided.set(token, { as: decided, by: entry.by });
  }

  #wake({ token, wake }: Extract<Change, { did: 'wake-token' }>): void {
    const sitting = this.#open.get(token);
    if (sitting === undefined) return;
    this.#open.delete(token);
    const { on, value } = (wake.payload ?? {}) as { on?: string; value?: unknown };
    // Somebody had it go on as if it had been done.
    if (on === 'skip') return;
    const decided = this.#decided.get(token);
    this.#decided.delete(token);
    obey('decided', decided !== undefined, () => `token ${token} goes on and is not decided`);
    if (decided === undefined || decided.as === null) return;
    const { decision, by, votes, round } = value as ApprovalResult;
    const said = votes.map((vote) => `${vote.seat} ${vote.group} ${vote.actor} ${vote.decision}`);
    const told = { decision, by, round, said: said.sort() };
    const expected = { decision: decided.as, by: decided.by, round: sitting.round };
    const heard = { ...expected, said: saidIn(sitting).sort() };
    obeySame('counted', `what came of token ${token}`, told, heard);
  }
}

function saidIn({ chairs }: Sitting): string[] {
  return chairs.flatMap(({ name, group, said }) =>
    said === null ? [] : [`${name} ${group} ${said.by} ${said.decision}`],
  );
}

type Seats = NonNullable<Task['approval']>['seats'];

function emptyChairs(seats: Seats): Chair[] {
  return seats.map(({ name, group = null }) => ({ name, group, said: null }));
}

function beforeIn(approval: Task['approval']): Sitting['before'] {
  if (approval?.before === undefined) return null;
  const { seats, rule } = approval.before;
  const { need, per, rejectCounts } = rule;
  const rejectsCount = rejectCounts === true;
  return { chairs: emptyChairs(seats), need, each: per === 'group', rejectsCount };
}

function sittingOf(task: Task): Sitting {
  const { kind, assignee = null, owner = null, approval, trail } = task;
  const votes = approval?.votes ?? [];
  const chairs = (approval?.seats ?? []).map(({ name, group = null }): Chair => {
    const vote = votes.find((one) => one.seat === name && (one.group ?? null) === group);
    const said = vote === undefined ? null : { by: vote.actor, decision: vote.decision };
    return { name, group, said };
  });
  return {
    ...{ kind, opened: task, assignee, owner, chairs },
    need: approval?.rule.need ?? 1,
    each: approval?.rule.per === 'group',
    rejectsCount: approval?.rule.rejectCounts === true,
    before: beforeIn(approval),
    round: approval?.round ?? 1,
    isBack: approval?.returned === true,
    timed: new Set(approval?.timedOut === true ? [approval.round] : []),
    entries: trail.length,
  };
}

/** Does it here as well. What it is decided as; null if it is completed, undefined if neither. */
function act(sitting: Sitting, entry: TaskEntry): Decision | null | undefined {
  const { by, did, to = '' } = entry;
  const { approval } = sitting.opened;
  switch (did) {
    case 'claim':
      sitting.assignee = by;
      return undefined;
    case 'unclaim':
      sitting.assignee = sitting.owner;
      sitting.owner = null;
      return undefined;
    case 'delegate':
    case 'reassign':
      if (sitting.kind === 'approval') return void handOver(sitting, entry);
      // It comes back to the first who passed it on, unless that is who has it now.
      sitting.owner = did === 'delegate' ? (sitting.owner ?? sitting.assignee) : null;
      if (sitting.owner === to) sitting.owner = null;
      sitting.assignee = to;
      return undefined;
    case 'complete':
      return null;
    case 'decide':
      return decide(sitting, entry);
    case 'recall':
      return 'recall';
    case 'resubmit':
      sitting.isBack = false;
      sitting.round += 1;
      if (sitting.before !== null) Object.assign(sitting, sitting.before, { before: null });
      for (const chair of sitting.chairs) chair.said = null;
      return undefined;
    case 'timeout':
      return timeOut(sitting, approval?.onTimeout);
    default:
      return undefined;
  }
}

function handOver({ chairs }: Sitting, { to = '', from }: TaskEntry): void {
  if (chairs.length === 0) chairs.push({ name: to, group: null, said: null });
  const free = chairs.filter(({ said }) => said === null);
  for (const chair of free) if (from === undefined || chair.name === from) chair.name = to;
}

function decide(sitting: Sitting, { by, decision, override }: TaskEntry): Decision | undefined {
  const isOver = override === true;
  if (decision === 'revise') {
    const last = sitting.round > (sitting.opened.approval?.revisionsMax ?? 0);
    if (last) return 'reject';
    sitting.isBack = true;
    return undefined;
  }
  if (isOver) return decision as Decision;
  obey('one say', !hasSpoken(sitting, by), () => `${by} has a say for a second time`);
  const theirs = chairsOf(sitting, by);
  obey('one say', theirs.length > 0, () => `${by} has a say and was not asked`);
  for (const chair of theirs) chair.said = { by, decision: decision ?? '' };
  return countOf(sitting);
}

function hasSpoken({ chairs }: Sitting, person: string): boolean {
  return chairs.some(({ said }) => said?.by === person);
}

/** Their own chairs, or else one of a group of theirs, that nobody has spoken from. */
function chairsOf({ chairs }: Sitting, person: string): readonly Chair[] {
  const free = chairs.filter(({ said }) => said === null);
  const own = free.filter(({ name }) => name === person);
  const shared = free.filter(({ name }) => groupsOf(person).includes(name)).slice(0, 1);
  return own.length > 0 ? own : shared;
}

/** Names are counted: where groups do not matter, one name is one say. */
function countOf({ chairs, need, each, rejectsCount }: Sitting): 'approve' | 'reject' | undefined {
  const says = (chair: Chair, decision: string): boolean => chair.said?.decision === decision;
  if (!rejectsCount && chairs.some((chair) => says(chair, 'reject'))) return 'reject';
  const groups = each ? [...new Set(chairs.map(({ group }) => group))] : [undefined];
  const counts = groups.map((group) => {
    const here = chairs.filter((chair) => group === undefined || chair.group === group);
    const names = [...new Set(here.map(({ name }) => name))];
    // Where a name has two chairs and two speak from them, the first counts.
    const first = names.map((name) => here.find((one) => one.name === name && one.said !== null));
    const yes = first.filter((chair) => chair !== undefined && says(chair, 'approve')).length;
    const silent = first.filter((chair) => chair === undefined).length;
    const enough = need === 'all' ? names.length : Math.min(need, names.length);
    return { isWon: yes >= enough, isLost: yes + silent < enough };
  });
  if (counts.some(({ isLost }) => isLost)) return 'reject';
  return counts.every(({ isWon }) => isWon) ? 'approve' : undefined;
}

type OnTimeout = NonNullable<Task['approval']>['onTimeout'];

function timeOut(sitting: Sitting, on: OnTimeout | undefined): Decision | undefined {
  const { round, timed } = sitting;
  obey('timed out', !timed.has(round), () => `time is over for a second time in round ${round}`);
  timed.add(round);
  if (on === undefined || on.do === 'notify' || on.do === 'note') return undefined;
  if (!('to' in on)) return on.do;
  const { chairs, need, each, rejectsCount } = sitting;
  sitting.before = { chairs, need, each, rejectsCount };
  sitting.chairs = emptyChairs(on.to);
  if (on.do === 'reassign') return undefined;
  Object.assign(sitting, { need: 1, each: false, rejectsCount: false });
  return undefined;
}

function checkSame(token: TokenId, sitting: Sitting, task: Task): void {
  const { assignee, owner, round, isBack, entries } = sitting;
  const chairs = sitting.chairs.map(({ name, group }) => `${name} ${group}`);
  const book = { assignee, owner, round, isBack, entries, chairs, said: saidIn(sitting).sort() };
  const votes = task.approval?.votes ?? [];
  const said = votes.map((vote) => {
    return `${vote.seat} ${vote.group ?? null} ${vote.actor} ${vote.decision}`;
  });
  const seats = task.approval?.seats ?? [];
  const state = {
    ...{ assignee: task.assignee ?? null, owner: task.owner ?? null },
    ...{ round: task.approval?.round ?? 1, isBack: task.approval?.returned === true },
    entries: task.trail.length,
    chairs: seats.map(({ name, group = null }) => `${name} ${group}`),
    said: said.sort(),
  };
  obeySame('open tasks', `the task of token ${token}`, state, book);
}

/** By the plainest reading of the pages about it. */
function verdictOn(sitting: Sitting, ask: TaskAsk): AskVerdict {
  if (ask.do === 'comment' || ask.do === 'attach' || ask.do === 'update') return 'done';
  return sitting.kind === 'task' ? onTask(sitting, ask) : onApproval(sitting, ask);
}

function onTask({ assignee, opened }: Sitting, ask: TaskAsk): AskVerdict {
  const { by, override } = ask;
  const isTheirs = assignee === by || override === true;
  const mayTake = override === true || isOffered(opened.candidates, by);
  const who = (may: boolean): AskVerdict => (may ? 'done' : 'task.forbidden');
  switch (ask.do) {
    case 'claim':
      if (assignee === by) return 'so already';
      return assignee === null ? who(mayTake) : 'task.refused';
    case 'unclaim':
      return assignee === null ? 'so already' : who(isTheirs);
    case 'delegate':
      if (assignee === null) return 'task.refused';
      return isTheirs && assignee === ask.to ? 'so already' : who(isTheirs);
    case 'reassign':
      if (ask.from !== undefined && ask.from !== assignee) return 'task.refused';
      return assignee === ask.to ? 'so already' : 'done';
    case 'complete':
      return who(assignee === null ? mayTake : isTheirs);
    default:
      return 'task.refused';
  }
}

function onApproval(sitting: Sitting, ask: TaskAsk): AskVerdict {
  const { chairs, isBack, opened } = sitting;
  const { by, override } = ask;
  const { submitter, revisionsMax = 0 } = opened.approval ?? {};
  const submits = override === true || submitter === by;
  switch (ask.do) {
    case 'decide': {
      if (override === true && ask.decision !== 'revise') return 'done';
      if (isBack) return 'task.refused';
      const spoke = hasSpoken(sitting, by);
      const may = override === true || (!spoke && chairsOf(sitting, by).length > 0);
      if (!may) return spoke ? 'task.refused' : 'task.forbidden';
      if (ask.decision !== 'revise') return 'done';
      return submitter === undefined || revisionsMax === 0 ? 'task.refused' : 'done';
    }
    case 'resubmit':
      if (!isBack) return 'task.refused';
      return submits ? 'done' : 'task.forbidden';
    case 'recall':
      return submits ? 'done' : 'task.forbidden';
    case 'delegate':
    case 'reassign': {
      const from = ask.do === 'delegate' ? by : ask.from;
      const has = chairs.some(({ name, said }) => name === ask.to || said?.by === ask.to);
      if (has) return 'task.refused';
      if (chairs.length === 0 && ask.do === 'reassign') return 'done';
      const free = chairs.filter(({ said }) => said === null);
      const isMeant =
        from === undefined ? free.length === 1 : free.some((one) => one.name === from);
      if (isMeant) return 'done';
      return ask.do === 'delegate' ? 'task.forbidden' : 'task.refused';
    }
    default:
      return 'task.refused';
  }
}
