import { describe, expect, test } from 'vitest';
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { play, tokensAt } from '../testing/play.ts';
import { draw, machineOf, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';
import { advance } from './advance.ts';
import { apply, seal } from './apply.ts';
import { assemble, rowsOf, scratchOf } from './instance.ts';

const AT = 5_000 as Instant;

/** A step, a sleep, a wait and a scope side by side: one token for every kind of answer. */
const mixed = draw(['f -> A -> j -> end', 'f -> nap -> j', 'f -> msg -> j', 'f -> box -> j'], {
  f: { kind: 'fork' },
  j: { kind: 'join' },
  nap: { kind: 'sleep', settings: { ms: 1_000 } },
  msg: { kind: 'wait', settings: { event: 'go', timeoutMs: 9_000 } },
  box: { kind: 'scope', settings: { body: 'In', promote: true } },
  In: { kind: 'step', in: 'box' },
  end: { kind: 'end', settings: { output: 'results' } },
});

function begun(): Story {
  const story = new Story(mixed, { key: 'k' });
  story.start();
  return story;
}

function claimed(type: 'continue' | 'expire', token: number): Input {
  const claim = { worker: 'w1', version: 1, at: AT };
  return { type, at: AT, token: token as TokenId, claim };
}

function result(token: number): Input {
  const claim = { worker: 'w1', version: 1, at: AT };
  const outcome = { outcome: 'done', value: 1 } as const;
  return { type: 'result', at: AT, token: token as TokenId, claim, outcome };
}

function message(token: number, type = 'go', key = 'k'): Input {
  const note = { id: 'm1', type, key, data: null };
  return { type: 'message', at: AT, token: token as TokenId, message: note };
}

function time(token: number, at: number = AT): Input {
  return { type: 'time', at: at as Instant, token: token as TokenId };
}

function expectNoTrace(story: Story, input: Input): void {
  const stride = advance(story.machine, story.instance, input);
  expect(stride.after).toBe(story.instance);
  expect(stride).toMatchObject({ changes: [], hints: [] });
}

describe('an answer that does not fit leaves no trace', () => {
  const [step, nap, wait, opener] = [4, 5, 6, 7];
  const wrong: Readonly<Record<string, Input>> = {
    'a result for a token that never was': result(999),
    'a result for one that sleeps (B-09)': result(nap),
    'a result for one that waits for a message (B-09)': result(wait),
    'a result for one that waits for its scope (B-09)': result(opener),
    'a claim to go on with a step that needs a handler': claimed('continue', step),
    'a claim to go on with one that sleeps (B-09)': claimed('continue', nap),
    'a lease that ran out for one that nobody can have claimed': claimed('expire', nap),
    'time for a step': time(step),
    'time that is not there yet': time(nap, 999),
    'time for one that waits for its scope': time(opener),
    'the timeout of a wait that is not there yet': time(wait, 8_999),
    'a message for one that sleeps': message(nap),
    'a message for a step': message(step),
    'a message of another type': message(wait, 'stop'),
    'a message with another key': message(wait, 'go', 'other'),
  };
  for (const [name, input] of Object.entries(wrong)) {
    test(name, () => expectNoTrace(begun(), input));
  }
});

test('B-03: an answer that comes twice leaves no trace, whatever it was', () => {
  const story = begun();
  const [inside = 0] = tokensAt(story, 'In');
  for (const input of [result(4), time(5), message(6), result(inside)]) {
    expect(story.tell(input)).not.toBe('\n\n');
    expectNoTrace(story, input);
  }
  expect(story.head.status).toBe('completed');
});

test('every answer to an instance that is over leaves no trace', () => {
  const story = begun();
  play(story, (tokens) => tokens[0]);
  const late = [result, time, message].flatMap((answer) => [4, 5, 6, 7].map((id) => answer(id)));
  for (const input of [...late, claimed('continue', 4), claimed('expire', 4)]) {
    expectNoTrace(story, input);
  }
});

test('an answer to an instance that never started leaves no trace', () => {
  expectNoTrace(new Story(mixed), result(2));
});

describe('the laws of one stride', () => {
  const start: Input = {
    type: 'start',
    at: 0 as Instant,
    birth: { id: 'i1' as InstanceId, flow: 'test', flowVersion: 1, input: { n: 1 }, key: 'k' },
  };
  const inputs = [start, claimed('expire', 4), result(4), message(6), time(5, 7_000), result(9)];

  function eachStride(check: (story: Story, input: Input) => void): void {
    const story = new Story(mixed);
    for (const input of inputs) {
      check(story, input);
      expect(story.tell(input)).not.toBe('\n\n');
    }
    expect(story.head.status).toBe('completed');
  }

  test('it leaves the instance it was given alone', () => {
    eachStride(({ machine, instance }, input) => {
      const copy = structuredClone(rowsOf(instance));
      advance(machine, instance, input);
      expect(rowsOf(instance)).toEqual(copy);
    });
  });

  test('the same arguments give the same stride', () => {
    eachStride(({ machine, instance }, input) => {
      const [one, two] = [advance(machine, instance, input), advance(machine, instance, input)];
      expect(rowsOf(two.after)).toEqual(rowsOf(one.after));
      expect([two.changes, two.hints]).toEqual([one.changes, one.hints]);
    });
  });

  test('its changes, applied, are the whole difference', () => {
    eachStride(({ machine, instance }, input) => {
      const { after, changes } = advance(machine, instance, input);
      const replayed = scratchOf(instance);
      for (const change of changes) apply(replayed, change, input.at);
      seal(replayed, after.head.version, input.at);
      expect(rowsOf(replayed)).toEqual(rowsOf(after));
    });
  });

  test('B-16: one input is one commit: the version moves by one', () => {
    let version = 0;
    eachStride((story) => {
      expect(story.head.version).toBe(version);
      version += 1;
    });
  });
});

test('B-18 O-86: tokens move from an agenda until none can; one that waits is not on it', () => {
  const story = new Story(
    draw(['a -> b -> f', 'f -> c -> A', 'f -> nap -> d'], {
      f: { kind: 'fork' },
      nap: { kind: 'sleep', settings: { ms: 10 } },
    }),
  );
  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at a
    birth  token 3 at b
    end    token 2 done
    birth  token 4 at f
    end    token 3 done
    birth  token 6 at c in 5
    birth  token 7 at nap in 5
    end    token 4 done
    birth  token 8 at A ready in 5
    end    token 6 done
    park   token 7 for time until 10
    ! offer token 8 to test@1/A
    ! alarm 10
  `);
});

test('O-85: a flow in a line is one token in one scope, from start to end', () => {
  const story = new Story(
    draw(['A -> b -> C -> nap -> D'], { nap: { kind: 'sleep', settings: { ms: 1 } } }),
  );
  story.start();
  while (story.head.status === 'running') {
    expect([story.instance.tokens.size, story.instance.scopes.size]).toEqual([1, 1]);
    const [token] = story.instance.tokens.values();
    if (token?.wait?.on === 'time') story.time(token.id);
    else story.done(token?.id ?? 0);
  }
  expect(story.head.status).toBe('completed');
});

test('O-89: one branch pauses while the other goes on to its own pause, then both join', () => {
  const story = new Story(
    draw(['f -> ask -> j -> end', 'f -> B -> c -> nap -> j'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
      ask: { kind: 'wait', settings: { event: 'approved' } },
      nap: { kind: 'sleep', settings: { ms: 10 } },
      end: { kind: 'end' },
    }),
    { key: 'k' },
  );
  story.start();
  for (const token of tokensAt(story, 'B')) story.done(token);
  expect(tokensAt(story, 'ask')).toHaveLength(1);
  expect(tokensAt(story, 'nap')).toHaveLength(1);
  for (const token of tokensAt(story, 'nap')) story.time(token);
  expect(story.head.status).toBe('running');
  for (const token of tokensAt(story, 'ask')) story.message(token, 'approved', 'k');
  expect(story.head.status).toBe('completed');
});

test('O-90: what fails cancels everything else that is alive, whatever it waits for', () => {
  const story = begun();
  expect(story.fail(4)).toBe(text`
    claim  token 4 by w1
    end    token 4 failed boom
    end    token 9 cancelled
    end    token 7 cancelled
    end    token 6 cancelled
    end    token 5 cancelled
    close  scope 8
    close  scope 1
    finish failed boom
    ! abort token 9
    ! ended
  `);
});

test('a step of a chain that is done stays as it is when the instance fails', () => {
  const story = begun();
  const { tokens, ...rows } = rowsOf(story.instance);
  const done = tokens.map((token) =>
    token.node === 'In'
      ? { ...token, id: 99 as TokenId, seq: 0, status: 'completed' as const }
      : token,
  );
  const chained = assemble({ ...rows, tokens: [...tokens, ...done.slice(-1)] });
  const counted = { ...chained, head: { ...chained.head, counter: 99 } };
  const outcome = { outcome: 'failed', fault: { code: 'boom', message: 'boom' } } as const;
  const { after } = advance(story.machine, counted, { ...result(4), outcome } as Input);
  expect(rowsOf(after).tokens).toMatchObject([{ id: 99, status: 'completed', seq: 0 }]);
});

test('what a worker did is in history with its name, the version of its claim and its time', () => {
  const story = begun();
  story.tell(result(4));
  expect(story.history.at(-1)?.changes[0]).toEqual({
    did: 'claim-token',
    token: 4,
    worker: 'w1',
    version: 1,
    at: AT,
  });
});

test('B-17: no handler is called from a stride; what follows is offered to a worker', () => {
  const story = new Story(draw(['A -> b -> C -> D']));
  story.start();
  const told = story.done(2);
  expect(told).toContain('! offer token 4 to test@1/C');
  expect(tokensAt(story, 'D')).toEqual([]);
});

test('B-19: history tells by name what happened, from the start to the failure', () => {
  const story = begun();
  for (const input of [time(5), message(6), claimed('expire', 4)]) story.tell(input);
  story.fail(4);
  const told = new Set(story.history.flatMap(({ changes }) => changes.map(({ did }) => did)));
  expect([...told].sort()).toEqual(
    [
      'start-instance',
      'open-scope',
      'birth-token',
      'end-token',
      'park-token',
      'wake-token',
      'write',
      'open-latch',
      'claim-token',
      'recover-token',
      'drop-latch',
      'close-scope',
      'finish',
    ].sort(),
  );
});

test('an instance starts once', () => {
  expect(() => begun().start()).toThrow('an instance starts once');
});

test('an instance runs the plan it was started with and no other', () => {
  const story = begun();
  const other = machineOf(draw(['A -> B']));
  expect(() => advance(other, story.instance, result(4))).toThrow(
    'an instance runs the plan it was started with',
  );
});

test('an input nobody knows is a broken promise', () => {
  const story = begun();
  expect(() => story.tell({ type: 'wish', at: AT } as never)).toThrow('unreachable');
});
