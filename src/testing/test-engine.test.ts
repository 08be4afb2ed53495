import { describe, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed, dead, waiting } from '../frontends/chain/results.ts';
import type { StepResult } from '../model/chain.ts';
import type { ChainHandler } from '../runtime/links.ts';
import type { Chaos } from './chaos-store.ts';
import { Gate, settled } from './stage.ts';
import { createTestEngine, type TestEngineOptions } from './test-engine.ts';

const DAY = 86_400_000;

const greet = flow<{ name: string }>('greet')
  .step('hello', ({ input }) => `hello ${input.name}`)
  .step('bye', ({ results }) => `${results.hello}, bye`)
  .end(({ results }) => results.bye);

describe('the virtual clock', () => {
  test('advance stops at every moment something is due, as long as real time would', async () => {
    const moments: number[] = [];
    const daily = flow('daily')
      .repeat('days', { times: 10 }, (b) =>
        b.sleep('day', '1d').step('note', () => void moments.push(kit.now - begin)),
      )
      .end();
    const kit = createTestEngine({ flows: [daily] });
    const begin = kit.now;
    const run = await kit.start(daily, null);
    await kit.advance('7d');
    expect(moments).toEqual([1, 2, 3, 4, 5, 6, 7].map((day) => day * DAY));
    expect(kit.now - begin).toBe(7 * DAY);
    expect(await run.status()).toBe('waiting');
    await kit.advance('3d');
    await run.result();
    expect(moments).toHaveLength(10);
  });

  test('sleepers of many instances wake in the order of their moments', async () => {
    const woken: [number, number][] = [];
    const nap = flow<number>('nap')
      .sleep('nap', ({ input }) => input)
      .step('note', ({ input }) => void woken.push([input, kit.now - begin]))
      .end();
    const kit = createTestEngine({ flows: [nap] });
    const begin = kit.now;
    const lengths = [5_000, 1, 300, 299, 86_400_000, 0];
    await Promise.all(lengths.map((ms) => kit.start(nap, ms)));
    await kit.advance('1d');
    expect(woken).toEqual(lengths.toSorted((a, b) => a - b).map((ms) => [ms, ms]));
  });

  test('a timer is not early by a millisecond, and not late', async () => {
    const nap = flow('nap').sleep('nap', '1h').end();
    const kit = createTestEngine({ flows: [nap] });
    const run = await kit.start(nap, null);
    await kit.advance(3_599_999);
    expect(await run.status()).toBe('waiting');
    await kit.advance(1);
    expect(await run.status()).toBe('completed');
  });

  test('time never passes by itself', async () => {
    const nap = flow('nap').sleep('nap', 1).end();
    const kit = createTestEngine({ flows: [nap, greet] });
    const begin = kit.now;
    const run = await kit.start(nap, null);
    await (await kit.start(greet, { name: 'Ann' })).result();
    await kit.runUntilIdle();
    await settled(100);
    expect(kit.now).toBe(begin);
    expect(await run.status()).toBe('waiting');
  });

  test('it begins where it is told to', async () => {
    const kit = createTestEngine({ flows: [greet], now: 1_000 });
    const run = await kit.start(greet, { name: 'Ann' });
    expect(await run.inspect()).toMatchObject({ createdAt: 1_000 });
    expect(createTestEngine({ flows: [] }).now).toBe(Date.UTC(2026, 0));
  });

  test('a duration that is none is refused', async () => {
    const kit = createTestEngine({ flows: [] });
    await expect(kit.advance('a while')).rejects.toMatchObject({ code: 'duration.invalid' });
  });

  test('a flow that wakes itself for ever is found out', async () => {
    const restless = flow('restless')
      .repeat('ever', { while: () => true }, (b) => b.sleep('blink', 1))
      .end();
    const kit = createTestEngine({ flows: [restless], momentsMax: 100 });
    const begin = kit.now;
    await kit.start(restless, null);
    await kit.advance(100);
    await expect(kit.advance('1d')).rejects.toThrow('after 100 moments (momentsMax)');
    expect(kit.now - begin).toBe(200);
  });
});

describe('runUntilIdle', () => {
  test('runs everything that needs no time, and comes back', async () => {
    const kit = createTestEngine({ flows: [greet] });
    const runs = await Promise.all(
      Array.from({ length: 100 }, (_, n) => kit.start(greet, { name: `${n}` })),
    );
    await kit.runUntilIdle();
    for (const run of runs) expect(await run.status()).toBe('completed');
  });

  test('waits for handlers that take their time', async () => {
    const gate = new Gate<string>();
    const kit = createTestEngine({ flows: [greet] });
    kit.mock('hello', () => gate.opened);
    const run = await kit.start(greet, { name: 'x' });
    const idle = kit.runUntilIdle();
    await settled();
    gate.open('at last');
    await idle;
    expect(await run.result()).toBe('at last, bye');
  });

  test('leaves nothing behind, however often it looks at a handler that takes long', async () => {
    const bank = new Gate<number>();
    const call = flow('call')
      .step('bank', () => bank.opened, { timeout: '10m' })
      .end(({ results }) => results.bank);
    const kit = createTestEngine({ flows: [call] });
    const run = await kit.start(call, null);
    const { worker } = kit.engine.parts;
    if (worker === null) throw new Error('a kit has a worker');
    const ask = worker.quiet.bind(worker);
    let asked = 0;
    worker.quiet = () => {
      asked += 1;
      return ask();
    };
    for (let looks = 0; looks < 10; looks += 1) await kit.runUntilIdle();
    expect(asked).toBe(1);
    bank.open(7);
    await kit.runUntilIdle();
    expect(await run.result()).toBe(7);
  });

  test('comes back at once where there is nothing to do', async () => {
    const kit = createTestEngine({ flows: [greet] });
    await kit.runUntilIdle();
    await kit.runUntilIdle();
    expect(await kit.engine.check()).toMatchObject({ instances: 0 });
  });
});

describe('mock', () => {
  const other = flow('other')
    .step('hello', () => 'other')
    .end(({ results }) => results.hello);

  test('by name replaces the step in every flow that has it', async () => {
    const kit = createTestEngine({ flows: [greet, other] });
    kit.mock('hello', ({ input }) => `mocked ${JSON.stringify(input)}`);
    expect(await (await kit.start(greet, { name: 'A' })).result()).toBe('mocked {"name":"A"}, bye');
    expect(await (await kit.start(other, 1)).result()).toBe('mocked 1');
  });

  test('by flow and name replaces that one only', async () => {
    const kit = createTestEngine({ flows: [greet, other] });
    kit.mock('other/hello', () => 'mocked');
    expect(await (await kit.start(greet, { name: 'A' })).result()).toBe('hello A, bye');
    expect(await (await kit.start(other, 1)).result()).toBe('mocked');
  });

  test('sees what the handler would see, and may fail as it might', async () => {
    const kit = createTestEngine({ flows: [greet] });
    kit.mock('bye', ({ attempt, results }) => {
      throw new Error(`attempt ${attempt} after ${JSON.stringify(results)}`);
    });
    const run = await kit.start(greet, { name: 'A' });
    await expect(run.result()).rejects.toThrow('attempt 1 after {"hello":"hello A"}');
  });

  test('may be replaced itself, between two runs', async () => {
    const kit = createTestEngine({ flows: [other] });
    for (const word of ['one', 'two']) {
      kit.mock('hello', () => word);
      expect(await (await kit.start(other, null)).result()).toBe(word);
    }
  });

  test.each(['helo', 'greet/helo', 'gret/hello', '', 'greet'])('"%s" is no step', (name) => {
    const kit = createTestEngine({ flows: [greet] });
    const mock = (): void => kit.mock(name, () => null);
    expect(mock).toThrow(EngineError);
    expect(mock).toThrow('the steps are hello, bye');
  });

  test('does not reach another kit', async () => {
    const [mocked, real] = [
      createTestEngine({ flows: [other] }),
      createTestEngine({ flows: [other] }),
    ];
    mocked.mock('hello', () => 'mocked');
    expect(await (await real.start(other, null)).result()).toBe('other');
  });
});

describe('mock, for chains', () => {
  const orders = chain<{ done?: string[] }>('order.process', 1, ['PAY', 'SHIP']);
  const others = chain('other', 1, ['PAY']);
  const real = { PAY: () => dead('real'), SHIP: () => completed() };

  test('by the type of a step, for every chain that has one', async () => {
    const kit = createTestEngine({ flows: [orders, others], handlers: real });
    kit.mock('PAY', (step) => {
      step.context['done'] = [step.stepType, step.taskType];
      return completed();
    });
    expect(await (await kit.start(orders, {})).result()).toEqual({ done: ['PAY', 'READY_STEP'] });
    expect(await (await kit.start(others, {})).result()).toEqual({ done: ['PAY', 'READY_STEP'] });
  });

  test('as chain/step, for one chain alone', async () => {
    const kit = createTestEngine({ flows: [orders, others], handlers: real });
    kit.mock('order.process/PAY', () => completed());
    expect(await (await kit.start(orders, {})).result()).toEqual({});
    const failing = await kit.start(others, {});
    await expect(failing.result()).rejects.toMatchObject({ code: 'instance.failed' });
  });

  test('where there is no handler to begin with', async () => {
    const kit = createTestEngine({ flows: [orders] });
    const pay: ChainHandler<{ done?: string[] }> = () => completed();
    kit.mock('PAY', pay);
    kit.mock('SHIP', () => completed());
    expect(await (await kit.start(orders, {})).result()).toEqual({});
    expect(() => kit.mock('PACK', () => completed())).toThrow('the steps are PAY, SHIP');
  });
});

function asked(reason: string): StepResult {
  return reason === 'event' ? completed() : waiting('payment', '15m');
}

describe('path', () => {
  const winding = flow<{ vip: boolean }>('winding')
    .step('first', () => null)
    .choose(
      'kind',
      { vip: { when: ({ input }) => input.vip, do: (b) => b.step('champagne', () => null) } },
      { otherwise: (b) => b.step('water', () => null) },
    )
    .repeat('rounds', { times: 2 }, (b) => b.step('round', () => null))
    .scope('quiet', (b) => b.sleep('rest', '1h'))
    .end();

  test('names the nodes in the order the instance came to them', async () => {
    const kit = createTestEngine({ flows: [winding] });
    const run = await kit.start(winding, { vip: true });
    await kit.runUntilIdle();
    const soFar = ['first', 'kind', 'champagne', 'rounds', 'round', 'round', 'quiet', 'rest'];
    expect(kit.path(run.id)).toEqual(soFar);
    const poor = await kit.start(winding, { vip: false });
    await kit.advance('1h');
    expect(kit.path(run.id)).toEqual(soFar);
    expect(kit.path(poor.id)).toEqual(soFar.with(2, 'water'));
  });

  test('names a step of a chain when its turn comes', async () => {
    const orders = chain('order.process', 1, ['VALIDATE', 'PAY', 'VALIDATE', 'SHIP']);
    const kit = createTestEngine({
      flows: [orders],
      handlers: { VALIDATE: () => completed(), PAY: ({ wake }) => asked(wake.reason) },
    });
    const run = await kit.start(orders, {});
    await kit.runUntilIdle();
    expect(kit.path(run.id)).toEqual(['VALIDATE', 'PAY']);
    await run.send('payment');
    await kit.runUntilIdle();
    expect(kit.path(run.id)).toEqual(['VALIDATE', 'PAY', 'VALIDATE#2', 'SHIP']);
  });

  test('is empty for an instance nobody knows', () => {
    expect(createTestEngine({ flows: [] }).path('nobody')).toEqual([]);
  });
});

describe('chaos', () => {
  const ragged = flow<{ n: number }, { total: number }>('ragged', { vars: { total: 0 } })
    .parallel('fork', {
      left: (b) =>
        b.repeat('loop', { times: 3 }, (b) =>
          b.step('add', ({ index, vars, set }) => {
            set('total', vars.total + index, { in: 'instance' });
            return index;
          }),
        ),
      right: (b) => b.waitFor('mail', { event: 'mail', key: 'k' }).step('read', () => 'read'),
      nap: (b) => b.sleep('nap', '1d').step('woken', () => 'woken'),
    })
    .set('sum', ({ vars, input }) => vars.total + input.n)
    .end();

  async function outcome(chaos: Chaos) {
    const kit = createTestEngine({ flows: [ragged], chaos });
    const run = await kit.start(ragged, { n: 10 });
    await kit.runUntilIdle();
    await kit.engine.publish({ type: 'mail', key: 'k', data: 'letter' });
    await kit.advance('2d');
    const result = await run.result();
    expect(await kit.engine.check()).toMatchObject({ violations: [] });
    return { result, path: kit.path(run.id).toSorted() };
  }

  test.each<Chaos>([
    { crashAfterEveryCommit: true },
    { duplicateDeliveries: true },
    { crashAfterEveryCommit: true, duplicateDeliveries: true },
  ])('%j gives the same as without it', async (chaos) => {
    const calm = await outcome({});
    expect(calm.result).toMatchObject({ add: 2, mail: 'letter', sum: 13, woken: 'woken' });
    expect(await outcome(chaos)).toEqual(calm);
  });

  test('starts are not lost, however many there are at once', async () => {
    const kit = createTestEngine({ flows: [greet], chaos: { crashAfterEveryCommit: true } });
    const starts = Array.from({ length: 600 }, (_, n) => kit.start(greet, { name: `${n}` }));
    const runs = await Promise.all(starts);
    await kit.runUntilIdle();
    for (const [n, run] of runs.entries()) expect(await run.result()).toBe(`hello ${n}, bye`);
    expect(await kit.engine.check()).toMatchObject({ ok: true, instances: 600 });
  });

  test('a timer still fires at its moment or after, never before', async () => {
    const nap = flow('nap').sleep('nap', '1h').end();
    const kit = createTestEngine({ flows: [nap], chaos: { crashAfterEveryCommit: true } });
    const run = await kit.start(nap, null);
    await kit.advance('59m');
    expect(await run.status()).toBe('waiting');
    await kit.advance('2m');
    expect(await run.status()).toBe('completed');
  });
});

test.each<[string, unknown, string]>([
  ['flow instead of flows', { flow: [] }, 'createTestEngine has no "flow"; did you mean "flows"?'],
  ['no flows', {}, 'flows is a list, as [order, refund]; came undefined'],
  ['a flow instead of a list', { flows: greet }, 'flows is a list'],
  ['nothing', undefined, 'createTestEngine is an object such as { flows: … }; came undefined'],
  ['a misspelt kind of chaos', { flows: [], chaos: { crash: true } }, 'chaos has no "crash"'],
  ['a date', { flows: [], now: new Date(0) }, 'now is a time in ms'],
  ['no moments', { flows: [], momentsMax: 0 }, 'momentsMax is a whole number, 1 or more; came 0'],
  ['what is no flow', { flows: [1] }, 'a flow is what flow(…)….end() or chain(…) gives; came 1'],
])('a kit that is made of %s is refused, and says why', (_, options, message) => {
  const make = (): unknown => createTestEngine(options as TestEngineOptions);
  expect(make).toThrow(EngineError);
  expect(make).toThrow(message);
});

test('a kit is ready without awaiting anything', async () => {
  const kit = createTestEngine({ flows: [greet] });
  kit.mock('hello', () => 'hi');
  const run = await kit.start(greet, { name: 'A' });
  expect(await run.result()).toBe('hi, bye');
  await createTestEngine({ flows: [greet] }).close();
});

test('fifty kits side by side know nothing of each other', async () => {
  const nap = flow<number>('nap')
    .sleep('nap', ({ input }) => input * 1_000)
    .step('note', ({ input }) => input)
    .end(({ results }) => results.note);
  const results = Array.from({ length: 50 }, async (_, n) => {
    const kit = createTestEngine({ flows: [nap], now: n });
    const run = await kit.start(nap, n, { key: 'same', id: 'same' });
    await kit.advance(`${n}s`);
    expect(kit.now).toBe(n + n * 1_000);
    expect((await kit.engine.check()).instances).toBe(1);
    return run.result();
  });
  expect(await Promise.all(results)).toEqual(Array.from({ length: 50 }, (_, n) => n));
});

test('a closed kit is closed', async () => {
  const kit = createTestEngine({ flows: [greet] });
  await kit.close();
  await expect(kit.start(greet, { name: 'A' })).rejects.toMatchObject({ code: 'engine.closed' });
});

test('a log line of a handler reaches the logger of the kit', async () => {
  const lines: unknown[] = [];
  const line = (details: object, message: string): void => void lines.push([message, details]);
  const logger = { debug: line, info: line, warn: line, error: line };
  const kit = createTestEngine({ flows: [greet], logger });
  kit.mock('hello', ({ log }) => log.info('said', { to: 'Ann' }));
  const run = await kit.start(greet, { name: 'A' });
  await run.result();
  expect(lines).toMatchObject([
    ['said', { instance: run.id, handler: 'greet@1/hello', to: 'Ann' }],
  ]);
});
