/**
 * A walk over the HTTP API: every operation is asked at least once so that it succeeds, in a world
 * where there is something of everything, and whatever was answered is kept to be looked at.
 */
import { createHmac } from 'node:crypto';
import type { Method } from '../server/route.ts';
import { ROUTES } from '../server/routes.ts';
import type { WebhookSource } from '../server/webhooks.ts';
import { type ApiWorld, openApiWorld } from './api-world.ts';

export interface Answered {
  readonly operation: string;
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly body: unknown;
}

interface Step {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const SECRET = 'a secret of sixteen characters';
const WEBHOOKS: Readonly<Record<string, WebhookSource>> = {
  code: { scheme: 'github', secret: SECRET },
};
const WORKER = 'worker-1';

class Walk {
  readonly answers: Answered[] = [];
  readonly #world: ApiWorld;

  constructor(world: ApiWorld) {
    this.#world = world;
  }

  /** Asks as somebody in charge of all who belongs to the office; what it is answered is kept. */
  async ask(operation: string, step: Step = {}): Promise<Answered> {
    const route = ROUTES.find((each) => each.operation === operation);
    if (route === undefined) throw new Error(`there is an operation ${operation}`);
    const path = filled(route.path, step.params ?? {});
    const response = await this.#world.ask(this.#world.caller('admin', null), {
      method: route.method satisfies Method,
      path,
      ...(step.query === undefined ? {} : { query: step.query }),
      ...(step.body === undefined ? {} : { body: step.body }),
      headers: step.headers ?? {},
    });
    const answered = await keep(operation, response);
    this.answers.push(answered);
    return answered;
  }
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return encodeURIComponent(params[name] ?? '');
  });
}

async function keep(operation: string, response: Response): Promise<Answered> {
  const { status, headers } = response;
  const type = headers.get('content-type')?.split(';')[0] ?? null;
  const body = type === 'text/event-stream' ? await firstOf(response) : await response.text();
  const isJson = type?.endsWith('json') === true;
  return { operation, status, type, headers, body: isJson ? JSON.parse(body) : body };
}

/** A stream of events has no end; the first thing it says is enough. */
async function firstOf({ body }: Response): Promise<string> {
  for await (const chunk of body ?? []) return new TextDecoder().decode(chunk);
  return '';
}

export async function walkEverything(): Promise<readonly Answered[]> {
  const world = await openApiWorld({ server: { webhooks: WEBHOOKS } });
  const walk = new Walk(world);
  await walkDefinitions(walk);
  await walkInstances(walk, world);
  await walkActions(walk, world);
  await walkTasks(walk, world);
  await walkMessages(walk, world);
  await walkSchedules(walk);
  await walkWork(walk, world);
  await walkStore(walk, world);
  return walk.answers;
}

async function walkDefinitions(walk: Walk): Promise<void> {
  const text = (greeting: string): string =>
    JSON.stringify({
      document: { dsl: '1.0.3', namespace: 'walk', name: 'hello', version: '0.1.0' },
      do: [{ greet: { set: { greeting } } }],
    });
  const hello = { language: 'serverless', source: text('hello') };
  await walk.ask('validateDefinition', { body: hello });
  await walk.ask('validateDefinition', { body: { language: 'serverless', source: 'do: 1' } });
  await walk.ask('deployDefinition', { body: hello });
  await walk.ask('deployDefinition', { body: { language: 'serverless', source: 'do: 1' } });
  await walk.ask('listDefinitions');
  const one = { name: 'waits', version: '1' };
  await walk.ask('getDefinition', { params: one });
  await walk.ask('getDefinition', { params: { ...one, version: '9' } });
  await walk.ask('diffDefinitions', { params: { name: 'waits' }, query: 'from=1&to=1' });
  await walk.ask('suspendDefinition', { params: { name: 'waits' }, body: { dryRun: true } });
  await walk.ask('suspendDefinition', { params: { name: 'line' }, body: { reason: 'a look' } });
  await walk.ask('listHalts');
  await walk.ask('resumeDefinition', { params: { name: 'line' }, body: {} });
}

async function walkInstances(walk: Walk, world: ApiWorld): Promise<void> {
  const order = { flow: 'waits', input: { secret: 'none' }, key: 'walk-1' };
  const headers = { 'idempotency-key': 'walk-1' };
  await walk.ask('startInstance', { body: order, headers });
  const { body } = await walk.ask('startInstance', { body: order, headers });
  await walk.ask('startInstance', { body: order });
  await walk.ask('startInstance', { body: { ...order, onConflict: 'existing' } });
  await walk.ask('startInstance', { body: { flow: 'nobody' } });
  await walk.ask('startInstance', { body: { flow: 7, odd: true } });
  await walk.ask('startInstance', { body: '{', headers: { 'content-type': 'text/plain' } });
  const { id } = body as { readonly id: string };
  const params = { id };
  await walk.ask('listInstances', { query: 'flow=waits&status=waiting&status=failed&limit=1' });
  await walk.ask('tallyInstances', { query: 'flow=waits' });
  await walk.ask('getInstance', { params });
  await walk.ask('getInstance', { params: { id: 'nobody' } });
  await walk.ask('getResult', { params, query: 'wait=1ms' });
  const { body: tokens } = await walk.ask('listTokens', { params });
  const [token] = (tokens as { readonly tokens: readonly { readonly id: number }[] }).tokens;
  await walk.ask('getToken', { params: { id, token: String(token?.id) } });
  await walk.ask('listHistory', { params });
  await walk.ask('listHistory', { params, query: 'notes=true' });
  await walk.ask('getInstanceAt', { params: { id, n: '1' } });
  await walk.ask('exportInstance', { params });
  await walk.ask('followInstance', { params });
  await walk.ask('followInstances', { query: 'flow=waits' });
  await world.engine.publish({ type: 'paid', key: 'walk-1' });
  await walk.ask('getResult', { params });
}

async function walkActions(walk: Walk, world: ApiWorld): Promise<void> {
  const { id } = await world.start('waits', null);
  const params = { id };
  const action = { do: 'suspend' };
  await walk.ask('previewAction', { params, body: { action } });
  await walk.ask('actOnInstance', { params, body: { action, actor: 'ada', reason: 'a look' } });
  await walk.ask('actOnInstance', { params, body: { action: { do: 'revive' } } });
  const filter = { flow: 'waits', status: 'suspended' };
  await walk.ask('actOnInstances', { body: { filter, action: { do: 'resume' }, dryRun: true } });
  await walk.ask('actOnInstances', { body: { filter, action: { do: 'revive' } } });
}

async function walkTasks(walk: Walk, world: ApiWorld): Promise<void> {
  const { id } = await world.taskOf(await world.start('office', null));
  const params = { id };
  await walk.ask('listTasks', { query: 'mine=true&kind=task&order=due' });
  await walk.ask('getTask', { params });
  await walk.ask('claimTask', { params, body: {} });
  await walk.ask('unclaimTask', { params, body: {} });
  await walk.ask('reassignTask', { params, body: { to: 'ann', override: true } });
  await walk.ask('delegateTask', { params, body: { to: 'bob', actor: 'ann' } });
  await walk.ask('commentTask', { params, body: { comment: 'hm' } });
  const attachment = { name: 'a form', url: 'https://example.com/form' };
  await walk.ask('attachTask', { params, body: { attachment, override: true } });
  await walk.ask('updateTask', { params, body: { priority: 9, due: null, override: true } });
  await walk.ask('completeTask', { params, body: { actor: 'eve' } });
  await walk.ask('completeTask', { params, body: { output: { fine: true }, override: true } });
  await walk.ask('getTask', { params });
  const asked = await world.start('board', null, { submitter: 'sue' });
  const release = { params: { id: (await world.taskOf(asked)).id } };
  const decision = (word: string) => ({ ...release, body: { decision: word, groups: ['office'] } });
  await walk.ask('decideTask', { ...release, body: { decision: 'perhaps' } });
  await walk.ask('decideTask', {
    ...release,
    body: { ...WHO, decision: 'revise', comment: 'why' },
  });
  await walk.ask('resubmitTask', { ...release, body: { actor: 'sue', data: 'because' } });
  await walk.ask('decideTask', decision('approve'));
  const again = await world.taskOf(await world.start('board', null, { submitter: 'sue' }));
  await walk.ask('recallTask', { params: { id: again.id }, body: { actor: 'sue' } });
}

const WHO = { actor: 'olga', groups: ['office'] };

async function walkMessages(walk: Walk, world: ApiWorld): Promise<void> {
  const { id } = await world.start('waits', null);
  const headers = { 'idempotency-key': 'walk-2' };
  await walk.ask('publishMessage', { body: { type: 'early', key: 'k', ttl: '1h' }, headers });
  await walk.ask('publishMessage', { body: { type: 'other', key: 'k' }, headers });
  const event = { specversion: '1.0', type: 'seen', source: '/walk', id: 'e1', data: 1 };
  await walk.ask('publishMessage', { body: event });
  await walk.ask('sendMessage', { params: { id }, body: { type: 'paid', data: 7 } });
  await walk.ask('listMessages', { query: 'type=early' });
  const text = JSON.stringify({ action: 'opened' });
  const mac = createHmac('sha256', SECRET).update(text).digest('hex');
  const signed = {
    'content-type': 'application/json',
    'x-github-delivery': 'd-1',
    'x-hub-signature-256': `sha256=${mac}`,
  };
  await walk.ask('receiveWebhook', { params: { name: 'code' }, body: text, headers: signed });
  await walk.ask('receiveWebhook', { params: { name: 'code' }, body: text, headers: signed });
  await walk.ask('receiveWebhook', { params: { name: 'code' }, body: text });
}

async function walkSchedules(walk: Walk): Promise<void> {
  const params = { name: 'nightly' };
  const body = { flow: 'waits', cron: '0 3 * * *', input: { secret: 'none' } };
  await walk.ask('getSchedule', { params });
  await walk.ask('putSchedule', { params, body });
  await walk.ask('putSchedule', { params, body: { flow: 'waits' } });
  await walk.ask('getSchedule', { params });
  await walk.ask('pauseSchedule', { params });
  await walk.ask('resumeSchedule', { params });
  await walk.ask('triggerSchedule', { params });
  await walk.ask('triggerSchedule', { params, headers: { 'idempotency-key': 'walk-3' } });
  await walk.ask('listSchedules');
  await walk.ask('removeSchedule', { params });
}

async function walkWork(walk: Walk, world: ApiWorld): Promise<void> {
  await world.start('job', null);
  await world.start('job', null);
  const { body } = await walk.ask('fetchWork', {
    body: { worker: WORKER, handlers: ['job/work'], limit: 2, lease: '1m' },
  });
  const { assignments } = body as { readonly assignments: readonly { readonly id: string }[] };
  const [one, other] = assignments.map(({ id }) => ({ params: { id } }));
  await walk.ask('extendWork', { ...one, body: { worker: WORKER, lease: '2m' } });
  await walk.ask('completeWork', { ...one, body: { worker: WORKER, result: { fine: true } } });
  await walk.ask('completeWork', { ...other, body: { worker: 'nobody' } });
  await walk.ask('failWork', { ...other, body: { worker: WORKER, error: { message: 'no' } } });
}

async function walkStore(walk: Walk, world: ApiWorld): Promise<void> {
  await walk.ask('listOutbox', { query: 'status=dead' });
  await walk.ask('requeueLetters', { body: { ids: ['nobody'] } });
  for (const operation of ['listLanes', 'listWorkers', 'getBacklog']) await walk.ask(operation);
  const { id } = await world.start('waits', null);
  await walk.ask('check', { body: { ids: [id] } });
  await walk.ask('prune', { body: { olderThan: '1d', dryRun: true } });
  for (const operation of ['isAlive', 'isReady', 'getMetrics', 'getDocument']) {
    await walk.ask(operation);
  }
}
