/**
 * The part of the port that is about tasks as people look for them.
 *
 * A row of a task is a projection of its token's wait: it is written by the commit that opens or
 * alters the task and goes with the commit in which the token no longer waits for people, whatever
 * the reason. So a task of a cancelled scope is gone with the scope, and none is left behind.
 *
 * To whom it is open is one row per name. A name may be a person's or a group's; a task that is
 * offered to nobody in particular is open to all. What is somebody's already is offered to nobody.
 */
import type { InstanceId, Instant, NodeId, TokenId } from '../model/ids.ts';
import { type Approval, freeSeats, type Task } from '../model/task.ts';
import type { Period } from './instances.ts';

export interface Tasks {
  /** Open ones that are as asked for, in the order asked for, from behind `after` on. */
  find(request: TaskRequest): Promise<FoundTasks>;
}

/** Null: it does not matter. */
export interface TaskRequest {
  readonly kind: Task['kind'] | null;
  readonly instance: string | null;
  readonly flow: string | null;
  readonly node: string | null;
  readonly tenant: string | null;
  readonly key: string | null;
  readonly assignee: string | null;
  /** Only those that are nobody's. */
  readonly unassigned: boolean;
  readonly for: TaskAudience | null;
  readonly created: Period;
  readonly due: Period;
  readonly followUp: Period;
  /** At least so urgent. */
  readonly priority: number | null;
  readonly order: TaskOrder;
  readonly after: TaskPlace | null;
  readonly limit: number;
}

/** Whom it is for: somebody it is assigned to, or somebody it is open to; or either. */
export interface TaskAudience {
  readonly user: string | null;
  readonly groups: readonly string[];
  readonly assigned: boolean;
  readonly offered: boolean;
}

/** Oldest first; soonest due first, those without a date last; most urgent first. */
export type TaskOrder = 'created' | 'due' | 'priority';

/** By what it is ordered, and then by instance and token. */
export interface TaskPlace {
  readonly rank: number;
  readonly instance: InstanceId;
  readonly token: TokenId;
}

export interface FoundTasks {
  readonly tasks: readonly FoundTask[];
  /** Where the next page begins; null if there is none. */
  readonly next: TaskPlace | null;
}

export interface FoundTask {
  readonly instance: InstanceId;
  readonly token: TokenId;
  readonly node: NodeId;
  readonly flow: string;
  readonly flowVersion: number;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly createdAt: Instant;
  /** When time wakes its token; null if nothing happens by itself. */
  readonly wakeAt: Instant | null;
  /** Its instance is: nothing is done with it until that goes on. */
  readonly isSuspended: boolean;
  readonly task: Task;
}

/** By what tasks are put in order. What has no date comes last. */
export function rankOf(order: TaskOrder, createdAt: Instant, task: Task): number {
  switch (order) {
    case 'due':
      return task.due ?? Number.MAX_SAFE_INTEGER;
    case 'priority':
      // Not its opposite: that of nothing is another nothing.
      return 0 - (task.priority ?? 0);
    default:
      return createdAt;
  }
}

/** One to whom it is open: everybody, a person or a group. */
export interface TaskOffer {
  readonly to: 'all' | 'user' | 'group';
  readonly name: string;
}

export function offersOf({ kind, assignee = null, candidates, approval }: Task): TaskOffer[] {
  if (kind === 'approval') return approval === undefined ? [] : approvalOffers(approval);
  if (assignee !== null) return [];
  const { any = [], users = [], groups = [] } = candidates ?? {};
  if (any.length + users.length + groups.length === 0) return [{ to: 'all', name: '' }];
  return [
    ...[...new Set([...any, ...users])].map((name) => ({ to: 'user' as const, name })),
    ...[...new Set([...any, ...groups])].map((name) => ({ to: 'group' as const, name })),
  ];
}

/** Those who have a say and have not used it; or its submitter, if it was sent back. */
function approvalOffers({ seats, votes, returned, submitter }: Approval): TaskOffer[] {
  if (returned === true) return submitter === undefined ? [] : [{ to: 'user', name: submitter }];
  const names = new Set(freeSeats({ seats, votes }).map(({ name }) => name));
  return [...names].flatMap((name) => [
    { to: 'user' as const, name },
    { to: 'group' as const, name },
  ]);
}
