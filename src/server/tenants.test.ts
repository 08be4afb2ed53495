/** Two tenants on one server: the same names in both, and nothing of one seen by the other. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type ApiWorld, type Caller, markOf, openApiWorld } from '../testing/api-world.ts';
import { EventReader } from '../testing/server-events.ts';

let world: ApiWorld;
let acme: Caller;
let bolt: Caller;
let everyone: Caller;

beforeEach(async () => {
  world = await openApiWorld();
  acme = world.caller('admin', 'acme');
  bolt = world.caller('admin', 'bolt');
  everyone = world.caller('admin', null);
});

type Headers = Readonly<Record<string, string>>;

interface Said {
  readonly status: number;
  readonly text: string;
  /** Whatever it is: the tests say what they expect of it. */
  readonly body: Readonly<Record<string, never>>;
}

async function said(response: Response): Promise<Said> {
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? {} : JSON.parse(text) };
}

const post = async (who: Caller, path: string, body: unknown, headers: Headers = {}) =>
  said(await world.ask(who, { method: 'post', path, body, headers }));
const get = async (who: Caller, path: string, query = '', headers: Headers = {}) =>
  said(await world.ask(who, { method: 'get', path, query, headers }));

/** One that waits for a message, of each tenant, with the same business key. */
async function bothWait(): Promise<readonly [string, string]> {
  const ids: string[] = [];
  for (const who of [acme, bolt]) {
    const input = { secret: markOf(who.tenant) };
    const { status, body } = await post(who, '/instances', { flow: 'waits', key: 'k', input });
    expect(status).toBe(201);
    ids.push(body['id'] ?? '');
  }
  return [ids[0] ?? '', ids[1] ?? ''];
}

const statusOf = async (id: string): Promise<string | undefined> =>
  (await world.engine.get(id))?.status();

describe('the same name in two tenants', () => {
  test('is two business keys', async () => {
    const [first, second] = await bothWait();
    expect(first).not.toBe(second);
    for (const [who, id] of [[acme, first] as const, [bolt, second] as const]) {
      const again = { flow: 'waits', key: 'k', input: { secret: 'x' } };
      expect(await post(who, '/instances', again)).toMatchObject({
        status: 409,
        body: { code: 'instance.exists' },
      });
      const existing = { ...again, onConflict: 'existing' };
      expect(await post(who, '/instances', existing)).toMatchObject({
        status: 200,
        body: { id, existing: true },
      });
      const { text } = await get(who, '/instances', 'key=k');
      expect(text).toContain(id);
      expect(text).not.toContain(who === acme ? second : first);
    }
  });

  test('is two messages, and each wakes its own', async () => {
    const [first, second] = await bothWait();
    const message = { type: 'paid', key: 'k', id: 'm1', data: markOf('acme') };
    const woken = await post(acme, '/messages', message);
    expect(woken).toMatchObject({ status: 202, body: { outcome: 'woken', instances: [first] } });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['completed', 'waiting']);
    const other = await post(bolt, '/messages', { ...message, data: 1 });
    expect(other).toMatchObject({ body: { outcome: 'woken', instances: [second] } });
    const again = await post(bolt, '/messages', { ...message, data: 2 });
    expect(again).toMatchObject({ body: { outcome: 'duplicate', id: 'm1' } });
    const { text } = await get(bolt, `/instances/${second}`);
    expect(text).not.toContain(markOf('acme'));
  });

  test('is two keys of repeated requests', async () => {
    const key = { 'idempotency-key': 'the-same-text' };
    const start = { flow: 'waits', input: { secret: 'x' } };
    const one = await post(acme, '/instances', start, key);
    const two = await post(bolt, '/instances', start, key);
    const again = await post(acme, '/instances', start, key);
    expect([one.status, two.status, again.status]).toEqual([201, 201, 201]);
    expect(again.body['id']).toBe(one.body['id']);
    expect(two.body['id']).not.toBe(one.body['id']);
    // One who is in charge of all has a key for each tenant they do it for.
    const forBolt = await post(everyone, '/instances', start, { ...key, 'perdure-tenant': 'bolt' });
    const forAcme = await post(everyone, '/instances', start, { ...key, 'perdure-tenant': 'acme' });
    expect(new Set([one, two, forBolt, forAcme].map(({ body }) => body['id'])).size).toBe(4);
  });
});

describe('Perdure-Tenant', () => {
  test('says for whom somebody acts who is in charge of all', async () => {
    const [first, second] = await bothWait();
    const asBolt = { 'perdure-tenant': 'bolt' };
    expect((await get(everyone, `/instances/${first}`)).status).toBe(200);
    expect((await get(everyone, `/instances/${first}`, '', asBolt)).status).toBe(404);
    const { text } = await get(everyone, '/instances', 'tenant=acme', asBolt);
    expect(text).toContain(second);
    expect(text).not.toContain(markOf('acme'));
    const started = await post(everyone, '/instances', { flow: 'waits' }, asBolt);
    const run = await world.engine.get(started.body['id'] ?? '');
    expect(await run?.inspect()).toMatchObject({ tenant: 'bolt' });
  });

  test('of another tenant is refused to who is of one, and its own changes nothing', async () => {
    const [first] = await bothWait();
    for (const tenant of ['bolt', '', 'nobody', 'ACME', ' acme2']) {
      const there = { 'perdure-tenant': tenant };
      const refused = await get(acme, `/instances/${first}`, '', there);
      expect(refused, tenant).toMatchObject({ status: 403, body: { code: 'access.forbidden' } });
      expect((await post(acme, '/instances', { flow: 'waits' }, there)).status).toBe(403);
    }
    const own = { 'perdure-tenant': 'acme' };
    expect((await get(acme, `/instances/${first}`, '', own)).status).toBe(200);
  });

  test('is not taken by what is about all tenants', async () => {
    const prune = { olderThan: '1ms' };
    const asBolt = { 'perdure-tenant': 'bolt' };
    const refused = await post(everyone, '/prune', prune, asBolt);
    expect(refused).toMatchObject({ status: 403, body: { code: 'access.forbidden' } });
    expect(refused.text).toContain('Perdure-Tenant');
    expect((await get(everyone, '/messages', '', asBolt)).status).toBe(403);
    expect((await get(everyone, '/definitions', '', asBolt)).status).toBe(200);
    expect((await post(everyone, '/prune', prune)).status).toBe(200);
  });
});

describe('what reaches across by the back door finds nothing', () => {
  test('a cursor of another tenant turns the pages of one own', async () => {
    // Named, so that they stand in this order: ids of one millisecond are in any.
    for (let count = 0; count < 6; count += 1) {
      const tenant = count % 2 === 0 ? 'acme' : 'bolt';
      const named = { tenant, id: `office-${count}`, key: `${markOf(tenant)}-${count}` };
      await world.engine.start('office', { secret: markOf(tenant) }, named);
    }
    for (const path of ['/instances', '/tasks']) {
      const { body } = await get(acme, path, 'limit=1');
      const cursor: string = body['cursor'] ?? '';
      expect(cursor).not.toBe('');
      const { status, text } = await get(bolt, path, new URLSearchParams({ cursor }).toString());
      expect(status).toBe(200);
      expect(text).toContain(markOf('bolt'));
      expect(text).not.toContain(markOf('acme'));
    }
  });

  test('a bulk of another tenant goes on among one own', async () => {
    for (const tenant of ['acme', 'acme', 'bolt', 'bolt'] as const) {
      await world.start('waits', tenant);
    }
    const suspend = { filter: { flow: 'waits' }, action: { do: 'suspend' }, limit: 1 };
    const { body } = await post(acme, '/actions', suspend);
    expect(body).toMatchObject({ matched: 1, done: 1 });
    const stolen = { ...suspend, limit: 10, cursor: body['cursor'] };
    const { status, text } = await post(bolt, '/actions', stolen);
    expect([200, 400, 422]).toContain(status);
    const { instances } = await world.engine.list({ tenant: 'acme', status: 'suspended' });
    expect(instances).toHaveLength(1);
    for (const { id } of (await world.engine.list({ tenant: 'acme' })).instances) {
      expect(text).not.toContain(id);
    }
  });

  test('filters of another tenant, a parent, or an attribute name nothing', async () => {
    const [first] = await bothWait();
    for (const query of ['tenant=acme', `parent=${first}`, 'flow=waits&tenant=acme']) {
      const { status, text } = await get(bolt, '/instances', query);
      expect(status).toBe(200);
      expect(text).not.toContain(first);
      expect(text).not.toContain(markOf('acme'));
    }
    for (const filter of [{ tenant: 'acme' }, { key: 'k', tenant: 'acme' }, {}]) {
      const cancel = { filter, action: { do: 'cancel' }, dryRun: false };
      expect((await post(bolt, '/actions', cancel)).text).not.toContain(first);
    }
    expect(await statusOf(first)).toBe('waiting');
  });

  test('work is fetched and answered for by its own tenant', async () => {
    const run = await world.start('job', 'acme');
    const fetch = { worker: 'w', handlers: ['job/work', 'work'], limit: 10 };
    expect(await post(bolt, '/work/fetch', fetch)).toMatchObject({ body: { assignments: [] } });
    const asBolt = { 'perdure-tenant': 'bolt' };
    const other = await post(everyone, '/work/fetch', fetch, asBolt);
    expect(other).toMatchObject({ body: { assignments: [] } });
    const { body } = await post(acme, '/work/fetch', fetch);
    expect(body).toMatchObject({ assignments: [{ instance: run.id }] });
  });
});

describe('a stream of events', () => {
  test.each([...['', 'tenant=acme', 'flow=waits', 'flow=waits&tenant=acme', 'key=k']])(
    'with the filter "%s" tells nothing of another tenant',
    async (query) => {
      const [first, second] = await bothWait();
      const asBolt = { 'perdure-tenant': 'bolt' };
      for (const [who, headers] of [[bolt, {}] as const, [everyone, asBolt] as const]) {
        const response = await world.ask(who, { method: 'get', path: '/events', query, headers });
        const events = new EventReader(response);
        await events.beat();
        await post(acme, `/instances/${first}/actions`, { action: { do: 'suspend' } });
        await post(acme, `/instances/${first}/actions`, { action: { do: 'resume' } });
        await post(bolt, `/instances/${second}/actions`, { action: { do: 'suspend' } });
        await post(bolt, `/instances/${second}/actions`, { action: { do: 'resume' } });
        const { version } = (await (await world.engine.get(second))?.inspect()) ?? {};
        const heard = await events.until(({ data }) => data.n === version);
        for (const { text, data } of heard) {
          expect(data.instance).toBe(second);
          expect(text).not.toContain(markOf('acme'));
        }
        await events.close();
      }
    },
  );

  test('resumed from the id of another stream tells nothing of another tenant', async () => {
    const [first, second] = await bothWait();
    const since = { 'last-event-id': `1/${first}/1` };
    const asking = { method: 'get', path: '/events', headers: since };
    const events = new EventReader(await world.ask(bolt, asking));
    const heard = await events.until(({ data }) => data.instance === second);
    expect(heard.map(({ text }) => text).join('')).not.toContain(markOf('acme'));
    await events.close();
  });
});
