/**
 * Traces: a text that a token was given and hands on, and that means nothing to the kernel.
 *
 * It stands in the token's wake, beside what else is known of how the token came to be where it is,
 * and it stays there however often that is woken, parked, set down, tried again or recovered. What
 * is born of a move has the trace of whoever moved; only a message brings another. Where there is
 * no trace nothing of this is stored, and nothing is otherwise.
 */
import type { Token, Wake } from '../model/instance.ts';

export function traceOf({ wake }: Pick<Token, 'wake'>): string | undefined {
  return wake?.trace;
}

/** Of those that met: that of the first that has one. */
export function traceAmong(tokens: Iterable<Pick<Token, 'wake'>>): string | undefined {
  for (const { wake } of tokens) if (wake?.trace !== undefined) return wake.trace;
  return undefined;
}

/** What is left of a wake when what it told is over. */
export function traceLeft(wake: Wake | null): Wake | null {
  return wake?.trace === undefined ? null : firstIn(wake.trace);
}

/** What a token is woken by that nothing has woken. */
export function firstIn(trace: string): Wake {
  return { reason: 'first', payload: null, trace };
}

/** Whether there is nothing to be said of it but its trace. */
export function isFirst(wake: Wake | null): boolean {
  return wake === null || (wake.reason === 'first' && wake.since === undefined);
}

/** It is woken for another reason, and is part of the same trace unless that brings its own. */
export function wokenIn(before: Wake | null, wake: Wake): Wake {
  const trace = before?.trace;
  if (trace === undefined || wake.trace === trace) return wake;
  return wake.trace === undefined ? { ...wake, trace } : { ...wake, left: trace };
}

/** For what is made of a message, a post or a birth: nothing where there is no trace. */
export function inTrace(trace: string | undefined): { readonly trace?: string } {
  return trace === undefined ? NO_TRACE : { trace };
}

const NO_TRACE: { readonly trace?: string } = Object.freeze({});
