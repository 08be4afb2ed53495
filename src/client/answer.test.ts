/** What handlers return and throw, as the API is told it. */
import { expect, test } from 'vitest';
import { completed, dead, retry, waiting } from '../frontends/chain/results.ts';
import { outcome } from '../frontends/flowchart/results.ts';
import { answerOf, failureOf } from './answer.ts';
import { type Assigned, executionOf, handlerFor } from './step.ts';

const step: Assigned = {
  ...{ id: 'w-1', instance: 'i-1', token: 1, flow: 'order', version: 2, node: 'charge' },
  ...{ key: null, tenant: null, handler: 'order@2/charge', type: 'charge', attempt: 1 },
  ...{ idempotencyKey: 'i-1/1/1', wake: { reason: 'first', payload: null }, event: null },
  ...{ input: null, results: {}, vars: {}, item: null, index: null, until: 1 },
};
const link: Assigned = { ...step, context: { items: 1 } };
const activity: Assigned = { ...step, activity: 'look', config: {} };
const { signal } = new AbortController();

test.each([
  [step, { became: 'waiting' }, 'complete', { result: { became: 'waiting' } }],
  [step, undefined, 'complete', { result: null }],
  [step, 12n, 'fail', { error: { code: 'handler.result-not-json' } }],
  [link, undefined, 'complete', {}],
  [link, completed(), 'complete', {}],
  [link, waiting('paid'), 'complete', { waiting: { type: 'paid', outbound: [] } }],
  [link, waiting('paid', '1h', [{ type: 'ask' }]), 'complete', { waiting: { timeout: '1h' } }],
  [link, retry('5s', 'busy'), 'fail', { error: { code: 'chain.retry' }, retryAfter: '5s' }],
  [link, retry(null, 'busy'), 'fail', { error: { code: 'chain.retry', message: 'busy' } }],
  [link, dead('no'), 'fail', { error: { code: 'chain.dead', message: 'no', fatal: true } }],
  [link, { paid: true }, 'fail', { error: { code: 'chain.bad-result' } }],
  [activity, { marks: 3 }, 'complete', { result: { marks: 3 } }],
  [activity, outcome('True', 7), 'complete', { outcomes: ['True'], result: 7 }],
  [activity, waiting('seen'), 'complete', { waiting: { type: 'seen' } }],
])('%#: what a handler returns is told as the engine would take it', (work, returned, as, body) => {
  expect(answerOf(executionOf(work, signal), returned)).toMatchObject({ as, body });
});

test('a wait without an end has no timeout', () => {
  const { body } = answerOf(executionOf(link, signal), waiting('paid'));
  expect(body['waiting']).toEqual({ type: 'paid', outbound: [] });
});

test('the context of a chain is told if the handler has altered it, and only then', () => {
  const execution = executionOf(link, signal);
  expect(answerOf(execution, undefined).body).toEqual({});
  (execution.step.context as { items: number }).items = 2;
  expect(answerOf(execution, undefined).body).toEqual({ context: { items: 2 } });
  expect(answerOf(execution, retry(null, 'no')).body).toMatchObject({ context: { items: 2 } });
  expect(link.context).toEqual({ items: 1 });
});

test('an error says what it is, whether to try again, and when', () => {
  const more = { code: 'bank.busy', details: { queue: 4 }, retryAfter: '5m' };
  expect(failureOf(Object.assign(new TypeError('later'), more))).toEqual({
    as: 'fail',
    body: {
      error: { code: 'bank.busy', message: 'TypeError: later', details: { queue: 4 } },
      retryAfter: '5m',
    },
  });
  const fatal = Object.assign(new Error('never'), { fatal: true, details: 1n, retryAfter: 'soon' });
  expect(failureOf(fatal).body).toEqual({ error: { message: 'never', fatal: true } });
  expect(failureOf('a text').body).toEqual({ error: { message: 'a text' } });
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap');
      },
    },
  );
  expect(failureOf(trap).body).toEqual({ error: { message: 'something unreadable was thrown' } });
});

test('a handler is found by the whole name, by flow and step, and by type, in this order', () => {
  const all = { 'order@2/charge': () => 1, 'order/charge': () => 2, charge: () => 3 };
  const { 'order@2/charge': whole, 'order/charge': any, charge } = all;
  expect(handlerFor(all, step)).toBe(whole);
  expect(handlerFor({ 'order/charge': any, charge }, step)).toBe(any);
  expect(handlerFor({ charge }, step)).toBe(charge);
  expect(handlerFor({}, { ...step, type: 'toString' })).toBe(undefined);
});
