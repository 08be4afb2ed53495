import { expect, test } from 'vitest';
import { readTraceparent, traceparentOf } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([0, 1])('what was written is read as it was (flags: %d)', (traceFlags) => {
  const text = traceparentOf({ traceId, spanId, traceFlags });
  expect(text).toBe(`00-${traceId}-${spanId}-0${traceFlags}`);
  expect(readTraceparent(text)).toEqual({ traceId, spanId, traceFlags, isRemote: true });
});

test('what a later version says more is left out', () => {
  expect(readTraceparent(`cc-${traceId}-${spanId}-01-more`)).toMatchObject({ traceId, spanId });
});

test.each([
  undefined,
  '',
  'nonsense',
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
])('what is no traceparent is no trace: %s', (text) => {
  expect(readTraceparent(text)).toBeUndefined();
});
