import { expect, test } from 'vitest';
import { flow } from './flow.ts';
import { codes, drawn, wrong } from '../../testing/flow-text.ts';

test('a step says what is to happen when its handler fails', () => {
  const retry = { maxAttempts: 5, delay: '2s' };
  const when = () => true;
  const line = flow('line')
    .step('plain', () => 1, {})
    .step('timed', () => 1, { priority: 2, timeout: '30s', deadline: '1h' })
    .step('tried', () => 1, { retry: { ...retry, when } })
    .step('parked', () => 1, { onFailure: 'incident', retry })
    .end();
  const settings = line.definition.draft.nodes.flatMap(({ kind, settings }) =>
    kind === 'step' ? [settings] : [],
  );
  const read = { maxAttempts: 5, delayMs: 2_000, backoff: 'fixed', maxDelayMs: 300_000, jitter: 0 };
  expect(settings).toEqual([
    {},
    { priority: 2, timeoutMs: 30_000, deadlineMs: 3_600_000 },
    { retry: { ...read, asks: true } },
    { retry: read, onFailure: 'incident' },
  ]);
  expect(line.definition.handlers.get('tried/:when')).toBe(when);
  expect(line.definition.handlers.has('parked/:when')).toBe(false);
});

test('what undoes a step stands beside its handler', () => {
  const undo = () => 2;
  const when = () => true;
  const line = flow('line')
    .step('short', () => 1, { undo })
    .step('long', () => 1, { undo: { do: undo, timeout: '5s' } })
    .step('tried', () => 1, { undo: { do: undo, retry: { maxAttempts: 2, when } } })
    .end();
  const { handlers, draft, diagnostics } = line.definition;
  expect(diagnostics).toEqual([]);
  expect([...handlers.keys()]).toEqual([
    ...['short', 'short/:undo', 'long', 'long/:undo'],
    ...['tried', 'tried/:undo', 'tried/:undo/:when'],
  ]);
  expect(handlers.get('short/:undo')).toBe(undo);
  expect(handlers.get('long/:undo')).toBe(undo);
  expect(handlers.get('tried/:undo/:when')).toBe(when);
  const undone = draft.nodes.flatMap(({ settings }) => settings['undo'] ?? []);
  expect(undone).toMatchObject([
    {},
    { timeoutMs: 5_000 },
    { retry: { maxAttempts: 2, asks: true } },
  ]);
  expect(undone[0]).toEqual({});
});

test('what undoes a step in a branch comes up with it', () => {
  const fanned = flow('fanned')
    .parallel('fan', {
      goods: (b) => b.step('ship', () => 1, { undo: () => 2 }),
      paper: (b) => b,
    })
    .end();
  expect(drawn(fanned)).toContain('ship step {"undo":{}} <handler :undo>');
});

test('everything wrong with the options of a step is said at once', () => {
  const options = {
    ...{ retry: { maxAttempts: 0 }, timeout: 0, deadline: 'never', priority: 1.5 },
    ...{ undo: { do: 'release', retry: { maxAttempts: 2, jitter: 7 }, timeout: '0s', when: 3 } },
    ...{ onFailure: 'fail', transactional: 'yes' },
  };
  expect(wrong((b) => b.step('pay', () => 1, options))).toEqual([
    'retry.bad-max-attempts at pay - the retry.maxAttempts of "pay" is a whole number, ' +
      '1 or more; came 0',
    'option.unknown at pay - undo of "pay" has no option "when"; it knows "do", "retry", "timeout"',
    'step.bad-undo at pay - the undo of "pay" is a function, or { do, retry, timeout } with one; ' +
      'came "release"',
    'retry.bad-jitter at pay - the undo.retry.jitter of "pay" is a number from 0 to 1; came 7',
    'step.bad-timeout at pay - the undo.timeout of "pay" is longer than 0; came "0s"',
    'step.bad-priority at pay - the priority of "pay" is a whole number; came 1.5',
    'step.bad-timeout at pay - the timeout of "pay" is longer than 0; came 0',
    expect.stringMatching(/^step.bad-deadline at pay - the deadline of "pay": .*; came "never"$/),
    `step.bad-on-failure at pay - the onFailure of "pay" is 'incident'; came "fail"`,
    'step.bad-transactional at pay - "transactional" of "pay" is true or false; came "yes"',
  ]);
});

test('an undo of any other kind is refused in words', () => {
  for (const undo of [null, 3, 'release', [], {}, { timeout: '1s' }, { do: null }]) {
    expect(codes((b) => b.step('pay', () => 1, { undo }))).toEqual(['step.bad-undo']);
  }
});
