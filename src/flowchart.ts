/** Processes as people draw them: `perdure/flowchart`. */
export type {
  ActivityDefinition,
  ConnectionDefinition,
  FlowchartBody,
  FlowchartDefinition,
  ForEachConfig,
} from './frontends/flowchart/definition.ts';
export { flowchart } from './frontends/flowchart/flowchart.ts';
export { flowchartFromText } from './frontends/flowchart/from-text.ts';
export { outcome, outcomes } from './frontends/flowchart/results.ts';
export { dead, retry, waiting } from './frontends/chain/results.ts';
export type { OutcomeResult } from './model/activity.ts';
export type { MergeMode } from './model/merge.ts';
export type { ActivityConfig, ActivityContext, ActivityHandler } from './runtime/activities.ts';
