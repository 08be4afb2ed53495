/** A flow with every way to pause, for a relay of processes: each carries it one commit further. */
import { flow } from '../frontends/builder/flow.ts';
import type { Json } from '../base/json.ts';
import type { Flow } from '../model/definition.ts';

export const WORD = 'word';

/** What it gives depends on everything on the way: what is lost or done twice shows. */
export function batonFlow(): Flow<number, Json> {
  return flow<number, { sum: number }>('baton', { vars: { sum: 0 } })
    .step('first', ({ input }) => input + 1)
    .parallel('fork', {
      left: (b) => b.step('double', ({ results }) => results.first * 2),
      right: (b) => b.sleep('nap', '50ms').step('square', ({ results }) => results.first ** 2),
    })
    .repeat('thrice', { times: 3 }, (b) =>
      b.step('add', ({ vars, index, set }) => {
        set('sum', vars.sum + 10 ** index, { in: 'instance' });
        return vars.sum;
      }),
    )
    .waitFor('heard', { event: WORD })
    .sleep('rest', '50ms')
    .step('last', ({ results, vars }) => [results.double, results.square, vars.sum, results.add])
    .end(({ results }) => ({ last: results.last, heard: results.heard }));
}
