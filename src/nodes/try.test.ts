import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { CodeView, NodeCode } from '../model/definition.ts';
import { answerAt, begun, either, failAt, play, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const end = { kind: 'end', settings: { output: 'results' } };
const here = { done: 'pay->end', caught: 'pay->Mend' };

/** A try around two steps in a row, and a step instead of them. */
function paying(settings: JsonObject = {}, code: NodeCode = {}): Drawing {
  return draw(['pay -> end', 'pay -> Mend -> end', 'Charge -> Book'], {
    pay: { kind: 'try', settings: { body: 'Charge', ...here, ...settings }, code },
    Charge: { kind: 'step', in: 'pay' },
    Book: { kind: 'step', in: 'pay' },
    end,
  });
}

/** A try inside another; both have a step for what they catch. */
function nested(inner: JsonObject = {}, code: NodeCode = {}): Drawing {
  const lines = ['outer -> end', 'outer -> Far -> end', 'inner -> x', 'inner -> Near -> x'];
  return draw(lines, {
    outer: { kind: 'try', settings: { body: 'inner', done: 'outer->end', caught: 'outer->Far' } },
    inner: {
      kind: 'try',
      settings: { body: 'Work', done: 'inner->x', caught: 'inner->Near', ...inner },
      code,
      in: 'outer',
    },
    Work: { kind: 'step', in: 'inner' },
    Near: { kind: 'step', in: 'outer' },
    x: { kind: 'pass', in: 'outer' },
    end,
  });
}

test('a try runs its region, and goes on with its results if nothing in it fails', () => {
  const story = new Story(paying());

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at pay
    open   scope 3 of token 2
    birth  token 4 at Charge ready
    ! offer token 4 to test@1/Charge
  `);
  answerAt(story, ['Charge', 'Book']);
  expect(story.head).toMatchObject({
    status: 'completed',
    output: { Charge: 'Charge', Book: 'Book' },
  });
});

test('S-46 S-59: what fails in it is caught, and the error is the result of the try', () => {
  const story = begun(paying());
  story.done(4, 'charged');

  expect(story.fail(5, 'no.shelf')).toBe(text`
    claim  token 5 by w1
    end    token 5 failed no.shelf
    write  scope 1 results {"pay":{"code":"no.shelf","message":"no.shelf","node":"Book"}}
    return scope 3
    birth  token 6 at Mend ready
    end    token 2 done
    ! offer token 6 to test@1/Mend
  `);
  story.done(6, 'mended');
  expect(story.head).toMatchObject({ status: 'completed', fault: null });
  const error = { code: 'no.shelf', message: 'no.shelf', node: 'Book' };
  expect(story.head.output).toEqual({ pay: error, Mend: 'mended' });
});

test('D20: what was caught is frozen, like every value a closure is given', () => {
  const seen: boolean[] = [];
  const code: NodeCode = { when: ({ error }) => seen.push(Object.isFrozen(error)) > 0 };
  const story = begun(paying({ asks: true }, code));
  failAt(story, 'Charge');
  const { pay } = story.instance.scopes.get(1 as never)?.results.object ?? {};
  expect([...seen, Object.isFrozen(pay)]).toEqual([true, true]);
});

describe('what is caught can be narrowed', () => {
  const caught = (story: Story): boolean => tokensAt(story, 'Mend').length === 1;

  test('by code (S-47)', () => {
    const some = { errors: ['card.refused', 'card.expired'] };
    for (const code of some.errors) {
      const story = begun(paying(some));
      failAt(story, 'Charge', code);
      expect(caught(story), code).toBe(true);
    }
  });

  test('what is not caught passes on outwards', () => {
    const story = begun(paying({ errors: ['card.refused'] }));
    expect(failAt(story, 'Charge', 'bank.closed')).toBe(text`
      claim  token 4 by w1
      end    token 4 failed bank.closed
      end    token 2 cancelled
      close  scope 3
      close  scope 1
      finish failed bank.closed
      ! ended
    `);
    expect(story.head.fault).toEqual({
      code: 'bank.closed',
      message: 'bank.closed',
      node: 'Charge',
    });
  });

  test('by a closure, which is given the error and sees what the try sees (S-48)', () => {
    const seen: CodeView[] = [];
    const code: NodeCode = {
      when: (view) => {
        seen.push(view);
        return view.error?.node === 'Book';
      },
    };
    const first = begun(paying({ asks: true }, code));
    failAt(first, 'Charge');
    expect(first.head.status).toBe('failed');

    const second = new Story(paying({ asks: true }, code));
    second.start({ amount: 7 });
    answerAt(second, ['Charge']);
    failAt(second, 'Book');
    expect(caught(second)).toBe(true);
    expect(seen.at(-1)).toEqual({
      input: { amount: 7 },
      results: {},
      vars: {},
      item: null,
      index: null,
      error: { code: 'boom', message: 'boom', node: 'Book' },
    });
  });

  test('by both: the closure is not asked about a code that is not meant', () => {
    const asked: unknown[] = [];
    const code: NodeCode = { when: ({ error }) => asked.push(error?.code) > 0 };
    for (const thrown of ['boom', 'bang']) {
      failAt(begun(paying({ errors: ['boom'], asks: true }, code)), 'Charge', thrown);
    }
    expect(asked).toEqual(['boom']);
  });
});

describe('a closure that cannot say whether it catches is a fault of the try itself', () => {
  const threw: NodeCode = { when: () => Reflect.get(null as never, 'x') };

  test('one that throws', () => {
    const story = begun(paying({ asks: true }, threw));
    expect(failAt(story, 'Charge')).toBe(text`
      claim  token 4 by w1
      end    token 4 failed boom
      return scope 3
      end    token 2 failed code.threw
      close  scope 1
      finish failed code.threw
      ! ended
    `);
    expect(story.head.fault).toMatchObject({ code: 'code.threw', node: 'pay' });
  });

  for (const answer of [null, 0, 'yes', []]) {
    test(`one that answers ${JSON.stringify(answer)}`, () => {
      const story = begun(paying({ asks: true }, { when: () => answer }));
      failAt(story, 'Charge');
      expect(story.head.fault).toEqual({
        code: 'try.not-boolean',
        message: `"when" of "pay" answers true or false; came ${JSON.stringify(answer)}`,
        node: 'pay',
      });
    });
  }

  test('it goes outwards, and a try around it catches it', () => {
    const story = begun(nested({ asks: true }, threw));
    failAt(story, 'Work');
    expect([tokensAt(story, 'Near'), tokensAt(story, 'Far')].map((at) => at.length)).toEqual([
      0, 1,
    ]);
    const { outer } = story.instance.scopes.get(1 as never)?.results.object ?? {};
    expect(outer).toMatchObject({ code: 'code.threw', node: 'inner' });
  });
});

describe('tries inside each other', () => {
  test('the nearest that catches does, and the outer one goes on as if nothing had been', () => {
    const story = begun(nested());
    failAt(story, 'Work');
    expect(tokensAt(story, 'Far')).toEqual([]);
    answerAt(story, ['Near']);
    expect(story.head.output).toMatchObject({ inner: { code: 'boom' }, Near: 'Near' });
  });

  test('what the nearest does not mean is caught further out', () => {
    const story = begun(nested({ errors: ['bang'] }));
    failAt(story, 'Work');
    expect(tokensAt(story, 'Near')).toEqual([]);
    answerAt(story, ['Far']);
    const error = { code: 'boom', message: 'boom', node: 'Work' };
    expect(story.head.output).toEqual({ outer: error, Far: 'Far' });
  });

  test('S-58: what fails on the way for what was caught is not caught there again', () => {
    const alone = begun(paying());
    failAt(alone, 'Charge', 'first');
    failAt(alone, 'Mend', 'second');
    expect(alone.head.fault).toMatchObject({ code: 'second', node: 'Mend' });

    const story = begun(nested());
    failAt(story, 'Work', 'first');
    failAt(story, 'Near', 'second');
    answerAt(story, ['Far']);
    expect(story.head.output).toMatchObject({ outer: { code: 'second', node: 'Near' } });
  });
});

test('siblings outside the region go on: a fork around the try still joins', () => {
  const lines = ['g -> pay', 'g -> C -> k', 'pay -> k', 'pay -> Mend -> k', 'k -> end'];
  const story = begun(
    draw(lines, {
      g: { kind: 'fork' },
      k: { kind: 'join' },
      pay: { kind: 'try', settings: { body: 'Charge', done: 'pay->k', caught: 'pay->Mend' } },
      Charge: { kind: 'step', in: 'pay' },
      end,
    }),
  );
  failAt(story, 'Charge');
  play(story, (tokens) => tokens[0]);
  expect(story.head).toMatchObject({ status: 'completed', output: { C: 'C', Mend: 'Mend' } });
});

test('variables set in the region end with it, and those of the instance stay', () => {
  const story = begun(
    draw(['pay -> end', 'pay -> look -> end', 'Charge -> Book'], {
      pay: { kind: 'try', settings: { body: 'Charge', done: 'pay->end', caught: 'pay->look' } },
      Charge: { kind: 'step', in: 'pay' },
      Book: { kind: 'step', in: 'pay' },
      look: { kind: 'set', code: { value: ({ vars }) => [vars] } },
      end,
    }),
  );
  story.done(4, null, [
    { name: 'near', value: 1, in: 'scope' },
    { name: 'far', value: 2, in: 'instance' },
  ]);
  failAt(story, 'Book');
  expect(story.head.output).toMatchObject({ look: [{ far: 2 }] });
});

describe('what is caught besides what a handler throws', () => {
  const inside = (kind: string, settings: JsonObject, code: NodeCode = {}): Drawing =>
    draw(['pay -> end', 'pay -> Mend -> end'], {
      pay: { kind: 'try', settings: { body: 'it', ...here } },
      it: { kind, settings, code, in: 'pay' },
      end,
    });

  test('a closure that throws, a fault of a kind, an error that was raised', () => {
    const threw = { value: () => Reflect.get(null as never, 'x') };
    const drawings = {
      'code.threw': inside('set', {}, threw),
      'wait.no-key': inside('wait', { event: 'mail' }),
      'no.stock': inside('fail', { error: { code: 'no.stock' } }),
    };
    for (const [code, drawing] of Object.entries(drawings)) {
      const story = begun(drawing);
      answerAt(story, ['Mend']);
      expect(story.head.output).toMatchObject({ pay: { code, node: 'it' } });
    }
  });

  test('a handler that took too many workers with it', () => {
    const story = new Story(paying(), { limits: { CRASHES_MAX: 1 } });
    story.start();
    story.expire(4);
    story.expire(4);
    answerAt(story, ['Mend']);
    expect(story.head.output).toMatchObject({ pay: { code: 'LEASE_EXPIRED', node: 'Charge' } });
  });

  test('a flow that spins, but not in a loop around the try: that is a spin of its own', () => {
    const loop = draw(['again -> pay -> again', 'again -> end'], {
      again: either('again', 'pay', 'end', () => true),
      pay: { kind: 'try', settings: { body: 'it', done: 'pay->again', caught: 'pay->again' } },
      it: { kind: 'fail', settings: { error: 'no' }, in: 'pay' },
      end,
    });
    const story = begun(loop, { limits: { MOVES_WITHOUT_REST_MAX: 60 } });
    expect(story.head.fault).toMatchObject({ code: 'flow.spins' });
  });
});

test('someone who skips a try has it go on as if its region had ended well', () => {
  const { draft, code = {} } = paying({ asks: true }, { when: () => 'maybe' });
  const story = begun({ draft: { ...draft, onFailure: 'incident' }, code });
  expect(failAt(story, 'Charge')).toContain(
    'park   token 2 for someone to retry or skip or cancel it try.not-boolean',
  );
  expect(story.skip(2)).toContain('birth  token 5 at end');
  expect(story.head.status).toBe('completed');
});

describe('what is wrong with a try', () => {
  const problems = (settings: JsonObject): string[] =>
    problemsOf(paying(settings)).filter((problem) => !problem.startsWith('node.unreachable'));
  const noWay = (edge: string): string =>
    `try.unknown-edge pay: "pay" names the edge ${edge}, which does not leave it`;

  test('it names the node its region begins with, and that node lies in it', () => {
    expect(problems({ body: 'Mend' })).toEqual([
      'try.no-body pay: "pay" names the node its region begins with; ' +
        'came "Mend", which is not in it',
    ]);
  });

  test('both its ways leave it', () => {
    expect(problems({ done: 'Mend->end' })).toEqual([noWay('"Mend->end"')]);
    expect(problems({ caught: 7 })).toEqual([noWay('7')]);
    const { draft } = paying();
    const nodes = draft.nodes.map((node) =>
      node.id === 'pay' ? { ...node, settings: { body: 'Charge', caught: 'pay->Mend' } } : node,
    );
    expect(problemsOf({ draft: { ...draft, nodes } })).toEqual([noWay('undefined')]);
  });

  test('the codes it catches are texts, one or more', () => {
    for (const errors of [[], 'boom', [7], ['boom', null], null]) {
      expect(problems({ errors })).toEqual([
        'try.bad-errors pay: "pay" lists the codes it catches as texts, one or more',
      ]);
    }
  });

  test('its retry is a policy', () => {
    expect(problems({ retry: { maxAttempts: 0 } })).toEqual([
      'try.bad-retry pay: the retry of "pay": ' +
        '"maxAttempts" counts executions in all: a whole number, 1 or more',
    ]);
  });

  test('it says what comes of a fault', () => {
    const only = draw(['pay -> end', 'Charge'], {
      pay: { kind: 'try', settings: { body: 'Charge', done: 'pay->end' } },
      Charge: { kind: 'step', in: 'pay' },
      end,
    });
    expect(problemsOf(only)).toEqual([
      'try.does-nothing pay: "pay" says what comes of a fault: a way for it, a retry, or both',
    ]);
  });

  test('it has no way that it never takes', () => {
    const drawing = draw(['pay -> end', 'pay -> other -> end', 'Charge'], {
      pay: {
        kind: 'try',
        settings: {
          body: 'Charge',
          done: 'pay->end',
          retry: { maxAttempts: 2, delayMs: 0, backoff: 'fixed', maxDelayMs: 0, jitter: 0 },
        },
      },
      Charge: { kind: 'step', in: 'pay' },
      end,
    });
    expect(problemsOf(drawing)).toEqual([
      'try.stray-edge pay: "pay" never takes its edge "pay->other"',
    ]);
  });

  test('all of it is said at once', () => {
    expect(problems({ body: 7, done: 1, caught: 2, errors: 3, retry: 4 })).toHaveLength(5);
  });
});
