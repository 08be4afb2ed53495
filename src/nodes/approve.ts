/**
 * Approve: asks several people whether something may be done, and goes on with what they said.
 *
 * One token waits for all of them. Who has a say is fixed when it opens; each person has one, and
 * the rule says how many it takes (`votes.ts`). The vote that decides and the token that goes on
 * are one commit, so nothing is ever decided and not gone on with. It may be sent back to whoever
 * asked for it, so many times, and then begins another round; it may be recalled; and when its time
 * is over, that is acted on once in a round.
 *
 * BPMN userTask with multi-instance loop characteristics · builder .approve()
 */
import { assert } from '../base/assert.ts';
import type { JsonObject } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Move, NodeKind, Place, View } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { Instant } from '../model/ids.ts';
import {
  type Approval,
  type ApprovalResult,
  type ApprovalRule,
  NOBODY,
  type Seat,
  type TimeoutAction,
} from '../model/task.ts';
import {
  APPROVAL_PARTS,
  APPROVAL_WAYS,
  type ApprovalWays,
  badPart,
  type Slate,
} from '../model/task-parts.ts';
import { answerApproval, ESCALATED, resultOf } from './approve-asks.ts';
import { problem, takeWith } from './settings.ts';
import { askAny } from './task-asks.ts';
import { COMMON, compileGiven, type Given, opening, partsOf } from './task-settings.ts';

type Approve = Given & ApprovalWays;
type Here = Place<Approve & JsonObject>;

/** What is so if nothing else is said. */
const USUAL = {
  rule: 'first',
  onEmpty: 'wait',
  onTimeout: 'note',
  onReject: 'continue',
  revisions: 3,
} as const;

export const approve: NodeKind<Approve & JsonObject> = {
  kind: 'approve',

  compile(draft) {
    const problems: Diagnostic[] = [];
    const given = compileGiven(draft, APPROVAL_PARTS, problems);
    const ways = readWays(draft, problems);
    if (ways === undefined) return no(problems);
    const config = { ...given, ...ways };
    return ok({ config: config as unknown as Approve & JsonObject, code: given.asks });
  },

  enter(place, view) {
    return opening(place, view, APPROVAL_PARTS, (parts) => open(place, view, parts));
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
  const { approvers = VACANT, submitter, timeout } = parts;
  const { rule, onTimeout, revisions } = place.node.config;
  const seats = seatsFor(place, view, approvers as Slate);
  if ('move' in seats) return seats;
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
  const task = { kind: 'approval', ...partsOf(parts, COMMON), approval, trail: [] } as const;
  const wait = { on: 'task', task } as const;
  if (timeoutMs === undefined) return { move: 'park', wait };
  return { move: 'park', wait, wakeAt: (view.now + timeoutMs) as Instant };
}

const VACANT: Slate = { seats: [], vacant: [] };

const WORDS = { approve: 'approved', reject: 'rejected', recall: 'recalled' } as const;

/**
 * Who has a say, or what comes of it that nobody has: in all, or in a group that must agree. While
 * such a group is waited for, its seat has its own name: anyone of it may take it.
 */
function seatsFor({ node }: Here, view: View, { seats, vacant }: Slate): readonly Seat[] | Move {
  const { rule, onEmpty } = node.config;
  const lacking = rule.per === 'group' ? vacant : [];
  if (seats.length > 0 && lacking.length === 0) return onePerName(rule, seats);
  if (onEmpty === 'fail') {
    const where = lacking.length === 0 ? '' : ` in ${lacking.join(', ')}`;
    const message = `"${node.id}" has no approvers${where}`;
    return { move: 'fault', fault: { code: 'approval.no-approvers', message } };
  }
  if (onEmpty === 'wait') return [...seats, ...lacking.map((name) => ({ name, group: name }))];
  if (seats.length > 0) return seats;
  const by = { by: NOBODY.alone, at: view.now };
  return takeWith(node, resultOf('approve', by, { votes: [], round: 1 }));
}

/** Where groups do not count, whoever is in two of them has one say all the same. */
function onePerName({ per }: ApprovalRule, seats: readonly Seat[]): readonly Seat[] {
  if (per === 'group') return seats;
  return seats.filter(({ name }, at) => seats.findIndex((seat) => seat.name === name) === at);
}

/** Undefined if something is wrong with them. */
function readWays(draft: DraftNode, problems: Diagnostic[]): ApprovalWays | undefined {
  const read: Record<string, unknown> = {};
  for (const [name, usual] of Object.entries(USUAL)) {
    const value = draft.settings[name] ?? usual;
    const way: Result<unknown, string> = APPROVAL_WAYS[name as keyof ApprovalWays](value);
    if (way.ok) read[name] = way.value;
    else {
      const message = badPart(draft.id, name, way.problem, value);
      problems.push(problem(draft, `bad-${name}`, message));
    }
  }
  if (problems.length > 0) return undefined;
  const { rule, onTimeout, ...more } = read as unknown as ApprovalWays;
  return { rule, onTimeout: rulesApplied(rule, onTimeout), ...more };
}

function rulesApplied(rule: ApprovalRule, action: TimeoutAction): TimeoutAction {
  if (!('to' in action)) return action;
  const per = action.do === 'escalate' ? ESCALATED : rule;
  return { ...action, to: onePerName(per, action.to) };
}
