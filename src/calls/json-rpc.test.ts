import { expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { failureOf, serve } from '../testing/called.ts';
import { plainCalling } from '../testing/plain-calling.ts';
import { plainHttp } from '../testing/plain-http.ts';
import { answers, BODY_BYTES_MAX, rpcMessages } from './json-rpc.ts';

const { signal } = new AbortController();

async function read(body: string): Promise<JsonObject[]> {
  const { url } = await serve({ headers: { 'content-type': 'application/json' }, body });
  const answer = await plainHttp.open({ method: 'POST', url, signal });
  const messages: JsonObject[] = [];
  for await (const message of rpcMessages(plainCalling(), answer, url)) messages.push(message);
  return messages;
}

test('several messages may come as one list', async () => {
  expect(await read('[{"id":1},{"id":2}]')).toEqual([{ id: 1 }, { id: 2 }]);
});

test('an answer without a body holds no message', async () => {
  expect(await read(' ')).toEqual([]);
});

test('an answer is as long as may be, and no longer', async () => {
  const pad = (bytes: number): string => `{"id":"${'x'.repeat(bytes - '{"id":""}'.length)}"}`;
  expect(await read(pad(BODY_BYTES_MAX))).toHaveLength(1);
  expect(await failureOf(read(pad(BODY_BYTES_MAX + 1)))).toMatchObject({
    kind: 'communication',
    detail: expect.stringMatching(`answered more than ${BODY_BYTES_MAX} bytes`) as string,
  });
});

test('what answers a request has its id, or is an error without any', () => {
  expect(answers({ id: 1, result: {} }, 1)).toBe(true);
  expect(answers({ id: 2, result: {} }, 1)).toBe(false);
  expect(answers({ id: 1, method: 'ping' }, 1)).toBe(false);
  expect(answers({ id: null, error: {} }, 1)).toBe(true);
  expect(answers({ id: 2, error: {} }, 1)).toBe(false);
});
