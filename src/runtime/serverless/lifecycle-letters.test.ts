/** How what is told of workflows arrives: LE-08, LE-16, LE-18 to LE-21, and what is never told. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { webhook } from '../../calls/webhook.ts';
import { EVENT_OUTPUT_CHARS_MAX } from '../../nodes/serverless/lifecycle-words.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { lifeIn, lifeOf } from '../../testing/lifecycle.ts';
import { eventOf } from '../../testing/listeners.ts';
import { Receiver } from '../../testing/receiver.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { workflow } from '../../testing/workflows.ts';
import { checkEvent } from '../cloud-events.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startHttpServer(() => ({ body: '{}' }));
});
afterAll(() => server.close());

/** Of every kind of task something, with much that goes wrong on the way. */
const BUSY = `
  use: { functions: { f: { set: { f: 1 } } } }
  do:
    - tries:
        try:
          - pause: { wait: PT1S }
          - fails: { raise: { error: { type: 'about:blank', status: 500 } } }
        catch:
          retry: { delay: PT1S, limit: { attempt: { count: 1 } } }
          do: [{ sorry: { set: { a: 1 } } }]
    - both:
        fork: { branches: [{ a: { wait: PT2S } }, { b: { do: [{ c: { set: { x: 1 } } }] } }] }
    - timed: { do: [{ d: { wait: PT1S } }], timeout: { after: PT1M } }
    - maybe: { if: 'false', set: { x: 1 } }
    - tell: { emit: { event: { with: { type: told } } } }
    - call: { call: f }
    - ask: { call: http, with: { method: GET, endpoint: 'http://server.test' } }
    - hear: { listen: { to: { any: [{ with: { type: heard } }], until: '\${ length == 2 }' } } }
`;

describe('the letters of one instance', () => {
  const lifeWith = async (chaos: object): Promise<readonly string[]> => {
    const life = await lifeOf(BUSY.replace('http://server.test', server.url), {
      ...{ chaos, http: { allow: ['127.0.0.1'] } },
      meanwhile: async (_run, engine) => {
        await engine.advance('1m');
        for (const n of [1, 2]) await engine.engine.publish(eventOf('heard', n));
        await engine.advance('1m');
      },
    });
    return life.lines;
  };

  test('come in order, and each once, whatever crashes or is handed in twice [LE-21]', async () => {
    const calm = await lifeWith({});
    expect(calm.at(-1)).toBe('workflow.completed');
    expect(calm.length).toBeGreaterThan(60);
    expect(await lifeWith({ crashAfterEveryCommit: true })).toEqual(calm);
    expect(await lifeWith({ duplicateDeliveries: true })).toEqual(calm);
  });

  test('have ids of their own, and wait for the one before them [LE-21]', async () => {
    let fails = 3;
    const outbox = new Receiver(() => {
      fails -= 1;
      return fails >= 0 ? new Error('not now') : 'take';
    });
    const flow = workflow('do: [{ a: { set: { x: 1 } } }]');
    const engine = createTestEngine({ flows: [flow], outbox });
    await engine.start(flow, {});
    await engine.advance('1h');
    const { lines } = lifeIn(outbox.taken);
    expect(lines).toEqual([
      ...['workflow.status-changed pending', 'workflow.started', 'task.created /do/0/a'],
      ...['task.started /do/0/a', 'task.completed /do/0/a', 'workflow.completed'],
    ]);
    expect(new Set(outbox.taken.map(({ id }) => id)).size).toBe(lines.length);
    expect(new Set(outbox.attempts.slice(0, 4).map(({ id }) => id)).size).toBe(1);
    await engine.close();
  });
});

describe('a receiver', () => {
  test('has them as CloudEvents, by HTTP in structured mode [LE-18, LE-20]', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const outbox = webhook({ url: `${server.url}/events`, secret });
    const head = { namespace: 'shop', name: 'orders' };
    const flow = workflow('do: [{ a: { set: { x: 1 } } }]', head);
    const engine = createTestEngine({ flows: [flow], outbox });
    const before = server.requests.length;
    const run = await engine.start(flow, {});
    await engine.runUntilIdle();
    await engine.close();
    const requests = server.requests.slice(before);
    expect(requests).toHaveLength(6);
    for (const { method, headers } of requests) {
      expect(method).toBe('POST');
      expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    }
    const events = requests.map(({ body }) => checkEvent(JSON.parse(body) as object));
    expect(new Set(events.map(({ id }) => id)).size).toBe(6);
    for (const { type } of events) expect(type).toMatch(/^io\.serverlessworkflow\..+\.v1$/);
    expect(events.at(-1)).toEqual({
      ...{ specversion: '1.0', id: expect.any(String), source: '/flows/shop.orders' },
      ...{ type: 'io.serverlessworkflow.workflow.completed.v1', subject: run.id },
      ...{ time: expect.any(String), datacontenttype: 'application/json' },
      data: {
        name: `orders-${run.id}.shop`,
        completedAt: '2026-01-01T00:00:00.000Z',
        output: { x: 1 },
      },
    });
  });
});

describe('which of them', () => {
  const body = 'do: [{ a: { set: { x: 1 } } }]';

  test('may be those of workflows alone, or none', async () => {
    const ofWorkflows = [
      'workflow.status-changed pending',
      'workflow.started',
      'workflow.completed',
    ];
    const some = await lifeOf(body, { serverless: { lifecycle: 'workflow' } });
    expect(some.lines).toEqual(ofWorkflows);
    expect((await lifeOf(body, { serverless: { lifecycle: 'none' } })).lines).toEqual([]);
    expect((await lifeOf(body, { serverless: { lifecycle: 'all' } })).lines).toHaveLength(6);
  });

  test('are none without an outbox, unless another process is to send them', async () => {
    const flow = workflow(body);
    for (const [serverless, count] of [
      [{}, 0] as const,
      [{ lifecycle: 'all' } as const, 6] as const,
    ]) {
      const engine = createTestEngine({ flows: [flow], serverless });
      await engine.start(flow, {});
      await engine.runUntilIdle();
      expect((await engine.engine.outbox.list()).letters).toHaveLength(count);
      await engine.close();
    }
  });

  test('are none of what starts workflows by events, which nobody wrote', async () => {
    const outbox = new Receiver();
    const schedule = 'schedule: { on: { one: { with: { type: a } } }, after: PT1H }';
    const flow = workflow(`${schedule}\n${body}`);
    const engine = createTestEngine({ flows: [flow], outbox });
    await engine.runUntilIdle();
    await engine.engine.publish(eventOf('a'));
    await engine.runUntilIdle();
    expect(new Set(outbox.taken.map((letter) => letter.flow))).toEqual(new Set(['test.workflow']));
    expect(lifeIn(outbox.taken).lines.filter((line) => line === 'workflow.started')).toHaveLength(
      2,
    );
    await engine.close();
  });
});

describe('an output', () => {
  const sized = async (chars: number): Promise<readonly boolean[]> => {
    const { events } = await lifeOf("do: [{ a: { set: '${ . }' } }]", {
      input: 'x'.repeat(chars),
    });
    const completed = events.filter(({ what }) => what.endsWith('completed'));
    return completed.map(({ data }) => 'output' in data);
  };

  test('that is too long is left out, of task and workflow [LE-08, LE-16]', async () => {
    // With its quotes.
    expect(await sized(EVENT_OUTPUT_CHARS_MAX - 2)).toEqual([true, true]);
    expect(await sized(EVENT_OUTPUT_CHARS_MAX - 1)).toEqual([false, false]);
  });

  test('may be had elsewhere, if the host says where [LE-08, LE-16]', async () => {
    const body = "do: [{ 'a b': { set: { x: 1 } } }]";
    const serverless = { outputs: 'https://example.com/outputs/' };
    const { id, events } = await lifeOf(body, { serverless });
    const uris = events.flatMap(({ data }) => ('outputUri' in data ? [data] : []));
    const at = `https://example.com/outputs/${id}`;
    expect(uris).toMatchObject([
      { task: '/do/0/a b', output: { x: 1 }, outputUri: `${at}#/do/0/a%20b` },
      { output: { x: 1 }, outputUri: at },
    ]);
    for (const outputs of ['nowhere', 7]) {
      expect(() =>
        createTestEngine({ flows: [], serverless: { outputs: outputs as string } }),
      ).toThrow('serverless.outputs is a URL');
    }
  });
});

describe('a secret', () => {
  const SECRET = 'p4ssw0rd-of-ann';

  test('is in no event, whatever tasks make of it [EX-28]', async () => {
    const body = `
      use: { secrets: [api] }
      do:
        - keeps: { set: { a: '\${ $secrets.api.password }', list: ['x\${ 1 }'] } }
        - joins: { set: { url: '\${ "https://ann:\\($secrets.api.password)@example.com" }' } }
        - names: { set: '\${ { ($secrets.api.password): 1 } }' }
        - hears:
            listen:
              to: { one: { with: { type: a }, correlate: { k: { from: .data } } } }
        - fails:
            raise:
              error:
                type: about:blank
                status: 500
                detail: '\${ "no \\($secrets.api.password)" }'
    `;
    const secrets = { api: { user: 'ann', password: SECRET } };
    const { events } = await lifeOf(body, {
      secrets,
      meanwhile: async (_run, engine) => {
        await engine.engine.publish(eventOf('a', SECRET));
      },
    });
    const text = JSON.stringify(events);
    expect(text).not.toContain(SECRET);
    const outputs = events.flatMap(({ data }) => (data['output'] as JsonObject | undefined) ?? []);
    expect(outputs[0]).toEqual({ a: '***', list: ['x${ 1 }'] });
    expect(events.at(-1)?.data['error']).toMatchObject({ detail: 'no ***' });
    expect(text).toContain('"correlationKeys":{"k":"***"}');
  });
});
