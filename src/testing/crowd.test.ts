/**
 * Two worker processes under one limit, of which one is killed in the middle: never more than may
 * are at work, and everyone gets through. Who is at work is counted outside of the engine.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine } from '../runtime/engine.ts';
import { CROWD_MAX, crowdFlow, seatsIn } from './crowd-flow.ts';
import { onBothDatabases } from './databases.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';

const INSTANCES = 400;
/** A machine that is busy with other tests takes a multiple of the usual seconds. */
const TEST_MS_MAX = 120_000;

onBothDatabases('two processes under one limit', (make) => {
  test(
    `have never more than ${CROWD_MAX} at work`,
    async () => {
      const { place, folder } = make();
      const launch = (): Program => new Program('crowd-worker', [place, folder]);
      const workers = [launch(), launch()];
      for (const worker of workers) await worker.atWork();
      const crowd = crowdFlow(folder);
      const engine = await createEngine({ store: storeAt(place), flows: [crowd], worker: false });
      const runs = await Promise.all(
        Array.from({ length: INSTANCES }, () => engine.start(crowd, null)),
      );
      await runs[INSTANCES / 4]?.result();
      const pid = (await workers[0]?.said(/^pid /))?.slice('pid '.length);
      await workers[0]?.kill();
      // What it had begun is at work until its lease is over, but nobody sits there any more.
      for (const seat of seatsIn(folder)) {
        if (seat.startsWith(`${pid}-`)) rmSync(join(folder, seat));
      }
      await launch().atWork();
      const seen = await Promise.all(runs.map((run) => run.result()));
      expect(Math.max(...seen.map(({ others }) => others))).toBe(CROWD_MAX);
      expect(seatsIn(folder)).toEqual([]);
      expect(await engine.check()).toMatchObject({ ok: true });
      await engine.close();
    },
    TEST_MS_MAX,
  );
});
