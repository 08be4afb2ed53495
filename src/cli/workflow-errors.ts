/** The error of a Serverless Workflow, as programs and people are told it. */
import type { Fault, JsonObject } from '../index.ts';
import { excerptOf } from './excerpt.ts';
import type { Defined } from './modules.ts';
import { factLines } from './table.ts';

/** It has a title, a detail and an instance as well, as far as they are known. */
interface WorkflowError extends JsonObject {
  readonly type: string;
  readonly status: number;
}

/** Undefined if the fault is none of a workflow. */
export function workflowError({ details }: Fault): WorkflowError | undefined {
  const { type, status } = details ?? {};
  if (typeof type !== 'string' || typeof status !== 'number') return undefined;
  return { ...details, type, status };
}

/** What kind of error it is, and where in the file it came up: lines below the one that says it. */
export function errorBelow({ file, source, workflow }: Defined, fault: Fault): string {
  const error = workflowError(fault);
  if (workflow === undefined || error === undefined) return '';
  const { type, status, instance } = error;
  const at = typeof instance === 'string' ? instance : null;
  const facts = factLines([
    ['type', type],
    ['status', String(status)],
    ['instance', at],
  ]);
  const span = at === null ? undefined : workflow.spanOf(at);
  const place =
    span === undefined ? [] : [`${file}:${span.line}:${span.column}`, excerptOf(source, span)];
  return ['', ...facts.map((fact) => `  ${fact}`), ...place].join('\n');
}
