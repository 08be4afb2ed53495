import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
import type { InstanceId, NodeId, TokenId } from '../model/ids.ts';
import type { Post } from '../model/post.ts';
import { begun, failAt, postsOf, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const end = { kind: 'end', settings: { output: 'results' } };

function calling(settings: JsonObject = {}, code: NodeCode = {}): Drawing {
  return draw(['bill -> end'], {
    bill: { kind: 'call', settings: { flow: 'billing', ...settings }, code },
    end,
  });
}

/** The instance that the token at this node waits for. */
function calledFrom(story: Story, node = 'bill'): InstanceId | undefined {
  const [token] = tokensAt(story, node);
  const wait = story.instance.tokens.get(token as TokenId)?.wait;
  return wait?.on === 'child' ? wait.instance : undefined;
}

const failed = {
  status: 'failed',
  fault: { code: 'card.refused', message: 'no money', node: 'charge' as NodeId },
} as const;

test('a call starts an instance of another flow and waits for its end', () => {
  const settings = { flow: 'billing', input: { amount: 5 } };
  const story = new Story(draw(['bill'], { bill: { kind: 'call', settings } }));

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at bill
    post   start of billing {"amount":5}
    park   token 2 for another instance
    ! carry
  `);
  expect(story.child(2, { status: 'completed', output: { invoice: 7 } })).toBe(text`
    wake   token 2 resume and enter
    write  scope 1 results {"bill":{"invoice":7}}
    end    token 2 done
    close  scope 1
    finish completed
    ! ended
  `);
});

describe('what is started', () => {
  const started = (settings: JsonObject = {}, code: NodeCode = {}): unknown =>
    postsOf(begun(calling(settings, code), { key: 'order-42' }, 7))[0];

  test('is the newest version that is there, or the one named', () => {
    expect(started()).toEqual({
      id: 'i1/3',
      do: 'start',
      instance: expect.any(String) as string,
      flow: 'billing',
      input: null,
      parent: { instance: 'i1', token: 2 },
    });
    expect(started({ version: 3 })).toMatchObject({ version: 3 });
  });

  test('has the input the node says, or what a closure says', () => {
    expect(started({ input: [1, 2] })).toMatchObject({ input: [1, 2] });
    const code: NodeCode = { input: ({ input }) => ({ n: input }) };
    expect(started({ inputCode: true }, code)).toMatchObject({ input: { n: 7 } });
  });

  test('has a business key of its own if the node says one: never that of the caller', () => {
    expect(started()).not.toHaveProperty('key');
    expect(started({ key: 'fixed' })).toMatchObject({ key: 'fixed' });
    const key: NodeCode = { key: ({ input }) => `k-${JSON.stringify(input)}` };
    expect(started({ keyCode: true }, key)).toMatchObject({ key: 'k-7' });
    expect(started({ keyCode: true }, { key: () => null })).not.toHaveProperty('key');
  });
});

describe('the id of what is started', () => {
  test('is a UUIDv7 whose time is that of the call', () => {
    const story = new Story(calling());
    story.now = Date.UTC(2026, 10, 16);
    story.start();
    const id = calledFrom(story) ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(story.now);
  });

  test('is the same when the same call is worked out again', () => {
    expect(calledFrom(begun(calling()))).toBe(calledFrom(begun(calling())));
  });

  test('is known in the commit that calls: it can be cancelled before it is there', () => {
    const story = begun(calling());
    expect(postsOf(story)[0]).toMatchObject({ do: 'start', instance: calledFrom(story) });
  });

  test('is another for every token and for every instance that calls', () => {
    const two = draw(['f -> a', 'f -> b'], {
      f: { kind: 'fork' },
      a: { kind: 'call', settings: { flow: 'billing' } },
      b: { kind: 'call', settings: { flow: 'billing' } },
    });
    const story = begun(two);
    const other = new Story(calling());
    const birth = { id: 'i2' as InstanceId, flow: 'test', flowVersion: 1, input: null };
    other.tell({ type: 'start', at: 0 as never, birth });
    const ids = [calledFrom(story, 'a'), calledFrom(story, 'b'), calledFrom(other)];
    expect(new Set([...ids, calledFrom(begun(calling()))]).size).toBe(4);
  });

  test('is another when someone has it called again, even at the same moment', () => {
    const { draft } = calling();
    const story = begun({ draft: { ...draft, onFailure: 'incident' } });
    const first = calledFrom(story);
    story.child(2, failed);
    story.retry(2);
    expect(calledFrom(story)).toEqual(expect.any(String));
    // The first is over and answers no more: to wait for it again is to wait for ever.
    expect(calledFrom(story)).not.toBe(first);
  });
});

describe('its output is the result of the node', () => {
  for (const output of [null, 0, 'text', [1], { a: { b: null } }]) {
    test(JSON.stringify(output), () => {
      const story = begun(calling());
      story.child(2, { status: 'completed', output });
      expect(story.head.output).toEqual({ bill: output });
    });
  }

  test('an answer that comes twice leaves no trace, nor does one for another token', () => {
    const story = begun(
      draw(['f -> bill', 'f -> A'], {
        f: { kind: 'fork' },
        bill: { kind: 'call', settings: { flow: 'billing' } },
      }),
    );
    const [bill = 0] = tokensAt(story, 'bill');
    const [a = 0] = tokensAt(story, 'A');
    expect(story.child(a, { status: 'completed', output: 1 })).toBe('\n\n');
    story.child(bill, { status: 'completed', output: 1 });
    expect(story.child(bill, { status: 'completed', output: 2 })).toBe('\n\n');
  });

  test('nothing else ends it: no time and no message', () => {
    const story = begun(calling(), { key: 'k' });
    story.now = 10 ** 12;
    expect(story.time(2) + story.message(2, 'billing', 'k') + story.done(2)).toBe('\n\n'.repeat(3));
  });
});

describe('if it fails, so does this node', () => {
  test('with the same code, and says where the other one failed', () => {
    const story = begun(calling());
    expect(story.child(2, failed)).toBe(text`
      wake   token 2 resume and enter
      end    token 2 failed card.refused
      close  scope 1
      finish failed card.refused
      ! ended
    `);
    expect(story.head.fault).toEqual({
      code: 'card.refused',
      message: 'no money',
      node: 'bill',
      details: { failedAt: 'charge' },
    });
  });

  test('with its details, and as fatal if it was', () => {
    const story = begun(calling());
    const fault = { ...failed.fault, details: { sku: 'A1' }, fatal: true } as const;
    story.child(2, { status: 'failed', fault });
    expect(story.head.fault).toMatchObject({
      details: { sku: 'A1', failedAt: 'charge' },
      fatal: true,
    });
  });

  test('one that could not even be started failed nowhere', () => {
    const story = begun(calling());
    const fault = { code: 'call.refused', message: 'an input is JSON', node: null };
    story.child(2, { status: 'failed', fault });
    expect(story.head.fault).toEqual({ ...fault, node: 'bill' });
  });

  test('O-81: a try around the call catches it by that code', () => {
    const story = begun(
      draw(['t -> end', 't -> Mend -> end'], {
        t: {
          kind: 'try',
          settings: {
            body: 'bill',
            done: 't->end',
            caught: 't->Mend',
            errors: ['card.refused'],
          },
        },
        bill: { kind: 'call', settings: { flow: 'billing' }, in: 't' },
        end,
      }),
    );
    story.child(4, failed);
    expect(tokensAt(story, 'Mend')).toHaveLength(1);
  });

  test('one that was canceled is a fault of its own', () => {
    const story = begun(calling());
    story.child(2, { status: 'canceled' });
    expect(story.head.fault).toEqual({
      code: 'call.canceled',
      message: 'the instance of "billing" was canceled',
      node: 'bill',
    });
  });
});

describe('if this node is cancelled, so is the other instance', () => {
  const cancelsOf = (story: Story): Post[] => postsOf(story).filter((post) => post.do === 'cancel');
  const beside = draw(['f -> bill', 'f -> A'], {
    f: { kind: 'fork' },
    bill: { kind: 'call', settings: { flow: 'billing' } },
  });

  test('by what fails beside it, and then it is undone as well', () => {
    const story = begun(beside);
    const instance = calledFrom(story);
    failAt(story, 'A');
    expect(cancelsOf(story)).toMatchObject([{ instance, saga: true }]);
  });

  test('by who cancels the caller, with its saga or without', () => {
    for (const saga of [true, false]) {
      const story = begun(beside);
      const instance = calledFrom(story);
      story.cancel(saga);
      expect(cancelsOf(story)).toMatchObject([{ instance, saga }]);
      expect(story.head.status).toBe('canceled');
    }
  });

  test('and what it answers then finds nobody', () => {
    const story = begun(beside);
    const [bill = 0] = tokensAt(story, 'bill');
    failAt(story, 'A');
    expect(story.child(bill, { status: 'canceled' })).toBe('\n\n');
  });

  test('under an id that no other post of the caller has', () => {
    const story = begun(calling());
    story.cancel();
    const posts = postsOf(story);
    expect(posts.map((post) => post.do)).toEqual(['start', 'cancel']);
    expect(new Set(posts.map(({ id }) => id)).size).toBe(2);
  });

  test('one that has ended is left alone', () => {
    const story = begun(draw(['bill -> A'], { bill: { kind: 'call', settings: { flow: 'x' } } }));
    story.child(2, { status: 'completed', output: null });
    failAt(story, 'A');
    expect(cancelsOf(story)).toEqual([]);
  });
});

describe('an instance that was called tells its caller how it ended', () => {
  function called(): Story {
    const story = new Story(draw(['A -> end'], { end }));
    const parent = { instance: 'i0' as InstanceId, token: 9 as TokenId };
    const birth = { id: 'i1' as InstanceId, flow: 'test', flowVersion: 1, input: null, parent };
    story.tell({ type: 'start', at: 0 as never, birth });
    return story;
  }

  test('with its output', () => {
    const story = called();
    expect(story.done(2, 5)).toContain('post   answer completed to token 9');
    const answer = { status: 'completed', output: { A: 5 } };
    expect(postsOf(story)).toMatchObject([{ do: 'answer', to: { instance: 'i0' }, answer }]);
  });

  test('with what it failed of, or that it was canceled', () => {
    const [broken, stopped] = [called(), called()];
    broken.fail(2, 'no.luck');
    const answer = { status: 'failed', fault: { code: 'no.luck', node: 'A' } };
    expect(postsOf(broken)).toMatchObject([{ answer }]);
    stopped.cancel();
    expect(postsOf(stopped)).toMatchObject([{ answer: { status: 'canceled' } }]);
  });
});

test('someone who skips a call gives its result', () => {
  const { draft } = calling();
  const story = begun({ draft: { ...draft, onFailure: 'incident' } });
  story.child(2, failed);
  story.skip(2, { invoice: 0 });
  expect(story.head.output).toEqual({ bill: { invoice: 0 } });
});

describe('a closure that goes wrong is a fault, and nothing is called', () => {
  test('one that throws', () => {
    for (const slot of ['input', 'key']) {
      const code: NodeCode = { [slot]: () => Reflect.get(null as never, 'x') };
      const story = begun(calling({ [`${slot}Code`]: true }, code));
      expect(story.head.fault, slot).toMatchObject({ code: 'code.threw', node: 'bill' });
      expect(postsOf(story)).toEqual([]);
    }
  });

  test('a key that is no text, or too long', () => {
    for (const odd of ['', 7, ['k'], {}, 'k'.repeat(501)]) {
      const story = begun(calling({ keyCode: true }, { key: () => odd }));
      expect(story.head.fault).toEqual({
        code: 'call.bad-key',
        message:
          '"key" of "bill" answers a text of up to KEY_CHARS_MAX 500 characters, or null for none',
        node: 'bill',
      });
    }
  });
});

describe('what is wrong with a call', () => {
  test('it names the flow it calls', () => {
    for (const flow of ['', 7, null]) {
      expect(problemsOf(calling({ flow }))).toEqual([
        'call.no-flow bill: "bill" names the flow it calls',
      ]);
    }
  });

  test('its version is a whole number, 1 or more', () => {
    for (const version of [0, 1.5, '1']) {
      expect(problemsOf(calling({ version }))).toEqual([
        'call.bad-version bill: "bill" calls a version that is a whole number, 1 or more',
      ]);
    }
  });

  test('its key is a text', () => {
    expect(problemsOf(calling({ key: 7 }))).toEqual([
      'call.bad-key bill: the key of "bill" is a text or a closure',
    ]);
  });

  test('all of it is said at once', () => {
    expect(problemsOf(calling({ flow: 1, version: 0, key: 2 }))).toHaveLength(3);
  });
});
