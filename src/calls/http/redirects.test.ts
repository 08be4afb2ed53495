import { describe, expect, test } from 'vitest';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import type { LocalServer } from '../../testing/http-server.ts';
import { ask, guarded, textOf } from '../../testing/guarded-http.ts';
import { REDIRECTS_MAX } from './limits.ts';

/** Sends whoever asks for `/` to a place, and tells others what they asked for. */
function redirecting(location: string, status = 302): Promise<LocalServer> {
  return serve(({ method, path, body }) =>
    path === '/' ? { status, headers: { location } } : { body: `${method} ${path} ${body}` },
  );
}

test('a redirect is the answer unless it is to be followed', async () => {
  const server = await redirecting('/other');
  const answer = await ask(guarded(), server.url);
  expect(answer).toMatchObject({ status: 302, headers: { location: '/other' } });
  expect(server.requests).toHaveLength(1);
});

test('a redirect that is followed is told by where it led', async () => {
  const server = await redirecting('other?a=1#b');
  const answer = await ask(guarded(), server.url, { redirect: true });
  expect(textOf(answer)).toBe('GET /other?a=1 ');
  expect(answer.request).toMatchObject({ method: 'GET', uri: `${server.url}/other?a=1#b` });
});

test.each([
  [301, 'POST', 'GET /other '],
  [302, 'POST', 'GET /other '],
  [303, 'POST', 'GET /other '],
  [307, 'POST', 'POST /other body'],
  [308, 'POST', 'POST /other body'],
  [301, 'PUT', 'PUT /other body'],
  [302, 'DELETE', 'DELETE /other body'],
  [303, 'PUT', 'GET /other '],
])('after %i a %s goes on as %s', async (status, method, shown) => {
  const server = await redirecting('/other', status);
  const headers = { 'content-type': 'text/plain', 'x-kept': 'yes' };
  const request = { method, headers, body: 'body', redirect: true };
  expect(textOf(await ask(guarded(), server.url, request))).toBe(shown);
  const sent = server.requests[1]?.headers;
  expect(sent?.['x-kept']).toBe('yes');
  expect(sent?.['content-type']).toBe(shown.startsWith('GET') ? undefined : 'text/plain');
});

test.each([300, 304, 305, 306])('%i leads nowhere', async (status) => {
  const server = await redirecting('/other', status);
  expect(await ask(guarded(), server.url, { redirect: true })).toMatchObject({ status });
});

test('a redirect without a place is the answer', async () => {
  const server = await serve({ status: 302 });
  expect(await ask(guarded(), server.url, { redirect: true })).toMatchObject({ status: 302 });
});

describe('credentials', () => {
  const headers = { authorization: 'Bearer own', cookie: 'a=b', 'x-kept': 'yes' };
  const authentication = { basic: { username: 'ada', password: 'lovelace' } };

  test('go along within an origin', async () => {
    const server = await redirecting('/other');
    const { request } = await ask(guarded(), server.url, { headers, redirect: true });
    expect(server.requests[1]?.headers).toMatchObject(headers);
    expect(request.headers).toMatchObject({ authorization: '***', cookie: '***' });
    const answer = await ask(guarded(), server.url, { authentication, redirect: true });
    expect(server.requests[3]?.headers['authorization']).toMatch(/^Basic /);
    expect(answer.authorization?.scheme).toBe('Basic');
  });

  test('do not leave it, and do not come back', async () => {
    const home = await serve(({ path }) =>
      path === '/'
        ? { status: 302, headers: { location: `${away.url}/` } }
        : { body: 'home again' },
    );
    const away = await serve(() => ({ status: 302, headers: { location: `${home.url}/back` } }));
    for (const request of [{ headers }, { headers: { 'x-kept': 'yes' }, authentication }]) {
      const answer = await ask(guarded(), home.url, { ...request, redirect: true });
      expect(textOf(answer)).toBe('home again');
      expect(answer).not.toHaveProperty('authorization');
    }
    expect(home.requests.map((each) => each.headers['authorization'] !== undefined)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    for (const each of away.requests) {
      expect(each.headers).toMatchObject({ 'x-kept': 'yes' });
      expect(each.headers).not.toHaveProperty('authorization');
      expect(each.headers).not.toHaveProperty('cookie');
    }
  });

  test('do not go from https to http, be it the same host', async () => {
    const seen: (readonly [string, boolean])[] = [];
    const client = guarded({
      fetch: async (url, init) => {
        const { href } = new URL(url instanceof Request ? url.url : url);
        seen.push([href, new Headers(init?.headers).has('authorization')]);
        const isFirst = seen.length === 1;
        const location = 'http://shop.example/other';
        return isFirst
          ? new Response(null, { status: 307, headers: { location } })
          : new Response();
      },
    });
    await ask(client, 'https://shop.example/', { headers, redirect: true });
    expect(seen).toEqual([
      ['https://shop.example/', true],
      ['http://shop.example/other', false],
    ]);
  });
});

describe('a redirect to a place that is not for workflows', () => {
  test.each([
    ['http://169.254.169.254/latest/meta-data/', 'authorization'],
    ['http://[::1]:1/', 'authorization'],
    ['http://2130706434/', 'authorization'],
    ['http://db.internal/', 'authorization'],
    ['//10.0.0.1/', 'authorization'],
    ['file:///etc/passwd', 'authorization'],
    ['data:text/plain,hello', 'authorization'],
    ['http://user:word@example.com/', 'configuration'],
    ['http://[', 'communication'],
  ])('%s is refused', async (location, kind) => {
    const server = await redirecting(location);
    const error = await errorOf(ask(guarded(), server.url, { redirect: true }));
    expect(error.kind).toBe(kind);
    expect(server.requests).toHaveLength(1);
  });

  test('is refused by the address of its name, too', async () => {
    const server = await redirecting('http://harmless.example/');
    const client = guarded({ resolve: async () => ['192.168.0.1'] });
    const error = await errorOf(ask(client, server.url, { redirect: true }));
    expect(error).toMatchObject({ kind: 'authorization', status: 403 });
    expect(error.message).not.toContain('192.168');
  });
});

test('twenty redirects are followed, and not one more', async () => {
  const server = await serve(({ path }) => {
    const left = Number(path.slice(1));
    return left === 0 ? { body: 'there' } : { status: 302, headers: { location: `/${left - 1}` } };
  });
  const client = guarded();
  const enough = await ask(client, `${server.url}/${REDIRECTS_MAX}`, { redirect: true });
  expect(textOf(enough)).toBe('there');
  const error = await errorOf(
    ask(client, `${server.url}/${REDIRECTS_MAX + 1}`, { redirect: true }),
  );
  expect(error).toMatchObject({ kind: 'communication', status: 500 });
  expect(error.detail).toContain(`redirected more than ${REDIRECTS_MAX} times`);
});
