import { expect, test } from 'vitest';
import { waitText } from './telling.ts';

test('a pause of an application’s kind is told by its name, and until when', () => {
  const wait = { on: 'signal', name: 'gate north' } as const;
  const now = Date.UTC(2026, 0);
  expect(waitText({ wait, wakeAt: null, lastError: null }, now)).toBe(
    'waits for someone to wake it (gate north)',
  );
  const wakeAt = (now + 60_000) as never;
  expect(waitText({ wait, wakeAt, lastError: null }, now)).toMatch(/\(gate north\) until .*1m\)$/);
});
