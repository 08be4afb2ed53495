/** Sagas as the kernel tells them: what is recorded, what drains, what is undone and when. */
import { describe, expect, test } from 'vitest';
import type { Draft } from '../model/draft.ts';
import { oneAt as at, tokensAt, withoutCode } from '../testing/play.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { assemble, rowsOf } from './instance.ts';

const undo = { kind: 'step', settings: { undo: {} } };
const end = { kind: 'end', settings: { output: 'results' } };

function row(more: Partial<Draft> = {}): Drawing {
  const { draft, code } = draw(['A -> B -> C -> end'], { A: undo, B: undo, C: undo, end });
  return { draft: { ...draft, ...more }, code: code ?? {} };
}

/** A and B are done, and C is at work. */
function begun(more: Partial<Draft> = {}): Story {
  const story = new Story(row(more));
  story.start();
  for (const node of ['A', 'B']) for (const token of tokensAt(story, node)) story.done(token, node);
  return story;
}

function undos(story: Story): string[] {
  return story.instance.undos.values().map(({ node, status }) => `${node} ${status}`);
}

test('B-62 B-63: a completed step leaves a record, which alone what becomes of it alters', () => {
  const story = begun();
  const [before] = story.instance.undos.values();
  expect(before).toEqual({
    id: expect.any(Number),
    saga: 1,
    node: 'A',
    token: 2,
    visit: 1,
    result: 'A',
    index: null,
    item: null,
    inDoubt: false,
    status: 'pending',
    by: null,
    fault: null,
  });
  story.fail(at(story, 'C'));
  story.done(at(story, 'B'));
  story.fatal(at(story, 'A'));
  const rows = story.history.flatMap(({ changes }) => changes);
  expect(rows.filter(({ did }) => did === 'record-undo')).toHaveLength(2);
  const after = story.instance.undos.values().find(({ node }) => node === 'A');
  expect(after).toMatchObject({ ...before, status: 'failed', fault: { code: 'boom' } });
});

test('B-61 B-65 B-70: failing for good starts it, token after token, and then it ends', () => {
  const story = begun();
  expect(story.fail(at(story, 'C'))).toMatchInlineSnapshot(`
    "
    claim  token 6 by w1
    end    token 6 failed boom
    start  saga of scope 1 boom
    birth  token 7 at B ready undoing 5
    ! offer token 7 to test@1/B/:undo
    "
  `);
  expect(story.head).toMatchObject({ status: 'compensating', fault: { code: 'boom', node: 'C' } });
  const [compensation] = story.instance.tokens.values();
  expect(compensation).toMatchObject({
    node: 'B',
    mode: 'compensation',
    status: 'ready',
    handler: 'test@1/B/:undo',
    maxAttempts: 5,
  });
  expect(story.done(at(story, 'B'))).toMatchInlineSnapshot(`
    "
    claim  token 7 by w1
    settle undo 5 completed
    end    token 7 done
    birth  token 8 at A ready undoing 3
    ! offer token 8 to test@1/A/:undo
    "
  `);
  expect(story.done(at(story, 'A'))).toMatchInlineSnapshot(`
    "
    claim  token 8 by w1
    settle undo 3 completed
    end    token 8 done
    end    saga of scope 1
    finish failed boom compensated
    ! ended
    "
  `);
});

test('B-68 B-71: after a crash only what is pending is undone', () => {
  const story = begun();
  story.fail(at(story, 'C'));
  story.done(at(story, 'B'));
  expect(undos(story)).toEqual(['A pending', 'B completed']);
  story.instance = assemble(rowsOf(story.instance));
  expect(tokensAt(story, 'B')).toEqual([]);
  story.done(at(story, 'A'));
  expect(story.head).toMatchObject({ status: 'failed', outcome: 'compensated' });
  expect(undos(story)).toEqual([]);
});

test('an answer that comes twice, or for what is over, leaves no trace', () => {
  const story = begun();
  const failing = at(story, 'C');
  story.fail(failing);
  const undoing = at(story, 'B');
  expect(story.fail(failing)).toBe('\n\n');
  story.done(undoing);
  expect(story.done(undoing)).toBe('\n\n');
});

test('a compensation whose lease runs out is run again, and past CRASHES_MAX it has failed', () => {
  const story = new Story(row(), { limits: { CRASHES_MAX: 1 } });
  story.start();
  story.done(at(story, 'A'));
  story.fail(at(story, 'B'));
  story.expire(at(story, 'A'));
  expect(story.instance.tokens.values()).toMatchObject([{ attempts: 1, crashes: 1 }]);
  story.expire(at(story, 'A'));
  expect(undos(story)).toEqual(['A failed']);
  expect(story.head.status).toBe('failed');
});

test('with halt, a compensation that failed for good waits to be mended', () => {
  const story = begun({ onUndoFailure: 'halt' });
  story.fail(at(story, 'C'));
  story.fatal(at(story, 'B'));
  expect(story.head.status).toBe('compensating');
  expect(story.instance.tokens.values()).toMatchObject([{ wait: { on: 'incident' } }]);
  story.retry(at(story, 'B'));
  expect(story.instance.tokens.values()).toMatchObject([{ status: 'ready', maxAttempts: 6 }]);
  story.fatal(at(story, 'B'));
  story.skip(at(story, 'B'));
  story.done(at(story, 'A'));
  expect(story.head).toMatchObject({ status: 'failed', outcome: 'compensated' });
});

/** Two branches with a step each: X can be undone, Y fails. */
const beside = draw(['f -> s', 'f -> Y', 'x -> X', 's -> j', 'Y -> j', 'j -> end'], {
  f: { kind: 'fork' },
  s: { kind: 'scope', settings: { body: 'x' } },
  x: { kind: 'pass', in: 's' },
  X: { ...undo, in: 's' },
  j: { kind: 'join' },
  end,
});

describe('D12: a step that may be at work when the saga begins', () => {
  function failing(): Story {
    const story = new Story(beside);
    story.start();
    story.fail(at(story, 'Y'));
    return story;
  }

  test('stays in a scope of its own that drains, and the saga waits for it', () => {
    const story = failing();
    expect(story.head.status).toBe('compensating');
    expect(story.instance.scopes.values()).toMatchObject([
      { id: 1, parent: null },
      { parent: 1, owner: null, drains: 1, node: 's' },
    ]);
  });

  test('is undone if it is done after all', () => {
    const story = failing();
    expect(story.done(at(story, 'X'), 'x')).toMatchInlineSnapshot(`
      "
      claim  token 8 by w1
      record undo 9 of X "x" in scope 1
      end    token 8 done
      close  scope 6
      birth  token 10 at X ready undoing 9
      ! offer token 10 to test@1/X/:undo
      "
    `);
    story.done(at(story, 'X'));
    expect(story.head).toMatchObject({ status: 'failed', outcome: 'compensated' });
  });

  test('is not if it failed, and no second saga begins', () => {
    const story = failing();
    story.fail(at(story, 'X'), 'other');
    expect(story.head).toMatchObject({ status: 'failed', fault: { code: 'boom', node: 'Y' } });
    const rows = story.history.flatMap(({ changes }) => changes);
    expect(rows.filter(({ did }) => did === 'start-saga')).toHaveLength(1);
  });

  test('is not if nobody had begun it: whoever claims it puts it down', () => {
    const story = failing();
    story.putDown(at(story, 'X'));
    expect(story.head.status).toBe('failed');
    expect(story.instance.undos.size).toBe(0);
  });

  test.each(['expire', 'giveUp'] as const)('is in doubt if no answer comes (%s)', (how) => {
    const story = failing();
    story[how](at(story, 'X'));
    expect(story.instance.undos.values()).toMatchObject([{ node: 'X', inDoubt: true }]);
    story.done(at(story, 'X'));
    expect(story.head.outcome).toBe('compensated');
  });

  test('is in doubt if it was put down after a lease had run out', () => {
    const story = new Story(beside);
    story.start();
    story.expire(at(story, 'X'));
    story.fail(at(story, 'Y'));
    story.putDown(at(story, 'X'));
    expect(story.instance.undos.values()).toMatchObject([{ node: 'X', inDoubt: true }]);
  });

  test('ends at once if it only waits for its next attempt: its last had an answer', () => {
    const retry = { maxAttempts: 3, delayMs: 50, backoff: 'fixed', maxDelayMs: 50, jitter: 0 };
    const { draft, code = {} } = beside;
    const nodes = draft.nodes.map((node) =>
      node.id === 'X' ? { ...node, settings: { undo: {}, retry } } : node,
    );
    const story = new Story({ draft: { ...draft, nodes }, code });
    story.start();
    story.fail(at(story, 'X'));
    story.fail(at(story, 'Y'));
    expect(story.head).toMatchObject({ status: 'failed', outcome: null });
  });

  test('is never put down while it is wanted', () => {
    const story = new Story(beside);
    story.start();
    expect(story.putDown(at(story, 'X'))).toBe('\n\n');
  });
});

describe('a step that fails for want of an answer', () => {
  test('is in doubt itself', () => {
    const story = begun();
    story.giveUp(at(story, 'C'));
    expect(undos(story)).toEqual(['A pending', 'B pending', 'C pending']);
    expect(story.instance.tokens.values()).toMatchObject([{ node: 'C', mode: 'compensation' }]);
  });

  test('and waits to be mended, is undone as such once it is cancelled with its saga', () => {
    const story = begun({ onFailure: 'incident' });
    story.giveUp(at(story, 'C'));
    expect(undos(story)).toEqual(['A pending', 'B pending']);
    story.cancel(true);
    expect(story.instance.undos.values().at(-1)).toMatchObject({ node: 'C', inDoubt: true });
  });
});

describe('a scope that is a saga of its own', () => {
  const nested = draw(['A -> s -> end', 'B -> C'], {
    A: undo,
    s: { kind: 'scope', settings: { body: 'B', saga: 'scope' } },
    B: { ...undo, in: 's' },
    C: { kind: 'step', in: 's' },
    end,
  });

  function inside(): Story {
    const story = new Story(nested);
    story.start();
    story.done(at(story, 'A'));
    story.done(at(story, 'B'));
    return story;
  }

  test('holds the fault until it is undone, and then fails with it', () => {
    const story = inside();
    expect(story.fail(at(story, 'C'))).toMatchInlineSnapshot(`
      "
      claim  token 8 by w1
      end    token 8 failed boom
      start  saga of scope 5 boom
      birth  token 9 at B ready undoing 7
      ! offer token 9 to test@1/B/:undo
      "
    `);
    expect(story.head.status).toBe('running');
    expect(story.done(at(story, 'B'))).toMatchInlineSnapshot(`
      "
      claim  token 9 by w1
      settle undo 7 completed
      end    token 9 done
      hand   undos of scope 5 to 1
      end    saga of scope 5
      end    token 4 failed boom
      start  saga of scope 1 boom
      birth  token 10 at A ready undoing 3
      ! offer token 10 to test@1/A/:undo
      "
    `);
    story.done(at(story, 'A'));
    expect(story.head).toMatchObject({ status: 'failed', fault: { code: 'boom', node: 'C' } });
  });

  test('hands what it did to the outer saga when it is over', () => {
    const story = inside();
    expect(story.instance.undos.values().map(({ saga }) => saga)).not.toEqual([1, 1]);
    story.done(at(story, 'C'));
    const rows = story.history.flatMap(({ changes }) => changes);
    expect(rows).toContainEqual({ did: 'hand-undos', from: expect.any(Number), to: 1 });
  });

  test('whose compensation had no answer is undone by the outer saga, and once', () => {
    const story = inside();
    story.fail(at(story, 'C'));
    story.giveUp(at(story, 'B'));
    story.cancel(true);
    expect(undos(story)).toEqual(['A pending', 'B pending']);
    story.done(at(story, 'B'));
    story.done(at(story, 'A'));
    expect(story.head).toMatchObject({ status: 'canceled', outcome: 'compensated' });
  });

  test('that is being undone goes on within the outer saga when that begins', () => {
    const story = inside();
    story.fail(at(story, 'C'));
    const undoing = at(story, 'B');
    story.cancel(true);
    expect(story.head.status).toBe('compensating');
    expect(tokensAt(story, 'A')).toEqual([]);
    story.done(undoing);
    story.done(at(story, 'A'));
    expect(story.head).toMatchObject({ status: 'canceled', outcome: 'compensated' });
  });
});

describe('D19: a process that lacks the closures', () => {
  test('can undo, cancel and mend all the same', () => {
    const story = begun();
    withoutCode(story, () => story.cancel(true));
    withoutCode(story, () => story.putDown(at(story, 'C')));
    withoutCode(story, () => story.done(at(story, 'B')));
    withoutCode(story, () => story.done(at(story, 'A')));
    expect(story.head).toMatchObject({ status: 'canceled', outcome: 'compensated' });
  });

  test('leaves what comes after the last compensation to those who have them', () => {
    const drawing = draw(['t -> end', 't -> C -> end', 's', 'A -> F'], {
      t: {
        kind: 'try',
        settings: { body: 's', done: 't->end', caught: 't->C', asks: true },
        code: { when: () => true },
      },
      s: { kind: 'scope', settings: { body: 'A', saga: 'scope' }, in: 't' },
      A: { ...undo, in: 's' },
      F: { kind: 'step', in: 's' },
      end,
    });
    const story = new Story({ ...drawing, draft: { ...drawing.draft, onUndoFailure: 'halt' } });
    story.start();
    story.done(at(story, 'A'));
    story.fail(at(story, 'F'));
    story.fatal(at(story, 'A'));
    const parked = at(story, 'A');
    withoutCode(story, () => story.skip(parked));
    expect(story.instance.tokens.get(parked)).toMatchObject({ handler: 'test@1/' });
    story.go(parked);
    expect([story.head.status, tokensAt(story, 'C').length]).toEqual(['running', 1]);
  });

  test('wakes a token to be entered again, and leaves that to others', () => {
    const choice = draw(['c -> A', 'c -> B'], {
      c: {
        kind: 'choose',
        settings: { arms: [{ edge: 'c->A', slot: 'when' }], otherwise: 'c->B' },
        code: { when: () => 'maybe' },
      },
    });
    const story = new Story({ ...choice, draft: { ...choice.draft, onFailure: 'incident' } });
    story.start();
    const token = at(story, 'c');
    withoutCode(story, () => story.retry(token));
    expect(story.instance.tokens.get(token)).toMatchObject({ status: 'ready', handler: 'test@1/' });
  });
});
