/**
 * Three stores, one meaning: whatever is asked of them in the same order they answer the same, and
 * they hold the same afterwards. The cases of the suite say what is right; these say that nothing
 * else differs, either.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { NodeId } from '../model/ids.ts';
import { memory } from '../stores/memory/memory.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import type {
  Claim,
  Commit,
  CommitOutcome,
  Delivery,
  Held,
  Store,
  TokenRef,
} from '../stores/store.ts';
import type { FoundTasks, TaskRequest } from '../stores/tasks.ts';
import { Dice } from './dice.ts';
import { SharedPostgres } from './postgres-shared.ts';
import {
  fenceOf,
  finish,
  idOf,
  listening,
  next,
  post,
  ROOT,
  scope,
  start,
  T0,
  token,
  tokenId,
  undo,
} from './store-commits.ts';
import { ANY_TASK } from './store-tasks.ts';
import { type Asked, HANDLERS, KEYS, MESSAGES, StoreScript } from './store-script.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-alike-'));
const shared = new SharedPostgres();
const clock = { ms: 0 };
const time = (): number => T0 + clock.ms;
afterAll(async () => {
  await shared.close();
  rmSync(folder, { recursive: true });
});

let files = 0;
async function openAll(): Promise<readonly [Store, Store, Store]> {
  files += 1;
  clock.ms = 0;
  const path = join(folder, `${files}.db`);
  const stores = [
    memory({ clock: time }),
    sqlite(path, { clock: time, durability: 'relaxed' }),
    shared.storeFor(time),
  ] as const;
  await Promise.all(stores.map((store) => store.open()));
  return stores;
}

/** Everything that can be seen of a store. */
async function look(store: Store, commits: readonly Commit[]): Promise<Record<string, unknown>> {
  const ids = await store.scan(null, 1_000);
  return {
    ids,
    instances: await store.load([...ids, ...ids.slice(0, 1), idOf('nobody')]),
    histories: await Promise.all(
      ids.map((instance) => store.history({ instance, after: 0, limit: 1_000 })),
    ),
    snapshots: await Promise.all(ids.map((id) => store.snapshot(id, 1_000))),
    dropped: await Promise.all(ids.map((id) => store.dropped(id))),
    keys: await Promise.all(KEYS.map((key) => store.findByKey('order', key, null))),
    recalled: await store.recall([...commits, ...commits.slice(-1)]),
    due: (await store.due(1_000)).toSorted(byName),
    expired: (await store.expired(1_000)).toSorted((a, b) => a.until - b.until || byName(a, b)),
    inOrder: (await store.expired(1_000)).map(({ until }) => until),
    outlook: await store.outlook(ANY),
    ...(await lookForMessages(store)),
    ...(await lookForLetters(store)),
    ...(await lookForTasks(store)),
    // In order within an instance; between two of one batch there is none.
    posts: (await store.posts(1_000)).toSorted((a, b) => Number(a.instance > b.instance) - 0.5),
  };
}

/** Of those that are due at the same moment, any may come first. */
function byName(a: TokenRef, b: TokenRef): number {
  return a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : a.token - b.token;
}

/** In which order they are delivered is nobody's promise. */
async function lookForMessages(store: Store): Promise<Record<string, unknown>> {
  const nameOf = ({ message, instance, token, published }: Delivery): string =>
    `${message.id} to ${instance}.${token}: ${published ?? 'no news'}`;
  const names = (found: readonly Delivery[]): string[] => found.map(nameOf).toSorted();
  const rows = await store.load(await store.scan(null, 1_000));
  const tokens = rows.flatMap((one) => {
    return (one?.tokens ?? []).map(({ id }) => ({ instance: idOf(one?.head.id ?? ''), token: id }));
  });
  const asked = await Promise.all(tokens.map((ref) => store.deliverableTo([ref])));
  return {
    asked: asked.map(names),
    deliverable: names(await store.deliverable(1_000)),
    pending: (await store.pending({ limit: 1_000 })).map(({ n: _n, ...rest }) => rest),
    each: await Promise.all(MESSAGES.map(async (id) => names(await store.deliverable(1_000, id)))),
  };
}

/** In order within an instance; between two of one batch there is none. */
async function lookForLetters({ letters }: Store): Promise<Record<string, unknown>> {
  const all = { status: null, type: null, instance: null, after: 0, limit: 1_000 };
  const rows = (await letters.list(all)).map(({ place: _place, ...rest }) => rest);
  return {
    letters: rows.toSorted((a, b) => Number(a.instance > b.instance) - 0.5),
    lateLetters: (await letters.expired(1_000)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** In every order, and page by page; all of them, and what somebody can do. */
async function lookForTasks(store: Store): Promise<Record<string, unknown>> {
  const ann = { user: 'ann', groups: ['staff'], assigned: true, offered: true };
  const asked: readonly Partial<TaskRequest>[] = [
    {},
    { order: 'due', for: ann, limit: 3 },
    { order: 'priority', assignee: 'bob' },
    { order: 'due', key: 'k' },
  ];
  const tasks = await Promise.all(
    asked.map(async (request) => {
      const pages: FoundTasks[] = [];
      do {
        const after = pages.at(-1)?.next ?? null;
        pages.push(await store.tasks.find({ ...ANY_TASK, ...request, after }));
      } while (pages.at(-1)?.next !== null);
      return pages;
    }),
  );
  return { tasks };
}

/** An error is compared by its code: each database says why in its own words. */
function plain(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  return answer.map((item: CommitOutcome) =>
    item?.outcome === 'failed' ? { outcome: 'failed', code: item.error.code } : item,
  );
}

function claimsIn(answer: unknown): readonly Claim[] {
  const items: unknown[] = Array.isArray(answer) ? answer : [answer];
  return items.flatMap((item) => {
    if (typeof item !== 'object' || item === null) return [];
    if ('taken' in item) return item.taken as readonly Claim[];
    return 'until' in item ? [item as Claim] : [];
  });
}

/** Asks each store, and looks at all of it afterwards. Gives back what they answered. */
async function play(
  stores: readonly Store[],
  asked: Asked,
  commits: readonly Commit[],
): Promise<unknown> {
  const [answer, ...others] = await Promise.all(stores.map((store) => asked.ask(store)));
  for (const other of others) expect(plain(other), asked.what).toEqual(plain(answer));
  const [seen, ...more] = await Promise.all(stores.map((store) => look(store, commits)));
  for (const other of more) expect(other, asked.what).toEqual(seen);
  return answer;
}

const commit = (...commits: Commit[]): Asked => ({
  what: commits.map(({ commitId }) => commitId).join(', '),
  commits,
  ask: (store) => store.commit(commits),
});

const ask = (what: string, use: (store: Store) => Promise<unknown>): Asked => ({
  what,
  commits: [],
  ask: use,
});

const ANY = { handlers: HANDLERS, schedules: { flows: [] }, letters: null, messages: true };
const CLAIM = { worker: 'ann', handlers: HANDLERS, limit: 9, leaseMs: 1_000 };
const KEYED = { head: { key: 'k' } };
const FAULT = { code: 'REFUSED', message: 'too late', node: 'work' as NodeId, details: {} };
const claim = ask('claim', (store) => store.claim(CLAIM));
const held = (name: string, id: number): Held => {
  return { instance: idOf(name), token: tokenId(id), version: 1, worker: 'ann' };
};
const FOR_C = { type: 'paid', key: '', instance: idOf('c'), data: null, ttlMs: 1_000 };

const paid = (id: string, ttlMs = 1_000): Asked =>
  ask(`publish ${id}`, (store) =>
    store.publish({ id, type: 'paid', key: 'k', data: { id }, ttlMs }),
  );

/** Two steps that can be undone, the second of which fails; one undo goes wrong, and it says so. */
const SAGA: readonly Asked[] = [
  commit(start('s', { head: { key: 'k' }, rows: { scopes: [scope(1), scope(3, { item: 0 })] } })),
  claim,
  commit(
    next('s', 1, {
      head: { key: 'k' },
      fence: fenceOf(held('s', 2)),
      take: { worker: 'ann', leaseMs: 1_000, tokens: [tokenId(5)] },
      rows: {
        endedTokens: [tokenId(2)],
        tokens: [token(5), token(4, { handler: HANDLERS[1] ?? null })],
        undos: [
          undo(6, { result: ['seat', null] }),
          undo(7, { inDoubt: true, index: 1, item: 'i' }),
        ],
      },
    }),
  ),
  commit(
    next('s', 2, {
      head: { key: 'k', status: 'compensating', fault: FAULT },
      fence: fenceOf(held('s', 5)),
      rows: {
        endedTokens: [tokenId(5)],
        tokens: [token(8, { mode: 'compensation', priority: 2 })],
        scopes: [scope(3, { drains: ROOT, item: 0 })],
        undos: [undo(7, { inDoubt: true, index: 1, item: 'i', by: tokenId(8) })],
      },
    }),
  ),
  claim,
  ask('renew', (store) => store.renew([held('s', 8), held('s', 4), held('s', 5)], 5_000)),
  commit(
    next('s', 3, {
      head: { key: 'k', status: 'compensating', fault: FAULT },
      fence: fenceOf(held('s', 8)),
      rows: {
        endedTokens: [tokenId(8)],
        tokens: [token(9, { mode: 'compensation' })],
        undos: [
          undo(7, { status: 'failed', by: tokenId(8), fault: FAULT, inDoubt: true }),
          undo(6, { by: tokenId(9) }),
        ],
      },
    }),
  ),
  commit(next('s', 4, { head: { key: 'k' }, fence: fenceOf(held('s', 4)) }), start('t', KEYED)),
  commit(
    finish('s', 5, {
      head: { key: 'k', status: 'failed', outcome: 'compensated', fault: FAULT },
      rows: {
        undos: [undo(6, { status: 'completed' })],
        endedTokens: [tokenId(9), tokenId(4)],
        closedScopes: [scope(1).id, scope(3).id],
      },
    }),
    start('t', KEYED),
  ),
];

/** An early message, one that two wait for, one that is over; and posts that are carried. */
const MAIL: readonly Asked[] = [
  paid('m1'),
  paid('m2', 10),
  commit(
    start('a', { rows: { ...listening(3, 'paid', 'k'), posts: [post('p1'), post('p2', 1)] } }),
    start('b', { rows: listening(3, 'paid', 'k') }),
    start('c', { rows: { ...listening(3, 'paid', 'l'), posts: [post('p3')] } }),
    next('a', 1, { rows: { posts: [post('p4'), post('p1')] } }),
  ),
  ask('one for c', (store) => store.publish({ ...FOR_C, id: 'm4' })),
  ask('one for nobody', (store) => store.publish({ ...FOR_C, instance: idOf('z'), id: 'm5' })),
  commit(next('c', 1, { head: { status: 'suspended' }, rows: { pausing: true } })),
  commit(next('c', 2, { rows: { pausing: true } })),
  commit(next('c', 3, { message: 'm4', rows: { unsubscribed: [tokenId(3)] } })),
  ask('consume too early', (store) => store.consume(['m1'])),
  commit(next('a', 2, { message: 'm1', rows: { unsubscribed: [tokenId(3)], tokens: [token(3)] } })),
  commit(next('a', 3, { message: 'm1' }), next('b', 1, { message: 'm2' })),
  ask('posts of others', (store) => store.posts(9, [idOf('a')])),
  ask('carry', (store) => store.carried(['p1', 'p3', 'p3', 'nothing'])),
  ask('consume', (store) => store.consume(['m1'])),
  ask('knows', (store) => store.knows('m1')),
  paid('m1'),
  ask('time goes by', async () => {
    clock.ms = 11;
  }),
  paid('m2'),
  paid('m3'),
  commit(
    finish('b', 2, {
      message: 'm3',
      rows: { endedTokens: [tokenId(2), tokenId(3)], unsubscribed: [tokenId(2), tokenId(3)] },
    }),
    next('c', 4, { message: 'm3' }),
  ),
];

describe('memory, SQLite and Postgres', () => {
  test.each([10, 40])('answer alike and hold the same, seed %i', async (seed) => {
    const stores = await openAll();
    const script = new StoreScript(new Dice(seed), stores[0], clock);
    const commits: Commit[] = [];
    for (let i = 0; i < 60; i += 1) {
      const asked = await script.draw();
      commits.push(...asked.commits);
      script.noteClaims(claimsIn(await play(stores, asked, commits)));
    }
    await Promise.all(stores.map((store) => store.close()));
  });

  test.each([
    [
      'a saga',
      SAGA,
      'committed committed committed committed committed exists committed committed',
    ],
    [
      'messages and posts',
      MAIL,
      'committed committed committed committed committed committed committed committed delivered ' +
        'committed committed committed',
    ],
  ])('answer alike and hold the same, in %s', async (_what, script, expected) => {
    const stores = await openAll();
    const commits: Commit[] = [];
    const words: string[] = [];
    for (const asked of script) {
      commits.push(...asked.commits);
      const answer = await play(stores, asked, commits);
      if (asked.commits.length > 0) words.push(...wordsOf(answer as readonly CommitOutcome[]));
    }
    expect(words.join(' ')).toBe(expected);
    await Promise.all(stores.map((store) => store.close()));
  });
});

function wordsOf(outcomes: readonly CommitOutcome[]): string[] {
  return outcomes.map(({ outcome }) => outcome);
}
