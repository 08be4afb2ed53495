/** How things are said: lengths of time, tables, bars, and what happened. */
import { describe, expect, test } from 'vitest';
import type { Change } from '../index.ts';
import { excerptOf, findName } from './excerpt.ts';
import { Narrator } from './narrator.ts';
import { brief, faultText } from './telling.ts';
import { barText } from './progress.ts';
import { agoText, momentText, spanText } from './spans.ts';
import { meant } from '../base/nearest.ts';
import { tableText } from './table.ts';

test.each([
  [0, '0ms'],
  [999, '999ms'],
  [1_250, '1.25s'],
  [60_000, '1m'],
  [61_000, '1m1s'],
  [3_600_000, '1h'],
  [5_400_000, '1h30m'],
  [90_000_000, '1d1h'],
  [86_400_000 * 7, '7d'],
])('%i ms are %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});

test('moments are said to the second, and from now', () => {
  expect(momentText(Date.UTC(2026, 10, 16, 8, 5, 3, 7))).toBe('2026-11-16T08:05:03Z');
  expect(agoText(1_000, 61_000)).toBe('1m ago');
  expect(agoText(61_000, 1_000)).toBe('in 1m');
});

describe('a table', () => {
  const columns = [
    { title: 'ID', text: ({ id }: { id: string }) => id },
    { title: 'WHY', text: ({ why }: { why: string }) => why, gives: true as const },
  ];
  const rows = [
    { id: 'a', why: 'because it\nwas so and always has been' },
    { id: 'bcd', why: 'é' },
  ];

  test('has its columns below each other, and a row is a line', () => {
    expect(tableText(columns, rows, null)).toBe(
      'ID   WHY\na    because it was so and always has been\nbcd  é',
    );
  });

  test('is cut to the width there is, where it may be', () => {
    expect(tableText(columns, rows, 20)).toBe('ID   WHY\na    because it was…\nbcd  é');
    expect(tableText(columns, rows, 1)).toBe('ID   WHY\na    because…\nbcd  é');
  });
});

test.each([
  [0, 25, '[..........] 0/25'],
  [12, 25, '[####......] 12/25'],
  [57, 60, '[#########.] 57/60'],
  [25, 25, '[##########] 25/25'],
  [30, 25, '[##########] 30/25'],
])('%i of %i is %s', (done, total, text) => {
  expect(barText(done, total)).toBe(text);
});

test('a word that nobody knows is followed by the nearest, or by some of those there are', () => {
  expect(meant('faield', ['failed', 'canceled'])).toBe('did you mean "failed"?');
  expect(meant('x', [])).toBe('there are none');
  expect(meant('x', ['only'])).toBe('there is only');
  const many = Array.from({ length: 20 }, (_, n) => `flow-${n}`);
  expect(meant('zzz', many)).toMatch(/^there are flow-0, .*, flow-11, and 8 more$/);
});

test('a place in a file is shown with the lines before it', () => {
  const text = 'one\ntwo\nthree "name" four\n';
  expect(findName(text, 'name')).toEqual({ line: 3, column: 7 });
  expect(findName(text, 'five')).toBeUndefined();
  expect(excerptOf(text, { line: 3, column: 7 })).toBe(
    '  1 | one\n  2 | two\n  3 | three "name" four\n    |       ^',
  );
});

describe('what happened', () => {
  const token = (id: number, node: string, more = {}) =>
    ({ did: 'birth-token', token: { id, scope: 1, node, ...more } }) as unknown as Change;
  const told = (narrator: Narrator, at: number, ...changes: unknown[]): readonly string[] =>
    narrator
      .tell({ at, changes: changes as Change[] })
      .map(({ node, text, tookMs }) =>
        [node, text, tookMs].filter((one) => one !== null).join(' '),
      );

  test('is said of the nodes that somebody wrote, with the attempt and how long it took', () => {
    const narrator = new Narrator();
    const error = { code: 'x.y', message: 'no luck', node: 'pay' };
    expect(told(narrator, 0, token(1, ':start'), token(2, 'pay', { handler: 'h' }))).toEqual([
      'pay begins',
    ]);
    const again = { did: 'retry-token', token: 2, error, availableAt: 5_000 };
    expect(told(narrator, 1_000, again)).toEqual(['pay failed: no luck (x.y); again in 4s']);
    expect(told(narrator, 7_000, { did: 'end-token', token: 2, why: 'done' })).toEqual([
      'pay done at attempt 2 7000',
    ]);
    expect(told(narrator, 8_000, { did: 'end-token', token: 1, why: 'done' })).toEqual([]);
  });

  test.each([
    [{ on: 'time' }, 60_000, 'w sleeps until 00:01:00Z (1m)'],
    [{ on: 'message', type: 'paid', key: 'k' }, undefined, 'w waits for paid of k'],
    [{ on: 'first', any: [{ type: 'a' }, { type: 'b' }] }, undefined, 'w waits for a or b'],
    [{ on: 'child', instance: 'i' }, undefined, 'w waits for instance i'],
    [{ on: 'join' }, undefined, 'w waits for others to arrive'],
  ])('a wait is %j until %s', (wait, wakeAt, text) => {
    const narrator = new Narrator();
    told(narrator, 0, token(1, 'w'));
    const park = { did: 'park-token', token: 1, wait, ...(wakeAt === undefined ? {} : { wakeAt }) };
    expect(told(narrator, 0, park)).toEqual([text]);
  });

  test('a moment of another day is said with its day', () => {
    const narrator = new Narrator();
    const [late, early] = [Date.UTC(2026, 10, 16, 23, 59), Date.UTC(2026, 10, 17, 0, 1)];
    told(narrator, late, token(1, 'w'));
    const park = { did: 'park-token', token: 1, wait: { on: 'time' }, wakeAt: early };
    expect(told(narrator, late, park)).toEqual(['w sleeps until 2026-11-17T00:01:00Z (2m)']);
  });

  test('what is upgraded goes by the names of the other version', () => {
    const narrator = new Narrator();
    told(narrator, 0, token(1, 'paid', { handler: 'h' }));
    const act = { did: 'act', act: { verb: 'migrate', by: 'ann' } };
    const migrate = { did: 'migrate', flowVersion: 2 };
    const place = { did: 'place-token', token: 1, node: 'payment' };
    expect(told(narrator, 1, act, migrate, place)).toEqual([
      'ann: upgrade',
      'goes on by version 2',
    ]);
    expect(told(narrator, 5, { did: 'end-token', token: 1, why: 'done' })).toEqual([
      'payment done 5',
    ]);
  });

  test('what somebody else wrote moves no cursor and breaks no line', () => {
    const message = 'a\u001B[31mb\u001B]0;title\u0007c\nd\u009B2Je';
    expect(faultText({ code: 'x', message, node: null })).toMatch(/^abc d ?e \(x\)$/);
    expect(brief('a\u009B2J')).not.toMatch(/\p{Cc}/u);
  });

  const done = (id: number) => ({ did: 'end-token', token: id, why: 'done' });

  test('an activity tells what it ended with, though nothing is connected to that', () => {
    const narrator = new Narrator();
    told(narrator, 0, token(1, 'check'), token(2, 'weigh'));
    expect(told(narrator, 5, { ...done(1), outcomes: ['Off', 'Late'] })).toEqual([
      'check done: Off, Late 5',
    ]);
    expect(told(narrator, 5, { ...done(2), outcomes: [] })).toEqual(['weigh done: nothing 5']);
  });

  test('a fork begins when it sends its branches out, and is done when they have met', () => {
    const narrator = new Narrator();
    told(narrator, 0, token(1, 'fulfil'));
    const out = [token(2, 'load', { via: 'fulfil->fulfil/goods', handler: 'h' })];
    const other = token(3, 'bill', { via: 'fulfil->fulfil/paper', handler: 'h' });
    expect(told(narrator, 10, ...out, other, done(1))).toEqual([
      'load begins',
      'bill begins',
      'fulfil begins',
    ]);
    expect(told(narrator, 20, token(4, 'fulfil/:join'), done(2))).toEqual(['load done 10']);
    const joined = [4, 5].map((id) => ({ did: 'end-token', token: id, why: 'joined' }));
    expect(told(narrator, 50, token(5, 'fulfil/:join'), done(3), ...joined)).toEqual([
      'bill done 40',
      'fulfil done 50',
    ]);
  });

  test('a wait for a message that did not come is timed out, and a sleep is done', () => {
    const narrator = new Narrator();
    told(narrator, 0, token(1, 'paid'), token(2, 'nap'));
    told(narrator, 0, { did: 'park-token', token: 1, wait: { on: 'message', type: 'a', key: '' } });
    told(narrator, 0, { did: 'park-token', token: 2, wait: { on: 'time' } });
    const wake = (id: number) => ({
      ...{ did: 'wake-token', token: id, enter: true },
      wake: { reason: 'timeout', payload: null },
    });
    expect(told(narrator, 9, wake(1), done(1))).toEqual(['paid timed out 9']);
    expect(told(narrator, 9, wake(2), done(2))).toEqual(['nap done 9']);
  });

  test('a link of a chain that is run again because nothing came says so', () => {
    const narrator = new Narrator();
    told(narrator, 0, token(1, 'REFUND'));
    told(narrator, 0, { did: 'park-token', token: 1, wait: { on: 'message', type: 'a', key: '' } });
    const wake = { did: 'wake-token', token: 1, wake: { reason: 'timeout', payload: null } };
    expect(told(narrator, 9, wake)).toEqual(['REFUND nothing came in time']);
    expect(told(narrator, 9, done(1))).toEqual(['REFUND done 9']);
  });

  test('what an operator skipped or woke is not said to be done', () => {
    const narrator = new Narrator();
    const error = { code: 'x.y', message: 'no luck', node: 'charge' };
    told(narrator, 0, token(1, 'charge', { handler: 'h' }));
    told(narrator, 1, { did: 'park-token', token: 1, wait: { on: 'incident', can: [] }, error });
    const act = (verb: string) => ({ did: 'act', act: { verb, by: 'ann' } });
    expect(told(narrator, 2, act('skip'), token(2, 'ask'), done(1), done(2))).toEqual([
      'ann: skip',
      'charge skipped 2',
      'ask done 0',
    ]);
    told(narrator, 2, token(3, 'nap'), { did: 'park-token', token: 3, wait: { on: 'time' } });
    const wake = { did: 'wake-token', token: 3, wake: { reason: 'timeout' }, enter: true };
    expect(told(narrator, 3, act('wake'), wake, done(3))).toEqual(['ann: wake', 'nap woken 1']);
  });

  test('an undo that failed is said with its node, and not hidden by the end', () => {
    const narrator = new Narrator();
    const fault = { code: 'x.y', message: 'no answer', node: 'hotel' };
    told(narrator, 0, token(1, 'hotel', { handler: 'h', mode: 'compensation' }));
    const settled = { did: 'settle-undo', undo: 9, as: 'failed', fault };
    const ended = { did: 'end-token', token: 1, why: 'failed', fault };
    expect(told(narrator, 5, settled, ended)).toEqual([
      'hotel could not be undone: no answer (x.y) 5',
    ]);
    const finish = { did: 'finish', as: 'failed', outcome: 'compensated', fault };
    expect(told(narrator, 6, finish)).toEqual([
      'failed and compensated, except hotel: no answer (x.y) 6',
    ]);
  });

  test('an item of a map is told of the map, and what is kept of the others is not', () => {
    const scope = { id: 4, parent: 3, owner: 2, node: 'each/:item', index: 1 };
    const kept = { did: 'write', scope: 3, space: 'items', name: 'next', value: 2 };
    const opened = { did: 'open-scope', scope };
    expect(told(new Narrator(), 0, token(2, 'each/:item'), kept, opened)).toEqual(['each item 2']);
  });

  test('of a kind that a newer program has made is passed over', () => {
    expect(told(new Narrator(), 0, { did: 'something-new' })).toEqual([]);
  });
});
