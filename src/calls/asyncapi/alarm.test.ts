import { expect, test } from 'vitest';
import { HandAlarm } from '../../testing/hand-alarm.ts';
import { processAlarm, TIMER_MS_MAX, waitOr } from './alarm.ts';

test('an alarm rings', async () => {
  await new Promise<void>((resolve) => processAlarm.set(0, resolve));
  await new Promise<void>((resolve) => processAlarm.set(-1, resolve));
});

test('an alarm for further away than a timer goes does not ring at once', async () => {
  const warnings: string[] = [];
  const heard = ({ name }: Error): unknown => warnings.push(name);
  process.on('warning', heard);
  const cancel = [TIMER_MS_MAX, TIMER_MS_MAX + 1].map((ms) => processAlarm.set(ms, () => {}));
  await new Promise((resolve) => setImmediate(resolve));
  cancel.forEach((one) => one());
  process.off('warning', heard);
  // What Node says of a timer that it cannot keep, and lets ring after a millisecond.
  expect(warnings).not.toContain('TimeoutOverflowWarning');
});

test('a wait is over when its time is, or when nobody wants to wait any more', async () => {
  const alarm = new HandAlarm();
  const stop = new AbortController();
  const first = waitOr(alarm, 10, stop.signal);
  await alarm.ring(10);
  await first;
  const second = waitOr(alarm, 20, stop.signal);
  stop.abort();
  await second;
  await waitOr(alarm, 30, stop.signal);
});
