/** Events that wake a step of a chain (L-50 to L-52, L-58, D10, X-06, X-07), on every store. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed, retry, waiting } from '../frontends/chain/results.ts';
import { deadly, expectRows, Script } from '../testing/chain-rows.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';

const two = chain('two', 1, ['FIRST', 'SECOND']);

onEveryStore('an event', (open) => {
  test('L-50: has the step ready at once, and what it waited for is cleared', async () => {
    const script = new Script(waiting('payment', '15m'));
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler } });
    lab.engine.parts.worker?.abandon();
    const other = await lab.beside([]);
    await other.advance('1m');
    const own = await other.engine.get(run.id);
    expect(await own?.send('payment', { paid: 5 })).toMatchObject({
      outcome: 'woken',
      instances: [run.id],
    });
    const clear = { wait: null, wakeAt: null, wake: { reason: 'event', payload: { paid: 5 } } };
    expect(await run.tokens()).toMatchObject([
      { status: 'ready', availableAt: lab.now, attempts: 0, visit: 2, ...clear },
      { status: 'created' },
    ]);
    const cleared = { waiting_event_type: null, deadline_at: null, attempts: 0 };
    await expectRows(lab, run, {
      instance: { status: 'RUNNING', current_step_seq: 0 },
      steps: [{ status: 'READY', next_run_at: lab.now, ...cleared }, { status: 'PENDING' }],
    });
    await other.engine.close();
  });

  test('L-50: of another type, or for another key, changes nothing', async () => {
    const script = new Script(waiting('payment', '15m'));
    const options = { handlers: { FIRST: script.handler }, key: 'order-42' };
    const { lab, run } = await begin(open, two, options);
    const before = await run.inspect();
    expect(await run.send('refund')).toMatchObject({ outcome: 'buffered', instances: [] });
    const wrong = { type: 'payment', key: 'order-43' };
    expect(await lab.engine.publish(wrong)).toMatchObject({ outcome: 'buffered', instances: [] });
    await lab.settle();
    // That somebody sent it something is a commit, and all there is of it.
    const { version, updatedAt } = await run.inspect();
    expect(await run.inspect()).toEqual({ ...before, version, updatedAt });
    expect(version).toBe(before.version + 1);
    const right = { type: 'payment', key: 'order-42' };
    expect(await lab.engine.publish(right)).toMatchObject({ outcome: 'woken' });
    await lab.settle();
    expect(script.told).toHaveLength(2);
  });

  test('L-51: is for the step that waits now, and for no other', async () => {
    const [first, second] = [
      new Script(waiting('go', '1h'), completed()),
      new Script(waiting('go', '1h'), completed()),
    ];
    const { lab, run } = await begin(open, two, {
      handlers: { FIRST: first.handler, SECOND: second.handler },
    });
    await run.send('go', 1);
    await lab.settle();
    // The one that woke the first step is used up: the second waits for another.
    expect(await run.tokens()).toMatchObject([{ status: 'completed' }, { status: 'waiting' }]);
    expect([first.told.length, second.told.length]).toEqual([2, 1]);
    await run.send('go', 2);
    await lab.settle();
    expect(second.told).toMatchObject([{ reason: 'first' }, { reason: 'event', event: 2 }]);
    expect(await run.status()).toBe('completed');
  });

  test('L-52 X-06: the same step runs again, and is told why and with what', async () => {
    const script = new Script(waiting('payment', '15m'), completed());
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler } });
    await run.send('payment', { paid: 5 });
    await lab.settle();
    expect(script.told).toMatchObject([
      { stepSeq: 0, stepType: 'FIRST', reason: 'first', event: null, attempt: 1 },
      { stepSeq: 0, stepType: 'FIRST', reason: 'event', event: { paid: 5 }, attempt: 1 },
    ]);
    // Another visit is another effect for whoever is handed the key.
    const [before, after] = script.told.map(({ idempotencyKey }) => idempotencyKey);
    expect(before).not.toBe(after);
  });

  test('L-58: the same event twice wakes it once', async () => {
    const script = new Script(waiting('tick', '1h'));
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler } });
    expect(await run.send('tick', 1, { id: 'm-1' })).toMatchObject({ outcome: 'woken' });
    expect(await run.send('tick', 1, { id: 'm-1' })).toMatchObject({ outcome: 'duplicate' });
    await lab.settle();
    expect(await run.send('tick', 1, { id: 'm-1' })).toMatchObject({ outcome: 'duplicate' });
    await lab.settle();
    expect(script.told).toHaveLength(2);
    expect(await run.tokens()).toMatchObject([{ status: 'waiting', visit: 2 }, {}]);
  });

  test('X-07: one that comes before the step waits is kept for it', async () => {
    const script = new Script(waiting('payment', '15m'), completed());
    const lab = await open([two]);
    const run = await lab.engine.start(two, {}, { key: 'order-42' });
    const early = { type: 'payment', key: 'order-42', data: { paid: 5 } };
    expect(await lab.engine.publish(early)).toMatchObject({ outcome: 'buffered' });
    const worker = await lab.beside([], { handlers: { FIRST: script.handler } });
    await worker.settle();
    expect(script.told).toMatchObject([{ reason: 'first' }, { reason: 'event' }]);
    expect(await run.tokens()).toMatchObject([{ status: 'completed' }, { status: 'ready' }]);
    await worker.engine.close();
  });

  test('waits and tries in any order: executions are counted, waits are not', async () => {
    const script = new Script(
      ...[waiting('a', '1h'), retry('1s', 'busy'), waiting('b', '1h'), waiting('c', '1h')],
      ...[retry('1s', 'busy'), completed()],
    );
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler } });
    await run.send('a', 'A');
    await lab.advance('1s');
    await run.send('b', 'B');
    await lab.settle();
    await lab.advance('1h');
    await lab.advance('1s');
    expect(script.told).toMatchObject([
      { reason: 'first', attempt: 1 },
      { reason: 'event', event: 'A', attempt: 1 },
      { reason: 'event', event: 'A', attempt: 2 },
      { reason: 'event', event: 'B', attempt: 2 },
      { reason: 'timeout', taskType: 'WAITING_TIMEOUT', attempt: 2 },
      { reason: 'timeout', taskType: 'WAITING_TIMEOUT', attempt: 3 },
    ]);
    expect(await run.tokens()).toMatchObject([{ status: 'completed', attempts: 2, visit: 4 }, {}]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});

onEveryStore('D10: why a step was woken is not lost', (open) => {
  const twice = [1, 2].map((attempt) => ({ reason: 'event', event: { paid: 5 }, attempt }));

  /** Its worker dies while it runs for the second time. */
  async function dying(script: Script): Promise<Lab> {
    const FIRST = deadly(
      script,
      (execution) => execution === 2,
      () => lab.crash(),
    );
    const lab: Lab = await open([two], { handlers: { FIRST } });
    return lab;
  }

  test('timed out, and its worker dies: it runs again as WAITING_TIMEOUT', async () => {
    const script = new Script(waiting('payment', '15m'), completed());
    const lab = await dying(script);
    const run = await lab.engine.start(two, {});
    await lab.advance('16m');
    expect(script.told).toMatchObject([
      { taskType: 'READY_STEP' },
      { taskType: 'WAITING_TIMEOUT', reason: 'timeout', attempt: 1 },
      { taskType: 'WAITING_TIMEOUT', reason: 'timeout', attempt: 2 },
    ]);
    expect(await run.tokens()).toMatchObject([{ status: 'completed', attempts: 1 }, {}]);
  });

  test('woken by an event, and its worker dies: it runs again with its event', async () => {
    const script = new Script(waiting('payment', '15m'), completed());
    const lab = await dying(script);
    const run = await lab.engine.start(two, {});
    await lab.settle();
    await run.send('payment', { paid: 5 });
    await lab.advance('1m');
    expect(script.told.slice(1)).toMatchObject(twice);
    expect(await run.tokens()).toMatchObject([{ status: 'completed' }, {}]);
  });

  test('woken by an event, it throws: it is tried again with its event', async () => {
    const script = new Script(waiting('payment'), new Error('bank is away'), completed());
    const { lab, run } = await begin(open, two, { handlers: { FIRST: script.handler } });
    await run.send('payment', { paid: 5 });
    await lab.advance('1m');
    expect(script.told.slice(1)).toMatchObject(twice);
    // It is one visit, however often it is tried: whoever charges the card must know.
    expect(script.told[1]?.idempotencyKey).toBe(script.told[2]?.idempotencyKey);
    expect(await run.tokens()).toMatchObject([{ status: 'completed' }, {}]);
  });
});
