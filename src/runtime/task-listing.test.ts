/** Finding tasks by the engine, on every store; and filters, ids and people that mean nothing. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import type { TaskFilter } from './task-filter.ts';
import { COMMENT_CHARS_MAX } from './task-options.ts';

interface Job {
  readonly name: string;
  readonly assignee?: string;
  readonly candidates?: readonly string[];
  readonly priority?: number;
  readonly due?: string;
}

const job = flow<Job>('job')
  .task('do', {
    title: ({ input }) => input.name,
    assignee: ({ input }) => input.assignee ?? null,
    candidates: ({ input }) => input.candidates ?? null,
    priority: ({ input }) => input.priority ?? null,
    due: ({ input }) => input.due ?? null,
  })
  .end();

const vote = flow<Job>('vote')
  .approve('ok', {
    approvers: ({ input }) => input.candidates ?? [],
    title: 'vote',
    rule: 'unanimous',
  })
  .end();

const JOBS: readonly Job[] = [
  { name: 'anns', assignee: 'ann', priority: 5 },
  { name: 'sales', candidates: ['sales'], due: '2d' },
  { name: 'bobs', assignee: 'bob', due: '1d' },
  { name: 'ann or ops', candidates: ['ann', 'ops'], priority: 9 },
  { name: 'anyones' },
];

/** One after the other, a minute apart, so that their order is theirs. */
async function opened(lab: Lab): Promise<void> {
  for (const each of JOBS) {
    await lab.engine.start(job, each, { id: each.name, key: each.name });
    await lab.advance('1m');
  }
  await lab.engine.start(vote, { name: 'v', candidates: ['ann', 'ops'] }, { tenant: 't' });
  await lab.settle();
}

onEveryStore('a list of tasks', (open) => {
  test('says when an approval times out, and whose instance is suspended', async () => {
    const ask = flow('ask')
      .approve('ok', { approvers: ['ann'], timeout: '1h', onTimeout: 'reject' })
      .end(({ results }) => results.ok.decision);
    const { lab, run } = await begin(open, ask);
    const seen = async (): Promise<object> => {
      const [listed] = (await lab.engine.tasks.list({ instance: run.id })).tasks;
      expect(await lab.engine.tasks.get(listed?.id ?? '')).toEqual(listed);
      if (listed?.kind !== 'approval') throw new Error('no approval is open');
      return { suspended: listed.suspended, in: (listed.timeoutAt ?? 0) - lab.now };
    };
    const hour = 3_600_000;
    expect(await seen()).toEqual({ suspended: false, in: hour });
    await lab.advance('10m');
    await run.suspend();
    expect(await seen()).toEqual({ suspended: true, in: hour - 600_000 });
    await lab.advance('2h');
    await run.resume();
    expect(await seen()).toEqual({ suspended: false, in: hour - 600_000 });
    await lab.advance('1h');
    expect(await run.result()).toBe('reject');
  });

  const titles = async (lab: Lab, filter: TaskFilter = {}): Promise<unknown[]> =>
    (await lab.engine.tasks.list(filter)).tasks.map(({ title }) => title);
  const begun = async (): Promise<Lab> => {
    const lab = await open([job, vote]);
    await opened(lab);
    return lab;
  };

  test('shows each as it is looked at, oldest first', async () => {
    const lab = await begun();
    const { tasks, cursor } = await lab.engine.tasks.list();
    expect(cursor).toBeNull();
    expect(tasks.map(({ title }) => title)).toEqual([...JOBS.map(({ name }) => name), 'vote']);
    for (const task of tasks) expect(await lab.engine.tasks.get(task.id)).toEqual(task);
  });

  test('leaves out what they have voted on, though a group of theirs still has a say', async () => {
    const lab = await open([vote]);
    for (const id of ['a', 'b', 'c', 'd']) {
      await lab.engine.start(vote, { name: id, candidates: ['ops', 'board'] }, { id });
      await lab.settle();
    }
    const eve = { actor: 'eve', groups: ['ops', 'board'] };
    const list = async (filter: TaskFilter): Promise<string> => {
      const { tasks, cursor } = await lab.engine.tasks.list(filter);
      const more = cursor === null ? [] : [await list({ ...filter, cursor })];
      return [tasks.map(({ instance }) => instance).join(''), ...more].join('|');
    };
    expect(await list(eve)).toBe('abcd');
    const { tasks } = await lab.engine.tasks.list(eve);
    for (const { id } of tasks.filter(({ instance }) => instance === 'a' || instance === 'c')) {
      await lab.engine.tasks.decide(id, { ...eve, decision: 'approve' });
    }
    expect(await list(eve)).toBe('bd');
    expect(await list({ ...eve, limit: 1 })).toBe('b|d');
    expect(await list({ group: 'board' })).toBe('abcd');
    expect(await list({ ...eve, actor: 'bob' })).toBe('abcd');
  });

  test('says what is theirs, and what is open to them, a group of theirs or all', async () => {
    const lab = await begun();
    expect(await titles(lab, { actor: 'ann' })).toEqual(['anns', 'ann or ops', 'anyones', 'vote']);
    expect(await titles(lab, { actor: 'bob', groups: ['sales'] })).toEqual([
      ...['sales', 'bobs', 'anyones'],
    ]);
    expect(await titles(lab, { actor: 'eve', groups: ['ops'] })).toEqual([
      ...['ann or ops', 'anyones', 'vote'],
    ]);
    expect(await titles(lab, { actor: 'eve' })).toEqual(['anyones']);
    expect(await titles(lab, { candidate: 'ann' })).toEqual(['ann or ops', 'anyones', 'vote']);
    expect(await titles(lab, { group: 'sales' })).toEqual(['sales', 'anyones']);
    expect(await titles(lab, { assignee: 'ann' })).toEqual(['anns']);
    expect(await titles(lab, { unassigned: true, kind: 'task' })).toEqual([
      ...['sales', 'ann or ops', 'anyones'],
    ]);
  });

  test('follows what is done with them', async () => {
    const lab = await begun();
    const { tasks } = lab.engine;
    const idOf = async (filter: TaskFilter): Promise<string> =>
      (await tasks.list(filter)).tasks[0]?.id ?? '';
    const ops = await idOf({ instance: 'ann or ops' });
    await tasks.claim(ops, 'ann');
    expect(await titles(lab, { actor: 'eve', groups: ['ops'], kind: 'task' })).toEqual(['anyones']);
    expect(await titles(lab, { assignee: 'ann' })).toEqual(['anns', 'ann or ops']);
    await tasks.complete(ops, null, 'ann');
    await tasks.decide(await idOf({ kind: 'approval' }), { actor: 'ann', decision: 'approve' });
    expect(await titles(lab, { actor: 'ann' })).toEqual(['anns', 'anyones']);
    expect(await titles(lab, { group: 'ops' })).toEqual(['anyones', 'vote']);
    await (await lab.engine.get('anns'))?.cancel();
    expect(await titles(lab, { actor: 'ann' })).toEqual(['anyones']);
  });

  test('finds by instance, flow, node, key, tenant, dates and urgency', async () => {
    const lab = await begun();
    const found = async (filter: TaskFilter): Promise<number> => (await titles(lab, filter)).length;
    const from = Date.UTC(2026, 0);
    const day = 86_400_000;
    expect(await titles(lab, { key: 'bobs' })).toEqual(['bobs']);
    expect(await titles(lab, { instance: 'sales' })).toEqual(['sales']);
    expect([await found({ flow: job }), await found({ flow: 'vote' })]).toEqual([5, 1]);
    expect([await found({ node: 'do' }), await found({ node: 'ok' })]).toEqual([5, 1]);
    expect([await found({ tenant: 't' }), await found({ tenant: 'u' })]).toEqual([1, 0]);
    expect(await titles(lab, { priority: 5 })).toEqual(['anns', 'ann or ops']);
    expect(await titles(lab, { dueBefore: from + 1.5 * day })).toEqual(['bobs']);
    expect(await titles(lab, { dueAfter: new Date(from + 1.5 * day) })).toEqual(['sales']);
    expect(await found({ createdBefore: from + 120_000 })).toBe(2);
    expect(await found({ createdAfter: new Date(from + 120_000).toISOString() })).toBe(4);
    const bobs = (await lab.engine.tasks.list({ key: 'bobs' })).tasks[0]?.id ?? '';
    await lab.engine.tasks.update(bobs, { followUp: from + day, due: null }, 'bob');
    expect(await titles(lab, { followUpAfter: from, followUpBefore: from + 2 * day })).toEqual([
      'bobs',
    ]);
    expect(await found({ dueBefore: from + 1.5 * day })).toBe(0);
  });

  test.each(['created', 'due', 'priority'] as const)(
    'comes in pages by %s, each task once',
    async (order) => {
      const lab = await begun();
      const all = await titles(lab, { order });
      const paged: unknown[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await lab.engine.tasks.list({
          ...{ order, limit: 2 },
          ...(cursor === undefined ? {} : { cursor }),
        });
        paged.push(...page.tasks.map(({ title }) => title));
        ({ cursor } = page);
      }
      expect(paged).toEqual(all);
      expect(all.slice(0, 2)).toEqual(
        { created: ['anns', 'sales'], due: ['bobs', 'sales'], priority: ['ann or ops', 'anns'] }[
          order
        ],
      );
    },
  );
});

test('what means nothing is refused, and not taken for all or for anybody', async () => {
  const kit = createTestEngine({ flows: [job] });
  const run = await kit.start(job, { name: 'one', assignee: 'ann' });
  await kit.runUntilIdle();
  const { tasks } = kit.engine;
  const [{ id } = { id: '' }] = (await tasks.list()).tasks;
  const ann = { actor: 'ann' };
  const odd = <Value>(value: unknown): Value => value as Value;
  const page = await tasks.list({ limit: 1 });
  expect(page.cursor).toBeNull();
  const calls: readonly [() => Promise<unknown>, string][] = [
    [() => tasks.list(odd({ asignee: 'ann' })), 'did you mean "assignee"'],
    [() => tasks.list(odd({ kind: 'aproval' })), 'did you mean "approval"'],
    [() => tasks.list(odd({ order: 'newest' })), 'order "newest" is none that there is'],
    [() => tasks.list(odd({ unassigned: 'no' })), 'unassigned is true or false'],
    [() => tasks.list({ limit: 0 }), 'limit is a whole number'],
    [() => tasks.list({ limit: 1_001 }), 'PAGE_MAX 1000'],
    [() => tasks.list({ groups: ['ops'] }), 'say whose they are'],
    [() => tasks.list({ actor: 'ann', candidate: 'bob' }), 'different questions'],
    [() => tasks.list({ actor: '' }), 'actor is a name'],
    [() => tasks.list({ dueBefore: 'soon' }), 'dueBefore is a date'],
    [() => tasks.list({ priority: 1.5 }), 'priority is a whole number'],
    [() => tasks.list({ cursor: '1/2/x/000000' }), 'cursor is what the page before came with'],
    [() => tasks.list({ cursor: odd(7) }), 'cursor is what'],
    ...['', 'x', 'x:', ':1', 'x:0', 'x:1.5', 'x:y', '1'].map(
      (bad): [() => Promise<unknown>, string] => [() => tasks.get(bad), 'is INSTANCE:TOKEN'],
    ),
    [() => tasks.get(odd(undefined)), 'came undefined'],
    [() => tasks.claim(id, odd(undefined)), 'claim is an object such as { actor: … }'],
    [() => tasks.claim(id, ''), 'actor is a name of 1 to 250 characters'],
    [() => tasks.claim(id, 'x'.repeat(251)), 'actor is a name of 1 to 250 characters'],
    [() => tasks.claim(id, '\ud800'), 'actor is a name'],
    [() => tasks.claim(id, odd({ actor: 'ann', group: 'ops' })), 'did you mean "groups"'],
    [() => tasks.claim(id, odd({ actor: 'ann', groups: 'ops' })), 'groups is a list'],
    [() => tasks.claim(id, odd({ actor: 'ann', override: 1 })), 'override is true or false'],
    [() => tasks.delegate(id, odd(ann)), 'to is a name'],
    [() => tasks.reassign(id, odd({ ...ann, to: 'bob', form: 'x' })), 'did you mean "from"'],
    [() => tasks.comment(id, odd(ann)), 'comment is a text of 1 to COMMENT_CHARS_MAX'],
    [() => tasks.attach(id, odd({ name: 'x' }), 'ann'), 'url is a text'],
    [() => tasks.attach(id, odd({ name: 'x', uri: 'y' }), 'ann'), 'did you mean "url"'],
    [() => tasks.update(id, {}, 'ann'), 'this one has none'],
    [() => tasks.update(id, { due: odd('soon') }, 'ann'), 'due is a date'],
    [() => tasks.update(id, { priority: 0.5 }, 'ann'), 'priority is a whole number'],
    [() => tasks.claim(id, 'system:timeout'), 'actor is a person'],
    [() => tasks.decide(id, odd(ann)), 'decision is one of approve, reject, revise'],
    [() => tasks.decide(id, { ...ann, decision: 'approve', round: 0 }), 'round is a whole number'],
  ];
  for (const [call, said] of calls) {
    await expect(call()).rejects.toMatchObject({
      code: 'engine.option-invalid',
      message: expect.stringContaining(said),
    });
  }
  const large = tasks.complete(id, 'x'.repeat(4_194_304), 'ann');
  await expect(large).rejects.toMatchObject({ code: 'input.invalid' });
  expect((await run.history()).length).toBe(1);
});

test('COMMENT_CHARS_MAX: so long a comment is kept, and a longer one is not', async () => {
  const kit = createTestEngine({ flows: [job] });
  await kit.start(job, { name: 'one' });
  await kit.runUntilIdle();
  const { tasks } = kit.engine;
  const [{ id } = { id: '' }] = (await tasks.list()).tasks;
  const comment = 'x'.repeat(COMMENT_CHARS_MAX);
  await tasks.comment(id, { actor: 'ann', comment });
  expect((await tasks.get(id))?.trail).toMatchObject([{ comment }]);
  const longer = tasks.comment(id, { actor: 'ann', comment: `${comment}x` });
  await expect(longer).rejects.toMatchObject({ code: 'engine.option-invalid' });
});

test('a cursor of one order is none of another', async () => {
  const kit = createTestEngine({ flows: [job] });
  for (const name of ['a', 'b']) await kit.start(job, { name });
  await kit.runUntilIdle();
  const { cursor } = await kit.engine.tasks.list({ limit: 1 });
  const other = kit.engine.tasks.list({ order: 'due', cursor: cursor ?? '' });
  await expect(other).rejects.toMatchObject({ details: { field: 'cursor' } });
});

test('an engine that is closed does nothing more with tasks', async () => {
  const kit = createTestEngine({ flows: [job] });
  await kit.close();
  const { tasks } = kit.engine;
  for (const call of [tasks.list(), tasks.get('a:1'), tasks.claim('a:1', 'ann')]) {
    await expect(call).rejects.toMatchObject({ code: 'engine.closed' });
  }
  const late = tasks.complete('a:1', null, 'ann');
  await expect(late).rejects.toMatchObject({ code: 'engine.closed' });
});
