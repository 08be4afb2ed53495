/** Requests about what is not there, and with what does not fit where it stands. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openRefusing, type RefusingWorld } from '../testing/api-refusals.ts';
import type { ProblemCode } from './problem.ts';

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const HELD = Buffer.from(JSON.stringify([NOWHERE, 1, 1, 1, 1])).toString('base64url');

let open: RefusingWorld;

beforeEach(async () => {
  open = await openRefusing();
});

type Row = readonly [method: string, path: string, code: ProblemCode, body?: unknown];

/** `ID` stands for an instance that is there. */
async function ask([method, path, code, body]: Row): Promise<void> {
  const [place = '', query = ''] = path.replace('ID', open.id).split('?');
  await open.refused({ method, path: place, query, body }, code);
  await open.unchanged();
}

const DO = `/instances/ID/actions`;

describe('what is not there', () => {
  test.each<Row>([
    ...(
      ['', '/result', '/tokens', '/tokens/3', '/history', '/at/1', '/export', '/events'] as const
    ).map((tail) => ['get', `/instances/${NOWHERE}${tail}`, 'instance.not-found'] as const),
    ['get', '/instances/%00', 'instance.not-found'],
    ['get', '/instances/%E0%A4%A', 'instance.not-found'],
    ['get', '/instances/a%2Fb%3Fc', 'instance.not-found'],
    ['get', '/instances/..%2F..%2Fetc', 'instance.not-found'],
    ['post', `/instances/${NOWHERE}/actions`, 'instance.not-found', { action: { do: 'cancel' } }],
    ['post', `/instances/${NOWHERE}/messages`, 'instance.not-found', { type: 'paid' }],
    ['get', '/instances/ID/tokens/99', 'token.not-found'],
    ['get', '/instances/ID/tokens/999999999999999', 'token.not-found'],
    ['get', '/instances/ID/at/0', 'instance.not-found'],
    ['get', '/instances/ID/at/99', 'instance.not-found'],
    ['get', `/tasks/${NOWHERE}:1`, 'task.not-found'],
    ['get', '/tasks/ID:3', 'task.not-found'],
    ['post', `/tasks/${NOWHERE}:1/claim`, 'task.not-found', {}],
    ['post', '/tasks/ID:3/complete', 'task.not-found', { output: 1 }],
    ['get', '/schedules/none', 'schedule.not-found'],
    ['delete', '/schedules/none', 'schedule.not-found'],
    ['post', '/schedules/none/trigger', 'schedule.not-found'],
    ['post', '/schedules/none/pause', 'schedule.not-found'],
    ['put', '/schedules/new', 'definition.not-found', { flow: 'none', every: '1h' }],
    ['get', '/definitions/none/1', 'definition.not-found'],
    ['get', '/definitions/waits/9', 'definition.not-found'],
    ['get', '/definitions/waits/diff?from=1&to=9', 'definition.not-found'],
    ['post', '/definitions/none/suspend', 'definition.not-found', {}],
    ['post', '/definitions/waits/suspend', 'definition.not-found', { version: 9 }],
    ['post', '/instances', 'definition.not-found', { flow: 'none' }],
    ['post', '/check', 'instance.not-found', { ids: [NOWHERE] }],
    ['post', `/work/${HELD}/extend`, 'work.lost', { worker: 'w' }],
    ['post', `/work/${HELD}/complete`, 'work.lost', { worker: 'w' }],
    ['post', `/work/${HELD}/fail`, 'work.lost', { worker: 'w', error: { message: 'no' } }],
    ['post', DO, 'token.not-found', { action: { do: 'skip', token: 99 } }],
    ['post', DO, 'node.not-found', { action: { do: 'move', token: 3, to: 'nowhere' } }],
    ['post', DO, 'definition.not-found', { action: { do: 'migrate', version: 9 } }],
    ['post', '/hooks/none', 'route.not-found', {}],
    ['get', '/nowhere', 'route.not-found'],
    ['get', '/', 'route.not-found'],
    ['get', '/instances/', 'route.not-found'],
    ['get', '/INSTANCES', 'route.not-found'],
    ['post', '/instances/ID', 'route.method', {}],
  ])('%s %s: %s', async (...row) => ask(row as unknown as Row));
});

test('who may start a flow is not told by a slip which others there are', async () => {
  const request = { method: 'post', path: '/instances', query: '', body: { flow: 'wait' } };
  const { detail, details } = await open.refused(request, 'definition.not-found');
  expect({ detail, details }).toEqual({ detail: 'there is no flow "wait" here' });
});

describe('what does not fit', () => {
  test.each<Row>([
    ['get', `/instances/${'x'.repeat(501)}`, 'request.invalid'],
    ['get', '/instances/ID/tokens/x', 'request.invalid'],
    ['get', '/instances/ID/tokens/-1', 'request.invalid'],
    ['get', '/instances/ID/at/1.5', 'request.invalid'],
    ['get', '/instances/ID/at/1e3', 'request.invalid'],
    ['get', '/instances/ID/history?cursor=x', 'engine.option-invalid'],
    ['get', '/instances/ID/history?limit=0', 'engine.option-invalid'],
    ['get', '/instances/ID/history?limit=1001', 'engine.option-invalid'],
    ['get', '/instances/ID/result?wait=soon', 'duration.invalid'],
    ['get', '/instances/ID/result?wait=61s', 'duration.invalid'],
    ['get', '/instances/ID/result?wait=-1s', 'duration.invalid'],
    ['get', '/tasks/x', 'engine.option-invalid'],
    ['get', '/tasks/ID:0', 'engine.option-invalid'],
    ['get', '/tasks?cursor=x', 'engine.option-invalid'],
    ['get', '/tasks?mine=yes', 'request.invalid'],
    ['get', '/tasks?priority=high', 'request.invalid'],
    ['get', '/messages?cursor=x', 'engine.option-invalid'],
    ['get', '/outbox?cursor=x', 'engine.option-invalid'],
    ['get', '/outbox?status=odd', 'request.invalid'],
    ['get', '/lanes?limit=0', 'engine.option-invalid'],
    ['get', '/definitions/waits/x', 'request.invalid'],
    ['put', '/schedules/new', 'schedule.invalid', { flow: 'waits' }],
    ['put', '/schedules/new', 'schedule.invalid', { flow: 'waits', every: '1h', cron: '@daily' }],
    ['put', '/schedules/new', 'schedule.invalid', { flow: 'waits', cron: '61 * * * *' }],
    ['put', '/schedules/new', 'schedule.invalid', { flow: 'waits', every: 'often' }],
    ['post', '/work/zzz/complete', 'engine.option-invalid', { worker: 'w' }],
    ['post', '/work/W10/extend', 'engine.option-invalid', { worker: 'w' }],
    ['post', '/work/fetch', 'request.invalid', { worker: 'w', handlers: [] }],
    ['post', '/work/fetch', 'engine.option-invalid', { worker: 'w', handlers: ['a'], limit: 101 }],
    ['post', '/work/fetch', 'engine.option-invalid', { worker: 'w', handlers: ['x/$call'] }],
    ['post', '/work/fetch', 'duration.invalid', { worker: 'w', handlers: ['a'], wait: '2m' }],
    ['post', '/work/fetch', 'engine.option-invalid', { worker: 'w', handlers: ['a'], lease: 1 }],
    ['post', '/messages', 'message.invalid', { type: 'paid', key: 'k', ttl: 'long' }],
    ['post', '/prune', 'duration.invalid', { olderThan: 'old' }],
    ['post', DO, 'request.invalid', { action: { do: 'odd' } }],
    ['post', DO, 'request.invalid', { action: { do: 'skip', token: '3' } }],
    ['post', DO, 'variable.reserved', { action: { do: 'set', name: '$x', value: 1 } }],
    ['post', DO, 'operation.refused', { action: { do: 'revive' } }],
    ['post', '/actions', 'engine.option-invalid', { filter: {}, action: { do: 'suspend' } }],
    [
      ...(['post', '/actions', 'engine.option-invalid'] as const),
      { filter: { flow: 'waits' }, action: { do: 'suspend' }, cursor: 'x' },
    ],
    ['post', '/definitions', 'definition.invalid', { language: 'flowchart', source: '{' }],
    ['post', '/definitions', 'definition.invalid', { language: 'serverless', source: 'a: [' }],
    ['post', '/definitions', 'request.invalid', { language: 'bpmn', source: '' }],
  ])('%s %s: %s', async (...row) => ask(row as unknown as Row));
});

describe('a definition', () => {
  test.each(['flowchart', 'serverless'])(
    'of a %s may not be nested without end',
    async (language) => {
      for (const path of ['/definitions', '/definitions/validate']) {
        for (const depth of [10_000, 100_000]) {
          const source = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
          const body = `{"language":"${language}","source":${source}}`;
          await open.refused({ method: 'post', path, body }, 'request.invalid');
        }
      }
      await open.unchanged();
    },
  );

  test('of which something is wrong is told with all that is, and kept by nobody', async () => {
    const source = { id: 'x', version: 0, activities: 7 };
    const asking = { method: 'post', path: '/definitions/validate' };
    const body = { language: 'flowchart', source };
    const response = await open.world.ask(open.admin, { ...asking, body });
    const { ok, diagnostics } = (await response.json()) as {
      readonly ok: boolean;
      readonly diagnostics: readonly object[];
    };
    expect([response.status, ok]).toEqual([200, false]);
    expect(diagnostics.length).toBeGreaterThan(1);
    await open.unchanged();
  });
});

test('where to go on in a stream is what a stream said', async () => {
  for (const last of ['x', '-1', '1.5', ' ', '1e3', '9'.repeat(16)]) {
    const headers = { 'last-event-id': last };
    for (const path of ['/events', `/instances/${open.id}/events`]) {
      const asking = { method: 'get', path, headers };
      const { detail } = await open.refused(asking, 'engine.option-invalid');
      expect(detail).toContain('Last-Event-ID');
    }
  }
});

describe('an Idempotency-Key', () => {
  const asking = { method: 'post', path: '/instances', body: { flow: 'none' } };

  test.each(['', 'x'.repeat(256), 'a b', 'ä'])('cannot be %j', async (key) => {
    const headers = { 'idempotency-key': key };
    const { detail } = await open.refused({ ...asking, headers }, 'request.invalid');
    expect(detail).toContain('255');
  });

  test('is refused where nothing can be done once only', async () => {
    const headers = { 'idempotency-key': 'k' };
    for (const [path, body] of [
      ['/schedules/nightly/trigger', undefined] as const,
      ['/work/fetch', { worker: 'w', handlers: ['a'] }] as const,
    ]) {
      await open.refused({ method: 'post', path, body, headers }, 'idempotency.not-taken');
    }
    await open.unchanged();
  });
});
