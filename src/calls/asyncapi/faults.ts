/** What goes wrong with AsyncAPI, as the errors a workflow can catch. */
import type { Json } from '../../base/json.ts';
import { meant } from '../../base/nearest.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Calling } from '../calling.ts';

/** What an author, or whoever wrote the document, has to mend. */
export function misconfigured(detail: string, cause?: unknown): WorkflowError {
  return new WorkflowError('configuration', { detail, cause });
}

export function broken(detail: string, cause?: unknown): WorkflowError {
  return new WorkflowError('communication', { detail, cause });
}

/** What was thrown, with no secret in what people get to read of it. */
export async function hiding<Result>(
  { hide }: Pick<Calling, 'hide'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof WorkflowError)) throw thrown;
    const { kind, status, title, detail } = thrown;
    const shown = { title: hide(title), detail: detail === undefined ? undefined : hide(detail) };
    if (shown.title === title && shown.detail === detail) throw thrown;
    throw new WorkflowError(kind, {
      ...{ status, title: shown.title, cause: thrown.cause },
      ...(shown.detail === undefined ? {} : { detail: shown.detail }),
    });
  }
}

/** A name that is not there, and what was probably meant by it. */
export function unknownName(what: string, name: string, known: readonly string[]): WorkflowError {
  const hint = known.length === 0 ? 'there are none' : meant(name, known);
  return misconfigured(`the AsyncAPI document has no ${what} "${name}"; ${hint}`);
}

export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
