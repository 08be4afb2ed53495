/** What people do to a workflow, at every node of every kind: nothing of it may break anything. */
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { Json } from '../../base/json.ts';
import type { Action } from '../../model/action.ts';
import type { Flow } from '../../model/definition.ts';
import type { Token } from '../../model/instance.ts';
import { createTestEngine, type TestEngine } from '../../testing/test-engine.ts';
import { endOf, oneLine, workflow } from '../../testing/workflows.ts';
import type { Run } from '../run.ts';

const SLOW = '[{ w: { wait: PT1H } }, { x: { set: { x: 1 } } }]';
const RAISE = "raise: { error: { type: 'about:blank', status: 500 } }";
const RETRY = 'retry: { delay: PT1H, limit: { attempt: { count: 2 } } }';
const EXTENSIONS = oneLine`
  use: { extensions: [{ e: { extend: wait, before: ${SLOW.replace('w:', 'b:')},
  after: [{ a: { set: { a: 1 } } }] } }] }`;
const OTHER = workflow(`do: ${SLOW}`, { name: 'other' }) as unknown as Flow;

/** Each with a task that rests for a while. */
const TASKS: readonly (readonly [name: string, task: string])[] = [
  ['wait', 'wait: PT1H'],
  ['wait with a timeout', 'wait: PT1H, timeout: { after: PT2H }'],
  ['wait that times out', 'wait: PT2H, timeout: { after: PT1H }'],
  ['wait whose input is made anew', "wait: PT1H, input: { from: '{ b: 1 }' }"],
  ['do', `do: ${SLOW}`],
  ['for', `for: { in: '[1, 2]' }, do: ${SLOW}`],
  ['fork', `fork: { branches: [{ a: { do: ${SLOW} } }, { b: { wait: PT2H } }] }`],
  [
    'fork that competes',
    `fork: { compete: true, branches: [{ a: { do: ${SLOW} } }, { b: { wait: PT2H } }] }`,
  ],
  ['try', `try: ${SLOW}, catch: {}`],
  ['try that pauses', `try: [{ r: { ${RAISE} } }], catch: { ${RETRY}, do: ${SLOW} }`],
  ['try whose error is dealt with', `try: [{ r: { ${RAISE} } }], catch: { do: ${SLOW} }`],
  [
    'try whose attempts have a time',
    `try: ${SLOW}, catch: { retry: { limit: { attempt: { count: 1, duration: PT2H } } } }`,
  ],
  ['listen', 'listen: { to: { one: { with: { type: x } } } }, timeout: { after: PT1H }'],
  [
    'listen that does something for each',
    oneLine`
      listen: { to: { any: [], until: 'false' } }, foreach: { do: ${SLOW} },
      timeout: { after: PT1H }`,
  ],
  ['run', 'run: { workflow: { namespace: test, name: other, version: latest } }'],
];

/** The same in what stands around them. */
const KINDS: readonly (readonly [name: string, task: string, more: string])[] = [
  ...TASKS.map(([name, task]) => [name, task, ''] as const),
  ['an extended task', 'wait: PT1H', EXTENSIONS],
  ['a task of a workflow with a timeout', 'wait: PT1H', 'timeout: { after: PT2H }'],
  ['a function', 'call: f', `use: { functions: { f: { do: ${SLOW} } } }`],
];

interface Opened {
  readonly kit: TestEngine;
  readonly run: Run<Json>;
}

async function opened(task: string, more: string): Promise<Opened> {
  const body = `${more}\ndo: [{ t: { ${task} } }, { after: { set: { after: '\${ . }' } } }]`;
  const flow = workflow(body.trimStart());
  const kit = createTestEngine({ flows: [flow, OTHER] });
  const run = await kit.start(flow, { a: 1 });
  await kit.advance('1m');
  return { kit, run };
}

/** What people may do at a token. */
function actionsAt({ id, node }: Token): readonly Action[] {
  return [
    { do: 'skip', token: id, result: { given: 1 } },
    { do: 'retry', token: id },
    { do: 'wake', token: id, data: { type: 'x', data: 1 } },
    { do: 'move', token: id, to: '/do/1/after' },
    { do: 'move', token: id, to: node },
    { do: 'rerun', from: node },
    { do: 'rerun', from: node, copy: true },
    { do: 'set', name: 'mine', value: 1 },
  ];
}

const WHOLE: readonly Action[] = [
  { do: 'suspend' },
  { do: 'retry' },
  { do: 'rerun', from: '/do/0/t' },
  { do: 'rerun', from: '/' },
  { do: 'cancel', saga: false },
  { do: 'cancel', saga: true },
];

/** Whether it was done; what makes no sense there is refused, with a code. */
async function isDone(run: Run<Json>, action: Action): Promise<boolean> {
  try {
    await run.act(action);
    return true;
  } catch (thrown) {
    const isRefused =
      thrown instanceof EngineError && /^(operation|instance|token)\./.test(thrown.code);
    if (!isRefused) throw thrown;
    return false;
  }
}

/** All is sound, and whatever was done to it, it comes to an end. */
async function soundEnd({ kit, run }: Opened, note: string): Promise<void> {
  expect(await kit.engine.check(), note).toMatchObject({ ok: true });
  if ((await run.status()) === 'suspended') await run.resume();
  await kit.advance('2d');
  expect(await kit.engine.check(), note).toMatchObject({ ok: true });
  const { instances } = await kit.engine.list({});
  const open = instances.filter(({ status }) => !/completed|failed|canceled/.test(status));
  expect(open, note).toEqual([]);
}

describe.each(KINDS)('%s', (_, task, more) => {
  test('stands whatever people do at any of its tokens', async () => {
    const first = await opened(task, more);
    const tokens = await first.run.tokens();
    expect(tokens.length).toBeGreaterThan(1);
    const all = [...tokens.flatMap(actionsAt), ...WHOLE];
    for (const action of all) {
      // A preview says the same, and changes nothing.
      const { version } = await first.run.inspect();
      await first.run.preview(action).catch(() => null);
      expect((await first.run.inspect()).version).toBe(version);
    }
    await first.kit.close();
    for (const action of all) {
      const house = await opened(task, more);
      const done = await isDone(house.run, action);
      await house.kit.runUntilIdle();
      await soundEnd(house, `${JSON.stringify(action)} ${done ? 'done' : 'refused'}`);
      await house.kit.close();
    }
  });

  test('stands what people do while it is suspended, and after it is over', async () => {
    const { kit, run } = await opened(task, more);
    await run.suspend();
    const tokens = await run.tokens();
    for (const action of tokens.flatMap(actionsAt)) {
      await isDone(run, action);
      expect(await kit.engine.check(), JSON.stringify(action)).toMatchObject({ ok: true });
    }
    await soundEnd({ kit, run }, 'suspended');
    for (const action of [...tokens.flatMap(actionsAt), ...WHOLE]) await isDone(run, action);
    await soundEnd({ kit, run }, 'over');
    await kit.close();
  });
});

describe('a task that waits', () => {
  test.each(KINDS.filter(([name]) => !name.startsWith('an extended')))(
    'is gone on from when it is skipped: %s',
    async (_, task, more) => {
      const { kit, run } = await opened(task, more);
      const token = (await run.tokens()).find(({ node }) => node === '/do/0/t');
      await run.skip(token?.id ?? 0, { given: 1 });
      await kit.runUntilIdle();
      expect(await endOf(run)).toEqual({ status: 'completed', output: { after: { given: 1 } } });
      expect(await kit.engine.check()).toMatchObject({ ok: true });
      await kit.close();
    },
  );
});
