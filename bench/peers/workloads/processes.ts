/** The backlog on Postgres, worked off by one, two and four processes, and what the server did. */
import { availableParallelism } from 'node:os';
import { spreadOf } from '../../measure.ts';
import { drain, type Drained } from '../drain.ts';
import { type House, ratioOf } from '../house.ts';
import { show } from '../report.ts';

const COUNTS = [1, 2, 4] as const;

const NAMES = new Map<number, string>([
  [2, 'postgres_two_processes'],
  [4, 'postgres_four_processes'],
]);

export async function processes(house: House): Promise<void> {
  const { roundsFew, drainedFew } = house.sizes;
  const found = new Map<number, Drained[]>();
  for (let round = 0; round < roundsFew; round += 1) {
    for (const count of COUNTS) {
      const one = await drain(house, 'perdure-postgres', { count: drainedFew, processes: count });
      found.set(count, [...(found.get(count) ?? []), one]);
    }
  }
  const ratesOf = (count: number): number[] => (found.get(count) ?? []).map(({ rate }) => rate);
  for (const [count, name] of NAMES) {
    const ratio = ratioOf(ratesOf(count), ratesOf(1));
    if (count === 2) house.report.ratio(name, ratio, { least: 1.3 });
    else house.report.ratio(name, ratio);
  }
  const rows = COUNTS.map((count) => {
    const all = found.get(count) ?? [];
    const server = all.flatMap(({ serverCores }) => serverCores ?? []);
    return [
      `${count}`,
      show(spreadOf(ratesOf(count))),
      show(spreadOf(all.map(({ cores }) => cores))),
      server.length > 0 ? show(spreadOf(server)) : '',
    ];
  });
  const head = ['processes', 'flows/s', 'cores, processes', 'cores, database'];
  house.report.table(`(f) A backlog of ${drainedFew} on Postgres, by several processes`, [
    head,
    ...rows,
  ]);
  house.report.note(
    `Processes and database share the ${availableParallelism()} cores of one machine: where the ` +
      'database and one process use them up, a second process gains nothing.',
  );
}
