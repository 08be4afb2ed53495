/** What people do with tasks, on every store: what each verb does, and what it refuses. */
import { expect, test } from 'vitest';
import { form } from '../frontends/builder/form-type.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { isSound } from '../testing/fragile.ts';
import { begin, onEveryStore, type OpenLab } from '../testing/lab.ts';
import type { Run } from './run.ts';
import type { TaskView, UserTaskView } from './task-view.ts';

const address = form<{ street: string }>({
  type: 'object',
  required: ['street'],
  properties: { street: { type: 'string', minLength: 1 } },
});

const order = flow<{ sku: string }>('order')
  .task('pack', {
    title: ({ input }) => `Pack ${input.sku}`,
    data: ({ input }) => ({ sku: input.sku }),
    candidates: { users: ['ann'], groups: ['store'] },
    form: address,
    priority: 5,
    due: '2h',
  })
  .step('send', ({ results }) => `sent to ${results.pack.street}`)
  .end(({ results }) => results.send);

const invoice = flow('invoice')
  .approve('release', {
    approvers: ['fin', 'legal'],
    rule: 'unanimous',
    submitter: 'sue',
    timeout: '7d',
  })
  .end(({ results }) => results.release);

/** An instance that waits for people, and its only task. */
async function waiting<In, Out>(open: OpenLab, flowed: Flow<In, Out>, input: In) {
  const { lab, run } = await begin(open, flowed, { input: input as never, key: 'k-1' });
  const { tasks } = lab.engine;
  const id = await onlyTask(run);
  const look = async (): Promise<TaskView> => (await tasks.get(id)) as TaskView;
  return { lab, run, tasks, id, look };
}

async function onlyTask(run: Run): Promise<string> {
  const tokens = (await run.tokens()).filter(({ wait }) => wait?.on === 'task');
  expect(tokens).toHaveLength(1);
  return `${run.id}:${tokens[0]?.id}`;
}

/** Refused with this code, and everything is as it was. */
async function refuses(run: Run, call: () => Promise<void>, code: string): Promise<void> {
  const before = await run.inspect();
  await expect(call()).rejects.toMatchObject({ code });
  expect(await run.inspect()).toEqual(before);
}

onEveryStore('a task', (open) => {
  test('is looked at, claimed and completed, and its output is the result', async () => {
    const { lab, run, tasks, id, look } = await waiting(open, order, { sku: 'A1' });
    const { now } = lab;
    expect(await look()).toEqual({
      ...{ id, instance: run.id, token: expect.any(Number), flow: 'order', version: 1 },
      ...{ node: 'pack', kind: 'task', key: 'k-1', tenant: null, title: 'Pack A1' },
      ...{ data: { sku: 'A1' }, form: address, assignee: null, owner: null, priority: 5 },
      candidates: { users: ['ann'], groups: ['store'] },
      ...{ due: now + 7_200_000, followUp: null, attachments: [], createdAt: now },
      ...{ suspended: false, trail: [] },
    });
    await tasks.claim(id, { actor: 'bob', groups: ['store'] });
    await tasks.claim(id, 'bob');
    expect(await look()).toMatchObject({ assignee: 'bob', trail: [{ by: 'bob', did: 'claim' }] });
    await tasks.complete(id, { street: 'Elm' }, { actor: 'bob', comment: 'two boxes' });
    expect(await tasks.get(id)).toBeUndefined();
    await lab.settle();
    expect(await run.result()).toBe('sent to Elm');
    const changes = (await run.history()).flatMap(({ changes: each }) => each);
    const entries = changes.flatMap((change) =>
      change.did === 'alter-task' ? [change.entry] : [],
    );
    expect(entries).toEqual([
      { at: now, by: 'bob', did: 'claim' },
      { at: now, by: 'bob', did: 'complete', comment: 'two boxes' },
    ]);
    await isSound(lab);
  });

  test('goes to others and comes back', async () => {
    const { tasks, id, look } = await waiting(open, order, { sku: 'A1' });
    const whose = async (): Promise<unknown> => {
      const { assignee, owner } = (await look()) as UserTaskView;
      return [assignee, owner];
    };
    await tasks.claim(id, 'ann');
    await tasks.delegate(id, { actor: 'ann', to: 'bob' });
    expect(await whose()).toEqual(['bob', 'ann']);
    await tasks.unclaim(id, 'bob');
    expect(await whose()).toEqual(['ann', null]);
    await tasks.reassign(id, { actor: 'boss', to: 'eve' });
    expect(await whose()).toEqual(['eve', null]);
    await tasks.unclaim(id, { actor: 'boss', override: true });
    expect(await whose()).toEqual([null, null]);
    const { trail } = await look();
    expect(trail.map(({ did, by, to }) => [did, by, to])).toEqual([
      ['claim', 'ann', undefined],
      ['delegate', 'ann', 'bob'],
      ['unclaim', 'bob', undefined],
      ['reassign', 'boss', 'eve'],
      ['unclaim', 'boss', undefined],
    ]);
    expect(trail.at(-1)).toMatchObject({ override: true });
  });

  test('has comments, attachments, dates and an urgency', async () => {
    const { lab, tasks, id, look } = await waiting(open, order, { sku: 'A1' });
    await tasks.comment(id, { actor: 'ann', comment: 'where is it?' });
    const file = { name: 'plan', url: 'https://example.org/plan.pdf', type: 'application/pdf' };
    await tasks.attach(id, file, 'ann');
    await tasks.update(id, { due: null, followUp: new Date(lab.now), priority: -1 }, 'ann');
    expect(await look()).toMatchObject({
      ...{ due: null, followUp: lab.now, priority: -1, attachments: [file] },
      trail: [
        { did: 'comment', by: 'ann', comment: 'where is it?' },
        { did: 'attach', to: file.url },
        { did: 'update', by: 'ann' },
      ],
    });
  });

  test('that is not theirs is refused, and stays as it was', async () => {
    const { run, tasks, id } = await waiting(open, order, { sku: 'A1' });
    const output = { street: 'Elm' };
    await refuses(run, () => tasks.claim(id, 'bob'), 'task.forbidden');
    await refuses(
      run,
      () => tasks.claim(id, { actor: 'bob', groups: ['sales'] }),
      'task.forbidden',
    );
    await refuses(run, () => tasks.complete(id, output, 'bob'), 'task.forbidden');
    await refuses(run, () => tasks.delegate(id, { actor: 'ann', to: 'bob' }), 'task.refused');
    await refuses(
      run,
      () => tasks.decide(id, { actor: 'ann', decision: 'approve' }),
      'task.refused',
    );
    await refuses(run, () => tasks.recall(id, 'ann'), 'task.refused');
    await tasks.claim(id, 'ann');
    await refuses(run, () => tasks.claim(id, { actor: 'bob', groups: ['store'] }), 'task.refused');
    await refuses(run, () => tasks.unclaim(id, 'bob'), 'task.forbidden');
    await refuses(run, () => tasks.complete(id, output, 'bob'), 'task.forbidden');
    await tasks.complete(id, output, { actor: 'boss', override: true });
  });

  test('O-48: whose output does not fit stays open, and every problem is told', async () => {
    const { lab, run, tasks, id } = await waiting(open, order, { sku: 'A1' });
    const before = await run.inspect();
    await expect(tasks.complete(id, { street: '' }, 'ann')).rejects.toMatchObject({
      code: 'task.invalid',
      details: { task: id, problems: [{ path: '/street', message: expect.any(String) }] },
    });
    await expect(tasks.complete(id, undefined, 'ann')).rejects.toMatchObject({
      code: 'task.invalid',
      details: { problems: [{ path: '', message: expect.stringContaining('null') }] },
    });
    expect(await run.inspect()).toEqual(before);
    await tasks.complete(id, { street: 'Elm' }, 'ann');
    await lab.settle();
    expect(await run.result()).toBe('sent to Elm');
  });

  test('whose form is no schema says so, and can be skipped', async () => {
    const odd = flow('odd')
      .task('fill', { form: () => ({ type: 'objet' }) })
      .end(({ results }) => results.fill);
    const { lab, run, tasks, id, look } = await waiting(open, odd, null);
    await expect(tasks.complete(id, {}, 'ann')).rejects.toMatchObject({
      code: 'task.invalid',
      message: expect.stringContaining('skip the token'),
      details: { form: { type: 'objet' }, problems: [{ path: '/type' }] },
    });
    await run.skip((await look()).token, { by: 'hand' });
    await lab.settle();
    expect(await run.result()).toEqual({ by: 'hand' });
  });

  test('is not there twice, nor after its end, nor in another place', async () => {
    const { lab, run, tasks, id } = await waiting(open, order, { sku: 'A1' });
    await tasks.complete(id, { street: 'Elm' }, 'ann');
    const late = tasks.complete(id, { street: 'Oak' }, 'ann');
    await expect(late).rejects.toMatchObject({ code: 'task.not-found', details: { task: id } });
    await lab.settle();
    expect(await run.result()).toBe('sent to Elm');
    for (const gone of [id, `${run.id}:999`, 'nobody:1']) {
      await expect(tasks.claim(gone, 'ann')).rejects.toMatchObject({ code: 'task.not-found' });
      expect(await tasks.get(gone)).toBeUndefined();
    }
  });

  test('of an instance that is suspended waits until that goes on', async () => {
    const { lab, run, tasks, id } = await waiting(open, order, { sku: 'A1' });
    await run.suspend();
    const output = { street: 'Elm' };
    await refuses(run, () => tasks.complete(id, output, 'ann'), 'instance.suspended');
    await refuses(run, () => tasks.claim(id, 'ann'), 'instance.suspended');
    await run.resume();
    await tasks.complete(id, output, 'ann');
    await lab.settle();
    expect(await run.result()).toBe('sent to Elm');
  });

  test('is found by its id although the id of its instance has colons', async () => {
    const lab = await open([order]);
    const run = await lab.engine.start(order, { sku: 'A1' }, { id: 'order:7:a' });
    await lab.settle();
    const id = await onlyTask(run);
    expect(id).toMatch(/^order:7:a:\d+$/);
    await lab.engine.tasks.complete(id, { street: 'Elm' }, 'ann');
    await lab.settle();
    expect(await run.result()).toBe('sent to Elm');
  });

  test('is completed in a process that does not have the flow', async () => {
    const { lab, run, id } = await waiting(open, order, { sku: 'A1' });
    const other = await lab.beside([]);
    const invalid = other.engine.tasks.complete(id, {}, 'ann');
    await expect(invalid).rejects.toMatchObject({ code: 'task.invalid' });
    await other.engine.tasks.claim(id, 'ann');
    await other.engine.tasks.complete(id, { street: 'Elm' }, 'ann');
    await other.close();
    expect((await run.tokens()).map(({ node, status }) => [node, status])).toEqual([
      ['pack', 'ready'],
    ]);
    await lab.settle();
    expect(await run.result()).toBe('sent to Elm');
    await isSound(lab);
  });

  test('outlives the process that opened it', async () => {
    const { lab, run, tasks, id } = await waiting(open, order, { sku: 'A1' });
    lab.crash();
    await tasks.complete(id, { street: 'Elm' }, 'ann');
    lab.crash();
    await lab.advance('1m');
    expect(await run.result()).toBe('sent to Elm');
  });
});

onEveryStore('an approval', (open) => {
  test('O-69: is decided and gone on with in one commit', async () => {
    const { lab, run, tasks, id, look } = await waiting(open, invoice, null);
    const { now } = lab;
    expect(await look()).toMatchObject({
      ...{ kind: 'approval', waitsFor: ['fin', 'legal'], votes: [], round: 1 },
      ...{ returned: false, submitter: 'sue', submission: null },
      ...{ rule: { need: 'all', per: 'all' }, seats: [{ name: 'fin' }, { name: 'legal' }] },
    });
    await tasks.decide(id, { actor: 'ann', groups: ['fin'], decision: 'approve', comment: 'ok' });
    expect(await look()).toMatchObject({ waitsFor: ['legal'], votes: [{ actor: 'ann' }] });
    const { version } = await run.inspect();
    await tasks.decide(id, { actor: 'legal', decision: 'approve' });
    const { version: after, status } = await run.inspect();
    expect([after, status]).toEqual([version + 1, 'completed']);
    expect(await run.result()).toMatchObject({
      ...{ decision: 'approve', by: 'legal', at: now, round: 1 },
      votes: [
        { actor: 'ann', seat: 'fin', decision: 'approve', comment: 'ok' },
        { actor: 'legal', seat: 'legal', decision: 'approve', comment: null },
      ],
    });
    await isSound(lab);
  });

  test('O-67: is for those who have a say, once each, and not when it is closed', async () => {
    const { run, tasks, id } = await waiting(open, invoice, null);
    const yes = { decision: 'approve' } as const;
    await refuses(run, () => tasks.decide(id, { actor: 'bob', ...yes }), 'task.forbidden');
    await refuses(run, () => tasks.complete(id, {}, 'fin'), 'task.refused');
    await tasks.decide(id, { actor: 'fin', ...yes });
    await refuses(run, () => tasks.decide(id, { actor: 'fin', ...yes }), 'task.refused');
    await tasks.decide(id, { actor: 'boss', decision: 'reject', override: true });
    expect(await run.result()).toMatchObject({ decision: 'reject', by: 'boss' });
    await refuses(run, () => tasks.decide(id, { actor: 'legal', ...yes }), 'task.not-found');
  });

  test('O-71: is sent back, comes again, and is decided then', async () => {
    const { run, tasks, id, look } = await waiting(open, invoice, null);
    await refuses(run, () => tasks.resubmit(id, {}, 'sue'), 'task.refused');
    await tasks.decide(id, { actor: 'fin', decision: 'revise', comment: 'which account?' });
    expect(await look()).toMatchObject({ returned: true, waitsFor: ['sue'] });
    await refuses(run, () => tasks.resubmit(id, {}, 'bob'), 'task.forbidden');
    await tasks.resubmit(id, { account: 7 }, 'sue');
    expect(await look()).toMatchObject({
      ...{ returned: false, round: 2, submission: { account: 7 }, waitsFor: ['fin', 'legal'] },
    });
    const seen = { actor: 'fin', decision: 'approve', round: 1 } as const;
    await refuses(run, () => tasks.decide(id, seen), 'task.refused');
    await tasks.decide(id, { ...seen, round: 2 });
    await tasks.decide(id, { actor: 'legal', decision: 'approve' });
    expect(await run.result()).toMatchObject({ round: 2, submission: { account: 7 } });
  });

  test('O-73: is recalled by whoever asked for it, and reassigned by anyone', async () => {
    const { run, tasks, id, look } = await waiting(open, invoice, null);
    await tasks.reassign(id, { actor: 'boss', from: 'legal', to: 'eve' });
    await tasks.delegate(id, { actor: 'fin', to: 'bob' });
    expect(await look()).toMatchObject({ waitsFor: ['bob', 'eve'] });
    await refuses(run, () => tasks.recall(id, 'bob'), 'task.forbidden');
    await tasks.recall(id, { actor: 'sue', comment: 'never mind' });
    expect(await run.result()).toMatchObject({ decision: 'recall', comment: 'never mind' });
  });

  test('is over in time, and not twice', async () => {
    const late = flow('late')
      .approve('release', { approvers: ['fin'], timeout: '7d', onTimeout: 'reject' })
      .end(({ results }) => results.release);
    const { lab, run, tasks, id } = await waiting(open, late, null);
    await lab.advance('7d');
    expect(await run.result()).toMatchObject({ decision: 'reject', by: 'system:timeout' });
    const decided = tasks.decide(id, { actor: 'fin', decision: 'approve' });
    await expect(decided).rejects.toMatchObject({ code: 'task.not-found' });
  });
});

test('a form that is no schema is said when the flow comes, with all that is wrong', async () => {
  const bad = flow('bad')
    .task('fill', { form: form({ type: 'objet', required: 'a' }) })
    .task('refer', { form: form({ $ref: 'https://example.org/form.json' }) })
    .end();
  const { createEngine } = await import('./engine.ts');
  const { memory } = await import('../stores/memory/memory.ts');
  await expect(createEngine({ store: memory(), flows: [bad] })).rejects.toMatchObject({
    code: 'definition.invalid',
    details: {
      diagnostics: [
        {
          ...{ code: 'task.bad-form', node: 'fill', flow: 'bad' },
          message: expect.stringMatching(
            /"form" of "fill" is no JSON Schema: \/type: .*\/required:/,
          ),
        },
        {
          code: 'task.bad-form',
          node: 'refer',
          message: expect.stringContaining('not in it'),
        },
      ],
    },
  });
});
