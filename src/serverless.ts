/** `perdure/serverless`: Serverless Workflow DSL 1.0, run by the engine. */
export { versionNumber } from './frontends/serverless/names.ts';
export { type ReadWorkflow, readWorkflow } from './frontends/serverless/reading/reading.ts';
export { serverless, serverlessFromText } from './frontends/serverless/serverless.ts';
