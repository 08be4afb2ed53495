import { describe, expect, test } from 'vitest';
import { DURATION_MS_MAX } from '../base/duration.ts';
import type { JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
import { advance } from '../kernel/advance.ts';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function paying(settings: JsonObject = {}, code: NodeCode = {}): Drawing {
  return draw(['paid -> A'], {
    paid: { kind: 'wait', settings: { event: 'payment', ...settings }, code },
  });
}

const key = 'order-42';
const withTimeout = paying({ timeoutMs: 900_000 });

test('a wait rests until a message of its type and key, whose data becomes its result', () => {
  const story = new Story(withTimeout, { key });

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at paid
    park   token 2 for message payment order-42 until 900000
    ! alarm 900000
    ! await payment order-42
  `);
  expect(story.message(2, 'payment', 'order-42', { amount: 5 })).toBe(text`
    wake   token 2 event and enter
    write  scope 1 results {"paid":{"amount":5}}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

test('after the timeout the result is null', () => {
  const story = new Story(withTimeout, { key });
  story.start();
  expect(story.time(2)).toBe(text`
    wake   token 2 timeout and enter
    write  scope 1 results {"paid":null}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

describe('whichever commits first decides; the other changes nothing', () => {
  test('the message before the timeout', () => {
    const story = new Story(withTimeout, { key });
    story.start();
    story.now = 900_000;
    story.message(2, 'payment', key, 'in time');
    expect(story.time(2)).toBe('\n\n');
    expect(story.instance.scopes.get(1 as never)?.results.object).toEqual({ paid: 'in time' });
  });

  test('the timeout before the message', () => {
    const story = new Story(withTimeout, { key });
    story.start();
    story.time(2);
    expect(story.message(2, 'payment', key, 'too late')).toBe('\n\n');
    expect(story.instance.scopes.get(1 as never)?.results.object).toEqual({ paid: null });
  });

  test('the same message twice', () => {
    const story = new Story(withTimeout, { key });
    story.start();
    story.message(2, 'payment', key, 1);
    expect(story.message(2, 'payment', key, 1)).toBe('\n\n');
  });
});

test('a message of another type or key leaves no trace', () => {
  const story = new Story(withTimeout, { key });
  story.start();
  expect(story.message(2, 'refund', key)).toBe('\n\n');
  expect(story.message(2, 'payment', 'order-43')).toBe('\n\n');
  expect(story.instance.tokens.get(2 as TokenId)?.status).toBe('waiting');
});

describe('a message for one instance', () => {
  const told = (story: Story, instance: string, type = 'payment'): string => {
    const message = { id: 'm1', type, key: '', instance: instance as InstanceId, data: 5 };
    return story.tell({ type: 'message', at: 0 as Instant, token: 2 as TokenId, message });
  };

  test('wakes a wait for its type, whatever the key', () => {
    const story = new Story(withTimeout, { key });
    story.start();
    expect(told(story, 'i1')).toContain('wake   token 2 event and enter');
    expect(story.instance.scopes.get(1 as never)?.results.object).toEqual({ paid: 5 });
  });

  test('leaves no trace in another instance, or where another type is waited for', () => {
    const story = new Story(withTimeout, { key });
    story.start();
    expect(told(story, 'i2')).toBe('\n\n');
    expect(told(story, 'i1', 'refund')).toBe('\n\n');
  });
});

test('X-07: only a wait of an instance that is not suspended is woken', () => {
  const story = new Story(withTimeout, { key });
  story.start();
  const { head, ...rest } = rowsOf(story.instance);
  story.instance = assemble({ ...rest, head: { ...head, status: 'suspended' } });
  const message = { id: 'm1', type: 'payment', key, data: 5 };
  const input = { type: 'message', at: 0 as Instant, token: 2 as TokenId, message } as const;
  const targeted = { ...message, key: '', instance: head.id };
  for (const one of [input, { ...input, message: targeted }]) {
    expect(advance(story.machine, story.instance, one).changes).toEqual([]);
  }
  story.instance = assemble({ ...rest, head });
  expect(advance(story.machine, story.instance, input).changes).not.toEqual([]);
});

test('without a timeout no time wakes a wait', () => {
  const story = new Story(paying(), { key });
  expect(story.start()).not.toContain('alarm');
  story.now = 10 ** 12;
  expect(story.time(2)).toBe('\n\n');
});

describe('the key of a wait', () => {
  test('is the business key unless the node says otherwise', () => {
    expect(new Story(paying(), { key }).start()).toContain('for message payment order-42');
  });

  test('is the one the node states', () => {
    expect(new Story(paying({ key: 'fixed' }), { key }).start()).toContain('payment fixed');
  });

  test('is what the closure says', () => {
    const story = new Story(paying({ keyCode: true }, { key: ({ input }) => input }), { key });
    expect(story.start('by-input')).toContain('payment by-input');
  });

  test('is missing if the instance has none: a fault that says what to do', () => {
    const story = new Story(paying());
    story.start();
    expect(story.head.fault).toEqual({
      code: 'wait.no-key',
      message:
        '"paid" needs a key for "payment", and there is none: ' +
        'start the instance with a business key, or give the node a key of its own',
      node: 'paid',
    });
  });

  test('has at most KEY_CHARS_MAX characters', () => {
    const story = (chars: number): Story => {
      const made = new Story(paying({ key: 'k'.repeat(chars) }));
      made.start();
      return made;
    };
    expect(story(500).head.status).toBe('running');
    expect(story(501).head.fault).toMatchObject({ code: 'wait.key-too-long', node: 'paid' });
  });

  for (const odd of [null, '', 7, ['a']]) {
    test(`is no key if a closure says ${JSON.stringify(odd)}`, () => {
      const story = new Story(paying({ keyCode: true }, { key: () => odd }), { key });
      story.start();
      expect(story.head.fault).toMatchObject({ code: 'wait.no-key', node: 'paid' });
    });
  }

  test('is a fault if its closure throws', () => {
    const code = { key: () => Reflect.get(null as never, 'x') };
    const story = new Story(paying({ keyCode: true }, code), { key });
    story.start();
    expect(story.head.fault).toMatchObject({ code: 'code.threw', node: 'paid' });
  });
});

test('O-88: two waits in one instance are told apart by token and woken one by one', () => {
  const story = new Story(
    draw(['f -> a -> j -> end', 'f -> b -> j'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
      a: { kind: 'wait', settings: { event: 'approved' } },
      b: { kind: 'wait', settings: { event: 'approved' } },
      end: { kind: 'end', settings: { output: 'results' } },
    }),
    { key },
  );
  story.start();
  story.message(5, 'approved', key, 'second');
  expect(story.head.status).toBe('running');
  story.message(4, 'approved', key, 'first');
  expect(story.head).toMatchObject({
    status: 'completed',
    output: { a: 'first', b: 'second' },
  });
});

describe('what is wrong with a wait', () => {
  test('it names its event, and its key is text', () => {
    expect(problemsOf(paying({ event: '', key: 7 }))).toEqual([
      'wait.no-event paid: "paid" names the event it waits for',
      'wait.bad-key paid: the key of "paid" is a string or a closure',
    ]);
  });

  test('its timeout is a duration of a hundred years at most', () => {
    expect(problemsOf(paying({ timeoutMs: DURATION_MS_MAX }))).toEqual([]);
    for (const timeoutMs of [-1, 'soon', true, DURATION_MS_MAX + 1, 1e300]) {
      expect(problemsOf(paying({ timeoutMs }))[0]).toContain(
        'wait.bad-timeout paid: the timeout of "paid" is a duration: ',
      );
    }
  });

  test('a part of a millisecond is rounded up, so that the moment is a whole number', () => {
    expect(new Story(paying({ timeoutMs: 0.5 }), { key }).start()).toContain('until 1\n');
  });
});
