/** What visits are made of real histories, and of crafted ones where a time has to be exact. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { chain, completed, Fatal, flow } from '../../src/index.ts';
import { flowchart } from '../../src/flowchart.ts';
import { serverless } from '../../src/serverless.ts';
import type { Change, Commit } from '../api/shapes.ts';
import { atRest, commitsOf, openPlace, type Place, until } from '../testing/histories.ts';
import { seenBy } from './seen.ts';
import { isFailed, statusOf, type Visit } from './visit.ts';
import { VisitBook, visitsOf } from './visits.ts';

let tries = 0;
const order = flow<{ items: string[] }>('order', { onFailure: 'incident' })
  .step(
    'reserve',
    () => {
      tries += 1;
      if (tries < 3) throw new Error('busy');
      return { shelf: 'A7' };
    },
    { retry: { maxAttempts: 5, delay: '1ms' } },
  )
  .approve('release', { approvers: ['finance'] })
  .map('pack', { over: ({ input }) => input.items }, (b) => b.step('wrap', ({ item }) => item))
  .step('charge', () => {
    throw new Fatal('the card was declined');
  })
  .end();

const parcel = chain('parcel', 1, ['VALIDATE', 'PAY', 'SHIP'], { maxAttempts: 3 });
const damage = flowchart(
  JSON.parse(readFileSync(new URL('../../examples/damage.json', import.meta.url), 'utf8')),
);
const hello = serverless(`document: { dsl: 1.0.3, namespace: play, name: hello, version: 0.1.0 }
do:
  - greet: { set: { text: '\${ "Hello, " + .name }' } }
`);

let place: Place;

beforeAll(async () => {
  const done = () => completed();
  const handlers = {
    ...{ VALIDATE: done, PAY: done, SHIP: done },
    ...{ note: () => 'noted', pay: () => 'paid', assess: () => ({ outcome: 'Granted' }) },
  };
  place = await openPlace([order, parcel, damage, hello], handlers);
});

afterAll(() => place.engine.close());

function of(visits: readonly Visit[], node: string): readonly Visit[] {
  return visits.filter((visit) => visit.node === node);
}

function only(visits: readonly Visit[], node: string): Visit {
  const [first] = of(visits, node);
  if (first === undefined) throw new Error(`${node} was not visited`);
  return first;
}

describe('a flow with retries, people, a map and an incident', () => {
  let commits: readonly Commit[] = [];
  let visits: readonly Visit[] = [];

  beforeAll(async () => {
    tries = 0;
    const { engine } = place;
    const run = await engine.start(order, { items: ['a', 'b'] });
    const task = await until(async () => (await engine.tasks.list({ instance: run.id })).tasks[0]);
    await engine.tasks.decide(task.id, { actor: 'ann', groups: ['finance'], decision: 'approve' });
    await until(async () => (await run.inspect()).incidents.length > 0);
    commits = await commitsOf(run);
    visits = visitsOf(commits);
  });

  test('every attempt is told with its error, its worker and its times', () => {
    const { attempts, how, output, segments } = only(visits, 'reserve');
    expect(attempts.map(({ error }) => error?.message ?? null)).toEqual(['busy', 'busy', null]);
    expect(attempts.every(({ from, to, worker }) => from <= to && worker !== '')).toBe(true);
    expect({ how, output }).toEqual({ how: 'done', output: { shelf: 'A7' } });
    expect(segments.map(({ kind }) => kind)).toContain('retry');
  });

  test('a wait for people is a wait, and what came of it its output', () => {
    const { segments, output, wake, wait } = only(visits, 'release');
    expect(segments.map(({ kind, why }) => `${kind} ${why}`)).toEqual([
      'waiting for people: finance',
    ]);
    expect(output).toMatchObject({ decision: 'approve', by: 'ann' });
    expect(wake?.payload).toMatchObject({ on: 'task' });
    expect(wait?.on).toBe('task');
  });

  test('visits of a map know their item', () => {
    const wraps = of(visits, 'wrap').toSorted((x, y) => (x.index ?? 0) - (y.index ?? 0));
    expect(wraps.map(({ index, item, output }) => [index, item, output])).toEqual([
      [0, 'a', 'a'],
      [1, 'b', 'b'],
    ]);
    expect(only(visits, 'pack').output).toEqual(['a', 'b']);
  });

  test('an incident is open and failed', () => {
    const charge = only(visits, 'charge');
    expect(statusOf(charge)).toBe('incident');
    expect(isFailed(charge)).toBe(true);
    expect(charge.endedN).toBeNull();
    expect(charge.lastError?.message).toBe('the card was declined');
  });

  test('times never go back, and nothing of one visit overlaps', () => {
    for (const { segments, bornAt, endedAt } of visits) {
      let end = bornAt;
      for (const { from, to } of segments) {
        expect(from).toBeGreaterThanOrEqual(end);
        end = to ?? from;
      }
      expect(end).toBeLessThanOrEqual(endedAt ?? end);
    }
  });

  test('read in pieces they are the same', () => {
    const book = new VisitBook();
    for (const commit of commits) {
      book.add(commit);
      book.visits();
    }
    expect(book.visits()).toEqual(visits);
  });

  test('a window that begins later has what began before it, and says so', () => {
    const reserve = visitsOf(commits.slice(1)).find(({ token }) => token === 3);
    expect(reserve).toMatchObject({ isCut: true, node: 'reserve', how: 'done' });
    expect(reserve?.attempts).toHaveLength(3);
  });
});

test('links of a chain begin when their turn has come', async () => {
  const run = await place.engine.start(parcel, { price: 3 });
  await run.result();
  const visits = visitsOf(await commitsOf(run));
  const links = ['VALIDATE', 'PAY', 'SHIP'].map((node) => only(visits, node));
  expect(links.map(({ bornN }) => bornN)).toEqual([1, 1, 1]);
  const starts = links.map(({ startedAt }) => startedAt ?? Number.NaN);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(links.map(({ how, attempts }) => [how, attempts.length])).toEqual(
    Array.from({ length: 3 }, () => ['done', 1]),
  );
});

test('activities of a flowchart tell their outcomes and what they wrote', async () => {
  const run = await place.engine.start('damage', { amount: 5 });
  await atRest(run);
  const visits = visitsOf(await commitsOf(run));
  expect(only(visits, 'register')).toMatchObject({ how: 'done', output: 'noted' });
});

test('a task of a Serverless Workflow has its data as output', async () => {
  const run = await place.engine.start('play.hello', { name: 'Ada' });
  await run.result();
  const visits = visitsOf(await commitsOf(run));
  expect(only(visits, '/do/0/greet').output).toEqual({ text: 'Hello, Ada' });
});

test('a suspended instance is paused, and goes on as what it was', async () => {
  const run = await place.engine.start(order, { items: [] });
  await until(async () => (await run.tokens()).some(({ wait }) => wait?.on === 'task'));
  place.clock.skew += 1_000;
  await run.suspend({ actor: 'ann' });
  place.clock.skew += 5_000;
  await run.resume({ actor: 'ann' });
  const { segments } = only(visitsOf(await commitsOf(run)), 'release');
  expect(segments.map(({ kind }) => kind)).toEqual(['waiting', 'paused', 'waiting']);
  const paused = segments[1];
  expect((paused?.to ?? 0) - (paused?.from ?? 0)).toBeGreaterThanOrEqual(5_000);
});

test('a rerun gives a token another visit, with a key of its own', async () => {
  const run = await place.engine.start(parcel, { price: 3 });
  await run.result();
  await run.rerun('PAY');
  await until(async () => (await run.status()) === 'completed');
  const visits = of(visitsOf(await commitsOf(run)), 'PAY');
  expect(visits.length).toBeGreaterThan(1);
  expect(new Set(visits.map(({ key }) => key)).size).toBe(visits.length);
});

describe('times that are exact', () => {
  const commit = (n: number, at: number, ...changes: readonly Change[]): Commit => ({
    ...{ n, at, commitId: String(n), changes },
  });
  const birth = { did: 'birth-token', token: { id: 2, scope: 1, node: 'pay', status: 'ready' } };
  const claim = (at: number) => ({ did: 'claim-token', token: 2, worker: 'w', at });
  const error = { code: 'x', message: 'down', node: 'pay' };

  test('it is queued until the claim, runs until the commit, and waits to be tried again', () => {
    const [visit] = visitsOf([
      commit(1, 1_000, birth),
      commit(2, 3_000, claim(2_500), {
        ...{ did: 'retry-token', token: 2, error, availableAt: 8_000 },
      }),
      commit(3, 9_500, claim(9_000), { did: 'end-token', token: 2, why: 'done' }),
    ]);
    expect(visit?.segments.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['queued', 1_000, 2_500],
      ['running', 2_500, 3_000],
      ['retry', 3_000, 8_000],
      ['queued', 8_000, 9_000],
      ['running', 9_000, 9_500],
    ]);
  });

  test('whoever is hastened does not wait for the rest of it', () => {
    const [visit] = visitsOf([
      commit(1, 1_000, birth),
      commit(2, 2_000, claim(1_000), {
        ...{ did: 'retry-token', token: 2, error, availableAt: 60_000 },
      }),
      commit(3, 5_000, { did: 'hasten-token', token: 2 }),
    ]);
    expect(visit?.segments.slice(1).map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['retry', 2_000, 5_000],
      ['queued', 5_000, null],
    ]);
  });

  test('a worker that was lost is an attempt', () => {
    const [visit] = visitsOf([
      commit(1, 1_000, birth),
      commit(2, 31_000, claim(1_000), { did: 'recover-token', token: 2, error }),
    ]);
    expect(visit?.attempts).toEqual([{ from: 1_000, to: 31_000, worker: 'w', error }]);
    expect(visit?.segments.at(-1)).toMatchObject({ kind: 'queued', to: null });
  });
});

test('twenty thousand commits are read in less than a tenth of a second', () => {
  const commits: Commit[] = [];
  for (let n = 1; n <= 20_000; n++) {
    const token = { id: n, scope: 1, node: 'wrap', status: 'ready' };
    const at = n * 10;
    const ended = [
      { did: 'claim-token', token: n - 1, worker: 'w', at: at - 2 },
      { did: 'write', scope: 1, space: 'results', name: 'wrap', value: n },
      { did: 'end-token', token: n - 1, why: 'done' },
    ];
    commits.push({
      ...{ n, at, commitId: null },
      changes: [{ did: 'birth-token', token }, ...(n === 1 ? [] : ended)],
    });
  }
  // The fastest of several is what it takes: the machine has other things to do as well.
  const times = Array.from({ length: 12 }, () => {
    const before = performance.now();
    expect(visitsOf(commits)).toHaveLength(20_000);
    return performance.now() - before;
  });
  expect(Math.min(...times)).toBeLessThan(100);
});

test('inner values hide outer ones', () => {
  const scope = { parent: null, owner: null, node: null, index: null, item: null };
  const then = {
    scopes: [
      { ...scope, id: 1, results: { a: 1 }, vars: { x: 'outer', y: 1 } },
      { ...scope, id: 2, parent: 1, results: {}, vars: { x: 'inner' } },
    ],
  };
  expect(seenBy({ scopes: [2, 1] }, then as never)).toEqual({
    ...{ results: { a: 1 }, vars: { x: 'inner', y: 1 } },
  });
});
