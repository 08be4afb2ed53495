/** Looking for tasks: by anything that is known of them, in three orders, page by page. */
import { describe, expect, test } from 'vitest';
import type { Task } from '../model/task.ts';
import type { TaskAudience, TaskOrder, TaskPlace, TaskRequest } from '../stores/tasks.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { asking, at, finish, idOf, next, start, tokenId } from './store-commits.ts';
import { ANY_TASK, found, namesOf } from './store-tasks.ts';

export function taskSearchCases(open: OpenBench): void {
  describe('tasks are found', () => {
    filterCases(open);
  });
  describe('tasks for somebody', () => {
    audienceCases(open);
  });
  describe('tasks in order', () => {
    orderCases(open);
  });
}

/** Three instances of two flows and two tenants, with a task or two each. */
async function some(open: OpenBench): Promise<Bench> {
  const bench = await open();
  const second = asking(3, { kind: 'approval', due: at(20) }, { node: 'approve', createdAt: 5 });
  const first = asking(2, { assignee: 'ann', priority: 5, followUp: at(7) }, { createdAt: 1 });
  const rows = {
    tokens: [...first.tokens, ...second.tokens],
    tasks: [...first.tasks, ...second.tasks],
  };
  await bench.given(
    start('a', { head: { key: 'k1', tenant: 'acme' }, rows }),
    start('b', {
      head: { key: 'k1', tenant: 'other', flow: 'claims' },
      rows: asking(2, { due: at(10), priority: -1 }, { createdAt: 3 }),
    }),
    start('c', { rows: asking(2, { assignee: 'bob', followUp: at(9) }, { createdAt: 2 }) }),
  );
  return bench;
}

const ALL = ['a.2', 'c.2', 'b.2', 'a.3'];

/** What is asked for, and which of them that is. */
const ASKED: readonly [string, Partial<TaskRequest>, readonly string[]][] = [
  ['nothing in particular', {}, ALL],
  ['approvals', { kind: 'approval' }, ['a.3']],
  ['tasks', { kind: 'task' }, ['a.2', 'c.2', 'b.2']],
  ['an instance', { instance: 'a' }, ['a.2', 'a.3']],
  ['an instance that is not there', { instance: 'z' }, []],
  ['a flow', { flow: 'order' }, ['a.2', 'c.2', 'a.3']],
  ['a node', { node: 'approve' }, ['a.3']],
  ['a tenant', { tenant: 'acme' }, ['a.2', 'a.3']],
  ['a tenant that nobody is', { tenant: 'nobody' }, []],
  ['a key', { key: 'k1' }, ['a.2', 'b.2', 'a.3']],
  ['a key that nobody has', { key: 'k' }, []],
  ['a key of one instance', { key: 'k1', instance: 'b' }, ['b.2']],
  ['another key of one instance', { key: 'k1', instance: 'c' }, []],
  ['a key of a flow', { key: 'k1', flow: 'order' }, ['a.2', 'a.3']],
  ['who has it', { assignee: 'ann' }, ['a.2']],
  ['who has it, of a tenant', { assignee: 'ann', tenant: 'other' }, []],
  ['who has it, of an instance', { assignee: 'bob', instance: 'c' }, ['c.2']],
  ['what is nobody’s', { unassigned: true }, ['b.2', 'a.3']],
  ['what is nobody’s of an instance', { unassigned: true, instance: 'a' }, ['a.3']],
  ['when it began', { created: { from: at(2), to: at(5) } }, ['c.2', 'b.2']],
  ['since when', { created: { from: at(3), to: null } }, ['b.2', 'a.3']],
  ['until when', { created: { from: null, to: at(2) } }, ['a.2']],
  ['a date', { due: { from: at(10), to: at(20) } }, ['b.2']],
  ['what is due by then', { due: { from: null, to: at(21) } }, ['b.2', 'a.3']],
  ['what is due after', { due: { from: at(11), to: null } }, ['a.3']],
  ['when to look again', { followUp: { from: at(7), to: at(9) } }, ['a.2']],
  ['from when to look again', { followUp: { from: at(8), to: null } }, ['c.2']],
  ['how urgent', { priority: 0 }, ['a.2', 'c.2', 'a.3']],
  ['very urgent', { priority: 5 }, ['a.2']],
  ['most urgent', { priority: 6 }, []],
  ['an instance and a date', { instance: 'a', due: { from: at(20), to: at(21) } }, ['a.3']],
];

function filterCases(open: OpenBench): void {
  test.each(ASKED)('by %s', async (_what, asked, expected) => {
    const bench = await some(open);
    expect(await found(bench, asked)).toEqual(expected);
    for (const order of ['due', 'priority'] as const) {
      expect((await found(bench, { ...asked, order })).toSorted()).toEqual(expected.toSorted());
    }
  });

  test('by a key that others had before, which are over', async () => {
    const bench = await some(open);
    const gone = { endedTokens: [tokenId(2)], closedTasks: [tokenId(2)] };
    await bench.given(finish('b', 1, { head: { key: 'k1', flow: 'claims' }, rows: gone }));
    expect(await found(bench, { key: 'k1' })).toEqual(['a.2', 'a.3']);
  });

  test('by names that are anything', async () => {
    const bench = await open();
    const name = '"{a},\\ \u0000 é😀 null';
    const rows = asking(2, { assignee: name }, { node: name });
    await bench.given(start('a', { head: { key: name, tenant: name, flow: name }, rows }));
    const given = { assignee: name, node: name, flow: name, tenant: name };
    expect(await found(bench, given)).toEqual(['a.2']);
    expect(await found(bench, { ...given, key: name })).toEqual(['a.2']);
    const candidates = { users: [name], groups: [`${name} group`] };
    await bench.given(next('a', 1, { head: { flow: name }, rows: asking(2, { candidates }) }));
    const audience = { user: name, groups: [`${name} group`], assigned: true, offered: true };
    expect(await found(bench, { for: audience })).toEqual(['a.2']);
    expect(await found(bench, { for: { ...audience, user: null } })).toEqual(['a.2']);
    expect(await found(bench, { for: audience, instance: 'a' })).toEqual(['a.2']);
    expect(await found(bench, { for: { ...audience, user: name, groups: [] } })).toEqual(['a.2']);
  });
}

const ANN: TaskAudience = {
  user: 'ann',
  groups: ['finance', 'staff'],
  assigned: true,
  offered: true,
};

function audienceCases(open: OpenBench): void {
  const TASKS: Readonly<Record<string, Partial<Task>>> = {
    all: {},
    user: { candidates: { users: ['ann'] } },
    group: { candidates: { groups: ['finance'] } },
    name: { candidates: { any: ['ann', 'finance', 'staff', 'bob'] } },
    mine: { assignee: 'ann', candidates: { any: ['ann'] } },
    other: { candidates: { any: ['bob'], users: ['finance'], groups: ['ann'] } },
    theirs: { assignee: 'bob', candidates: { any: ['ann'] } },
  };

  async function offered(): Promise<Bench> {
    const bench = await open();
    const names = Object.keys(TASKS);
    const commits = names.map((name, createdAt) =>
      start(name, { rows: asking(2, TASKS[name], { createdAt }) }),
    );
    await bench.given(...commits);
    return bench;
  }

  const WHOM: readonly [string, TaskAudience, readonly string[]][] = [
    ['that are theirs or may be', ANN, ['all', 'user', 'group', 'name', 'mine']],
    ['that are theirs', { ...ANN, offered: false }, ['mine']],
    ['that may be', { ...ANN, assigned: false }, ['all', 'user', 'group', 'name']],
    ['who is in no group', { ...ANN, groups: [] }, ['all', 'user', 'name', 'mine']],
    ['of a group alone', { ...ANN, user: null }, ['all', 'group', 'name']],
    ['of a group twice', { ...ANN, groups: ['staff', 'staff'] }, ['all', 'user', 'name', 'mine']],
    ['who is anybody', { ...ANN, user: null, groups: [] }, ['all']],
    ['who is nobody', { ...ANN, user: null, groups: [], offered: false }, []],
    ['another', { ...ANN, user: 'bob', groups: [] }, ['all', 'name', 'other', 'theirs']],
  ];

  test.each(WHOM)('%s', async (_whose, audience, expected) => {
    const bench = await offered();
    const names = expected.map((name) => `${name}.2`);
    for (const order of ['created', 'due', 'priority'] as const) {
      const asked = { for: audience, order };
      expect((await found(bench, asked)).toSorted()).toEqual(names.toSorted());
    }
    expect(await found(bench, { for: audience })).toEqual(names);
    // And of each instance the same.
    for (const name of Object.keys(TASKS)) {
      const own = expected.includes(name) ? [`${name}.2`] : [];
      expect(await found(bench, { for: audience, instance: name })).toEqual(own);
    }
  });

  test('are as asked for otherwise, too', async () => {
    const bench = await offered();
    expect(
      await found(bench, { for: ANN, unassigned: true, created: { from: at(1), to: at(3) } }),
    ).toEqual(['user.2', 'group.2']);
    expect(await found(bench, { for: ANN, assignee: 'ann' })).toEqual(['mine.2']);
    expect(await found(bench, { for: ANN, assignee: 'bob' })).toEqual([]);
  });

  test('are each there once, on one page or on many', async () => {
    const bench = await offered();
    expect(await pages(bench, { for: ANN, limit: 2 })).toEqual([
      ['all.2', 'user.2'],
      ['group.2', 'name.2'],
      ['mine.2'],
    ]);
  });
}

/** Page after page, up to the last. */
async function pages(bench: Bench, asked: Partial<TaskRequest>): Promise<string[][]> {
  const all: string[][] = [];
  let after: TaskPlace | null = null;
  do {
    const page = await bench.store.tasks.find({ ...ANY_TASK, ...asked, after });
    all.push(namesOf(page));
    after = page.next;
  } while (after !== null);
  return all;
}

function orderCases(open: OpenBench): void {
  const FIELDS: readonly (readonly [string, number, Partial<Task>])[] = [
    ['a', 3, { priority: 1, due: at(5) }],
    ['b', 1, { due: null, priority: 0 }],
    ['c', 2, { priority: 9, due: at(5) }],
    ['d', 1, { due: at(1) }],
    ['e', 2, { priority: -2 }],
  ];

  async function ordered(): Promise<Bench> {
    const bench = await open();
    const commits = FIELDS.map(([name, createdAt, fields]) => {
      const [one, two] = [7, 12].map((id) => asking(id, fields, { createdAt }));
      const rows = [one, two].filter((row) => row !== undefined);
      const tokens = rows.flatMap((row) => row.tokens);
      const tasks = rows.flatMap((row) => row.tasks);
      return start(name, { head: { tenant: 'acme', key: 'k' }, rows: { tokens, tasks } });
    });
    // Of one key, each of a flow of its own.
    await bench.given(
      ...commits.map((commit, index) => {
        const head = { ...commit.touched.head, flow: `flow${index}` };
        return { ...commit, touched: { ...commit.touched, head } };
      }),
    );
    return bench;
  }

  const BY: readonly [TaskOrder, string][] = [
    ['created', 'b d c e a'],
    ['due', 'd a c b e'],
    ['priority', 'c a b d e'],
  ];
  /** All of these are all there are, and found in other ways. */
  const WAYS: readonly [string, Partial<TaskRequest>][] = [
    ['all', {}],
    ['a tenant’s', { tenant: 'acme' }],
    ['a key’s', { key: 'k' }],
    ['somebody’s', { for: ANN }],
  ];
  const cases = BY.flatMap(([order, names]) =>
    WAYS.map(([what, way]) => [what, order, names, way] as const),
  );

  test.each(cases)('%s, by %s: %s', async (_what, order, names, way) => {
    const bench = await ordered();
    const expected = names.split(' ').flatMap((name) => [`${name}.7`, `${name}.12`]);
    expect(await found(bench, { ...way, order })).toEqual(expected);
    for (const limit of [1, 3, 5, 10]) {
      const cut = await pages(bench, { ...way, order, limit });
      expect(cut.flat()).toEqual(expected);
      expect(cut.map(({ length }) => length)).toEqual(sizes(10, limit));
    }
  });

  test('begin where they are to, though the one before is gone', async () => {
    const bench = await ordered();
    const first = await bench.store.tasks.find({ ...ANY_TASK, limit: 3 });
    expect(first.next).toEqual({ rank: at(1), instance: 'd', token: 7 });
    const rows = { endedTokens: [tokenId(7)], closedTasks: [tokenId(7)] };
    const head = { tenant: 'acme', key: 'k', flow: 'flow3' };
    await bench.given(next('d', 1, { head, rows }));
    const rest = await bench.store.tasks.find({ ...ANY_TASK, after: first.next, limit: 3 });
    expect(namesOf(rest)).toEqual(['d.12', 'c.7', 'c.12']);
  });

  test('keep to their bounds on every page', async () => {
    const bench = await ordered();
    const due = { from: at(1), to: at(6) };
    expect(await pages(bench, { order: 'due', due, limit: 4 })).toEqual([
      ['d.7', 'd.12', 'a.7', 'a.12'],
      ['c.7', 'c.12'],
    ]);
    expect(await pages(bench, { order: 'priority', priority: 1, limit: 3 })).toEqual([
      ['c.7', 'c.12', 'a.7'],
      ['a.12'],
    ]);
    const created = { from: at(2), to: at(3) };
    expect(await pages(bench, { created, limit: 3 })).toEqual([['c.7', 'c.12', 'e.7'], ['e.12']]);
  });

  test('stand by the bytes of their instances where nothing else tells', async () => {
    const bench = await open();
    const ids = ['z', '\uffee', '\u{1f600}', 'Z'];
    await bench.given(...ids.map((id) => start(id, { rows: asking(2) })));
    const byBytes = ['Z', 'z', '\uffee', '\u{1f600}'].map((id) => [`${idOf(id)}.2`]);
    expect(await pages(bench, { limit: 1 })).toEqual(byBytes);
    expect(await pages(bench, { limit: 1, for: ANN })).toEqual(byBytes);
  });
}

/** How full pages are. */
function sizes(count: number, limit: number): number[] {
  const whole = Array.from({ length: Math.floor(count / limit) }, () => limit);
  return count % limit === 0 ? whole : [...whole, count % limit];
}
