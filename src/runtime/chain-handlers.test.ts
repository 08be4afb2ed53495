/** Handlers of chains: what they may return, what they may not, and whose steps they run. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed, dead, retry, waiting } from '../frontends/chain/results.ts';
import { LIMITS } from '../model/limits.ts';
import { Script } from '../testing/chain-rows.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { Notebook } from '../testing/world.ts';
import { Fatal } from './fatal.ts';
import type { ChainHandler } from './links.ts';
import { SharedHandlers } from './shared-handlers.ts';

const one = chain('one', 1, ['WORK'], { maxAttempts: 2 });

/** One execution with what it left behind. */
async function after(handler: unknown, limits = {}) {
  const kit = createTestEngine({
    flows: [one],
    handlers: { WORK: handler as ChainHandler },
    limits,
  });
  const run = await kit.start(one, { sku: 'A1' });
  await kit.runUntilIdle();
  const { tokens, output, status } = await run.inspect();
  return { token: tokens[0], output, status, history: await run.history() };
}

const loose = { waiting, retry, dead } as unknown as Readonly<
  Record<'waiting' | 'retry' | 'dead', (...args: unknown[]) => unknown>
>;

describe('what is no answer is a failed execution, and says what was expected', () => {
  const table: readonly (readonly [string, unknown, RegExp])[] = [
    [
      'nothing',
      undefined,
      /returns completed\(\), waiting\(…\), retry\(…\) or dead\(…\); came nothing/,
    ],
    ['null', null, /came null/],
    ['a text', 'completed', /came "completed"/],
    ['an object', { done: true }, /came \{"done":true\}/],
    ['the function itself', completed, /came a function/],
    ['an answer nobody knows', { became: 'ready' }, /came \{"became":"ready"\}/],
    ['a wait for nothing', loose.waiting(), /the event in waiting\(…\) is a text/],
    ['a wait for a blank', loose.waiting(' '), /the event in waiting\(…\) is a text/],
    ['a wait for too much', loose.waiting('x'.repeat(501)), /1 to 500 characters/],
    ['a wait for half a pair', loose.waiting('a\ud83d'), /the event in waiting\(…\) is a text/],
    ['a wait until a date', loose.waiting('x', new Date(0)), /the time in waiting\(…\)/],
    ['a wait of no time', loose.waiting('x', 'soon'), /the time in waiting\(…\)/],
    ['a wait below 0', loose.waiting('x', -1), /the time in waiting\(…\)/],
    ['letters that are none', loose.waiting('x', null, 'y'), /a list of outbound events/],
    ['a letter that is none', loose.waiting('x', null, [null]), /the type of an outbound event/],
    ['a letter of no type', loose.waiting('x', null, [{ data: 1 }]), /the type of an outbound/],
    ['a letter with a bad key', loose.waiting('x', null, [{ type: 'y', key: 7 }]), /the key of an/],
    [
      'a letter with half a key',
      loose.waiting('x', null, [{ type: 'y', key: '\ude00' }]),
      /the key/,
    ],
    ['a retry without a time', loose.retry('soon', 'busy'), /the time in retry\(…\)/],
    ['a retry without a reason', loose.retry(null), /retry\(…\) says in a text what went wrong/],
    ['a death without a reason', loose.dead(new Error('x')), /dead\(…\) says in a text/],
  ];
  for (const [what, returned, message] of table) {
    test.each([
      ['at once', () => returned],
      ['later', async () => returned],
    ])(`${what}, %s`, async (_, handler) => {
      const { token, history } = await after(handler);
      expect(token).toMatchObject({ status: 'ready', attempts: 1 });
      expect(token?.lastError?.code).toBe('chain.bad-result');
      expect(token?.lastError?.message).toMatch(message);
      expect(token?.lastError?.message.length).toBeLessThan(300);
      // Nothing of it is kept, letters neither.
      expect(history.at(-1)?.changes.map(({ did }) => did)).toEqual(['claim-token', 'retry-token']);
    });
  }

  test('what is outbound is JSON', async () => {
    const { token } = await after(() => waiting('x', null, [{ type: 'y', data: 1n }]));
    expect(token?.lastError?.code).toBe('handler.result-not-json');
  });

  test('a context that cannot be kept', async () => {
    const put =
      (context: unknown): ChainHandler =>
      (step) => {
        step.context = context as never;
        return completed();
      };
    const odd = await after(put({ when: new Date(0) }));
    expect(odd.token?.lastError?.code).toBe('handler.context-not-json');
    const large = await after(put('x'.repeat(200)), { VALUE_CHARS_MAX: 100 });
    expect(large.token?.lastError?.code).toBe('handler.context-too-large');
    expect(large).toMatchObject({ status: 'running', output: { sku: 'A1' } });
    const nothing = await after(put(undefined));
    expect(nothing).toMatchObject({ status: 'completed', output: null });
  });
});

describe('what is kept of an execution', () => {
  test('L-09: the context, with whichever answer it came', async () => {
    for (const answer of [completed(), waiting('x'), retry('1h', 'busy'), dead('gone')]) {
      const { output } = await after((step: Parameters<ChainHandler>[0]) => {
        step.context['seen'] = answer.became;
        return answer;
      });
      expect(output).toEqual({ sku: 'A1', seen: answer.became });
    }
  });

  test('nothing of the context of one that threw', async () => {
    const { output, history } = await after((step: Parameters<ChainHandler>[0]) => {
      step.context['seen'] = true;
      throw new Error('busy');
    });
    expect(output).toEqual({ sku: 'A1' });
    expect(history).toHaveLength(2);
  });

  test('nothing that is done to the context after the answer', async () => {
    let kept: Record<string, unknown> = {};
    const { output } = await after((step: Parameters<ChainHandler>[0]) => {
      kept = step.context;
      return waiting('x');
    });
    kept['sku'] = 'B2';
    expect(output).toEqual({ sku: 'A1' });
  });

  test('a context that is left as it was is not written again', async () => {
    const { history } = await after(() => completed());
    expect(history.at(-1)?.changes.map(({ did }) => did)).not.toContain('set-output');
  });

  test('so much of an error, and that there was more', async () => {
    const { FAULT_CHARS_MAX } = LIMITS;
    const text = 'x'.repeat(FAULT_CHARS_MAX);
    const exact = await after(() => retry(null, text));
    expect(exact.token?.lastError?.message).toBe(text);
    const long = await after(() => dead(`${text}y`));
    expect(long.token?.lastError?.message).toBe(`${text}… (1 more characters)`);
  });

  test('what is Fatal is not tried again, and keeps its code', async () => {
    const { token, status } = await after(() => {
      throw Object.assign(new Fatal('card is gone'), { code: 'card.gone' });
    });
    expect(status).toBe('failed');
    expect(token).toMatchObject({ status: 'failed', lastError: { code: 'card.gone' } });
  });
});

onEveryStore('chains among everything else', (open) => {
  test('an execution that takes too long is given up on and tried again', async () => {
    const slow = chain('slow', 1, ['WORK'], { maxAttempts: 2, timeout: '5s' });
    const script = new Script(new Promise<never>(() => {}), completed());
    const { lab, run } = await begin(open, slow, { handlers: { WORK: script.handler } });
    await lab.advance('5s');
    expect(await run.tokens()).toMatchObject([
      { attempts: 1, lastError: { code: 'step.timeout' } },
    ]);
    await lab.advance('1s');
    expect(await run.status()).toBe('completed');
  });

  test('a flow calls a chain, and goes on with what that ends with', async () => {
    const sums = chain<{ n: number }>('sums', 1, ['ADD', 'ADD']);
    const outer = flow<{ n: number }>('outer')
      .call('sum', sums, ({ input }) => ({ n: input.n }))
      .end(({ results }) => results.sum);
    const ADD: ChainHandler<{ n: number }> = (step) => {
      step.context.n += 1;
      return completed();
    };
    const { run } = await begin(open, outer, { handlers: { ADD }, input: { n: 40 } });
    expect(await run.result()).toEqual({ n: 42 });
  });

  test('cancel with its saga: a chain has none, and ends at once', async () => {
    const { lab, run } = await begin(open, one, { handlers: { WORK: () => waiting('x') } });
    await run.cancel({ saga: true });
    expect(await run.inspect()).toMatchObject({ status: 'canceled', outcome: null });
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  const storms = {
    'crashes after every commit': { crashAfterEveryCommit: true },
    'commits that come twice': { duplicateDeliveries: true },
  };
  for (const [what, chaos] of Object.entries(storms)) {
    test(`a chain in spite of ${what}`, async () => {
      const three = chain('three', 1, ['A', 'B', 'C'], { maxAttempts: 1_000 });
      const A = new Script(retry('1s', 'busy'), completed());
      const { lab, run } = await begin(open, three, {
        chaos,
        input: { sku: 'A1' },
        handlers: {
          A: A.handler,
          B: ({ wake }) => (wake.reason === 'timeout' ? completed() : waiting('never', '1m')),
          C: (step) => {
            step.context['done'] = true;
            return completed();
          },
        },
        for: '1h',
      });
      expect(await run.result()).toEqual({ sku: 'A1', done: true });
      expect(await lab.engine.check()).toMatchObject({ ok: true });
    });
  }
});

onEveryStore('a handler of chains', (open) => {
  test('never runs the step of a flow that happens to have its name', async () => {
    const order = flow('order', { onFailure: 'incident' })
      .step('charge', () => {
        throw new Error('out of order');
      })
      .end();
    const { lab, run } = await begin(open, order);
    lab.engine.parts.worker?.abandon();
    const script = new Script(completed());
    const other = await lab.beside([], { handlers: { charge: script.handler } });
    await (await other.engine.get(run.id))?.retry();
    await other.settle();
    expect(script.told).toEqual([]);
    expect(await run.tokens()).toMatchObject([{ status: 'ready', handler: 'order@1/charge' }]);
    await other.engine.close();
  });
});

test('handlers are found by chain and type, then by type, and only for chains', () => {
  const [own, common] = [(): never => undefined as never, (): never => undefined as never];
  const shared = new SharedHandlers({ PAY: common, 'orders/PAY': own, 'a@b': common });
  expect(shared.find('orders/PAY')?.handler).toBe(own);
  expect(shared.find('others/PAY')?.handler).toBe(common);
  expect(shared.find('others/a@b')?.handler).toBe(common);
  expect(shared.find('orders/SHIP')).toBeUndefined();
  expect(shared.find('orders@1/PAY')).toBeUndefined();
  expect(shared.find('orders@1/')).toBeUndefined();
});

test('what is no handler is refused when the engine is made', () => {
  const made = (handlers: object) => () =>
    createTestEngine({ flows: [one], handlers: handlers as Record<string, ChainHandler> });
  for (const handlers of [{ WORK: 'work' }, { WORK: undefined }, { ' ': completed }]) {
    expect(made(handlers)).toThrow(expect.objectContaining({ code: 'engine.option-invalid' }));
  }
});

test('steps without a handler and handlers without a step are said at the opening', async () => {
  const log = new Notebook();
  const both = chain('both', 1, ['PAY', 'SHIP']);
  const handlers = { PAY: () => completed(), 'both/SHIPP': () => completed() };
  const kit = createTestEngine({ flows: [both], handlers, logger: log });
  await kit.runUntilIdle();
  expect(log.lines).toMatchObject([
    { level: 'warn', details: { links: ['both/SHIP'] } },
    { level: 'warn', details: { handlers: ['both/SHIPP'] } },
  ]);
  await kit.close();
});
