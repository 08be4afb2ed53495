import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { latchesOf } from '../kernel/instance.ts';
import {
  answerAt,
  begun,
  birthsAt,
  failAt,
  firingsOf,
  ORDERS,
  play,
  tokensAt,
} from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const end = { kind: 'end', settings: { output: 'results' } };
const inRace = { kind: 'step', in: 'race' };
const race = {
  race: { kind: 'scope', settings: { body: 'f', promote: true } },
  f: { kind: 'fork', in: 'race' },
  win: { kind: 'win', in: 'race' },
};
const nap = { kind: 'sleep', settings: { ms: 100 }, in: 'race' };

const againstTime = draw(['race -> end', 'f -> Ask -> win', 'f -> nap -> win'], {
  ...race,
  Ask: inRace,
  nap,
  end,
});

test('the first token to come ends everything else in its scope, and the scope is over', () => {
  const story = new Story(againstTime);

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at race
    open   scope 3 of token 2
    birth  token 4 at f
    birth  token 6 at Ask ready in 5
    birth  token 7 at nap in 5
    end    token 4 done
    park   token 7 for time until 100
    ! offer token 6 to test@1/Ask
    ! alarm 100
  `);
  expect(story.done(6, 'yes')).toBe(text`
    claim  token 6 by w1
    write  scope 3 results {"Ask":"yes"}
    birth  token 8 at win in 5
    end    token 6 done
    end    token 7 cancelled
    end    token 8 done
    return scope 3 with its results
    birth  token 9 at end
    end    token 2 done
    output {"Ask":"yes"}
    end    token 9 done
    close  scope 1
    finish completed
    ! ended
  `);
});

test('what a handler was at work on is not waited for, and told to stop', () => {
  const story = begun(againstTime);
  const told = story.time(7);
  expect(told).toContain('end    token 6 cancelled');
  expect(told).toContain('! abort token 6');
  expect(story.head).toMatchObject({ status: 'completed', output: {} });
  expect(story.done(6, 'too late')).toBe('\n\n');
});

test('two that come in the same stride: the first wins, and the other leaves no trace', () => {
  const story = begun(
    draw(['race -> W', 'f -> a -> win', 'f -> b -> win'], {
      ...race,
      a: { kind: 'set', code: { value: () => 1 }, in: 'race' },
      b: { kind: 'set', code: { value: () => 2 }, in: 'race' },
    }),
  );
  expect(birthsAt(story, 'W')).toBe(1);
  expect(story.instance.tokens.values().map(({ node }) => node)).toEqual(['W']);
});

/** What one of the branches is at when the other wins: the drawing of it, between f and win. */
const losers: Readonly<Record<string, { lines: string[]; nodes?: Record<string, object> }>> = {
  'a time': { lines: ['f -> nap -> win'], nodes: { nap } },
  'a message': {
    lines: ['f -> mail -> win'],
    nodes: { mail: { kind: 'wait', settings: { event: 'mail' }, in: 'race' } },
  },
  'the first of several': {
    lines: ['f -> any -> win'],
    nodes: {
      any: {
        kind: 'first',
        settings: {
          arms: [
            { arm: 'm', event: 'mail' },
            { arm: 't', afterMs: 9 },
          ],
        },
        in: 'race',
      },
    },
  },
  'a scope in a scope': {
    lines: ['f -> box -> win', 'inner -> x'],
    nodes: {
      box: { kind: 'scope', settings: { body: 'inner' }, in: 'race' },
      inner: {
        kind: 'repeat',
        settings: { body: 'Deep', check: 'times', times: 2 },
        in: 'box',
      },
      Deep: { kind: 'step', in: 'inner' },
      x: { kind: 'pass', in: 'box' },
    },
  },
  'a join': {
    lines: ['f -> g', 'g -> x -> j', 'g -> B -> j', 'j -> win'],
    nodes: {
      g: { kind: 'fork', in: 'race' },
      j: { kind: 'join', in: 'race' },
      x: { kind: 'pass', in: 'race' },
      B: inRace,
    },
  },
  'an inclusive join': {
    lines: ['f -> g', 'g -> x -> j', 'g -> B -> j', 'j -> win'],
    nodes: {
      g: { kind: 'fork', in: 'race' },
      j: { kind: 'inclusive', in: 'race' },
      x: { kind: 'pass', in: 'race' },
      B: inRace,
    },
  },
  'another instance': {
    lines: ['f -> other -> win'],
    nodes: { other: { kind: 'call', settings: { flow: 'other' }, in: 'race' } },
  },
  'its next try': {
    lines: ['f -> t -> win'],
    nodes: {
      t: {
        kind: 'try',
        settings: {
          body: 'no',
          done: 't->win',
          retry: { maxAttempts: 9, delayMs: 50, backoff: 'fixed', maxDelayMs: 50, jitter: 0 },
        },
        in: 'race',
      },
      no: { kind: 'fail', settings: { error: 'no' }, in: 't' },
    },
  },
};

describe('whatever the others wait for, nothing of them is left', () => {
  for (const [name, { lines, nodes = {} }] of Object.entries(losers)) {
    test(name, () => {
      const drawing = draw(['race -> W', 'f -> A -> win', ...lines], {
        ...race,
        A: inRace,
        ...(nodes as typeof race),
      });
      const story = begun(drawing, { key: 'k' });
      const lost = story.instance.tokens.keys().filter((id) => id !== 2);
      expect(lost.length).toBeGreaterThan(1);
      answerAt(story, ['A']);

      const { tokens, scopes, members, merging, inhabitants } = story.instance;
      expect(tokens.values().map(({ node }) => node)).toEqual(['W']);
      expect(scopes.keys()).toEqual([1]);
      expect(latchesOf(story.instance)).toEqual([]);
      expect([members.size, merging.size, inhabitants.keys()]).toEqual([0, 0, [1]]);
      story.now = 1_000;
      for (const token of lost) {
        expect(story.time(token) + story.done(token)).toBe('\n\n\n\n');
        expect(story.message(token, 'mail', 'k')).toBe('\n\n');
        expect(story.child(token, { status: 'canceled' })).toBe('\n\n');
      }
      answerAt(story, ['W']);
      expect(story.head.status).toBe('completed');
    });
  }

  test('another instance that was called is cancelled', () => {
    const { lines, nodes } = losers['another instance'] ?? { lines: [] };
    const drawing = draw(['race -> W', 'f -> A -> win', ...lines], {
      ...race,
      A: inRace,
      ...(nodes as typeof race),
    });
    const story = begun(drawing);
    expect(story.done(6)).toContain('post   cancel of ');
  });
});

/** Two branches of two steps, each in a scope of its own as the builder draws them. */
const branches = draw(
  ['race -> end', 'f -> left -> win', 'f -> right -> win', 'A1 -> A2', 'B1 -> B2'],
  {
    ...race,
    left: { kind: 'scope', settings: { body: 'A1', promote: true }, in: 'race' },
    right: { kind: 'scope', settings: { body: 'B1', promote: true }, in: 'race' },
    A1: { kind: 'step', in: 'left' },
    A2: { kind: 'step', in: 'left' },
    B1: { kind: 'step', in: 'right' },
    B2: { kind: 'step', in: 'right' },
    end,
  },
);

test('the results of the winner are kept; what the others had done is gone', () => {
  const story = begun(branches);
  answerAt(story, ['A1', 'B1', 'B2']);
  expect(story.head).toMatchObject({ status: 'completed', output: { B1: 'B1', B2: 'B2' } });
  expect(Object.keys(story.head.output as JsonObject)).toEqual(['B1', 'B2']);
});

test('a branch that fails has not come here: the fault goes out of the race', () => {
  const story = begun(branches);
  failAt(story, 'A1', 'no.luck');
  expect(story.head.fault).toMatchObject({ code: 'no.luck', node: 'A1' });
});

describe('a race in a branch of a fork', () => {
  const lines = ['g -> race -> j', 'g -> Other -> j', 'j -> end'];
  const beside = draw([...lines, 'f -> A -> win', 'f -> B -> win'], {
    g: { kind: 'fork' },
    j: { kind: 'join' },
    ...race,
    A: inRace,
    B: inRace,
    end,
  });

  test('ends nothing outside it, and counts as one member there', () => {
    const story = begun(beside);
    answerAt(story, ['B']);
    expect(story.head.status).toBe('running');
    expect(tokensAt(story, 'Other')).toHaveLength(1);
    answerAt(story, ['Other']);
    expect(story.head.output).toEqual({ B: 'B', Other: 'Other' });
  });

  for (const [name, order] of Object.entries(ORDERS)) {
    test(`comes to one end in ${name}, and the join fires once`, () => {
      const story = begun(beside);
      play(story, order());
      expect(story.head.status).toBe('completed');
      expect(firingsOf(story, 'j')).toBe(1);
      expect(birthsAt(story, 'end')).toBe(1);
    });
  }
});

test('a race in a loop with an alternating winner: no arrival is swallowed (7993)', () => {
  const story = begun(
    draw(['again -> end', 'race -> After', 'f -> A -> win', 'f -> B -> win'], {
      again: { kind: 'repeat', settings: { body: 'race', check: 'times', times: 6 } },
      ...race,
      race: { ...race.race, in: 'again' },
      After: { kind: 'step', in: 'again' },
      A: inRace,
      B: inRace,
      end,
    }),
  );
  for (let pass = 0; pass < 6; pass += 1) {
    expect(story.head.status).toBe('running');
    const [winner, loser] = pass % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
    const late = tokensAt(story, loser);
    answerAt(story, [winner]);
    expect(story.instance.tokens.size).toBe(2);
    for (const token of late) expect(story.done(token, 'late')).toBe('\n\n');
    answerAt(story, ['After']);
  }
  expect(birthsAt(story, 'After')).toBe(6);
  expect(story.head).toMatchObject({ status: 'completed', output: { B: 'B', After: 'After' } });
});

test('in the scope of the whole instance, that is over too', () => {
  const story = begun(
    draw(['f -> A -> win', 'f -> box -> win'], {
      f: { kind: 'fork' },
      win: { kind: 'win' },
      box: { kind: 'scope', settings: { body: 'Deep' } },
      Deep: { kind: 'step', in: 'box' },
    }),
  );
  answerAt(story, ['A']);
  expect(story.head).toMatchObject({ status: 'completed', output: null });
});

describe('D12: if a loser can be undone, how it ends is still heard of', () => {
  const undoable: Drawing = draw(['race -> Ship -> end', 'f -> A -> win', 'f -> B -> win'], {
    ...race,
    A: inRace,
    B: { kind: 'step', settings: { undo: {} }, in: 'race' },
    end,
  });

  test('the race goes on at once; what the loser did is undone if something fails later', () => {
    const story = begun(undoable);
    expect(story.done(6)).toBe(text`
      claim  token 6 by w1
      write  scope 3 results {"A":null}
      birth  token 8 at win in 5
      end    token 6 done
      drain  scope 3 for the saga of 1
      end    token 8 done
      return scope 3 with its results
      birth  token 9 at Ship ready
      end    token 2 done
      ! abort token 7
      ! offer token 9 to test@1/Ship
    `);
    expect(story.done(7, 'booked')).toBe(text`
      claim  token 7 by w1
      record undo 10 of B "booked" in scope 1
      end    token 7 done
      close  scope 3
    `);
    expect(failAt(story, 'Ship')).toContain('birth  token 11 at B ready undoing 10');
  });

  test('a result of the loser is never a result of the race', () => {
    const story = begun(undoable);
    story.done(6, 'won');
    story.done(7, 'lost');
    answerAt(story, ['Ship']);
    expect(story.head.output).toEqual({ A: 'won', Ship: 'Ship' });
  });

  test('one that was never begun is put down, and nothing is to be undone', () => {
    const story = begun(undoable);
    story.done(6);
    expect(story.putDown(7)).toBe(text`
      claim  token 7 by w1
      end    token 7 cancelled
      close  scope 3
    `);
    expect(story.instance.undos.size).toBe(0);
  });

  test('one whose worker died is in doubt, and undone as that', () => {
    const story = begun(undoable);
    story.done(6);
    expect(story.expire(7)).toContain('record undo 10 of B in doubt in scope 1');
  });

  test('an instance that completes before it answers asks no more', () => {
    const story = begun(undoable);
    story.done(6);
    const told = story.done(9);
    expect(told).toContain('end    token 7 cancelled');
    expect(told).toContain('finish completed');
    expect(story.done(7)).toBe('\n\n');
  });
});

test('nothing leads out of a win', () => {
  expect(problemsOf(draw(['win -> a'], { win: { kind: 'win' } }))).toEqual([
    'win.has-outbound win: nothing leads out of "win"',
  ]);
});
