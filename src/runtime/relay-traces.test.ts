/** Letters and traces: what leaves an engine is part of what it was written in. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { webhook } from '../calls/webhook.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { ClaimedLetter } from '../stores/letters.ts';
import { gateKind } from '../testing/gates.ts';
import { startHttpServer } from '../testing/http-server.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Receiver } from '../testing/receiver.ts';
import { Spans } from '../testing/spans.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { workflow } from '../testing/workflows.ts';
import type { Around } from '../testing/wrapped-store.ts';
import { traceparentOf } from './traceparent.ts';

const spans = new Spans();
beforeEach(() => spans.register());
afterEach(() => spans.unregister());

const OUT = { outbox: true } as const;
const telling = flow<null>('telling')
  .emit('before', { type: 'before', data: 1 }, OUT)
  .waitFor('paid', { event: 'paid', key: 'k' })
  .emit('after', { type: 'after', data: 2 }, OUT)
  .end();

/** That of the only span of this name. */
function traceOf(name: string): string {
  return traceparentOf(spans.one(name).spanContext());
}

function tracesIn({ attempts }: Receiver): readonly (string | undefined)[] {
  return attempts.map(({ trace }) => trace);
}

onEveryStore('a letter', (open) => {
  test('is part of the trace of whoever wrote it, each time it is sent', async () => {
    const to = new Receiver(({ attempt }) => (attempt === 1 ? new Error('away') : 'take'));
    const lab = await open([telling], { outbox: to });
    await lab.engine.start(telling, null);
    await lab.settle();
    lab.crash();
    await lab.advance('1m');
    expect(tracesIn(to)).toEqual(Array(2).fill(traceOf('perdure.start')));
    expect(Object.isFrozen(to.attempts[0])).toBe(true);
  });

  test('that is written after a message is part of the message’s trace', async () => {
    const to = new Receiver();
    const lab = await open([telling], { outbox: to });
    await lab.engine.start(telling, null);
    await lab.engine.publish({ type: 'paid', key: 'k' });
    await lab.settle();
    expect(tracesIn(to)).toEqual([traceOf('perdure.start'), traceOf('perdure.publish')]);
  });

  test('says nothing of a trace where there is none', async () => {
    spans.unregister();
    const to = new Receiver(() => new Error('away'));
    const lab = await open([telling], { outbox: to });
    await lab.engine.start(telling, null);
    await lab.settle();
    expect(to.attempts).toHaveLength(1);
    expect(to.attempts[0]).not.toHaveProperty('trace');
    // In memory there are no rows to look at.
    const rows = (await lab.peek('letter')) ?? [{ trace: null }];
    expect(rows).toMatchObject([{ trace: null }]);
  });

  test('whose trace is none, because someone has edited it, goes out without', async () => {
    const to = new Receiver();
    const around: Around = async (verb, call) => {
      const answer = await call();
      if (verb !== 'letters.claim') return answer;
      return (answer as readonly ClaimedLetter[]).map((each) => ({ ...each, trace: 'no\ntrace' }));
    };
    const lab = await open([telling], { outbox: to, around });
    await lab.engine.start(telling, null);
    await lab.settle();
    expect(to.taken).toHaveLength(1);
    expect(to.taken[0]).not.toHaveProperty('trace');
  });
});

test('what is sent when a wait is over is part of the trace of who waited', async () => {
  const hold = gateKind('acme.gate');
  const job = flow<null>('job')
    .parallel('both', {
      a: (b) => b.node('hold', hold, { gate: 'a' }),
      b: (b) => b.waitFor('paid', { event: 'paid' }).terminate('stop'),
    })
    .end();
  const to = new Receiver();
  const kit = createTestEngine({ flows: [job], outbox: to });
  await kit.start(job, null, { key: 'k' });
  await kit.runUntilIdle();
  await kit.engine.publish({ type: 'paid', key: 'k' });
  await kit.runUntilIdle();
  await kit.close();
  expect(to.taken.map(({ type }) => type)).toEqual(['arm', 'disarm cancelled']);
  expect(tracesIn(to)).toEqual(Array(2).fill(traceOf('perdure.start')));
});

test('what is told of a workflow is part of its trace, to the last', async () => {
  const napping = workflow('do: [{ nap: { wait: PT1H } }]');
  const to = new Receiver();
  const kit = createTestEngine({ flows: [napping], outbox: to });
  const run = await kit.start(napping, {});
  await kit.runUntilIdle();
  await run.cancel();
  await kit.runUntilIdle();
  await kit.close();
  expect(to.taken.at(-1)?.type).toBe('io.serverlessworkflow.workflow.cancelled.v1');
  expect(new Set(tracesIn(to))).toEqual(new Set([traceOf('perdure.start')]));
});

test('a receiver elsewhere is asked as part of the trace of who wrote to it', async () => {
  const server = await startHttpServer(() => ({ status: 204 }));
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const outbox = webhook({ url: server.url, secret });
  const kit = createTestEngine({ flows: [telling], outbox });
  await kit.start(telling, null);
  await kit.runUntilIdle();
  await kit.close();
  await server.close();
  const asked = server.requests.map(({ headers }) => headers['traceparent']);
  expect(asked).toEqual([traceOf('perdure.start')]);
});
