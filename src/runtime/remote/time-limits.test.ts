/** Time limits of steps done elsewhere: they bound the lease, and end what takes longer. */
import { expect, test } from 'vitest';
import { flow } from '../../frontends/builder/flow.ts';
import { remote } from '../../frontends/builder/remote.ts';
import { onEveryStore } from '../../testing/lab.ts';
import { createTestEngine } from '../../testing/test-engine.ts';

const W = { worker: 'w1' };
const slow = flow('slow')
  .step('work', remote<string>(), { timeout: '20s', retry: { maxAttempts: 2, delay: '5s' } })
  .end();
const request = { ...W, handlers: ['slow/work'], lease: '1m' };

onEveryStore('a remote step with a time limit', (open) => {
  test('is the worker’s no longer than that, and fails as step.timeout after it', async () => {
    const lab = await open([slow]);
    const run = await lab.engine.start(slow, null);
    const [work] = await lab.engine.work.fetch(request);
    expect(work?.until).toBe(lab.now + 20_000);
    await lab.advance('15s');
    expect(await lab.engine.work.extend(work?.id ?? '', { ...W, lease: '1m' })).toEqual({
      until: lab.now + 5_000,
    });
    await lab.pass('6s');
    const error = { code: 'step.timeout', unanswered: true };
    expect(await run.tokens()).toMatchObject([{ attempts: 1, crashes: 0, lastError: error }]);
    const late = lab.engine.work.complete(work?.id ?? '', { ...W, result: 'late' });
    await expect(late).rejects.toMatchObject({ code: 'work.lost' });
    await lab.advance('5s');
    const [again] = await lab.engine.work.fetch(request);
    expect(again).toMatchObject({ attempt: 2 });
    await lab.pass('21s');
    expect((await run.inspect()).fault).toMatchObject({ code: 'step.timeout', node: 'work' });
  });

  test('fails so though the process that handed it out is gone, when the worker asks', async () => {
    const lab = await open([slow]);
    const other = await lab.beside([slow]);
    const run = await lab.engine.start(slow, null);
    const [work] = await other.engine.work.fetch(request);
    await other.close();
    await lab.advance('21s');
    expect(await run.tokens()).toMatchObject([{ attempts: 0 }]);
    const extended = lab.engine.work.extend(work?.id ?? '', W);
    await expect(extended).rejects.toMatchObject({
      ...{ code: 'work.lost', message: expect.stringContaining('20000 ms') },
    });
    expect(await run.tokens()).toMatchObject([
      { attempts: 1, lastError: { code: 'step.timeout' } },
    ]);
  });

  test('has that stand still while its instance is suspended', async () => {
    const lab = await open([slow]);
    const run = await lab.engine.start(slow, null);
    const [work] = await lab.engine.work.fetch(request);
    await lab.advance('15s');
    await run.suspend();
    await lab.pass('10s');
    await run.resume();
    await lab.pass('4s');
    await lab.engine.work.complete(work?.id ?? '', { ...W, result: 'in time' });
    expect(await run.result()).toEqual({ work: 'in time' });
  });

  test('that is over before anybody begins is not handed out', async () => {
    const late = flow('late').step('work', remote(), { deadline: '10s' }).end();
    const lab = await open([late]);
    const run = await lab.engine.start(late, null);
    await lab.advance('11s');
    expect(await lab.engine.work.fetch({ ...W, handlers: ['late/work'] })).toEqual([]);
    expect((await run.inspect()).fault).toMatchObject({ code: 'step.deadline' });
  });
});

test('the test kit lets the time of a remote step pass', async () => {
  const kit = createTestEngine({ flows: [slow] });
  const run = await kit.start(slow, null);
  await kit.runUntilIdle();
  const [work] = await kit.engine.work.fetch(request);
  await kit.advance('19s');
  expect(await run.tokens()).toMatchObject([{ attempts: 0 }]);
  await kit.advance('2s');
  expect(await run.tokens()).toMatchObject([{ attempts: 1 }]);
  const failed = kit.engine.work.fail(work?.id ?? '', { ...W, error: { message: 'late' } });
  await expect(failed).rejects.toMatchObject({ code: 'work.lost' });
  await kit.close();
});
