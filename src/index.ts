/** The front door: everything a program needs to define flows and run them. */
export type { Duration } from './base/duration.ts';
export { EngineError, type EngineErrorCode } from './base/engine-error.ts';
export type { Json, JsonObject } from './base/json.ts';
export { chain, type ChainOptions, type LinkOptions } from './frontends/chain/chain.ts';
export { completed, dead, retry, waiting } from './frontends/chain/results.ts';
export type { Broker, OutboxEvent, Send, SendTools, Target } from './calls/target.ts';
export { webhook, type WebhookOptions } from './calls/webhook.ts';
export { event, type EventType } from './frontends/builder/event-type.ts';
export type { Caught, Failure } from './frontends/builder/failure-types.ts';
export { flow } from './frontends/builder/flow.ts';
export type { RetryOptions } from './frontends/builder/retry-options.ts';
export type { UndoTools } from './frontends/builder/step-types.ts';
export type { HandlerTools } from './frontends/builder/views.ts';
export type { Outbound, StepResult } from './model/chain.ts';
export type { Change } from './model/change.ts';
export type { Flow } from './model/definition.ts';
export type { Diagnostic } from './model/draft.ts';
export type { Fault, Scope, Stalled, Token } from './model/instance.ts';
export type { Limits } from './model/limits.ts';
export type { Tx } from './model/tx.ts';
export type { Checked } from './runtime/check.ts';
export { Fatal } from './runtime/fatal.ts';
export { createEngine, type Engine, type EngineOptions } from './runtime/engine.ts';
export type {
  ChainContext,
  ChainHandler,
  ChainHandlers,
  ChainStep,
} from './runtime/links.ts';
export type { Inbox, InboxFilter, InboxMessage, InboxPage } from './runtime/inbox.ts';
export type { Logger } from './runtime/logger.ts';
export type { Publication, Published } from './runtime/messages.ts';
export type { EngineWorker, StartOptions } from './runtime/options.ts';
export type { Outbox, OutboxFilter, OutboxLetter, OutboxPage } from './runtime/outbox.ts';
export type { OutboxOptions } from './runtime/outbox-options.ts';
export type {
  CatchUp,
  CronTimes,
  EveryTimes,
  KeptSpec,
  ScheduleOptions,
  ScheduleSpec,
} from './runtime/schedule-spec.ts';
export type { Schedule, Schedules, ScheduleView } from './runtime/schedules.ts';
export type { HistoryEntry, InstanceView, Run, RunStatus } from './runtime/run.ts';
export { memory, type MemoryStore } from './stores/memory/memory.ts';
export type { Store } from './stores/store.ts';
