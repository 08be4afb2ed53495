/** Lines of the log that are about one execution: each says which step of which instance it is. */
import { cut } from '../kernel/code.ts';
import type { Limits } from '../model/limits.ts';
import type { Work } from './handlers.ts';
import type { Logger } from './logger.ts';

/** Lines a handler writes say for which step of which instance they were written. */
export type HandlerLog = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (message: string, fields?: object) => void>
>;

export function handlerLog(logger: Logger, work: Work): HandlerLog {
  const where = { ...whereOf(work), handler: work.claim.handler };
  const line =
    (level: keyof HandlerLog) =>
    (message: string, fields: object = {}) =>
      logger[level]({ ...where, ...fields }, message);
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

/** What such a line has besides what it says. */
export interface Where {
  readonly instance: string;
  readonly flow: string;
  readonly node: string;
  readonly token: number;
}

export function whereOf({ claim: { instance }, token: { id: token, node }, head }: Work): Where {
  return { instance, flow: head.flow, node, token };
}

/** What such a line says of a handler that threw. */
export const STEP_FAILED = 'a step failed';
/** Of an error that another caused, which a third caused. */
const CAUSES_MAX = 4;

/** A stack is for who reads the log: what is kept of a failure is its code and its message. */
export function logFailure(
  { logger, limits }: { readonly logger: Logger; readonly limits: Limits },
  { where, attempt }: { readonly where: Where; readonly attempt: number },
  thrown: unknown,
): void {
  const error = cut(stackOf(thrown), limits.FAULT_CHARS_MAX);
  logger.warn({ ...where, attempt, error }, STEP_FAILED);
}

function stackOf(thrown: unknown): string {
  try {
    const stacks = [textOf(thrown)];
    let { cause } = Object(thrown) as { cause?: unknown };
    while (cause !== undefined && cause !== null && stacks.length <= CAUSES_MAX) {
      stacks.push(textOf(cause));
      cause = (Object(cause) as { cause?: unknown }).cause;
    }
    return stacks.join('\ncaused by: ');
  } catch {
    // A getter, a proxy or a toString of the stranger's threw while we looked at it.
    return 'something unreadable was thrown';
  }
}

function textOf(thrown: unknown): string {
  const { stack } = Object(thrown) as { stack?: unknown };
  return typeof stack === 'string' && stack !== '' ? theirs(stack) : String(thrown);
}

/** What called their code is ours, and tells them nothing. */
function theirs(stack: string): string {
  return stack.replace(/\n\s+at runHandler \([^]*$/, '');
}
