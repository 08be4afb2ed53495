/** The front door: everything a program needs to define flows and run them. */
export { type Duration, parseDuration } from './base/duration.ts';
export { EngineError, type EngineErrorCode } from './base/engine-error.ts';
export type { Json, JsonObject } from './base/json.ts';
export { chain, type ChainOptions, type LinkOptions } from './frontends/chain/chain.ts';
export { completed, dead, retry, waiting } from './frontends/chain/results.ts';
export { defineKind, type KindDefinition } from './frontends/kinds/define-kind.ts';
export { end, fault, go, pause } from './frontends/kinds/moves.ts';
export type { Broker, OutboxEvent, Send, SendTools, Target } from './calls/target.ts';
export { webhook, type WebhookOptions } from './calls/webhook.ts';
export { event, type EventType } from './frontends/builder/event-type.ts';
export type { Caught, Failure } from './frontends/builder/failure-types.ts';
export { flow } from './frontends/builder/flow.ts';
export { type Form, form } from './frontends/builder/form-type.ts';
export { remote } from './frontends/builder/remote.ts';
export type { RetryOptions } from './frontends/builder/retry-options.ts';
export type { UndoTools } from './frontends/builder/step-types.ts';
export type { HandlerTools } from './frontends/builder/views.ts';
export type { Acting, Action, ActionName } from './model/action.ts';
export type { Attribute } from './model/attribute.ts';
export type { Outbound, StepResult } from './model/chain.ts';
export type { Act, Change } from './model/change.ts';
export type {
  CustomKind,
  GoOptions,
  KindDescriptor,
  KindMove,
  KindSignal,
  KindView,
  LeaveReason,
  PausedView,
  PauseOptions,
} from './model/custom-kind.ts';
export type { Flow } from './model/definition.ts';
export type { Diagnostic } from './model/draft.ts';
export type { Fault, Pause, Scope, Stalled, Token } from './model/instance.ts';
export type { Limits } from './model/limits.ts';
export type { Difference, Impact, PlanDiff, PlanName, Rename } from './model/plan-diff.ts';
export type {
  ApprovalResult,
  ApprovalRule,
  Attachment,
  Candidates,
  Seat,
  TaskEntry,
  Vote,
} from './model/task.ts';
export type { Tx } from './model/tx.ts';
export type { BulkItem, BulkOptions, BulkProgress, BulkResult } from './runtime/bulk.ts';
export type { Checked, CheckOptions } from './runtime/check.ts';
export type { ExportedInstance } from './runtime/export.ts';
export { Fatal } from './runtime/fatal.ts';
export type { Deployed } from './runtime/deploying.ts';
export { createEngine, type Engine } from './runtime/engine.ts';
export type { EngineOptions } from './runtime/engine-options.ts';
export type {
  ChainContext,
  ChainHandler,
  ChainHandlers,
  ChainStep,
} from './runtime/links.ts';
export type {
  AttributeRange,
  ErrorFilter,
  InstanceFilter,
  Moment,
} from './runtime/filter.ts';
export type { Handlers, SharedStep } from './runtime/shared-handlers.ts';
export type { HttpOptions } from './calls/http/client.ts';
export type { HostOptions, Secrets, ServerlessOptions } from './runtime/serverless/options.ts';
export { diffPlans, type FlowVersion } from './runtime/flow-versions.ts';
export type { Flows, StoredPlan } from './runtime/flows.ts';
export type { Reconciled } from './runtime/halting.ts';
export type { HaltingPreview } from './runtime/halting-preview.ts';
export type { Inbox, InboxFilter, InboxMessage, InboxPage } from './runtime/inbox.ts';
export type { NodeKinds } from './runtime/kinds.ts';
export type { InstancePage, InstanceSummary, ListOptions } from './runtime/listing.ts';
export { type Logger, stderrLogger } from './runtime/logger.ts';
export type { CommitEnd, Measurement, StepEnd } from './runtime/measuring.ts';
export type { HandlersMissing, ShownStall, UnservedToken } from './runtime/missing-handlers.ts';
export type { CloudEvent } from './model/cloud-event.ts';
export type { Publication, Published, PublishOptions } from './runtime/messages.ts';
export type { EngineWorker, StartOptions } from './runtime/options.ts';
export type { Outbox, OutboxFilter, OutboxLetter, OutboxPage } from './runtime/outbox.ts';
export type { OutboxOptions } from './runtime/outbox-options.ts';
export { redacting } from './runtime/redacting.ts';
export type { PruneOptions, PruneResult } from './runtime/prune.ts';
export type { AssignedUndo, Assignment } from './runtime/remote/assignment.ts';
export type { RemoteWork } from './runtime/remote/desk.ts';
export type {
  CompleteOptions,
  ExtendOptions,
  FailOptions,
  FetchOptions,
  RemoteError,
  RemoteOutbound,
  RemoteWait,
  RemoteWorker,
  RemoteWrite,
} from './runtime/remote/options.ts';
export type { Settled } from './runtime/remote/settling.ts';
export type { EngineReceipts, Receipt } from './runtime/receipts.ts';
export { type Replay, replay, type ReplayChecked, type ReplayStep } from './runtime/replay.ts';
export type {
  CatchUp,
  CronTimes,
  EveryTimes,
  KeptSpec,
  ScheduleOptions,
  ScheduleSpec,
} from './runtime/schedule-spec.ts';
export type { Schedule, Schedules, ScheduleView } from './runtime/schedules.ts';
export type {
  HistoryEntry,
  HistoryOptions,
  InstanceView,
  MigrateTo,
  Preview,
  RerunOptions,
  Run,
  RunStatus,
} from './runtime/run.ts';
export type { News, SubscribeOptions } from './runtime/subscribing.ts';
export type { SchemaProblem as FormProblem } from './expressions/schema/schema.ts';
export type { Tally, TallyCause, TallyGroup, TallyOptions } from './runtime/tallying.ts';
export type { TaskFilter } from './runtime/task-filter.ts';
export type { TaskActor, TaskUpdate } from './runtime/task-options.ts';
export type { ApprovalView, TaskView, UserTaskView } from './runtime/task-view.ts';
export type { TaskPage, Tasks } from './runtime/tasks.ts';
export { memory, type MemoryStore } from './stores/memory/memory.ts';
export type { Backlog } from './stores/backlog.ts';
export type { Symptom } from './stores/health.ts';
export type { Hold, Server } from './stores/servers.ts';
export type { Store } from './stores/store.ts';
