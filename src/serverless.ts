/** `perdure/serverless`: Serverless Workflow DSL 1.0, run by the engine. */
export { serverless, serverlessFromText } from './frontends/serverless/serverless.ts';
