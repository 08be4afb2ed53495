/**
 * What people do with what waits for them.
 *
 * What they come to depends on the node and on the passes around it, as every answer does; by whom,
 * and in how many steps, depends on who has a say by then. And they do whatever comes to mind, be
 * it theirs to do or not: that may be wrong, come twice, or decide nothing.
 */
import type { Json } from '../base/json.ts';
import type { Instant } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Approval, Asker, Candidates, Seat, Task, TaskAsk } from '../model/task.ts';
import { luck, lucky } from './random-luck.ts';
import { groupsOf, PEOPLE, STRANGER } from './random-people.ts';

/** Which visit of which node it is about. */
export interface About {
  readonly node: string;
  readonly path: string;
  readonly seed: number;
}

/** What an approval comes to, if nobody else has a word in it. */
export interface Intent {
  /** Its first time is let run out. */
  readonly timesOut: boolean;
  /** So often it is sent back, if it can be. */
  readonly revises: number;
  readonly decision: 'approve' | 'reject' | 'recall';
}

export function intentOf({ node, path, seed }: About): Intent {
  return {
    timesOut: luck(4, seed, 'lets time pass', node, path) === 0,
    revises: lucky([0, 0, 0, 1, 2], seed, 'revises', node, path),
    decision: lucky(DECISIONS, seed, 'decides', node, path),
  };
}

const DECISIONS = ['approve', 'approve', 'approve', 'reject', 'recall'] as const;

/** What is done next to bring it to its end; null if its time is let run out. */
export function nextAsk({ wait, wakeAt }: Token, about: About): TaskAsk | null {
  if (wait?.on !== 'task') throw new Error('nobody is asked');
  const { task } = wait;
  const { approval } = task;
  if (approval === undefined) return completion(task, about);
  const { timesOut, revises, decision } = intentOf(about);
  const { returned, round, revisionsMax, submitter, timedOut, seats } = approval;
  if (timesOut && wakeAt !== null && round === 1 && timedOut === undefined) return null;
  const submits = submitter === undefined ? ROOT : as(submitter);
  const data = outputOf(about);
  if (returned === true) return { do: 'resubmit', ...submits, data };
  if (seats.length === 0) return { do: 'reassign', ...ROOT, to: 'ann' };
  const speaks = speakerFor(approval);
  if (submitter !== undefined && revisionsMax > 0 && round <= revises) {
    return { do: 'decide', decision: 'revise', ...speaks };
  }
  if (decision === 'recall') return { do: 'recall', ...submits };
  return { do: 'decide', decision, ...speaks };
}

/** Whoever runs the place. */
const ROOT: Asker = { by: 'root', groups: [], override: true };

function as(by: string): Asker {
  return { by, groups: groupsOf(by) };
}

/** What somebody hands in. */
export function outputOf({ node, path, seed }: About): Json {
  return lucky<Json>([null, 'seen', { ok: true }, [1]], seed, 'hands in', node, path);
}

function completion({ assignee, candidates }: Task, about: About): TaskAsk {
  const output = outputOf(about);
  const may = PEOPLE.find((person) => isOffered(candidates, person));
  const who = assignee ?? may;
  return { do: 'complete', ...(who === undefined ? ROOT : as(who)), output };
}

/** To whom it is open, if it is nobody's. */
export function isOffered(candidates: Candidates | undefined, person: string): boolean {
  const { any = [], users = [], groups = [] } = candidates ?? {};
  const all = [...any, ...users, ...groups];
  const belongs = groupsOf(person).some((group) => [...any, ...groups].includes(group));
  return all.length === 0 || [...any, ...users].includes(person) || belongs;
}

/** Somebody who has a say and has not used it; else whoever runs the place. */
function speakerFor({ seats, votes }: Approval): Asker {
  const isFree = (seat: Seat): boolean =>
    !votes.some((vote) => vote.seat === seat.name && vote.group === seat.group);
  const free = new Set(seats.filter(isFree).map(({ name }) => name));
  const silent = PEOPLE.filter((person) => !votes.some(({ actor }) => actor === person));
  const who = silent.find((person) => [person, ...groupsOf(person)].some((name) => free.has(name)));
  return who === undefined ? ROOT : as(who);
}

const VERBS: readonly TaskAsk['do'][] = [
  ...(['decide', 'decide', 'decide', 'decide', 'complete', 'claim', 'claim', 'unclaim'] as const),
  ...(['delegate', 'reassign', 'resubmit', 'recall', 'comment', 'attach', 'update'] as const),
];

/** Whatever comes to mind, to somebody; some say again what they have said. */
export function anyAsk(
  token: Token | undefined,
  seed: number,
  turn: number,
  now: Instant,
): TaskAsk {
  const pick = <Item>(items: readonly Item[], word: string): Item => lucky(items, seed, word, turn);
  const votes = token?.wait?.on === 'task' ? (token.wait.task.approval?.votes ?? []) : [];
  const by = pick([...PEOPLE, ...PEOPLE, STRANGER, ...votes.map(({ actor }) => actor)], 'who');
  const override = luck(8, seed, 'override', turn) === 0 ? { override: true as const } : {};
  const comment = luck(3, seed, 'comment', turn) === 0 ? { comment: `so says ${by}` } : {};
  const asker: Asker = { by, groups: groupsOf(by), ...override, ...comment };
  const verb = pick(VERBS, 'verb');
  const to = pick([...PEOPLE, STRANGER], 'to whom');
  switch (verb) {
    case 'decide': {
      const decision = pick(['approve', 'approve', 'reject', 'revise'] as const, 'decision');
      return { do: verb, ...asker, decision };
    }
    case 'delegate':
      return { do: verb, ...asker, to };
    case 'reassign': {
      const from = pick([null, ...PEOPLE, 'legal'], 'from whom');
      return { do: verb, ...asker, to, ...(from === null ? {} : { from }) };
    }
    case 'attach':
      return { do: verb, ...asker, attachment: { name: 'a', url: `https://a.example/${turn}` } };
    case 'update':
      return { do: verb, ...asker, due: (now + 5) as Instant, priority: turn };
    case 'complete':
      return { do: verb, ...asker, output: { by, turn } };
    case 'resubmit':
      return { do: verb, ...asker, data: turn };
    case 'timeout':
      throw new Error('time is nobody');
    default:
      return { do: verb, ...asker };
  }
}
