/**
 * Approve: asks several people whether something may be done, and goes on with what they said.
 *
 * One token waits for all of them. Who has a say is fixed when it opens; each person has one, and
 * the rule says how many it takes (`votes.ts`). The vote that decides and the token that goes on are
 * one commit, so nothing is ever decided and not gone on with. It may be sent back to whoever asked
 * for it, so many times, and then begins another round; it may be recalled; and when its time is
 * over, that is acted on once.
 *
 * BPMN userTask with multi-instance loop characteristics · builder .approve()
 */
import { assert } from '../base/assert.ts';
import type { JsonObject } from '../base/json.ts';
import { no, ok } from '../base/result.ts';
import type { Move, NodeKind, Place, View } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { Instant } from '../model/ids.ts';
import type {
  Approval,
  ApprovalResult,
  ApprovalRule,
  Seat,
  Task,
  TimeoutAction,
} from '../model/task.ts';
import { answerApproval, resultOf } from './approve-asks.ts';
import { problem, takeWith } from './settings.ts';
import { askAny } from './task-asks.ts';
import {
  baseOf,
  COMMON,
  compileGiven,
  type Given,
  isObject,
  opening,
  readName,
  type Readers,
  readSeats,
  readTimeout,
} from './task-settings.ts';

type Approve = Given & {
  readonly rule: ApprovalRule;
  readonly onEmpty: 'wait' | 'fail' | 'approve';
  readonly onTimeout: TimeoutAction;
  readonly onReject: 'continue' | 'fail';
  readonly revisions: number;
};
type Here = Place<Approve & JsonObject>;

const READERS: Readers = {
  ...COMMON,
  approvers: readSeats,
  submitter: readName,
  timeout: readTimeout,
};

/** How often it may be sent back, if nothing else is said. */
const REVISIONS = 3;

export const approve: NodeKind<Approve & JsonObject> = {
  kind: 'approve',

  compile(draft) {
    const problems: Diagnostic[] = [];
    const given = compileGiven(draft, READERS, problems);
    const config = {
      ...given,
      rule: readRule(draft, problems),
      onEmpty: readOne(draft, 'onEmpty', ['wait', 'fail', 'approve'], problems),
      onTimeout: readTimeoutAction(draft, problems),
      onReject: readOne(draft, 'onReject', ['continue', 'fail'], problems),
      revisions: readRevisions(draft, problems),
    };
    if (problems.length > 0) return no(problems);
    return ok({ config: config as unknown as Approve & JsonObject, code: given.asks });
  },

  enter(place, view) {
    return opening(place, view, READERS, (parts) => open(place, view, parts));
  },

  ask({ node, token }, view, asked) {
    assert(token.wait?.on === 'task', 'an approval waits for people');
    const { task } = token.wait;
    const common = askAny(task, asked, view.now);
    if (common !== undefined) return common;
    const about = { node: node.id, token: token.id, instance: view.instance, key: view.key };
    return answerApproval(task, asked, view.now, about);
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'task', 'an approval only waits for people');
    const result = signal.value as unknown as ApprovalResult;
    const fails = node.config.onReject === 'fail' && result.decision !== 'approve';
    if (!fails) return takeWith(node, signal.value);
    const message = `"${node.id}" was ${WORDS[result.decision]} by ${result.by}`;
    const details = { result: signal.value };
    return { move: 'fault', fault: { code: 'approval.rejected', message, details, fatal: true } };
  },

  skip({ node }, _view, value) {
    return takeWith(node, value);
  },
};

function open(place: Here, view: View, parts: Readonly<Record<string, unknown>>): Move {
  const { approvers = [], submitter, timeout } = parts;
  const seats = approvers as readonly Seat[];
  const settled = seats.length === 0 ? settleEmpty(place, view) : null;
  if (settled !== null) return settled;
  const { rule, onTimeout, revisions } = place.node.config;
  const timeoutMs = timeout as number | undefined;
  const approval: Approval = {
    seats,
    rule,
    votes: [],
    round: 1,
    revisionsMax: revisions,
    onTimeout,
    ...(submitter === undefined ? {} : { submitter: submitter as string }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  const task: Task = { kind: 'approval', ...baseOf(parts), approval, trail: [] };
  const wait = { on: 'task', task } as const;
  if (timeoutMs === undefined) return { move: 'park', wait };
  return { move: 'park', wait, wakeAt: (view.now + timeoutMs) as Instant };
}

const WORDS = { approve: 'approved', reject: 'rejected', recall: 'recalled' } as const;

/** Nobody has a say. Null: it stays open, until somebody is named who has. */
function settleEmpty({ node }: Here, view: View): Move | null {
  switch (node.config.onEmpty) {
    case 'fail': {
      const message = `"${node.id}" has no approvers`;
      return { move: 'fault', fault: { code: 'approval.no-approvers', message } };
    }
    case 'approve': {
      const by = { by: 'system:no-approvers', at: view.now };
      const value = resultOf('approve', by, { votes: [], round: 1 });
      return takeWith(node, value);
    }
    default:
      return null;
  }
}

function readRule(draft: DraftNode, problems: Diagnostic[]): ApprovalRule {
  const { rule = 'first' } = draft.settings;
  if (rule === 'first') return { need: 1, per: 'all' };
  if (rule === 'unanimous') return { need: 'all', per: 'all' };
  const { atLeast, perGroup, reject = 'ends', ...more } = isObject(rule) ? rule : {};
  const need = atLeast ?? (perGroup === true ? 1 : perGroup);
  const isOne = (atLeast === undefined) !== (perGroup === undefined);
  const isCount = need === 'all' || (Number.isSafeInteger(need) && (need as number) >= 1);
  const isKnown = Object.keys(more).length === 0 && (reject === 'ends' || reject === 'counts');
  if (!isObject(rule) || !isOne || !isCount || !isKnown) {
    const rules = `'first', 'unanimous', { atLeast: n } or { perGroup: n }`;
    const message = `the rule of "${draft.id}" is ${rules}, and a reject 'ends' or 'counts'`;
    problems.push(problem(draft, 'bad-rule', message));
  }
  const per = atLeast === undefined ? 'group' : 'all';
  const counted = reject === 'counts' ? { rejectCounts: true as const } : {};
  return { need: need as ApprovalRule['need'], per, ...counted };
}

function readTimeoutAction(draft: DraftNode, problems: Diagnostic[]): TimeoutAction {
  const { onTimeout = 'notify' } = draft.settings;
  if (onTimeout === 'notify' || onTimeout === 'approve' || onTimeout === 'reject') {
    return { do: onTimeout };
  }
  const [[verb, to] = [], ...more] = isObject(onTimeout) ? Object.entries(onTimeout) : [];
  const seats = to === undefined ? undefined : readSeats(to);
  const isVerb = verb === 'reassign' || verb === 'escalate';
  if (isVerb && more.length === 0 && seats?.ok === true && seats.value.length > 0) {
    return { do: verb, to: seats.value };
  }
  const ways = `'notify', 'approve', 'reject', { reassign: [names] } or { escalate: [names] }`;
  problems.push(problem(draft, 'bad-onTimeout', `onTimeout of "${draft.id}" is ${ways}`));
  return { do: 'notify' };
}

/** The first of them is the usual one. */
function readOne(
  draft: DraftNode,
  name: string,
  ways: readonly string[],
  problems: Diagnostic[],
): string {
  const way = draft.settings[name] ?? ways[0];
  if (ways.includes(way as string)) return way as string;
  const message = `${name} of "${draft.id}" is one of ${ways.join(', ')}`;
  problems.push(problem(draft, `bad-${name}`, message));
  return ways[0] as string;
}

function readRevisions(draft: DraftNode, problems: Diagnostic[]): number {
  const { revisions = REVISIONS } = draft.settings;
  if (Number.isSafeInteger(revisions) && (revisions as number) >= 0) return revisions as number;
  const message = `the revisions of "${draft.id}" are a whole number, 0 for none`;
  problems.push(problem(draft, 'bad-revisions', message));
  return REVISIONS;
}
