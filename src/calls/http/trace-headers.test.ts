/** A server learns what a request is part of, and nothing else that the program sends along. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, guarded } from '../../testing/guarded-http.ts';
import { Spans } from '../../testing/spans.ts';

const spans = new Spans();
beforeEach(() => spans.register());
afterEach(() => spans.unregister());

/** The headers of one request. */
async function sent(headers: Record<string, string> = {}): Promise<Record<string, string>> {
  let seen: Record<string, string> = {};
  const client = guarded({
    fetch: async (_url, init = {}) => {
      seen = Object.fromEntries(new Headers(init.headers));
      return new Response('fine');
    },
  });
  await ask(client, 'https://shop.example/', { headers });
  return seen;
}

test('a request says of which span it is part', async () => {
  const headers = await spans.within('step', () => sent());
  const { traceId, spanId } = spans.one('step').spanContext();
  expect(headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
});

test('what else a propagator would send along stays here', async () => {
  expect(await spans.within('step', () => sent())).not.toHaveProperty('baggage');
});

test('a header that the workflow has set itself is left as it is', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const headers = await spans.within('step', () => sent({ Traceparent: traceparent }));
  expect(headers['traceparent']).toBe(traceparent);
});

test('where nobody traces there is no such header', async () => {
  expect(await sent()).not.toHaveProperty('traceparent');
  spans.unregister();
  expect(await sent()).not.toHaveProperty('traceparent');
});
