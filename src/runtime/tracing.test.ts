/** Spans, on every store: who did what for whom, over restarts, messages and other flows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpanStatusCode } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, waiting } from '../frontends/chain/results.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Store } from '../stores/store.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import { onEveryStore, type OpenLab } from '../testing/lab.ts';
import { isChildOf, Spans, traceIdOf } from '../testing/spans.ts';
import { Gate } from '../testing/stage.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { createEngine } from './engine.ts';

const spans = new Spans();
beforeEach(() => spans.register());
afterEach(() => spans.unregister());

const order = flow<null>('order')
  .step('pay', () => 'paid')
  .step('ship', () => 'sent')
  .end();

onEveryStore('a start', (open) => {
  test('is part of what its caller does, and its steps are part of it', async () => {
    const lab = await open([order]);
    const run = await spans.within('request', () =>
      lab.engine.start(order, null, { tenant: 'acme' }),
    );
    await lab.settle();
    const start = spans.one('perdure.start');
    expect(isChildOf(start, spans.one('request'))).toBe(true);
    expect(isChildOf(spans.step('pay'), start)).toBe(true);
    expect(isChildOf(spans.step('ship'), start)).toBe(true);
    expect(start.attributes).toEqual({
      'perdure.flow': 'order',
      'perdure.flow.version': 1,
      'perdure.instance': run.id,
      'perdure.tenant': 'acme',
    });
  });

  test('of which nobody asked is the first of its own trace', async () => {
    const lab = await open([order]);
    await lab.engine.start(order, null);
    await lab.engine.start(order, null);
    await lab.settle();
    const traces = spans.named('perdure.start').map(traceIdOf);
    expect(new Set(traces).size).toBe(2);
    expect(new Set(spans.all.map(traceIdOf))).toEqual(new Set(traces));
  });

  test('that is refused says why', async () => {
    const lab = await open([order]);
    await expect(lab.engine.start('nothing', null)).rejects.toThrow('nothing');
    const { status, events } = spans.one('perdure.start');
    expect(status.code).toBe(SpanStatusCode.ERROR);
    expect(events).toMatchObject([{ name: 'exception' }]);
  });
});

onEveryStore('a step', (open) => {
  test('says which it is, and has no values in it', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, null);
    await lab.settle();
    expect(spans.step('ship').attributes).toEqual({
      'perdure.flow': 'order',
      'perdure.flow.version': 1,
      'perdure.instance': run.id,
      'perdure.node': 'ship',
      'perdure.token': expect.any(Number),
      'perdure.attempt': 1,
      'perdure.worker': expect.any(String),
      'perdure.handler': 'order@1/ship',
      'perdure.outcome': 'done',
    });
    expect(JSON.stringify(spans.all.map(({ attributes }) => attributes))).not.toMatch(/paid|sent/);
  });

  test('is around what its handler does, be that in a span or after a wait', async () => {
    const gate = new Gate<string>();
    const job = flow('job')
      .step('work', async () => {
        await gate.opened;
        return spans.within('query', async () => 'rows');
      })
      .end();
    const lab = await open([job]);
    await lab.engine.start(job, null);
    gate.open('now');
    await lab.settle();
    expect(isChildOf(spans.one('query'), spans.step('work'))).toBe(true);
  });

  test('that fails says what it failed with, each time', async () => {
    const job = flow('job')
      .step('work', () => Promise.reject(Object.assign(new Error('no money'), { code: 'bank' })), {
        retry: { maxAttempts: 2, delay: '1s' },
      })
      .end();
    const lab = await open([job]);
    await lab.engine.start(job, null);
    await lab.advance('1m');
    const steps = spans.named('perdure.step');
    const told = steps.map(({ attributes: a }) => [a['perdure.attempt'], a['perdure.outcome']]);
    expect(told).toEqual([
      [1, 'retry'],
      [2, 'failed'],
    ]);
    for (const { status, events } of steps) {
      expect(status).toEqual({ code: SpanStatusCode.ERROR, message: 'no money' });
      const attributes = { 'exception.type': 'bank', 'exception.message': 'no money' };
      expect(events).toMatchObject([{ name: 'exception', attributes }]);
    }
    expect(new Set(steps.map(traceIdOf)).size).toBe(1);
  });

  test('that takes too long ends when it is given up on', async () => {
    const job = flow('job')
      .step('work', () => new Gate<string>().opened, { timeout: '1s' })
      .end();
    const lab = await open([job]);
    await lab.engine.start(job, null);
    await lab.advance('1m');
    expect(spans.step('work').status.code).toBe(SpanStatusCode.ERROR);
  });

  test('whose worker died is run again in the same trace', async () => {
    let runs = 0;
    const job = flow('job')
      .step('work', () => (++runs === 1 ? new Gate<string>().opened : 'done'))
      .end();
    const lab = await open([job]);
    await spans.within('request', () => lab.engine.start(job, null));
    await lab.tick(0);
    lab.crash();
    await lab.advance('1m');
    expect(traceIdOf(spans.step('work'))).toBe(traceIdOf(spans.one('request')));
    expect(spans.step('work').attributes['perdure.attempt']).toBe(2);
  });
});

onEveryStore('a commit', (open) => {
  test('is part of what brought it, and says how much it changed', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, null);
    await lab.settle();
    const history = await run.history();
    const commits = spans.named('perdure.commit');
    expect(commits.map(({ attributes }) => attributes['perdure.commit'])).toEqual([1, 2, 3]);
    expect(commits.map(({ attributes }) => attributes['perdure.changes'])).toEqual(
      history.map(({ changes }) => changes.length),
    );
    expect(commits.map(({ attributes }) => attributes['perdure.outcome'])).toEqual(
      Array(3).fill('committed'),
    );
    const [first, second, third] = commits;
    expect(isChildOf(first, spans.one('perdure.start'))).toBe(true);
    expect(isChildOf(second, spans.step('pay'))).toBe(true);
    expect(isChildOf(third, spans.step('ship'))).toBe(true);
  });
});

const paying = flow<null>('paying')
  .waitFor('paid', { event: 'paid' })
  .step('ship', () => 'sent')
  .end();

/** Who waited in one trace is told in another. */
async function told(open: OpenLab, job: Flow<null>, isEarly: boolean): Promise<void> {
  const lab = await open([job]);
  const publish = () => lab.engine.publish({ type: 'paid', key: 'k' });
  if (isEarly) await spans.within('bank', publish);
  await spans.within('shop', () => lab.engine.start(job, null, { key: 'k' }));
  await lab.settle();
  if (!isEarly) await spans.within('bank', publish);
  await lab.settle();
}

onEveryStore('a message', (open) => {
  test.each([false, true])('brings its trace to who waited (kept first: %s)', async (isEarly) => {
    await told(open, paying, isEarly);
    const publish = spans.one('perdure.publish');
    expect(isChildOf(publish, spans.one('bank'))).toBe(true);
    expect(isChildOf(spans.one('perdure.deliver'), publish)).toBe(true);
    expect(isChildOf(spans.step('ship'), publish)).toBe(true);
    const { 'perdure.message.type': type } = publish.attributes;
    expect(type).toBe('paid');
  });

  test('is found from the trace that waited, by a link of its commit', async () => {
    await told(open, paying, false);
    const deliver = spans.one('perdure.deliver');
    const commit = spans.named('perdure.commit').find((span) => isChildOf(span, deliver));
    const links = commit?.links.map(({ context: linked }) => linked.traceId);
    expect(links).toEqual([traceIdOf(spans.one('shop'))]);
  });

  test('that runs a step of a chain again is linked with the trace that waited', async () => {
    const orders = chain('orders', 1, ['ask']);
    const ask = ({ event }: { event: unknown }) => (event === null ? waiting('paid') : completed());
    const lab = await open([orders], { handlers: { ask } });
    await spans.within('shop', () => lab.engine.start(orders, {}, { key: 'k' }));
    await lab.settle();
    await spans.within('bank', () => lab.engine.publish({ type: 'paid', key: 'k', data: 1 }));
    await lab.settle();
    const [first, second] = spans.named('perdure.step');
    expect(traceIdOf(first)).toBe(traceIdOf(spans.one('shop')));
    expect(isChildOf(second, spans.one('perdure.publish'))).toBe(true);
    const links = second?.links.map(({ context: linked }) => linked.traceId);
    expect(links).toEqual([traceIdOf(spans.one('shop'))]);
  });

  test('that a flow emits is part of the trace of who emits it', async () => {
    const teller = flow<null>('teller').emit('tell', { type: 'paid', key: 'k', data: 1 }).end();
    const lab = await open([paying, teller]);
    await lab.engine.start(paying, null, { key: 'k' });
    await lab.settle();
    await spans.within('till', () => lab.engine.start(teller, null));
    await lab.settle();
    expect(traceIdOf(spans.step('ship'))).toBe(traceIdOf(spans.one('till')));
  });
});

onEveryStore('a flow that another calls', (open) => {
  test('is part of the same trace, and so is what comes after it', async () => {
    const caller = flow<null>('caller')
      .call('sub', order, () => null)
      .step('after', () => 'all done')
      .end();
    const lab = await open([caller]);
    await spans.within('request', () => lab.engine.start(caller, null));
    await lab.settle();
    expect(new Set(spans.all.map(traceIdOf))).toEqual(new Set([traceIdOf(spans.one('request'))]));
    const [outer, inner] = spans.named('perdure.start');
    expect(isChildOf(inner, outer)).toBe(true);
    expect(isChildOf(spans.step('pay'), inner)).toBe(true);
    expect(isChildOf(spans.step('after'), outer)).toBe(true);
  });
});

describe('another process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-traces-'));
  const open = (): Store => sqlite(join(folder, 'store.db'));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('goes on in the trace that one before it began', async () => {
    const first = await createEngine({ store: open(), flows: [order], worker: false });
    const run = await spans.within('request', () => first.start(order, null));
    await first.close();
    expect(spans.named('perdure.step')).toEqual([]);

    const second = await createEngine({ store: open(), flows: [order] });
    const again = await second.get(run.id);
    await again?.result();
    await second.close();
    const start = spans.one('perdure.start');
    expect(isChildOf(spans.step('pay'), start)).toBe(true);
    expect(isChildOf(spans.step('ship'), start)).toBe(true);
  });
});

test('what is known to be a secret is in no span', async () => {
  const job = flow('job')
    .step('work', () => Promise.reject(new Error('the key s3cr3t-key was refused')))
    .end();
  const kit = createTestEngine({ flows: [job], secrets: { bank: { key: 's3cr3t-key' } } });
  await kit.start(job, null);
  await kit.runUntilIdle();
  await kit.close();
  const { status, events } = spans.step('work');
  expect(status.message).toBe('the key *** was refused');
  expect(JSON.stringify(events)).not.toContain('s3cr3t');
});

describe('without an SDK', () => {
  async function changesOf(): Promise<string> {
    const kit = createTestEngine({ flows: [order, paying] });
    const runs = [
      await kit.start(order, null, { id: 'a' }),
      await kit.start(paying, null, { id: 'b', key: 'k' }),
    ];
    await kit.runUntilIdle();
    await kit.engine.publish({ type: 'paid', key: 'k', id: 'm' });
    await kit.runUntilIdle();
    const histories = await Promise.all(runs.map((run) => run.history()));
    await kit.close();
    const changes = histories.flat().flatMap((entry) => entry.changes);
    return JSON.stringify(changes).replaceAll(/"worker":"[^"]+"/g, '');
  }

  test('nothing is traced, and histories have nothing of it in them', async () => {
    const traced = await changesOf();
    spans.unregister();
    const plain = await changesOf();
    expect(plain).not.toContain('trace');
    // All that is otherwise where there is one are the traces themselves.
    const rest = traced
      .replaceAll(/,"trace":"00-[^"]+"/g, '')
      .replaceAll(/,"left":"00-[^"]+"/g, '');
    expect(rest).toBe(plain);
    expect(traced).not.toBe(plain);
  });

  test('an engine goes on as it was made, whatever is registered later', async () => {
    spans.unregister();
    const kit = createTestEngine({ flows: [order] });
    spans.register();
    await kit.start(order, null);
    await kit.runUntilIdle();
    await kit.close();
    expect(spans.all).toEqual([]);
  });
});
