/** A process that lacks a flow's closures: it keeps what comes in, and others go on (D19). */
import { describe, expect, test } from 'vitest';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { play, tokensAt, withoutCode } from '../testing/play.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function tokenIn(story: Story, id: number): Token | undefined {
  return story.instance.tokens.get(id as TokenId);
}

/** Every closure counts its calls, so that a test can say that nobody asked. */
function counted(): { drawing: Drawing; calls: () => number } {
  let calls = 0;
  const count = (): boolean => {
    calls += 1;
    return true;
  };
  const drawing = draw(['w -> c', 'c -> A', 'c -> end'], {
    w: { kind: 'wait', settings: { event: 'go', timeoutMs: 1_000 } },
    c: {
      kind: 'choose',
      settings: { arms: [{ edge: 'c->A', slot: 'yes' }], otherwise: 'c->end' },
      code: { yes: count },
    },
    end: { kind: 'end' },
  });
  return { drawing, calls: () => calls };
}

describe('an input that wakes a token', () => {
  const inputs: Readonly<Record<string, (story: Story) => string>> = {
    event: (story) => story.message(2, 'go', 'k', { amount: 5 }),
    timeout: (story) => story.time(2),
  };
  for (const [reason, input] of Object.entries(inputs)) {
    test(`${reason}: waiting becomes ready with reason and payload, and nothing moves`, () => {
      const { drawing, calls } = counted();
      const story = new Story(drawing, { key: 'k' });
      story.start();
      const told = withoutCode(story, () => input(story));
      expect(told).toBe(`\nwake   token 2 ${reason}\n! offer token 2 to test@1/\n`);
      expect(tokenIn(story, 2)).toMatchObject({
        status: 'ready',
        handler: 'test@1/',
        wake: { reason, payload: reason === 'event' ? { amount: 5 } : null },
        wait: null,
        wakeAt: null,
      });
      expect(calls()).toBe(0);
    });

    test(`${reason}: a worker that has the closures goes on by claiming it`, () => {
      const { drawing, calls } = counted();
      const story = new Story(drawing, { key: 'k' });
      story.start();
      withoutCode(story, () => input(story));
      expect(story.go(2)).toContain(
        `results {"w":${reason === 'event' ? '{"amount":5}' : 'null'}}`,
      );
      expect(tokensAt(story, 'A')).toHaveLength(1);
      expect(calls()).toBe(1);
    });
  }

  test('twice: the second finds the token woken and leaves no trace', () => {
    const story = new Story(counted().drawing, { key: 'k' });
    story.start();
    withoutCode(story, () => story.message(2, 'go', 'k', 1));
    expect(withoutCode(story, () => story.time(2))).toBe('\n\n');
    expect(withoutCode(story, () => story.message(2, 'go', 'k', 2))).toBe('\n\n');
  });

  test('is picked up by any other input of a process that has the closures', () => {
    const story = new Story(
      draw(['f -> w -> j -> end', 'f -> A -> j'], {
        f: { kind: 'fork' },
        j: { kind: 'join' },
        w: { kind: 'wait', settings: { event: 'go' } },
        end: { kind: 'end' },
      }),
      { key: 'k' },
    );
    story.start();
    withoutCode(story, () => story.message(4, 'go', 'k'));
    expect(story.done(5)).toContain('finish completed');
  });
});

test('starting sets the first token down for a worker that has the closures', () => {
  const { drawing, calls } = counted();
  const story = new Story(drawing, { key: 'k' });
  expect(withoutCode(story, () => story.start())).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at w
    rest   token 2 after 0
    ! offer token 2 to test@1/
  `);
  expect(story.go(2)).toContain('park   token 2 for message go k until 1000');
  expect(calls()).toBe(0);
});

test('starting at a step offers it as ever', () => {
  const story = new Story(draw(['A -> b']));
  expect(withoutCode(story, () => story.start())).toContain('! offer token 2 to test@1/A');
});

test('a result is kept, and whatever follows the step is set down', () => {
  const story = new Story(draw(['A -> b -> C']));
  story.start();
  expect(withoutCode(story, () => story.done(2, { id: 7 }))).toBe(text`
    claim  token 2 by w1
    write  scope 1 results {"A":{"id":7}}
    birth  token 3 at b
    end    token 2 done
    rest   token 3 after 1
    ! offer token 3 to test@1/
  `);
  expect(story.go(3)).toContain('birth  token 4 at C ready');
});

test('a result that ends the last token of a flow completes it', () => {
  const story = new Story(draw(['A -> B']));
  story.start();
  withoutCode(story, () => story.done(2));
  withoutCode(story, () => story.done(3));
  expect(story.head.status).toBe('completed');
});

test('a result that empties a region wakes the owner for a worker that has the closures', () => {
  const story = new Story(
    draw(['again -> Z'], {
      again: {
        kind: 'repeat',
        settings: { body: 'Try', check: 'until' },
        code: { until: ({ results }) => results['Try'] === 'good' },
      },
      Try: { kind: 'step', in: 'again' },
    }),
  );
  story.start();
  expect(withoutCode(story, () => story.done(4, 'good'))).toBe(text`
    claim  token 4 by w1
    write  scope 3 results {"Try":"good"}
    end    token 4 done
    wake   token 2 resume
    ! offer token 2 to test@1/
  `);
  expect(story.go(2)).toContain('return scope 3 with its results');
  expect(tokensAt(story, 'Z')).toHaveLength(1);
});

test('a result that fails fails the instance', () => {
  const story = new Story(draw(['A -> b']));
  story.start();
  expect(withoutCode(story, () => story.fail(2))).toContain('finish failed boom');
});

test('a lease that ran out gives its token back', () => {
  const story = new Story(draw(['A -> b']));
  story.start();
  expect(withoutCode(story, () => story.expire(2))).toContain('recover token 2 LEASE_EXPIRED');
});

test('a claim to go on leaves no trace: there is nothing to go on with', () => {
  const story = new Story(draw(['A -> b -> C']));
  story.start();
  withoutCode(story, () => story.done(2));
  expect(withoutCode(story, () => story.go(3))).toBe('\n\n');
  expect(tokenIn(story, 3)?.status).toBe('ready');
});

test('a flow that is run by turns with and without closures comes to the same end', () => {
  const drawing = draw(['f -> A -> b -> j', 'f -> C -> j', 'f -> w -> d -> j', 'j -> end'], {
    f: { kind: 'fork' },
    j: { kind: 'join' },
    w: { kind: 'wait', settings: { event: 'go' } },
    end: { kind: 'end', settings: { output: 'results' } },
  });
  const whole = new Story(drawing, { key: 'k' });
  whole.start();
  play(whole, (tokens) => tokens[0]);

  const turns = new Story(drawing, { key: 'k' });
  withoutCode(turns, () => turns.start());
  turns.go(2);
  for (const node of ['w', 'C', 'A']) {
    const [token = 0] = tokensAt(turns, node);
    if (node === 'w') withoutCode(turns, () => turns.message(token, 'go', 'k', 'w came'));
    else withoutCode(turns, () => turns.done(token, node));
  }
  play(turns, (tokens) => tokens[0]);
  expect(turns.head).toMatchObject({ status: 'completed', output: whole.head.output });
});
