import { describe, expect, test } from 'vitest';
import type { TokenId } from '../model/ids.ts';
import { play, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function packing(promote: boolean): Drawing {
  return draw(['box -> after -> end', 'Pack -> label'], {
    box: { kind: 'scope', settings: { body: 'Pack', promote } },
    Pack: { kind: 'step', in: 'box' },
    label: { kind: 'set', in: 'box', code: { value: () => ({ size: 'M' }) } },
    after: { kind: 'set', code: { value: ({ vars }) => Object.keys(vars) } },
    end: { kind: 'end', settings: { output: 'results' } },
  });
}

test('a scope runs its region in a scope of its own and goes on when that is empty', () => {
  const story = new Story(
    draw(['box -> B', 'Pack -> label'], {
      box: { kind: 'scope', settings: { body: 'Pack', promote: true } },
      Pack: { kind: 'step', in: 'box' },
      label: { kind: 'set', in: 'box', code: { value: () => ({ size: 'M' }) } },
    }),
  );

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at box
    open   scope 3 of token 2
    birth  token 4 at Pack ready
    ! offer token 4 to test@1/Pack
  `);
  expect(story.done(4, 'packed')).toBe(text`
    claim  token 4 by w1
    write  scope 3 results {"Pack":"packed"}
    birth  token 5 at label
    end    token 4 done
    write  scope 3 results {"label":{"size":"M"}}
    write  scope 3 vars {"size":"M"}
    end    token 5 done
    return scope 3 with its results
    birth  token 6 at B ready
    end    token 2 done
    ! offer token 6 to test@1/B
  `);
});

test('O-87: variables set inside end with it', () => {
  const story = new Story(packing(true));
  story.start();
  story.done(4);
  expect(story.head.output).toMatchObject({ after: [] });
});

test('results go up to the scope it lies in if it promotes them, and are gone otherwise', () => {
  const kept = new Story(packing(true));
  kept.start();
  kept.done(4, 'packed');
  expect(kept.head.output).toEqual({ Pack: 'packed', label: { size: 'M' }, after: [] });

  const gone = new Story(packing(false));
  gone.start();
  gone.done(4, 'packed');
  expect(gone.head.output).toEqual({ after: [] });
});

const forked = {
  box: { kind: 'scope', settings: { body: 'g' } },
  g: { kind: 'fork', in: 'box' },
  A: { kind: 'step', in: 'box' },
  B: { kind: 'step', in: 'box' },
};

test('a region with several paths is done when the last of them is', () => {
  const story = new Story(draw(['box -> C', 'g -> A', 'g -> B'], forked));
  story.start();
  for (const token of tokensAt(story, 'B')) story.done(token);
  expect(tokensAt(story, 'C')).toEqual([]);
  for (const token of tokensAt(story, 'A')) story.done(token);
  expect(tokensAt(story, 'C')).toHaveLength(1);
});

const nested = draw(['outer -> end', 'inner -> x'], {
  outer: { kind: 'scope', settings: { body: 'inner', promote: true } },
  inner: { kind: 'scope', settings: { body: 'Deep', promote: true }, in: 'outer' },
  x: { kind: 'pass', in: 'outer' },
  Deep: { kind: 'step', in: 'inner' },
  end: { kind: 'end', settings: { output: 'results' } },
});

test('O-85: scopes are a tree, and the token that opened one waits for it', () => {
  const story = new Story(nested);
  story.start();
  const scopes = story.instance.scopes.values().map(({ id, parent, owner, node }) => {
    return { id, parent, owner, node };
  });
  expect(scopes).toEqual([
    { id: 1, parent: null, owner: null, node: null },
    { id: 3, parent: 1, owner: 2, node: 'outer' },
    { id: 5, parent: 3, owner: 4, node: 'inner' },
  ]);
  expect(story.instance.tokens.get(4 as TokenId)?.wait).toEqual({ on: 'scope', scope: 5 });
});

test('results go up scope by scope, each at its own close', () => {
  const story = new Story(nested);
  story.start();
  play(story, (tokens) => tokens[0]);
  expect(story.head.output).toEqual({ Deep: 'Deep' });
});

test('O-90: what fails inside a scope cancels its siblings, inside it and outside', () => {
  const story = new Story(
    draw(['f -> box', 'f -> C', 'g -> A', 'g -> B'], {
      f: { kind: 'fork' },
      ...forked,
    }),
  );
  story.start();
  const [a = 0] = tokensAt(story, 'A');
  expect(story.fail(a)).toBe(text`
    claim  token 9 by w1
    end    token 9 failed boom
    end    token 10 cancelled
    end    token 5 cancelled
    end    token 4 cancelled
    close  scope 6
    close  scope 1
    finish failed boom
    ! abort token 10
    ! abort token 5
    ! ended
  `);
});

describe('what is wrong with a scope', () => {
  test('it names the node its region begins with', () => {
    const wrong = draw(['box -> a'], { box: { kind: 'scope' } });
    expect(problemsOf(wrong)).toEqual([
      'scope.no-body box: "box" names the node its region begins with; came nothing',
    ]);
  });

  test('that node lies in it, not beside it', () => {
    const wrong = draw(['box -> a'], { box: { kind: 'scope', settings: { body: 'a' } } });
    expect(problemsOf(wrong)).toEqual([
      'scope.no-body box: "box" names the node its region begins with; ' +
        'came "a", which is not in it',
    ]);
  });
});
