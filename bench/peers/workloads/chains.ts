/** Chains of five steps next to flows of five steps: what the plainer kind of definition costs. */
import { spreadOf } from '../../measure.ts';
import { CONTENDERS, type ContenderName } from '../contenders.ts';
import type { Side } from '../crew.ts';
import { type House, ratioOf } from '../house.ts';
import { show } from '../report.ts';
import { type Laps, laps, rateOf, rounds } from './saturation.ts';

const RUNNERS = ['perdure-postgres', 'perdure-sqlite'] as const;

export async function chains(house: House): Promise<void> {
  const sides: Side[] = [];
  for (const contender of RUNNERS) sides.push(await house.side(contender));
  const found: Record<'chain5' | 'steps5', Laps[]> = { chain5: [], steps5: [] };
  await laps(house, sides, 'chain5', 0);
  for (let round = 0; round < house.sizes.roundsFew; round += 1) {
    for (const flow of ['chain5', 'steps5'] as const) {
      found[flow].push(await rounds(house, sides, flow, 1));
    }
  }
  await house.leave(...sides);
  const ratesOf = (flow: 'chain5' | 'steps5', contender: ContenderName): number[] =>
    found[flow].flatMap((round) => (round.get(contender) ?? []).map(rateOf));
  const rows = RUNNERS.map((contender) => {
    const [chain, steps] = [ratesOf('chain5', contender), ratesOf('steps5', contender)];
    const ratio = ratioOf(chain, steps);
    house.report.ratio(`${CONTENDERS[contender].keepsIn}_chain_vs_flow`, ratio);
    house.report.rate(`${contender}-chain`, spreadOf(chain).median);
    const spreads = [spreadOf(chain), spreadOf(steps), ratio];
    return [CONTENDERS[contender].title, ...spreads.map(show)];
  });
  const head = ['contender', 'chains/s', 'flows/s', 'ratio'];
  house.report.table('(i) Chains of 5 steps, next to flows of 5 steps', [head, ...rows]);
}
