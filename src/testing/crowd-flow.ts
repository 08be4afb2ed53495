/**
 * A flow whose step may be at work in three places at once, in all processes together. Whoever is
 * at work has a file in a folder meanwhile, so that the others can count without asking the engine.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';

export const CROWD_MAX = 3;
const SEAT = '.seat';
const WORK_MS = 3;

export function crowdFlow(folder: string): Flow<null, { readonly others: number }> {
  let count = 0;
  return flow<null>('crowd')
    .step(
      'sit',
      async () => {
        count += 1;
        const seat = join(folder, `${process.pid}-${count}${SEAT}`);
        writeFileSync(seat, '');
        const others = seatsIn(folder).length;
        await setTimeout(WORK_MS);
        rmSync(seat);
        return { others };
      },
      { limit: { concurrency: CROWD_MAX } },
    )
    .end(({ results }) => results.sit);
}

export function seatsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith(SEAT));
}
