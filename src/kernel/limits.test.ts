/** How far one stride goes, and how far one line of control goes without any rest. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { ORDERS, play, tokensAt } from '../testing/play.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function line(count: number): Drawing {
  return draw([Array.from({ length: count }, (_, i) => `p${i}`).join(' -> ')]);
}

describe('MOVES_PER_COMMIT', () => {
  const limits = { MOVES_PER_COMMIT: 3 };

  test('a stride of as many moves ends by itself', () => {
    const story = new Story(line(3), { limits });
    story.start();
    expect(story.head).toMatchObject({ status: 'completed', version: 1 });
  });

  test('one more move and the token is set down, to go on in the next stride', () => {
    const story = new Story(line(4), { limits });
    expect(story.start()).toBe(text`
      start  test null
      open   scope 1
      birth  token 2 at p0
      birth  token 3 at p1
      end    token 2 done
      birth  token 4 at p2
      end    token 3 done
      birth  token 5 at p3
      end    token 4 done
      rest   token 5 after 3
      ! offer token 5 to test@1/
    `);
    expect(story.go(5)).toBe(text`
      claim  token 5 by w1
      end    token 5 done
      close  scope 1
      finish completed
      ! ended
    `);
  });

  test('is 1,000 unless someone says otherwise', () => {
    const ends = (count: number): string => {
      const story = new Story(line(count));
      story.start();
      return story.head.status;
    };
    expect([ends(1_000), ends(1_001)]).toEqual(['completed', 'running']);
  });

  test('a handler cannot answer for a token that was set down', () => {
    const story = new Story(line(4), { limits });
    story.start();
    expect(story.done(5)).toBe('\n\n');
  });
});

/** Eight ways out of a fork: a step, a sleep, a wait and five passes in a row of two. */
const wide = draw(
  [
    'f -> A -> j',
    'f -> nap -> j',
    'f -> msg -> j',
    ...[1, 2, 3, 4, 5].map((i) => `f -> x${i} -> y${i} -> j`),
    'j -> end',
  ],
  {
    f: { kind: 'fork' },
    j: { kind: 'join' },
    nap: { kind: 'sleep', settings: { ms: 10 } },
    msg: { kind: 'wait', settings: { event: 'go' } },
    end: { kind: 'end' },
  },
);

describe('a wide fork', () => {
  const begun = (): Story => {
    const story = new Story(wide, { limits: { MOVES_PER_COMMIT: 4 }, key: 'k' });
    story.start();
    return story;
  };
  const resting = (story: Story): Pick<Token, 'node' | 'handler'>[] =>
    story.instance.resting.keys().map((id) => {
      const token = story.instance.tokens.get(id);
      return { node: token?.node ?? ('' as never), handler: token?.handler ?? null };
    });

  test('rests with one token to claim and the others merely ready', () => {
    expect(resting(begun())).toEqual([
      { node: 'x2', handler: 'test@1/' },
      { node: 'x3', handler: null },
      { node: 'x4', handler: null },
      { node: 'x5', handler: null },
      { node: 'y1', handler: null },
    ]);
  });

  const inputs: Readonly<Record<string, (story: Story) => string>> = {
    'a claim of the one': (story) => story.go(Number(tokensAt(story, 'x2')[0])),
    'the result of another token': (story) => story.done(Number(tokensAt(story, 'A')[0])),
    'the time of another token': (story) => story.time(Number(tokensAt(story, 'nap')[0])),
    'a message for another token': (story) => {
      return story.message(Number(tokensAt(story, 'msg')[0]), 'go', 'k');
    },
  };
  for (const [name, input] of Object.entries(inputs)) {
    test(`goes on with ${name}, which picks all of them up`, () => {
      const story = begun();
      const told = input(story);
      expect(told.match(/^enter {2}token/gm)?.length).toBeGreaterThanOrEqual(4);
      expect(told).toContain('! offer token');
      expect(resting(story).filter(({ handler }) => handler !== null)).toHaveLength(1);
    });
  }

  test('does not go on when a lease runs out: what killed a worker must not kill another', () => {
    const story = begun();
    const before = resting(story);
    const [claimable = 0] = tokensAt(story, 'x2');
    expect(story.expire(claimable)).toBe(text`
      claim  token 8 by w1
      recover token 8 LEASE_EXPIRED
      ! offer token 8 to test@1/
    `);
    expect(resting(story)).toEqual(before);
    expect(story.go(claimable)).toContain('enter');
  });

  for (const [name, order] of Object.entries(ORDERS)) {
    test(`comes to the same end in ${name}, and its join fires once`, () => {
      const story = begun();
      play(story, order());
      expect(story.head.status).toBe('completed');
      expect(JSON.stringify(story.history).match(/fire-latch/g)?.length).toBe(1);
    });
  }
});

test('a join that is complete when the stride ends fires in it, before anything rests', () => {
  const story = new Story(
    draw(['x -> f', 'f -> a -> j', 'f -> b -> j', 'j -> Z', 'x -> p1 -> p2 -> p3 -> p4'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
    }),
    { limits: { MOVES_PER_COMMIT: 6 } },
  );
  const told = story.start();
  expect(told).toContain('fire   latch j group');
  expect(tokensAt(story, 'Z')).toHaveLength(1);
  expect(tokensAt(story, 'p3')).toHaveLength(1);
  play(story, (tokens) => tokens[0]);
  expect(story.head.status).toBe('completed');
});

test('what a join fired waits for a worker if its stride has no move left', () => {
  const story = new Story(
    draw(['f -> A -> j -> end', 'f -> x -> j'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
      end: { kind: 'end' },
    }),
    { limits: { MOVES_PER_COMMIT: 1 } },
  );
  story.start();
  for (const token of tokensAt(story, 'x')) story.go(token);
  const told = story.done(4);
  expect(told).toContain('fire   latch j group 3');
  expect(told).toContain('rest   token 8 after 1');
  for (const token of tokensAt(story, 'end')) story.go(token);
  expect(story.head.status).toBe('completed');
});

test('a token set down as its scope empties closes the scope when it goes on', () => {
  const story = new Story(
    draw(['box -> B', 'a -> b'], {
      box: { kind: 'scope', settings: { body: 'a' } },
      a: { kind: 'pass', in: 'box' },
      b: { kind: 'pass', in: 'box' },
    }),
    { limits: { MOVES_PER_COMMIT: 3 } },
  );
  expect(story.start()).toContain('wake   token 2 resume');
  expect(story.go(2)).toBe(text`
    claim  token 2 by w1
    return scope 3
    birth  token 6 at B ready
    end    token 2 done
    ! offer token 6 to test@1/B
  `);
});

test('a condition that throws after its repeat was set down fails the instance cleanly', () => {
  const story = new Story(
    draw(['again'], {
      again: {
        kind: 'repeat',
        settings: { body: 'x', check: 'until' },
        code: { until: () => Reflect.get(null as never, 'x') },
      },
      x: { kind: 'pass', in: 'again' },
    }),
    { limits: { MOVES_PER_COMMIT: 2 } },
  );
  expect(story.start()).toContain('wake   token 2 resume');
  expect(story.go(2)).toContain('end    token 2 failed code.threw');
  expect(story.instance.scopes.size).toBe(0);
});

/** Drawings that never rest by themselves. */
const spinning: Readonly<Record<string, Drawing>> = {
  'a repeat': draw(['again'], {
    again: { kind: 'repeat', settings: { body: 'x', check: 'while' }, code: { while: () => true } },
    x: { kind: 'pass', in: 'again' },
  }),
  'a loop of passes': draw(['a -> b -> c -> a']),
  'a fork and join in a loop': draw(['m -> f', 'f -> a -> j', 'f -> b -> c -> j', 'j -> m'], {
    f: { kind: 'fork' },
    j: { kind: 'join' },
  }),
  'a scope in a loop': draw(['box -> m -> box'], {
    box: { kind: 'scope', settings: { body: 'x' } },
    x: { kind: 'pass', in: 'box' },
  }),
  'a fork that forks again': draw(['f -> f', 'f -> end'], {
    f: { kind: 'fork' },
    end: { kind: 'end' },
  }),
};

describe('MOVES_WITHOUT_REST_MAX', () => {
  const limits = { MOVES_WITHOUT_REST_MAX: 60, MOVES_PER_COMMIT: 7 };

  test('as many moves are no spin, and one more is', () => {
    const ends = (count: number): Json => {
      const story = new Story(line(count), { limits });
      story.start();
      play(story, (tokens) => tokens[0]);
      return story.head.fault?.code ?? story.head.status;
    };
    expect(ends(60)).toBe('completed');
    expect(ends(61)).toBe('flow.spins');
  });

  for (const [name, drawing] of Object.entries(spinning)) {
    test(`stops ${name}, within one stride or over many`, () => {
      for (const MOVES_PER_COMMIT of [7, 1_000]) {
        const story = new Story(drawing, { limits: { ...limits, MOVES_PER_COMMIT } });
        story.start();
        play(story, (tokens) => tokens[0]);
        expect(story.head.fault).toMatchObject({
          code: 'flow.spins',
          message: 'more than 60 moves without a wait or a handler (MOVES_WITHOUT_REST_MAX)',
        });
        expect(story.head.status).toBe('failed');
      }
    });
  }

  const resting: Readonly<Record<string, Drawing>> = {
    'a handler': draw(['m -> a -> A -> m']),
    'a sleep': draw(['m -> a -> nap -> m'], { nap: { kind: 'sleep', settings: { ms: 1 } } }),
    'a message': draw(['m -> a -> w -> m'], { w: { kind: 'wait', settings: { event: 'go' } } }),
    'a handler in one of two branches': draw(['m -> f', 'f -> a -> j', 'f -> A -> j', 'j -> m'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
    }),
    'a handler in a repeat': draw(['again'], {
      again: {
        kind: 'repeat',
        settings: { body: 'A', check: 'while' },
        code: { while: () => true },
      },
      A: { kind: 'step', in: 'again' },
    }),
  };
  for (const [name, drawing] of Object.entries(resting)) {
    test(`begins anew after ${name}`, () => {
      const story = new Story(drawing, { limits, key: 'k' });
      story.start();
      let answers = 0;
      play(story, (tokens) => {
        answers += 1;
        return answers > 200 ? undefined : tokens[0];
      });
      expect(story.head).toMatchObject({ status: 'running', fault: null });
    });
  }
});

test('a token that rests remembers how far it has come, through a lease that ran out too', () => {
  const story = new Story(line(12), {
    limits: { MOVES_PER_COMMIT: 5, MOVES_WITHOUT_REST_MAX: 11 },
  });
  story.start();
  const [token = 0] = tokensAt(story, 'p5');
  story.expire(token);
  expect(story.instance.tokens.get(token as TokenId)?.hops).toBe(5);
  play(story, (tokens) => tokens[0]);
  expect(story.head.fault?.code).toBe('flow.spins');
});
