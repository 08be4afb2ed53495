/** The error a call ends with, where a test wants one. */
import { assert } from '../base/assert.ts';
import { WorkflowError } from '../model/workflow-error.ts';

export async function errorOf(calling: Promise<unknown>): Promise<WorkflowError> {
  const error: unknown = await calling.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert(
    error instanceof WorkflowError,
    `a call fails with a WorkflowError; came ${String(error)}`,
  );
  return error;
}

/** Short enough to compare: its kind, its status and its detail. */
export async function faultOf(calling: Promise<unknown>): Promise<readonly unknown[]> {
  const { kind, status, detail } = await errorOf(calling);
  return [kind, status, detail];
}
