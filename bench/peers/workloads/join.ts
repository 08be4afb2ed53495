/** One flow with many branches of one step each: whether a branch costs more the more there are. */
import { type Spread, spreadOf } from '../../measure.ts';
import type { AloneAnswer } from '../commands.ts';
import type { Side } from '../crew.ts';
import { type House, ratioOf } from '../house.ts';
import { show } from '../report.ts';

const STORES = ['postgres', 'sqlite'] as const;
const WIDTHS = [100, 1_000] as const;

/** Handlers at a time: the width of the narrow one twice over. */
const LANES = 256;
const TIMES = 4;

export async function join(house: House): Promise<void> {
  const found = new Map<string, AloneAnswer[]>();
  const sides: Side[] = [];
  for (const store of STORES) sides.push(await house.side(`perdure-${store}`, { lanes: LANES }));
  for (let round = 0; round < house.sizes.roundsFew; round += 1) {
    for (const [index, store] of STORES.entries()) {
      for (const width of WIDTHS) {
        const answer = await sides[index]?.ask({ do: 'alone', flow: `join${width}`, times: TIMES });
        const key = `${store} ${width}`;
        if (answer !== undefined) found.set(key, [...(found.get(key) ?? []), answer]);
      }
    }
  }
  await house.leave(...sides);
  report(house, found);
}

function report(house: House, found: ReadonlyMap<string, readonly AloneAnswer[]>): void {
  const rows: string[][] = [];
  for (const store of STORES) {
    const perBranch = (width: number, part: (answer: AloneAnswer) => number): number[] =>
      (found.get(`${store} ${width}`) ?? []).map((answer) => part(answer) / width);
    const clock = (answer: AloneAnswer): number => spreadOf(answer.ms).median;
    const cpu = (answer: AloneAnswer): number => answer.cpuMs;
    for (const width of WIDTHS) {
      const spreads: Spread[] = [
        spreadOf(perBranch(width, clock)),
        spreadOf(perBranch(width, cpu)),
      ];
      rows.push([store, `${width}`, ...spreads.map(show)]);
    }
    const ratio = ratioOf(perBranch(1_000, clock), perBranch(100, clock));
    house.report.ratio(`${store}_join_1000_vs_100`, ratio, { most: 1.5 });
    house.tell(`join on ${store}, a branch of 1,000 by one of 100: ${show(ratio)}`);
  }
  const head = ['store', 'branches', 'ms per branch', 'Node CPU ms per branch'];
  house.report.table('(e) One flow with many branches of one step, alone', [head, ...rows]);
}
