/** What TypeScript knows of a `.map`. The compiler is the test: `tsc` fails where this is wrong. */
import { expectTypeOf, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import type { Caught } from './failure-types.ts';
import { flow } from './flow.ts';

interface Cart {
  lines: { sku: string; count: number }[];
}
interface Line {
  readonly sku: string;
  readonly count: number;
}

const cart = flow<Cart, { left: number }>('cart', { vars: { left: 3 } });

test('an item is one of the list, by a closure or as it is written', () => {
  cart
    .map('each', { over: ({ input }) => input.lines }, (b) =>
      b
        .step('pick', ({ item, index, vars }) => {
          expectTypeOf(item).toEqualTypeOf<Line>();
          expectTypeOf(index).toEqualTypeOf<number>();
          expectTypeOf(vars).toEqualTypeOf<{ readonly left: number }>();
          return item.count;
        })
        .set('twice', ({ item, results }) => item.count + results.pick)
        .sleep('rest', ({ item }) => item.count)
        .waitFor('go', { event: 'go', key: ({ item }) => item.sku }),
    )
    .map('words', { over: ['a', 'b'] }, (b) =>
      b.step('say', ({ item }) => expectTypeOf(item).toEqualTypeOf<string>()),
    )
    .map('dates', { over: () => [{ at: undefined as string | undefined }] }, (b) =>
      b.step('look', ({ item }) => expectTypeOf(item).toEqualTypeOf<{ readonly at?: string }>()),
    )
    .step('after', ({ item, index }) => {
      expectTypeOf(item).toEqualTypeOf<null>();
      expectTypeOf(index).toEqualTypeOf<null>();
    });
  // @ts-expect-error not a list
  cart.map('each', { over: ({ input }) => input }, (b) => b);
  // @ts-expect-error over what?
  cart.map('each', {}, (b) => b);
});

test('what comes of an item is the result of its last node, or else all its results', () => {
  const over = [1, 2];
  cart
    .map('steps', { over }, (b) => b.step('a', () => 1).step('b', async () => ({ done: true })))
    .map('sets', { over }, (b) => b.set('c', ({ item }) => `${item}`))
    .map('waits', { over }, (b) => b.waitFor('d', { event: 'd', timeout: '1d' }))
    .map('maps', { over }, (b) => b.map('inner', { over: ['x'] }, (c) => c.step('e', () => 1)))
    .map('sleeps', { over }, (b) => b.step('f', () => 1).sleep('g', '1s'))
    .map('both', { over }, (b) =>
      b.parallel('fork', { x: (c) => c.step('h', () => 1), y: (c) => c.step('i', () => 'i') }),
    )
    .map('tries', { over }, (b) => b.try('j', (c) => c.step('k', () => 1), { do: (c) => c }))
    .map('nothing', { over }, (b) => b)
    .map('stops', { over }, (b) => b.step('l', () => 1).fail('m', 'no'))
    .step('after', ({ results }) => {
      expectTypeOf(results.steps).toEqualTypeOf<readonly { readonly done: boolean }[]>();
      expectTypeOf(results.sets).toEqualTypeOf<readonly string[]>();
      expectTypeOf(results.waits).toEqualTypeOf<readonly (Json | null)[]>();
      expectTypeOf(results.maps).toEqualTypeOf<readonly (readonly number[])[]>();
      expectTypeOf(results.sleeps).toEqualTypeOf<readonly { readonly f: number }[]>();
      expectTypeOf(results.both[0]?.h).toEqualTypeOf<number | undefined>();
      expectTypeOf(results.both).toExtend<readonly { readonly h: number; readonly i: string }[]>();
      expectTypeOf(results.tries).toExtend<
        readonly { readonly k?: number; readonly j?: Caught }[]
      >();
      expectTypeOf(results.nothing).toEqualTypeOf<readonly {}[]>();
      expectTypeOf(results.stops).toEqualTypeOf<readonly { readonly l: number }[]>();
      // @ts-expect-error the results of the items are in the list, and nowhere else
      return results.a;
    });
});

test('collect says what comes of an item, and sees its results as a condition does', () => {
  cart
    .map('one', { over: ({ input }) => input.lines, collect: ({ item }) => item.sku }, (b) =>
      b.step('a', () => 1),
    )
    .map(
      'two',
      {
        over: ({ input }) => input.lines,
        collect: ({ results, item, index, vars }) => {
          expectTypeOf(results.b).toEqualTypeOf<Json | undefined>();
          expectTypeOf(results.one).toEqualTypeOf<readonly string[]>();
          expectTypeOf(item).toEqualTypeOf<Line>();
          expectTypeOf(index).toEqualTypeOf<number>();
          expectTypeOf(vars.left).toEqualTypeOf<number>();
        },
      },
      (b) => b.step('b', () => 1),
    )
    .step('after', ({ results }) => {
      expectTypeOf(results.one).toEqualTypeOf<readonly string[]>();
      expectTypeOf(results.two).toEqualTypeOf<readonly null[]>();
    });
  type Priced = { results: { price: { cents: number } } };
  const collect = ({ results }: Priced) => results.price.cents;
  cart
    .map('priced', { over: [1], collect }, (b) =>
      b.step('price', () => ({ cents: 1 })).sleep('s', 1),
    )
    .step('after', ({ results }) => {
      expectTypeOf(results.priced).toEqualTypeOf<readonly number[]>();
    });
  // @ts-expect-error the body gives something else
  cart.map('priced', { over: [1], collect }, (b) => b.step('price', () => ({ cents: '1' })));
  const until = ({ results }: { results: { ask: boolean } }) => results.ask;
  cart.map('asks', { over: [1], until, collect }, (b) =>
    b.step('ask', () => true).step('price', () => ({ cents: 1 })),
  );
  // @ts-expect-error the body has no price
  cart.map('asks', { over: [1], until, collect }, (b) => b.step('ask', () => true));
  // @ts-expect-error a condition is true or false
  cart.map('asks', { over: [1], until: () => 1 }, (b) => b);
});

test('with onError collect each element says what came of it, as allSettled does', () => {
  cart
    .map('each', { over: [1], onError: 'collect' }, (b) => b.step('a', () => 1))
    .map('fails', { over: [1], onError: 'fail' }, (b) => b.step('b', () => 1))
    .step('after', ({ results }) => {
      type Settled =
        | { readonly status: 'fulfilled'; readonly value: number }
        | { readonly status: 'rejected'; readonly reason: Caught };
      expectTypeOf(results.each).toEqualTypeOf<readonly Settled[]>();
      expectTypeOf(results.fails).toEqualTypeOf<readonly number[]>();
    });
  // @ts-expect-error no such way
  cart.map('each', { over: [1], onError: 'ignore' }, (b) => b);
});

test('as is a variable of the item, in the body and in its closures, and gone afterwards', () => {
  cart
    .map(
      'each',
      {
        over: ({ input }) => input.lines,
        as: 'line',
        until: ({ vars }) => vars.line.count > vars.left,
        collect: ({ vars }) => vars.line.sku,
      },
      (b) =>
        b
          .step('a', ({ vars }) => expectTypeOf(vars.line).toEqualTypeOf<Line>())
          .map('inner', { over: ['x'], as: 'left' }, (c) =>
            c.step('b', ({ vars, item }) => {
              expectTypeOf(vars.line).toEqualTypeOf<Line>();
              expectTypeOf(vars.left).toEqualTypeOf<string>();
              expectTypeOf(item).toEqualTypeOf<string>();
            }),
          )
          .repeat('again', { times: 2 }, (c) =>
            c.step('c', ({ item, vars }) => {
              expectTypeOf(item).toEqualTypeOf<Line>();
              expectTypeOf(vars.left).toEqualTypeOf<number>();
            }),
          ),
    )
    .step('after', ({ vars, results }) => {
      expectTypeOf(results.each).toEqualTypeOf<readonly string[]>();
      // @ts-expect-error it was the item's
      return vars.line;
    });
});

test('names inside stay unique in the flow, and a limit is for what runs at the same time', () => {
  const one = cart.step('a', () => 1).map('m', { over: [1] }, (b) => b.step('in', () => 1));
  // @ts-expect-error the name of a node in the map
  one.step('in', () => 1);
  // @ts-expect-error a name from before, inside
  one.map('n', { over: [1] }, (b) => b.step('a', () => 1));
  // @ts-expect-error the name of the map itself
  one.map('n', { over: [1] }, (b) => b.step('n', () => 1));
  one.map('n', { over: [1], mode: 'sequential' }, (b) => b);
  one.map('n', { over: [1], mode: 'parallel', limit: 3, saga: 'scope' }, (b) => b);
  // @ts-expect-error one after the other is one at a time
  one.map('n', { over: [1], mode: 'sequential', limit: 3 }, (b) => b);
  // @ts-expect-error no such option
  one.map('n', { over: [1], concurrency: 3 }, (b) => b);
});

test('a flow gives the list, and what a terminate inside gives', () => {
  const ended = cart
    .map('m', { over: [1] }, (b) =>
      b.choose(
        'c',
        { x: { when: ({ item }) => item > 1, do: (d) => d.terminate('t', () => 'stop' as const) } },
        { otherwise: (d) => d.step('s', () => true) },
      ),
    )
    .end();
  expectTypeOf(ended).toExtend<
    Flow<Cart, { readonly m: readonly { readonly s?: boolean }[] } | 'stop'>
  >();
});
