/** Lines of the log that are about one execution: each says which step of which instance it is. */
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
