/** What TypeScript knows of a flow. The compiler is the test: `tsc` fails where this is wrong. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { expectTypeOf, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { event } from './event-type.ts';
import type { Flow } from '../../model/definition.ts';
import type { Tx } from '../../model/tx.ts';
import { flow } from './flow.ts';
import type { HandlerTools } from './views.ts';

interface Order {
  sku: string;
  count: number;
  note?: string;
}

interface Seen {
  readonly sku: string;
  readonly count: number;
  readonly note?: string;
}

const order = flow<Order, { left: number; state: 'new' | 'old' }>('order', {
  vars: { left: 3, state: 'new' },
});

function schemaOf<Input, Output>(): StandardSchemaV1<Input, Output> {
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => ({ value: value as Output }),
    },
  };
}

test('a handler knows the input, the results before it and the variables', () => {
  order
    .step('first', async ({ input, vars, index }) => {
      expectTypeOf(input).toEqualTypeOf<Seen>();
      expectTypeOf(vars).toEqualTypeOf<{
        readonly left: number;
        readonly state: 'new' | 'old';
      }>();
      expectTypeOf(index).toEqualTypeOf<null>();
      return { price: 3, lines: ['a'], gone: undefined as string | undefined };
    })
    .step('second', ({ results }) => {
      expectTypeOf(results.first).toEqualTypeOf<{
        readonly price: number;
        readonly lines: readonly string[];
        readonly gone?: string;
      }>();
      // @ts-expect-error a step does not see its own result
      return results.second;
    })
    // @ts-expect-error nothing is named so
    .step('third', ({ results }) => results.frist)
    .step('fourth', () => {})
    .step('fifth', ({ results }) => expectTypeOf(results.fourth).toEqualTypeOf<null>());
});

test('a handler has the means to act', () => {
  order.step('act', (context) => {
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
    expectTypeOf(context.attempt).toEqualTypeOf<number>();
    expectTypeOf(context.idempotencyKey).toEqualTypeOf<string>();
    expectTypeOf(context.event).toEqualTypeOf<Json>();
    expectTypeOf(context.wake.reason).toEqualTypeOf<
      'first' | 'retry' | 'event' | 'timeout' | 'resume' | 'lease-recovery'
    >();
    expectTypeOf(context.wake.payload).toEqualTypeOf<Json>();
    context.heartbeat();
    context.log.info('hello', { a: 1 });
    context.set('left', 4);
    context.set('state', 'old', { in: 'instance' });
    context.set('other', { free: ['to', 'choose'] });
    // @ts-expect-error `left` was declared as a number
    context.set('left', 'four');
    // @ts-expect-error variables are JSON
    context.set('other', new Date());
    // @ts-expect-error values are frozen
    context.vars.left = 5;
    expectTypeOf(context.item).toEqualTypeOf<null>();
  });
});

test('a transactional step and its undo have a transaction, and say what a row of it is', () => {
  order.step(
    'put',
    async ({ tx, input }) => {
      expectTypeOf(tx).toEqualTypeOf<Tx>();
      const { rows } = await tx.query('select 1 as one where $1', [input.sku]);
      expectTypeOf(rows).toEqualTypeOf<Record<string, unknown>[]>();
      // @ts-expect-error a statement is a text
      await tx.query(7);
      return Number(rows[0]?.['one']);
    },
    {
      transactional: true,
      undo: async ({ tx, result }) => {
        expectTypeOf(tx).toEqualTypeOf<Tx>();
        expectTypeOf(result).toEqualTypeOf<number>();
        await tx.query('select $1', [result]);
      },
    },
  );
  // @ts-expect-error nothing else has one
  order.set('put', ({ tx }) => tx);
});

test('a handler may be written elsewhere, against what it needs', () => {
  const ship = async ({ input }: { input: { sku: string } }) => ({ tracking: input.sku });
  const log = ({ attempt, input }: HandlerTools & { input: Order }) => [attempt, input.sku];
  order
    .step('ship', ship)
    .step('log', log)
    .step('after', ({ results }) => expectTypeOf(results.ship.tracking).toEqualTypeOf<string>());
  const wants = ({ results }: { results: { ship: { tracking: number } } }) => results.ship.tracking;
  // @ts-expect-error it needs another result than there is
  order.step('ship', ship).step('wants', wants);
});

test('options that do nothing are refused', () => {
  // @ts-expect-error it is or it is not
  order.step('a', () => 1, { transactional: 'yes' });
  // @ts-expect-error no such option
  order.set('a', () => 1, { where: 'instance' });
  // @ts-expect-error no such option
  order.choose('a', { x: { when: () => true, do: (b) => b } }, { otherwise: (b) => b, all: true });
  // @ts-expect-error otherwise is required
  order.choose('a', { x: { when: () => true, do: (b) => b } });
  // @ts-expect-error no such option
  flow('a', { retention: '7d' });
});

test('a set is typed by what it computes, and keeps to the declared variables', () => {
  order
    .set('sum', ({ input }) => ({ total: input.count * 2, left: 1 }))
    .step('after', ({ results }) => {
      expectTypeOf(results.sum).toEqualTypeOf<{ readonly total: number; readonly left: number }>();
    });
  order.set('plain', () => 3).set('list', () => [1]);
  // @ts-expect-error `left` was declared as a number
  order.set('sum', () => ({ left: 'many' }));
});

test('after a parallel all branches have run, inside they do not see each other', () => {
  order
    .step('before', () => 1)
    .parallel('fan', {
      one: (b) =>
        b
          .step('ship', ({ results }) => expectTypeOf(results.before).toEqualTypeOf<number>())
          .step('track', () => 'x'),
      two: (b) =>
        b.step('bill', ({ results }) => {
          // @ts-expect-error the other branch may not have come that far
          return results.track;
        }),
      three: (b) => b,
    })
    .step('after', ({ results }) => {
      expectTypeOf(results.track).toEqualTypeOf<string>();
      expectTypeOf(results).toHaveProperty('bill');
      // @ts-expect-error the parallel itself has no result
      return results.fan;
    });
});

test('after a choose every arm is optional', () => {
  order
    .choose(
      'size',
      {
        big: { when: ({ input }) => input.count > 3, do: (b) => b.step('review', () => 'fine') },
        small: { when: ({ vars }) => vars.left > 0, do: (b) => b },
      },
      { otherwise: (b) => b.step('note', () => 1) },
    )
    .step('after', ({ results }) => {
      expectTypeOf(results.review).toEqualTypeOf<string | undefined>();
      expectTypeOf(results.note).toEqualTypeOf<number | undefined>();
    });
  // @ts-expect-error a condition is true or false
  order.choose('a', { x: { when: () => 1, do: (b) => b } }, { otherwise: (b) => b });
  order.choose(
    'a',
    // @ts-expect-error a condition is synchronous
    { x: { when: async () => true, do: (b) => b } },
    { otherwise: (b) => b },
  );
});

test('after a repeat its results are there if there was surely a pass', () => {
  order
    .repeat('a', { times: 3 }, (b) =>
      b
        .step('thrice', ({ index }) => expectTypeOf(index).toEqualTypeOf<number>())
        .step('x', () => 1),
    )
    .repeat('b', { times: ({ results }) => results.x }, (b) => b.step('asked', () => 1))
    .repeat('c', { while: ({ index, vars }) => index < vars.left }, (b) =>
      b.step('before', () => 1),
    )
    .repeat('d', { until: ({ index }) => index > 3 }, (b) => b.step('until', () => 1))
    .step('after', ({ results, index }) => {
      expectTypeOf(index).toEqualTypeOf<null>();
      expectTypeOf(results.x).toEqualTypeOf<number>();
      expectTypeOf(results.asked).toEqualTypeOf<number | undefined>();
      expectTypeOf(results.before).toEqualTypeOf<number | undefined>();
      expectTypeOf(results.until).toEqualTypeOf<number>();
    });
  // @ts-expect-error one check, not two
  order.repeat('a', { times: 3, until: () => true }, (b) => b);
  // @ts-expect-error a check there must be
  order.repeat('a', {}, (b) => b);
  order.repeat('a', { times: 1 }, (b) =>
    b.scope('s', (b) => b.step('deep', ({ index }) => expectTypeOf(index).toEqualTypeOf<number>())),
  );
});

test('a condition sees the pass loosely, or exactly where it says what it needs', () => {
  const start = order.step('known', () => 'x' as const);
  start.repeat(
    'poll',
    {
      until: ({ results }) => {
        expectTypeOf(results.known).toEqualTypeOf<'x'>();
        expectTypeOf(results.ask).toEqualTypeOf<Json | undefined>();
        return results.ask === 'done';
      },
    },
    (b) => b.step('ask', () => 'done'),
  );
  type Asked = { results: { ask: { done: boolean } } };
  const until = ({ results }: Asked) => results.ask.done;
  start
    .repeat('poll', { until }, (b) => b.step('ask', () => ({ done: true, extra: 1 })))
    .step('after', ({ results }) => expectTypeOf(results.ask.extra).toEqualTypeOf<number>());
  // @ts-expect-error the body gives something else
  start.repeat('poll', { until }, (b) => b.step('ask', () => ({ done: 'yes' })));
  // @ts-expect-error before the first pass there is no result
  start.repeat('poll', { while: until }, (b) => b.step('ask', () => ({ done: true })));
  const going = ({ results }: { results: { ask?: { done: boolean } } }) => !results.ask?.done;
  start.repeat('poll', { while: going }, (b) => b.step('ask', () => ({ done: true })));
});

test('a wait is typed by its event, and may be null after a timeout', () => {
  const paid = event<{ amount: number }>('payment.received');
  order
    .waitFor('a', { event: paid })
    .waitFor('b', { event: paid, timeout: '1d', key: ({ input }) => input.sku })
    .waitFor('c', { event: 'plain' })
    .sleep('d', ({ results }) => results.a.amount)
    .step('after', ({ results }) => {
      expectTypeOf(results.a).toEqualTypeOf<{ readonly amount: number }>();
      expectTypeOf(results.b).toEqualTypeOf<{ readonly amount: number } | null>();
      expectTypeOf(results.c).toEqualTypeOf<Json>();
      // @ts-expect-error sleeping has no result
      return results.d;
    });
});

test('a name is used once', () => {
  const one = order.step('a', () => 1).sleep('nap', 5);
  // @ts-expect-error on the same path
  one.step('a', () => 1);
  // @ts-expect-error though sleeping has no result
  one.step('nap', () => 1);
  // @ts-expect-error inside a body
  one.scope('s', (b) => b.step('a', () => 1));
  // @ts-expect-error the name of the region itself
  one.scope('s', (b) => b.step('s', () => 1));
  // @ts-expect-error after a region, a name from inside
  one.scope('s', (b) => b.step('in', () => 1)).step('in', () => 1);
  one.parallel('p', {
    // @ts-expect-error in two branches
    x: (b) => b.step('c', () => 1),
    // @ts-expect-error in two branches
    y: (b) => b.step('c', () => 1),
  });
  one.choose(
    'p',
    { x: { when: () => true, do: (b) => b.step('c', () => 1) } },
    // @ts-expect-error in an arm and in otherwise
    { otherwise: (b) => b.step('c', () => 1) },
  );
  // A name that is not known before the program runs is left to the diagnostics.
  const named = (name: string) => one.step(name, () => 1).step('later', ({ results }) => results.a);
  expectTypeOf(named).returns.toHaveProperty('end');
});

test('a body returns its builder and cannot end the flow', () => {
  // @ts-expect-error nothing is returned
  order.scope('s', (b) => void b.step('a', () => 1));
  // @ts-expect-error only the top of a flow ends it
  order.scope('s', (b) => b.step('a', () => 1).end());
  expectTypeOf(order.terminate('t')).not.toHaveProperty('step');
  // @ts-expect-error nothing follows a terminate
  order.scope('s', (b) => b.terminate('t').step('a', () => 1));
});

test('a flow gives what its end says, or what a terminate did', () => {
  expectTypeOf(order.end(({ input }) => ({ sku: input.sku }))).toEqualTypeOf<
    Flow<Order, { readonly sku: string }>
  >();
  expectTypeOf(order.step('a', () => 1).end()).toEqualTypeOf<Flow<Order, { readonly a: number }>>();
  expectTypeOf(order.terminate('t').end()).toEqualTypeOf<Flow<Order, null>>();
  const stops = order.choose(
    'c',
    { x: { when: () => true, do: (b) => b.terminate('t', () => 'stopped' as const) } },
    { otherwise: (b) => b.parallel('p', { y: (b) => b.terminate('u'), z: (b) => b }) },
  );
  expectTypeOf(stops.end(() => 1)).toEqualTypeOf<Flow<Order, number | 'stopped' | null>>();
});

test('the input is typed by a schema, or stated, or any JSON', () => {
  const input = schemaOf<{ at: string }, { at: string; days: number[] }>();
  const checked = flow('checked', { version: 2, input, vars: { n: 0, list: [1], when: 'now' } });
  const ended = checked
    .step('a', (context) => {
      expectTypeOf(context.input).toEqualTypeOf<{
        readonly at: string;
        readonly days: readonly number[];
      }>();
      expectTypeOf(context.vars).toEqualTypeOf<{
        readonly n: number;
        readonly list: readonly number[];
        readonly when: string;
      }>();
    })
    .end(() => 1);
  expectTypeOf(ended).toEqualTypeOf<Flow<{ at: string }, number>>();
  expectTypeOf(flow('free').end(({ input }) => input)).toEqualTypeOf<Flow<Json, Json>>();
  // @ts-expect-error the variables' type must be stated too, since the input's is
  flow<Order>('stated', { vars: { n: 0 } });
});

test('an engine can take any flow, and start one with its own input', () => {
  const all: Flow[] = [order.end(), flow<string>('other').end(() => 1)];
  expectTypeOf(all).toEqualTypeOf<Flow[]>();
  type Start = <Input, Output>(flow: Flow<Input, Output>, input: Input) => Output;
  const starts = (start: Start) => {
    expectTypeOf(
      start(
        order.end(() => 1),
        { sku: 'A1', count: 1 },
      ),
    ).toEqualTypeOf<number>();
    // @ts-expect-error the flow wants an order
    start(order.end(), { sku: 1 });
  };
  expectTypeOf(starts).returns.toEqualTypeOf<void>();
});
