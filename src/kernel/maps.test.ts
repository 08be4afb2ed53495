/** Maps among everything else the kernel does: commits in between, loops, races, sagas, mending. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Instant } from '../model/ids.ts';
import { Dice } from '../testing/dice.ts';
import { answerAt, birthsAt, failAt, oneAt, play, tokensAt, withoutCode } from '../testing/play.ts';
import { Story, written } from '../testing/story.ts';

function begun(job: Flow, limits = {}, input: Json = null): Story {
  const story = new Story(written(job), { limits, key: 'k' });
  story.start(input);
  return story;
}

const letters = ['a', 'b', 'c'];

describe('a map of many items', () => {
  const numbers = Array.from({ length: 2_500 }, (_, index) => index);

  test('of nothing but closures takes several commits, and comes to its end', () => {
    const story = begun(
      flow('many')
        .map('each', { over: numbers }, (b) => b.set('double', ({ item }) => item * 2))
        .end(({ results }) => results.each),
    );
    expect(story.head.status).toBe('running');
    play(story, (tokens) => tokens[0]);
    expect(story.head.output).toEqual(numbers.map((number) => number * 2));
    expect(story.head.version).toBeGreaterThan(4);
  });

  test('of steps begins all of them, though one commit is not enough', () => {
    const story = begun(
      flow('many')
        .map('each', { over: numbers }, (b) => b.step('work', () => 1))
        .end(),
    );
    for (let strides = 0; tokensAt(story, 'work').length < numbers.length; strides += 1) {
      const resting = [...story.instance.resting.keys()]
        .map((id) => story.instance.tokens.get(id))
        .find((token) => token?.handler !== null);
      expect(resting).toBeDefined();
      expect(strides).toBeLessThan(10);
      story.go(resting?.id ?? 0);
    }
    expect(tokensAt(story, 'work')).toHaveLength(numbers.length);
  });

  test.each([1, 2, 3, 5, 8])('with %s moves a commit nothing is lost or doubled', (moves) => {
    for (const limit of [1, 2, 4, 9]) {
      const story = begun(
        flow('few')
          .map('each', { over: [0, 1, 2, 3, 4, 5, 6], limit }, (b) =>
            b
              .set('before', ({ item }) => item)
              .choose(
                'odd',
                { yes: { when: ({ item }) => item % 2 === 1, do: (c) => c.step('work', () => 1) } },
                { otherwise: (c) => c.set('idle', () => 1) },
              )
              .set('after', ({ item, results }) => [item, results.before]),
          )
          .end(({ results }) => results.each),
        { MOVES_PER_COMMIT: moves },
      );
      const dice = new Dice(moves * 10 + limit);
      play(story, (tokens) => dice.pick(tokens));
      expect(story.head.output).toEqual([0, 1, 2, 3, 4, 5, 6].map((item) => [item, item]));
      expect([birthsAt(story, 'before'), birthsAt(story, 'work')]).toEqual([7, 3]);
    }
  });

  test('a process without the closures keeps what steps bring, and the limit holds', () => {
    const story = begun(
      flow('few')
        .map('each', { over: [0, 1, 2, 3, 4, 5], limit: 2, collect: ({ item }) => item }, (b) =>
          b.step('work', () => 1),
        )
        .end(({ results }) => results.each),
      { MOVES_PER_COMMIT: 2 },
    );
    const dice = new Dice(7);
    for (let answers = 0; story.head.status === 'running'; answers += 1) {
      expect(answers).toBeLessThan(100);
      const open = story.instance.scopes.values().filter(({ node }) => node === 'each/:item');
      expect(open.length).toBeLessThanOrEqual(2);
      const live = story.instance.tokens.values().filter(({ handler }) => handler !== null);
      const token = dice.pick(live.filter(({ status }) => status === 'ready'));
      if (token.handler?.endsWith('/work')) withoutCode(story, () => story.done(token.id));
      else story.go(token.id);
    }
    expect(story.head.output).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('a pause inside an item', () => {
  test('O-76: each is woken by itself, in any order, and comes back to the map', () => {
    const story = begun(
      flow('f')
        .map('each', { over: letters, limit: 2 }, (b) =>
          b.waitFor('answer', { event: 'answer', key: ({ item }) => item }).sleep('rest', '1s'),
        )
        .end(({ results }) => results.each),
    );
    const [first = 0, second = 0] = tokensAt(story, 'answer');
    story.message(second, 'answer', 'b', 'B');
    story.time(oneAt(story, 'rest'));
    const [, third = 0] = tokensAt(story, 'answer');
    story.message(third, 'answer', 'c', 'C');
    expect(tokensAt(story, 'each/:item')).toHaveLength(2);
    story.time(oneAt(story, 'rest'));
    story.message(first, 'answer', 'a', 'A');
    story.time(oneAt(story, 'rest'));
    expect(story.head.output).toEqual([{ answer: 'A' }, { answer: 'B' }, { answer: 'C' }]);
  });

  test('O-79: the map itself cannot be woken past its items', () => {
    const story = begun(
      flow('f')
        .map('each', { over: letters }, (b) => b.sleep('nap', '1d'))
        .end(),
    );
    const { version } = story.head;
    for (const node of ['each', 'each/:item']) {
      const token = oneAt(story, node);
      const at = 0 as Instant;
      story.tell({ type: 'wake', at, token, data: null, arm: null, act: { by: 'me' } as never });
    }
    expect(story.head.version).toBe(version);
  });
});

describe('failing inside an item', () => {
  const retried = flow('f')
    .map('each', { over: letters, onError: 'collect' }, (b) =>
      b.step('work', () => 1, { retry: { maxAttempts: 2 } }),
    )
    .end(({ results }) => results.each.map(({ status }) => status));

  test('a step is tried again where it is, and only then the item has failed', () => {
    const story = begun(retried);
    const [first = 0] = tokensAt(story, 'work');
    story.fail(first);
    expect(tokensAt(story, 'work')).toHaveLength(3);
    story.now += 100_000;
    story.fail(first);
    expect(tokensAt(story, 'work')).toHaveLength(2);
    answerAt(story, ['work']);
    expect(story.head.output).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  test('a try in the item catches it there', () => {
    const story = begun(
      flow('f')
        .map('each', { over: letters }, (b) =>
          b
            .try('careful', (c) => c.step('work', () => 1), { do: (c) => c })
            .set('seen', ({ item, results }) => [item, results.careful?.code ?? null]),
        )
        .end(({ results }) => results.each),
    );
    failAt(story, 'work', 'no');
    answerAt(story, ['work']);
    expect(story.head.output).toEqual([
      ['a', 'no'],
      ['b', null],
      ['c', null],
    ]);
  });

  test('a try around the map catches what the map fails with, and may begin it anew', () => {
    const story = begun(
      flow('f')
        .try('careful', (c) => c.map('each', { over: letters }, (b) => b.step('work', () => 1)), {
          retry: { maxAttempts: 2, delay: '1s' },
        })
        .end(({ results }) => results.each),
    );
    failAt(story, 'work');
    expect(tokensAt(story, 'each/:item')).toEqual([]);
    story.time(oneAt(story, 'careful'));
    expect(tokensAt(story, 'work')).toHaveLength(3);
    answerAt(story, ['work']);
    expect(story.head.output).toEqual(['work', 'work', 'work']);
  });
});

describe('a map among others', () => {
  test('in two branches at once, and in a race that another branch wins', () => {
    const each = { over: letters, limit: 2 } as const;
    const both = begun(
      flow('f')
        .parallel('both', {
          x: (b) => b.map('one', each, (c) => c.step('A', () => 1)),
          y: (b) => b.map('two', each, (c) => c.step('B', () => 1)),
        })
        .end(({ results }) => [results.one, results.two]),
    );
    play(both, (tokens) => tokens.at(-1));
    expect(both.head.output).toEqual([
      ['A', 'A', 'A'],
      ['B', 'B', 'B'],
    ]);
    const raced = begun(
      flow('f')
        .race('first', {
          x: (b) => b.map('one', each, (c) => c.step('A', () => 1)),
          y: (b) => b.step('B', () => 1).step('C', () => 1),
        })
        .end(({ results }) => results.one ?? 'none'),
    );
    answerAt(raced, ['A', 'B', 'C']);
    expect([raced.head.output, raced.instance.scopes.size]).toEqual(['none', 0]);
  });

  test('in a loop it begins anew in each pass', () => {
    const story = begun(
      flow('f')
        .repeat('loop', { times: 2 }, (b) =>
          b.map('each', { over: ({ index }) => [index, index] }, (c) =>
            c.set('note', ({ item, index }) => [item, index]),
          ),
        )
        .end(({ results }) => results.each),
    );
    expect(story.head.output).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  test('what it sets ends with its item, and its results are seen by nobody else', () => {
    const story = begun(
      flow<null, { n: number }>('f', { vars: { n: 0 } })
        .map('each', { over: [1, 2], as: 'n', mode: 'sequential' }, (b) =>
          b.set('was', ({ vars }) => ({ n: vars.n, before: vars.n * 10 })),
        )
        .end(({ results, vars }) => [results.each, vars.n, Object.keys(results)]),
    );
    const each = [
      { n: 1, before: 10 },
      { n: 2, before: 20 },
    ];
    expect(story.head.output).toEqual([each, 0, ['each']]);
  });

  test('a terminate in an item ends all of it', () => {
    const story = begun(
      flow('f')
        .map('each', { over: letters }, (b) => b.step('work', () => 1).terminate('stop', () => 'x'))
        .end(),
    );
    story.done(tokensAt(story, 'work')[1] ?? 0);
    expect(story.head).toMatchObject({ status: 'completed', output: 'x' });
  });
});

describe('undoing', () => {
  const booked = (options: { onError?: 'collect'; saga?: 'scope' | 'none' }): Flow =>
    flow('trips')
      .map('each', { over: letters, mode: 'sequential', ...options }, (b) =>
        b.step('hotel', () => 1, { undo: () => 1 }).step('car', () => 1, { undo: () => 1 }),
      )
      .step('last', () => 1)
      .end();
  /** What is undone, in order, with its item. */
  const undone = (story: Story): readonly string[] => {
    const told: string[] = [];
    for (;;) {
      const token = story.instance.tokens.values().find(({ mode }) => mode === 'compensation');
      if (token === undefined) return told;
      const undo = story.instance.undos.values().find(({ by }) => by === token.id);
      told.push(`${undo?.node} ${undo?.index} ${JSON.stringify(undo?.item)}`);
      story.done(token.id);
    }
  };

  test('goes back through the items, newest first, each with its own index and item', () => {
    const story = begun(booked({}));
    for (let item = 0; item < 3; item += 1) answerAt(story, ['hotel', 'car']);
    failAt(story, 'last');
    const each = [
      'car 2 "c"',
      'hotel 2 "c"',
      'car 1 "b"',
      'hotel 1 "b"',
      'car 0 "a"',
      'hotel 0 "a"',
    ];
    expect(undone(story)).toEqual(each);
    expect(story.head).toMatchObject({ status: 'failed', outcome: 'compensated' });
  });

  test('an item that is a saga is undone before its error is kept', () => {
    const story = begun(booked({ saga: 'scope', onError: 'collect' }));
    answerAt(story, ['hotel', 'car', 'hotel']);
    failAt(story, 'car', 'no.car');
    expect(tokensAt(story, 'hotel')).toHaveLength(1);
    expect(undone(story)).toEqual(['hotel 1 "b"']);
    answerAt(story, ['hotel', 'car']);
    expect(story.instance.scopes.get(1 as never)?.results.object).toMatchObject({
      each: [{ status: 'fulfilled' }, { status: 'rejected' }, { status: 'fulfilled' }],
    });
    failAt(story, 'last');
    expect(undone(story)).toEqual(['car 2 "c"', 'hotel 2 "c"', 'car 0 "a"', 'hotel 0 "a"']);
  });

  test('with saga none nothing in it is undone', () => {
    const story = begun(booked({ saga: 'none' }));
    for (let item = 0; item < 3; item += 1) answerAt(story, ['hotel', 'car']);
    failAt(story, 'last');
    expect([undone(story), story.head.status]).toEqual([[], 'failed']);
  });

  test('what is at work when another item fails is heard of, and undone with its item', () => {
    const story = begun(
      flow('trips')
        .map('each', { over: letters }, (b) =>
          b.repeat('loop', { times: 1 }, (c) => c.step('hotel', () => 1, { undo: () => 1 })),
        )
        .end(),
    );
    const [first = 0, second = 0, third = 0] = tokensAt(story, 'hotel');
    story.fail(second);
    story.done(third, 'C');
    story.putDown(first);
    expect(undone(story)).toEqual(['hotel 0 "c"']);
  });
});
