import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
import { answerAt, begun, failAt, postsOf, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const key = 'order-42';

function telling(settings: JsonObject, code: NodeCode = {}): Drawing {
  return draw(['tell -> A'], { tell: { kind: 'emit', settings, code } });
}

const usual = telling({ type: 'order.paid', data: { amount: 5 } });

test('an emit publishes a message and goes on, in one commit', () => {
  const story = new Story(usual, { key });

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at tell
    post   message order.paid order-42 {"amount":5}
    birth  token 4 at A ready
    end    token 2 done
    ! carry
    ! offer token 4 to test@1/A
  `);
  expect(story.history).toHaveLength(1);
});

describe('with outbox it goes outside, too', () => {
  const outside = telling({ type: 'order.paid', data: { amount: 5 }, outbox: true });

  test('as a letter, in the same commit', () => {
    const story = new Story(outside, { key });

    expect(story.start()).toBe(text`
      start  test null
      open   scope 1
      birth  token 2 at tell
      post   message order.paid order-42 {"amount":5}
      send   i1/4 order.paid {"amount":5}
      birth  token 5 at A ready
      end    token 2 done
      ! carry
      ! send
      ! offer token 5 to test@1/A
    `);
    expect(story.history).toHaveLength(1);
  });

  test('and without a key it goes outside alone', () => {
    const story = begun(outside);
    expect(story.head.status).toBe('running');
    expect(postsOf(story)).toEqual([]);
    const sent = story.history.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.did === 'send' ? [change.letter] : [])),
    );
    expect(sent).toEqual([{ id: 'i1/3', type: 'order.paid', key: null, data: { amount: 5 } }]);
  });
});

test('it has no result', () => {
  const story = begun(usual, { key });
  expect(story.instance.scopes.get(1 as never)?.results.object).toEqual({});
});

describe('it is written down under an id made of the instance', () => {
  const often = draw(['again -> end', 'A -> tell'], {
    again: { kind: 'repeat', settings: { body: 'A', check: 'times', times: 3 } },
    A: { kind: 'step', in: 'again' },
    tell: { kind: 'emit', settings: { type: 'tick' }, in: 'again' },
  });

  test('which is the same when the same run is worked out again', () => {
    const ids = (): string[] => postsOf(begun(usual, { key })).map(({ id }) => id);
    expect(ids()).toEqual(['i1/3']);
    expect(ids()).toEqual(ids());
  });

  test('which no other message of the instance has, in any pass of a loop', () => {
    const story = begun(often, { key });
    for (let pass = 0; pass < 3; pass += 1) answerAt(story, ['A']);
    const ids = postsOf(story).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id.startsWith('i1/'))).toBe(true);
  });

  test('nor one that was sent by another stride, when the last was full', () => {
    const drawing = draw(['f -> one', 'f -> two', 'f -> Wait'], {
      f: { kind: 'fork' },
      one: { kind: 'emit', settings: { type: 'tick', data: 1 } },
      two: { kind: 'emit', settings: { type: 'tick', data: 2 } },
    });
    const story = begun(drawing, { key, limits: { MOVES_PER_COMMIT: 1 } });
    for (const node of ['one', 'two']) for (const token of tokensAt(story, node)) story.go(token);
    const posts = postsOf(story);
    expect(posts.map((post) => post.do === 'publish' && post.data)).toEqual([1, 2]);
    expect(new Set(posts.map(({ id }) => id)).size).toBe(2);
  });
});

test('what was sent stays sent, whatever becomes of the instance', () => {
  const story = begun(usual, { key });
  failAt(story, 'A');
  expect(story.head.status).toBe('failed');
  expect(postsOf(story)).toHaveLength(1);
});

test('it may be the last node of a path', () => {
  const story = begun(draw(['tell'], { tell: { kind: 'emit', settings: { type: 'bye' } } }), {
    key,
  });
  expect(story.head.status).toBe('completed');
  expect(postsOf(story)).toMatchObject([{ do: 'publish', type: 'bye', key, data: null }]);
});

describe('the key of the message', () => {
  const sent = (settings: JsonObject, code: NodeCode = {}): unknown =>
    postsOf(begun(telling({ type: 'x', ...settings }, code), { key }, 7));

  test('is the business key unless the node says otherwise', () => {
    expect(sent({})).toMatchObject([{ key: 'order-42' }]);
    expect(sent({ key: 'fixed' })).toMatchObject([{ key: 'fixed' }]);
    const code: NodeCode = { key: ({ input }) => `k-${JSON.stringify(input)}` };
    expect(sent({ keyCode: true }, code)).toMatchObject([{ key: 'k-7' }]);
  });

  test('is missing if the instance has none: a fault that says what to do', () => {
    expect(begun(usual).head.fault).toEqual({
      code: 'emit.no-key',
      message:
        '"tell" needs a key for "order.paid", and there is none: ' +
        'start the instance with a business key, or give the node a key of its own',
      node: 'tell',
    });
  });

  test('is no key if a closure says nothing of use', () => {
    for (const odd of [null, '', 7]) {
      const story = begun(telling({ type: 'x', keyCode: true }, { key: () => odd }), { key });
      expect(story.head.fault).toMatchObject({ code: 'emit.no-key', node: 'tell' });
      expect(postsOf(story)).toEqual([]);
    }
  });
});

describe('what the message brings', () => {
  const dataOf = (settings: JsonObject, code: NodeCode = {}): Json | undefined => {
    const [post] = postsOf(begun(telling({ type: 'x', ...settings }, code), { key }, 7));
    return post?.do === 'publish' ? post.data : undefined;
  };

  test('is nothing, what the node says, or what a closure says', () => {
    expect(dataOf({})).toBe(null);
    expect(dataOf({ data: [1, { a: 2 }] })).toEqual([1, { a: 2 }]);
    expect(dataOf({ dataCode: true }, { data: ({ input }) => ({ input }) })).toEqual({ input: 7 });
  });
});

describe('a closure may say all of it', () => {
  const made = (event: unknown): Story =>
    begun(telling({ eventCode: true }, { event: () => event }), { key });

  test('type, key and data, of which the type is needed', () => {
    expect(postsOf(made({ type: 'x', key: 'k', data: 1 }))).toMatchObject([
      { type: 'x', key: 'k', data: 1 },
    ]);
    expect(postsOf(made({ type: 'x' }))).toMatchObject([{ type: 'x', key, data: null }]);
  });

  const odd = [null, undefined, 7, 'x', [], {}, { type: '' }, { type: 7 }, { type: 'x', key: 7 }];
  for (const event of odd) {
    test(`${JSON.stringify(event) ?? 'nothing'} is no message, and a fault`, () => {
      const story = made(event);
      expect(story.head.fault).toEqual({
        code: 'emit.bad-event',
        message:
          '"event" of "tell" answers { type, key, data }, the first two texts (KEY_CHARS_MAX)',
        node: 'tell',
      });
      expect(postsOf(story)).toEqual([]);
    });
  }

  test('an empty key is none', () => {
    expect(made({ type: 'x', key: '' }).head.fault?.code).toBe('emit.no-key');
  });
});

test('a closure that throws is a fault, and nothing is sent', () => {
  for (const slot of ['key', 'data', 'event']) {
    const code: NodeCode = { [slot]: () => Reflect.get(null as never, 'x') };
    const story = begun(telling({ type: 'x', [`${slot}Code`]: true }, code), { key });
    expect(story.head.fault, slot).toMatchObject({ code: 'code.threw', node: 'tell' });
    expect(postsOf(story)).toEqual([]);
  }
});

describe('what is wrong with an emit', () => {
  test('it names the type of its message, unless a closure does', () => {
    for (const type of ['', 7, null]) {
      expect(problemsOf(telling({ type }))).toEqual([
        'emit.no-type tell: "tell" names the type of its message',
      ]);
    }
    expect(problemsOf(telling({ eventCode: true }))).toEqual([]);
  });

  test('its key is a text', () => {
    expect(problemsOf(telling({ type: 'x', key: 7 }))).toEqual([
      'emit.bad-key tell: the key of "tell" is a text or a closure',
    ]);
  });

  test('all of it is said at once', () => {
    expect(problemsOf(telling({ key: 7 }))).toHaveLength(2);
  });
});
