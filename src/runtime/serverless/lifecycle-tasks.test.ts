/** What is told of tasks, whatever stands around them: LE-10 to LE-17, and what is skipped. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { byTask, lifeOf } from '../../testing/lifecycle.ts';
import { eventOf } from '../../testing/listeners.ts';
import { workflow } from '../../testing/workflows.ts';

const RAISES = "raise: { error: { type: 'about:blank', status: 500 } }";
const SET = '{ set: { x: 1 } }';
const LIFE = ['created', 'started', 'completed'];
const WAITING = ['created', 'started', 'waiting', 'running', 'completed'];
const FAULTED = ['created', 'started', 'faulted'];

/** What stands for its address before it has one. */
const SERVER = 'http://server.test';
let server: LocalServer;
beforeAll(async () => {
  server = await startHttpServer(() => ({ body: 'x' }));
});
afterAll(() => server.close());

const ask = (more = ''): string =>
  `{ call: http, with: { method: GET, endpoint: '${SERVER}' }${more} }`;
const http = { allow: ['127.0.0.1'] };

describe('each task is created, started and completed once', () => {
  const ROWS: readonly (readonly [string, string, Readonly<Record<string, string[]>>])[] = [
    [
      'in a list',
      'do: [{ outer: { do: [{ a: { set: { x: 1 } } }, { b: { set: { x: 2 } } }] } }]',
      { '/do/0/outer': LIFE, '/do/0/outer/do/0/a': LIFE, '/do/0/outer/do/1/b': LIFE },
    ],
    [
      'in a loop, for every pass',
      "do: [{ loop: { for: { in: '[1, 2]' }, do: [{ a: { set: { x: 1 } } }] } }]",
      { '/do/0/loop': LIFE, '/do/0/loop/do/0/a': [...LIFE, ...LIFE] },
    ],
    [
      'in branches',
      'do: [{ both: { fork: { branches: [{ a: { set: { x: 1 } } }, { b: { wait: PT1S } }] } } }]',
      {
        '/do/0/both': LIFE,
        '/do/0/both/fork/branches/0/a': LIFE,
        '/do/0/both/fork/branches/1/b': WAITING,
      },
    ],
    [
      'with a timeout',
      'do: [{ timed: { do: [{ a: { wait: PT1S } }], timeout: { after: PT1M } } }]',
      { '/do/0/timed': LIFE, '/do/0/timed/do/0/a': WAITING },
    ],
    [
      'that waits, with a timeout and an input of its own',
      'do: [{ timed: { wait: PT1S, timeout: { after: PT1M }, input: { from: . } } }]',
      { '/do/0/timed': WAITING },
    ],
    [
      'that calls',
      `
        do:
          - one: ${ask()}
          - two: ${ask(', timeout: { after: PT1M }')}
          - three: ${ask(", input: { from: '.' }")}
      `,
      { '/do/0/one': LIFE, '/do/1/two': LIFE, '/do/2/three': LIFE },
    ],
    ['that listens', 'do: [{ one: { listen: { to: { all: [] } } } }]', { '/do/0/one': LIFE }],
    [
      'of a function, under its own place and that of its call',
      `
        use: { functions: { greet: { do: [{ a: { set: { x: 1 } } }] } } }
        do: [{ call: { call: greet, with: { n: 1 } } }]
      `,
      {
        '/do/0/call': LIFE,
        '/use/functions/greet': LIFE,
        '/use/functions/greet/do/0/a': LIFE,
      },
    ],
    [
      'of an extension, and the one that is extended',
      `
        use:
          extensions:
            - log: { extend: set, before: [{ b: ${SET} }], after: [{ a: ${SET} }] }
        do: [{ only: ${SET} }]
      `,
      {
        '/do/0/only': LIFE,
        '/use/extensions/0/log/before/0/b': LIFE,
        '/use/extensions/0/log/after/0/a': LIFE,
      },
    ],
    [
      'that is extended and has a timeout',
      `
        use: { extensions: [{ log: { extend: wait, before: [{ b: ${SET} }] } }] }
        do: [{ only: { wait: PT1S, timeout: { after: PT1M } } }]
      `,
      { '/do/0/only': WAITING, '/use/extensions/0/log/before/0/b': LIFE },
    ],
    [
      'in a workflow with a timeout',
      'timeout: { after: PT1H }\ndo: [{ only: { set: { x: 1 } } }]',
      { '/do/0/only': LIFE },
    ],
    [
      'that is tried, with a time for each attempt',
      `
        do:
          - tries:
              try: [{ a: { wait: PT1S } }]
              catch: { retry: { limit: { attempt: { duration: PT1M } } } }
      `,
      { '/do/0/tries': LIFE, '/do/0/tries/try/0/a': WAITING },
    ],
  ];

  test.each(ROWS)('%s [LE-10, LE-11, LE-16]', async (_where, written, wanted) => {
    const body = written.replaceAll(SERVER, server.url);
    const life = await lifeOf(body, { http, meanwhile: (_run, engine) => engine.advance('1h') });
    expect(byTask(life)).toEqual(wanted);
    expect(life.lines.at(-1)).toBe('workflow.completed');
  });
});

describe('the order', () => {
  test('is that of what happens: one is over before the next is created [LE-21]', async () => {
    const body = 'do: [{ a: { set: { x: 1 } } }, { b: { do: [{ c: { set: { x: 2 } } }] } }]';
    const { lines } = await lifeOf(body);
    expect(lines).toEqual([
      ...['workflow.status-changed pending', 'workflow.started'],
      ...['created', 'started', 'completed'].map((what) => `task.${what} /do/0/a`),
      ...['task.created /do/1/b', 'task.started /do/1/b'],
      ...['created', 'started', 'completed'].map((what) => `task.${what} /do/1/b/do/0/c`),
      ...['task.completed /do/1/b', 'workflow.completed'],
    ]);
  });
});

describe('a task that listens', () => {
  test('correlates once, however many events it consumes [LE-04, LE-05, LE-17]', async () => {
    const body = `
      do:
        - hear:
            listen: { to: { any: [{ with: { type: a } }], until: '\${ length == 3 }' } }
            foreach: { do: [{ a: { set: { x: 1 } } }] }
    `;
    const life = await lifeOf(body, {
      meanwhile: async (_run, engine) => {
        for (const n of [1, 2, 3]) await engine.engine.publish(eventOf('a', n));
      },
    });
    expect(byTask(life)).toEqual({
      '/do/0/hear': WAITING,
      '/do/0/hear/foreach/do/0/a': [...LIFE, ...LIFE, ...LIFE],
    });
    const correlations = life.lines.filter((line) => line.includes('correlation'));
    expect(correlations).toEqual([
      ...['workflow.correlation-started', 'workflow.correlation-completed'],
    ]);
  });

  test('completes nothing if it is left [LE-05, LE-14]', async () => {
    const body = 'do: [{ hear: { listen: { to: { any: [] } }, timeout: { after: PT1M } } }]';
    const life = await lifeOf(body);
    expect(byTask(life)).toEqual({ '/do/0/hear': ['created', 'started', 'waiting', 'faulted'] });
    expect(life.lines).not.toContain('workflow.correlation-completed');
  });
});

describe('a task that runs another workflow', () => {
  test('waits for that, which has events of its own [LE-17]', async () => {
    const other = workflow('do: [{ a: { wait: PT1S } }]', { name: 'other' });
    const body =
      "do: [{ go: { run: { workflow: { namespace: test, name: other, version: '1.0.0' } } } }]";
    expect(byTask(await lifeOf(body, { others: [other] as never }))).toEqual({
      '/do/0/go': WAITING,
    });
  });
});

describe('a task that is skipped', () => {
  test.each([
    ['set', '{ set: { x: 1 }, if: .no }'],
    ['wait', '{ wait: PT1S, if: .no, timeout: { after: PT1M } }'],
    ['do', '{ do: [{ a: { set: { x: 1 } } }], if: .no }'],
    ['call', ask(', if: .no')],
  ])('has not been started nor completed: %s [LE-17]', async (_kind, task) => {
    const life = await lifeOf(`do: [{ maybe: ${task} }]`, { http });
    expect(byTask(life)).toEqual({ '/do/0/maybe': ['created', 'skipped'] });
  });
});

describe('a task that fails', () => {
  test('fails those around it, and others beside it are cancelled [LE-14, LE-15]', async () => {
    const body = `
      do:
        - outer:
            do:
              - both:
                  fork:
                    branches:
                      - slow: { do: [{ waits: { wait: P1D } }] }
                      - fails: { do: [{ pause: { wait: PT1S } }, { no: { ${RAISES} } }] }
    `;
    const { lines } = await lifeOf(body);
    const ends = lines.filter((line) => /faulted|cancelled/.test(line));
    const at = '/do/0/outer/do/0/both';
    expect(ends).toHaveLength(7);
    expect(ends[0]).toBe(`task.faulted ${at}/fork/branches/1/fails/do/1/no`);
    expect(new Set(ends.slice(1))).toEqual(
      new Set([
        `task.cancelled ${at}/fork/branches/0/slow`,
        `task.cancelled ${at}/fork/branches/0/slow/do/0/waits`,
        `task.faulted ${at}/fork/branches/1/fails`,
        ...[`task.faulted ${at}`, 'task.faulted /do/0/outer', 'workflow.faulted'],
      ]),
    );
    expect(ends.at(-1)).toBe('workflow.faulted');
  });

  test('fails nothing beyond what catches it [LE-15]', async () => {
    const body = `
      do:
        - outer:
            do:
              - tries:
                  try: [{ inner: { do: [{ no: { ${RAISES} } }] } }]
                  catch: { do: [{ sorry: { set: { x: 1 } } }] }
    `;
    const at = '/do/0/outer/do/0/tries';
    expect(byTask(await lifeOf(body))).toEqual({
      ...{ '/do/0/outer': LIFE, [at]: LIFE, [`${at}/catch/do/0/sorry`]: LIFE },
      ...{ [`${at}/try/0/inner`]: FAULTED, [`${at}/try/0/inner/do/0/no`]: FAULTED },
    });
  });

  test('and is caught may still be cancelled by another [LE-14]', async () => {
    const body = `
      do:
        - race:
            fork:
              compete: true
              branches:
                - tries:
                    try: [{ no: { ${RAISES} } }]
                    catch: { do: [{ waits: { wait: P1D } }] }
                - wins: { set: { x: 1 } }
    `;
    const at = '/do/0/race/fork/branches';
    const tasks = byTask(await lifeOf(body));
    expect(tasks[`${at}/0/tries`]).toEqual(['created', 'started', 'cancelled']);
    expect(tasks['/do/0/race']).toEqual(LIFE);
  });

  test('by its timeout has faulted, and what was in it is cancelled [LE-14, LE-15]', async () => {
    const body =
      'do: [{ timed: { do: [{ a: { do: [{ b: { wait: P1D } }] } }], timeout: { after: PT1M } } }]';
    expect(byTask(await lifeOf(body))).toEqual({
      '/do/0/timed': FAULTED,
      '/do/0/timed/do/0/a': ['created', 'started', 'cancelled'],
      '/do/0/timed/do/0/a/do/0/b': ['created', 'started', 'waiting', 'cancelled'],
    });
  });

  test('is tried again, also with a timeout and an input of its own [LE-13]', async () => {
    const retry = 'retry: { delay: PT1S, limit: { attempt: { count: 2 } } }';
    const rows = ['', ", input: { from: '.' }", ', timeout: { after: PT1H }'];
    for (const more of rows) {
      const body = `do: [{ tries: { try: [{ no: { ${RAISES} } }], catch: { ${retry} }${more} } }]`;
      const tasks = byTask(await lifeOf(body));
      expect(tasks['/do/0/tries']).toEqual(['created', 'started', 'retried', 'retried', 'faulted']);
      expect(tasks['/do/0/tries/try/0/no']).toEqual([...FAULTED, ...FAULTED, ...FAULTED]);
    }
  });
});

describe('a task that is left', () => {
  test('by the end of the workflow, or because another won, is cancelled [LE-14]', async () => {
    const race = `
      do:
        - race:
            fork:
              compete: true
              branches: [{ slow: { wait: P1D } }, { fast: { wait: PT1S } }]
    `;
    const tasks = byTask(await lifeOf(race));
    expect(tasks['/do/0/race/fork/branches/0/slow']?.at(-1)).toBe('cancelled');
    expect(tasks['/do/0/race/fork/branches/1/fast']).toEqual(WAITING);
    const ends = `
      do:
        - both:
            fork:
              branches:
                - slow: { wait: P1D }
                - ends: { do: [{ last: { set: { x: 1 }, then: end } }] }
    `;
    const { lines } = await lifeOf(ends);
    expect(lines).toContain('task.cancelled /do/0/both/fork/branches/0/slow');
    expect(lines.at(-1)).toBe('workflow.completed');
  });
});

describe('what people do', () => {
  test('is told of each task that is alive [LE-02, LE-03, LE-12]', async () => {
    const body = 'do: [{ outer: { do: [{ a: { wait: PT1H, timeout: { after: P1D } } }] } }]';
    const life = await lifeOf(body, {
      meanwhile: async (run, engine) => {
        await run.suspend();
        await engine.advance('2h');
        await run.resume();
      },
    });
    expect(byTask(life)).toEqual({
      '/do/0/outer': ['created', 'started', 'suspended', 'resumed', 'completed'],
      '/do/0/outer/do/0/a': [
        ...['created', 'started', 'waiting', 'suspended', 'resumed', 'running', 'completed'],
      ],
    });
  });

  test('as skipping a task completes it with what they say [LE-16]', async () => {
    const { lines, events } = await lifeOf('do: [{ pause: { wait: P1D } }]', {
      meanwhile: async (run) => {
        const { tokens } = await run.inspect();
        const { id = 0 } = tokens.find(({ wait }) => wait?.on === 'time') ?? {};
        await run.skip(id, { given: true });
      },
    });
    expect(lines.slice(-2)).toEqual(['task.completed /do/0/pause', 'workflow.completed']);
    expect(events.at(-1)?.data['output']).toEqual({ given: true });
  });

  test('as trying again what failed while it was suspended is told [LE-13]', async () => {
    let asked = 0;
    const gate: { suspend: () => Promise<unknown> } = { suspend: async () => {} };
    const failsOnce = async (...request: Parameters<typeof fetch>): Promise<Response> => {
      asked += 1;
      if (asked > 1) return fetch(...request);
      await gate.suspend();
      return new Response('no', { status: 500 });
    };
    const life = await lifeOf(
      `do: [{ pause: { wait: PT1S } }, { ask: ${ask()} }]`.replace(SERVER, server.url),
      {
        http: { ...http, fetch: failsOnce },
        meanwhile: async (run, engine) => {
          gate.suspend = () => run.suspend();
          await engine.advance('1s');
          await run.retry();
          await run.resume();
        },
      },
    );
    expect(byTask(life)['/do/1/ask']).toEqual([
      ...['created', 'suspended', 'started', 'retried', 'resumed', 'completed'],
    ]);
  });
});
