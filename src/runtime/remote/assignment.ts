/**
 * An assignment: a claim handed to a worker elsewhere, with what a handler here would be given. All
 * of it is JSON, so it can be sent to a program in any language.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { InstanceId, Instant, NodeId, TokenId } from '../../model/ids.ts';
import type { Wake } from '../../model/instance.ts';
import type { Plan } from '../../model/plan.ts';
import { activityOf } from '../activities.ts';
import { eventIn, idempotencyKeyOf, keyUndone, wakeOf, type Work } from '../handlers.ts';
import { assignmentId } from './assignment-id.ts';

export interface Assignment {
  /** What to extend, complete or fail it by; nothing else is to be read from it. */
  readonly id: string;
  /** The full name under which the work was waiting. */
  readonly handler: string;
  /** The type of a chain's step or of an activity; the name of a step of any other flow. */
  readonly type: string;
  readonly flow: string;
  readonly version: number;
  readonly node: NodeId;
  readonly instance: InstanceId;
  readonly token: TokenId;
  readonly tenant: string | null;
  /** The business key of the instance. */
  readonly key: string | null;
  /** 1 for the first execution. */
  readonly attempt: number;
  /** The same for every execution of this visit: hand it to whoever charges the card. */
  readonly idempotencyKey: string;
  readonly wake: Pick<Wake, 'reason' | 'payload'>;
  /** The message that woke the step, if one did. */
  readonly event: Json;
  readonly input: Json;
  readonly results: JsonObject;
  readonly vars: JsonObject;
  readonly item: Json;
  readonly index: number | null;
  /** What a chain is about. */
  readonly context?: Json;
  /** The name of an activity in its flowchart, and what that says of it. */
  readonly activity?: string;
  readonly config?: JsonObject;
  /** What is to be undone, if that is the work. */
  readonly undo?: AssignedUndo;
  /** Until when it is the worker's. */
  readonly until: Instant;
  /** The trace it is part of (W3C `traceparent`). */
  readonly trace?: string;
}

export interface AssignedUndo {
  /** That of the step; null if it never answered. */
  readonly result: Json;
  readonly inDoubt: boolean;
  /** The idempotency key that the step itself ran with. */
  readonly undoes: string;
}

export function assignmentOf(work: Work, plan: Plan, until: Instant): Assignment {
  const { claim, token, head, view, undo } = work;
  const wake = wakeOf(work);
  const { item, index } = undo ?? view;
  return {
    ...{ id: assignmentId(claim), instance: claim.instance, token: claim.token },
    ...{ flow: head.flow, version: head.flowVersion, node: token.node },
    ...{ key: head.key, tenant: head.tenant, handler: claim.handler },
    type: claim.handler.slice(claim.handler.indexOf('/') + 1),
    attempt: token.attempts + 1,
    idempotencyKey: idempotencyKeyOf(work),
    wake: { reason: wake.reason, payload: wake.payload },
    event: eventIn(wake),
    ...{ input: view.input, results: view.results, vars: view.vars, item, index },
    ...(token.seq === null ? {} : { context: head.output }),
    ...activityIn(work, plan),
    ...undoIn(work),
    until,
    ...(wake.trace === undefined ? {} : { trace: wake.trace }),
  };
}

function activityIn({ token }: Work, plan: Plan): Pick<Assignment, 'activity' | 'config'> {
  const task = activityOf(plan.nodes.get(token.node));
  return task === null ? {} : { activity: task.activity, config: task.config };
}

function undoIn(work: Work): Pick<Assignment, 'undo'> {
  const { undo } = work;
  if (undo === null) return {};
  const { result, inDoubt } = undo;
  return { undo: { result, inDoubt, undoes: keyUndone(work, undo) } };
}
