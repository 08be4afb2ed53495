/** Workflows that outlive every process that runs them: WF-08, CA-06. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { eventOf } from '../../testing/listeners.ts';
import { Lives } from '../../testing/lives.ts';
import { workflow } from '../../testing/workflows.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-lives-'));
let server: LocalServer;
/** How often each path was asked for. */
const asked = new Map<string, number>();

beforeAll(async () => {
  server = await startHttpServer(({ path }) => {
    const times = (asked.get(path) ?? 0) + 1;
    asked.set(path, times);
    const isBad = path.startsWith('/flaky') && times < 3;
    const body = JSON.stringify({ path });
    return { status: isBad ? 503 : 200, headers: { 'content-type': 'application/json' }, body };
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const ask = (path: string, more = ''): string =>
  `{ call: http, with: { method: GET, endpoint: '${server.url}${path}' }${more} }`;

/** Something of every kind. */
const everything = (): string => `
  use:
    functions: { double: { set: { n: '\${ .n * 2 }' } } }
    extensions: [{ count: { extend: wait, before: [{ note: { set: { x: 1 } } }] } }]
  do:
    - begin: { set: { list: [1, 2, 3] } }
    - loop:
        for: { in: .list }
        do:
          - pause: { wait: PT1S }
          - ask: ${ask('/loop/{n}', ", input: { from: '{ n: $item }' }")}
          - keep: { set: { path: '\${ .path }' }, ${keeps('.path')} }
    - choose:
        switch: [{ yes: { when: '$context.log | length == 3', then: both } }, { no: { then: end } }]
    - never: { raise: { error: { type: 'about:blank', status: 500 } } }
    - both:
        fork:
          branches:
            - left: { do: [{ rest: { wait: PT2S } }, { a: ${ask('/left')} }] }
            - right: { do: [{ b: ${ask('/right')} }] }
        ${keeps('map(.path)')}
    - race:
        fork:
          compete: true
          branches:
            - slow: { wait: P1D }
            - fast: { do: [{ c: { wait: PT1S } }, { d: ${ask('/fast')} }] }
        ${keeps('.path')}
    - tries:
        try: [{ flaky: ${ask('/flaky')} }]
        catch:
          retry: { delay: PT1S, backoff: { exponential: {} }, limit: { attempt: { count: 3 } } }
        ${keeps('.path')}
    - timed:
        try: [{ late: { wait: P1D, timeout: { after: PT1M } } }]
        catch: { errors: { with: { status: 408 } }, do: [{ sorry: { set: { late: true } } }] }
        ${keeps('.')}
    - call: { call: double, with: { n: 21 }, ${keeps('.n')} }
    - child:
        run: { workflow: { namespace: test, name: child, version: '1.0.0' } }
        ${keeps('.')}
    - shell: { run: { shell: { command: printf done } }, ${keeps('.')} }
    - tell: { emit: { event: { with: { type: begun, data: 1 } } }, output: { as: .data } }
    - hear:
        listen: { to: { any: [{ with: { type: heard } }], until: '\${ length == 2 }' } }
        foreach: { do: [{ answer: ${ask('/heard')} }], output: { as: '{ event: $item, path }' } }
        ${keeps('.')}
  output: { as: $context.log }
`;

/** Adds to the context what the task has come to. */
function keeps(what: string): string {
  return `export: { as: '$context + { log: (($context.log // []) + [${what}]) }' }`;
}

interface Lived {
  readonly output: Json | undefined;
  readonly lives: number;
  readonly asked: Readonly<Record<string, number>>;
}

async function live(mortal: boolean): Promise<Lived> {
  asked.clear();
  const flow = workflow(everything());
  const asks = ask('/child', ', output: { as: .path }');
  const child = workflow(`do: [{ rest: { wait: PT1S } }, { ask: ${asks} }]`, { name: 'child' });
  const lives = new Lives(join(folder, `${String(mortal)}.db`), [flow, child], {
    ...{ mortal, http: { allow: ['127.0.0.1'] }, serverless: { shell: true } },
  });
  const events = [eventOf('heard', 1), eventOf('heard', 2)];
  let output: Json | undefined;
  await lives.live(async (engine) => {
    const run = await engine.get('one');
    if (run === undefined) {
      await engine.start(flow, {}, { id: 'one' });
      return true;
    }
    const { status, tokens, output: made, fault } = await run.inspect();
    if (status === 'failed') throw new Error(JSON.stringify(fault));
    if (status === 'completed') output = made;
    const isListening = tokens.some(({ wait }) => wait?.on === 'first' && wait.live === true);
    const event = isListening ? events.shift() : undefined;
    if (event === undefined) return false;
    await engine.publish(event);
    return true;
  });
  return { output, lives: lives.count, asked: Object.fromEntries(asked) };
}

describe('a workflow whose program dies after every commit', () => {
  test('comes to what it comes to otherwise, and calls nobody twice [WF-08, CA-06]', async () => {
    const calm = await live(false);
    expect(calm.lives).toBe(1);
    expect(calm.output).toEqual([
      ...['/loop/1', '/loop/2', '/loop/3', ['/left', '/right'], '/fast', '/flaky'],
      ...[{ late: true }, 42, '/child', 'done'],
      [1, 2].map((event) => ({ event, path: '/heard' })),
    ]);
    const restless = await live(true);
    expect(restless.output).toEqual(calm.output);
    expect(restless.asked).toEqual(calm.asked);
    expect(restless.lives).toBeGreaterThan(40);
  });
});
