/** What is shown of work that is done elsewhere: the same as of what is done here. */
import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { flow } from '../../frontends/builder/flow.ts';
import { remote } from '../../frontends/builder/remote.ts';
import { chain } from '../../frontends/chain/chain.ts';
import { type Lab, onEveryStore } from '../../testing/lab.ts';
import { isChildOf, Spans, traceIdOf } from '../../testing/spans.ts';
import type { Measurement } from '../measuring.ts';
import { traceparentOf } from '../traceparent.ts';
import type { Assignment } from './assignment.ts';

const spans = new Spans();
beforeEach(() => spans.register());
afterEach(() => spans.unregister());

const W = { worker: 'w1' };
const job = flow<null>('job')
  .step('work', remote<string>(), {
    ...{ retry: { maxAttempts: 2, delay: '10s' }, timeout: '1m' },
  })
  .end();

async function fetchOne(lab: Lab, worker = 'w1', handler = 'job/work'): Promise<Assignment> {
  const [found] = await lab.engine.work.fetch({ worker, handlers: [handler], lease: '20s' });
  if (found === undefined) throw new Error(`there is no work for ${handler}`);
  return found;
}

/** Whatever is told of steps and claims from now on. */
function observed({ engine }: Lab): readonly Measurement[] {
  const told: Measurement[] = [];
  const ofWork = new Set(['step', 'retry', 'lease-lost', 'lease-recovered', 'dropped']);
  engine.observe((measurement) => {
    if (ofWork.has(measurement.what)) told.push(measurement);
  });
  return told;
}

const NODE = { flow: 'job', node: 'work' };

/** In milliseconds, since when and for how long. */
function timesOf({ startTime, duration }: ReadableSpan): readonly number[] {
  return [startTime, duration].map(([seconds, nanos]) => seconds * 1_000 + nanos / 1_000_000);
}

onEveryStore('a step that is done elsewhere', (open) => {
  test('is measured from its claim to its answer', async () => {
    const lab = await open([job]);
    const told = observed(lab);
    await lab.engine.start(job, null);
    await lab.advance('3s');
    const { id } = await fetchOne(lab);
    await lab.advance('7s');
    await lab.engine.work.complete(id, { ...W, result: 'done' });
    expect(told).toEqual([
      { what: 'step', ...NODE, outcome: 'done', attempt: 1, ms: 7_000, queuedMs: 3_000 },
    ]);
  });

  test('is measured once, however often the same is answered', async () => {
    const lab = await open([job]);
    const told = observed(lab);
    await lab.engine.start(job, null);
    const { id } = await fetchOne(lab);
    const failed = { ...W, error: { message: 'no' } };
    await lab.engine.work.fail(id, failed);
    expect(await lab.engine.work.fail(id, failed)).toMatchObject({ repeated: true });
    await lab.advance('10s');
    const again = await fetchOne(lab);
    await lab.engine.work.complete(again.id, { ...W, result: 1 });
    const repeated = await lab.engine.work.complete(again.id, { ...W, result: 1 });
    expect(repeated).toMatchObject({ repeated: true });
    expect(told).toEqual([
      { what: 'retry', ...NODE, attempt: 1, waitMs: 10_000 },
      { what: 'step', ...NODE, outcome: 'retry', attempt: 1, ms: 0, queuedMs: 0 },
      { what: 'step', ...NODE, outcome: 'done', attempt: 2, ms: 0, queuedMs: 0 },
    ]);
    expect(spans.named('perdure.step')).toHaveLength(2);
  });

  test('whose answer came too late is told of as dropped, and shown as no step', async () => {
    const lab = await open([job]);
    const told = observed(lab);
    await lab.engine.start(job, null);
    const late = await fetchOne(lab);
    await lab.advance('30s');
    await fetchOne(lab, 'w2');
    const lost = { code: 'work.lost' };
    await expect(lab.engine.work.extend(late.id, W)).rejects.toMatchObject(lost);
    await expect(lab.engine.work.complete(late.id, W)).rejects.toMatchObject(lost);
    expect(told).toEqual([
      { what: 'lease-recovered', ...NODE },
      { what: 'lease-lost', where: 'renewing' },
      { what: 'lease-lost', where: 'result' },
      { what: 'dropped', reason: 'lease lost' },
    ]);
    expect(spans.named('perdure.step')).toEqual([]);
  });

  test('of another tenant is told to nobody', async () => {
    const lab = await open([job]);
    const told = observed(lab);
    await lab.engine.start(job, null, { tenant: 'acme' });
    await lab.settle();
    const { id } = await fetchOne(lab);
    const other = { ...W, tenant: 'evil' };
    const lost = { code: 'work.lost' };
    await expect(lab.engine.work.extend(id, other)).rejects.toMatchObject(lost);
    await expect(lab.engine.work.complete(id, other)).rejects.toMatchObject(lost);
    expect(told).toEqual([]);
  });

  test('is a span from its claim to its answer, in the trace of its token', async () => {
    const lab = await open([job]);
    const run = await spans.within('request', () =>
      lab.engine.start(job, null, { tenant: 'acme' }),
    );
    await lab.settle();
    const { id, token, trace } = await fetchOne(lab);
    const claimed = lab.now;
    await lab.advance('7s');
    await lab.engine.work.complete(id, { ...W, result: 'the result' });
    const start = spans.one('perdure.start');
    expect(trace).toBe(traceparentOf(start.spanContext()));
    const step = spans.step('work');
    expect(isChildOf(step, start)).toBe(true);
    expect(timesOf(step)).toEqual([claimed, 7_000]);
    expect(step.status.code).toBe(SpanStatusCode.UNSET);
    expect(step.attributes).toEqual({
      'perdure.flow': 'job',
      'perdure.flow.version': 1,
      'perdure.instance': run.id,
      'perdure.tenant': 'acme',
      'perdure.node': 'work',
      'perdure.token': token,
      'perdure.attempt': 1,
      'perdure.worker': 'w1',
      'perdure.handler': 'job@1/work',
      'perdure.outcome': 'done',
      'perdure.remote': true,
    });
  });

  test('that fails is a span that says what it failed with, each time', async () => {
    const lab = await open([job]);
    await lab.engine.start(job, null);
    for (const message of ['first', 'second']) {
      const { id } = await fetchOne(lab);
      await lab.engine.work.fail(id, { ...W, error: { message, code: 'bank' } });
      await lab.advance('10s');
    }
    const steps = spans.named('perdure.step');
    expect(steps.map(({ attributes }) => attributes['perdure.outcome'])).toEqual([
      ...['retry', 'failed'],
    ]);
    for (const [n, message] of ['first', 'second'].entries()) {
      expect(steps[n]?.status).toEqual({ code: SpanStatusCode.ERROR, message });
      const attributes = { 'exception.type': 'bank', 'exception.message': message };
      expect(steps[n]?.events).toMatchObject([{ name: 'exception', attributes }]);
    }
  });

  test('that takes too long is shown when it is given up on', async () => {
    const lab = await open([job]);
    const told = observed(lab);
    await lab.engine.start(job, null);
    await lab.engine.work.fetch({ ...W, handlers: ['job/work'], lease: '1h' });
    await lab.pass('1m');
    const step = { what: 'step', ...NODE, outcome: 'retry', attempt: 1, queuedMs: 0 };
    expect(told).toContainEqual({ ...step, ms: 60_000 });
    expect(spans.step('work').status.code).toBe(SpanStatusCode.ERROR);
    expect(spans.step('work').attributes).toMatchObject({
      ...{ 'perdure.remote': true, 'perdure.handler': 'job@1/work' },
    });
  });

  test('of a chain that waits says so, and is linked with the trace it left', async () => {
    const orders = chain('orders', 1, ['ASK']);
    const lab = await open([orders]);
    const told = observed(lab);
    await spans.within('shop', () => lab.engine.start(orders, {}, { key: 'k' }));
    const asked = await fetchOne(lab, 'w1', 'ASK');
    await lab.engine.work.complete(asked.id, { ...W, waiting: { type: 'paid' } });
    await lab.engine.publish({ type: 'paid', key: 'k' });
    await lab.settle();
    const again = await fetchOne(lab, 'w1', 'ASK');
    expect(again.trace).toBe(traceparentOf(spans.one('perdure.publish').spanContext()));
    await lab.engine.work.complete(again.id, W);
    expect(told).toMatchObject([{ outcome: 'waiting' }, { outcome: 'done' }]);
    const [, second] = spans.named('perdure.step');
    const links = second?.links.map((link) => link.context.traceId);
    const isChild = isChildOf(second, spans.one('perdure.publish'));
    expect({ isChild, links }).toEqual({ isChild: true, links: [traceIdOf(spans.one('shop'))] });
  });

  test('has no trace where nobody traces', async () => {
    spans.unregister();
    const lab = await open([job]);
    await lab.engine.start(job, null);
    const work = await fetchOne(lab);
    expect(work).not.toHaveProperty('trace');
    await lab.engine.work.complete(work.id, W);
    expect(spans.all).toEqual([]);
  });
});
