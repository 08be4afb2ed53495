import { expect, test } from 'vitest';
import type { Touched } from '../model/commit.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { tokensAt } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import { advance } from './advance.ts';
import { touchedBy } from './touched.ts';

const drawing = draw(['f -> A -> j', 'f -> w -> j', 'f -> box -> j', 'j -> Z', 'In -> note'], {
  f: { kind: 'fork' },
  j: { kind: 'join' },
  w: { kind: 'wait', settings: { event: 'go' } },
  box: { kind: 'scope', settings: { body: 'In', promote: true } },
  In: { kind: 'step', in: 'box' },
  note: { kind: 'set', in: 'box', code: { value: () => ({ n: 1 }) } },
});

function begun(): Story {
  const story = new Story(
    { ...drawing, draft: { ...drawing.draft, vars: { tries: 0 } } },
    { key: 'k' },
  );
  story.start();
  return story;
}

/** What an input means for the tables, without telling the story on. */
function touch(story: Story, input: Input): Touched {
  return touchedBy(story.instance, advance(story.machine, story.instance, input));
}

function result(token: number, value: string): Input {
  const claim = { worker: 'w1', version: 1, at: 0 as Instant };
  const outcome = { outcome: 'done', value } as const;
  return { type: 'result', at: 0 as Instant, token: token as TokenId, claim, outcome };
}

const ids = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

test('a start inserts the scopes, the tokens that live on, their values and subscriptions', () => {
  const story = new Story({ ...drawing, draft: { ...drawing.draft, vars: { tries: 0 } } });
  const birth = { id: story.head.id, flow: 'test', flowVersion: 1, input: null, key: 'k' };
  const touched = touch(story, { type: 'start', at: 0 as Instant, birth });
  expect(touched.head).toMatchObject({ version: 1, status: 'running', key: 'k' });
  expect(ids(touched.scopes)).toEqual([1, 7]);
  expect(ids(touched.tokens)).toEqual([4, 5, 6, 8]);
  expect(touched.values).toEqual([
    { scope: 1, space: 'vars', name: 'tries', value: 0, isNew: true },
  ]);
  expect(touched.subscribed).toEqual([{ token: 5, type: 'go', key: 'k' }]);
  expect(touched).toMatchObject({
    endedTokens: [],
    closedScopes: [],
    latches: [],
    unsubscribed: [],
  });
});

test('what was born and ended within the stride is in its changes and in no table', () => {
  const touched = touch(begun(), result(8, 'in'));
  const born = touched.changes.flatMap((change) =>
    change.did === 'birth-token' ? [change.token] : [],
  );
  expect(born.map(({ node }) => node)).toEqual(['note', 'j']);
  expect(touched.tokens.map(({ node }) => node)).toEqual(['j']);
});

test('a result ends its token, writes its value and alters what it touched, nothing else', () => {
  const touched = touch(begun(), result(4, 'a'));
  expect(touched.endedTokens).toEqual([4]);
  expect(touched.tokens.map(({ node, status }) => `${node} ${status}`)).toEqual(['j waiting']);
  expect(touched.values).toEqual([
    { scope: 1, space: 'results', name: 'A', value: 'a', isNew: true },
  ]);
  expect(touched.latches).toEqual([{ scope: 1, node: 'j', group: 3, fired: false }]);
  expect(touched).toMatchObject({
    scopes: [],
    closedScopes: [],
    droppedLatches: [],
    subscribed: [],
  });
});

test('a scope that closes takes its values along; what it promoted is written above', () => {
  const touched = touch(begun(), result(8, 'in'));
  expect(touched.closedScopes).toEqual([7]);
  expect(touched.values).toEqual([
    { scope: 1, space: 'results', name: 'In', value: 'in', isNew: true },
    { scope: 1, space: 'results', name: 'note', value: { n: 1 }, isNew: true },
  ]);
});

test('what a region promotes is written whole, whichever stride its parts come from', () => {
  const story = new Story(
    draw(['outer -> Z', 'inner -> x', 'One -> Two'], {
      outer: { kind: 'scope', settings: { body: 'inner', promote: true } },
      inner: { kind: 'scope', settings: { body: 'One', promote: true }, in: 'outer' },
      x: { kind: 'set', in: 'outer', code: { value: () => ({ gone: true }) } },
      One: { kind: 'step', in: 'inner' },
      Two: { kind: 'step', in: 'inner' },
    }),
  );
  story.start();
  story.done(6, 'one');
  const touched = touch(story, result(7, 'two'));
  expect(touched.values).toEqual([
    { scope: 1, space: 'results', name: 'One', value: 'one', isNew: true },
    { scope: 1, space: 'results', name: 'Two', value: 'two', isNew: true },
    { scope: 1, space: 'results', name: 'x', value: { gone: true }, isNew: true },
  ]);
  expect(touched.closedScopes).toEqual(expect.arrayContaining([3, 5]));
});

test('a value that is written twice in one stride is one row, with the last value', () => {
  const story = new Story(
    draw(['x -> y -> A'], {
      x: { kind: 'set', code: { value: () => ({ n: 1 }) } },
      y: { kind: 'set', code: { value: () => ({ n: 2 }) } },
    }),
  );
  const birth = { id: story.head.id, flow: 'test', flowVersion: 1, input: null };
  const touched = touch(story, { type: 'start', at: 0 as Instant, birth });
  expect(touched.values.filter(({ space }) => space === 'vars')).toEqual([
    { scope: 1, space: 'vars', name: 'n', value: 2, isNew: true },
  ]);
});

test('a token that no longer waits for a message is unsubscribed', () => {
  const story = begun();
  const message = { id: 'm', type: 'go', key: 'k', data: null };
  const token = 5 as TokenId;
  const touched = touch(story, { type: 'message', at: 0 as Instant, token, message });
  expect(touched).toMatchObject({ unsubscribed: [5], subscribed: [], endedTokens: [5] });
});

test('a join that fires drops its latch and ends its arrivals', () => {
  const story = begun();
  story.done(4);
  story.message(5, 'go', 'k');
  const arrivals = tokensAt(story, 'j');
  const touched = touch(story, result(8, 'in'));
  expect(touched.droppedLatches).toMatchObject([{ scope: 1, node: 'j', group: 3 }]);
  expect(touched.endedTokens).toEqual(expect.arrayContaining([...arrivals, 6, 8]));
  expect(touched.tokens.map(({ node }) => node)).toEqual(['Z']);
});

test('a latch that opened and fired in one stride touches no row', () => {
  const story = new Story(
    draw(['f -> a -> j', 'f -> b -> j', 'j -> A'], { f: { kind: 'fork' }, j: { kind: 'join' } }),
  );
  const birth = { id: story.head.id, flow: 'test', flowVersion: 1, input: null };
  const touched = touch(story, { type: 'start', at: 0 as Instant, birth });
  expect(touched).toMatchObject({ latches: [], droppedLatches: [], endedTokens: [] });
});

test('an instance that ends empties its tables', () => {
  const story = begun();
  const claim = { worker: 'w1', version: 1, at: 0 as Instant };
  const outcome = { outcome: 'failed', fault: { code: 'boom', message: 'boom' } } as const;
  const token = 4 as TokenId;
  const touched = touch(story, { type: 'result', at: 0 as Instant, token, claim, outcome });
  expect(touched.head).toMatchObject({ status: 'failed', fault: { code: 'boom' } });
  expect([...touched.endedTokens].sort((a, b) => a - b)).toEqual([4, 5, 6, 8]);
  expect([...touched.closedScopes].sort((a, b) => a - b)).toEqual([1, 7]);
  expect(touched).toMatchObject({ tokens: [], scopes: [], values: [], unsubscribed: [5] });
});
