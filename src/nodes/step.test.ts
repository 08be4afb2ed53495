import { describe, expect, test } from 'vitest';
import { DURATION_MS_MAX } from '../base/duration.ts';
import type { JsonObject } from '../base/json.ts';
import type { NodeId, TokenId } from '../model/ids.ts';
import { problemsOf } from '../testing/problems.ts';
import { draw, machineOf, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const two = draw(['Reserve -> Charge']);

test('a step is offered to a worker, and its result is kept under its name', () => {
  const story = new Story(two);

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at Reserve ready
    ! offer token 2 to test@1/Reserve
  `);
  expect(story.done(2, { id: 7 }, [{ name: 'tries', value: 1, in: 'scope' }])).toBe(text`
    claim  token 2 by w1
    write  scope 1 results {"Reserve":{"id":7}}
    write  scope 1 vars {"tries":1}
    birth  token 3 at Charge ready
    end    token 2 done
    ! offer token 3 to test@1/Charge
  `);
});

test('a token born at a step is ready at once and names the handler it waits for', () => {
  const story = new Story(two);
  story.start();
  expect(story.instance.tokens.get(2 as TokenId)).toMatchObject({
    status: 'ready',
    handler: 'test@1/Reserve',
    attempts: 0,
    maxAttempts: 1,
  });
});

test('the result of a handler is committed exactly once: a second one leaves no trace', () => {
  const story = new Story(two);
  story.start();
  story.done(2, 'first');
  expect(story.done(2, 'second')).toBe('\n\n');
  expect(JSON.stringify(story.history)).not.toContain('second');
});

test('a handler whose worker died runs again: at least once', () => {
  const story = new Story(two);
  story.start();
  story.expire(2);
  expect(story.instance.tokens.get(2 as TokenId)).toMatchObject({ status: 'ready', attempts: 1 });
  expect(story.done(2, 'second run')).toContain('birth  token 3 at Charge ready');
});

test('a variable set for the instance is written at the root, wherever the step lies', () => {
  const story = new Story(
    draw(['box -> A', 'In'], {
      box: { kind: 'scope', settings: { body: 'In' } },
      In: { kind: 'step', in: 'box' },
    }),
  );
  story.start();
  const sets = [
    { name: 'near', value: 1, in: 'scope' },
    { name: 'far', value: 2, in: 'instance' },
  ] as const;
  const told = story.done(4, null, sets);
  expect(told).toContain('write  scope 3 vars {"near":1}');
  expect(told).toContain('write  scope 1 vars {"far":2}');
});

test('B-23: a handler that fails is a fact with token, node and reason, never an exception', () => {
  const story = new Story(two);
  story.start();
  expect(story.fail(2, 'card.refused')).toBe(text`
    claim  token 2 by w1
    end    token 2 failed card.refused
    close  scope 1
    finish failed card.refused
    ! ended
  `);
  expect(story.head.fault).toEqual({
    code: 'card.refused',
    message: 'card.refused',
    node: 'Reserve',
  });
});

describe('the priority of a step', () => {
  const urgent = draw(['A -> B'], { A: { kind: 'step', settings: { priority: 9 } } });

  test('is the one the node states', () => {
    const story = new Story(urgent);
    story.start();
    expect(story.instance.tokens.get(2 as TokenId)?.priority).toBe(9);
  });

  test('is otherwise that of the instance', () => {
    const story = new Story(urgent);
    const birth = { id: story.head.id, flow: 'test', flowVersion: 1, input: null, priority: 4 };
    story.tell({ type: 'start', at: 0 as never, birth });
    story.done(2);
    expect(story.instance.tokens.get(3 as TokenId)?.priority).toBe(4);
  });

  test('is a whole number', () => {
    const wrong = draw(['A'], { A: { kind: 'step', settings: { priority: 'high' } } });
    expect(problemsOf(wrong)).toEqual([
      'step.bad-priority A: the priority of "A" is a whole number; came "high"',
    ]);
  });
});

test('a step whose name ends in a slash is a step all the same', () => {
  const story = new Story(
    draw(['f -> A', 'f -> b/'], { f: { kind: 'fork' }, 'b/': { kind: 'step' } }),
  );
  story.start();
  expect(story.done(4)).not.toContain('enter');
  expect(story.done(5)).toContain('finish completed');
});

const policy = { maxAttempts: 2, delayMs: 100, backoff: 'fixed', maxDelayMs: 60_000, jitter: 0 };

test('if it fails, the same token is run again as its retry policy says', () => {
  const story = new Story(draw(['A -> B'], { A: { kind: 'step', settings: { retry: policy } } }));
  story.start();

  expect(story.fail(2, 'bank.closed')).toBe(text`
    claim  token 2 by w1
    retry  token 2 bank.closed until 100
    ! alarm 100
  `);
  expect(story.done(2)).toContain('birth  token 3 at B ready');
});

describe('a step that can be undone', () => {
  const undoable = (settings: JsonObject = { undo: {} }): Story => {
    const story = new Story(draw(['Reserve -> Charge'], { Reserve: { kind: 'step', settings } }));
    story.start();
    return story;
  };

  test('B-62: has that recorded with its result, in the commit that completes it', () => {
    expect(undoable().done(2, { id: 7 })).toBe(text`
      claim  token 2 by w1
      write  scope 1 results {"Reserve":{"id":7}}
      record undo 3 of Reserve {"id":7} in scope 1
      birth  token 4 at Charge ready
      end    token 2 done
      ! offer token 4 to test@1/Charge
    `);
  });

  test('B-62: has it recorded by the execution that succeeds, and by none that fails', () => {
    const story = undoable({ undo: {}, retry: policy });
    expect(story.fail(2)).not.toContain('undo');
    story.done(2, 'second');
    expect(story.instance.undos.values()).toMatchObject([
      { node: 'Reserve', token: 2, visit: 1, result: 'second', status: 'pending', inDoubt: false },
    ]);
  });

  test('B-65: is undone by a token of its own, when something after it fails for good', () => {
    const story = undoable();
    story.done(2, { id: 7 });
    expect(story.fail(4, 'card.refused')).toBe(text`
      claim  token 4 by w1
      end    token 4 failed card.refused
      start  saga of scope 1 card.refused
      birth  token 5 at Reserve ready undoing 3
      ! offer token 5 to test@1/Reserve/:undo
    `);
    expect(story.instance.tokens.get(5 as TokenId)).toMatchObject({ mode: 'compensation' });
    expect(story.done(5)).toBe(text`
      claim  token 5 by w1
      settle undo 3 completed
      end    token 5 done
      end    saga of scope 1
      finish failed card.refused compensated
      ! ended
    `);
  });

  test('B-72: has nothing to undo if it failed itself', () => {
    const story = undoable();
    expect(story.fail(2)).toContain('finish failed boom\n');
    expect(story.head.outcome).toBe(null);
  });

  test('that was given up on is in doubt, and undone as that', () => {
    const story = undoable();
    expect(story.giveUp(2)).toContain('record undo 3 of Reserve in doubt in scope 1');
    expect(story.instance.tokens.values()).toMatchObject([{ mode: 'compensation', id: 4 }]);
  });

  /** The pauses between the executions of an undo that always fails. */
  const pausesOf = (settings: JsonObject): number[] => {
    const story = undoable(settings);
    story.done(2);
    story.fail(4);
    const pauses: number[] = [];
    for (let n = 0; n < 20 && story.head.status === 'compensating'; n += 1) {
      story.fail(5, 'no.undo');
      const { availableAt = story.now } = story.instance.tokens.get(5 as TokenId) ?? {};
      if (story.head.status === 'compensating') pauses.push(availableAt - story.now);
      story.now = availableAt;
    }
    expect(story.instance.undos.values()).toMatchObject([{ status: 'failed' }]);
    return pauses;
  };

  test('has its undo executed five times at most, unless it says otherwise', () => {
    expect(pausesOf({ undo: {} })).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  test('has a policy for its undo apart from its own', () => {
    expect(pausesOf({ undo: { retry: { ...policy, maxAttempts: 3 } } })).toEqual([100, 100]);
    expect(pausesOf({ undo: { retry: { ...policy, maxAttempts: 1 } }, retry: policy })).toEqual([]);
  });

  test('B-67: that cannot be undone is shown; the fault of the instance stays what it was', () => {
    const story = undoable({ undo: { retry: { ...policy, maxAttempts: 1 } } });
    story.done(2);
    story.fail(4, 'card.refused');
    story.fail(5, 'no.undo');
    expect(story.head.fault?.code).toBe('card.refused');
    expect(story.instance.undos.values()).toMatchObject([{ fault: { code: 'no.undo' } }]);
  });
});

describe('a step that asks for repair', () => {
  const parked = (settings: JsonObject = {}): Story => {
    const mends = { kind: 'step', settings: { onFailure: 'incident', ...settings } };
    const story = new Story(draw(['A -> B'], { A: mends }));
    story.start();
    return story;
  };

  test('waits where it failed, and says what can be done', () => {
    const story = parked();
    expect(story.fail(2, 'bank.closed')).toBe(text`
      claim  token 2 by w1
      park   token 2 for someone to retry or skip or cancel it bank.closed
    `);
    expect(story.head.status).toBe('running');
  });

  test('is run once more when someone says so, with all its executions', () => {
    const story = parked({ retry: policy });
    story.fail(2);
    story.fail(2);
    expect(story.instance.tokens.get(2 as TokenId)).toMatchObject({ attempts: 2 });
    expect(story.retry(2)).toContain('! offer token 2 to test@1/A');
    expect(story.instance.tokens.get(2 as TokenId)).toMatchObject({
      status: 'ready',
      maxAttempts: 4,
      wake: { reason: 'retry' },
    });
    expect(story.fail(2)).toContain('retry  token 2');
    expect(story.fail(2)).toContain('park   token 2');
  });

  test('has all its time then, too: the deadline of a step that was mended begins anew', () => {
    const story = parked({ retry: policy, deadlineMs: 250 });
    story.now = 200;
    expect(story.fail(2)).toContain('park   token 2');
    story.now = 86_400_000;
    story.retry(2);
    expect(story.fail(2)).toContain('retry  token 2');
  });

  test('goes on with the result that someone gives it', () => {
    const story = parked();
    story.fail(2);
    expect(story.skip(2, 'by hand')).toContain('write  scope 1 results {"A":"by hand"}');
  });

  test('does not ask for it where a try catches what failed', () => {
    const story = new Story(
      draw(['t -> x', 't -> Mend -> x'], {
        t: { kind: 'try', settings: { body: 'A', done: 't->x', caught: 't->Mend' } },
        A: { kind: 'step', settings: { onFailure: 'incident' }, in: 't' },
      }),
    );
    story.start();
    expect(story.fail(4)).toContain('at Mend ready');
  });
});

describe('what a step offers to workers', () => {
  const offered = (settings: JsonObject): unknown => {
    const { plan } = machineOf(draw(['A'], { A: { kind: 'step', settings } }));
    return plan.nodes.get('A' as NodeId)?.config;
  };

  test('is nothing it did not say', () => {
    expect(offered({})).toEqual({});
  });

  test('is how often and how long it may be executed, and how it is undone', () => {
    const settings = {
      retry: policy,
      timeoutMs: 30_000,
      deadlineMs: 60_000,
      undo: { retry: { ...policy, maxAttempts: 7 }, timeoutMs: 1_000 },
      onFailure: 'incident',
    };
    expect(offered(settings)).toEqual({
      retry: policy,
      maxAttempts: 2,
      timeoutMs: 30_000,
      deadlineMs: 60_000,
      undoAttempts: 7,
      undoRetry: { ...policy, maxAttempts: 7 },
      undoTimeoutMs: 1_000,
      mends: true,
    });
    expect(offered({ undo: {} })).toEqual({ undoAttempts: 5 });
  });
});

describe('what is wrong with a step', () => {
  const problems = (settings: JsonObject): string[] =>
    problemsOf(draw(['A'], { A: { kind: 'step', settings } }));

  test('its retry, and that of its undo, is a policy', () => {
    const rule = 'step.bad-retry A: the retry of "A": a retry policy is an object';
    expect(problems({ retry: 3 })).toEqual([rule]);
    expect(problems({ undo: { retry: 3 } })).toEqual([rule]);
  });

  test('its times are numbers of ms, more than 0', () => {
    for (const name of ['timeoutMs', 'deadlineMs']) {
      for (const ms of [0, -1, '30s', null, DURATION_MS_MAX + 1]) {
        expect(problems({ [name]: ms })).toEqual([
          `step.bad-time A: "${name}" of "A" is a number of ms, more than 0`,
        ]);
      }
      expect(problems({ [name]: DURATION_MS_MAX })).toEqual([]);
    }
    expect(problems({ undo: { timeoutMs: 0 } })).toHaveLength(1);
  });

  test('its undo is an object', () => {
    for (const undo of [null, true, 'release', []]) {
      expect(problems({ undo })).toEqual([
        'step.bad-undo A: "undo" of "A" is an object with what undoing it takes',
      ]);
    }
  });

  test('all of it is said at once', () => {
    const wrong = { priority: 1.5, retry: 1, timeoutMs: 0, deadlineMs: 0, undo: 1 };
    expect(problems(wrong)).toHaveLength(5);
  });
});
