/** A task as people see it: what is to be done, by whom, until when, and what was done so far. */
import type { Json, JsonObject } from '../base/json.ts';
import type { InstanceId, Instant, NodeId, TokenId } from '../model/ids.ts';
import {
  type Approval,
  type ApprovalRule,
  type Attachment,
  type Candidates,
  freeSeats,
  type Seat,
  type Task,
  type TaskEntry,
  type Vote,
} from '../model/task.ts';
import type { FoundTask } from '../stores/tasks.ts';
import { taskId } from './task-id.ts';

export type TaskView = UserTaskView | ApprovalView;

/** What every task has, whatever its kind. Times are milliseconds since 1970. */
interface AnyTaskView {
  readonly id: string;
  readonly instance: InstanceId;
  readonly token: TokenId;
  readonly flow: string;
  readonly version: number;
  readonly node: NodeId;
  /** The business key of the instance, and its tenant. */
  readonly key: string | null;
  readonly tenant: string | null;
  readonly title: string | null;
  /** What people are shown to decide by. */
  readonly data: Json;
  /** The higher, the more urgent. */
  readonly priority: number;
  readonly due: Instant | null;
  readonly followUp: Instant | null;
  readonly attachments: readonly Attachment[];
  readonly createdAt: Instant;
  /** Its instance is: nothing can be done with it until that goes on. */
  readonly suspended: boolean;
  /** What was done with it, in order; comments are among it. */
  readonly trail: readonly TaskEntry[];
}

export interface UserTaskView extends AnyTaskView {
  readonly kind: 'task';
  /** The JSON Schema that its output must fit. */
  readonly form: JsonObject | null;
  readonly assignee: string | null;
  /** Who delegated it, and has it back when it is unclaimed. */
  readonly owner: string | null;
  /** Who may claim it; null if anyone may. */
  readonly candidates: Candidates | null;
}

export interface ApprovalView extends AnyTaskView {
  readonly kind: 'approval';
  /** Who has a say. */
  readonly seats: readonly Seat[];
  readonly rule: ApprovalRule;
  /** What was said in this round. */
  readonly votes: readonly Vote[];
  readonly round: number;
  /** It was sent back, and waits for its submitter. */
  readonly returned: boolean;
  /** When its time is over, and that is acted on; later by as long as its instance is suspended. */
  readonly timeoutAt: Instant | null;
  readonly submitter: string | null;
  /** What the submitter came back with. */
  readonly submission: Json;
  /** Who has not spoken yet; of one that was sent back, its submitter. */
  readonly waitsFor: readonly string[];
}

export function viewOfTask({ task, flowVersion, ...found }: FoundTask): TaskView {
  const { title = null, data = null, priority = 0, due = null, followUp = null } = task;
  const { attachments = [], trail } = task;
  const { instance, token, flow, node, key, tenant, createdAt, isSuspended, wakeAt } = found;
  const id = taskId(instance, token);
  return Object.freeze({
    ...{ id, instance, token, flow, version: flowVersion, node, key, tenant },
    ...(task.approval === undefined ? userPart(task) : approvalPart(task.approval, wakeAt)),
    ...{ title, data, priority, due, followUp, attachments, createdAt },
    ...{ suspended: isSuspended, trail },
  });
}

type Own<View extends TaskView> = Omit<View, keyof AnyTaskView>;

function userPart({ form, assignee, owner, candidates }: Task): Own<UserTaskView> {
  return {
    kind: 'task',
    form: form ?? null,
    assignee: assignee ?? null,
    owner: owner ?? null,
    candidates: candidates ?? null,
  };
}

function approvalPart(approval: Approval, timeoutAt: Instant | null): Own<ApprovalView> {
  const { seats, rule, votes, round, returned = false, submitter, submission } = approval;
  const back = submitter === undefined ? [] : [submitter];
  return {
    ...{ kind: 'approval', seats, rule, votes, round, returned, timeoutAt },
    submitter: submitter ?? null,
    submission: submission ?? null,
    waitsFor: returned ? back : [...new Set(freeSeats(approval).map(({ name }) => name))],
  };
}
