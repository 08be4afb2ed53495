/** Work for people in the test kit: the same calls, on a clock that the test turns. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { createTestEngine } from './test-engine.ts';

const claim = flow<{ amount: number }>('claim')
  .task('fill', { candidates: ['office'] })
  .approve('release', {
    approvers: ({ input }) => (input.amount > 100 ? ['fin', 'boss'] : ['fin']),
    rule: 'unanimous',
    timeout: '7d',
    onTimeout: 'reject',
  })
  .step('pay', ({ results }) => results.release.decision)
  .end(({ results }) => results.pay);

describe.each([{}, { crashAfterEveryCommit: true, duplicateDeliveries: true }])(
  'a flow that waits for people, with chaos %j',
  (chaos) => {
    const begun = async (amount: number) => {
      const kit = createTestEngine({ flows: [claim], chaos });
      const run = await kit.start(claim, { amount });
      await kit.runUntilIdle();
      const { tasks } = kit.engine;
      const only = async (): Promise<string> => {
        const [found, ...more] = (await tasks.list({ instance: run.id })).tasks;
        expect(more).toEqual([]);
        return found?.id ?? '';
      };
      await tasks.complete(await only(), null, { actor: 'ann', groups: ['office'] });
      await kit.runUntilIdle();
      return { kit, run, tasks, id: await only() };
    };

    test('goes through by what they do', async () => {
      const { kit, run, tasks, id } = await begun(500);
      for (const actor of ['fin', 'boss']) {
        await tasks.decide(id, { actor, decision: 'approve' });
        await kit.runUntilIdle();
      }
      expect((await run.inspect()).output).toBe('approve');
      expect(kit.path(run.id)).toEqual(['fill', 'release', 'pay']);
      expect(await kit.engine.check()).toMatchObject({ ok: true });
    });

    test('goes on when their time is over, and not before', async () => {
      const { kit, run, id, tasks } = await begun(50);
      await kit.advance('6d');
      expect(await tasks.get(id)).toMatchObject({ waitsFor: ['fin'] });
      await kit.advance('2d');
      expect((await run.inspect()).output).toBe('reject');
      expect((await tasks.list()).tasks).toEqual([]);
    });
  },
);
