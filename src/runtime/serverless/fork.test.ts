/** Branches: FK rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { Receiver } from '../../testing/receiver.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { endOf, error, oneLine, output, ran, workflow } from '../../testing/workflows.ts';

const CRASHES = { chaos: { crashAfterEveryCommit: true } };
const SMOOTH = {};
const BOTH = [
  ['', SMOOTH],
  [', with a crash after every commit', CRASHES],
] as const;

const fork = (branches: string, more = ''): string =>
  `do: [{ fork: { fork: { branches: [${branches}]${more === '' ? '' : `, ${more}`} } } }]`;

describe.each(BOTH)('branches%s', (_, chaos) => {
  test('run side by side, each with the input of the fork [FK-01]', async () => {
    const body = fork(`
      { a: { do: [{ pause: { wait: PT2S } }, { see: { set: { a: '\${ . }' } } }] } },
      { b: { do: [{ pause: { wait: PT2S } }, { see: { set: { b: '\${ . }' } } }] } },
      { c: { set: { c: '\${ . }' } } }`);
    const kit = createTestEngine({ flows: [workflow(body)], ...chaos });
    const run = await kit.start(workflow(body), { x: 1 });
    const began = kit.now;
    await kit.advance('2s');
    const ended = await endOf(run);
    expect(kit.now - began).toBeLessThan(2_200);
    expect(ended).toEqual({
      status: 'completed',
      output: [{ a: { x: 1 } }, { b: { x: 1 } }, { c: { x: 1 } }],
    });
    expect(await kit.engine.check()).toMatchObject({ ok: true });
    await kit.close();
  });

  test('are a list in the order they are written, whoever is done first [FK-02]', async () => {
    const body = fork(`
      { slow: { do: [{ w: { wait: PT3S } }, { s: { set: { n: 1 } } }] } },
      { quick: { set: { n: 2 }, output: { as: .n } } },
      { middle: { do: [{ w: { wait: PT1S } }, { s: { set: { n: 3 } } }] } }`);
    expect(await output(body, {}, chaos)).toEqual([{ n: 1 }, 2, { n: 3 }]);
  });

  test('that compete come to what the first of them does [FK-03]', async () => {
    const body = fork(
      `
      { slow: { do: [{ w: { wait: PT3S } }, { s: { set: { n: 1 } } }] } },
      { quick: { do: [{ w: { wait: PT1S } }, { s: { set: { n: 2 } } }] } }`,
      'compete: true',
    );
    expect(await output(body, {}, chaos)).toEqual({ n: 2 });
  });

  test('fail together with the one that fails [FK-05]', async () => {
    const body = (compete: boolean): string =>
      fork(
        `
      { slow: { do: [{ w: { wait: PT3S } }, { s: { set: { n: 1 },
          export: { as: '{ late: true }' } } }] } },
      { bad: { do: [{ w: { wait: PT1S } }, { r: { raise: { error: { type: 'about:blank',
          status: 418 } } } }] } }`,
        `compete: ${compete}`,
      );
    for (const compete of [false, true]) {
      const failed = await error(body(compete), {}, chaos);
      expect(failed).toMatchObject({
        status: 418,
        instance: '/do/0/fork/fork/branches/1/bad/do/1/r',
      });
      const caught = oneLine`
        do: [{ t: { try: ${body(compete).slice(4)}, catch: {} } }, { p: { wait: PT9S } },
        { c: { set: '\${ $context }' } }]`;
      expect(await output(caught, { early: true }, chaos)).toEqual({ early: true });
    }
  });

  test('are lists of their own, which exit leaves [FK-06]', async () => {
    const body = fork(`
      { a: { do: [{ x: { set: { x: 1 }, then: exit } }, { y: { set: { y: 1 } } }] } },
      { b: { do: [{ w: { wait: PT1S } }, { z: { set: { z: 1 } } }] } },
      { c: { set: { c: 1 }, then: exit } }`);
    expect(await output(body, {}, chaos)).toEqual([{ x: 1 }, { z: 1 }, { c: 1 }]);
  });

  test('export to the one context, in the order in which they do [FK-07]', async () => {
    const put = (name: string): string =>
      `export: { as: '$context + { ${name}: true, last: "${name}" }' }`;
    const body = `
      do:
        - fork:
            fork:
              branches:
                - a: { do: [{ w: { wait: PT2S } }, { s: { set: { n: 1 }, ${put('a')} } }] }
                - b: { do: [{ w: { wait: PT1S } }, { s: { set: { n: 2 }, ${put('b')} } }] }
                - c: { set: { n: 3 }, ${put('c')} }
        - see: { set: '\${ $context }' }
    `;
    expect(await output(body, {}, chaos)).toEqual({ c: true, b: true, a: true, last: 'a' });
    const race = body.replace('branches:', 'compete: true\n              branches:');
    expect(await output(race, {}, chaos)).toEqual({ c: true, last: 'c' });
  });

  test('may be none [FK-09]', async () => {
    const body = 'do: [{ fork: { fork: { branches: [] } } }]';
    expect(await output(body, { a: 1 }, chaos)).toEqual([]);
    expect(await output(body.replace('[]', '[], compete: true'), { a: 1 }, chaos)).toEqual({
      a: 1,
    });
  });

  test('lie in branches, loops and tries, and those in them [FK-10]', async () => {
    const inner = (name: string): string =>
      oneLine`
        { ${name}: { fork: { branches: [{ x: { do: [{ w: { wait: PT1S } },
        { s: { set: '\${ [., $item] }' } }] } }, { y: { set: '\${ . + 1 }' } }] } } }`;
    const body = `
      do:
        - loop:
            for: { in: '["a", "b"]' }
            do:
              - outer: { fork: { branches: [${inner('one')}, { two: { for: { in: '[1, 2]',
                  each: n }, do: [{ s: { set: '\${ . + $n }' } }] } }] } }
              - count: { set: '\${ .[1] + (.[0] | length) }' }
              - tried: { try: [${inner('three')}, { bad: { raise: { error: { type:
                  'about:blank', status: 500 } } } }],
                  catch: { do: [{ c: { set: '\${ . }' } }] } }
    `;
    // 0 → [[[0, item], 1], 3] → 3 + 2 = 5 → caught, 5 → 5 + 3 + 2 = 10.
    expect(await output(body, 0, chaos)).toBe(10);
  });

  test('that are skipped come to their input, and do not win [FK-03]', async () => {
    const branches = oneLine`
      { a: { if: 'false', set: { a: 1 } } }, { b: { do: [{ w: { wait: PT1S } },
      { s: { set: { b: 1 } } }] } }`;
    expect(await output(fork(branches), { x: 1 }, chaos)).toEqual([{ x: 1 }, { b: 1 }]);
    expect(await output(fork(branches, 'compete: true'), { x: 1 }, chaos)).toEqual({ b: 1 });
  });

  test.each([
    ['set', 'set: { n: 1 }', { n: 1 }],
    [
      'emit',
      oneLine`
        emit: { event: { with: { type: x, id: '1', source: /s, data: { n: 1 } } } },
        output: { as: .data }`,
      { n: 1 },
    ],
    ['wait', 'wait: PT1S', { x: 1 }],
    ['switch', 'switch: [{ a: { then: exit } }]', { x: 1 }],
    ['try', 'try: [{ s: { set: { n: 1 } } }], catch: {}', { n: 1 }],
    ['for', "for: { in: '[1]' }, do: [{ s: { set: { n: 1 } } }]", { n: 1 }],
    ['fork', 'fork: { branches: [{ s: { set: { n: 1 } } }] }', [{ n: 1 }]],
    ['a task with a timeout', 'timeout: { after: PT1H }, set: { n: 1 }', { n: 1 }],
    ['a list', 'do: [{ s: { set: { n: 1 } } }]', { n: 1 }],
  ])('that compete may win with %s [FK-03]', async (_kind, task, expected) => {
    const slow = '{ slow: { do: [{ w: { wait: PT3S } }, { s: { set: { slow: true } } }] } }';
    const body = fork(`${slow}, { first: { ${task} } }`, 'compete: true');
    expect(await output(body, { x: 1 }, chaos)).toEqual(expected);
  });
});

describe('a branch that has won', () => {
  test('by an event has published it, here and outside [FK-03]', async () => {
    const emit = "{ e: { emit: { event: { with: { type: won, id: '1', source: /s } } } } }";
    const body = fork(`{ slow: { wait: PT1H } }, ${emit}`, 'compete: true');
    const heard = workflow('do: [{ l: { listen: { to: { one: { with: { type: won } } } } } }]', {
      name: 'heard',
    });
    const outbox = new Receiver();
    const flow = workflow(body);
    const kit = createTestEngine({ flows: [flow, heard], outbox });
    const listener = await kit.start(heard, {});
    const run = await kit.start(flow, {});
    await kit.runUntilIdle();
    expect([await run.status(), await listener.status()]).toEqual(['completed', 'completed']);
    expect(outbox.taken.filter(({ type }) => type === 'won')).toHaveLength(1);
    await kit.close();
  });
});

describe('a branch that has lost', () => {
  test('is told of as cancelled, and leaves nothing behind [FK-04]', async () => {
    const body = fork(
      `
      { slow: { do: [{ pause: { wait: PT1H } }] } },
      { deaf: { listen: { to: { one: { with: { type: never } } } } } },
      { quick: { do: [{ w: { wait: PT1S } }] } }`,
      'compete: true',
    );
    const outbox = new Receiver();
    const kit = createTestEngine({ flows: [workflow(body)], outbox });
    const run = await kit.start(workflow(body), {});
    await kit.advance('1s');
    expect(await run.inspect()).toMatchObject({ status: 'completed', tokens: [] });
    const cancelled = outbox.taken.filter(({ type }) => type.includes('task.cancelled'));
    const tasks = cancelled.map(({ data }) => String(taskOf(data)));
    expect(tasks.toSorted()).toEqual([
      '/do/0/fork/fork/branches/0/slow',
      '/do/0/fork/fork/branches/0/slow/do/0/pause',
      '/do/0/fork/fork/branches/1/deaf',
    ]);
    expect(await kit.engine.check()).toMatchObject({ ok: true });
    await kit.close();
  });
});

function taskOf(data: Json): unknown {
  const { $cloudevent: event } = data as { $cloudevent?: { data?: Json } };
  return ((event?.data ?? data) as { task?: unknown }).task;
}

describe('after a crash', () => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await startHttpServer(({ path }) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path }),
    }));
  });

  afterAll(async () => {
    await server.close();
  });

  const call = (path: string): string =>
    `{ call: http, with: { method: GET, endpoint: '${server.url}${path}' } }`;

  test('only branches that are not done go on [FK-08]', async () => {
    const body = fork(`
      { a: { do: [{ v: { wait: PT1S } }, { one: ${call('/a1')} }, { w: { wait: PT1S } },
          { two: ${call('/a2')} }] } },
      { b: ${call('/b')} },
      { c: { do: [{ w: { wait: PT5S } }, { x: ${call('/c')} }] } }`);
    const options = { ...CRASHES, http: { allow: ['127.0.0.1'] } };
    const ended = await ran(body, {}, options);
    expect(ended).toEqual({
      status: 'completed',
      output: [{ path: '/a2' }, { path: '/b' }, { path: '/c' }],
    });
    // What is in flight when a process dies is asked for again; here nothing is.
    expect(server.requests.map(({ path }) => path).toSorted()).toEqual(['/a1', '/a2', '/b', '/c']);
  });
});
