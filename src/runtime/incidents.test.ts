/** Incidents: what fails for good waits for someone to mend it (`onFailure: 'incident'`). */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { mendable } from '../testing/fragile.ts';
import { begin, onEveryStore } from '../testing/lab.ts';

onEveryStore('a step that fails for good in a flow that asks for repair', (open) => {
  async function parked() {
    const { state, work } = mendable();
    const undone: string[] = [];
    const job = flow('order', { onFailure: 'incident' })
      .step('reserve', () => 'r1', { undo: ({ result }) => void undone.push(result) })
      .step('charge', work, { retry: { maxAttempts: 2, delay: '1s' } })
      .step('ship', ({ results }) => `shipped after ${results.charge}`)
      .end();
    const { lab, run } = await begin(open, job, { for: '1m' });
    return { lab, run, state, undone };
  }

  test('parks, and says what failed and what can be done', async () => {
    const { lab, run, state } = await parked();
    const view = await run.inspect();
    expect([view.status, state.runs]).toEqual(['waiting', 2]);
    expect(view.incidents).toEqual([
      {
        token: expect.any(Number),
        node: 'charge',
        fault: { code: 'machine.broken', message: 'out of order', node: 'charge' },
        can: ['retry', 'skip', 'cancel'],
      },
    ]);
    expect(view.tokens).toMatchObject([{ attempts: 2 }]);
    await lab.advance('30d');
    expect((await run.inspect()).version).toBe(view.version);
    expect(await lab.engine.check()).toMatchObject({ ok: true, stalled: [] });
  });

  test('retry runs the same token again, with as many executions as before', async () => {
    const { lab, run, state } = await parked();
    const [{ id } = { id: 0 }] = await run.tokens();
    await run.retry();
    await lab.advance('1m');
    expect([state.runs, (await run.tokens())[0]?.id]).toEqual([4, id]);
    state.mended = true;
    await run.retry(id);
    await lab.settle();
    expect(await run.result()).toMatchObject({ charge: 'worked', ship: 'shipped after worked' });
  });

  test('skip goes on as if that were the result', async () => {
    const { lab, run, state } = await parked();
    const [{ id } = { id: 0 }] = await run.tokens();
    await run.skip(id, 'by hand');
    await lab.settle();
    expect(await run.result()).toMatchObject({ charge: 'by hand', ship: 'shipped after by hand' });
    expect(state.runs).toBe(2);
  });

  test('cancel with its saga undoes what was done before', async () => {
    const { lab, run, undone } = await parked();
    await run.cancel({ saga: true });
    await lab.settle();
    expect([await run.status(), undone]).toEqual(['canceled', ['r1']]);
  });

  test('what makes no sense is refused by name, and changes nothing', async () => {
    const { run } = await parked();
    const { version } = await run.inspect();
    await expect(run.retry(999)).rejects.toMatchObject({ code: 'token.not-found' });
    await expect(run.skip(999)).rejects.toMatchObject({ code: 'token.not-found' });
    const [{ id } = { id: 0 }] = await run.tokens();
    await expect(run.skip(id, 1n)).rejects.toMatchObject({ code: 'input.invalid' });
    expect((await run.inspect()).version).toBe(version);
  });

  test('a crash between failing and mending loses nothing', async () => {
    const { lab, run, state } = await parked();
    lab.crash();
    state.mended = true;
    await run.retry();
    lab.crash();
    await lab.advance('1m');
    expect(await run.status()).toBe('completed');
  });
});

onEveryStore('incidents elsewhere', (open) => {
  test('a single step may ask for it; its siblings go on meanwhile', async () => {
    const { state, work } = mendable();
    const job = flow('one')
      .parallel('p', {
        a: (p) => p.step('fragile', work, { onFailure: 'incident' }),
        b: (p) => p.sleep('nap', '1h').step('other', () => 'other'),
      })
      .end();
    const { lab, run } = await begin(open, job, { for: '2h' });
    expect(await run.inspect()).toMatchObject({ incidents: [{ node: 'fragile' }], stalled: null });
    state.mended = true;
    await run.retry();
    await lab.settle();
    expect(await run.result()).toEqual({ fragile: 'worked', other: 'other' });
  });

  test('a try around it comes first', async () => {
    const { work } = mendable();
    const job = flow('tried', { onFailure: 'incident' })
      .try('t', (t) => t.step('fragile', work), { do: (c) => c.step('caught', () => 'caught') })
      .end();
    const { run } = await begin(open, job);
    expect(await run.result()).toMatchObject({ caught: 'caught' });
  });

  test('a node that no handler runs parks as well, and is entered again', async () => {
    const state = { mended: false };
    const job = flow('choice', { onFailure: 'incident' })
      .choose(
        'which',
        {
          a: {
            when: () => {
              if (!state.mended) throw new Error('cannot say');
              return true;
            },
            do: (b) => b.step('a', () => 'a'),
          },
        },
        { otherwise: (b) => b },
      )
      .end();
    const { lab, run } = await begin(open, job);
    expect((await run.inspect()).incidents).toMatchObject([
      { node: 'which', can: ['retry', 'cancel'] },
    ]);
    state.mended = true;
    await run.retry();
    await lab.settle();
    expect(await run.result()).toEqual({ a: 'a' });
  });
});
