/**
 * A trace as the text that tokens and messages carry: a W3C `traceparent`. What is read may have
 * been written by another version of this, or by a stranger: what is none is no trace.
 */
import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';

const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
/** No version of the format is this one. */
const NO_VERSION = 'ff';

export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

export function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] = FORM.exec(text ?? '') ?? [];
  if (version === undefined || version === NO_VERSION) return undefined;
  const read = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(read) ? read : undefined;
}
