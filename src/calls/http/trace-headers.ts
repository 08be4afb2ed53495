/**
 * By which headers a server learns what a request is part of, as the program has registered it.
 * Only what W3C Trace Context has: what else a propagator would send along (baggage) may be meant
 * for the program's own servers, and not for any that a workflow calls.
 */
import { context, propagation } from '@opentelemetry/api';

const NAMES: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

/** Of the active context: that of the step that makes the request. None where nobody traces. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers, {
    set: (carrier, name, value) => {
      if (NAMES.has(name.toLowerCase())) carrier[name.toLowerCase()] = value;
    },
  });
  return headers;
}
