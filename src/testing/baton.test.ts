/** Scenario 20: written down after every activity and rebuilt in a new process, it is the same. */
import { describe, expect, test } from 'vitest';
import { createEngine } from '../runtime/engine.ts';
import type { Run } from '../runtime/run.ts';
import { onBothDatabases } from './databases.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';
import { batonFlow, WORD } from './baton-flow.ts';
import { createTestEngine } from './test-engine.ts';
import { expectOnce, runsIn } from './token-runs.ts';

const OUTPUT = { last: [8, 16, 111, 11], heard: 'hello' };
/** Seven results, two times and a message. */
const COMMITS = 10;

async function expectWhole(run: Run): Promise<void> {
  const history = await run.history({ notes: true });
  for (const each of runsIn(history)) expectOnce(each, each.step);
  expect(history.some(({ dropped }) => dropped !== undefined)).toBe(false);
}

onBothDatabases('scenario 20: a relay of processes, each gone after one commit', (make) => {
  test.concurrent.each(['exit', 'kill'])(
    'that end by %s give the output of one that is never disturbed',
    async (how) => {
      const { place } = make();
      const flows = [batonFlow()];
      const office = await createEngine({ store: storeAt(place), flows, worker: false });
      const run = await office.start('baton', 3, { id: 'baton', key: 'baton' });
      await office.publish({ type: WORD, key: 'baton', data: 'hello' });
      let runners = 0;
      for (; (await run.inspect()).endedAt === null; runners += 1) {
        const runner = new Program('baton-runner', [place, how]);
        expect(await runner.ended()).toBe(how === 'kill' ? 'SIGKILL' : '0');
      }
      expect(await run.result()).toEqual(OUTPUT);
      expect(runners).toBe(COMMITS);
      await expectWhole(run);
      expect(await office.check()).toMatchObject({ ok: true, stalled: [] });
      await office.close();
    },
  );
});

describe('scenario 20, on memory: the worker is gone after every commit', () => {
  test.each([true, false])('crashAfterEveryCommit: %s gives the same output', async (crashes) => {
    const flows = [batonFlow()];
    const kit = createTestEngine({ flows, chaos: { crashAfterEveryCommit: crashes } });
    const run = await kit.start('baton', 3, { key: 'baton' });
    await kit.advance('1s');
    await kit.engine.publish({ type: WORD, key: 'baton', data: 'hello' });
    await kit.advance('1s');
    expect(await run.result()).toEqual(OUTPUT);
    await expectWhole(run);
    await kit.close();
  });
});
