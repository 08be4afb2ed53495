/** What TypeScript knows of races, messages and calls. `tsc` is the test. */
import { expectTypeOf, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import { event } from './event-type.ts';
import { flow } from './flow.ts';

interface Order {
  sku: string;
  count: number;
}

const order = flow<Order>('order');
const paid = event<{ amount: number; lines: string[] }>('payment.received');
const ping = event<null>('ping');

test('after a race every branch is optional', () => {
  order
    .race('first', {
      fast: (b) => b.step('quick', () => 1),
      slow: (b) =>
        b.sleep('nap', '1s').step('late', ({ results }) => {
          // @ts-expect-error the other branch may not have come that far
          return results.quick;
        }),
    })
    .step('after', ({ results }) => {
      expectTypeOf(results.quick).toEqualTypeOf<number | undefined>();
      // @ts-expect-error the race itself has no result
      return results.first;
    });
  order.race('p', {
    // @ts-expect-error in two branches
    x: (b) => b.sleep('c', 1),
    // @ts-expect-error in two branches
    y: (b) => b.step('d', () => 1).emit('c', 'x'),
  });
  const stops = order.race('p', { x: (b) => b.terminate('t', () => 'x' as const), y: (b) => b });
  expectTypeOf(stops.end(() => 1)).toEqualTypeOf<Flow<Order, number | 'x'>>();
});

test('with many the arms of a choose are as optional as without', () => {
  order
    .choose(
      'all',
      {
        a: { when: () => true, do: (b) => b.step('one', () => 1) },
        b: { when: () => true, do: (b) => b.step('two', () => 'x') },
      },
      { otherwise: (b) => b, many: true },
    )
    .step('after', ({ results }) => {
      expectTypeOf(results.one).toEqualTypeOf<number | undefined>();
      expectTypeOf(results.two).toEqualTypeOf<string | undefined>();
    });
});

test('the first of several says which it was', () => {
  order
    .step('before', () => 1)
    .firstOf('answer', {
      paid: { event: paid, key: ({ input, results }) => `${input.sku}${results.before}` },
      plain: { event: 'order.changed' },
      late: { after: '7d' },
      asked: { after: ({ results }) => results.before },
    })
    .step('after', ({ results }) => {
      const { answer } = results;
      expectTypeOf(answer.arm).toEqualTypeOf<'paid' | 'plain' | 'late' | 'asked'>();
      if (answer.arm === 'paid') {
        expectTypeOf(answer.data).toEqualTypeOf<{
          readonly amount: number;
          readonly lines: readonly string[];
        }>();
      }
      if (answer.arm === 'plain') expectTypeOf(answer.data).toEqualTypeOf<Json>();
      if (answer.arm === 'late') expectTypeOf(answer.data).toEqualTypeOf<null>();
      if (answer.arm === 'asked') expectTypeOf(answer.data).toEqualTypeOf<null>();
    });
  order.firstOf('one', { only: { event: paid } }).step('after', ({ results }) => {
    expectTypeOf(results.one.data.amount).toEqualTypeOf<number>();
    expectTypeOf(results.one.arm).toEqualTypeOf<'only'>();
  });
  // @ts-expect-error an event or a time, not both
  order.firstOf('a', { x: { event: 'y', after: '1s' } });
  // @ts-expect-error a time has no key
  order.firstOf('a', { x: { key: 'y', after: '1s' } });
  // @ts-expect-error an event or a time there must be
  order.firstOf('a', { x: {} });
  // @ts-expect-error no such option
  order.firstOf('a', { x: { event: 'y', timeout: '1s' } });
  // @ts-expect-error a key is a text
  order.firstOf('a', { x: { event: 'y', key: () => 3 } });
});

test('what is emitted fits its event', () => {
  order
    .step('before', () => ({ lines: ['a'], amount: 1 }))
    .emit('a', 'plain')
    .emit('b', ping)
    .emit('c', { type: 'plain', key: 'all', data: { free: [1] } })
    .emit('d', { type: paid, data: { amount: 1, lines: [] } })
    .emit('e', { type: paid, key: ({ input }) => input.sku, data: ({ results }) => results.before })
    .emit('f', ({ input, results }) => ({ type: paid, key: input.sku, data: results.before }))
    .emit('g', () => ({ type: 'plain' }))
    .emit('h', { type: ping })
    .step('after', ({ results }) => {
      expectTypeOf(results.before.amount).toEqualTypeOf<number>();
      // @ts-expect-error nobody answers
      return results.a;
    });
  // @ts-expect-error it has data
  order.emit('a', paid);
  // @ts-expect-error it has data
  order.emit('a', { type: paid });
  // @ts-expect-error other data
  order.emit('a', { type: paid, data: { amount: 'much', lines: [] } });
  // @ts-expect-error other data
  order.emit('a', { type: paid, data: ({ input }) => ({ amount: input.sku, lines: [] }) });
  // @ts-expect-error other data
  order.emit('a', ({ input }) => ({ type: paid, data: { amount: input.sku, lines: [] } }));
  // @ts-expect-error it has data
  order.emit('a', () => ({ type: paid }));
  // @ts-expect-error data is JSON
  order.emit('a', { type: 'plain', data: new Date() });
  // @ts-expect-error a key is a text
  order.emit('a', { type: 'plain', key: 3 });
  // @ts-expect-error no such option
  order.emit('a', { type: 'plain', ttl: '1d' });
  // @ts-expect-error a type there must be
  order.emit('a', { data: 3 });
  // @ts-expect-error the name is taken
  order.emit('a', 'x').emit('a', 'y');
});

test('a call is typed by the flow it calls', () => {
  const bill = flow<{ lines: string[] }>('bill')
    .step('sum', () => ({ total: 3 }))
    .end(({ results }) => results.sum);
  const tick = flow('tick').end(() => 'tock' as const);
  const quiet = flow<void>('quiet').end(() => {});
  order
    .step('before', () => ['a'])
    .call('a', bill, { lines: ['a'] })
    .call('b', bill, ({ results }) => ({ lines: results.before }), { key: 'k' })
    .call('c', bill, ({ input }) => ({ lines: [input.sku] }), { key: ({ input }) => input.sku })
    .call('d', tick)
    .call('e', 'by-name', { any: ['json'] })
    .call('f', 'by-name')
    .call('g', 'by-name', ({ input }) => input.count)
    .call('h', quiet)
    .step('after', ({ results }) => {
      expectTypeOf(results.a).toEqualTypeOf<{ readonly total: number }>();
      expectTypeOf(results.b.total).toEqualTypeOf<number>();
      expectTypeOf(results.c.total).toEqualTypeOf<number>();
      expectTypeOf(results.d).toEqualTypeOf<'tock'>();
      expectTypeOf(results.e).toEqualTypeOf<Json>();
      expectTypeOf(results.h).toEqualTypeOf<null>();
    });
  // @ts-expect-error the input is missing
  order.call('a', bill);
  // @ts-expect-error another input
  order.call('a', bill, { lines: 3 });
  // @ts-expect-error another input
  order.call('a', bill, ({ input }) => ({ lines: input.count }));
  // @ts-expect-error a closure answers at once
  order.call('a', bill, async () => ({ lines: [] }));
  // @ts-expect-error no such option
  order.call('a', tick, null, { id: 'x' });
  // @ts-expect-error the flow is not finished
  order.call('a', flow('open'));
  // @ts-expect-error an input is JSON
  order.call('a', 'by-name', new Date());
});
