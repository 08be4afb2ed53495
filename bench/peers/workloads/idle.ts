/**
 * An engine with nothing to do: how often it asks its database, and what that costs. On Postgres a
 * proxy counts what every connection of the process asks for, those of its threads included; on
 * SQLite the calls of the store are counted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { spreadOf } from '../../measure.ts';
import { CONTENDERS } from '../contenders.ts';
import type { House } from '../house.ts';
import { QueryCounter } from '../query-counter.ts';
import { brief } from '../report.ts';

const STORES = ['postgres', 'sqlite'] as const;
const QUERIES_PER_SECOND_MAX = 2;
/** What opening an engine asks for is over by then, and it has heard nothing for a while. */
const SETTLE_MS = 6_000;
const LANES = 256;

export async function idle(house: House): Promise<void> {
  const rows: string[][] = [];
  const rates: number[] = [];
  for (const store of STORES) {
    const { perSecond, cpuMs } = await watch(house, store);
    house.tell(`idle on ${store}: ${brief(perSecond)} queries/s, ${brief(cpuMs)} ms CPU per s`);
    house.report.ratio(`${store}_idle_queries_per_second`, spreadOf([perSecond]));
    rows.push([store, brief(perSecond), brief(cpuMs)]);
    rates.push(perSecond);
  }
  const worst = spreadOf([Math.max(...rates)]);
  house.report.ratio('idle_queries_per_second', worst, { most: QUERIES_PER_SECOND_MAX });
  const head = ['store', 'queries per second', 'Node CPU ms per second'];
  house.report.table('An engine with nothing to do', [head, ...rows]);
}

interface Seen {
  readonly perSecond: number;
  readonly cpuMs: number;
}

async function watch(house: House, store: (typeof STORES)[number]): Promise<Seen> {
  const contender = `perdure-${store}` as const;
  const real = await house.databases.make(CONTENDERS[contender].keepsIn);
  const counter = store === 'postgres' ? await QueryCounter.start(real) : null;
  const place = counter?.url(real) ?? real;
  const side = await house.side(contender, { place, lanes: LANES });
  await side.ask({ do: 'open', marks: false });
  await sleep(SETTLE_MS);
  const before = { queries: counter?.queries ?? 0, ...(await side.ask({ do: 'look' })) };
  await sleep(house.sizes.idleMs);
  const after = { queries: counter?.queries ?? 0, ...(await side.ask({ do: 'look' })) };
  await side.ask({ do: 'close' });
  side.end();
  await counter?.close();
  await house.databases.drop(real);
  const seconds = house.sizes.idleMs / 1_000;
  const queries =
    counter === null ? (after.calls ?? 0) - (before.calls ?? 0) : after.queries - before.queries;
  return { perSecond: queries / seconds, cpuMs: (after.cpuMs - before.cpuMs) / seconds };
}
