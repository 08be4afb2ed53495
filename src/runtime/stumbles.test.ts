/**
 * A store that stumbles once, between a claim and the run of its work, on every store: nobody has
 * begun anything, so it costs nobody an attempt.
 */
import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { isSound } from '../testing/fragile.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { Around, StoreVerb } from '../testing/wrapped-store.ts';
import type { Run } from './run.ts';

const VERBS: readonly StoreVerb[] = ['release', 'halts.list', 'commit', 'load'];

onEveryStore('a step that was claimed when the store stumbled', (open) => {
  for (const stumbling of VERBS) {
    test(`at ${stumbling} is at its first attempt when it runs`, async () => {
      const ran: string[] = [];
      const step = (name: string) =>
        flow<null>(name)
          .step('work', ({ attempt }) => void ran.push(`${name} ${attempt}`))
          .end();
      const [held, free] = [step('held'), step('free')];
      let [isClaimed, isAway] = [false, false];
      const released = new Gate();
      const around: Around = async (verb, call) => {
        // Nobody else makes the halt true meanwhile: a claim that is being moved is not released.
        if (verb === 'instances.find') await released.opened;
        if (isClaimed && verb === stumbling) {
          isClaimed = false;
          isAway = true;
          throw new EngineError('store.unreachable', 'it stumbles', { retryable: true });
        }
        const answer = await call();
        if (verb === 'release') released.open();
        if (verb === 'claim' && !isAway) isClaimed = (answer as readonly unknown[]).length > 0;
        return answer;
      };
      const lab = await open([held, free], { around });
      await lab.settle();
      const office = await lab.beside([held, free]);
      // At rest first: one that is still looking would make the halt true in the place of ours.
      await office.settle();
      office.engine.parts.worker?.abandon();
      const runs: Run[] = [await office.engine.start(held, null)];
      for (let n = 0; n < 3; n += 1) runs.push(await office.engine.start(free, null));
      // The flow is suspended, and the one that began had not heard of it.
      const said = { flow: 'held', version: 0, suspended: true, by: null, why: null };
      await lab.store.halts.put(said);
      await lab.engine.flows.halts();
      for (let seconds = 0; seconds < 5; seconds += 1) await lab.tick('1s');
      expect([isAway, ran]).toEqual([true, ['free 1', 'free 1', 'free 1']]);
      expect(await runs[0]?.status()).toBe('suspended');

      await lab.engine.flows.resume('held');
      await lab.tick('1s');
      expect([ran[3], await runs[0]?.status()]).toEqual(['held 1', 'completed']);
      await isSound(lab);
    });
  }
});
