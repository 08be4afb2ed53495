/**
 * A flow of a hundred steps with five regions inside each other: what the builder's types must
 * carry without slowing an editor down. `hundred-steps.test.ts` counts what checking it costs.
 */
import { expect, expectTypeOf, test } from 'vitest';
import type { Flow } from '../../model/definition.ts';
import { flow } from './flow.ts';

interface Order {
  sku: string;
  amount: number;
}

interface Quote {
  sku: string;
  total: number;
  lines: { text: string; price: number }[];
  discount?: { percent: number; reason: string };
}

async function quote(sku: string, total: number): Promise<Quote> {
  return { sku, total, lines: [] };
}

const hundred = flow<Order>('hundred-steps', { version: 1 })
  .step('s0', async ({ input }) => quote(input.sku, input.amount + input.amount))
  .step('s1', async ({ input, results }) => quote(input.sku, results.s0.total + results.s0.total))
  .step('s2', async ({ input, results }) => quote(input.sku, results.s1.total + results.s0.total))
  .step('s3', async ({ input, results }) => quote(input.sku, results.s2.total + results.s0.total))
  .step('s4', async ({ input, results }) => quote(input.sku, results.s3.total + results.s0.total))
  .step('s5', async ({ input, results }) => quote(input.sku, results.s4.total + results.s0.total))
  .step('s6', async ({ input, results }) => quote(input.sku, results.s5.total + results.s0.total))
  .step('s7', async ({ input, results }) => quote(input.sku, results.s6.total + results.s0.total))
  .step('s8', async ({ input, results }) => quote(input.sku, results.s7.total + results.s0.total))
  .step('s9', async ({ input, results }) => quote(input.sku, results.s8.total + results.s0.total))
  .step('s10', async ({ input, results }) => quote(input.sku, results.s9.total + results.s0.total))
  .step('s11', async ({ input, results }) => quote(input.sku, results.s10.total + results.s0.total))
  .step('s12', async ({ input, results }) => quote(input.sku, results.s11.total + results.s0.total))
  .step('s13', async ({ input, results }) => quote(input.sku, results.s12.total + results.s0.total))
  .step('s14', async ({ input, results }) => quote(input.sku, results.s13.total + results.s0.total))
  .step('s15', async ({ input, results }) => quote(input.sku, results.s14.total + results.s0.total))
  .step('s16', async ({ input, results }) => quote(input.sku, results.s15.total + results.s0.total))
  .step('s17', async ({ input, results }) => quote(input.sku, results.s16.total + results.s0.total))
  .step('s18', async ({ input, results }) => quote(input.sku, results.s17.total + results.s0.total))
  .step('s19', async ({ input, results }) => quote(input.sku, results.s18.total + results.s0.total))
  .parallel('fan', {
    left: (b) =>
      b
        .step('s20', async ({ input, results }) =>
          quote(input.sku, results.s19.total + results.s0.total),
        )
        .step('s21', async ({ input, results }) =>
          quote(input.sku, results.s20.total + results.s0.total),
        )
        .step('s22', async ({ input, results }) =>
          quote(input.sku, results.s21.total + results.s0.total),
        )
        .step('s23', async ({ input, results }) =>
          quote(input.sku, results.s22.total + results.s0.total),
        )
        .step('s24', async ({ input, results }) =>
          quote(input.sku, results.s23.total + results.s0.total),
        )
        .step('s25', async ({ input, results }) =>
          quote(input.sku, results.s24.total + results.s0.total),
        )
        .step('s26', async ({ input, results }) =>
          quote(input.sku, results.s25.total + results.s0.total),
        )
        .step('s27', async ({ input, results }) =>
          quote(input.sku, results.s26.total + results.s0.total),
        )
        .step('s28', async ({ input, results }) =>
          quote(input.sku, results.s27.total + results.s0.total),
        )
        .step('s29', async ({ input, results }) =>
          quote(input.sku, results.s28.total + results.s0.total),
        )
        .choose(
          'route',
          {
            big: {
              when: ({ results }) => results.s0.total > 10,
              do: (b) =>
                b
                  .step('s30', async ({ input, results }) =>
                    quote(input.sku, results.s29.total + results.s0.total),
                  )
                  .step('s31', async ({ input, results }) =>
                    quote(input.sku, results.s30.total + results.s0.total),
                  )
                  .step('s32', async ({ input, results }) =>
                    quote(input.sku, results.s31.total + results.s0.total),
                  )
                  .step('s33', async ({ input, results }) =>
                    quote(input.sku, results.s32.total + results.s0.total),
                  )
                  .step('s34', async ({ input, results }) =>
                    quote(input.sku, results.s33.total + results.s0.total),
                  )
                  .step('s35', async ({ input, results }) =>
                    quote(input.sku, results.s34.total + results.s0.total),
                  )
                  .step('s36', async ({ input, results }) =>
                    quote(input.sku, results.s35.total + results.s0.total),
                  )
                  .step('s37', async ({ input, results }) =>
                    quote(input.sku, results.s36.total + results.s0.total),
                  )
                  .step('s38', async ({ input, results }) =>
                    quote(input.sku, results.s37.total + results.s0.total),
                  )
                  .step('s39', async ({ input, results }) =>
                    quote(input.sku, results.s38.total + results.s0.total),
                  )
                  .repeat('poll', { times: 3 }, (b) =>
                    b
                      .step('s40', async ({ input, results }) =>
                        quote(input.sku, results.s39.total + results.s0.total),
                      )
                      .step('s41', async ({ input, results }) =>
                        quote(input.sku, results.s40.total + results.s0.total),
                      )
                      .step('s42', async ({ input, results }) =>
                        quote(input.sku, results.s41.total + results.s0.total),
                      )
                      .step('s43', async ({ input, results }) =>
                        quote(input.sku, results.s42.total + results.s0.total),
                      )
                      .step('s44', async ({ input, results }) =>
                        quote(input.sku, results.s43.total + results.s0.total),
                      )
                      .step('s45', async ({ input, results }) =>
                        quote(input.sku, results.s44.total + results.s0.total),
                      )
                      .step('s46', async ({ input, results }) =>
                        quote(input.sku, results.s45.total + results.s0.total),
                      )
                      .step('s47', async ({ input, results }) =>
                        quote(input.sku, results.s46.total + results.s0.total),
                      )
                      .step('s48', async ({ input, results }) =>
                        quote(input.sku, results.s47.total + results.s0.total),
                      )
                      .step('s49', async ({ input, results }) =>
                        quote(input.sku, results.s48.total + results.s0.total),
                      )
                      .scope('inner', (b) =>
                        b
                          .step('s50', async ({ input, results }) =>
                            quote(input.sku, results.s49.total + results.s0.total),
                          )
                          .step('s51', async ({ input, results }) =>
                            quote(input.sku, results.s50.total + results.s0.total),
                          )
                          .step('s52', async ({ input, results }) =>
                            quote(input.sku, results.s51.total + results.s0.total),
                          )
                          .step('s53', async ({ input, results }) =>
                            quote(input.sku, results.s52.total + results.s0.total),
                          )
                          .step('s54', async ({ input, results }) =>
                            quote(input.sku, results.s53.total + results.s0.total),
                          )
                          .step('s55', async ({ input, results }) =>
                            quote(input.sku, results.s54.total + results.s0.total),
                          )
                          .step('s56', async ({ input, results }) =>
                            quote(input.sku, results.s55.total + results.s0.total),
                          )
                          .step('s57', async ({ input, results }) =>
                            quote(input.sku, results.s56.total + results.s0.total),
                          )
                          .step('s58', async ({ input, results }) =>
                            quote(input.sku, results.s57.total + results.s0.total),
                          )
                          .step('s59', async ({ input, results }) =>
                            quote(input.sku, results.s58.total + results.s0.total),
                          )
                          .parallel('deep', {
                            a: (b) =>
                              b
                                .step('s60', async ({ input, results }) =>
                                  quote(input.sku, results.s59.total + results.s0.total),
                                )
                                .step('s61', async ({ input, results }) =>
                                  quote(input.sku, results.s60.total + results.s0.total),
                                )
                                .step('s62', async ({ input, results }) =>
                                  quote(input.sku, results.s61.total + results.s0.total),
                                )
                                .step('s63', async ({ input, results }) =>
                                  quote(input.sku, results.s62.total + results.s0.total),
                                )
                                .step('s64', async ({ input, results }) =>
                                  quote(input.sku, results.s63.total + results.s0.total),
                                ),
                            z: (b) =>
                              b
                                .step('s65', async ({ input, results }) =>
                                  quote(input.sku, results.s59.total),
                                )
                                .step('s66', async ({ input, results }) =>
                                  quote(input.sku, results.s65.total + results.s0.total),
                                )
                                .step('s67', async ({ input, results }) =>
                                  quote(input.sku, results.s66.total + results.s0.total),
                                )
                                .step('s68', async ({ input, results }) =>
                                  quote(input.sku, results.s67.total + results.s0.total),
                                )
                                .step('s69', async ({ input, results }) =>
                                  quote(input.sku, results.s68.total + results.s0.total),
                                ),
                          }),
                      ),
                  ),
            },
          },
          { otherwise: (b) => b },
        ),
    right: (b) =>
      b
        .step('s70', async ({ input, results }) => quote(input.sku, results.s19.total))
        .step('s71', async ({ input, results }) =>
          quote(input.sku, results.s70.total + results.s0.total),
        )
        .step('s72', async ({ input, results }) =>
          quote(input.sku, results.s71.total + results.s0.total),
        )
        .step('s73', async ({ input, results }) =>
          quote(input.sku, results.s72.total + results.s0.total),
        )
        .step('s74', async ({ input, results }) =>
          quote(input.sku, results.s73.total + results.s0.total),
        )
        .step('s75', async ({ input, results }) =>
          quote(input.sku, results.s74.total + results.s0.total),
        )
        .step('s76', async ({ input, results }) =>
          quote(input.sku, results.s75.total + results.s0.total),
        )
        .step('s77', async ({ input, results }) =>
          quote(input.sku, results.s76.total + results.s0.total),
        )
        .step('s78', async ({ input, results }) =>
          quote(input.sku, results.s77.total + results.s0.total),
        )
        .step('s79', async ({ input, results }) =>
          quote(input.sku, results.s78.total + results.s0.total),
        ),
  })
  .step('s80', async ({ input, results }) => quote(input.sku, results.s79.total + results.s0.total))
  .step('s81', async ({ input, results }) => quote(input.sku, results.s80.total + results.s0.total))
  .step('s82', async ({ input, results }) => quote(input.sku, results.s81.total + results.s0.total))
  .step('s83', async ({ input, results }) => quote(input.sku, results.s82.total + results.s0.total))
  .step('s84', async ({ input, results }) => quote(input.sku, results.s83.total + results.s0.total))
  .step('s85', async ({ input, results }) => quote(input.sku, results.s84.total + results.s0.total))
  .step('s86', async ({ input, results }) => quote(input.sku, results.s85.total + results.s0.total))
  .step('s87', async ({ input, results }) => quote(input.sku, results.s86.total + results.s0.total))
  .step('s88', async ({ input, results }) => quote(input.sku, results.s87.total + results.s0.total))
  .step('s89', async ({ input, results }) => quote(input.sku, results.s88.total + results.s0.total))
  .step('s90', async ({ input, results }) => quote(input.sku, results.s89.total + results.s0.total))
  .step('s91', async ({ input, results }) => quote(input.sku, results.s90.total + results.s0.total))
  .step('s92', async ({ input, results }) => quote(input.sku, results.s91.total + results.s0.total))
  .step('s93', async ({ input, results }) => quote(input.sku, results.s92.total + results.s0.total))
  .step('s94', async ({ input, results }) => quote(input.sku, results.s93.total + results.s0.total))
  .step('s95', async ({ input, results }) => quote(input.sku, results.s94.total + results.s0.total))
  .step('s96', async ({ input, results }) => quote(input.sku, results.s95.total + results.s0.total))
  .step('s97', async ({ input, results }) => quote(input.sku, results.s96.total + results.s0.total))
  .step('s98', async ({ input, results }) => quote(input.sku, results.s97.total + results.s0.total))
  .step('s99', async ({ input, results }) => quote(input.sku, results.s98.total + results.s0.total))
  .end(({ results }) => ({ first: results.s0, deep: results.s60?.total ?? 0, last: results.s99 }));

interface Quoted {
  readonly sku: string;
  readonly total: number;
  readonly lines: readonly { readonly text: string; readonly price: number }[];
  readonly discount?: { readonly percent: number; readonly reason: string };
}

test('a hundred steps keep their types', () => {
  expectTypeOf(hundred).toEqualTypeOf<
    Flow<Order, { readonly first: Quoted; readonly deep: number; readonly last: Quoted }>
  >();
  const steps = hundred.definition.draft.nodes.filter(({ kind }) => kind === 'step');
  expect(steps).toHaveLength(100);
  expect(hundred.definition.diagnostics).toEqual([]);
});
