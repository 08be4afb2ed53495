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
const LISTENS =
  'do: [{ hear: { listen: { to: { one: { with: { type: a }, correlate: { k: { from: .data } } } } } } }]';
const FAILS = `do: [{ fails: { ${RAISES} } }]`;
const TRIES = `
  do:
    - tries:
        try: [{ fails: { ${RAISES} } }]
        catch: { retry: { delay: PT1H, limit: { attempt: { count: 1 } } }, do: [{ sorry: { set: { b: 2 } } }] }
`;
const error = { ...RAISED, instance: '/do/0/fails' };

type Row = readonly [string, string, string, readonly JsonObject[], ToldOptions?];

const passing: Pick<ToldOptions, 'then'> = { then: (_run, engine) => engine.advance('1h') };
const pausing: Pick<ToldOptions, 'then'> = {
  then: async (run, engine) => {
    await engine.advance('1h');
    await run.suspend();
    await engine.advance('1h');
    await run.resume();
  },
};
const WAITS_LONG = 'do: [{ pause: { wait: P1D } }]';

const ROWS: readonly Row[] = [
  [
    ...(['LE-01', 'workflow.started', SET] as const),
    [
      {
        name,
        definition: { name: 'workflow', namespace: 'test', version: '1.0.0' },
        startedAt: AT,
      },
    ],
  ],
  ['LE-02', 'workflow.suspended', WAITS_LONG, [{ name, suspendedAt: LATER }], pausing],
  [
    ...(['LE-03', 'workflow.resumed', WAITS_LONG] as const),
    ...([[{ name, resumedAt: '2026-01-01T02:00:00.000Z' }], pausing] as const),
  ],
  ['LE-04', 'workflow.correlation-started', LISTENS, [{ name, startedAt: AT }]],
  [
    ...(['LE-05', 'workflow.correlation-completed', LISTENS] as const),
    [{ name, completedAt: LATER, correlationKeys: { k: 'x' } }],
    {
      then: async (_run, engine) => {
        await engine.advance('1h');
        await engine.engine.publish(eventOf('a', 'x'));
      },
    },
  ],
  [
    ...(['LE-06', 'workflow.cancelled', WAITS, [{ name, cancelledAt: AT }]] as const),
    { then: (run) => run.cancel() },
  ],
  ['LE-07', 'workflow.faulted', FAILS, [{ name, faultedAt: AT, error }]],
  ['LE-08', 'workflow.completed', SET, [{ name, completedAt: AT, output: { a: 1 } }]],
  [
    ...(['LE-09, WF-01', 'workflow.status-changed', WAITS] as const),
    [
      { name, updatedAt: AT, status: 'pending' },
      { name, updatedAt: AT, status: 'waiting' },
    ],
  ],
  ['LE-10', 'task.created', SET, [{ workflow, task: '/do/0/first', createdAt: AT }]],
  ['LE-11', 'task.started', SET, [{ workflow, task: '/do/0/first', startedAt: AT }]],
  [
    ...(['LE-12', 'task.suspended', WAITS_LONG] as const),
    ...([[{ workflow, task: '/do/0/pause', suspendedAt: LATER }], pausing] as const),
  ],
  [
    ...(['LE-12', 'task.resumed', WAITS_LONG] as const),
    ...([
      [{ workflow, task: '/do/0/pause', resumedAt: '2026-01-01T02:00:00.000Z' }],
      pausing,
    ] as const),
  ],
  ['LE-13', 'task.retried', TRIES, [{ workflow, task: '/do/0/tries', retriedAt: LATER }]],
  [
    ...(['LE-14', 'task.cancelled', WAITS] as const),
    ...([
      [{ workflow, task: '/do/0/pause', cancelledAt: AT }],
      { then: (run) => run.cancel() },
    ] as const),
  ],
  [
    ...(['LE-15', 'task.faulted', FAILS] as const),
    [{ workflow, task: '/do/0/fails', faultedAt: AT, error }],
  ],
  [
    ...(['LE-16', 'task.completed', SET] as const),
    [{ workflow, task: '/do/0/first', completedAt: AT, output: { a: 1 } }],
  ],
  [
    ...(['LE-17', 'task.status-changed', WAITS] as const),
    [
      { workflow, task: '/do/0/pause', updatedAt: AT, status: 'waiting' },
      { workflow, task: '/do/0/pause', updatedAt: LATER, status: 'running' },
    ],
    passing,
  ],
];

describe('an event', () => {
  test.each(ROWS)('[%s] %s says what the specification has it say', async (...row) => {
    const [, what, body, data, options = {}] = row;
    expect(await told(what, body, options)).toEqual(data);
  });

  test('has a type that begins as it always did, and the qualified name [LE-18, LE-19]', async () => {
    const head = { namespace: 'shop', name: 'orders' };
    const types: string[] = [];
    const { id, events } = await lifeOf(SET, {
      ...{ head, then: async () => {} },
    });
    types.push(...events.map(({ what }) => what));
    expect(types).toHaveLength(6);
    for (const { data } of events) {
      expect(data['name'] ?? data['workflow']).toBe(`orders-${id}.shop`);
    }
  });
});

describe('a call', () => {
  const http = { allow: ['127.0.0.1'] };
  const body = (path: string): string =>
    `do: [{ ask: { call: http, with: { method: GET, endpoint: '${server.url}${path}' } } }]`;

  test('is created when it is its turn, and started by whoever makes it [LE-10, LE-11]', async () => {
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
      then: async (_run, engine) => {
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
      then: async (run, engine) => {
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
    const body = `do: [{ pause: { wait: PT1H } }, { ask: { call: http, with: { method: GET, endpoint: '${server.url}' } } }]`;
    const look: { at: () => Promise<void> } = { at: async () => {} };
    const asking = async (...asked: Parameters<typeof fetch>): Promise<Response> => {
      await look.at();
      return fetch(...asked);
    };
    await lifeOf(body, {
      http: { allow: ['127.0.0.1'], fetch: asking },
      then: async (run, engine) => {
        look.at = async () => void seen.push((await run.inspect()).status);
        await engine.advance('1h');
        await look.at();
      },
    });
    expect(seen).toEqual(['running', 'completed']);
  });
});
