import { describe, expect, test } from 'vitest';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { ask } from '../../testing/guarded-http.ts';
import { authorityFor, type TokenOffice } from '../../testing/token-office.ts';
import type { TokenServerOptions } from '../../testing/token-server.ts';
import { TOKENS_MAX } from './oauth.ts';
import { LIFE_MS_UNKNOWN, MARGIN_MS, MARGIN_PART } from './tokens.ts';

const grant = { grant: 'client_credentials' };
const login = { grant: 'password', username: 'somebody', password: 'some password' };

const BEGIN_MS = 1_700_000_000_000;

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

interface TimedOffice extends TokenOffice {
  readonly time: { now: number };
}

async function start(options: TokenServerOptions = {}): Promise<TimedOffice> {
  const time = { now: BEGIN_MS };
  const now = (): number => time.now;
  return { ...(await authorityFor({ ...options, now }, { now })), time };
}

const grantsOf = ({ server }: TokenOffice): readonly unknown[] =>
  server.asked.map(({ parameters }) => parameters['grant_type']);

/** A token is asked for, kept for so long to the millisecond, and asked for again. */
async function keepsFor(
  { server, time }: TimedOffice,
  call: () => Promise<unknown>,
  ms: number,
): Promise<void> {
  await call();
  time.now += ms - 1;
  await call();
  expect(server.asked).toHaveLength(1);
  time.now += 1;
  await call();
  expect(server.asked).toHaveLength(2);
}

describe('a token', () => {
  test('is kept until shortly before its end [AU-15]', async () => {
    const office = await start({ lifeSeconds: 3_600 });
    await keepsFor(office, () => office.call(grant), 3_600_000 - MARGIN_MS);
    const [first, second, third] = office.server.shown;
    expect([first === second, second === third]).toEqual([true, false]);
  });

  test('of a short life is kept for most of it [AU-15]', async () => {
    const office = await start({ lifeSeconds: 10 });
    await keepsFor(office, () => office.call(grant), 10_000 * (1 - MARGIN_PART));
  });

  test('of an unknown end is kept for a minute, and one of no life not at all', async () => {
    const office = await start({ lifeSeconds: null, isOpaque: true });
    await keepsFor(office, () => office.call(grant), LIFE_MS_UNKNOWN * (1 - MARGIN_PART));
    const short = await start({ lifeSeconds: 0 });
    await short.call(grant);
    await short.call(grant);
    expect(short.server.asked).toHaveLength(2);
  });

  test.each([
    ['itself', { access_token: `e30.${base64url({ exp: BEGIN_MS / 1_000 + 1_000 })}.x` }],
    ['as a text', { access_token: 'opaque', expires_in: '1000' }],
  ])('may tell its end %s', async (_, answer) => {
    const office = await start();
    office.server.answer = { body: JSON.stringify(answer) };
    const resource = await serve({});
    const oauth2 = { ...grant, authority: office.server.url };
    const call = () => ask(office.http, resource.url, { authentication: { oauth2 } });
    await keepsFor(office, call, 1_000_000 - MARGIN_MS);
  });

  test('is for its policy alone', async () => {
    const office = await start();
    await office.call(grant);
    await office.call({ ...grant, scopes: ['a'] });
    await office.call({ scopes: ['a'], ...grant });
    await office.call(grant);
    expect(office.server.asked).toHaveLength(2);
  });

  test('is asked for once by all who ask at the same time [AU-15]', async () => {
    const office = await start();
    const answers = await Promise.all([1, 2, 3, 4].map(() => office.call(grant)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(office.server.asked).toHaveLength(1);
  });

  test('is not lost to the others if one of them leaves', async () => {
    const office = await start();
    const left = new AbortController();
    const reason = new Error('nobody waits');
    const leaving = office.call(grant, { signal: left.signal });
    const staying = office.call(grant);
    left.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    expect(await staying).toMatchObject({ status: 200 });
  });

  test('is kept for so many policies, and the longest unused is forgotten', async () => {
    const office = await start();
    const asked = async (n: number): Promise<number> => {
      const before = office.server.asked.length;
      await office.call({ ...grant, scopes: [`${n}`] });
      return office.server.asked.length - before;
    };
    for (let n = 0; n < TOKENS_MAX; n += 1) await asked(n);
    expect([await asked(0), await asked(TOKENS_MAX), await asked(0), await asked(1)]).toEqual([
      0, 1, 0, 1,
    ]);
  });
});

describe('an old token', () => {
  test('is renewed by its refresh token, again and again [AU-15] [AU-06]', async () => {
    const office = await start({ lifeSeconds: 100 });
    for (let n = 0; n < 3; n += 1) {
      expect(await office.call({ ...login, scopes: ['read'] })).toMatchObject({ status: 200 });
      office.time.now += 100_000;
    }
    expect(grantsOf(office)).toEqual(['password', 'refresh_token', 'refresh_token']);
    expect(office.server.asked[2]?.parameters).toMatchObject({ scope: 'read' });
    expect(office.server.asked[2]?.parameters).not.toHaveProperty('password');
  });

  test('is asked for anew if its refresh token is no longer good', async () => {
    const office = await start({ lifeSeconds: 100 });
    await office.call(login);
    office.time.now += 100_000;
    office.server.forgetRefreshTokens();
    expect(await office.call(login)).toMatchObject({ status: 200 });
    expect(grantsOf(office)).toEqual(['password', 'refresh_token', 'password']);
  });

  test('keeps its refresh token if the renewed one came without', async () => {
    const office = await start({ lifeSeconds: 100 });
    await office.call(login);
    for (const access of ['a', 'b']) {
      office.time.now += 100_000;
      office.server.answer = { body: JSON.stringify({ access_token: access, expires_in: 100 }) };
      await office.call(login);
    }
    const [, second, third] = office.server.asked.map(({ parameters }) => parameters);
    expect(third?.['refresh_token']).toBe(second?.['refresh_token']);
  });

  test('is not asked for with a password while the authority is not well', async () => {
    const office = await start({ lifeSeconds: 100 });
    await office.call(login);
    office.time.now += 100_000;
    office.server.answer = { status: 503 };
    expect(await errorOf(office.call(login))).toMatchObject({ kind: 'communication', status: 503 });
    expect(grantsOf(office)).toEqual(['password', 'refresh_token']);
  });
});

describe('a resource that refuses a token', () => {
  test('is asked again with a new one if the token had been kept [AU-15]', async () => {
    const office = await start();
    await office.call(grant);
    office.server.revokeAll();
    const answer = await office.call(grant);
    expect(answer.status).toBe(200);
    expect(office.server.asked).toHaveLength(2);
    expect(answer.authorization?.parameter).toBe(office.server.shown.at(-1));
    expect(office.server.shown).toHaveLength(3);
  });

  test('is not asked again if the token was new', async () => {
    const office = await start();
    office.server.answer = { body: '{"access_token":"unknown","expires_in":100}' };
    expect(await office.call(grant)).toMatchObject({ status: 401 });
    expect([office.server.asked.length, office.server.shown.length]).toEqual([1, 1]);
    expect(await office.call(grant)).toMatchObject({ status: 401 });
    expect([office.server.asked.length, office.server.shown.length]).toEqual([2, 3]);
  });

  test('costs one new token, however many were refused at the same time', async () => {
    const office = await start();
    await office.call(grant);
    office.server.revokeAll();
    const answers = await Promise.all([1, 2, 3].map(() => office.call(grant)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(office.server.asked).toHaveLength(2);
  });
});
