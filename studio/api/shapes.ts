/** What the HTTP API answers, as far as the studio shows it: docs/http.md, /api/openapi.json. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

export type Status =
  | 'running'
  | 'waiting'
  | 'suspended'
  | 'compensating'
  | 'completed'
  | 'failed'
  | 'canceled';

export const STATUSES: readonly Status[] = [
  ...(['running', 'waiting', 'compensating', 'suspended'] as const),
  ...(['failed', 'completed', 'canceled'] as const),
];

export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly node: string | null;
  readonly details?: JsonObject;
}

export interface Definition {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly open: number | null;
  readonly registered: boolean;
  readonly suspended: boolean;
  readonly inputSchema?: JsonObject | null;
}

export interface PlanNode {
  readonly id: string;
  readonly kind: string;
  readonly config: Json;
  readonly parent: string | null;
  readonly hidden: boolean;
  readonly local?: string;
  readonly merge?: string;
}

export interface PlanEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly back?: true;
}

export interface Plan {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly start: string;
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
}

export interface InstanceSummary {
  readonly id: string;
  readonly flow: string;
  readonly version: number;
  readonly status: Status;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly fault: Fault | null;
  readonly stalled: { readonly reason: string } | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface InstancePage {
  readonly instances: readonly InstanceSummary[];
  readonly cursor: string | null;
}

export interface Tally {
  readonly counted: number;
  readonly isAll: boolean;
  readonly groups: readonly {
    readonly flow: string;
    readonly version: number;
    readonly status: Status;
    readonly count: number;
  }[];
  readonly causes: readonly Cause[];
}

export interface Cause {
  readonly flow: string;
  readonly node: string | null;
  readonly code: string;
  readonly kind: 'failed' | 'incident';
  readonly count: number;
  readonly newest: string;
  readonly messages: readonly { readonly message: string; readonly count: number }[];
}

export interface Wait {
  readonly on: string;
  readonly [name: string]: Json | undefined;
}

export interface Token {
  readonly id: number;
  readonly scope: number;
  readonly node: string;
  readonly via: string | null;
  readonly handler: string | null;
  readonly seq: number | null;
  readonly status: string;
  readonly mode: 'forward' | 'compensation';
  readonly visit: number;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly availableAt: number;
  readonly wait: Wait | null;
  readonly wakeAt: number | null;
  readonly wake: { readonly reason: string; readonly payload: Json } | null;
  readonly lastError: Fault | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Scope {
  readonly id: number;
  readonly parent: number | null;
  readonly owner: number | null;
  readonly node: string | null;
  readonly index: number | null;
  readonly item: Json;
  readonly results: JsonObject;
  readonly vars: JsonObject;
}

export interface Incident {
  readonly token: number;
  readonly node: string;
  readonly fault: Fault | null;
  readonly can: readonly string[];
}

export interface Instance {
  readonly id: string;
  readonly flow: string;
  readonly flowVersion: number;
  readonly plan: string;
  readonly version: number;
  readonly status: Status;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly priority: number;
  readonly input: Json;
  readonly output: Json;
  readonly fault: Fault | null;
  readonly stalled: { readonly reason: string } | null;
  readonly outcome: string | null;
  readonly pauses: readonly { readonly from: number; readonly to: number | null }[];
  readonly parent: { readonly instance: string; readonly token: number } | null;
  readonly tokens: readonly Token[];
  readonly scopes: readonly Scope[];
  readonly undos: readonly JsonObject[];
  readonly incidents: readonly Incident[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
}

/** A fact about an instance, told by `did`: src/model/change.ts has all of them. */
export interface Change {
  readonly did: string;
  readonly token?: unknown;
  readonly scope?: unknown;
  readonly [name: string]: unknown;
}

export interface Commit {
  readonly instance?: string;
  readonly flow?: string;
  readonly n: number;
  readonly at: number;
  readonly commitId: string | null;
  readonly changes: readonly Change[];
}

export interface HistoryPage {
  readonly commits: readonly Commit[];
  readonly cursor: string | null;
}

export interface Preview {
  readonly changes: readonly Change[];
  readonly before: Instance | null;
  readonly after: Instance;
}

export interface BulkResult {
  readonly matched: number;
  readonly done: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly failed: number;
  readonly cursor: string | null;
  readonly items: readonly {
    readonly id: string;
    readonly outcome: 'done' | 'unchanged' | 'refused' | 'failed';
    readonly error?: { readonly code: string; readonly message: string };
  }[];
}

export interface TaskEntry {
  readonly at: number;
  readonly by: string | null;
  readonly did: string;
  readonly comment?: string;
  readonly [name: string]: Json | undefined;
}

/** One say of an approval: of the person of that name, or of anyone of the group of that name. */
export interface Seat {
  readonly name: string;
  readonly group?: string;
  /** Whose say it was before. */
  readonly for?: string;
}

export interface ApprovalRule {
  readonly need: number | 'all';
  readonly per: 'all' | 'group';
  readonly rejectCounts?: true;
}

export interface Vote {
  readonly seat: string;
  readonly group?: string;
  readonly actor: string;
  readonly decision: 'approve' | 'reject';
  readonly at: number;
  readonly comment?: string;
}

export interface Task {
  readonly id: string;
  readonly kind: 'task' | 'approval';
  readonly instance: string;
  readonly token: number;
  readonly flow: string;
  readonly version: number;
  readonly node: string;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly title: string | null;
  readonly data: Json;
  readonly priority: number;
  readonly due: number | null;
  readonly followUp: number | null;
  readonly attachments: readonly { readonly name: string; readonly url: string }[];
  readonly createdAt: number;
  readonly suspended: boolean;
  readonly trail: readonly TaskEntry[];
  readonly form?: JsonObject | null;
  readonly assignee?: string | null;
  readonly owner?: string | null;
  readonly candidates?: {
    /** Names of people or of groups. */
    readonly any?: readonly string[];
    readonly users?: readonly string[];
    readonly groups?: readonly string[];
  } | null;
  readonly seats?: readonly Seat[];
  readonly rule?: ApprovalRule;
  readonly votes?: readonly Vote[];
  readonly round?: number;
  readonly returned?: boolean;
  readonly timeoutAt?: number | null;
  readonly submitter?: string | null;
  readonly submission?: Json;
  readonly waitsFor?: readonly string[];
}

export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly cursor: string | null;
}

export interface Session {
  readonly version: string;
  readonly store: string;
  readonly user: string;
  readonly hasWorker: boolean;
  readonly isPlayground: boolean;
  readonly revision: number;
}

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly explanation: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
  readonly path: string | null;
}

export interface Source {
  readonly file: string;
  readonly language: 'typescript' | 'javascript' | 'serverless' | 'flowchart';
  readonly text: string;
  readonly flows: readonly { readonly name: string; readonly version: number }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly spans: Readonly<Record<string, { readonly line: number; readonly endLine: number }>>;
}

export interface Symptom {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice: string | null;
}

export interface LogLine {
  readonly seq: number;
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly instance: string | null;
  readonly node: string | null;
  readonly token: number | null;
  readonly fields: JsonObject;
}
