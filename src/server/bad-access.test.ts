/** Who is not let in, asked of the whole server: pages, proxies, strangers, forged credentials. */
import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { openRefusing, problemIn, type RefusingWorld } from '../testing/api-refusals.ts';
import type { ApiWorldOptions } from '../testing/api-world.ts';
import { type RawAnswer, request, sendRaw } from '../testing/raw-http.ts';
import { FAILURES_BURST } from './access/rate.ts';
import type { Problem, ProblemCode } from './problem.ts';

type Headers = Readonly<Record<string, string>>;

const SECRET = 's'.repeat(32);
const jwt = {
  ...{ issuer: 'us', audience: 'perdure', algorithms: ['HS256'], jwks: { secret: SECRET } },
  claims: { tenant: 'org', role: 'role' },
};
const OPEN: ApiWorldOptions = { server: { access: {} } };
const TOKENS: ApiWorldOptions = { server: { access: { jwt } } };

let house: RefusingWorld;
let port: number;

async function listen(options: ApiWorldOptions): Promise<void> {
  house = await openRefusing(options);
  ({ port } = await house.world.api.listen());
}

const get = (headers: Headers, path = '/instances'): Promise<RawAnswer> =>
  sendRaw(port, request(`GET ${path}`, headers));

function problem({ status, headers, body }: RawAnswer, code: ProblemCode): Problem {
  return problemIn({ status, type: headers['content-type'], text: body, what: code }, code);
}

describe('a web page', () => {
  const origins = ['https://app.example.com'];

  beforeEach(async () => listen({ server: { access: {}, origins } }));

  test.each([
    ...[
      'https://evil.com',
      'null',
      'http://localhost.evil.com',
      'https://app.example.com.evil.com',
    ],
    ...['http://app.example.com', 'https://app.example.com:8443', 'file://', ''],
  ])('of the origin "%s" is refused, whatever it asks', async (origin) => {
    problem(await get({ origin }), 'access.origin');
    problem(await get({ origin }, '/health/live'), 'access.origin');
    const asks = { origin, 'access-control-request-method': 'POST' };
    const preflight = await sendRaw(port, request('OPTIONS /instances', asks));
    problem(preflight, 'access.origin');
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    await house.unchanged();
  });

  test('of another site is refused though it hides its origin', async () => {
    for (const site of ['cross-site', 'same-site', 'odd']) {
      problem(await get({ 'sec-fetch-site': site }), 'access.origin');
    }
    expect((await get({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test('of an origin that was named may ask, and that of the server itself', async () => {
    const [origin = ''] = origins;
    const answer = await get({ origin });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    const asks = { origin, 'access-control-request-method': 'POST' };
    expect((await sendRaw(port, request('OPTIONS /instances', asks))).status).toBe(204);
    expect((await get({ origin: 'http://localhost' })).status).toBe(200);
  });
});

describe('without access', () => {
  beforeEach(async () => listen(OPEN));

  test('who comes by a proxy is refused', async () => {
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip', 'x-forwarded-host']) {
      const { detail } = problem(await get({ [name]: '127.0.0.1' }), 'access.remote');
      expect(detail).toContain(name);
    }
    await house.unchanged();
  });

  test('nobody listens where others could reach it', async () => {
    for (const host of ['0.0.0.0', '::', '', '192.0.2.1']) {
      const insecure = expect.objectContaining({ code: 'server.insecure' });
      await expect(house.world.api.listen({ host })).rejects.toEqual(insecure);
    }
  });

  test('who asks without a socket is nobody of this machine', async () => {
    await house.refused({ method: 'get', path: '/instances' }, 'access.remote');
  });
});

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(claims: object, header: object = {}, secret = SECRET): string {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const good = { iss: 'us', aud: 'perdure', sub: 'ann', org: 'acme', role: 'viewer', exp };
  const signed = `${part({ alg: 'HS256', ...header })}.${part({ ...good, ...claims })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('a token', () => {
  beforeEach(async () => listen(TOKENS));

  const unsigned = `${part({ alg: 'none' })}.${part({ sub: 'ann', org: 'acme', role: 'admin' })}.`;
  const [front, , back] = tokenOf({}).split('.');
  const altered = `${front}.${part({ sub: 'ann', org: 'acme', role: 'admin' })}.${back}`;

  test.each<readonly [string, string, RegExp]>([
    ['that has expired', tokenOf({ exp: 1_000 }), /expired/],
    ['that never expires', tokenOf({ exp: undefined }), /when it expires/],
    ['that is not valid yet', tokenOf({ nbf: 4_102_444_800 }), /not valid yet/],
    ['of another issuer', tokenOf({ iss: 'them' }), /issuer/],
    ['for another audience', tokenOf({ aud: 'bank' }), /audience/],
    ['signed with another secret', tokenOf({}, {}, 'x'.repeat(32)), /signature/],
    ['signed by another algorithm', tokenOf({}, { alg: 'HS512' }), /algorithm/],
    ['signed by a key of its own', tokenOf({}, { alg: 'RS256', jwk: {} }), /algorithm/],
    ['signed by nobody', unsigned, /algorithm/],
    ['that was altered', altered, /signature/],
    ['of no tenant', tokenOf({ org: undefined }), /tenant/],
    ['of an empty tenant', tokenOf({ org: '' }), /tenant/],
    ['of several tenants', tokenOf({ org: ['acme', 'bolt'] }), /tenant/],
    ['of nobody', tokenOf({ sub: undefined }), /who it is for/],
    ['of a name that keys have', tokenOf({ sub: 'key:admin.all' }), /name/],
    ['that is none', 'a.b.c', /token/],
  ])('%s is refused', async (_name, token, reason) => {
    const answer = await get({ authorization: `Bearer ${token}` });
    expect(problem(answer, 'access.unauthenticated').detail).toMatch(reason);
    expect(answer.headers['www-authenticate']).toContain('invalid_token');
    expect(answer.body).not.toContain(token);
    await house.unchanged();
  });

  test('says whose it is, and what its role may', async () => {
    const authorization = `Bearer ${tokenOf({})}`;
    expect((await get({ authorization })).status).toBe(200);
    expect((await get({ authorization }, `/instances/${house.id}`)).status).toBe(200);
    problem(await get({ authorization }, '/backlog'), 'access.forbidden');
    const bolt = { authorization: `Bearer ${tokenOf({ org: 'bolt', role: 'admin' })}` };
    problem(await get(bolt, `/instances/${house.id}`), 'instance.not-found');
    const nothing = { authorization: `Bearer ${tokenOf({ role: 'king', scope: 'everything' })}` };
    problem(await get(nothing), 'access.forbidden');
  });
});

describe('a credential', () => {
  test('of a kind that nobody takes is refused, and one in a URL is not looked at', async () => {
    await listen({});
    const good = house.admin.headers['authorization'] ?? '';
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer x', good.slice(0, -2), 'x']) {
      problem(await get({ authorization }), 'access.unauthenticated');
    }
    const two = { authorization: good, 'x-api-key': 'pdr_other' };
    problem(await get(two), 'access.unauthenticated');
    const text = good.slice('Bearer '.length);
    problem(await get({}, `/instances?access_token=${text}`), 'access.unauthenticated');
    expect((await get({ 'x-api-key': text })).status).toBe(200);
    expect(JSON.stringify(house.world.log.lines)).not.toContain(text);
  });

  test('that is wrong too often is told so, and a good one is taken all the same', async () => {
    const rate = { perSecond: 0.001, burst: 1_000 };
    await listen({ server: { rate } });
    for (let count = 0; count < FAILURES_BURST; count += 1) {
      problem(await get({ authorization: 'Bearer x' }), 'access.unauthenticated');
    }
    const answer = await get({ authorization: 'Bearer x' });
    problem(answer, 'access.too-many');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get(house.admin.headers)).status).toBe(200);
  });

  test('is good for so many requests at once, and one more is too many', async () => {
    const burst = 3;
    await listen({ server: { rate: { perSecond: 0.001, burst } } });
    for (let count = 0; count < burst; count += 1) {
      expect((await get(house.admin.headers)).status).toBe(200);
    }
    expect(problem(await get(house.admin.headers), 'access.too-many').retryable).toBe(true);
    expect((await get(house.world.caller('viewer', 'acme').headers)).status).toBe(200);
    expect((await get({}, '/health/live')).status).toBe(200);
  });
});
