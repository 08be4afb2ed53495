/** Events that a workflow publishes: EM rows. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { webhook } from '../../calls/webhook.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { Receiver } from '../../testing/receiver.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { error, output, workflow } from '../../testing/workflows.ts';

/** A workflow of one task, which emits an event with these attributes. */
function emits(attributes: string): string {
  return `do: [{ tell: { emit: { event: { with: ${attributes} } } } }]`;
}

async function emitted(attributes: string, input: Json = {}): Promise<JsonObject> {
  const event = await output(emits(attributes), input);
  return isJsonObject(event) ? event : {};
}

describe('an event', () => {
  const WHOLE = {
    ...{ id: 'my-id', source: 'https://example.com/me', type: 'com.example.told' },
    ...{ subject: 'order/7', time: '2025-05-05T05:05:05Z', datacontenttype: 'application/xml' },
    ...{ dataschema: 'https://example.com/schema', data: { a: [1] }, extension: 'more', level: 3 },
  };

  test('has the attributes and the data that it was given [EM-01]', async () => {
    const event = await emitted(JSON.stringify(WHOLE));
    expect(event).toEqual({ specversion: '1.0', ...WHOLE });
  });

  test('has an id, a time and a version of its own where none is given [EM-02]', async () => {
    const event = await emitted('{ source: /me, type: told }');
    expect(event).toEqual({
      ...{ specversion: '1.0', source: '/me', type: 'told', time: '2026-01-01T00:00:00.000Z' },
      id: expect.stringMatching(/^[0-9a-f-]{36}\/\d+$/),
    });
  });

  test('has another id each time, also in loops [EM-02]', async () => {
    const body = `
      do:
        - loop:
            for: { in: '[1, 2, 3]' }
            do:
              - tell:
                  emit: { event: { with: { type: told } } }
                  export: { as: '$context + { ids: (($context.ids // []) + [.id]) }' }
      output: { as: $context.ids }
    `;
    const ids = (await output(body)) as string[];
    expect(new Set(ids).size).toBe(3);
  });

  test('is of the version that is known, whatever is written [EM-02]', async () => {
    expect(await emitted("{ type: told, specversion: '0.3' }")).toMatchObject({
      specversion: '1.0',
    });
  });

  test('comes from the workflow, where no source is given [EM-03]', async () => {
    const head = { namespace: 'shop', name: 'orders', version: '1.2.3' };
    const event = await output(emits('{ type: told }'), {}, { head });
    expect(event).toMatchObject({ source: '/shop/orders/1.2.3' });
    expect(await emitted('{ type: told, source: /given }')).toMatchObject({ source: '/given' });
  });

  test('may have expressions in every attribute and in its data [EM-04]', async () => {
    const names = ['id', 'type', 'subject', 'time', 'datacontenttype', 'extension'];
    const attributes = Object.fromEntries(names.map((name) => [name, `\${ .${name} }`]));
    const more = { source: '${ "https://example.com/\\(.id)" }', dataschema: '${ "/s/\\(.id)" }' };
    const data = { deep: [{ id: '${ .id }' }], text: 'as ${ it } is' };
    const input = {
      ...{ id: 'i', type: 'told', subject: 's', time: '2025-05-05T05:05:05Z' },
      ...{ datacontenttype: 'application/json', extension: 'e' },
    };
    const event = await emitted(JSON.stringify({ ...attributes, ...more, data }), input);
    expect(event).toEqual({
      ...{ specversion: '1.0', ...input, source: 'https://example.com/i', dataschema: '/s/i' },
      data: { deep: [{ id: 'i' }], text: 'as ${ it } is' },
    });
    const whole = await emitted("{ type: told, data: '${ . }' }", input);
    expect(whole['data']).toEqual(input);
  });

  test('has no attribute that has come to nothing [EM-04]', async () => {
    const event = await emitted("{ type: told, subject: '${ .none }', data: '${ .none }' }");
    expect(Object.keys(event)).not.toContain('subject');
    expect(event['data']).toBeNull();
  });

  test('is the output of its task [EM-05]', async () => {
    const body = `
      do:
        - tell:
            emit: { event: { with: { type: told, data: { a: 1 } } } }
            output: { as: '{ got: .data }' }
    `;
    expect(await output(body)).toEqual({ got: { a: 1 } });
  });

  test.each([
    ["{ type: '${ .none }' }", 'the type of an event is a text that is not empty'],
    ["{ type: '${ 7 }' }", 'the type of an event is a text that is not empty; came 7'],
    ["{ type: told, subject: '${ 7 }' }", 'the subject of an event is a text'],
    ['{ type: told, source: \'${ "a b" }\' }', 'the source of an event is a URI'],
    ['{ type: told, time: \'${ "now" }\' }', 'the time of an event is a moment'],
    ["{ type: told, extension: '${ {} }' }", 'the attribute "extension" of an event is a text'],
    ['{ type: told, camelCase: x }', 'the name of an attribute of an event has 1 to 50'],
    ['{ type: $any }', 'the type of an event has at most KEY_CHARS_MAX 500'],
    [`{ type: ${'t'.repeat(501)} }`, 'the type of an event has at most KEY_CHARS_MAX 500'],
    [`{ type: told, subject: ${'s'.repeat(501)} }`, 'the subject of an event has at most'],
  ])('that would be none fails its task: %s', async (attributes, why) => {
    const failed = await error(emits(attributes));
    expect(failed).toMatchObject({ status: 400, instance: '/do/0/tell' });
    expect(failed['detail']).toContain(why);
  });

  test('may have names as long as they may be', async () => {
    const [type, subject] = ['t'.repeat(500), 's'.repeat(500)];
    expect(await emitted(JSON.stringify({ type, subject }))).toMatchObject({ type, subject });
  });
});

describe('whoever is in the same engine', () => {
  const tells = workflow(emits("{ type: told, data: '${ . }' }"), { name: 'tells' });
  const hears = workflow(
    'do: [{ hear: { listen: { to: { one: { with: { type: told } } }, read: envelope } } }]',
    { name: 'hears' },
  );
  const begins = workflow(
    `
      schedule: { on: { one: { with: { type: told } } }, read: data }
      do: [{ keep: { set: { got: '\${ . }' } } }]
    `,
    { name: 'begins' },
  );

  test.each([
    ['at once', {}],
    ['with a crash after every commit', { crashAfterEveryCommit: true }],
    ['with everything handed in twice', { duplicateDeliveries: true }],
  ])('hears an event once, or is started by it: %s [EM-06, EM-07]', async (_how, chaos) => {
    const engine = createTestEngine({ flows: [tells, hears, begins], chaos });
    const listeners = [await engine.start(hears, {}), await engine.start(hears, {})];
    await engine.runUntilIdle();
    const teller = await engine.start(tells, { x: 1 });
    await engine.runUntilIdle();
    const event = await teller.result();
    expect(event).toMatchObject({ type: 'told', data: { x: 1 } });
    for (const listener of listeners) expect(await listener.result()).toEqual([event]);
    const { instances } = await engine.engine.list({ flow: begins });
    const outputs = await Promise.all(
      instances.map(async ({ id }) => (await engine.engine.get(id))?.result()),
    );
    expect(outputs).toEqual([{ got: [{ x: 1 }] }]);
    await engine.close();
  });

  test('is the workflow itself, if it listens [EM-06]', async () => {
    const body = `
      do:
        - both:
            fork:
              branches:
                - hears: { listen: { to: { one: { with: { type: told } } } } }
                - tells:
                    do:
                      - pause: { wait: PT1S }
                      - tell: { emit: { event: { with: { type: told, data: 5 } } } }
            output: { as: '.[0]' }
    `;
    expect(await output(body)).toEqual([5]);
  });
});

describe('the world outside', () => {
  let server: LocalServer;
  let refuses = false;

  beforeEach(async () => {
    refuses = false;
    server = await startHttpServer(() => ({ status: refuses ? 500 : 200 }));
  });
  afterEach(() => server.close());

  const flow = workflow(
    emits(
      "{ type: told, source: /me, subject: '${ .who }', extension: e, data: { n: '${ .n }' } }",
    ),
  );
  const serverless = { lifecycle: 'none' } as const;
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

  test('has an event as it is, by a function [EM-01]', async () => {
    const outbox = new Receiver();
    const engine = createTestEngine({ flows: [flow], outbox, serverless });
    const run = await engine.start(flow, { who: 'ann', n: 1 });
    await engine.runUntilIdle();
    const [letter] = outbox.taken;
    expect(letter).toMatchObject({ type: 'told', key: 'ann', data: { n: 1 }, instance: run.id });
    expect(letter?.event).toEqual(await run.result());
    await engine.close();
  });

  test('has it by HTTP, in structured mode [EM-01]', async () => {
    const outbox = webhook({ url: `${server.url}/events`, secret });
    const engine = createTestEngine({ flows: [flow], outbox, serverless });
    const run = await engine.start(flow, { who: 'ann', n: 1 });
    await engine.runUntilIdle();
    const event = (await run.result()) as JsonObject;
    const [request] = server.requests;
    expect(server.requests).toHaveLength(1);
    expect(request).toMatchObject({ method: 'POST', path: '/events' });
    expect(request?.headers['content-type']).toMatch(/^application\/cloudevents\+json/);
    expect(JSON.parse(request?.body ?? '')).toEqual(event);
    expect(event).toMatchObject({ specversion: '1.0', source: '/me', extension: 'e' });
    await engine.close();
  });

  test('has it again under the same id, if it did not say that it has it [EM-07]', async () => {
    let fails = 2;
    const outbox = new Receiver(() => {
      fails -= 1;
      return fails >= 0 ? new Error('not now') : 'take';
    });
    const engine = createTestEngine({ flows: [flow], outbox, serverless });
    const run = await engine.start(flow, { who: 'ann', n: 1 });
    await engine.advance('1h');
    expect(outbox.attempts).toHaveLength(3);
    const { id } = (await run.result()) as { id: string };
    expect(new Set(outbox.attempts.map(({ event }) => event?.['id']))).toEqual(new Set([id]));
    expect(new Set(outbox.attempts.map((letter) => letter.id)).size).toBe(1);
    await engine.close();
  });

  test('has it once, whatever crashes after a commit [EM-07]', async () => {
    const outbox = new Receiver();
    const chaos = { crashAfterEveryCommit: true };
    const engine = createTestEngine({ flows: [flow], outbox, serverless, chaos });
    await engine.start(flow, { who: 'ann', n: 1 });
    await engine.advance('1h');
    expect(new Set(outbox.taken.map(({ event }) => event?.['id'])).size).toBe(1);
    await engine.close();
  });

  test('that takes nothing has a dead letter, which people see and may send again', async () => {
    refuses = true;
    const outbox = { to: webhook({ url: server.url, secret }), maxAttempts: 3 };
    const engine = createTestEngine({ flows: [flow], outbox, serverless, logger: QUIET });
    const run = await engine.start(flow, { who: 'ann', n: 1 });
    await engine.advance('1h');
    // The task was done with the commit: what comes after cannot fail it.
    expect((await run.inspect()).status).toBe('completed');
    const { letters } = await engine.engine.outbox.list({ status: 'dead' });
    expect(letters).toMatchObject(
      [{ type: 'told', attempts: 3, lastError: /answered 500/ }].map(({ lastError, ...rest }) => ({
        ...rest,
        lastError: expect.stringMatching(lastError),
      })),
    );
    refuses = false;
    await engine.engine.outbox.requeue(letters.map(({ id }) => id));
    await engine.advance('1h');
    expect(server.requests).toHaveLength(4);
    expect((await engine.engine.outbox.list()).letters).toEqual([]);
    await engine.close();
  });
});

const nothing = (): void => {};
const QUIET = { debug: nothing, info: nothing, warn: nothing, error: nothing };
