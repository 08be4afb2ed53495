/** Subscriptions of a workflow, as the engine has them consumed: round by round. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { type LocalAnswer, type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { output, type RanOptions } from '../../testing/workflows.ts';

const MESSAGES = [1, 2, 3, 4, 5].map((n) => JSON.stringify({ n }));
const NEWS = '/news';

let server: LocalServer;

beforeAll(async () => {
  server = await startHttpServer(({ path, headers }): LocalAnswer => {
    if (path === NEWS) {
      return { headers: { 'content-type': 'application/x-ndjson' }, body: MESSAGES.join('\n') };
    }
    return { body: JSON.stringify(documentAt(headers['host'] ?? '')) };
  });
});

afterAll(() => server.close());

function documentAt(host: string): Json {
  return {
    asyncapi: '3.0.0',
    info: { title: 'News', version: '1.0.0' },
    servers: { main: { host, protocol: 'http' } },
    channels: { news: { address: NEWS } },
    operations: { hear: { action: 'receive', channel: { $ref: '#/channels/news' } } },
  };
}

function hearing(subscription: Json): string {
  const document = { endpoint: `${server.url}/asyncapi.json` };
  const given = { document, operation: 'hear', subscription };
  return `do: ${JSON.stringify([{ hear: { call: 'asyncapi', with: given } }])}`;
}

const ALLOWED: RanOptions = { http: { allow: ['127.0.0.1'] } };
const CRASHES: RanOptions = { ...ALLOWED, chaos: { crashAfterEveryCommit: true } };
const seen = (...numbers: readonly number[]): Json =>
  numbers.map((n) => ({ payload: { n }, headers: {} }));

test.each([
  ['crashes', CRASHES],
  ['no crash', ALLOWED],
])('so many messages as are wanted are the output, with %s [AS-06, AS-11]', async (_, options) => {
  const filter = '${ .payload.n % 2 == 1 }';
  const body = hearing({ filter, consume: { amount: 2 } });
  expect(await output(body, {}, options)).toEqual(seen(1, 3));
});

test.each([
  ['crashes', CRASHES],
  ['no crash', ALLOWED],
])('something is done for one message after the other, with %s [AS-12]', async (_, options) => {
  const foreach = {
    ...{ item: 'news', at: 'n' },
    do: [{ tell: { set: { is: '${ [$n, $news.payload.n] }' } } }],
    output: { as: '.is' },
  };
  const body = hearing({ consume: { amount: 3 }, foreach });
  expect(await output(body, {}, options)).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
});
