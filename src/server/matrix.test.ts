/**
 * Who may do what, asked of the whole server: every route, by everybody, about what is theirs, what
 * is another tenant's and what is nobody's. What is expected stands here as data, written by hand:
 * it is not read off the policies, so that a change of one shows.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { CASES, type Case, HOOK_SECRET } from '../testing/api-cases.ts';
import {
  type ApiWorld,
  type Caller,
  everythingIn,
  markOf,
  marksHidden,
  openApiWorld,
  type Tenant,
} from '../testing/api-world.ts';
import { createApiKey } from './access/api-keys.ts';
import type { Role } from './access/principal.ts';
import { PROBLEM_TYPE, type Problem } from './problem.ts';
import { ROUTES } from './routes.ts';

const READ: readonly Role[] = ['viewer', 'starter', 'person', 'operator', 'admin'];
const START: readonly Role[] = ['starter', 'operator', 'admin'];
const PUBLISH: readonly Role[] = ['starter', 'operator', 'admin'];
const TASKS: readonly Role[] = ['person', 'operator', 'admin'];
const OPERATE: readonly Role[] = ['operator', 'admin'];
const SCHEDULE: readonly Role[] = ['operator', 'admin'];
const METRICS: readonly Role[] = ['operator', 'admin'];
const WORK: readonly Role[] = ['worker', 'admin'];
const ADMIN: readonly Role[] = ['admin'];

interface Row {
  readonly roles: readonly Role[];
  /** Theirs alone; everybody's to look at; only for who is in charge of all; for anyone at all. */
  readonly whose: 'own' | 'shared' | 'all' | 'anyone';
  readonly good: number;
  /** What somebody of another tenant is told. */
  readonly strange: number;
}

const own = (roles: readonly Role[], good = 200, strange = 404): Row => ({
  ...{ roles, whose: 'own', good, strange },
});
/** It finds what is theirs, and so nothing of what it was asked about. */
const found = (roles: readonly Role[], good = 200): Row => own(roles, good, good);
const deed: Row = own(TASKS, 204);
const lost = (good: number): Row => own(WORK, good, 409);
const shared = (roles: readonly Role[]): Row => ({
  ...{ roles, whose: 'shared', good: 200, strange: 200 },
});
const all = (roles: readonly Role[], good = 200): Row => ({
  ...{ roles, whose: 'all', good, strange: 403 },
});
const anyone = (good = 200): Row => ({ roles: [], whose: 'anyone', good, strange: good });

/** By operation: who may, and what they are told. */
const EXPECTED: Readonly<Record<string, Row>> = {
  listDefinitions: shared(READ),
  diffDefinitions: shared(READ),
  getDefinition: shared(READ),
  validateDefinition: shared(READ),
  deployDefinition: all(ADMIN, 201),
  listHalts: all(READ),
  suspendDefinition: all(ADMIN),
  resumeDefinition: all(ADMIN),

  startInstance: found(START, 201),
  listInstances: found(READ),
  tallyInstances: found(READ),
  getInstance: own(READ),
  getResult: own(READ, 202),
  listTokens: own(READ),
  getToken: own(READ),
  listHistory: own(READ),
  getInstanceAt: own(READ),
  exportInstance: own(READ),
  followInstance: own(READ),
  followInstances: found(READ),
  actOnInstance: own(OPERATE),
  previewAction: own(OPERATE),
  actOnInstances: found(OPERATE),

  listTasks: found(READ),
  getTask: own(READ),
  claimTask: deed,
  unclaimTask: deed,
  delegateTask: deed,
  reassignTask: deed,
  commentTask: deed,
  attachTask: deed,
  updateTask: deed,
  completeTask: deed,
  decideTask: deed,
  resubmitTask: deed,
  recallTask: deed,

  publishMessage: found(PUBLISH, 202),
  sendMessage: own(PUBLISH, 202),
  listMessages: all(READ),
  receiveWebhook: anyone(202),

  listSchedules: all(READ),
  getSchedule: all(READ),
  putSchedule: all(SCHEDULE),
  removeSchedule: all(SCHEDULE, 204),
  triggerSchedule: all(SCHEDULE, 201),
  pauseSchedule: all(SCHEDULE),
  resumeSchedule: all(SCHEDULE),

  fetchWork: found(WORK),
  extendWork: lost(200),
  completeWork: lost(204),
  failWork: lost(204),

  listOutbox: all(READ),
  requeueLetters: all(ADMIN),
  listLanes: all(READ),
  listWorkers: all(READ),
  getBacklog: all(METRICS),
  prune: all(ADMIN),
  check: all(ADMIN),

  isAlive: anyone(),
  isReady: anyone(),
  getMetrics: all(METRICS),
  getDocument: shared(READ),
};

/** What this caller is told of something of this tenant's. */
function expectedOf(row: Row, caller: Caller, tenant: Tenant): number {
  if (STRANGERS.includes(caller.name)) return 401;
  if (row.whose === 'anyone') return row.good;
  if (caller.role === null) return 401;
  if (!row.roles.includes(caller.role)) return 403;
  if (caller.tenant === null || row.whose === 'shared') return row.good;
  if (row.whose === 'all') return 403;
  return caller.tenant === tenant ? row.good : row.strange;
}

const NOBODY: Caller = { name: 'no key', role: null, tenant: null, id: 'nobody', headers: {} };
/** They sent a credential that is none, and are told so wherever they go. */
const STRANGERS: readonly string[] = ['an expired key', 'an unknown key', 'a key with a typo'];

const expired = createApiKey({ id: 'expired', role: 'admin' });
const unknown = createApiKey({ id: 'unknown', role: 'admin' });

function strangers(): readonly Caller[] {
  const texts = [expired.key, unknown.key, `${expired.key.slice(0, -1)}_`];
  return texts.map((key, index) => ({
    ...{ name: STRANGERS[index] ?? '', role: null, tenant: null, id: 'nobody' },
    headers: { authorization: `Bearer ${key}` },
  }));
}

let world: ApiWorld;
let callers: readonly Caller[];

beforeEach(async () => {
  const gone = { ...expired.record, expiresAt: 1 };
  const webhooks = { forge: { scheme: 'github', secret: HOOK_SECRET } } as const;
  world = await openApiWorld({ server: { webhooks }, keys: [gone] });
  callers = [...world.callers, NOBODY, ...strangers()];
});

/** Of a stream, what it begins with. */
async function textIn(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

function checkProblem(response: Response, text: string): Problem {
  expect(response.headers.get('content-type')).toBe(PROBLEM_TYPE);
  const problem = JSON.parse(text) as Problem;
  expect(problem).toMatchObject({ status: response.status, code: expect.any(String) });
  expect(problem.detail).not.toBe('');
  return problem;
}

interface Question {
  readonly operation: string;
  readonly caller: Caller;
  readonly tenant: Tenant;
  readonly status: number;
}

/** Each with everybody, about something of each of these tenants. */
function questions(tenants: readonly Tenant[]): readonly Question[] {
  return ROUTES.flatMap(({ operation }) => {
    const row = EXPECTED[operation];
    if (row === undefined) throw new Error(`it is not said who may do ${operation}`);
    return tenants.flatMap((tenant) =>
      callers.map((caller) => {
        return { operation, caller, tenant, status: expectedOf(row, caller, tenant) };
      }),
    );
  });
}

function caseOf({ operation, caller, tenant }: Question): Promise<Case> {
  const make = CASES[operation];
  if (make === undefined) throw new Error(`there is no request for ${operation}`);
  return make({ world, caller, tenant });
}

const told = ({ operation, caller, tenant, status }: Question): string =>
  `${operation} by ${caller.name} of ${tenant ?? 'nobody'}'s: ${status}`;

test('of every route it is said who may take it, and of nothing else', () => {
  const operations = ROUTES.map(({ operation }) => operation).toSorted();
  expect(Object.keys(EXPECTED).toSorted()).toEqual(operations);
  expect(Object.keys(CASES).toSorted()).toEqual(operations);
});

describe('whoever asks for whatever', () => {
  test('and may not, is refused as it is said, sees nothing, and changes nothing', async () => {
    const refused = questions(['acme', null]).filter(({ status }) => status >= 400);
    const asked = [];
    for (const question of refused) asked.push({ question, about: await caseOf(question) });
    const before = await everythingIn(world.engine);
    for (const { question, about } of asked) {
      const response = await world.ask(question.caller, about);
      const text = await textIn(response);
      expect(response.status, `${told(question)}; came ${text}`).toBe(question.status);
      checkProblem(response, text);
      for (const tenant of ['acme', 'bolt', null] as const) {
        expect(text, told(question)).not.toContain(markOf(tenant));
      }
    }
    expect(asked.length).toBeGreaterThan(1_000);
    expect(await everythingIn(world.engine)).toBe(before);
  });

  test('and may, is given what is theirs, and nothing of anybody else', async () => {
    for (const question of questions(['acme'])) {
      if (question.status >= 400) continue;
      const about = await caseOf(question);
      const isStrange = ![null, 'acme'].includes(question.caller.tenant);
      const before = isStrange ? await about.run?.history({ notes: true }) : undefined;
      const response = await world.ask(question.caller, about);
      const text = await textIn(response);
      expect(response.status, `${told(question)}; came ${text}`).toBe(question.status);
      for (const mark of marksHidden(question.caller.tenant)) {
        expect(text, told(question)).not.toContain(mark);
      }
      if (!isStrange || about.run === undefined) continue;
      expect(text, told(question)).not.toContain(about.run.id);
      expect(await about.run.history({ notes: true }), told(question)).toEqual(before);
    }
  });
});

const NOWHERE = '01890000-0000-7000-8000-000000000000';

/** What a text says, about an instance that nobody has. */
function elsewhere(text: string, id: string): string {
  const held = /[\w-]{60,}/.exec(text)?.[0];
  if (held === undefined) return text.replaceAll(id, NOWHERE);
  const [, ...rest] = JSON.parse(Buffer.from(held, 'base64url').toString()) as unknown[];
  const nowhere = Buffer.from(JSON.stringify([NOWHERE, ...rest])).toString('base64url');
  return text.replaceAll(id, NOWHERE).replaceAll(held, nowhere);
}

test('what another tenant has looks just like what is not there', async () => {
  const caller = world.caller('admin', 'bolt');
  for (const [operation, { whose, good, strange }] of Object.entries(EXPECTED)) {
    if (whose !== 'own' || good === strange) continue;
    const theirs = await caseOf({ operation, caller, tenant: 'acme', status: strange });
    const id = theirs.run?.id ?? '';
    const nothing = { ...theirs, path: elsewhere(theirs.path, id) };
    const problems: string[] = [];
    for (const about of [theirs, nothing]) {
      const response = await world.ask(caller, about);
      const text = await response.text();
      checkProblem(response, text);
      problems.push(elsewhere(text, id));
    }
    expect(nothing.path).not.toBe(theirs.path);
    expect(problems[0], operation).toBe(problems[1]);
  }
});
