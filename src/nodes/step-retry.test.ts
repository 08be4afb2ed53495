/** How often a step is executed, and when (D11). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { birthsAt } from '../testing/play.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const policy = { maxAttempts: 3, delayMs: 100, backoff: 'fixed', maxDelayMs: 60_000, jitter: 0 };

function charging(settings: JsonObject = { retry: policy }): Drawing {
  return draw(['Charge -> end'], {
    Charge: { kind: 'step', settings },
    end: { kind: 'end', settings: { output: 'results' } },
  });
}

function begun(settings?: JsonObject): Story {
  const story = new Story(charging(settings));
  story.start();
  return story;
}

/** The one token of the step; undefined once it has ended. */
const token = (story: Story): Token | undefined => story.instance.tokens.get(2 as TokenId);

test('B-44 X-18: the same token is run again; until then it is ready, and not available', () => {
  const story = begun();

  expect(story.fail(2, 'bank.closed')).toBe(text`
    claim  token 2 by w1
    retry  token 2 bank.closed until 100
    ! alarm 100
  `);
  expect(token(story)).toMatchObject({
    status: 'ready',
    handler: 'test@1/Charge',
    availableAt: 100,
    attempts: 1,
    crashes: 0,
    maxAttempts: 3,
    wait: null,
    wakeAt: null,
    wake: { reason: 'retry', payload: null },
    lastError: { code: 'bank.closed', message: 'bank.closed', node: 'Charge' },
  });
});

test('B-47: a handler that fails twice and then succeeds: one token, delays kept, done', () => {
  const story = begun({ retry: { ...policy, backoff: 'exponential' } });
  const seen: unknown[] = [];
  for (const wait of [100, 200]) {
    story.fail(2);
    expect(token(story)?.availableAt).toBe(story.now + wait);
    story.now += wait;
    seen.push(token(story)?.wake?.reason, token(story)?.id);
  }
  story.done(2, 'charged');
  expect(seen).toEqual(['retry', 2, 'retry', 2]);
  expect(birthsAt(story, 'Charge')).toBe(1);
  expect(story.head).toMatchObject({ status: 'completed', output: { Charge: 'charged' } });
});

test('one that is available at once is offered at once', () => {
  expect(begun({ retry: { ...policy, delayMs: 0 } }).fail(2)).toBe(text`
    claim  token 2 by w1
    retry  token 2 boom until 0
    ! offer token 2 to test@1/Charge
  `);
});

/**
 * What happens to one token, in order: F its handler fails, X its lease runs out. With so many
 * executions in all, whether the last of these is the end of it.
 */
const TABLE: readonly (readonly [number, string, 'goes on' | 'fails'])[] = [
  [1, 'F', 'fails'],
  [1, 'X', 'goes on'],
  [1, 'XF', 'fails'],
  [1, 'XXX', 'goes on'],
  [1, 'XXXF', 'fails'],
  [2, 'F', 'goes on'],
  [2, 'FF', 'fails'],
  [2, 'X', 'goes on'],
  [2, 'XF', 'fails'],
  [2, 'FX', 'goes on'],
  [2, 'FXX', 'goes on'],
  [2, 'FXF', 'fails'],
  [2, 'XX', 'goes on'],
  [2, 'XXF', 'fails'],
  [3, 'F', 'goes on'],
  [3, 'FF', 'goes on'],
  [3, 'FFF', 'fails'],
  [3, 'XF', 'goes on'],
  [3, 'XFF', 'fails'],
  [3, 'FXF', 'fails'],
  [3, 'FFX', 'goes on'],
  [3, 'XXF', 'fails'],
  [3, 'XXX', 'goes on'],
  [3, 'XXXXF', 'fails'],
];

describe('X-04 X-05: maxAttempts counts executions; a lease that ran out is one of them', () => {
  for (const [maxAttempts, events, becomes] of TABLE) {
    test(`${maxAttempts}: after ${events} it ${becomes}`, () => {
      const story = begun({ retry: { ...policy, maxAttempts } });
      events.split('').forEach((event, index) => {
        expect(token(story), `before ${event} ${index + 1}`).toMatchObject({
          id: 2,
          status: 'ready',
          attempts: index,
        });
        if (event === 'F') story.fail(2);
        else story.expire(2);
        story.now = Math.max(story.now, token(story)?.availableAt ?? 0);
      });
      expect(story.head.status).toBe(becomes === 'fails' ? 'failed' : 'running');
      if (becomes === 'fails') return;
      expect(token(story)?.crashes).toBe(events.replaceAll('F', '').length);
      story.done(2);
      expect(story.head.status).toBe('completed');
    });
  }

  test('whatever comes before: attempts + 1 >= maxAttempts at a failure is final', () => {
    for (const maxAttempts of [1, 2, 3, 4]) {
      for (let bits = 0; bits < 2 ** 4; bits += 1) {
        const story = begun({ retry: { ...policy, maxAttempts } });
        let executions = 0;
        for (; executions < 4 && token(story) !== undefined; executions += 1) {
          if ((bits & (1 << executions)) === 0) story.expire(2);
          else story.fail(2);
        }
        const isLast = executions >= maxAttempts && (bits & (1 << (executions - 1))) !== 0;
        expect(story.head.status, `${maxAttempts} ${bits}`).toBe(isLast ? 'failed' : 'running');
      }
    }
  });

  test('a step without a policy is executed once', () => {
    const story = begun({});
    expect(token(story)?.maxAttempts).toBe(1);
    story.fail(2);
    expect(story.head.status).toBe('failed');
  });

  test('leases that run out have a limit of their own, and past it no policy helps', () => {
    const story = new Story(charging({ retry: { ...policy, maxAttempts: 100 } }), {
      limits: { CRASHES_MAX: 2 },
    });
    story.start();
    for (let n = 0; n < 2; n += 1) story.expire(2);
    expect(token(story)).toMatchObject({ status: 'ready', attempts: 2, crashes: 2 });
    story.expire(2);
    expect(story.head.fault).toMatchObject({ code: 'LEASE_EXPIRED', node: 'Charge' });
  });
});

describe('D10: why a step is run again is known to it', () => {
  test('after a failure and then a lease that ran out it is a retry still', () => {
    const story = begun();
    story.fail(2);
    story.expire(2);
    expect(token(story)?.wake?.reason).toBe('retry');
  });

  test('after a lease that ran out and then a failure it is a retry', () => {
    const story = begun();
    story.expire(2);
    expect(token(story)?.wake?.reason).toBe('lease-recovery');
    story.fail(2);
    expect(token(story)?.wake?.reason).toBe('retry');
  });

  test('a lease that runs out makes it available at once, whatever its last pause was', () => {
    const story = begun({ retry: { ...policy, delayMs: 5_000 } });
    story.fail(2);
    story.now = 6_000;
    story.expire(2);
    expect(token(story)?.availableAt).toBe(6_000);
  });
});

describe('what is not run again', () => {
  test('what trying again would not help (Fatal)', () => {
    const story = begun();
    story.fatal(2, 'card.stolen');
    expect(story.head.fault).toMatchObject({ code: 'card.stolen', fatal: true });
  });

  test('what its own policy sees no use in', () => {
    const story = begun();
    const fault = { code: 'card.refused', message: 'no' };
    const at = 0 as never;
    story.tell({
      type: 'result',
      at,
      token: 2 as TokenId,
      claim: { worker: 'w1', version: 1, at },
      outcome: { outcome: 'failed', fault, final: true },
    });
    expect(story.head.fault?.code).toBe('card.refused');
  });

  test('what would begin at its deadline or after it', () => {
    const failsOnce = (deadlineMs: number): string => {
      const story = begun({ retry: policy, deadlineMs });
      story.fail(2);
      return story.head.status;
    };
    expect([failsOnce(99), failsOnce(100), failsOnce(101)]).toEqual([
      'failed',
      'failed',
      'running',
    ]);
  });

  test('the deadline is counted from the birth of the token, not from the last failure', () => {
    const story = begun({ retry: { ...policy, maxAttempts: 9 }, deadlineMs: 250 });
    for (const at of [0, 100]) {
      story.now = at;
      story.fail(2);
    }
    expect(story.head.status).toBe('running');
    story.now = 200;
    story.fail(2);
    expect(story.head.status).toBe('failed');
  });

  test('was given up on after a pause, as if the deadline had run meanwhile', () => {
    const story = begun({ retry: { ...policy, maxAttempts: 9 }, deadlineMs: 250 });
    story.fail(2);
    for (const [type, now] of [
      ['suspend', 50],
      ['resume', 10_050],
    ] as const) {
      story.now = now;
      story.tell({ type, at: now as never });
    }
    story.fail(2);
    expect(story.head.status).toBe('running');
    story.now = 10_150;
    story.fail(2);
    expect(story.head.status).toBe('failed');
  });
});

test('an execution that was given up on is run again as any other that failed', () => {
  const story = begun({ retry: policy, timeoutMs: 50 });
  expect(story.giveUp(2)).toContain('retry  token 2 step.timeout until 100');
});

test('an execution that failed leaves nothing behind: the next begins as the first did', () => {
  const story = begun();
  story.fail(2);
  expect(story.instance.scopes.get(1 as never)?.vars.object).toEqual({});
  expect(token(story)).toMatchObject({ visit: 1, id: 2 });
});

test('a failure that comes after the result leaves no trace', () => {
  const story = begun();
  story.done(2);
  expect(story.fail(2)).toBe('\n\n');
});

test('X-19: nothing around the step hears of a failure that is not final', () => {
  const story = new Story(
    draw(['t -> x', 't -> Mend -> x'], {
      t: { kind: 'try', settings: { body: 'Charge', done: 't->x', caught: 't->Mend' } },
      Charge: { kind: 'step', settings: { retry: { ...policy, maxAttempts: 2 } }, in: 't' },
    }),
  );
  story.start();
  expect(story.fail(4)).toContain('retry  token 4 boom');
  expect(story.fail(4)).toContain('at Mend ready');
});

test('the pauses of a run are the same on every machine', () => {
  const pause = (id: string): number => {
    const story = new Story(charging({ retry: { ...policy, jitter: 1 } }));
    const birth = { id: id as InstanceId, flow: 'test', flowVersion: 1, input: null };
    story.tell({ type: 'start', at: 0 as never, birth });
    story.fail(2);
    return token(story)?.availableAt ?? Number.NaN;
  };
  expect(pause('i1')).toBe(pause('i1'));
  expect(pause('i1')).not.toBe(pause('i2'));
});
