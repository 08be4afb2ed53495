import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { called, callingOf, failureOf, json, serve } from '../testing/called.ts';
import type { Answering } from '../testing/http-server.ts';
import { callHttp } from './http-call.ts';
import { DETAIL_CHARS_MAX } from './http-exchange.ts';

describe('an answer', () => {
  test('in JSON is the output, parsed [HT-02] [HT-03]', async () => {
    const { output } = await called(json([{ id: 1 }]));
    expect(output).toEqual([{ id: 1 }]);
  });

  test.each([
    ['text/plain', 'hello', 'hello'],
    ['application/zip', 'hello', 'aGVsbG8='],
  ])('in %s is its content by default, too [HT-03]', async (type, body, expected) => {
    const headers = { 'content-type': type };
    expect((await called({ headers, body })).output).toBe(expected);
    const args = { output: 'content' };
    expect((await called({ headers, body }, { args })).output).toBe(expected);
  });

  test('is base64 if it is asked for raw [HT-04]', async () => {
    const { output } = await called(json({ a: 1 }), { args: { output: 'raw' } });
    expect(output).toBe(Buffer.from('{"a":1}').toString('base64'));
    expect((await called({ status: 204 }, { args: { output: 'raw' } })).output).toBe('');
  });

  test('is told with its request if it is asked for as a response [HT-05]', async () => {
    const args = { method: 'post', output: 'response', headers: { 'x-a': 'b' }, body: { c: 1 } };
    const answer = json({ id: 7 }, { status: 201, headers: { 'x-d': 'e' } });
    const { output, url } = await called(answer, { args, path: '/pets?x=1' });
    expect(output).toMatchObject({
      request: { method: 'POST', uri: `${url}/pets?x=1`, headers: { 'x-a': 'b' } },
      statusCode: 201,
      headers: { 'content-type': 'application/json', 'x-d': 'e' },
      content: { id: 7 },
    });
    expect(Object.keys(output as JsonObject)).toHaveLength(4);
  });

  test('tells no secret of its request', async () => {
    const args = { output: 'response', headers: { 'x-key': 'k-hunter2' } };
    const calling = { hide: (text: string) => text.replaceAll('hunter2', '…') };
    const { output, url } = await called({}, { args, calling, path: '/?key=hunter2' });
    const request = { uri: `${url}/?key=…`, headers: { 'x-key': 'k-…' } };
    expect(output).toMatchObject({ request });
  });

  test.each([
    { status: 204 },
    { status: 200 },
    { headers: { 'content-type': 'application/json' } },
  ])('without a body is null [HT-13]: %j', async (answer) => {
    expect((await called(answer)).output).toBeNull();
  });

  test('that is not the JSON it says it is, is a communication error [HT-15]', async () => {
    const answer = { headers: { 'content-type': 'application/json' }, body: '{oops' };
    const failure = await failureOf(called(answer));
    expect(failure).toMatchObject({ kind: 'communication', status: 500 });
  });

  test('in an unknown form is asked for in vain', async () => {
    const failure = await failureOf(called({}, { args: { output: 'contents' } }));
    expect(failure.kind).toBe('configuration');
    expect(failure.detail).toContain('did you mean "content"?');
  });
});

describe('a status', () => {
  test.each([
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [418, "I'm a Teapot"],
    [500, 'Internal Server Error'],
    [503, 'Service Unavailable'],
  ])('of %i is a communication error with it [HT-10]', async (status, title) => {
    const failure = await failureOf(called(json({ code: 5 }, { status })));
    expect(failure).toMatchObject({ kind: 'communication', status, title, detail: '{"code":5}' });
  });

  test('has the reason it was given, and a body in any character set', async () => {
    const headers = { 'content-type': 'text/plain; charset=latin1' };
    const answer = { status: 400, reason: 'No Way', headers, body: Uint8Array.of(0xfc) };
    expect(await failureOf(called(answer))).toMatchObject({ title: 'No Way', detail: 'ü' });
  });

  test('that nobody knows has a title still, and no detail without a body', async () => {
    const failure = await failureOf(called({ status: 599, reason: '' }));
    expect(failure).toMatchObject({ status: 599, title: 'HTTP 599', detail: undefined });
  });

  test('with bytes as a body says what they are', async () => {
    const headers = { 'content-type': 'image/png' };
    const failure = await failureOf(called({ status: 500, headers, body: 'xyz' }));
    expect(failure.detail).toBe('3 bytes of image/png');
  });

  test('with a long body keeps as much of it as is allowed', async () => {
    const detailOf = async (body: string): Promise<string | undefined> =>
      (await failureOf(called({ status: 500, body }))).detail;
    const most = 'x'.repeat(DETAIL_CHARS_MAX);
    expect(await detailOf(most)).toBe(most);
    expect(await detailOf(`${most}y`)).toBe(`${'x'.repeat(DETAIL_CHARS_MAX - 1)}…`);
    const halved = `${'x'.repeat(DETAIL_CHARS_MAX - 2)}😀y`;
    expect(await detailOf(halved)).toBe(`${'x'.repeat(DETAIL_CHARS_MAX - 2)}…`);
  });

  test('with a secret in its body does not tell it, cut or not', async () => {
    const body = `${'x'.repeat(DETAIL_CHARS_MAX - 4)}hunter2`;
    const calling = { hide: (text: string) => text.replaceAll('hunter2', '***') };
    const failure = await failureOf(called({ status: 500, body }, { calling }));
    expect(failure.message).not.toContain('hun');
  });

  test.each([301, 302, 303, 307, 308])(
    'of %i is an error, and nobody follows it, by default [HT-11]',
    async (status) => {
      const server = await serve({ status, headers: { location: '/there' } });
      const args = { method: 'get', endpoint: server.url };
      const failure = await failureOf(callHttp(callingOf(), args));
      expect(failure).toMatchObject({ kind: 'communication', status });
      expect(failure.detail).toBe('it leads to /there; "redirect: true" follows');
      const again = callHttp(callingOf(), { ...args, redirect: false });
      expect(await failureOf(again)).toMatchObject({ status });
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each([301, 302, 303, 307, 308])(
    'of %i is followed if that is wanted [HT-12]',
    async (status) => {
      const answer: Answering = ({ path }) =>
        path === '/there' ? json('found') : { status, headers: { location: '/there' } };
      const args = { redirect: true, output: 'response' };
      const { output, url } = await called(answer, { args, path: '/here' });
      expect(output).toMatchObject({ content: 'found', request: { uri: `${url}/there` } });
    },
  );

  test('of 3xx that leads nowhere is no error then [HT-12]', async () => {
    const args = { redirect: true, output: 'response' };
    expect((await called({ status: 304 }, { args })).output).toMatchObject({ statusCode: 304 });
    expect(await failureOf(called({ status: 304 }))).toMatchObject({ status: 304 });
  });
});
