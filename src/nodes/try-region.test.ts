/** What becomes of the region of a try: how it ends, and how it is run again. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { assemble, latchesOf, rowsOf } from '../kernel/instance.ts';
import type { Code, NodeCode } from '../model/definition.ts';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { answerAt, begun, birthsAt, failAt, play, tokensAt } from '../testing/play.ts';
import { type Drawing, draw, type Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const end = { kind: 'end', settings: { output: 'results' } };
const here = { done: 'pay->end', caught: 'pay->Mend' };
const inPay = { kind: 'step', in: 'pay' };

const busy = draw(
  [
    'pay -> end',
    'pay -> Mend -> end',
    'f -> A -> j',
    'f -> B -> j',
    'f -> nap -> j',
    'f -> mail -> j',
    'f -> any -> j',
    'f -> again -> j',
    'f -> other -> j',
  ],
  {
    pay: { kind: 'try', settings: { body: 'f', ...here } },
    f: { kind: 'fork', in: 'pay' },
    j: { kind: 'join', in: 'pay' },
    A: inPay,
    B: inPay,
    nap: { kind: 'sleep', settings: { ms: 50 }, in: 'pay' },
    mail: { kind: 'wait', settings: { event: 'mail' }, in: 'pay' },
    any: {
      kind: 'first',
      settings: {
        arms: [
          { arm: 'm', event: 'mail' },
          { arm: 't', afterMs: 60 },
        ],
      },
      in: 'pay',
    },
    again: { kind: 'repeat', settings: { body: 'Deep', check: 'times', times: 2 }, in: 'pay' },
    Deep: { kind: 'step', in: 'again' },
    other: { kind: 'call', settings: { flow: 'other' }, in: 'pay' },
    end,
  },
);

test('everything in the region ends: branches, timers, waits, scopes, calls and latches', () => {
  const story = begun(busy, { key: 'k' });
  answerAt(story, ['A']);
  const inside = story.instance.tokens.keys();
  expect(story.instance.scopes.size).toBe(3);
  expect(latchesOf(story.instance)).toHaveLength(1);

  const told = failAt(story, 'B');
  expect(told.match(/cancelled/g)).toHaveLength(7);
  expect(told).toContain('post   cancel of ');
  expect(story.instance.tokens.values().map(({ node }) => node)).toEqual(['Mend']);
  expect(story.instance.scopes.keys()).toEqual([1]);
  expect([story.instance.gatherings.size, story.instance.members.size]).toEqual([0, 0]);
  story.now = 1_000;
  for (const token of inside) {
    expect(story.time(token) + story.done(token)).toBe('\n\n\n\n');
    expect(story.message(token, 'mail', 'k')).toBe('\n\n');
  }
});

test('O-90: a fault in a repeat in a try ends the repeat and is caught', () => {
  const story = begun(busy, { key: 'k' });
  answerAt(story, ['Deep']);
  failAt(story, 'Deep');
  answerAt(story, ['Mend']);
  expect(story.head.output).toEqual({
    pay: { code: 'boom', message: 'boom', node: 'Deep' },
    Mend: 'Mend',
  });
});

const policy = { maxAttempts: 3, delayMs: 100, backoff: 'fixed', maxDelayMs: 60_000, jitter: 0 };

/** A try that runs two steps in a row again if one of them fails, three times in all. */
function trying(settings: JsonObject = {}, code: NodeCode = {}): Drawing {
  return draw(['pay -> end', 'pay -> Mend -> end', 'Charge -> Book'], {
    pay: { kind: 'try', settings: { body: 'Charge', ...here, retry: policy, ...settings }, code },
    Charge: inPay,
    Book: inPay,
    end,
  });
}

/** The same without a way for what was caught. */
function insisting(retry: JsonObject = policy): Drawing {
  return draw(['pay -> end', 'Charge'], {
    pay: { kind: 'try', settings: { body: 'Charge', done: 'pay->end', retry } },
    Charge: inPay,
    end,
  });
}

const tokenAt = (story: Story, node: string): Token | undefined =>
  story.instance.tokens.get(tokensAt(story, node)[0] as TokenId);

/** The step at this node fails whenever it is run; how often that was. */
function failAlways(story: Story, node: string): number {
  for (let n = 0; n < 100 && tokensAt(story, node).length > 0; n += 1) {
    failAt(story, node);
    const resting = story.instance.tokens.values().filter(({ wait }) => wait?.on === 'time');
    for (const { id } of resting) story.time(id);
  }
  return birthsAt(story, node);
}

describe('the region is run again', () => {
  test('S-49: from its beginning and with nothing kept, after the pause the policy says', () => {
    const story = begun(trying());
    story.done(4, 'charged');

    expect(story.fail(5)).toBe(text`
      claim  token 5 by w1
      end    token 5 failed boom
      return scope 3
      park   token 2 for time until 100 boom
      ! alarm 100
    `);
    expect(story.time(2)).toBe(text`
      wake   token 2 timeout and enter
      open   scope 6 of token 2
      birth  token 7 at Charge ready
      ! offer token 7 to test@1/Charge
    `);
  });

  test('and what the first run left is out of sight in the second', () => {
    const seen: unknown[] = [];
    const story = begun(
      draw(['pay -> end', 'look -> Charge -> Book'], {
        pay: { kind: 'try', settings: { body: 'look', done: 'pay->end', retry: policy } },
        look: {
          kind: 'set',
          code: { value: (view) => seen.push([view.results, view.vars]) },
          in: 'pay',
        },
        Charge: inPay,
        Book: inPay,
        end,
      }),
    );
    story.done(5, 'charged', [{ name: 'tries', value: 1, in: 'scope' }]);
    failAt(story, 'Book');
    story.time(2);
    expect(seen).toEqual([
      [{}, {}],
      [{}, {}],
    ]);
    story.done(Number(tokensAt(story, 'Charge')[0]), 'again');
    story.done(Number(tokensAt(story, 'Book')[0]), 'booked');
    expect(story.head.output).toEqual({ look: 2, Charge: 'again', Book: 'booked' });
  });

  test('when everything in it has ended: branches, timers, waits and latches', () => {
    const { draft, code = {} } = busy;
    const nodes = draft.nodes.map((node) =>
      node.id === 'pay' ? { ...node, settings: { ...node.settings, retry: policy } } : node,
    );
    const story = begun({ draft: { ...draft, nodes }, code }, { key: 'k' });
    answerAt(story, ['A']);
    const inside = story.instance.tokens.keys().filter((id) => id !== 2);
    failAt(story, 'B');
    expect(story.instance.tokens.keys()).toEqual([2]);
    expect(story.instance.scopes.keys()).toEqual([1]);
    expect([story.instance.gatherings.size, story.instance.members.size]).toEqual([0, 0]);
    for (const token of inside) {
      expect(story.done(token) + story.message(token, 'mail', 'k')).toBe('\n\n\n\n');
    }
    story.time(2);
    for (const token of inside) expect(story.time(token)).toBe('\n\n');
    expect(tokensAt(story, 'nap')).toHaveLength(1);
    expect(tokenAt(story, 'nap')?.wakeAt).toBe(150);
  });

  test('and so is a region of one node, or one that fails before any handler is run', () => {
    let asked = 0;
    const story = begun(
      draw(['pay -> end'], {
        pay: { kind: 'try', settings: { body: 'it', done: 'pay->end', retry: policy } },
        it: {
          kind: 'set',
          code: { value: () => (++asked < 3 ? Reflect.get(null as never, 'x') : 'at last') },
          in: 'pay',
        },
        end,
      }),
    );
    play(story, (tokens) => tokens[0]);
    expect(story.head.output).toEqual({ it: 'at last' });
  });
});

describe('S-51 X-04: how often the region is run in all', () => {
  for (const maxAttempts of [1, 2, 3]) {
    test(`${maxAttempts}, and then the error is caught`, () => {
      const story = begun(trying({ retry: { ...policy, maxAttempts } }));
      expect(failAlways(story, 'Charge')).toBe(maxAttempts);
      expect(tokensAt(story, 'Mend')).toHaveLength(1);
      expect(story.now).toBe((maxAttempts - 1) * 100);
    });

    test(`${maxAttempts}, and then the fault goes on if there is no way for it (S-57)`, () => {
      const story = begun(insisting({ ...policy, maxAttempts }));
      expect(failAlways(story, 'Charge')).toBe(maxAttempts);
      expect(story.head.fault).toMatchObject({ code: 'boom', node: 'Charge' });
    });
  }

  test('the pauses are those of the policy, counted by failures of the region', () => {
    const story = begun(trying({ retry: { ...policy, maxAttempts: 4, backoff: 'linear' } }));
    failAlways(story, 'Charge');
    expect(story.now).toBe(100 + 200 + 300);
  });

  test('it is known after a restart in the middle', () => {
    const story = begun(insisting());
    failAt(story, 'Charge');
    story.instance = assemble(rowsOf(story.instance));
    expect(tokenAt(story, 'pay')).toMatchObject({ attempts: 1, lastError: { code: 'boom' } });
    story.time(2);
    expect(failAlways(story, 'Charge')).toBe(3);
  });

  test('every visit begins with all of them, in a loop and in a try that is run again', () => {
    const story = begun(
      draw(['outer -> end', 'pay -> x'], {
        outer: { kind: 'try', settings: { body: 'pay', done: 'outer->end', retry: policy } },
        pay: {
          kind: 'try',
          settings: { body: 'Charge', done: 'pay->x', retry: policy },
          in: 'outer',
        },
        x: { kind: 'pass', in: 'outer' },
        Charge: inPay,
        end,
      }),
    );
    expect(failAlways(story, 'Charge')).toBe(9);
  });
});

test('someone who has a try run again gives it all its runs, as with a step', () => {
  let asked = 0;
  const when: Code = () => (++asked === 1 ? 'perhaps' : true);
  const retry = { ...policy, maxAttempts: 2, asks: true };
  const { draft, code = {} } = trying({ retry }, { 'retry.when': when });
  const story = begun({ draft: { ...draft, onFailure: 'incident' }, code });
  expect(failAt(story, 'Charge')).toContain('for someone to retry or skip or cancel it');
  story.retry(2);
  expect(failAt(story, 'Charge')).toContain('park   token 2 for time until 100 boom');
});

describe('what is run again', () => {
  test('is not what trying again would not help: it is caught at once (Fatal)', () => {
    const story = begun(trying());
    expect(story.fatal(4, 'card.stolen')).toContain('at Mend ready');
    const error = { code: 'card.stolen', message: 'card.stolen', node: 'Charge', fatal: true };
    expect(story.instance.scopes.get(1 as never)?.results.object).toEqual({ pay: error });
  });

  test('is not what passes a try that only tries again: Fatal goes on outwards', () => {
    const story = begun(insisting());
    story.fatal(4, 'card.stolen');
    expect(story.head.fault).toMatchObject({ code: 'card.stolen', fatal: true });
  });

  test('is only what the try catches', () => {
    const story = begun(trying({ errors: ['bank.closed'] }));
    failAt(story, 'Charge', 'bank.closed');
    expect(tokenAt(story, 'pay')?.wait).toEqual({ on: 'time' });
    story.time(2);
    failAt(story, 'Charge', 'card.refused');
    expect(story.head.fault?.code).toBe('card.refused');
  });

  test('comes after the retries of the step itself (X-19, D12)', () => {
    const { draft } = trying();
    const nodes = draft.nodes.map((node) =>
      node.id === 'Charge' ? { ...node, settings: { retry: { ...policy, maxAttempts: 2 } } } : node,
    );
    const story = begun({ draft: { ...draft, nodes } });
    expect(failAt(story, 'Charge')).toContain('retry  token 4 boom until 100');
    expect(failAt(story, 'Charge')).toContain('park   token 2 for time');
  });
});

describe('S-55: a closure may have a say in whether the region is run again', () => {
  const asking = { retry: { ...policy, asks: true } };

  test('no means that the error is caught now, or goes on', () => {
    const seen: unknown[] = [];
    const code: NodeCode = { 'retry.when': ({ error }) => seen.push(error?.code) < 2 };
    const story = begun(trying(asking, code));
    failAt(story, 'Charge', 'first');
    expect(tokenAt(story, 'pay')?.wait).toEqual({ on: 'time' });
    story.time(2);
    expect(failAt(story, 'Charge', 'second')).toContain('at Mend ready');
    expect(seen).toEqual(['first', 'second']);
  });

  test('it is not asked when there is nothing to decide', () => {
    const code: NodeCode = { 'retry.when': () => Reflect.get(null as never, 'x') };
    const story = begun(trying({ retry: { ...policy, asks: true, maxAttempts: 1 } }, code));
    expect(failAt(story, 'Charge')).toContain('at Mend ready');
    expect(begun(trying(asking, code)).fatal(4)).toContain('at Mend ready');
  });

  test('one that throws, or answers neither yes nor no, is a fault of the try itself', () => {
    const thrown = begun(trying(asking, { 'retry.when': () => Reflect.get(null as never, 'x') }));
    failAt(thrown, 'Charge');
    expect(thrown.head.fault).toMatchObject({ code: 'code.threw', node: 'pay' });

    const odd = begun(trying(asking, { 'retry.when': () => 1 }));
    failAt(odd, 'Charge');
    expect(odd.head.fault).toEqual({
      code: 'try.not-boolean',
      message: '"retry.when" of "pay" answers true or false; came 1',
      node: 'pay',
    });
  });
});

describe('between two runs of the region', () => {
  test('the try waits for nothing but its time: what comes early or twice leaves no trace', () => {
    const story = begun(trying());
    failAt(story, 'Charge');
    expect(story.tell({ type: 'time', at: 99 as never, token: 2 as TokenId })).toBe('\n\n');
    story.time(2);
    expect(story.time(2)).toBe('\n\n');
    expect(tokensAt(story, 'Charge')).toHaveLength(1);
  });

  test('a fault beside it ends it, and its time finds nobody', () => {
    const story = begun(
      draw(['g -> pay', 'g -> Other', 'pay -> end', 'Charge'], {
        g: { kind: 'fork' },
        pay: { kind: 'try', settings: { body: 'Charge', done: 'pay->end', retry: policy } },
        Charge: inPay,
        end,
      }),
    );
    failAt(story, 'Charge');
    const [pay = 0] = tokensAt(story, 'pay');
    failAt(story, 'Other', 'over');
    expect(story.head.fault?.code).toBe('over');
    expect(story.time(pay)).toBe('\n\n');
  });

  test('a message for the region is not lost on it: the next run waits anew', () => {
    const story = begun(
      draw(['pay -> end', 'mail -> Charge'], {
        pay: { kind: 'try', settings: { body: 'mail', done: 'pay->end', retry: policy } },
        mail: { kind: 'wait', settings: { event: 'mail' }, in: 'pay' },
        Charge: inPay,
        end,
      }),
      { key: 'k' },
    );
    story.message(4, 'mail', 'k', 'one');
    failAt(story, 'Charge');
    story.time(2);
    const [mail = 0] = tokensAt(story, 'mail');
    story.message(mail, 'mail', 'k', 'two');
    answerAt(story, ['Charge']);
    expect(story.head.output).toEqual({ mail: 'two', Charge: 'Charge' });
  });
});
