/**
 * A plain commit by both ways, each into a schema of its own: `commit_one` and `commit_round` leave
 * the same rows and give the same answer. They are sent without the long way behind them, which
 * would do what either of them refuses.
 */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { EdgeId, InstanceId } from '../../model/ids.ts';
import { everyRowOf, freshSchema } from '../../testing/postgres-schema.ts';
import { PostgresStores } from '../../testing/postgres-stores.ts';
import { at, finish, next, start, T0, token, tokenId, value } from '../../testing/store-commits.ts';
import type { CommitAnswer } from '../outcomes.ts';
import type { Commit, Fence } from '../store.ts';
import { encodeCommit } from '../writes.ts';
import { Driver } from './driver.ts';
import { isRefused, listedOf, sendingOf } from './once.ts';
import { roundsOf } from './round.ts';
import { askForOne } from './single.ts';

const stores = new PostgresStores();
const drivers: Driver[] = [];
afterEach(async () => {
  await Promise.all(drivers.splice(0).map((driver) => driver.close()));
  await stores.close();
});
afterAll(() => stores.drop());

const TABLES = ['instance', 'instance_input', 'business_key', 'token', 'scope', 'variable'];
const LEASE_MS = 1_000;
const TOLD = T0 + 50;
/** The text, and a parameter of the function each. */
const WORDS = 1 + 62;
/** What is quoted, what is escaped, what Postgres does not keep, and what stands for it. */
const ODD = 'a"b\\c,{d}\u0000\u2400e\'';

const take = { worker: 'ann', leaseMs: LEASE_MS, tokens: [tokenId(2)] };
const taken3 = { ...take, tokens: [tokenId(3)] };
/** What everyone but a start goes on with: token 2 is Ann's, and there are two values. */
const begun: Commit = start('a', {
  take,
  rows: { values: [value('vars', 'x', 1), value('vars', 'y', 2)] },
});

function fence(fields: Partial<Fence> = {}): Fence {
  const instance = 'a' as InstanceId;
  return { instance, token: tokenId(2), worker: 'ann', version: 1, expired: false, ...fields };
}

/** As the kernel makes them: what has a greater id is new. */
const born = { bornAfter: 2 };
const ends = { ...born, endedTokens: [tokenId(2)] };
const added = { ...value('results', 'z', { is: 'new' }), isNew: true };

const STARTS: readonly (readonly [string, Commit])[] = [
  ['a token that is ready', start('a')],
  ['a token that is taken', start('a', { take })],
  ['no token at all', start('a', { rows: { tokens: [] } })],
  [
    'tenant, input and parent',
    start('a', {
      take,
      head: {
        ...{ tenant: 't', input: { of: [ODD] }, priority: 7 },
        parent: { instance: 'p' as InstanceId, token: tokenId(9) },
      },
    }),
  ],
  ['a key', start('a', { take, head: { key: 'k', input: 1 } })],
  ['an odd key', start('a', { take, head: { key: ODD } })],
  ['an odd tenant', start('a', { take, head: { tenant: '' } })],
];

const STEPS: readonly (readonly [string, Commit])[] = [
  ['nothing but its head', next('a', 1)],
  [
    'the next token, taken, and a new value',
    next('a', 1, {
      fence: fence(),
      take: taken3,
      rows: { ...ends, tokens: [token(3)], values: [added] },
    }),
  ],
  [
    'the next token, ready, and a value that was there',
    next('a', 1, {
      fence: fence(),
      rows: { ...ends, tokens: [token(3)], values: [value('vars', 'x', ODD)] },
    }),
  ],
  [
    'a token that waits for its time',
    next('a', 1, {
      fence: fence(),
      rows: {
        ...ends,
        tokens: [
          token(3, {
            ...{
              status: 'waiting',
              handler: null,
              wait: { on: 'time' },
              wakeAt: at(9),
              via: ODD as EdgeId,
            },
          }),
        ],
      },
    }),
  ],
  ['its claim, whose token stays', next('a', 1, { fence: fence(), rows: born })],
  ['a value in a scope of its own', next('a', 1, { rows: { values: [value('vars', ODD, 1, 5)] } })],
  [
    'the end of all',
    finish('a', 1, { fence: fence(), head: { output: [ODD], outcome: 'compensated' }, rows: ends }),
  ],
  [
    'a scope that closes, and a value in it',
    next('a', 1, { rows: { closedScopes: [added.scope], values: [added] } }),
  ],
];

describe('a plain commit leaves the same rows by either way', () => {
  test.each(STARTS)('a start with %s', async (_what, commit) => {
    const [single, listed] = await byBoth([], commit);
    expect(single).toEqual(listed);
  });

  test.each(STEPS)('a step with %s', async (_what, commit) => {
    const [single, listed] = await byBoth([begun], commit);
    expect(single).toEqual(listed);
  });

  test('a step under a claim that has run out, which it says', async () => {
    const late = TOLD + LEASE_MS + 1;
    const commit = next('a', 1, { fence: fence({ expired: true }), rows: ends });
    const [single, listed] = await byBoth([begun], commit, late);
    expect(single).toEqual(listed);
  });
});

describe('what does not hold is refused by either way, and nothing is written', () => {
  test.each<[string, Commit]>([
    ['an instance that has moved on', next('a', 2)],
    ['an instance that is not there', next('b', 1)],
    ['an instance that is there already', start('a')],
    ['a key that is taken', start('b', { head: { key: 'k' } })],
    ['a claim of another', next('a', 1, { fence: fence({ worker: 'bob' }), rows: ends })],
    ['a claim of before', next('a', 1, { fence: fence({ version: 2 }), rows: born })],
    ['a claim that holds, said to be over', next('a', 1, { fence: fence({ expired: true }) })],
  ])('%s', async (_what, commit) => {
    const holder = start('c', { head: { key: 'k' } });
    for (const way of WAYS) {
      const { before, after, answer } = await sent(way, [begun, holder], commit);
      expect(isRefused(answer)).toBe(true);
      expect(after).toEqual(before);
    }
  });

  test('a claim that has run out meanwhile', async () => {
    const late = TOLD + LEASE_MS + 1;
    const commit = next('a', 1, { fence: fence(), rows: ends });
    for (const way of WAYS) {
      const { answer } = await sent(way, [begun], commit, late);
      expect(isRefused(answer)).toBe(true);
    }
  });
});

describe('what is not plain goes as lists', () => {
  test.each<[string, Commit]>([
    ['two tokens', next('a', 1, { rows: { ...born, tokens: [token(3), token(4)] } })],
    ['a token that was there', next('a', 1, { rows: { ...born, tokens: [token(2)] } })],
    ['a token that ends without a claim', next('a', 1, { rows: ends })],
    ['two values', next('a', 1, { rows: { values: [added, value('vars', 'x', 1)] } })],
    ['a message', next('a', 1, { message: 'm' })],
    ['a key of a tenant', start('a', { head: { key: 'k', tenant: 't' }, rows: { tokens: [] } })],
    ['a key that is given back', finish('a', 1, { head: { key: 'k' }, rows: { endedTokens: [] } })],
  ])('%s', (_what, commit) => {
    expect(askForOne(encodeCommit(commit), TOLD)).toBeNull();
  });
});

type Way = 'single' | 'listed';
const WAYS: readonly Way[] = ['single', 'listed'];

async function byBoth(given: readonly Commit[], commit: Commit, told = TOLD): Promise<unknown[]> {
  const all = [];
  for (const way of WAYS) {
    const { before, after, answer } = await sent(way, given, commit, told);
    expect(answer).toMatchObject({ outcome: 'committed', at: told });
    expect(after).not.toEqual(before);
    all.push({ after, answer });
  }
  return all;
}

interface Sent {
  readonly before: unknown;
  readonly after: unknown;
  /** Or what was thrown. */
  readonly answer: unknown;
}

async function sent(
  way: Way,
  given: readonly Commit[],
  commit: Commit,
  told = TOLD,
): Promise<Sent> {
  const schema = freshSchema();
  const bench = await stores.bench({ schema });
  await bench.given(...given);
  const driver = new Driver(stores.url, { schema, poolSize: 1 });
  drivers.push(driver);
  const before = await contents(driver);
  const answer = await send(driver, way, commit, told).catch((thrown: unknown) => thrown);
  return { before, after: await contents(driver), answer };
}

async function send(
  driver: Driver,
  way: Way,
  commit: Commit,
  told: number,
): Promise<CommitAnswer | undefined> {
  const row = encodeCommit(commit);
  const [round] = roundsOf([row]);
  if (round === undefined) throw new Error('a commit is a round');
  const sending = (way === 'single' ? sendingOf : listedOf)(round, told);
  expect(sending.asks.map((ask) => ask.length === WORDS)).toEqual([way === 'single']);
  return sending.answers(await driver.all(...sending.asks)).get(row);
}

async function contents(driver: Driver): Promise<unknown> {
  const all = await driver.all(
    ...[...TABLES, 'history'].map((table) => [everyRowOf(`perdure.${table}`)] as const),
  );
  return all.map((rows) => rows.map((row) => JSON.stringify(row)).toSorted());
}
