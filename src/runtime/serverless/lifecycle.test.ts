/** What is told of workflows: LE-01 to LE-19, and the phases they go through (WF-01, WF-02). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { lifeOf, type ToldOptions } from '../../testing/lifecycle.ts';
import { eventOf } from '../../testing/listeners.ts';

const AT = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-01T01:00:00.000Z';
const RAISED = { type: 'https://example.com/bad', status: 418, title: 'No' };
const RAISES = `raise: { error: ${JSON.stringify(RAISED)} }`;

let server: LocalServer;
beforeAll(async () => {
  server = await startHttpServer(({ path }) => ({
    status: path === '/bad' ? 404 : 200,
    headers: { 'content-type': 'application/json' },
    body: '{"called":true}',
  }));
});
afterAll(() => server.close());

/** The data of all events of this kind. */
async function told(what: string, body: string, options?: ToldOptions): Promise<readonly Json[]> {
  const { id, events } = await lifeOf(body, options);
  const text = JSON.stringify(events.filter((each) => each.what === what).map(({ data }) => data));
  return JSON.parse(text.replaceAll(id, 'ID')) as Json[];
}

const name = 'workflow-ID.test';
const workflow = name;
const SET = 'do: [{ first: { set: { a: 1 } } }]';
const WAITS = 'do: [{ pause: { wait: PT1H } }]';
const LISTENS = `
  do:
    - hear:
        listen: { to: { one: { with: { type: a }, correlate: { k: { from: .data } } } } }
`;
const FAILS = `do: [{ fails: { ${RAISES} } }]`;
const TRIES = `
  do:
    - tries:
        try: [{ fails: { ${RAISES} } }]
        catch:
          retry: { delay: PT1H, limit: { attempt: { count: 1 } } }
          do: [{ sorry: { set: { b: 2 } } }]
`;
const error = { ...RAISED, instance: '/do/0/fails' };

interface Row extends ToldOptions {
  readonly row: string;
  readonly what: string;
  readonly body: string;
  readonly data: readonly JsonObject[];
}

const cancelling: ToldOptions['meanwhile'] = (run) => run.cancel();
const passing: ToldOptions['meanwhile'] = (_run, engine) => engine.advance('1h');
const pausing: ToldOptions['meanwhile'] = async (run, engine) => {
  await engine.advance('1h');
  await run.suspend();
  await engine.advance('1h');
  await run.resume();
};
const telling: ToldOptions['meanwhile'] = async (_run, engine) => {
  await engine.advance('1h');
  await engine.engine.publish(eventOf('a', 'x'));
};
const PAUSES = 'do: [{ pause: { wait: P1D } }]';
const RESUMED = '2026-01-01T02:00:00.000Z';
const definition = { name: 'workflow', namespace: 'test', version: '1.0.0' };
const [first, pause] = ['/do/0/first', '/do/0/pause'];

const OF_WORKFLOWS: readonly Row[] = [
  {
    ...{ row: 'LE-01', what: 'workflow.started', body: SET },
    data: [{ name, definition, startedAt: AT }],
  },
  {
    ...{ row: 'LE-02', what: 'workflow.suspended', body: PAUSES, meanwhile: pausing },
    data: [{ name, suspendedAt: LATER }],
  },
  {
    ...{ row: 'LE-03', what: 'workflow.resumed', body: PAUSES, meanwhile: pausing },
    data: [{ name, resumedAt: RESUMED }],
  },
  {
    ...{ row: 'LE-04', what: 'workflow.correlation-started', body: LISTENS },
    data: [{ name, startedAt: AT }],
  },
  {
    ...{ row: 'LE-05', what: 'workflow.correlation-completed', body: LISTENS, meanwhile: telling },
    data: [{ name, completedAt: LATER, correlationKeys: { k: 'x' } }],
  },
  {
    ...{ row: 'LE-06', what: 'workflow.cancelled', body: PAUSES, meanwhile: cancelling },
    data: [{ name, cancelledAt: AT }],
  },
  {
    ...{ row: 'LE-07', what: 'workflow.faulted', body: FAILS },
    data: [{ name, faultedAt: AT, error }],
  },
  {
    ...{ row: 'LE-08', what: 'workflow.completed', body: SET },
    data: [{ name, completedAt: AT, output: { a: 1 } }],
  },
  {
    ...{ row: 'LE-09, WF-01', what: 'workflow.status-changed', body: PAUSES },
    data: ['pending', 'waiting'].map((status) => ({ name, updatedAt: AT, status })),
  },
];

const OF_TASKS: readonly Row[] = [
  {
    ...{ row: 'LE-10', what: 'task.created', body: SET },
    data: [{ workflow, task: first, createdAt: AT }],
  },
  {
    ...{ row: 'LE-11', what: 'task.started', body: SET },
    data: [{ workflow, task: first, startedAt: AT }],
  },
  {
    ...{ row: 'LE-12', what: 'task.suspended', body: PAUSES, meanwhile: pausing },
    data: [{ workflow, task: pause, suspendedAt: LATER }],
  },
  {
    ...{ row: 'LE-12', what: 'task.resumed', body: PAUSES, meanwhile: pausing },
    data: [{ workflow, task: pause, resumedAt: RESUMED }],
  },
  {
    ...{ row: 'LE-13', what: 'task.retried', body: TRIES },
    data: [{ workflow, task: '/do/0/tries', retriedAt: LATER }],
  },
  {
    ...{ row: 'LE-14', what: 'task.cancelled', body: PAUSES, meanwhile: cancelling },
    data: [{ workflow, task: pause, cancelledAt: AT }],
  },
  {
    ...{ row: 'LE-15', what: 'task.faulted', body: FAILS },
    data: [{ workflow, task: '/do/0/fails', faultedAt: AT, error }],
  },
  {
    ...{ row: 'LE-16', what: 'task.completed', body: SET },
    data: [{ workflow, task: first, completedAt: AT, output: { a: 1 } }],
  },
  {
    ...{ row: 'LE-17', what: 'task.status-changed', body: WAITS, meanwhile: passing },
    data: [
      { workflow, task: pause, updatedAt: AT, status: 'waiting' },
      { workflow, task: pause, updatedAt: LATER, status: 'running' },
    ],
  },
];

describe('an event', () => {
  test.each([...OF_WORKFLOWS, ...OF_TASKS])('$what says what it must [$row]', async (row) => {
    const { row: _, what, body, data, ...options } = row;
    expect(await told(what, body, options)).toEqual(data);
  });

  test('has a type of the old name, and the qualified name [LE-18, LE-19]', async () => {
    const head = { namespace: 'shop', name: 'orders' };
    const { id, events } = await lifeOf(SET, { head });
    expect(events).toHaveLength(6);
    for (const { data } of events) {
      expect(data['name'] ?? data['workflow']).toBe(`orders-${id}.shop`);
    }
  });
});

describe('a call', () => {
  const http = { allow: ['127.0.0.1'] };
  const body = (path: string): string =>
    `do: [{ ask: { call: http, with: { method: GET, endpoint: '${server.url}${path}' } } }]`;

  test('is created in its turn, and started by whoever makes it [LE-10, LE-11]', async () => {
    const { lines } = await lifeOf(body('/good'), { http });
    expect(lines).toEqual([
      ...['workflow.status-changed pending', 'workflow.started', 'task.created /do/0/ask'],
      ...['task.started /do/0/ask', 'task.completed /do/0/ask', 'workflow.completed'],
    ]);
  });

  test('that fails says with what, as its workflow does [LE-07, LE-15]', async () => {
    const { events } = await lifeOf(body('/bad'), { http });
    const faults = events.filter(({ what }) => what.endsWith('faulted'));
    expect(faults.map(({ what, data }) => [what, data['error']])).toEqual(
      ['task.faulted', 'workflow.faulted'].map((what) => [
        what,
        {
          ...{ type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 404 },
          ...{ title: 'Not Found', detail: expect.any(String), instance: '/do/0/ask' },
        },
      ]),
    );
  });

  test('runs again after what it waited for, and its workflow with it [WF-02, LE-09]', async () => {
    const both = `
      do:
        - pause: { wait: PT1H }
        - ask: { call: http, with: { method: GET, endpoint: '${server.url}/good' } }
        - hear: { listen: { to: { one: { with: { type: a } } } } }
    `;
    const states = await told('workflow.status-changed', both, {
      http,
      meanwhile: async (_run, engine) => {
        await engine.advance('2h');
        await engine.engine.publish(eventOf('a'));
      },
    });
    expect(states.map((data) => (data as JsonObject)['status'])).toEqual([
      ...['pending', 'waiting', 'running', 'waiting'],
    ]);
  });
});

describe('the phases of a workflow', () => {
  test('are waiting in a wait task or while it listens, and not after [WF-01, WF-02]', async () => {
    const body = 'do: [{ pause: { wait: PT1H } }, { hear: { listen: { to: { any: [] } } } }]';
    const seen: string[] = [];
    await lifeOf(body, {
      meanwhile: async (run, engine) => {
        const look = async (): Promise<void> => void seen.push((await run.inspect()).status);
        await look();
        await engine.advance('1h');
        await look();
        await engine.engine.publish(eventOf('a'));
        await engine.runUntilIdle();
        await look();
      },
    });
    expect(seen).toEqual(['waiting', 'waiting', 'completed']);
  });

  test('are running while a call is made [WF-01, WF-02]', async () => {
    const seen: string[] = [];
    const ask = `{ call: http, with: { method: GET, endpoint: '${server.url}' } }`;
    const body = `do: [{ pause: { wait: PT1H } }, { ask: ${ask} }]`;
    const look: { at: () => Promise<void> } = { at: async () => {} };
    const asking = async (...asked: Parameters<typeof fetch>): Promise<Response> => {
      await look.at();
      return fetch(...asked);
    };
    await lifeOf(body, {
      http: { allow: ['127.0.0.1'], fetch: asking },
      meanwhile: async (run, engine) => {
        look.at = async () => void seen.push((await run.inspect()).status);
        await engine.advance('1h');
        await look.at();
      },
    });
    expect(seen).toEqual(['running', 'completed']);
  });
});
