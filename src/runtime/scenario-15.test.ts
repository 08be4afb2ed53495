/**
 * Scenario 15 on every store: pauses in several places at once, woken by token in any order, with a
 * restart between every two wake-ups; the join fires once (O-85..O-89).
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { Dice } from '../testing/dice.ts';
import { onEveryStore } from '../testing/lab.ts';
import { joinsOf, meetingsOf, pausingFlow, PLACES, waitingIn } from '../testing/pausing-flow.ts';
import { Restarts } from '../testing/restarts.ts';

const two = flow<null>('two')
  .parallel('both', {
    a: (b) => b.waitFor('left', { event: 'go', key: 'a' }).step('l', () => 'l'),
    b: (b) => b.waitFor('right', { event: 'go', key: 'b' }).step('r', () => 'r'),
  })
  .step('met', () => null)
  .end(({ results: { left, right } }) => [left, right]);

onEveryStore('scenario 15, O-88, O-89: pauses in two branches', (open) => {
  test('are woken in reverse order with a restart between, and the join fires once', async () => {
    const program = await Restarts.of(open, [two]);
    const { id } = await program.lab.engine.start(two, null);
    const [left, right] = await waitingIn(await program.settled(id));
    for (const token of [right, left]) {
      await program.again();
      await (await program.run(id)).wake(token as number, token);
      await program.lab.settle();
    }
    await program.again();
    const run = await program.run(id);
    expect(await run.result()).toEqual([left, right]);
    expect([await joinsOf(run), await meetingsOf(run)]).toEqual([1, 1]);
  });

  test('branch A is paused while branch B goes on to its own pause', async () => {
    const later = flow<null>('later')
      .parallel('both', {
        a: (b) => b.waitFor('left', { event: 'go', key: 'a' }),
        b: (b) =>
          b
            .waitFor('right', { event: 'go', key: 'b' })
            .step('between', () => 'done')
            .waitFor('last', { event: 'go', key: 'c' }),
      })
      .end();
    const program = await Restarts.of(open, [later]);
    const { id } = await program.lab.engine.start(later, null);
    const [, right] = await waitingIn(await program.settled(id));
    await (await program.again()).engine.get(id).then((run) => run?.wake(right as number, 2));
    const run = await program.settled(id);
    const waits = (await run.tokens()).flatMap(({ node, wait }) =>
      wait?.on === 'message' ? [node] : [],
    );
    expect(waits.toSorted()).toEqual(['last', 'left']);
  });
});

onEveryStore('pauses in branches, passes and items at once', (open) => {
  test.each([1, 2, 3])('woken in random order %i, each by another program', async (seed) => {
    const all = pausingFlow();
    const program = await Restarts.of(open, [all]);
    const { id } = await program.lab.engine.start(all, null);
    const tokens = await waitingIn(await program.settled(id));
    expect(tokens).toHaveLength(PLACES);
    for (const token of shuffled(tokens, seed)) {
      const lab = await program.again();
      expect(await (await program.run(id)).status()).toBe('waiting');
      await (await program.run(id)).wake(token, token);
      await lab.settle();
    }
    await program.again();
    const run = await program.run(id);
    const [left, right, ...rest] = tokens;
    const result = (await run.result()) as { items: readonly number[]; pass: number };
    expect(result).toMatchObject({ left, right });
    expect([result.pass, ...result.items].toSorted(byNumber)).toEqual(rest.toSorted(byNumber));
    expect([await joinsOf(run), await meetingsOf(run)]).toEqual([1, 1]);
    expect(await program.lab.engine.check()).toMatchObject({ ok: true });
  });

  test('O-88: two that are woken at the same instant both land', async () => {
    const all = pausingFlow();
    const program = await Restarts.of(open, [all]);
    const { id } = await program.lab.engine.start(all, null);
    const run = await program.settled(id);
    await Promise.all((await waitingIn(run)).map((token) => run.wake(token, token)));
    await program.lab.settle();
    expect(await run.status()).toBe('completed');
    expect([await joinsOf(run), await meetingsOf(run)]).toEqual([1, 1]);
  });
});

function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const dice = new Dice(seed);
  const left = [...items];
  return items.map(() => left.splice(dice.roll(left.length), 1)[0] as Item);
}

function byNumber(a: number, b: number): number {
  return a - b;
}
