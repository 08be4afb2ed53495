/**
 * A backlog worked off: flows of one step that were put in before, by a process that is gone. The
 * queues among the peers do a job for each; they keep no state of it, and delete or mark its row.
 */
import { spreadOf } from '../../measure.ts';
import { CONTENDERS, type ContenderName } from '../contenders.ts';
import { drain, type Drained } from '../drain.ts';
import { type House, ratioOf } from '../house.ts';
import { brief, show } from '../report.ts';

const FAST: readonly ContenderName[] = [
  'perdure-postgres',
  'perdure-sqlite',
  'graphile',
  'pg-boss',
];
/** As many flows as the others have would take these minutes. */
const SLOW: readonly ContenderName[] = ['dbos', 'openworkflow-postgres', 'openworkflow-sqlite'];

const RSS_MB_MAX = 300;

export async function backlog(house: House): Promise<void> {
  const { rounds, drained, drainedSlow } = house.sizes;
  const found = new Map<ContenderName, Drained[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of FAST) {
      const one = await drain(house, contender, { count: drained });
      found.set(contender, [...(found.get(contender) ?? []), one]);
    }
  }
  for (const contender of SLOW) {
    found.set(contender, [await drain(house, contender, { count: drainedSlow })]);
  }
  const ratesOf = (contender: ContenderName): readonly number[] =>
    (found.get(contender) ?? []).map(({ rate }) => rate);
  const rows = [...found].map(([contender, all]) => [
    CONTENDERS[contender].title,
    `${SLOW.includes(contender) ? drainedSlow : drained}`,
    show(spreadOf(ratesOf(contender))),
    brief(Math.max(...all.map(({ rssMb }) => rssMb))),
  ]);
  const head = ['contender', 'flows', 'flows/s', 'peak RSS, MB'];
  house.report.table('(c) A backlog of flows of one step, worked off', [head, ...rows]);
  reportRatios(house, found, ratesOf);
}

function reportRatios(
  { report }: House,
  found: ReadonlyMap<ContenderName, readonly Drained[]>,
  ratesOf: (contender: ContenderName) => readonly number[],
): void {
  const ours = ratesOf('perdure-postgres');
  report.ratio('postgres_vs_graphile', ratioOf(ours, ratesOf('graphile')), { least: 0.3 });
  report.ratio('postgres_vs_pg_boss', ratioOf(ours, ratesOf('pg-boss')));
  const rss = (['perdure-postgres', 'perdure-sqlite'] as const).map((contender) =>
    spreadOf((found.get(contender) ?? []).map(({ rssMb }) => rssMb)),
  );
  for (const [index, store] of ['postgres', 'sqlite'].entries()) {
    const spread = rss[index];
    if (spread !== undefined) report.ratio(`${store}_drain_rss_mb`, spread);
  }
  const worst = rss.toSorted((a, b) => b.median - a.median)[0];
  if (worst !== undefined) report.ratio('drain_rss_mb', worst, { most: RSS_MB_MAX });
  for (const contender of found.keys()) {
    report.rate(`${contender}-drain`, spreadOf(ratesOf(contender)).median);
  }
  report.note(
    'A flow of the backlog counts when its handler has run; the rate is that of the last nine ' +
      'tenths, so that opening is not in it. DBOS runs all of its queue at once, so that its ' +
      'workflows count when their step is durable, and their own last write is not waited for.',
  );
}
