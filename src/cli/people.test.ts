/** Work for people from the command line, in another process than the worker's. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine, flow, form } from '../index.ts';
import { sqlite } from '../sqlite.ts';
import { CommandLine } from '../testing/command-line.ts';

const line = new CommandLine();
const STORE = ['--store', 'sqlite:people.db'];
const run = (...words: string[]) => line.run(...words, ...STORE);
const json = (...words: string[]) => line.json(...words, ...STORE);

const pack = flow<{ sku: string }>('pack')
  .task('box', {
    title: ({ input }) => `Box ${input.sku}`,
    data: ({ input }) => input,
    candidates: { users: ['bob'], groups: ['store'] },
    form: form<{ boxes: number }>({
      type: 'object',
      required: ['boxes'],
      properties: { boxes: { type: 'integer', minimum: 1 } },
    }),
    priority: 3,
    due: '2d',
  })
  .end(({ results }) => results.box.boxes);

const two = { approvers: ['fin', 'legal'], rule: 'unanimous' } as const;
const pay = flow('pay')
  .approve('release', { ...two, submitter: 'sue', timeout: '7d' })
  .end(({ results }) => results.release.decision);

const nap = flow<null, { mood: string }>('nap', { vars: { mood: 'tired' } })
  .waitFor('bell', { event: 'bell', key: () => 'k' })
  .end(({ vars, results }) => [vars.mood, results.bell]);

const orphan = flow('orphan').approve('ok', { approvers: [] }).end();

let worker: Engine;
beforeAll(async () => {
  const store = sqlite(join(line.folder, 'people.db'));
  worker = await createEngine({ store, flows: [pack, pay, nap, orphan] });
});
afterAll(async () => {
  await worker.close();
  line.remove();
});

/** Starts one, and names its task. */
async function boxing(id: string): Promise<string> {
  await worker.start(pack, { sku: id }, { id, key: `k-${id}` });
  return taskOf(id);
}

async function paying(id: string): Promise<string> {
  await worker.start(pay, null, { id });
  return taskOf(id);
}

async function taskOf(id: string): Promise<string> {
  const { tasks } = await worker.tasks.list({ instance: id });
  return tasks[0]?.id ?? '';
}

describe('looking', () => {
  test('tasks lists what waits for people, and finds it by filters', async () => {
    const id = await boxing('look-1');
    const { code, out } = await run('tasks', '--instance', 'look-1');
    expect(code).toBe(0);
    const [head, row] = out.split('\n');
    expect(head).toMatch(/^ID +KIND +TITLE +FLOW +KEY +FOR +PRIORITY +DUE +OPENED$/);
    expect(row).toMatch(/^look-1:\d+ +task +Box look-1 +pack@1 +k-look-1 +bob, store +3 +in 1d23h/);
    const found = async (...words: string[]): Promise<unknown> => {
      const { tasks } = (await json('tasks', '--key', 'k-look-1', ...words)) as {
        tasks: unknown[];
      };
      return tasks.length;
    };
    expect(await json('tasks', '--key', 'k-look-1')).toMatchObject({
      tasks: [{ id, title: 'Box look-1', priority: 3 }],
      cursor: null,
    });
    expect(await found('--actor', 'bob')).toBe(1);
    expect(await found('--actor', 'ann')).toBe(0);
    expect(await found('--actor', 'ann', '--group', 'store', 'sales')).toBe(1);
    expect(await found('--group', 'store')).toBe(1);
    expect(await found('--candidate', 'bob')).toBe(1);
    expect(await found('--assignee', 'bob')).toBe(0);
    expect(await found('--unassigned', '--flow', 'pack', '--node', 'box', '--kind', 'task')).toBe(
      1,
    );
    expect(await found('--kind', 'approval')).toBe(0);
    expect(await found('--priority', '4')).toBe(0);
    expect(await found('--due-before', '2020-01-01')).toBe(0);
    expect(await found('--due-after', '2020-01-01', '--created-after', '2020-01-01')).toBe(1);
    expect((await run('tasks', '--tenant', 'nobody')).out).toBe('no tasks\n');
  });

  test('tasks goes on where a page ended', async () => {
    await boxing('page-1');
    await boxing('page-2');
    const words = ['tasks', '--flow', 'pack', '--limit', '1', '--order', 'due'];
    const first = (await json(...words)) as { tasks: unknown[]; cursor: string };
    const next = (await json(...words, '--cursor', first.cursor)) as typeof first;
    expect(next.tasks).toHaveLength(1);
    expect(next.tasks).not.toEqual(first.tasks);
    expect((await run(...words)).talk).toBe(`there are more: --cursor ${first.cursor}\n`);
  });

  test('task shows one, and what was done with it', async () => {
    const id = await boxing('look-2');
    await run('comment', id, 'where is it?');
    await run('claim', id, '--actor', 'eve', '--group', 'store');
    const { out } = await run('task', id);
    expect(out).toMatch(/^title +Box look-2$/m);
    expect(out).toMatch(/^for +eve$/m);
    expect(out).toMatch(/^data +\{"sku":"look-2"\}$/m);
    expect(out).toMatch(/^due +\S+Z \(in 1d23h\)$/m);
    expect(out).toMatch(
      /^what was done\n\S+Z {2}ann comments \(where is it\?\)\n\S+Z {2}eve claims/m,
    );
    expect(await json('task', id)).toMatchObject({ id, assignee: 'eve', trail: [{}, {}] });
  });

  test('ls, show and history say that it waits for people', async () => {
    const id = await paying('look-3');
    await run('decide', id, '--approve', '--actor', 'fin', '--comment', 'fine');
    expect((await run('ls', '--flow', 'pay')).out).toMatch(/^look-3 +pay@1 +waiting, people /m);
    const { out } = await run('show', 'look-3');
    expect(out).toMatch(/release +waiting .* waits for legal to decide it until /);
    expect(out).toContain(`    perdure decide ${id} --approve --store sqlite:people.db\n`);
    expect((await run('history', 'look-3')).out).toContain('release fin approves (fine)');
    expect((await run('show', (await boxing('look-4')).split(':')[0] ?? '')).out).toContain(
      'perdure complete look-4:',
    );
  });

  test('show says to name somebody for an approval that nobody has a say in', async () => {
    await worker.start(orphan, null, { id: 'look-5' });
    const id = await taskOf('look-5');
    const { out } = await run('show', 'look-5');
    expect(out).toMatch(/ok +waiting .* waits for somebody to be named to decide it/);
    expect(out).toContain(`    perdure reassign ${id} --to NAME --store sqlite:people.db\n`);
    expect(out).not.toContain('perdure decide');
    const refused = await run('decide', id, '--approve', '--actor', 'ann');
    expect(refused.talk).toContain('ann has no say in it; nobody has: reassign it to somebody');
  });
});

describe('doing', () => {
  test('a task is claimed, handed on, given back and completed', async () => {
    const id = await boxing('do-1');
    const said = async (...words: string[]): Promise<string> => (await run(...words)).out;
    expect(await said('claim', id, '--actor', 'bob')).toBe(`✓ claim ${id}: it is bob's\n`);
    expect(await said('delegate', id, '--actor', 'bob', '--to', 'eve')).toContain("it is eve's");
    expect(await said('unclaim', id, '--actor', 'eve')).toContain("it is bob's");
    expect(await said('unclaim', id, '--override')).toContain('it is open to bob, store');
    expect(await said('reassign', id, '--to', 'ann')).toContain("it is ann's");
    const bad = await run('complete', id, '--output', '{"boxes":0}');
    expect(bad).toMatchObject({
      code: 2,
      talk: expect.stringContaining('/boxes: 0 is less than 1'),
    });
    const file = line.write('output.json', '{"boxes":2}');
    expect(await said('complete', id, '--output', `@${file}`)).toBe(
      `✓ complete ${id}: it is done\n`,
    );
    expect(await (await worker.get('do-1'))?.result()).toBe(2);
  });

  test('an approval is decided, and says whom it waits for', async () => {
    const id = await paying('do-2');
    expect(await json('decide', id, '--approve', '--actor', 'joe', '--group', 'fin')).toMatchObject(
      {
        ...{ id, done: false },
        task: { waitsFor: ['legal'], votes: [{ actor: 'joe', seat: 'fin' }] },
      },
    );
    const done = await json('decide', id, '--reject', '--actor', 'legal', '--comment', 'no');
    expect(done).toEqual({ id, done: true, task: null });
    expect(await (await worker.get('do-2'))?.result()).toBe('reject');
  });

  test('an approval is sent back, comes again, and is recalled', async () => {
    const id = await paying('do-3');
    expect((await run('decide', id, '--revise', '--actor', 'fin')).out).toContain('waits for sue');
    const back = await run('resubmit', id, '--actor', 'sue', '--data', '{"iban":"X"}');
    expect(back.out).toContain('it waits for fin, legal');
    const { out } = await run('task', id);
    expect(out).toMatch(/^round +2$/m);
    expect(out).toMatch(/^came back +\{"iban":"X"\}$/m);
    expect(out).toMatch(/^needs +all of 2$/m);
    expect((await run('recall', id, '--actor', 'sue')).out).toContain('it is done');
    expect(await (await worker.get('do-3'))?.result()).toBe('recall');
  });

  test('wake means the only token that waits, and brings variables', async () => {
    await worker.start(nap, null, { id: 'do-4' });
    const refused = await run('wake', 'do-4', '--vars', '{"$mood":"x"}');
    expect(refused).toMatchObject({ code: 2, talk: expect.stringContaining('"$mood"') });
    expect((await run('wake', 'do-4', '--data', '7', '--vars', '{"mood":"awake"}')).code).toBe(0);
    expect(await (await worker.get('do-4'))?.result()).toEqual(['awake', 7]);
    const gated = await run('wake', (await boxing('do-5')).split(':')[0] ?? '');
    expect(gated).toMatchObject({ code: 1, talk: expect.stringContaining('complete its task') });
  });
});

describe('what is wrong', () => {
  test.each([
    [['task', 'nobody:1'], 3, 'there is no open task nobody:1'],
    [['claim', 'nobody:1'], 3, 'there is no open task nobody:1'],
    [['claim', 'nobody'], 2, 'the id of a task is INSTANCE:TOKEN'],
    [['decide', 'a:1'], 2, 'decide takes one of --approve, --reject and --revise'],
    [['decide', 'a:1', '--approve', '--reject'], 2, 'decide takes one of'],
    [['delegate', 'a:1'], 2, "required option '--to <name>'"],
    [['complete', 'a:1', '--output', '{oops'], 2, '--output is JSON'],
    [['wake', 'a', '--vars', '[1]'], 2, '--vars is an object'],
    [['tasks', '--kind', 'taks'], 2, 'did you mean "task"?'],
    [['tasks', '--order', 'duo'], 2, 'did you mean "due"?'],
    [['tasks', '--flow', 'pakc'], 3, 'did you mean "pack"?'],
    [['tasks', '--group', 'a', 'b'], 2, 'say --actor NAME'],
    [['tasks', '--due-before', 'soon'], 2, '--due-before is a moment'],
    [['tasks', '--follow-up-after', 'soon'], 2, '--follow-up-after is a moment'],
    [['tasks', '--priority', 'high'], 2, '--priority is a whole number'],
    [['tasks', '--limit', '0'], 2, '--limit is a whole number'],
    [['tasks', '--cursor', 'x'], 2, 'cursor is what the page before came with'],
  ])('%j ends with %i', async (words, code, said) => {
    expect(await run(...words)).toMatchObject({ code, talk: expect.stringContaining(said) });
    const { out } = await run(...words, '--json');
    expect(JSON.parse(out)).toMatchObject({ error: { code: expect.any(String) } });
  });

  test('what is not theirs ends with 1, and changes nothing', async () => {
    const id = await paying('wrong-1');
    const { code, out } = await run('decide', id, '--approve', '--actor', 'eve', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([1, { error: { code: 'task.forbidden' } }]);
    expect(await json('task', id)).toMatchObject({ votes: [], trail: [] });
  });
});

test('a run that nobody else can move says what people would have to do', async () => {
  const file = line.write(
    'waits.ts',
    `import { flow } from 'perdure';
export default flow('waits').task('sign', { assignee: 'ann' }).end();`,
  );
  const { code, talk, out } = await line.run('run', file, '--store', 'memory:');
  expect(code).toBe(1);
  expect(`${talk}${out}`).toContain('"sign" waits for ann to complete it');
});
