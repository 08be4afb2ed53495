/** `Idempotency-Key`: whatever happens on the way, asked twice is done once. */
import { beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../index.ts';
import { memory } from '../stores/memory/memory.ts';
import { CASES, type Case } from '../testing/api-cases.ts';
import { type ApiWorld, type Caller, everythingIn, openApiWorld } from '../testing/api-world.ts';
import { guardedStore } from '../testing/wrapped-store.ts';
import { SERVER_LIMITS } from './limits.ts';
import { ROUTES } from './routes.ts';

const KEYED = ROUTES.filter(({ repeats }) => repeats === 'keyed').map(({ operation }) => operation);
/** As long as the first may take before others take it for dead. */
const UNDER_WAY_MS = 30_000;

let world: ApiWorld;
let caller: Caller;
/** What the store's clock shows. */
let now: number;
/** How many writes of what came of a request are lost from now on. */
let lost: number;

beforeEach(async () => {
  now = Date.now();
  lost = 0;
  const store = guardedStore(memory({ clock: () => now }), async (verb, call) => {
    if (verb !== 'receipts.put' || lost === 0) return call();
    lost -= 1;
    throw new EngineError('store.unreachable', 'the database is away', { retryable: true });
  });
  world = await openApiWorld({ engine: { store } });
  caller = world.caller('admin', 'acme');
});

interface Said {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isReplayed: boolean;
}

async function ask(about: Case, key = 'k1', who = caller): Promise<Said> {
  const headers = { ...about.headers, 'idempotency-key': key };
  const response = await world.ask(who, { ...about, headers });
  const text = await response.text();
  const isReplayed = response.headers.get('idempotency-replayed') === 'true';
  const body = text === '' ? {} : (JSON.parse(text) as Said['body']);
  return { status: response.status, body, text, isReplayed };
}

async function caseOf(operation: string): Promise<Case> {
  const about = await CASES[operation]?.({ world, caller, tenant: 'acme' });
  if (about === undefined) throw new Error(`there is no request for ${operation}`);
  return about;
}

const START: Case = { method: 'post', path: '/instances', body: { flow: 'office', input: {} } };

async function countOf(flow: string, tenant?: string): Promise<number> {
  const whose = tenant === undefined ? {} : { tenant };
  return (await world.engine.list({ flow, ...whose })).instances.length;
}

test('every kind of request that makes or does something takes a key', () => {
  expect(KEYED.toSorted()).toEqual([
    ...['actOnInstance', 'actOnInstances', 'attachTask', 'claimTask', 'commentTask'],
    ...['completeTask', 'decideTask', 'delegateTask', 'publishMessage', 'reassignTask'],
    ...['recallTask', 'resubmitTask', 'sendMessage', 'startInstance', 'unclaimTask', 'updateTask'],
  ]);
});

describe.each(KEYED)('%s', (operation) => {
  test('with the same key twice is done once, and answers the same', async () => {
    const about = await caseOf(operation);
    const first = await ask(about);
    expect([first.status < 300, first.isReplayed], first.text).toEqual([true, false]);
    const after = await everythingIn(world.engine);
    for (let count = 0; count < 2; count += 1) {
      const again = await ask(about);
      expect(again, operation).toEqual({ ...first, isReplayed: true });
    }
    expect(await everythingIn(world.engine)).toBe(after);
  });

  test('ten times at once is done once', async () => {
    const about = await caseOf(operation);
    const before = await about.run?.history();
    const waiting = await countOf('waits', 'acme');
    // That it was sent is one, and that it was had another.
    const commits = operation === 'sendMessage' ? 2 : 1;
    const all = await Promise.all(Array.from({ length: 10 }, () => ask(about)));
    const done = all.filter(({ status }) => status < 300);
    const busy = all.filter(({ status }) => status >= 300);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    for (const { status, body } of busy) {
      expect([status, body['code']]).toEqual([409, 'idempotency.under-way']);
    }
    expect(await ask(about)).toEqual({ ...done[0], isReplayed: true });
    const isStart = operation === 'startInstance';
    const past = await about.run?.history();
    expect(await countOf('waits', 'acme')).toBe(waiting + (isStart ? 1 : 0));
    expect(past).toHaveLength((before?.length ?? 0) + (isStart ? 0 : commits));
  });

  test('with the same key and another body is refused', async () => {
    const about = await caseOf(operation);
    await ask(about);
    const after = await everythingIn(world.engine);
    const body = { ...(about.body as object), reason: 'another' };
    const other = await ask({ ...about, body: `${JSON.stringify(about.body)} ` });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency.reused' } });
    expect((await ask({ ...about, body })).status).toBeGreaterThanOrEqual(400);
    expect(await everythingIn(world.engine)).toBe(after);
  });
});

describe('a key', () => {
  test('is of one request: for another path or another kind it is refused', async () => {
    const one = await caseOf('commentTask');
    const other = await caseOf('commentTask');
    expect((await ask(one)).status).toBe(204);
    for (const about of [other, await caseOf('claimTask'), START]) {
      expect(await ask(about)).toMatchObject({ body: { code: 'idempotency.reused' } });
    }
  });

  test('is of one principal: that of another is another', async () => {
    const ids = new Set<unknown>();
    for (const who of [caller, world.caller('operator', 'acme'), world.caller('admin', 'bolt')]) {
      ids.add((await ask(START, 'k1', who)).body['id']);
    }
    expect(ids.size).toBe(3);
    expect(await countOf('office')).toBe(3);
  });

  test('of what was refused may be used again, once that is mended', async () => {
    const refused = await ask({ ...START, body: { flow: 'drawn', input: {} } });
    expect(refused.status).toBe(404);
    const deploy = await CASES['deployDefinition']?.({ world, caller, tenant: null });
    if (deploy === undefined) throw new Error('there is one');
    await world.ask(world.caller('admin', null), deploy);
    const done = await ask({ ...START, body: { flow: 'drawn', input: {} } });
    expect(done).toMatchObject({ status: 201, isReplayed: false });
  });

  test('is forgotten after IDEMPOTENCY_MS, and not before', async () => {
    const first = await ask(START);
    now += SERVER_LIMITS.IDEMPOTENCY_MS - 1;
    expect((await ask(START)).body).toEqual(first.body);
    now += 1;
    const later = await ask(START);
    expect([later.status, later.isReplayed]).toEqual([201, false]);
    expect(later.body['id']).not.toBe(first.body['id']);
    expect(await countOf('office')).toBe(2);
  });

  test('changes nothing where doing it again does no harm', async () => {
    const about = { method: 'post', path: '/definitions/validate' };
    const body = { language: 'flowchart', source: '{' };
    for (const other of [body, { ...body, source: '[' }]) {
      expect(await ask({ ...about, body: other })).toMatchObject({
        status: 200,
        isReplayed: false,
      });
    }
  });
});

/** What was done is there, and that it was could not be written down. */
describe('when the answer was lost before it was kept', () => {
  test('a start that is asked again finds what it had begun', async () => {
    lost = 1;
    expect(await ask(START)).toMatchObject({ status: 503, body: { retryable: true } });
    expect(await countOf('office')).toBe(1);
    const again = await ask(START);
    expect(again).toMatchObject({ status: 201, body: { existing: false } });
    expect(await ask(START)).toEqual({ ...again, isReplayed: true });
    expect(await countOf('office')).toBe(1);
  });

  test('a start with a business key does, too, also when it is over by then', async () => {
    const keyed = { ...START, body: { flow: 'waits', input: {}, key: 'order-1' } };
    lost = 1;
    expect((await ask(keyed)).status).toBe(503);
    const [{ id } = { id: '' }] = (await world.engine.list({ flow: 'waits' })).instances;
    await (await world.engine.get(id))?.cancel();
    expect(await ask(keyed)).toMatchObject({ status: 201, body: { id, existing: false } });
    expect(await countOf('waits')).toBe(1);
  });

  test('a message that is published again is the same message', async () => {
    const about = await caseOf('publishMessage');
    lost = 1;
    expect((await ask(about)).status).toBe(503);
    const after = await everythingIn(world.engine);
    const again = await ask(about);
    expect(again).toMatchObject({ status: 202, body: { outcome: 'duplicate' } });
    expect(await everythingIn(world.engine)).toBe(after);
  });

  test.each([
    ...['sendMessage', 'actOnInstance', 'actOnInstances'],
    ...['completeTask', 'decideTask', 'commentTask', 'attachTask', 'updateTask', 'claimTask'],
  ])('%s that is asked again changes nothing more', async (operation) => {
    const about = await caseOf(operation);
    lost = 1;
    expect((await ask(about)).status).toBe(503);
    const after = await everythingIn(world.engine);
    expect((await ask(about)).status).toBeLessThan(300);
    expect(await everythingIn(world.engine)).toBe(after);
  });

  test('a copy that is asked for again is the one that was made', async () => {
    const run = await world.start('waits', 'acme');
    const body = { action: { do: 'rerun', from: 'paid', copy: true, key: 'another' } };
    const about = { method: 'post', path: `/instances/${run.id}/actions`, body };
    lost = 1;
    expect((await ask(about)).status).toBe(503);
    const copies = await countOf('waits');
    expect(copies).toBe(2);
    const again = await ask(about);
    expect(again.status, again.text).toBe(200);
    expect(again.body['instance']).not.toBe(run.id);
    expect(await countOf('waits')).toBe(copies);
  });

  test('by a process that died, it is under way until nobody believes that', async () => {
    // Neither the answer nor that there is none is written down.
    lost = 2;
    expect((await ask(START)).status).toBe(503);
    now += UNDER_WAY_MS - 1;
    expect(await ask(START)).toMatchObject({ body: { code: 'idempotency.under-way' } });
    now += 1;
    const all = await Promise.all(Array.from({ length: 5 }, () => ask(START)));
    const done = all.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ body }) => body['id'])).size).toBe(1);
    expect(await countOf('office')).toBe(1);
  });
});
