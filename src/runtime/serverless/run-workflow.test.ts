/** Workflows that workflows run: SW rows, RU-01 and RU-02. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import {
  createTestEngine,
  type TestEngine,
  type TestEngineOptions,
} from '../../testing/test-engine.ts';
import { endOf, error, oneLine, output, workflow } from '../../testing/workflows.ts';
import { Notebook, World } from '../../testing/world.ts';
import type { Run } from '../run.ts';

const ERRORS = 'https://serverlessworkflow.io/spec/1.0.0/errors/';
const CRASHES = { chaos: { crashAfterEveryCommit: true } };

function other(body: string, version = '1.0.0'): Flow {
  return workflow(body, { name: 'other', version });
}

/** A workflow that runs another. */
function runs(more = '', version = '1.0.0', around = ''): string {
  const given = more === '' ? '' : `, ${more}`;
  return oneLine`
    do: [{ it: { run: { workflow: { namespace: test, name: other,
    version: ${version}${given} } }${around} } }]`;
}

const SEES = "do: [{ p: { wait: PT1S } }, { see: { set: { saw: '${ . }' } } }]";

async function started(
  body: string,
  others: readonly Flow[],
  options: Partial<TestEngineOptions> = {},
): Promise<{ kit: TestEngine; run: Run<Json> }> {
  const flow = workflow(body);
  const kit = createTestEngine({ flows: [flow, ...others], ...options });
  const run = await kit.start(flow, { x: 1 });
  await kit.runUntilIdle();
  return { kit, run };
}

describe.each([
  ['', {}],
  [', with a crash after every commit', CRASHES],
])('a workflow that is run%s', (_, chaos) => {
  test('by its namespace, name and version gives its output [SW-01]', async () => {
    const wrong = other('do: [{ a: { set: { wrong: true } } }]', '1.0.1');
    const others = [other(SEES), wrong];
    const seen = await output(
      runs('', '1.0.0', ", output: { as: '. + { made: $input }' }"),
      { x: 1 },
      { others, ...chaos },
    );
    expect(seen).toEqual({ saw: { x: 1 }, made: { x: 1 } });
  });

  test('in its latest version is the newest there is [SW-02]', async () => {
    const versions = ['1.0.0', '1.10.0', '1.9.0', '0.99.99'];
    const others = versions.map((each) =>
      other(`do: [{ a: { set: { version: '${each}' } } }]`, each),
    );
    for (const version of ['latest', "'1.10.0'"]) {
      expect(await output(runs('', version), {}, { others, ...chaos })).toEqual({
        version: '1.10.0',
      });
    }
    expect(await output(runs('', '1.9.0'), {}, { others, ...chaos })).toEqual({ version: '1.9.0' });
  });

  test('has the input that it is given, or that of the task [SW-03]', async () => {
    const others = [other(SEES)];
    const saw = (value: Json): Json => ({ saw: value });
    expect(
      await output(runs("input: { y: '${ .x + 1 }', z: [plain] }"), { x: 1 }, { others, ...chaos }),
    ).toEqual(saw({ y: 2, z: ['plain'] }));
    expect(await output(runs('input: {}'), { x: 1 }, { others, ...chaos })).toEqual(saw({}));
    const shaped = runs('', '1.0.0', ', input: { from: .x }');
    expect(await output(shaped, { x: 1 }, { others, ...chaos })).toEqual(saw(1));
  });

  test('checks its input itself [SW-03]', async () => {
    const strict = 'input: { schema: { document: { required: [y] } } }\ndo: []';
    const failed = await error(runs(), { x: 1 }, { others: [other(strict)], ...chaos });
    expect(failed).toMatchObject({
      type: `${ERRORS}validation`,
      status: 400,
      instance: '/do/0/it',
    });
    expect(
      await output(runs('input: { y: 1 }'), {}, { others: [other(strict)], ...chaos }),
    ).toEqual({ y: 1 });
  });

  test('and fails, fails the task with its error, and its own place [SW-04]', async () => {
    const bad = oneLine`
      do: [{ p: { wait: PT1S } }, { bad: { raise: { error: { type: 'about:blank', status: 418,
      title: T, detail: why } } } }]`;
    const others = [other(bad)];
    const failed = await error(runs(), {}, { others, ...chaos });
    expect(failed).toEqual({
      ...{ type: 'about:blank', status: 418, title: 'T', instance: '/do/0/it' },
      detail: expect.stringMatching(/^why \(instance [0-9a-f-]{36}\)$/) as string,
    });
    const caught = oneLine`
      do: [{ t: { try: ${runs().slice(4)}, catch: { errors: { with: { status: 418 } },
      do: [{ c: { set: { caught: '\${ $error.title }' } } }] } } }]`;
    expect(await output(caught, {}, { others, ...chaos })).toEqual({ caught: 'T' });
  });
});

describe('a workflow that is run', () => {
  test('is cancelled with the one that waits for it [SW-05]', async () => {
    const { kit, run } = await started(runs(), [other('do: [{ p: { wait: PT1H } }]')]);
    const [child] = (await kit.engine.list({ flow: 'test.other' })).instances;
    expect(child).toMatchObject({ status: 'waiting' });
    await run.cancel();
    await kit.runUntilIdle();
    expect(await run.status()).toBe('canceled');
    const again = await kit.engine.get(child?.id ?? '');
    expect(await again?.status()).toBe('canceled');
    await kit.close();
  });

  test.each([
    ['a timeout', runs('', '1.0.0', ', timeout: { after: PT1S }'), 'failed'],
    [
      'another branch',
      oneLine`
        do: [{ f: { fork: { compete: true, branches: [${runs().slice(5, -1)},
        { q: { wait: PT1S } }] } } }]`,
      'completed',
    ],
  ])('is cancelled by %s of the task that waits for it [SW-05]', async (_, body, status) => {
    const { kit, run } = await started(body, [other('do: [{ p: { wait: PT1H } }]')]);
    await kit.advance('2s');
    expect(await run.status()).toBe(status);
    const [child] = (await kit.engine.list({ flow: 'test.other' })).instances;
    expect(child).toMatchObject({ status: 'canceled' });
    expect(await kit.engine.check()).toMatchObject({ ok: true });
    await kit.close();
  });

  test('and cancelled by people, fails the task [SW-04]', async () => {
    const { kit, run } = await started(runs(), [other('do: [{ p: { wait: PT1H } }]')]);
    const [child] = (await kit.engine.list({ flow: 'test.other' })).instances;
    await (await kit.engine.get(child?.id ?? ''))?.cancel();
    await kit.runUntilIdle();
    expect(await endOf(run)).toMatchObject({
      status: 'failed',
      error: { type: `${ERRORS}runtime`, status: 500, instance: '/do/0/it' },
    });
    await kit.close();
  });

  test.each([
    ['of no such name', runs()],
    ['of no such version', runs('', '7.0.0')],
    ['of no such name, in any version', runs('', 'latest').replace('name: other', 'name: nobody')],
  ])('%s is a configuration error [SW-06]', async (_, body) => {
    const others = body.includes('7.0.0') ? [other(SEES)] : [];
    const failed = await error(body, {}, { others });
    expect(failed).toMatchObject({
      ...{ type: `${ERRORS}configuration`, status: 400, instance: '/do/0/it' },
      detail: expect.stringMatching(/no flow "test\.(other|nobody)"/) as string,
    });
    const caught = `do: [{ t: { try: ${body.slice(4)}, catch: {} } }]`;
    expect(await output(caught, { x: 1 }, { others })).toEqual({ x: 1 });
  });

  test('that another process has had waits for a process that has it [SW-01]', async () => {
    const world = new World();
    const before = await world.open([other(SEES)]);
    world.kill(before);
    const flow = workflow(runs());
    const engine = await world.open([flow]);
    const run = await engine.start(flow, { x: 1 });
    await world.passSeconds(2);
    expect(await run.status()).toBe('waiting');
    const later = await world.open([other(SEES)]);
    await world.passSeconds(60);
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: { saw: { x: 1 } } });
    for (const each of [engine, later]) await each.close();
  });
});

describe('a workflow that nobody waits for', () => {
  const detached = (more = ''): string => `
      do:
        - it: { run: { await: false, workflow: { namespace: test, name: other,
            version: latest${more} } } }
        - next: { set: '\${ . + { next: true } }' }
  `;

  test('goes on by itself, and the task has its input as its output [RU-02]', async () => {
    const { kit, run } = await started(detached(", input: { y: '${ .x }' }"), [other(SEES)]);
    expect(await endOf(run)).toEqual({ status: 'completed', output: { x: 1, next: true } });
    const [child] = (await kit.engine.list({ flow: 'test.other' })).instances;
    expect(child).toMatchObject({ status: 'waiting' });
    await kit.advance('1s');
    const ended = await kit.engine.get(child?.id ?? '');
    expect(await ended?.result()).toEqual({ saw: { y: 1 } });
    await kit.close();
  });

  test('is not ended by what becomes of the other [RU-02]', async () => {
    const flow = oneLine`
      do: [{ it: { run: { await: false, workflow: { namespace: test, name: other,
      version: latest } } } }, { stop: { wait: PT1H } }]`;
    const { kit, run } = await started(flow, [other(SEES)]);
    await run.cancel();
    await kit.advance('1s');
    const [child] = (await kit.engine.list({ flow: 'test.other' })).instances;
    expect(child).toMatchObject({ status: 'completed' });
    await kit.close();
  });

  test('is begun once, whatever dies meanwhile [RU-02]', async () => {
    const { kit } = await started(detached(), [other(SEES)], CRASHES);
    await kit.advance('2s');
    const { instances } = await kit.engine.list({ flow: 'test.other' });
    expect(instances.map(({ status }) => status)).toEqual(['completed']);
    await kit.close();
  });

  test('and that is nowhere is told to people [SW-06]', async () => {
    const logger = new Notebook();
    const { kit, run } = await started(detached(), [], { logger });
    expect(await run.status()).toBe('completed');
    expect(JSON.stringify(logger.lines)).toContain('call.unknown-flow');
    await kit.close();
  });

  test('may win a race of branches [RU-02, FK-03]', async () => {
    const body = oneLine`
      do: [{ f: { fork: { compete: true, branches: [{ slow: { wait: PT1H } },
      { it: { run: { await: false, workflow: { namespace: test, name: other,
      version: latest } } } }] } } }]`;
    const { kit, run } = await started(body, [other(SEES)]);
    expect(await endOf(run)).toEqual({ status: 'completed', output: { x: 1 } });
    expect((await kit.engine.list({ flow: 'test.other' })).instances).toHaveLength(1);
    await kit.close();
  });
});

describe('run', () => {
  test.each([
    '{}',
    "{ workflow: { namespace: a, name: b, version: '1.0.0' }, shell: { command: x } }",
  ])('of %s is refused: exactly one thing is run [RU-01]', (run) => {
    expect(() => workflow(`do: [{ it: { run: ${run} } }]`)).toThrow(/definition/);
  });
});
