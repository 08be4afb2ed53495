/**
 * What instances that wait cost the process of the worker: half of them wait for a message, half
 * sleep, and all were started by another process. The worker is weighed after a collection, before
 * they come and while they wait; a few that came first have warmed it up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { House } from '../house.ts';
import { spreadOf } from '../../measure.ts';
import { brief } from '../report.ts';

const STORES = ['postgres', 'sqlite'] as const;
/** What is asked is asked of so many; the growth by fewer is told as if it were by these. */
const ASKED = 100_000;
const MB_MAX = 50;
const WARM = 2_000;
const ENQUEUED_AT_A_TIME = 20_000;
/** Time enough for a worker that looks once a second to have seen what there is to see. */
const SETTLE_MS = 2_500;
const LANES = 256;

export async function waiting(house: House): Promise<void> {
  const count = house.sizes.waiting;
  const rows: string[][] = [];
  const grown: number[] = [];
  const scale = ASKED / count;
  for (const store of STORES) {
    const worker = await house.side(`perdure-${store}`, { lanes: LANES });
    await worker.ask({ do: 'open', marks: false });
    const { place } = worker;
    const starter = await house.side(`perdure-${store}`, { place, lanes: LANES, works: false });
    await starter.ask({ do: 'enqueue-waiting', count: WARM });
    await sleep(SETTLE_MS);
    const before = await worker.ask({ do: 'weigh' });
    for (let left = count; left > 0; left -= ENQUEUED_AT_A_TIME) {
      await starter.ask({ do: 'enqueue-waiting', count: Math.min(left, ENQUEUED_AT_A_TIME) });
    }
    await sleep(SETTLE_MS);
    const after = await worker.ask({ do: 'weigh' });
    await worker.ask({ do: 'close' });
    starter.end();
    await house.leave(worker);
    const [heap, rss] = [after.heapMb - before.heapMb, after.rssMb - before.rssMb];
    house.tell(`${count} waiting on ${store}: heap ${brief(heap)} MB, RSS ${brief(rss)} MB more`);
    rows.push([store, brief(heap), brief(rss), brief(after.rssMb)]);
    grown.push(rss * scale);
    house.report.ratio(`${store}_waiting_100k_mb`, spreadOf([rss * scale]));
  }
  const worst = spreadOf([Math.max(...grown)]);
  house.report.ratio('waiting_100k_mb', worst, { most: MB_MAX });
  const head = ['store', 'heap more, MB', 'RSS more, MB', 'RSS in all, MB'];
  house.report.table(`${count} instances that wait, seen from the worker`, [head, ...rows]);
}
