/**
 * A request for every route there is, about something of one tenant: what the matrix of who may do
 * what asks, and what fuzzed requests begin as. Whatever it takes to make it a good request (a task
 * that is claimed, work that is held) is there when it is asked.
 */
import { createHmac } from 'node:crypto';
import type { Run } from '../runtime/run.ts';
import type { ApiFlow } from './api-flows.ts';
import {
  type ApiWorld,
  type Asking,
  type Caller,
  GROUP,
  markOf,
  type Tenant,
} from './api-world.ts';

/** Who asks, and whose it is about. */
export interface Setting {
  readonly world: ApiWorld;
  readonly caller: Caller;
  readonly tenant: Tenant;
}

export interface Case extends Asking {
  /** The instance it is about, if it is about one. */
  readonly run?: Run;
}

type Make = (setting: Setting) => Promise<Case>;

const WORKER = 'w1';
export const HOOK_SECRET: string = 'a secret of sixteen and more';

const get =
  (path: string, query = ''): Make =>
  async () => ({ method: 'get', path, query });

const post =
  (path: string, body: unknown): Make =>
  async () => ({ method: 'post', path, body });

/** About an instance that waits for a message. */
const ofRun =
  (tail: string, body?: unknown, method = body === undefined ? 'get' : 'post'): Make =>
  async ({ world, tenant }) => {
    const run = await world.start('waits', tenant);
    return { run, method, path: `/instances/${run.id}${tail}`, body };
  };

interface Deed {
  readonly of?: ApiFlow;
  readonly body?: unknown;
  /** What was done with the task before, by whoever asks. */
  readonly before?: 'claim' | 'revise';
}

const ofTask =
  (verb: string, { of = 'office', body = {}, before }: Deed = {}): Make =>
  async ({ world, tenant, caller }) => {
    const run = await world.start(of, tenant, { submitter: caller.id });
    const { id } = await world.taskOf(run);
    const who = { actor: caller.id, groups: [GROUP] };
    if (before === 'claim') await world.engine.tasks.claim(id, who);
    if (before === 'revise') await world.engine.tasks.decide(id, { ...who, decision: 'revise' });
    const path = `/tasks/${encodeURIComponent(id)}`;
    return verb === ''
      ? { run, method: 'get', path }
      : { run, method: 'post', path: `${path}/${verb}`, body };
  };

/** What stands before it in the queue is fetched first, and is the worker's as well. */
const FETCHES_MAX = 100;

/** The id of an assignment of that instance, held by this worker. */
async function hold(world: ApiWorld, run: Run, tenant: Tenant, worker: string): Promise<string> {
  const whose = tenant === null ? {} : { tenant };
  for (let tries = 0; tries < FETCHES_MAX; tries += 1) {
    const request = { worker, handlers: ['job/work'], limit: 100, ...whose };
    const all = await world.engine.work.fetch(request);
    const held = all.find(({ instance }) => instance === run.id);
    if (held !== undefined) return held.id;
  }
  throw new Error('what was just started can be fetched');
}

/** Held in the very name that the caller has, so that only whose it is keeps them from it. */
const ofWork =
  (verb: string, body: object): Make =>
  async ({ world, tenant, caller }) => {
    const run = await world.start('job', tenant);
    const held = await hold(world, run, tenant, `${caller.id}/${WORKER}`);
    return {
      ...{ run, method: 'post', path: `/work/${held}/${verb}` },
      body: { worker: WORKER, ...body },
    };
  };

let schedules = 0;
const ofSchedule =
  (method: string, tail = '', body?: unknown): Make =>
  async ({ world }) => {
    schedules += 1;
    const name = `nightly-${schedules}`;
    await world.engine.schedule(name, { flow: 'waits', every: '1h', input: { secret: 'x' } });
    return { method, path: `/schedules/${name}${tail}`, body };
  };

const CHART = {
  language: 'flowchart',
  source: { id: 'drawn', version: 1, activities: [{ id: 'look', type: 'look' }], connections: [] },
};

let hooks = 0;
const hook: Make = async () => {
  hooks += 1;
  const body = JSON.stringify({ hook: hooks });
  const mac = createHmac('sha256', HOOK_SECRET).update(body).digest('hex');
  const headers = { 'x-github-delivery': `d-${hooks}`, 'x-hub-signature-256': `sha256=${mac}` };
  return { method: 'post', path: '/hooks/forge', headers, body };
};

async function keyed(world: ApiWorld, tenant: Tenant): Promise<{ run: Run; key: string }> {
  const run = await world.start('waits', tenant);
  return { run, key: (await run.inspect()).key ?? '' };
}

const list =
  (path: string): Make =>
  async ({ world, tenant }) => {
    const { run, key } = await keyed(world, tenant);
    const query = new URLSearchParams({ key, ...(tenant === null ? {} : { tenant }) });
    return { run, method: 'get', path, query: query.toString() };
  };

const start: Make = async ({ world, tenant, caller }) => {
  const { run, key } = await keyed(world, tenant);
  // The same key is theirs to use, unless it is their own.
  const same = caller.tenant === tenant ? {} : { key };
  const body = { flow: 'waits', input: { secret: markOf(caller.tenant) }, ...same };
  return { run, method: 'post', path: '/instances', body };
};

const publish: Make = async ({ world, tenant, caller }) => {
  const { run, key } = await keyed(world, tenant);
  const body = { type: 'paid', key, data: markOf(caller.tenant) };
  return { run, method: 'post', path: '/messages', body };
};

const bulk: Make = async ({ world, tenant }) => {
  const { run, key } = await keyed(world, tenant);
  const filter = { key, ...(tenant === null ? {} : { tenant }) };
  return { run, method: 'post', path: '/actions', body: { filter, action: { do: 'suspend' } } };
};

const fetchWork: Make = async ({ world, tenant }) => {
  const run = await world.start('job', tenant);
  const body = { worker: WORKER, handlers: ['job/work'], limit: 100 };
  return { run, method: 'post', path: '/work/fetch', body };
};

const check: Make = async ({ world, tenant }) => {
  const run = await world.start('waits', tenant);
  return { run, method: 'post', path: '/check', body: { ids: [run.id] } };
};

const putSchedule: Make = async () => {
  const body = { flow: 'waits', every: '1h', input: { secret: 'x' } };
  return { method: 'put', path: '/schedules/nightly', body };
};

const LINK = { name: 'notes', url: 'https://example.com/notes' };

/** By operation. */
export const CASES: Readonly<Record<string, Make>> = {
  listDefinitions: get('/definitions'),
  diffDefinitions: get('/definitions/waits/diff', 'from=1&to=1'),
  getDefinition: get('/definitions/waits/1'),
  deployDefinition: post('/definitions', CHART),
  validateDefinition: post('/definitions/validate', CHART),
  listHalts: get('/halts'),
  suspendDefinition: post('/definitions/chart/suspend', { reason: 'a test' }),
  resumeDefinition: post('/definitions/chart/resume', {}),

  startInstance: start,
  listInstances: list('/instances'),
  tallyInstances: get('/instances/tally', 'flow=waits'),
  getInstance: ofRun(''),
  getResult: ofRun('/result'),
  listTokens: ofRun('/tokens'),
  getToken: ofRun('/tokens/3'),
  listHistory: ofRun('/history'),
  getInstanceAt: ofRun('/at/1'),
  exportInstance: ofRun('/export'),
  actOnInstance: ofRun('/actions', { action: { do: 'suspend' } }),
  previewAction: ofRun('/actions/preview', { action: { do: 'cancel' } }),
  actOnInstances: bulk,
  followInstance: ofRun('/events'),
  followInstances: list('/events'),

  listTasks: list('/tasks'),
  getTask: ofTask(''),
  claimTask: ofTask('claim'),
  unclaimTask: ofTask('unclaim', { before: 'claim' }),
  delegateTask: ofTask('delegate', { before: 'claim', body: { to: 'ann' } }),
  reassignTask: ofTask('reassign', { body: { to: 'ann' } }),
  commentTask: ofTask('comment', { body: { comment: 'soon' } }),
  attachTask: ofTask('attach', { body: { attachment: LINK } }),
  updateTask: ofTask('update', { body: { priority: 7 } }),
  completeTask: ofTask('complete', { body: { output: { ok: true } } }),
  decideTask: ofTask('decide', { of: 'board', body: { decision: 'approve' } }),
  resubmitTask: ofTask('resubmit', { of: 'board', before: 'revise', body: { data: 'again' } }),
  recallTask: ofTask('recall', { of: 'board' }),

  publishMessage: publish,
  sendMessage: ofRun('/messages', { type: 'paid', data: 'by hand' }),
  listMessages: get('/messages'),
  receiveWebhook: hook,

  listSchedules: get('/schedules'),
  getSchedule: ofSchedule('get'),
  putSchedule,
  removeSchedule: ofSchedule('delete'),
  triggerSchedule: ofSchedule('post', '/trigger'),
  pauseSchedule: ofSchedule('post', '/pause'),
  resumeSchedule: ofSchedule('post', '/resume'),

  fetchWork,
  extendWork: ofWork('extend', { lease: '10s' }),
  completeWork: ofWork('complete', { result: { done: true } }),
  failWork: ofWork('fail', { error: { message: 'no' } }),

  listOutbox: get('/outbox'),
  requeueLetters: post('/outbox/requeue', { ids: ['nothing'] }),
  listLanes: get('/lanes'),
  listWorkers: get('/workers'),
  getBacklog: get('/backlog'),
  prune: post('/prune', { olderThan: '365d' }),
  check,

  isAlive: get('/health/live'),
  isReady: get('/health/ready'),
  getMetrics: get('/metrics'),
  getDocument: get('/openapi.json'),
};
