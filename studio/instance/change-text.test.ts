/** What happened, in words: of real histories, and of every kind of change there is. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fatal, flow } from '../../src/index.ts';
import type { Change, Commit } from '../api/shapes.ts';
import { commitsOf, openPlace, type Place, until } from '../testing/histories.ts';
import { changeText, type CommitText, commitText } from './change-text.ts';
import { told } from './told.ts';
import { VisitBook } from './visits.ts';

const order = flow<{ card: string }>('order', { onFailure: 'incident' })
  .approve('release', { approvers: ['finance'] })
  .step('charge', ({ input }) => {
    if (input.card !== '4242') throw new Fatal('the card was declined');
    return 'charged';
  })
  .end();

let place: Place;

beforeAll(async () => {
  place = await openPlace([order]);
});

afterAll(() => place.engine.close());

function wordsOf(commits: readonly Commit[]): readonly CommitText[] {
  const book = new VisitBook();
  for (const commit of commits) book.add(commit);
  return commits.map((commit) => commitText(commit, (token) => book.nodeOf(token)));
}

test('a history reads like what happened', async () => {
  const { engine } = place;
  const run = await engine.start(order, { card: '4000' });
  const task = await until(async () => (await engine.tasks.list({ instance: run.id })).tasks[0]);
  const decision = { actor: 'ann', groups: ['finance'], decision: 'approve' } as const;
  await engine.tasks.decide(task.id, { ...decision, comment: 'fine' });
  const incident = await until(async () => (await run.inspect()).incidents[0]);
  await run.suspend({ actor: 'bob', reason: 'the bank is down' });
  await run.resume({ actor: 'bob' });
  await run.skip(incident.token, 'cash', { actor: 'bob', reason: 'paid in cash' });
  await run.result();
  const words = wordsOf(await commitsOf(run));
  expect(
    words.map(({ headline, next }) => (next === '' ? headline : `${headline}, ${next}`)),
  ).toEqual([
    'order version 1 started',
    'ann approved release: fine, then charge',
    'charge failed: the card was declined; it waits for someone to mend it',
    'bob suspended it: the bank is down',
    'bob resumed it',
    'bob skipped a step: paid in cash (charge); completed',
  ]);
  expect(words.map(({ tone }) => tone)).toEqual(['plain', 'act', 'bad', 'act', 'act', 'act']);
  expect(words.map(({ by }) => by)).toEqual([null, 'ann', null, 'bob', 'bob', 'bob']);
});

describe('one change', () => {
  const nodeOf = (token: number): string => (token === 2 ? 'charge' : '');
  const textOf = (change: Change): string => changeText(told(change), nodeOf, 1_000);
  const error = { code: 'x', message: 'the card was declined', node: 'charge' };

  test('that is tried again says what failed and when', () => {
    const change = { did: 'retry-token', token: 2, error, availableAt: 6_000 };
    expect(textOf(change)).toBe('charge failed: the card was declined; tried again in 5.0 s');
    expect(textOf({ ...change, availableAt: 1_000 })).toMatch(/tried again at once$/);
  });

  test('of a token that is not known is told by its number', () => {
    expect(textOf({ did: 'enter-token', token: 7 })).toBe('token 7 goes on');
  });

  test('that nobody knows yet is told by its name', () => {
    expect(textOf({ did: 'paint-it-blue' })).toBe('paint it blue');
  });

  test('of every kind has words, and they are not its name', () => {
    const model = new URL('../../src/model/change.ts', import.meta.url);
    const kinds = [...readFileSync(model, 'utf8').matchAll(/did: '([a-z-]+)'/g)];
    const names = kinds.map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(35);
    for (const did of names) {
      const text = textOf(sample(did));
      expect(text, did).not.toBe(did.replaceAll('-', ' '));
      expect(text, did).not.toMatch(/undefined|\[object|null/);
    }
  });

  function sample(did: string): Change {
    const latch = { scope: 1, node: 'join', group: 1 };
    const birth = { id: 2, scope: 1, node: 'charge' };
    const scope = { id: 3, parent: 1, owner: 2, node: 'map' };
    const undo = did === 'record-undo' ? { id: 4, node: 'charge' } : 4;
    return {
      ...{ did, token: did === 'birth-token' ? birth : 2, scope: did === 'open-scope' ? scope : 3 },
      ...{ latch, undo, error, fault: error, node: 'other', name: 'x', value: 1, worker: 'w' },
      ...{ wait: { on: 'time' }, wake: { reason: 'event', payload: null }, availableAt: 1_000 },
      ...{ act: { verb: 'cancel', by: null }, entry: { at: 1, by: 'ann', did: 'claim' } },
      ...{ instance: { flow: 'order', flowVersion: 1, input: null }, flowVersion: 2, as: 'failed' },
      ...{ why: 'failed', space: 'vars', post: {}, letter: {}, stalled: { reason: 'join' } },
    };
  }
});

test('a commit of the engine alone tells who goes on', () => {
  const births = [1, 2, 3].map((id) => ({
    ...{ did: 'birth-token', token: { id, scope: 1, node: 'wrap', status: 'ready' } },
  }));
  const changes = [{ did: 'end-token', token: 9, why: 'done' }, ...births];
  const text = commitText({ n: 2, at: 1, commitId: null, changes }, () => 'pack');
  expect(text).toMatchObject({ headline: 'pack is done', next: 'then 3 × wrap' });
});
