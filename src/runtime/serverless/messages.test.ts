/** Messages of a real MQTT broker, through the engine: AS-05 to AS-12. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { type Broker, startBroker } from '../../testing/mqtt-broker.ts';
import { createTestEngine, type TestEngineOptions } from '../../testing/test-engine.ts';
import { endOf, output, workflow } from '../../testing/workflows.ts';

const TOPIC = 'rooms';

let broker: Broker;
let server: LocalServer;

beforeEach(async () => {
  broker = await startBroker();
  server = await startHttpServer(() => ({ body: JSON.stringify(documentOf(broker.port)) }));
});
afterEach(async () => {
  await server.close();
  await broker.close();
});

function documentOf(port: number): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Rooms', version: '1.0.0' },
    servers: { main: { host: `127.0.0.1:${port}`, protocol: 'mqtt' } },
    channels: { rooms: { address: TOPIC } },
    operations: { talk: { action: 'receive', channel: { $ref: '#/channels/rooms' } } },
  };
}

const http = { allow: ['127.0.0.1'] };

function call(parts: string): string {
  const document = `document: { endpoint: '${server.url}/asyncapi.json' }`;
  return `call: asyncapi, with: { ${document}, operation: talk, ${parts} }`;
}

/** What a workflow comes to whose subscription is told these, once it is there. */
async function heard(
  body: string,
  payloads: readonly Json[],
  options: Partial<TestEngineOptions> = {},
): Promise<Json> {
  const flow = workflow(body);
  const engine = createTestEngine({ flows: [flow], http, ...options });
  const run = await engine.start(flow, { last: 3 });
  const over = engine.runUntilIdle();
  await broker.until(() => broker.diary.includes(`subscribe ${TOPIC}`));
  for (const payload of payloads) await broker.publish(TOPIC, payload);
  await over;
  const ended = await endOf(run);
  await engine.close();
  return ended.status === 'completed' ? ended.output : ended.error;
}

const numbers = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, n) => ({ n }));
const PAYLOADS = "output: { as: 'map(.payload.n)' }";

describe('what is published', () => {
  test('is on its way when the task goes on with its input [AS-05]', async () => {
    const message = "message: { payload: { n: '${ .n }' } }";
    const body = `do: [{ tell: { ${call(message)} } }]`;
    expect(await output(body, { n: 7 }, { http })).toEqual({ n: 7 });
    await broker.until(() => broker.received.length > 0);
    expect(broker.received).toMatchObject([{ topic: TOPIC, payload: { n: 7 } }]);
  });
});

describe('what is consumed', () => {
  const hears = (consume: string, more = ''): string =>
    `do: [{ hear: { ${call(`subscription: { consume: { ${consume} }${more} }`)}, ${PAYLOADS} } }]`;

  test.each([
    ['no crash', {}],
    ['a crash after every commit', { crashAfterEveryCommit: true }],
  ])('is as many as are wanted, in order, with %s [AS-06, AS-11]', async (_how, chaos) => {
    expect(await heard(hears('amount: 3'), numbers(5), { chaos })).toEqual([0, 1, 2]);
  });

  test('goes on while a condition holds, asked after each [AS-07]', async () => {
    const body = hears("while: '${ .payload.n < $input.last }'");
    expect(await heard(body, numbers(6))).toEqual([0, 1, 2, 3]);
  });

  test('ends as soon as a condition holds, asked before each [AS-08]', async () => {
    const foreach = "foreach: { item: m, export: { as: '{ seen: $m.payload.n }' } }";
    const body = hears("until: '${ $context.seen == 2 }'", `, ${foreach}`);
    expect(await heard(body, numbers(6))).toEqual([0, 1, 2]);
  });

  test('ends with the time it is given, and is what has come by then [AS-09]', async () => {
    const body = hears('amount: 9, for: { milliseconds: 300 }');
    expect(await heard(body, numbers(2))).toEqual([0, 1]);
  });

  test('leaves out what the filter does not want [AS-10]', async () => {
    const subscription =
      "subscription: { filter: '${ .payload.n % 2 == 0 }', consume: { amount: 2 } }";
    const body = `do: [{ hear: { ${call(subscription)}, ${PAYLOADS} } }]`;
    expect(await heard(body, numbers(6))).toEqual([0, 2]);
  });
});

describe('for each message', () => {
  const log = (what: string): string =>
    `export: { as: '$context + { log: (($context.log // []) + [${what}]) }' }`;
  const body = (): string => `
      do:
        - hear:
            call: asyncapi
            with:
              document: { endpoint: '${server.url}/asyncapi.json' }
              operation: talk
              subscription:
                consume: { amount: 3 }
                foreach:
                  item: message
                  at: place
                  do:
                    - begins: { set: '\${ . }', ${log('"begins \\($message.payload.n)"')} }
                    - works: { wait: PT1M }
                    - ends: { set: { n: '\${ $message.payload.n }', at: '\${ $place }' } }
                  output: { as: '[.n, .at]' }
                  ${log('"has \\(.)"')}
      output: { as: '{ heard: ., log: $context.log }' }
  `;

  test.each([
    ['no crash', {}],
    ['a crash after every commit', { crashAfterEveryCommit: true }],
  ])('all is done before anything is for the next, with %s [AS-12]', async (_how, chaos) => {
    const flow = workflow(body());
    const engine = createTestEngine({ flows: [flow], http, chaos });
    const run = await engine.start(flow, {});
    const over = engine.advance('1h');
    await broker.until(() => broker.diary.includes(`subscribe ${TOPIC}`));
    for (const payload of numbers(4)) await broker.publish(TOPIC, payload);
    await over;
    expect(await run.result()).toEqual({
      heard: [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
      log: [0, 1, 2].flatMap((n) => [`begins ${n}`, `has [${n},${n}]`]),
    });
    await engine.close();
  });
});
