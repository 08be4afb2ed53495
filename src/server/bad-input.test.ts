/**
 * Whatever a request says that it may not: each is refused with a code and a sentence, nothing has
 * changed, and nobody has been blamed in the log. What no client would send is in bad-wire.test.ts.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CASES } from '../testing/api-cases.ts';
import { openRefusing, type RefusingWorld } from '../testing/api-refusals.ts';
import type { ApiWorld, Caller } from '../testing/api-world.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

let world: ApiWorld;
let admin: Caller;
let id: string;
let refused: RefusingWorld['refused'];
let unchanged: RefusingWorld['unchanged'];

beforeEach(async () => {
  ({ world, admin, id, refused, unchanged } = await openRefusing());
});

const START = { method: 'post', path: '/instances' };
const withBody = ROUTES.filter(({ body, raw }) => body !== undefined && raw !== true);
/** A path of the route with ids that read as ids. */
const placeOf = ({ path }: Route): string =>
  path
    .replace('{version}', '1')
    .replace(/\{(token|n)\}/, '1')
    .replace(/\{\w+\}/, 'nobody');

describe('a body', () => {
  test.each([
    ...['', '{', '[1', '"', 'nope', "{'flow':'waits'}", '{"flow":"waits",}', '{"flow":"waits"} x'],
    ...['\u0000', '{"flow":"a\nb"}', 'NaN', '{"flow":01}'],
  ])('that is no JSON is refused: %j', async (text) => {
    const { detail } = await refused({ ...START, body: text }, 'request.invalid');
    expect(detail).toContain('no JSON');
    await unchanged();
  });

  test('that is no UTF-8 is refused, wherever it breaks', async () => {
    const good = Buffer.from('{"flow":"waits","key":"ä€😀"}');
    for (const broken of [
      ...[Buffer.of(0x22, 0xff, 0x22), good.subarray(0, -4), Buffer.of(0xff, 0xfe, 0x7b, 0x00)],
      ...[Buffer.of(0xc0, 0x80), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('{"a":"b"}', 'utf16le')],
    ]) {
      await refused({ ...START, body: new Uint8Array(broken) }, 'request.invalid');
    }
    await unchanged();
  });

  test('of the wrong type is refused by every route that has one', async () => {
    for (const route of withBody) {
      for (const body of ['null', '[]', '"text"', '7', 'true', '[{}]']) {
        const asking = { method: route.method, path: placeOf(route), body };
        await refused(asking, 'request.invalid');
      }
    }
    await unchanged();
  });

  test('with a field that nobody knows is refused, and the field named', async () => {
    for (const { operation, method, path: _ } of withBody) {
      const about = await CASES[operation]?.({ world, caller: admin, tenant: 'acme' });
      if (about === undefined) throw new Error(`there is no request for ${operation}`);
      const body = { ...(about.body as object), nobodysField: 1 };
      const { detail } = await refused({ ...about, method, body }, 'request.invalid');
      // Of a message and an event it is said that it is neither.
      const named = operation === 'publishMessage' ? 'the body' : 'nobodysField';
      expect(detail).toContain(named);
    }
  });

  test('without a field that it needs is refused, and the field named', async () => {
    let count = 0;
    for (const route of withBody) {
      const about = await CASES[route.operation]?.({ world, caller: admin, tenant: 'acme' });
      const { body: schema, method } = route;
      if (about === undefined || schema === undefined) throw new Error(route.operation);
      const { required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      for (const field of required) {
        const { [field]: left, ...body } = about.body as Record<string, unknown>;
        const asking = { method, path: about.path, body };
        const { detail } = await refused(asking, 'request.invalid');
        expect(detail, route.operation).toContain(field);
        await refused({ ...asking, body: { ...body, [field]: [[left]] } }, 'request.invalid');
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  test('says all that is wrong with it at once', async () => {
    const body = { flow: 7, key: '', onConflict: 'maybe', priority: 1.5, odd: 1 };
    const { details, detail } = await refused({ ...START, body }, 'request.invalid');
    const problems = details?.['problems'] as readonly { path: string }[];
    const places = problems.map(({ path }) => path);
    expect(places.toSorted()).toEqual(['', 'flow', 'key', 'onConflict', 'priority']);
    expect(detail).toContain('and 4 more');
  });

  test.each([
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...['application/json; charset=utf-16', 'json', 'application/jsonp', '', '*/*'],
  ])('that calls itself %j is refused', async (type) => {
    const asking = { ...START, body: { flow: 'waits' }, headers: { 'content-type': type } };
    await refused(asking, 'request.type');
    await unchanged();
  });

  test('that is compressed is refused, and one that says it is not is taken', async () => {
    for (const encoding of ['gzip', 'br', 'deflate, gzip', 'x']) {
      const headers = { 'content-encoding': encoding };
      const { detail } = await refused({ ...START, body: {}, headers }, 'request.type');
      expect(detail).toContain('content-encoding');
    }
    await unchanged();
    const headers = { 'content-encoding': 'identity', 'content-type': 'Application/JSON' };
    const response = await world.ask(admin, { ...START, body: { flow: 'waits' }, headers });
    expect(response.status).toBe(201);
  });
});

describe('a value', () => {
  test('that is nested without end is refused, however deep it goes', async () => {
    for (const depth of [1_000, 100_000]) {
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      await refused({ ...START, body: `{"flow":"waits","input":${deep}}` }, 'input.invalid');
      const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      await refused({ ...START, body: `{"flow":"waits","input":${objects}}` }, 'input.invalid');
      await refused({ ...START, body: `{"flow":${deep}}` }, 'request.invalid');
      await refused({ ...START, body: deep }, 'request.invalid');
      const message = `{"type":"paid","key":"k","data":${deep}}`;
      await refused({ method: 'post', path: '/messages', body: message }, 'message.invalid');
    }
    await unchanged();
  });

  test('that is a number beyond all numbers is refused', async () => {
    await refused({ ...START, body: '{"flow":"waits","input":1e999}' }, 'input.invalid');
    for (const priority of ['1e20', '-1e20', '1e999', '0.5']) {
      await refused(
        { ...START, body: `{"flow":"waits","priority":${priority}}` },
        'request.invalid',
      );
    }
    const token = { action: { do: 'skip', token: 2 ** 53 } };
    await refused(
      { method: 'post', path: `/instances/${id}/actions`, body: token },
      'request.invalid',
    );
    await unchanged();
  });

  test('with names that objects have by themselves is kept as what it is', async () => {
    const input = '{"__proto__":{"isAdmin":true},"constructor":1,"toString":2}';
    const body = `{"flow":"waits","input":${input}}`;
    const response = await world.ask(admin, { ...START, body });
    const { id: made } = (await response.json()) as { readonly id: string };
    const shown = await world.ask(admin, { method: 'get', path: `/instances/${made}` });
    expect(await shown.text()).toContain(`"input":${input}`);
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
      await refused({ ...START, body: `{"flow":"waits","${name}":{}}` }, 'request.invalid');
      await refused({ method: 'get', path: '/instances', query: `${name}=1` }, 'request.invalid');
      await refused({ method: 'post', path: `/hooks/${name}`, body: '{}' }, 'route.not-found');
    }
  });

  test('is kept to the letter, NUL and half a pair too; a name is not half a pair', async () => {
    const input = { nul: 'a\u0000b', half: '\ud800', text: '\u2028𝔘\ufffe' };
    const response = await world.ask(admin, { ...START, body: { flow: 'waits', input } });
    const { id: made } = (await response.json()) as { readonly id: string };
    expect(await (await world.engine.get(made))?.inspect()).toMatchObject({ input });
    await refused({ ...START, body: { flow: 'waits', key: 'a\ud800' } }, 'engine.option-invalid');
    await refused({ ...START, body: { flow: 'a\u0000b' } }, 'definition.not-found');
  });

  test('that is said twice is what it was last', async () => {
    const body = '{"flow":"nobody","flow":"waits","input":1,"input":2}';
    const response = await world.ask(admin, { ...START, body });
    expect(response.status).toBe(201);
    const { id: made } = (await response.json()) as { readonly id: string };
    expect(await (await world.engine.get(made))?.inspect()).toMatchObject({ input: 2 });
  });
});

describe('a query', () => {
  test('with a name that nobody knows is refused by every route', async () => {
    for (const route of ROUTES) {
      const { method } = route;
      const body = route.body === undefined ? undefined : {};
      const asking = { method, path: placeOf(route), query: 'nobodysName=1', body };
      await refused(asking, 'request.invalid');
    }
    await unchanged();
  });

  test.each([
    ...['limit=x', 'limit=-1', 'limit=1e3', 'limit=', 'limit=1&limit=2', 'flow=', 'flow=a&flow=b'],
    ...['stalled=yes', `key=${'k'.repeat(501)}`, 'version=1.5', `cursor=${'c'.repeat(2_001)}`],
    ...['status=odd', 'status=waiting&status=odd'],
  ])('of instances cannot be %s', async (query) => {
    await refused({ method: 'get', path: '/instances', query }, 'request.invalid');
  });

  test.each([
    ...['limit=0', 'limit=1001', 'createdAfter=yesterday', 'attribute=odd', 'attribute==1'],
    ...['cursor=x', 'cursor=%00', 'endedBefore=NaN'],
  ])('of instances that reads well and means nothing is refused: %s', async (query) => {
    await refused({ method: 'get', path: '/instances', query }, 'engine.option-invalid');
  });
});
