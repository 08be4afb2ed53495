import { describe, expect, test } from 'vitest';
import { DURATION_MS_MAX } from '../base/duration.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { NodeCode } from '../model/definition.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import { begun, tokensAt, withoutCode } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const key = 'order-42';
const paid = { arm: 'paid', event: 'payment' };
const left = { arm: 'left', event: 'cancellation' };
const late = { arm: 'late', afterMs: 900_000 };

function waiting(arms: readonly JsonObject[], code: NodeCode = {}): Drawing {
  return draw(['any -> A'], { any: { kind: 'first', settings: { arms }, code } });
}

const usual = waiting([paid, left, late]);

/** The result of the node, once it has one. */
function resultOf(story: Story): Json | undefined {
  return story.instance.scopes.get(1 as never)?.results.object['any'];
}

test('one token waits for all of them at once, and the first that comes decides', () => {
  const story = new Story(usual, { key });

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at any
    park   token 2 for first of payment order-42, cancellation order-42 until 900000
    ! alarm 900000
    ! await payment order-42
    ! await cancellation order-42
  `);
  expect(story.message(2, 'cancellation', 'order-42', { why: 'too dear' })).toBe(text`
    wake   token 2 event and enter
    write  scope 1 results {"any":{"arm":"left","data":{"why":"too dear"}}}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

test('a message for the instance itself decides by its type, whatever the keys', () => {
  const story = begun(usual, { key });
  const instance = story.head.id;
  const message = { id: 'm1', type: 'cancellation', key: '', instance, data: 5 };
  story.tell({ type: 'message', at: 0 as Instant, token: 2 as TokenId, message });
  expect(resultOf(story)).toEqual({ arm: 'left', data: 5 });
});

test('the end of a time is one of them, and brings nothing', () => {
  const story = begun(usual, { key });
  expect(story.time(2)).toBe(text`
    wake   token 2 timeout and enter
    write  scope 1 results {"any":{"arm":"late","data":null}}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

describe('whichever commits first decides, and nothing of the others is left behind', () => {
  test('a message before the time', () => {
    const story = begun(usual, { key });
    story.now = 900_000;
    story.message(2, 'payment', key, 5);
    expect(story.time(2) + story.message(2, 'cancellation', key)).toBe('\n\n\n\n');
    expect(resultOf(story)).toEqual({ arm: 'paid', data: 5 });
  });

  test('the time before a message, which leaves no trace then', () => {
    const story = begun(usual, { key });
    story.time(2);
    const { version } = story.head;
    expect(story.message(2, 'payment', key, 'too late')).toBe('\n\n');
    expect(story.head.version).toBe(version);
    expect(resultOf(story)).toEqual({ arm: 'late', data: null });
  });

  test('one message before another, and the same message twice', () => {
    const story = begun(usual, { key });
    story.message(2, 'payment', key, 1);
    expect(story.message(2, 'cancellation', key, 2)).toBe('\n\n');
    expect(story.message(2, 'payment', key, 1)).toBe('\n\n');
    expect(tokensAt(story, 'A')).toHaveLength(1);
  });

  test('its subscriptions end with it, all of them', () => {
    const story = begun(usual, { key });
    const before = story.instance;
    story.message(2, 'payment', key);
    const changes = story.history.at(-1)?.changes ?? [];
    const touched = touchedBy(before, { after: story.instance, changes });
    expect(touched).toMatchObject({ subscribed: [], unsubscribed: [2], endedTokens: [2] });
  });
});

test('a message that no arm waits for leaves no trace', () => {
  const story = begun(usual, { key });
  for (const [type, by] of [
    ['refund', key],
    ['payment', 'order-43'],
    ['late', key],
  ] as const) {
    expect(story.message(2, type, by)).toBe('\n\n');
  }
  expect(tokensAt(story, 'any')).toEqual([2]);
});

test('of two arms that the same message ends, the first written is meant', () => {
  const twice = waiting([
    { ...paid, arm: 'one' },
    { ...paid, arm: 'two' },
  ]);
  const story = begun(twice, { key });
  story.message(2, 'payment', key);
  expect(resultOf(story)).toEqual({ arm: 'one', data: null });
});

describe('several times', () => {
  const short = { arm: 'short', afterMs: 100 };
  const long = { arm: 'long', afterMs: 200 };
  const ends = (...arms: readonly JsonObject[]): unknown => {
    const story = begun(waiting(arms));
    story.time(2);
    return [story.now, resultOf(story)];
  };

  test('the shortest is the one, whatever the order', () => {
    const shortest = [100, { arm: 'short', data: null }];
    expect(ends(short, long)).toEqual(shortest);
    expect(ends(long, short)).toEqual(shortest);
  });

  test('of two that are as long, the first written is meant', () => {
    expect(ends(short, { ...short, arm: 'same' })).toEqual([100, { arm: 'short', data: null }]);
    expect(ends({ ...short, arm: 'same' }, short)).toEqual([100, { arm: 'same', data: null }]);
  });

  test('no time at all is a time that is over at once', () => {
    expect(ends({ arm: 'now', afterMs: 0 })).toEqual([0, { arm: 'now', data: null }]);
  });

  test('it is not over early', () => {
    const story = begun(waiting([short]));
    expect(story.tell({ type: 'time', at: 99 as never, token: 2 as TokenId })).toBe('\n\n');
  });
});

test('without a time only messages end it', () => {
  const story = begun(waiting([paid, left]), { key });
  expect(story.instance.tokens.get(2 as TokenId)?.wakeAt).toBe(null);
  story.now = 10 ** 12;
  expect(story.time(2)).toBe('\n\n');
});

describe('the key of an arm', () => {
  test('is the business key unless the arm says otherwise', () => {
    const arms = [paid, { ...left, key: 'fixed' }];
    expect(new Story(waiting(arms), { key }).start()).toContain(
      'for first of payment order-42, cancellation fixed',
    );
  });

  test('is what the closure of that arm says', () => {
    const arms = [
      { ...paid, keyCode: true },
      { ...left, keyCode: true },
    ];
    const code: NodeCode = {
      'key.paid': ({ input }) => `p-${JSON.stringify(input)}`,
      'key.left': ({ input }) => `c-${JSON.stringify(input)}`,
    };
    expect(new Story(waiting(arms, code)).start(7)).toContain(
      'for first of payment p-7, cancellation c-7',
    );
  });

  test('is missing if the instance has none: a fault that says what to do', () => {
    expect(begun(usual).head.fault).toEqual({
      code: 'first.no-key',
      message:
        '"any" needs a key for "payment", and there is none: ' +
        'start the instance with a business key, or give the node a key of its own',
      node: 'any',
    });
  });

  test('is no key if a closure says nothing of use, and a fault if it throws', () => {
    for (const odd of [null, '', 7]) {
      const story = begun(waiting([{ ...paid, keyCode: true }], { 'key.paid': () => odd }));
      expect(story.head.fault).toMatchObject({ code: 'first.no-key', node: 'any' });
    }
    const code: NodeCode = { 'key.paid': () => Reflect.get(null as never, 'x') };
    const story = begun(waiting([{ ...paid, keyCode: true }], code));
    expect(story.head.fault).toMatchObject({ code: 'code.threw', node: 'any' });
  });
});

describe('a time that a closure says', () => {
  const asked = (after: unknown): Story =>
    begun(waiting([{ arm: 'late' }], { 'after.late': () => after }));

  test('is milliseconds or a text', () => {
    for (const after of [1_500, '1.5s', 'PT1.5S']) {
      expect(asked(after).instance.tokens.get(2 as TokenId)?.wakeAt).toBe(1_500);
    }
  });

  test('is a fault if it is none', () => {
    for (const odd of [null, 'soon', -1, true]) {
      const { fault } = asked(odd).head;
      expect(fault).toMatchObject({ code: 'first.bad-duration', node: 'any' });
      expect(fault?.message).toMatch(/^"after.late" of "any": a duration/);
    }
    const threw = { 'after.late': () => Reflect.get(null as never, 'x') };
    expect(begun(waiting([{ arm: 'late' }], threw)).head.fault?.code).toBe('code.threw');
  });
});

test('D19: a process without the closures wakes it, and which arm it was is kept', () => {
  const story = begun(usual, { key });
  expect(withoutCode(story, () => story.message(2, 'payment', key, 5))).toContain(
    'wake   token 2 event',
  );
  story.go(2);
  expect(resultOf(story)).toEqual({ arm: 'paid', data: 5 });
});

test('someone who skips it says what it brought', () => {
  const { draft, code = {} } = usual;
  const story = begun({ draft: { ...draft, onFailure: 'incident' }, code });
  expect(story.instance.tokens.get(2 as TokenId)?.wait).toMatchObject({ on: 'incident' });
  story.skip(2, { arm: 'paid', data: null });
  expect(resultOf(story)).toEqual({ arm: 'paid', data: null });
});

describe('what is wrong with a first', () => {
  const problems = (arms: Json): string[] =>
    problemsOf(draw(['any -> A'], { any: { kind: 'first', settings: { arms } } }));

  test('it waits for one thing or more', () => {
    for (const none of [[], null, 'payment', {}] as Json[]) {
      expect(problems(none)).toEqual(['first.no-arms any: "any" waits for one thing or more']);
    }
  });

  test('every arm has a name', () => {
    for (const arm of [{}, { arm: '' }, { arm: 7 }, 'paid', null, ['paid']] as Json[]) {
      expect(problems([arm])).toEqual(['first.bad-arm any: every arm of "any" has a name']);
    }
  });

  test('no two arms have the same name', () => {
    expect(problems([paid, { ...paid, event: 'refunded' }, paid])).toEqual([
      'first.duplicate-arm any: "any" has two arms named "paid"',
    ]);
  });

  test('an arm for a message names it, and its key is a text', () => {
    for (const event of ['', 7, null]) {
      expect(problems([{ arm: 'paid', event }])).toEqual([
        'first.bad-arm any: arm "paid" of "any" names an event',
      ]);
    }
    expect(problems([{ ...paid, key: 7 }])).toEqual([
      'first.bad-arm any: the key of arm "paid" of "any" is a text',
    ]);
  });

  test('a time is a number of ms, of a hundred years at most', () => {
    const rule = 'first.bad-arm any: the time of arm "late" of "any": ';
    expect(problems([{ arm: 'late', afterMs: 'soon' }])).toEqual([`${rule}it is a number of ms`]);
    for (const afterMs of [-1, DURATION_MS_MAX + 1]) {
      expect(problems([{ arm: 'late', afterMs }])[0]).toContain(`${rule}a duration`);
    }
    expect(problems([{ arm: 'late', afterMs: DURATION_MS_MAX }])).toEqual([]);
  });

  test('all of it is said at once', () => {
    expect(problems([{}, { arm: 'a', event: 7 }, { arm: 'b', afterMs: -1 }])).toHaveLength(3);
  });
});
