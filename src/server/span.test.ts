/** Stories of spans: what options may say, and what not. */
import { expect, test } from 'vitest';
import { spanMs } from './span.ts';

test('a span is a number of milliseconds, or numbers with units', () => {
  expect(spanMs('tolerance', 250, 1_000)).toBe(250);
  expect(spanMs('tolerance', '250ms', 1_000)).toBe(250);
  expect(spanMs('tolerance', '30s', 60_000)).toBe(30_000);
  expect(spanMs('tolerance', '1h30m', 86_400_000)).toBe(5_400_000);
  expect(spanMs('tolerance', '1d', 86_400_000)).toBe(86_400_000);
});

test('a span that is too long, or none, is refused by the name of its option', () => {
  expect(spanMs('tolerance', '1000ms', 1_000)).toBe(1_000);
  for (const span of ['1001ms', '5', 's', '', '-1s', -1, 0.5, Number.NaN, 'PT5S', '1 s']) {
    expect(() => spanMs('tolerance', span, 1_000), String(span)).toThrow(
      expect.objectContaining({
        code: 'engine.option-invalid',
        message: expect.stringMatching(/^tolerance is milliseconds/),
      }),
    );
  }
});
