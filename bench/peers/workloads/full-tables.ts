/**
 * The backlog again, on tables that hold a million finished and a hundred thousand sleeping
 * instances, next to the same on empty ones: what is over and what sleeps must cost nothing.
 */
import { spreadOf } from '../../measure.ts';
import { drain } from '../drain.ts';
import { fillPostgres, fillSqlite } from '../filling.ts';
import { type House, ratioOf } from '../house.ts';
import { show } from '../report.ts';

const STORES = ['postgres', 'sqlite'] as const;

type Store = (typeof STORES)[number];

export async function fullTables(house: House): Promise<void> {
  const { roundsFew, drainedFew, finished, sleeping } = house.sizes;
  const full = new Map<Store, string>();
  for (const store of STORES) full.set(store, await filled(house, store));
  const rates = new Map<string, number[]>();
  for (let round = 0; round < Math.max(2, roundsFew); round += 1) {
    for (const store of STORES) {
      const place = full.get(store) ?? '';
      const empty = await drain(house, `perdure-${store}`, { count: drainedFew });
      const beside = await drain(house, `perdure-${store}`, { count: drainedFew, place });
      rates.set(`${store}, empty`, [...(rates.get(`${store}, empty`) ?? []), empty.rate]);
      rates.set(`${store}, full`, [...(rates.get(`${store}, full`) ?? []), beside.rate]);
    }
  }
  for (const place of full.values()) await house.databases.drop(place);
  for (const store of STORES) {
    const [before, beside] = ['empty', 'full'].map((state) => rates.get(`${store}, ${state}`));
    const ratio = ratioOf(beside ?? [], before ?? []);
    house.report.ratio(`${store}_full_vs_empty`, ratio, { least: 0.85 });
  }
  const rows = [...rates].map(([what, found]) => [what, show(spreadOf(found))]);
  house.report.table(
    `(d) A backlog of ${drainedFew}, beside ${finished} finished and ${sleeping} sleeping`,
    [['tables', 'flows/s'], ...rows],
  );
  house.report.note(
    'Full tables are filled by copies of the rows of one real instance of each kind, and then ' +
      'vacuumed and analysed once on Postgres, as its housekeeping would have; not on SQLite.',
  );
}

async function filled(house: House, store: Store): Promise<string> {
  const { finished, sleeping } = house.sizes;
  const side = await house.side(`perdure-${store}`, { lanes: 1 });
  await side.ask({ do: 'alone', flow: 'steps1', times: 1 });
  await side.ask({ do: 'enqueue-waiting', count: 2 });
  side.end();
  const before = performance.now();
  const fillings = [
    { flow: 'steps1', copies: finished },
    { flow: 'sleeping', copies: sleeping },
  ];
  if (store === 'postgres') await fillPostgres(side.place, fillings);
  else fillSqlite(side.place, fillings);
  house.tell(`filled ${store} in ${Math.round((performance.now() - before) / 1_000)} s`);
  return side.place;
}
