/** Keeps secrets out of what a call throws, whoever has put them there: an address may hold one. */
import { WorkflowError } from '../model/workflow-error.ts';
import type { Calling } from './calling.ts';

export async function hiding<Value>(
  { hide }: Pick<Calling, 'hide'>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof WorkflowError) || hide(thrown.message) === thrown.message) throw thrown;
    const { kind, status, title, detail } = thrown;
    // Without its cause, which would tell.
    throw new WorkflowError(kind, {
      ...{ status, title: hide(title) },
      ...(detail === undefined ? {} : { detail: hide(detail) }),
    });
  }
}
