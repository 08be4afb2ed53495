/**
 * Whatever becomes of an instance, the tasks that people find in the store are those that its
 * tokens wait for: no more, no less, and nothing of them is left in its tables.
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { DraftNode } from '../model/draft.ts';
import { fragile, isSound, tokenAt } from './fragile.ts';
import { begin, type Lab, onEveryStore } from './lab.ts';
import { ANY_TASK, namesOf } from './store-tasks.ts';

/** The same with tasks in the places of these waits. */
function withTasks(drawn: Flow, ...names: readonly string[]): Flow {
  const { definition } = drawn;
  const asTask = (node: DraftNode): DraftNode =>
    names.includes(node.id) ? { ...node, kind: 'task', settings: {} } : node;
  const draft = { ...definition.draft, nodes: definition.draft.nodes.map(asTask) };
  const code = new Map([...definition.code].filter(([node]) => !names.includes(node)));
  return { ...drawn, definition: { ...definition, draft, code } };
}

const ASK = { event: 'go', key: () => 'k' };

/** By their nodes; and the rows of the store are theirs. */
async function openTasks(lab: Lab): Promise<string[]> {
  const { store } = lab;
  const rows = await store.load(await store.scan(null, 1_000));
  const waiting = rows.flatMap((instance) =>
    (instance?.tokens ?? []).flatMap(({ id, node, wait }) =>
      wait?.on === 'task' ? [{ name: `${instance?.head.id}.${id}`, node }] : [],
    ),
  );
  const found = await store.tasks.find(ANY_TASK);
  expect(namesOf(found).toSorted()).toEqual(waiting.map(({ name }) => name).toSorted());
  for (const table of ['task', 'task_list']) {
    const held = ((await lab.peek(table)) ?? found.tasks.map(nameOf)) as readonly Named[];
    const names = new Set(held.map(({ instance_id, token_id }) => `${instance_id}.${token_id}`));
    expect([...names].toSorted()).toEqual(waiting.map(({ name }) => name).toSorted());
  }
  await isSound(lab);
  return found.tasks.map(({ node }) => node);
}

interface Named {
  readonly instance_id: string;
  readonly token_id: number | string;
}

function nameOf({ instance, token }: { instance: string; token: number }): Named {
  return { instance_id: instance, token_id: token };
}

onEveryStore('tasks in the tables', (open) => {
  const two = withTasks(
    flow('two')
      .parallel('both', {
        a: (b) => b.waitFor('review', ASK),
        b: (b) => b.waitFor('check', ASK).step('done', () => 1),
      })
      .end(),
    'review',
    'check',
  );

  test('are those of its tokens, until it is cancelled', async () => {
    const { lab, run } = await begin(open, two);
    expect(await openTasks(lab)).toEqual(['review', 'check']);
    await run.suspend();
    expect(await openTasks(lab)).toEqual(['review', 'check']);
    await run.cancel();
    expect(await openTasks(lab)).toEqual([]);
  });

  test('are gone one by one as they are skipped or left, and back with a rerun', async () => {
    const { lab, run } = await begin(open, two);
    await run.skip(await tokenAt(run, 'review'), 'fine');
    expect(await openTasks(lab)).toEqual(['check']);
    await run.move(await tokenAt(run, 'check'), 'done');
    expect(await openTasks(lab)).toEqual([]);
    await lab.settle();
    expect(await run.status()).toBe('completed');
    // As it was when this node was come to: then the other was open, too.
    await run.rerun('check');
    expect(await openTasks(lab)).toEqual(['review', 'check']);
    await run.skip(await tokenAt(run, 'review'));
    await run.rerun('done');
    expect(await openTasks(lab)).toEqual([]);
    await lab.settle();
    await run.rerun('both');
    expect(await openTasks(lab)).toEqual(['review', 'check']);
    const copy = await run.rerun('both', { copy: true });
    expect(await openTasks(lab)).toHaveLength(4);
    await copy.cancel();
    expect(await openTasks(lab)).toEqual(['review', 'check']);
  });

  test('are gone if they lose a race, or if somebody ends everything', async () => {
    const race = flow('race')
      .race('r', {
        a: (b) => b.waitFor('review', ASK),
        b: (b) => b.sleep('nap', '1h'),
      })
      .parallel('both', {
        a: (b) => b.waitFor('check', ASK),
        b: (b) => b.sleep('more', '1h').terminate('stop'),
      })
      .end();
    const { lab, run } = await begin(open, withTasks(race, 'review', 'check'));
    expect(await openTasks(lab)).toEqual(['review']);
    await lab.advance('1h');
    expect(await openTasks(lab)).toEqual(['check']);
    await lab.advance('1h');
    expect(await openTasks(lab)).toEqual([]);
    expect(await run.status()).toBe('completed');
  });

  test('are gone when it fails, and there again when it is revived', async () => {
    const { state, work } = fragile();
    const names = ['t1', 't2', 't3', 't4'];
    // So many that they are not ended one by one.
    const job = flow('job')
      .parallel('all', {
        a: (b) => b.waitFor('t1', ASK),
        b: (b) => b.waitFor('t2', ASK),
        c: (b) => b.waitFor('t3', ASK),
        d: (b) => b.waitFor('t4', ASK),
        e: (b) => b.sleep('nap', '1h').step('charge', work),
      })
      .end();
    const { lab, run } = await begin(open, withTasks(job, ...names));
    expect((await openTasks(lab)).toSorted()).toEqual(names.toSorted());
    await lab.advance('1h');
    expect(await run.status()).toBe('failed');
    expect(await openTasks(lab)).toEqual([]);
    state.mended = true;
    await run.revive();
    await lab.settle();
    expect((await openTasks(lab)).toSorted()).toEqual(names.toSorted());
    await run.cancel();
    expect(await openTasks(lab)).toEqual([]);
  });

  test('are found under the names of the version it was brought to', async () => {
    const one = flow('job', { version: 1 }).waitFor('review', ASK).end();
    const next = flow('job', { version: 2 })
      .waitFor('check', ASK)
      .step('more', () => 1)
      .end();
    const flows = [withTasks(one, 'review'), withTasks(next, 'check')] as const;
    const lab = await open(flows);
    const run = await lab.engine.start(flows[0], null as never);
    await lab.settle();
    await run.migrate({ version: 2, nodes: { review: 'check' } });
    expect(await openTasks(lab)).toEqual(['check']);
    const { tasks } = await lab.store.tasks.find({ ...ANY_TASK, node: 'check' });
    expect(tasks).toMatchObject([{ flowVersion: 2, node: 'check' }]);
  });
});
