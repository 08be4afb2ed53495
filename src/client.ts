/** `perdure/client`: a worker elsewhere, for steps of an engine that serves its API over HTTP. */
export { ApiError } from './client/asking.ts';
export type { ClientLogger, RemoteWorkerOptions, Trouble } from './client/options.ts';
export type { Assigned, RemoteStep, StepHandler } from './client/step.ts';
export { remoteWorker, type RunningWorker, type StopOptions } from './client/worker.ts';
export { completed, dead, retry, waiting } from './frontends/chain/results.ts';
export { outcome, outcomes } from './frontends/flowchart/results.ts';
