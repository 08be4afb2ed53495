/**
 * How long one flow of five steps takes when nothing else goes on: one at a time, with a pause in
 * between, from start to result as whoever started it sees it.
 */
import { spreadOf } from '../../measure.ts';
import { CONTENDERS, type ContenderName } from '../contenders.ts';
import type { Side } from '../crew.ts';
import { type House, quantileOf, ratioOf } from '../house.ts';
import { brief, show, type Target } from '../report.ts';

const RUNNERS: readonly ContenderName[] = [
  'perdure-postgres',
  'perdure-sqlite',
  'ceiling-postgres',
  'ceiling-sqlite',
  'dbos',
  'openworkflow-postgres',
  'openworkflow-sqlite',
];

/** These take about a second for each. */
const SLOW: ReadonlySet<ContenderName> = new Set(['openworkflow-postgres', 'openworkflow-sqlite']);

/** Half of what the best durable peer takes. */
const HALF: Target = { most: 0.5 };

export async function latency(house: House): Promise<void> {
  const found = await aloneInTurn(house, RUNNERS, async (side) => {
    const { times, timesSlow } = house.sizes;
    const count = SLOW.has(side.contender) ? timesSlow : times;
    return (await side.ask({ do: 'alone', flow: 'steps5', times: count })).ms;
  });
  house.report.table('(b) One flow of 5 steps on an idle engine, ms', quantileTable(found));
  reportBest(house, found, 'postgres', ['dbos', 'openworkflow-postgres']);
  reportBest(house, found, 'sqlite', ['openworkflow-sqlite']);
  house.report.note(
    'OpenWorkflow looks for work after 100 ms to 1 s and for results once a second; neither can ' +
      'be set.',
  );
}

/** What came of it, round by round. */
export type Timings = ReadonlyMap<ContenderName, readonly (readonly number[])[]>;

/** Rounds in which everybody has a turn, alone, with a single lane. */
export async function aloneInTurn(
  house: House,
  contenders: readonly ContenderName[],
  act: (side: Side) => Promise<readonly number[]>,
): Promise<Timings> {
  const sides: Side[] = [];
  for (const contender of contenders) sides.push(await house.side(contender, { lanes: 1 }));
  const found = new Map<ContenderName, (readonly number[])[]>();
  for (let round = 0; round < house.sizes.roundsFew; round += 1) {
    for (const side of sides) {
      const ms = await act(side);
      house.tell(`${side.contender}: ${brief(quantileOf(ms, 0.5))} ms`);
      found.set(side.contender, [...(found.get(side.contender) ?? []), ms]);
    }
  }
  await house.leave(...sides);
  return found;
}

export function quantileTable(found: Timings): string[][] {
  const rows = [...found].map(([contender, rounds]) => [
    CONTENDERS[contender].title,
    show(spreadOf(rounds.map((ms) => quantileOf(ms, 0.5)))),
    brief(quantileOf(rounds.flat(), 0.99)),
    `${rounds.flat().length}`,
  ]);
  return [['contender', 'p50', 'p99', 'times'], ...rows];
}

function reportBest(
  { report }: House,
  found: Timings,
  store: 'postgres' | 'sqlite',
  peers: readonly ContenderName[],
): void {
  const middles = (contender: ContenderName): readonly number[] =>
    (found.get(contender) ?? []).map((ms) => quantileOf(ms, 0.5));
  const byMedian = peers.toSorted((a, b) => medianOf(middles(a)) - medianOf(middles(b)));
  const [best = 'dbos'] = byMedian;
  const ratio = ratioOf(middles(`perdure-${store}`), middles(best));
  report.ratio(`${store}_latency_vs_best_peer`, ratio, HALF);
}

function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}
