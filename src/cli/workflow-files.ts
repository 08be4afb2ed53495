/**
 * Serverless Workflows in files: text in YAML, or in JSON that has a `document`. They are data, and
 * what they reach is said on the command line.
 */
import { readWorkflow, serverlessFromText } from '../serverless.ts';
import type { Defined } from './modules.ts';

/** What a file has that is one of these: JSON is a flowchart as well. */
export function hasDocument(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'document' in value;
}

/** Of JSON that cannot be read, by what it seems to say: where it is wrong is told by its kind. */
export function isLikeWorkflow(source: string): boolean {
  return /"dsl"\s*:/.test(source) && !/"activities"\s*:/.test(source);
}

/** What is wrong with it is for whoever runs it to say. */
export function workflowFile(file: string, source: string): Defined {
  const { warnings, spanOf } = readWorkflow(source);
  return {
    ...{ file, source, flows: [serverlessFromText(source)], handlers: {} },
    ...{ isData: true, workflow: { warnings, spanOf } },
  };
}
