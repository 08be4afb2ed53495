/**
 * Events from two processes at a time, one of which knows nothing of the flow, for instances that
 * listen, while a third process is killed and started anew: each hears all of them, once, and those
 * of one process in the order in which it published them.
 */
import { expect, test } from 'vitest';
import { createEngine } from '../runtime/engine.ts';
import { onBothDatabases } from './databases.ts';
import { ears, saidBy, SPEAKERS } from './ear-flow.ts';
import { knowEars } from './ears.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';

knowEars();

const LISTENERS = 4;
/** A machine that is busy with other tests takes a multiple of the usual time. */
const TEST_MS_MAX = 300_000;

onBothDatabases('processes that publish and die', (make) => {
  test(
    'every listener hears all 200 events once, and of each process in order',
    async () => {
      const { place } = make();
      const engine = await createEngine({ store: storeAt(place), flows: [ears], worker: false });
      const runs = await Promise.all(
        Array.from({ length: LISTENERS }, () => engine.start(ears, null)),
      );
      const [office, worker, hand] = ['office', 'worker', 'hand'].map((role) => {
        return new Program('ear-worker', [place, role]);
      }) as [Program, Program, Program];
      await Promise.all([office, worker, hand].map((program) => program.atWork()));
      for (const program of [office, worker, hand]) program.tell('begin');
      await office.said(/^in the midst$/);
      await hand.kill();
      await new Program('ear-worker', [place, 'hand']).atWork();
      await Promise.all([office.said(/^done$/), worker.said(/^done$/)]);

      for (const run of runs) {
        const heard = await run.result();
        for (const list of Object.values(heard)) {
          expect(list).toHaveLength(SPEAKERS.length * saidBy('x').length);
          for (const speaker of SPEAKERS) {
            expect(list.filter((id) => id.startsWith(speaker))).toEqual(saidBy(speaker));
          }
        }
      }
      expect(await engine.check()).toMatchObject({ ok: true, instances: LISTENERS });
      await Program.killAll();
      await engine.close();
    },
    TEST_MS_MAX,
  );
});
