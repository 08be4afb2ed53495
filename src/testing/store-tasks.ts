/** What waits for people is found for as long as its token does, and not a commit longer. */
import { describe, expect, test } from 'vitest';
import type { Touched } from '../model/commit.ts';
import type { NodeId, ScopeId } from '../model/ids.ts';
import type { Task } from '../model/task.ts';
import type { FoundTasks, TaskRequest } from '../stores/tasks.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import {
  asking,
  at,
  fenceOf,
  finish,
  latch,
  next,
  restore,
  resume,
  ROOT,
  scope,
  start,
  suspend,
  token,
  tokenId,
} from './store-commits.ts';
import { prune } from './store-pruning.ts';

const ALWAYS = { from: null, to: null };

/** Everything, from the beginning. */
export const ANY_TASK: TaskRequest = {
  ...{ kind: null, instance: null, flow: null, node: null, tenant: null, key: null },
  ...{ assignee: null, unassigned: false, for: null, priority: null },
  ...{ created: ALWAYS, due: ALWAYS, followUp: ALWAYS, order: 'created', after: null, limit: 99 },
};

/** As `instance.token`, in the order found. */
export function namesOf({ tasks }: FoundTasks): string[] {
  return tasks.map(({ instance, token: id }) => `${instance}.${id}`);
}

export async function found(bench: Bench, asked: Partial<TaskRequest> = {}): Promise<string[]> {
  return namesOf(await bench.store.tasks.find({ ...ANY_TASK, ...asked }));
}

export function taskCases(open: OpenBench): void {
  describe('a task', () => {
    lifeCases(open);
  });
  describe('a task that ends with others', () => {
    endCases(open);
  });
  describe('tasks of what is restored', () => {
    restoreCases(open);
  });
}

/** The rows of several. */
function all(...rows: readonly Partial<Touched>[]): Partial<Touched> {
  return {
    tokens: rows.flatMap(({ tokens = [] }) => tokens),
    tasks: rows.flatMap(({ tasks = [] }) => tasks),
  };
}

function closing(...ids: readonly number[]): Partial<Touched> {
  return { endedTokens: ids.map(tokenId), closedTasks: ids.map(tokenId) };
}

const FULL: Task = {
  kind: 'task',
  title: 'look at it, "please"',
  data: { __proto__x: [1, null, { a: '\u0000' }] },
  form: { type: 'object' },
  assignee: 'ann',
  owner: 'bob',
  candidates: { any: ['ann'], users: ['bob'], groups: ['finance'] },
  priority: -5,
  due: at(9),
  followUp: at(8),
  attachments: [{ name: 'file', url: 'https://example.org/1' }],
  trail: [{ at: at(0), by: 'bob', did: 'delegate', to: 'ann' }],
};

const APPROVAL: Task = {
  kind: 'approval',
  approval: {
    seats: [{ name: 'ann' }, { name: 'finance' }],
    rule: { need: 1, per: 'all' },
    votes: [],
    round: 1,
    revisionsMax: 1,
    onTimeout: { do: 'notify' },
  },
  trail: [],
};

function lifeCases(open: OpenBench): void {
  test('comes back with everything that is known of it and of its instance', async () => {
    const bench = await open();
    const head = { key: 'k\u0000', tenant: 'acme', flow: 'claims', flowVersion: 3 };
    const rows = asking(2, FULL, { node: 'check', createdAt: 4, wakeAt: at(9) });
    await bench.given(start('a', { head, rows }));
    const { tasks, next: more } = await bench.store.tasks.find(ANY_TASK);
    const times = { createdAt: at(4), wakeAt: at(9), isSuspended: false };
    expect(tasks).toEqual([
      { instance: 'a', token: 2, node: 'check', ...head, ...times, task: FULL },
    ]);
    expect(more).toBeNull();
    expect([tasks[0], tasks[0]?.task, tasks[0]?.task.trail].every(Object.isFrozen)).toBe(true);
  });

  test('has what is not said left out', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: asking(2) }));
    const { tasks } = await bench.store.tasks.find(ANY_TASK);
    const none = { key: null, tenant: null, flow: 'order', flowVersion: 1, wakeAt: null };
    const task = { kind: 'task', trail: [] };
    const times = { createdAt: at(0), isSuspended: false };
    expect(tasks).toEqual([{ instance: 'a', token: 2, node: 'review', ...none, ...times, task }]);
  });

  test('is as it was altered last, and found by that alone', async () => {
    const bench = await open();
    const offered = { candidates: { groups: ['finance'] } };
    await bench.given(start('a', { rows: asking(2, offered) }));
    const mine = { ...offered, assignee: 'ann', priority: 3, due: at(5) };
    await bench.given(next('a', 1, { rows: asking(2, mine) }));
    const asked = { ...{ user: null, groups: ['finance'] }, assigned: true, offered: true };
    expect(await found(bench, { for: asked })).toEqual([]);
    expect(await found(bench, { assignee: 'ann', priority: 3 })).toEqual(['a.2']);
    await bench.given(next('a', 2, { rows: asking(2, offered, { node: 'other' }) }));
    expect(await found(bench, { for: asked, unassigned: true })).toEqual(['a.2']);
    expect(await found(bench, { assignee: 'ann' })).toEqual([]);
    expect(await found(bench, { node: 'other' })).toEqual(['a.2']);
    expect(await found(bench, { node: 'review' })).toEqual([]);
  });

  test('is gone with the commit in which its token waits for nobody', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: all(asking(2), asking(3)) }));
    // It goes on as the same token, as it does where the closures of a flow are not at hand.
    const rows = { tokens: [token(2)], closedTasks: [tokenId(2)] };
    await bench.given(next('a', 1, { rows }));
    expect(await found(bench)).toEqual(['a.3']);
    const claim = await bench.claimFirst();
    await bench.given(next('a', 2, { fence: fenceOf(claim), rows: { ...closing(3), tokens: [] } }));
    expect(await found(bench)).toEqual([]);
  });

  test('is there or gone with its commit, whatever becomes of others in the batch', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: asking(2) }), start('b'));
    const outcomes = await bench.store.commit([
      next('a', 9, { rows: closing(2) }),
      next('b', 1, { rows: asking(3) }),
      start('c', { rows: asking(2) }),
      start('a', { rows: asking(5), commitId: 'again' }),
      next('c', 1, { rows: all(asking(2, { assignee: 'ann' }), asking(4)) }),
      next('b', 2, { rows: closing(3) }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      ...['stale', 'committed', 'committed', 'exists', 'committed', 'committed'],
    ]);
    expect(await found(bench)).toEqual(['a.2', 'c.2', 'c.4']);
    expect(await found(bench, { assignee: 'ann' })).toEqual(['c.2']);
  });

  test('of a name that no database keeps is refused, and nothing is written', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const rows = asking(3, { assignee: 'half \ud800' });
    expect(await bench.commit(next('a', 1, { rows }))).toMatchObject({
      outcome: 'failed',
      error: { code: 'store.refused' },
    });
    expect(await found(bench)).toEqual([]);
    await bench.given(next('a', 1));
  });

  test('stays while its instance is suspended', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: asking(2) }), suspend('a', 1));
    expect(await found(bench)).toEqual(['a.2']);
    await bench.given(resume('a', 2, 2, { rows: asking(3) }));
    expect(await found(bench)).toEqual(['a.2', 'a.3']);
  });

  test('is under the name and the version that its instance has moved to', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: all(asking(2), asking(3)) }));
    await bench.given(
      next('a', 1, { head: { flowVersion: 2 }, rows: asking(2, {}, { node: 'check' }) }),
    );
    const { tasks } = await bench.store.tasks.find(ANY_TASK);
    expect(tasks).toMatchObject([
      { token: 2, node: 'check', flowVersion: 2 },
      { token: 3, node: 'review', flowVersion: 2 },
    ]);
  });

  test('of an approval is open to those who have not voted, or to its submitter', async () => {
    const bench = await open();
    const { approval } = APPROVAL;
    if (approval === undefined) throw new Error('an approval has one');
    const may = (...groups: string[]) =>
      found(bench, { for: { user: 'ann', groups, assigned: true, offered: true } });
    await bench.given(start('a', { rows: asking(2, APPROVAL) }));
    expect([await may(), await may('finance')]).toEqual([['a.2'], ['a.2']]);
    const vote = { seat: 'ann', actor: 'ann', decision: 'approve', at: at(1) } as const;
    const voted = { ...APPROVAL, approval: { ...approval, votes: [vote] } };
    await bench.given(next('a', 1, { rows: asking(2, voted) }));
    expect([await may(), await may('finance')]).toEqual([[], ['a.2']]);
    const back = { ...approval, votes: [], submitter: 'ann', returned: true } as const;
    await bench.given(next('a', 2, { rows: asking(2, { ...APPROVAL, approval: back }) }));
    expect([await may(), await may('finance')]).toEqual([['a.2'], ['a.2']]);
    const groups = { user: null, groups: ['finance', 'ann'], assigned: true, offered: true };
    expect(await found(bench, { for: groups })).toEqual([]);
  });
}

function endCases(open: OpenBench): void {
  const MANY = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

  test.each([
    ['few', [2, 3]],
    ['many', MANY],
  ])('is gone with its instance, if they are %s', async (_how, ids) => {
    const bench = await open();
    const rows = all(...ids.map((id) => asking(id, { candidates: { any: ['ann', 'bob'] } })));
    await bench.given(start('a', { rows }), start('b', { rows }));
    expect(await found(bench)).toHaveLength(ids.length * 2);
    await bench.given(finish('a', 1, { rows: { ...closing(...ids), closedScopes: [ROOT] } }));
    expect(await found(bench)).toEqual(ids.map((id) => `b.${id}`));
    const ann = { user: 'ann', groups: [], assigned: false, offered: true };
    expect(await found(bench, { for: ann })).toEqual(ids.map((id) => `b.${id}`));
    await bench.given(finish('b', 1, { head: { status: 'canceled' }, rows: closing(...ids) }));
    expect(await found(bench)).toEqual([]);
    expect(await found(bench, { instance: 'b' })).toEqual([]);
  });

  test('is gone with its scope, and the others stay', async () => {
    const bench = await open();
    const inner = scope(5, { parent: ROOT, owner: tokenId(2), node: 'box' as NodeId, index: 0 });
    const rows = { ...all(asking(3), asking(4)), scopes: [scope(1), inner] };
    await bench.given(start('a', { rows }));
    const over = { ...closing(4), closedScopes: [5 as ScopeId], droppedLatches: [latch(1)] };
    await bench.given(next('a', 1, { rows: over }));
    expect(await found(bench)).toEqual(['a.3']);
  });

  test('leaves nothing for whoever prunes its instance, or has its id afterwards', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: asking(2) }), finish('a', 1, { rows: closing(2) }));
    expect(await prune(bench)).toMatchObject([{ pruned: 1 }]);
    await bench.given(start('a'), next('a', 1, { rows: asking(2, { assignee: 'ann' }) }));
    expect(await found(bench)).toEqual(['a.2']);
  });
}

function restoreCases(open: OpenBench): void {
  test('are open again if they were, of what is over', async () => {
    const bench = await open();
    const rows = all(asking(2, { assignee: 'ann' }), asking(3));
    await bench.given(start('a', { rows }), finish('a', 1, { rows: closing(2, 3) }));
    expect(await found(bench)).toEqual([]);
    await bench.given(restore('a', 2, { rows: { bornAfter: 30, ...rows } }));
    expect(await found(bench)).toEqual(['a.2', 'a.3']);
    expect(await found(bench, { assignee: 'ann' })).toEqual(['a.2']);
    await bench.given(finish('a', 3, { rows: closing(2, 3) }));
    expect(await found(bench)).toEqual([]);
  });

  test('are as they were, and no others, of what is open', async () => {
    const bench = await open();
    const ann = asking(2, { assignee: 'ann' });
    await bench.given(start('a', { rows: all(ann, asking(3), asking(4, { priority: 1 })) }));
    const back = { ...all(asking(2, { candidates: { any: ['bob'] } }), asking(5)), ...closing(3) };
    const rows = { bornAfter: 30, ...back };
    await bench.given(restore('a', 1, { rows }));
    expect(await found(bench)).toEqual(['a.2', 'a.4', 'a.5']);
    expect(await found(bench, { assignee: 'ann' })).toEqual([]);
    const bob = { user: 'bob', groups: [], assigned: false, offered: true };
    expect(await found(bench, { for: bob })).toEqual(['a.2', 'a.4', 'a.5']);
  });

  test('are those of a new one, that begins as another once was', async () => {
    const bench = await open();
    await bench.given(start('b', { rows: { ...asking(7), bornAfter: 0, restoring: true } }));
    expect(await found(bench)).toEqual(['b.7']);
    expect((await bench.load('b')).tokens).toMatchObject([{ id: 7, wait: { on: 'task' } }]);
  });
}
