/** The front door: everything a program needs to define flows and run them. */
export type { Duration } from './base/duration.ts';
export { EngineError, type EngineErrorCode } from './base/engine-error.ts';
export type { Json, JsonObject } from './base/json.ts';
export { event, type EventType } from './frontends/builder/event-type.ts';
export { flow } from './frontends/builder/flow.ts';
export type { Change } from './model/change.ts';
export type { Flow } from './model/definition.ts';
export type { Diagnostic } from './model/draft.ts';
export type { Fault, Scope, Stalled, Token } from './model/instance.ts';
export type { Limits } from './model/limits.ts';
export type { Checked } from './runtime/check.ts';
export { createEngine, type Engine, type EngineOptions } from './runtime/engine.ts';
export type { Logger } from './runtime/logger.ts';
export type { Publication, Published } from './runtime/messages.ts';
export type { EngineWorker, StartOptions } from './runtime/options.ts';
export type { HistoryEntry, InstanceView, Run, RunStatus } from './runtime/run.ts';
export { memory, type MemoryStore } from './stores/memory/memory.ts';
export type { Store } from './stores/store.ts';
