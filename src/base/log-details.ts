/** The details of a line of a log, as people read them: a stack below the line, and not in JSON. */

export interface LogDetails {
  readonly details: object;
  /** Its lines, each with its end; none if there is no stack. */
  readonly stack: string;
}

const ESCAPES = /\u001B(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007]*\u0007?)/g;

/** The message of an error is a stranger's text: nothing in it may move the cursor or ring. */
export function stackApart(details: object): LogDetails {
  const { error, ...rest } = details as { readonly error?: unknown };
  if (typeof error !== 'string' || !error.includes('\n')) return { details, stack: '' };
  const lines = error.replaceAll(ESCAPES, '').split('\n');
  const stack = lines.map((line) => `  ${line.replaceAll(/\p{Cc}+/gu, ' ')}\n`).join('');
  return { details: rest, stack };
}
