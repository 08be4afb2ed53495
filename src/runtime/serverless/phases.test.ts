/** What becomes of a workflow, and what people make of it: WF-01 to WF-07, WF-09 and WF-10. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createTestEngine, type TestEngine } from '../../testing/test-engine.ts';
import { endOf, oneLine, workflow } from '../../testing/workflows.ts';
import type { Run } from '../run.ts';

const kits: TestEngine[] = [];

afterEach(async () => {
  for (const kit of kits.splice(0)) {
    const checked = await kit.engine.check();
    await kit.close();
    if (!checked.ok) throw new Error(JSON.stringify(checked));
  }
});

async function started(
  body: string,
  input: Json = {},
): Promise<{ kit: TestEngine; run: Run<Json> }> {
  const flow = workflow(body);
  const kit = createTestEngine({ flows: [flow] });
  kits.push(kit);
  const run = await kit.start(flow, input);
  await kit.runUntilIdle();
  return { kit, run };
}

/** What is alive, but for what nobody wrote, as `place status`. */
async function standing(run: Run<Json>): Promise<readonly string[]> {
  const tokens = (await run.tokens()).filter(({ node }) => !/#|^\/$/.test(node));
  return tokens.map(({ node, status }) => `${node} ${status}`).toSorted();
}

/** How the tasks of a node ended. */
async function endings(run: Run<Json>, node: string): Promise<readonly unknown[]> {
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  const ids = new Set(
    changes.flatMap((change) =>
      change.did === 'birth-token' && change.token.node === node ? [change.token.id] : [],
    ),
  );
  return changes.flatMap((change) =>
    change.did === 'end-token' && ids.has(change.token)
      ? [[change.why, ...(change.outcomes ?? [])]]
      : [],
  );
}

describe('a workflow', () => {
  test('is running when it has begun, and waiting while it waits [WF-01, WF-02]', async () => {
    const { kit, run } = await started('do: [{ w: { wait: PT1S } }, { x: { wait: PT1S } }]');
    expect((await run.history())[0]?.changes[0]).toMatchObject({ did: 'start-instance' });
    expect(await run.at(1)).toMatchObject({ status: 'waiting' });
    expect(await run.status()).toBe('waiting');
    await kit.advance('1s');
    expect(await standing(run)).toEqual(['/do/1/x waiting']);
    await kit.advance('1s');
    expect(await run.status()).toBe('completed');
  });

  test('that is suspended stands still, and goes on where it was [WF-03]', async () => {
    const { kit, run } = await started('do: [{ w: { wait: PT10S } }, { s: { set: { done: 1 } } }]');
    await kit.advance('5s');
    await run.suspend({ actor: 'ann' });
    expect(await run.status()).toBe('suspended');
    await kit.advance('1h');
    expect(await run.status()).toBe('suspended');
    expect(await standing(run)).toEqual(['/do/0/w waiting']);
    await run.resume({ actor: 'ann' });
    await kit.runUntilIdle();
    expect(await endOf(run)).toEqual({ status: 'completed', output: { done: 1 } });
  });

  test('that is suspended before its time is over waits for the rest of it [WF-03]', async () => {
    const { kit, run } = await started('do: [{ w: { wait: PT10S } }]');
    await kit.advance('5s');
    await run.suspend();
    await kit.advance('2s');
    await run.resume();
    await kit.advance('2s');
    expect(await run.status()).toBe('waiting');
    await kit.advance('1s');
    expect(await run.status()).toBe('completed');
  });

  test('that is cancelled is over, and all its tasks with it [WF-04]', async () => {
    const body = `
      do:
        - f: { fork: { branches: [{ a: { wait: PT1H } },
            { b: { do: [{ c: { listen: { to: { any: [] } } } }] } }] } }
    `;
    const { kit, run } = await started(body);
    await run.cancel();
    expect(await run.inspect()).toMatchObject({ status: 'canceled', tokens: [], scopes: [] });
    const cancelled = [['cancelled']];
    expect(await endings(run, '/do/0/f/fork/branches/0/a')).toEqual(cancelled);
    expect(await endings(run, '/do/0/f/fork/branches/1/b/do/0/c')).toEqual(cancelled);
    await kit.advance('2h');
    expect(await run.status()).toBe('canceled');
    await expect(run.resume()).rejects.toMatchObject({ code: expect.any(String) as string });
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.canceled' });
  });

  test('that fails is over, with the error it failed with [WF-05]', async () => {
    const raise = "raise: { error: { type: 'about:blank', status: 418, title: T } }";
    const { kit, run } = await started(`do: [{ w: { wait: PT1S } }, { bad: { ${raise} } }]`);
    await kit.advance('1s');
    const error = { type: 'about:blank', status: 418, title: 'T', instance: '/do/1/bad' };
    expect(await run.inspect()).toMatchObject({
      ...{ status: 'failed', tokens: [], fault: { code: 'workflow.raised', details: error } },
    });
    expect(await endings(run, '/do/1/bad')).toEqual([['failed']]);
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
    await kit.advance('1h');
    expect(await run.status()).toBe('failed');
  });

  test('that comes to its end is completed, with its output [WF-06]', async () => {
    const { run } = await started("do: [{ s: { set: { n: '${ .n + 1 }' } } }]", { n: 1 });
    expect(await run.inspect()).toMatchObject({
      status: 'completed',
      output: { n: 2 },
      tokens: [],
    });
    expect(await run.result()).toEqual({ n: 2 });
  });
});

describe('a workflow that is suspended', () => {
  test.each([
    ['in a wait', 'wait: PT10S', 'completed'],
    [
      'in the pause before a retry',
      oneLine`
        try: [{ bad: { raise: { error: { type: 'about:blank', status: 500 } } } }],
        catch: { retry: { delay: PT10S, limit: { attempt: { count: 1 } } } }`,
      'failed',
    ],
  ])('%s goes on when it is resumed, and not before [WF-07]', async (_, task, status) => {
    const { kit, run } = await started(`do: [{ t: { ${task} } }]`);
    const began = kit.now;
    await kit.advance('1s');
    await run.suspend();
    const commits = (await run.history()).length;
    await kit.advance('1h');
    expect((await run.history()).length).toBe(commits);
    await run.resume();
    await kit.runUntilIdle();
    expect(await run.status()).toBe(status);
    expect((await run.history()).at(-1)?.at).toBe(began + 3_601_000);
  });

  test('in a listen has what came meanwhile when it goes on [WF-07]', async () => {
    const { kit, run } = await started(
      'do: [{ l: { listen: { to: { one: { with: { type: x } } } } } }]',
    );
    await run.suspend();
    await kit.engine.publish({ type: 'x', data: { n: 1 } });
    await kit.advance('1m');
    expect(await run.status()).toBe('suspended');
    await run.resume();
    await kit.runUntilIdle();
    expect(await endOf(run)).toEqual({ status: 'completed', output: [{ n: 1 }] });
  });

  test('has no timeouts that run, of tasks or its own [WF-07]', async () => {
    for (const body of [
      'do: [{ w: { wait: PT1H, timeout: { after: PT10S } } }]',
      'timeout: { after: PT10S }\ndo: [{ w: { wait: PT1H } }]',
      oneLine`
        do: [{ w: { try: [{ x: { wait: PT1H } }], catch: { retry: { limit: { attempt: { count: 0,
        duration: PT10S } } } } } }]`,
    ]) {
      const { kit, run } = await started(body);
      await kit.advance('4s');
      await run.suspend();
      await kit.advance('30m');
      await run.resume();
      await kit.advance('5s');
      expect(await run.status()).toBe('waiting');
      await kit.advance('1s');
      expect(await endOf(run)).toMatchObject({ status: 'failed', error: { status: 408 } });
    }
  });

  test('is tried as long as its policy has it, and that pause does not count [WF-07]', async () => {
    const raise = "{ bad: { raise: { error: { type: 'about:blank', status: 500 } } } }";
    const policy = '{ delay: PT10S, limit: { duration: PT25S } }';
    const { kit, run } = await started(
      `do: [{ t: { try: [${raise}], catch: { retry: ${policy} } } }]`,
    );
    await kit.advance('4s');
    await run.suspend();
    await kit.advance('1h');
    await run.resume();
    await kit.advance('1h');
    expect(await run.status()).toBe('failed');
    // At 0, at 4 s of its own time, when it was resumed, and 10 s and 20 s later.
    expect(await endings(run, '/do/0/t/try/0/bad')).toHaveLength(4);
  });
});

describe('a task', () => {
  test('has phases of its own [WF-09]', async () => {
    const body = `
      do:
        - f:
            fork:
              branches:
                - waits: { wait: PT1H }
                - called: { call: http, with: { method: GET, endpoint: 'http://127.0.0.1:1/' } }
                - done: { set: { done: true } }
    `;
    const flow = workflow(body);
    const kit = createTestEngine({ flows: [flow] });
    kits.push(kit);
    const run = await kit.start(flow, {});
    // Before any worker has looked: what is called for is ready, and not yet running.
    expect(await run.status()).toBe('running');
    expect(await standing(run)).toEqual([
      '/do/0/f waiting',
      '/do/0/f/fork/branches/0/waits waiting',
      '/do/0/f/fork/branches/1/called ready',
    ]);
    expect(await endings(run, '/do/0/f/fork/branches/2/done')).toEqual([['done']]);
    await run.suspend();
    expect(await run.inspect()).toMatchObject({ status: 'suspended' });
    await run.resume();
    await kit.runUntilIdle();
    expect(await endings(run, '/do/0/f/fork/branches/1/called')).toEqual([['failed']]);
    expect(await endings(run, '/do/0/f/fork/branches/0/waits')).toEqual([['cancelled']]);
  });

  test('that is skipped is shown as that [WF-10]', async () => {
    const { run } = await started(
      "do: [{ no: { if: 'false', wait: PT1H } }, { yes: { set: { a: 1 } } }]",
    );
    expect(await endings(run, '/do/0/no')).toEqual([['done', 'skipped']]);
    expect(await endings(run, '/do/1/yes')).toEqual([['done']]);
    const timed = await started(
      "do: [{ no: { if: 'false', wait: PT1H, timeout: { after: PT1H } } }]",
    );
    expect(await endings(timed.run, '/do/0/no')).toEqual([['done', 'skipped']]);
  });
});
