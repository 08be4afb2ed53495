/**
 * Scenario 18 on every store: whoever wakes what is not theirs to wake, or brings names that are
 * the engine's own, is refused by name, and the pause is what it was (O-46, O-47).
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Restarts } from '../testing/restarts.ts';

const gated = flow<null>('gated')
  .parallel('both', {
    people: (b) => b.approve('ask', { approvers: ['ann'] }),
    form: (b) => b.task('fill', { assignee: 'bob' }),
    open: (b) => b.waitFor('message', { event: 'go', key: 'k' }).step('seen', ({ vars }) => vars),
  })
  .end();

onEveryStore('scenario 18: what is not theirs to wake', (open) => {
  test('O-47: a task and an approval are not woken by their token, and stay open', async () => {
    const program = await Restarts.of(open, [gated]);
    const { id } = await program.lab.engine.start(gated, null);
    const before = await (await program.settled(id)).inspect();
    for (const node of ['ask', 'fill']) {
      const token = before.tokens.find((one) => one.node === node)?.id as number;
      await program.again();
      const run = await program.run(id);
      await expect(run.wake(token, { ok: true })).rejects.toMatchObject({ code: 'token.gated' });
      expect(await run.inspect()).toEqual(before);
    }
  });

  test.each([
    ['a variable', null, { $secret: 1 }],
    ['a path', null, { 'order.$state': 1 }],
    ['a result', { $error: 'none' }, {}],
    ['one of several', { ok: 1 }, { fine: 1, $no: 2 }],
  ])('O-46: a name of the engine in %s: all of it is refused', async (_, data, vars) => {
    const program = await Restarts.of(open, [gated]);
    const { id } = await program.lab.engine.start(gated, null);
    const before = await (await program.settled(id)).inspect();
    const token = before.tokens.find(({ node }) => node === 'message')?.id as number;
    await program.again();
    const run = await program.run(id);
    await expect(run.wake(token, data, { vars })).rejects.toMatchObject({
      code: 'variable.reserved',
    });
    expect(await run.inspect()).toEqual(before);
    // And then the right way: with both, after another restart.
    await program.again();
    await (await program.run(id)).wake(token, 'come in', { vars: { colour: 'red' } });
    await program.lab.settle();
    const { tokens } = await (await program.run(id)).inspect();
    expect(tokens.map(({ node }) => node)).not.toContain('message');
  });

  test('O-43: what was woken is not woken again', async () => {
    const program = await Restarts.of(open, [gated]);
    const { id } = await program.lab.engine.start(gated, null);
    const before = await (await program.settled(id)).inspect();
    const token = before.tokens.find(({ node }) => node === 'message')?.id as number;
    const run = await program.run(id);
    const both = await Promise.allSettled([run.wake(token, 1), run.wake(token, 2)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await program.again();
    await expect((await program.run(id)).wake(token, 3)).rejects.toMatchObject({
      code: 'token.not-found',
    });
  });
});
