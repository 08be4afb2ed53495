/**
 * Work that waits for people: a user task, or an approval. All of it stands in the wait of one
 * token, so that what people did and what the instance makes of it are one commit; the rows that
 * people search are a projection of it, as subscriptions are.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { Instant, NodeId, TokenId } from './ids.ts';

/** As it is while it is open. What is left out has its usual value: none. */
export interface Task {
  readonly kind: 'task' | 'approval';
  readonly title?: string;
  /** What people are shown to decide by. */
  readonly data?: Json;
  /** A JSON Schema that the output of a task must fit. */
  readonly form?: JsonObject;
  readonly assignee?: string | null;
  /** Who delegated it, and has it back when it is unclaimed. */
  readonly owner?: string | null;
  readonly candidates?: Candidates;
  /** The higher, the more urgent; 0 if not said. */
  readonly priority?: number;
  readonly due?: Instant | null;
  readonly followUp?: Instant | null;
  readonly attachments?: readonly Attachment[];
  /** Only approvals have one. */
  readonly approval?: Approval;
  /** What was done with it, in order. */
  readonly trail: readonly TaskEntry[];
}

/** Who may claim it. A name in `any` is a person's or a group's. */
export interface Candidates {
  readonly any?: readonly string[];
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

/** A file or a page that lies elsewhere. */
export interface Attachment {
  readonly name: string;
  readonly url: string;
  readonly type?: string;
}

export interface Approval {
  /** Who has a say, as it was fixed when this round began. */
  readonly seats: readonly Seat[];
  readonly rule: ApprovalRule;
  readonly votes: readonly Vote[];
  /** From 1; each revision begins another. */
  readonly round: number;
  readonly revisionsMax: number;
  /** Who asked for it, and may recall or resubmit it. */
  readonly submitter?: string;
  /** It was sent back and waits for its submitter. */
  readonly returned?: true;
  /** What the submitter came back with. */
  readonly submission?: Json;
  /** How long a round may take. */
  readonly timeoutMs?: number;
  readonly onTimeout: TimeoutAction;
  /** Its time was over once: that is acted on once. */
  readonly timedOut?: true;
  /** Who had it then, and by what rule, if others have it since: the next round is theirs. */
  readonly before?: Pick<Approval, 'seats' | 'rule'>;
}

/** One say: of the person of that name, or of anyone of the group of that name. */
export interface Seat {
  readonly name: string;
  /** The group of approvers it counts for, where each group must agree. */
  readonly group?: string;
  /** Whose say it was before it was delegated or reassigned. */
  readonly for?: string;
}

export interface ApprovalRule {
  /** How many approve in all, or in each group; more than there are is all of them. */
  readonly need: number | 'all';
  readonly per: 'all' | 'group';
  /** A reject is counted, and ends it only when too few are left to approve. */
  readonly rejectCounts?: true;
}

export interface Vote {
  readonly seat: string;
  readonly group?: string;
  readonly actor: string;
  readonly decision: 'approve' | 'reject';
  readonly at: Instant;
  readonly comment?: string;
}

export type TimeoutAction =
  /** That it is late stands in the trail; with `notify` the world outside is told, too. */
  | { readonly do: 'note' | 'notify' | 'approve' | 'reject' }
  | { readonly do: 'reassign' | 'escalate'; readonly to: readonly Seat[] };

/** What an approval comes to. */
export type ApprovalResult = {
  readonly decision: 'approve' | 'reject' | 'recall';
  /** Who made it final, and when. */
  readonly by: string;
  readonly at: number;
  readonly comment: string | null;
  /** Those of the last round. */
  readonly votes: readonly {
    readonly actor: string;
    readonly decision: 'approve' | 'reject';
    readonly at: number;
    readonly seat: string;
    readonly group: string | null;
    readonly comment: string | null;
  }[];
  readonly round: number;
  /** What the submitter came back with, if it was sent back. */
  readonly submission: Json;
};

/** What somebody did with a task, for people to read. */
export interface TaskEntry {
  readonly at: Instant;
  readonly by: string;
  readonly did: TaskAsk['do'];
  readonly to?: string;
  readonly from?: string;
  readonly decision?: string;
  readonly comment?: string;
  readonly round?: number;
  /** By somebody who had no say in it, and said so. */
  readonly override?: true;
  /** The name under which it was done once. */
  readonly once?: string;
}

/** Who it was where nobody did anything; no person is called so. */
export const NOBODY = { late: 'system:timeout', alone: 'system:no-approvers' } as const;

/** Who does something with a task; `groups` are those they belong to, as the caller knows. */
export interface Asker {
  readonly by: string;
  readonly groups: readonly string[];
  readonly comment?: string;
  /** They have no say in it, and decide all the same. */
  readonly override?: true;
  /** What doing it is called: its trail says so, and who asks again finds it there. */
  readonly once?: string;
}

/** What can be done with a task. */
export type TaskAsk = Asker &
  (
    | { readonly do: 'claim' | 'unclaim' | 'comment' | 'recall' }
    | { readonly do: 'delegate'; readonly to: string }
    | { readonly do: 'reassign'; readonly to: string; readonly from?: string }
    | { readonly do: 'attach'; readonly attachment: Attachment }
    | {
        readonly do: 'update';
        readonly due?: Instant | null;
        readonly followUp?: Instant | null;
        readonly priority?: number;
      }
    | { readonly do: 'complete'; readonly output: Json }
    | {
        readonly do: 'decide';
        readonly decision: 'approve' | 'reject' | 'revise';
        /** The one that they looked at: in another they have not seen what they decide on. */
        readonly round?: number;
      }
    | { readonly do: 'resubmit'; readonly data: Json }
    /** Its time is over. */
    | { readonly do: 'timeout' }
  );

/** A projection of its token, so that people find it. */
export interface TaskRow {
  readonly token: TokenId;
  readonly node: NodeId;
  readonly task: Task;
  readonly createdAt: Instant;
}

/** The seats that nobody has spoken for. */
export function freeSeats({ seats, votes }: Pick<Approval, 'seats' | 'votes'>): readonly Seat[] {
  return seats.filter(
    ({ name, group }) => !votes.some((vote) => vote.seat === name && vote.group === group),
  );
}
