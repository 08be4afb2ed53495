/**
 * A saga of five steps whose last one fails, so that four are undone. Where a peer has no such
 * thing, its workflow catches and undoes by hand, a step for each.
 */
import { spreadOf } from '../../measure.ts';
import { CONTENDERS, type ContenderName } from '../contenders.ts';
import type { Side } from '../crew.ts';
import type { House } from '../house.ts';
import { show } from '../report.ts';
import { laps, rateOf } from './saturation.ts';

const RUNNERS: readonly ContenderName[] = [
  'perdure-postgres',
  'perdure-sqlite',
  'dbos',
  'openworkflow-postgres',
  'openworkflow-sqlite',
];

export async function sagas(house: House): Promise<void> {
  const sides: Side[] = [];
  for (const contender of RUNNERS) sides.push(await house.side(contender));
  const found = await laps(house, sides, 'saga5', house.sizes.roundsFew);
  await house.leave(...sides);
  const rows = [...found].map(([contender, answers]) => {
    const rate = spreadOf(answers.map(rateOf));
    house.report.rate(`${contender}-saga`, rate.median);
    const cpu = spreadOf(answers.map(({ cpuMs }) => cpuMs));
    return [CONTENDERS[contender].title, show(rate), show(cpu)];
  });
  const head = ['contender', 'flows/s', 'Node CPU ms per flow'];
  house.report.table('(g) Sagas of 5 steps that fail at the last, at saturation', [head, ...rows]);
}
