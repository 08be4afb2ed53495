/** A trace goes with control: from token to token, over every wait, into what is posted. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Letter } from '../model/letter.ts';
import { postsOf } from '../testing/play.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { assemble, rowsOf } from './instance.ts';

const A = '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaa-01';
const B = '00-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-bbbbbbbbbbbbbbbb-01';

const AT = 0 as Instant;

/** One that somebody started as part of a trace, or of none. */
function begun(drawing: Drawing, trace?: string): Story {
  const story = new Story(drawing);
  const birth = { id: 'i1' as InstanceId, flow: 'test', flowVersion: 1, input: null, key: 'k' };
  const traced = trace === undefined ? {} : { trace };
  story.tell({ type: 'start', at: AT, birth, ...traced });
  return story;
}

function tokenAt(story: Story, node: string): Token {
  const found = story.instance.tokens.values().find((token) => token.node === node);
  if (found === undefined) throw new Error(`nobody is at ${node}`);
  return found;
}

function tracesIn(story: Story): readonly (string | undefined)[] {
  return story.instance.tokens.values().map(({ wake }) => wake?.trace);
}

function lettersOf({ history }: Story): readonly Letter[] {
  const changes = history.flatMap((entry) => entry.changes);
  return changes.flatMap((change) => (change.did === 'send' ? [change.letter] : []));
}

function hears(story: Story, node: string, trace?: string): void {
  const traced = trace === undefined ? {} : { trace };
  const message = { id: 'm1', type: 'paid', key: 'k', data: 5, ...traced };
  story.tell({ type: 'message', at: AT, token: tokenAt(story, node).id, message });
}

const retry = { maxAttempts: 3, delayMs: 100, backoff: 'fixed', maxDelayMs: 100, jitter: 0 };
const step = (settings: JsonObject = {}) => ({ kind: 'step', settings });
const two = draw(['A -> B'], { A: step({ retry }) });
const waiting = draw(['paid -> B'], { paid: { kind: 'wait', settings: { event: 'paid' } } });

describe('a first token', () => {
  test('that is part of a trace says so in its wake', () => {
    expect(tokenAt(begun(two, A), 'A').wake).toEqual({ reason: 'first', payload: null, trace: A });
  });

  test('that is part of none has no wake', () => {
    expect(tokenAt(begun(two), 'A').wake).toBeNull();
  });
});

describe('the same trace has', () => {
  test('whoever comes next', () => {
    const story = begun(two, A);
    story.done(2);
    expect(tokenAt(story, 'B').wake).toEqual({ reason: 'first', payload: null, trace: A });
  });

  test('what failed and is run again, and whoever comes after it', () => {
    const story = begun(two, A);
    story.fail(2);
    expect(tokenAt(story, 'A').wake).toEqual({ reason: 'retry', payload: null, trace: A });
    story.now = 100;
    story.done(2);
    expect(tracesIn(story)).toEqual([A]);
  });

  test('what is taken back from a worker that died', () => {
    const story = begun(two, A);
    story.expire(2);
    const wake = { reason: 'lease-recovery', payload: null, trace: A };
    expect(tokenAt(story, 'A').wake).toEqual(wake);
    story.expire(2);
    expect(tokenAt(story, 'A').wake).toEqual(wake);
  });

  test('what waits, and what a time wakes', () => {
    const sleeping = draw(['nap -> B'], { nap: { kind: 'sleep', settings: { ms: 50 } } });
    const story = begun(sleeping, A);
    expect(tokenAt(story, 'nap')).toMatchObject({ status: 'waiting', wake: { trace: A } });
    story.time(tokenAt(story, 'nap').id);
    expect(tracesIn(story)).toEqual([A]);
  });

  test('every branch, and whoever goes on from their join', () => {
    const forked = draw(['fork -> A -> join', 'fork -> B -> join', 'join -> C'], {
      fork: { kind: 'fork' },
      join: { kind: 'join' },
    });
    const story = begun(forked, A);
    expect(tracesIn(story)).toEqual([A, A]);
    story.done(tokenAt(story, 'A').id);
    story.done(tokenAt(story, 'B').id);
    expect(tokenAt(story, 'C').wake?.trace).toBe(A);
  });

  test('a region, its owner, and what comes after both', () => {
    const nested = draw(['box -> B', 'inside -> A'], {
      box: { kind: 'scope', settings: { body: 'inside' } },
      inside: { kind: 'pass', in: 'box' },
      A: { kind: 'step', in: 'box' },
    });
    const story = begun(nested, A);
    expect(tracesIn(story)).toEqual([A, A]);
    story.done(tokenAt(story, 'A').id);
    expect(tracesIn(story)).toEqual([A]);
  });

  test('what was set down because a stride was long enough', () => {
    const story = new Story(draw(['a -> b -> c -> B']), { limits: { MOVES_PER_COMMIT: 2 } });
    const birth = { id: 'i1' as InstanceId, flow: 'test', flowVersion: 1, input: null };
    story.tell({ type: 'start', at: AT, birth, trace: A });
    story.go(tokenAt(story, 'c').id);
    expect(tokenAt(story, 'B').wake?.trace).toBe(A);
  });

  test('every step of a chain, from the start', () => {
    const link = (type: string) => ({ kind: 'link', settings: { type, retry } });
    const chain = draw(['orders -> PAY -> SHIP'], {
      orders: { kind: 'chain', settings: { links: ['PAY', 'SHIP'] } },
      PAY: link('PAY'),
      SHIP: link('SHIP'),
    });
    const story = begun(chain, A);
    expect(tracesIn(story)).toEqual([A, A]);
  });

  test('what undoes what was done', () => {
    const saga = draw(['A -> B'], { A: step({ undo: {} }) });
    const story = begun(saga, A);
    story.done(2);
    story.fail(tokenAt(story, 'B').id);
    expect(tokenAt(story, 'A')).toMatchObject({ mode: 'compensation', wake: { trace: A } });
  });

  test('an instance after it was written and read', () => {
    const story = begun(two, A);
    expect(assemble(rowsOf(story.instance)).tokens.get(2 as TokenId)?.wake?.trace).toBe(A);
  });
});

describe('a message', () => {
  test('that is part of another trace brings it along', () => {
    const story = begun(waiting, A);
    hears(story, 'paid', B);
    expect(tokenAt(story, 'B').wake).toEqual({ reason: 'first', payload: null, trace: B });
  });

  test('that is part of none leaves whoever waited in its own', () => {
    const story = begun(waiting, A);
    hears(story, 'paid');
    expect(tokenAt(story, 'B').wake?.trace).toBe(A);
  });

  test('brings one to an instance that had none', () => {
    const story = begun(waiting);
    hears(story, 'paid', B);
    expect(tokenAt(story, 'B').wake?.trace).toBe(B);
  });

  test('that a step is run again for leaves a word of the trace it was in before', () => {
    const chain = draw(['orders -> PAY'], {
      orders: { kind: 'chain', settings: { links: ['PAY'] } },
      PAY: { kind: 'link', settings: { type: 'PAY', retry } },
    });
    const story = begun(chain, A);
    story.waits(3, 'paid');
    hears(story, 'PAY', B);
    const wake = { reason: 'event', payload: 5, trace: B, left: A };
    expect(tokenAt(story, 'PAY').wake).toEqual(wake);
    story.expire(3);
    expect(tokenAt(story, 'PAY').wake).toEqual(wake);
  });
});

describe('what is posted', () => {
  const telling = draw(['tell -> bill'], {
    tell: { kind: 'emit', settings: { type: 'news', data: 1 } },
    bill: { kind: 'call', settings: { flow: 'billing' } },
  });

  test('has the trace of whoever posts it', () => {
    expect(postsOf(begun(telling, A))).toMatchObject([
      { do: 'publish', trace: A },
      { do: 'start', trace: A },
    ]);
  });

  test('says nothing of a trace where there is none', () => {
    for (const post of postsOf(begun(telling))) expect(post).not.toHaveProperty('trace');
  });
});

describe('a letter', () => {
  const tell = { kind: 'emit', settings: { type: 'news', data: 1, outbox: true } };
  const paid = { kind: 'wait', settings: { event: 'paid' } };
  const telling = draw(['first -> paid -> second'], { first: tell, paid, second: tell });

  test('has the trace of whoever writes it', () => {
    const story = begun(telling, A);
    hears(story, 'paid', B);
    expect(lettersOf(story).map(({ trace }) => trace)).toEqual([A, B]);
  });

  test('that tells of a task has the trace of who waits for it', () => {
    const fixed = { approvers: ['ann'], submitter: 'dan', timeout: '1m' };
    const settings = { fixed, asks: [], rule: 'unanimous', onTimeout: 'notify' };
    const story = begun(draw(['ok'], { ok: { kind: 'approve', settings } }), A);
    story.time(tokenAt(story, 'ok').id);
    expect(lettersOf(story)).toMatchObject([{ type: 'task.overdue', trace: A }]);
  });

  test('says nothing of a trace where there is none', () => {
    const story = begun(telling);
    hears(story, 'paid');
    expect(lettersOf(story)).toHaveLength(2);
    for (const letter of lettersOf(story)) expect(letter).not.toHaveProperty('trace');
  });
});

test('where there is no trace, nothing of it is in any change', () => {
  const story = begun(waiting);
  hears(story, 'paid');
  story.done(tokenAt(story, 'B').id);
  expect(JSON.stringify(story.history)).not.toMatch(/trace|left/);
});
