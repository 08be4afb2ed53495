/**
 * An engine behind its HTTP API, with two tenants and what is of none, and a key of each role for
 * each of them. Everything that a tenant has carries its mark: whatever shows the mark of another
 * has leaked.
 */
import { onTestFinished } from 'vitest';
import { createEngine, type Engine } from '../runtime/engine.ts';
import type { EngineOptions } from '../runtime/engine-options.ts';
import type { Run } from '../runtime/run.ts';
import type { TaskView } from '../runtime/task-view.ts';
import { type ApiKey, createApiKey } from '../server/access/api-keys.ts';
import { ROLES, type Role } from '../server/access/principal.ts';
import { Api } from '../server/api.ts';
import type { ServerOptions } from '../server/premises.ts';
import { memory } from '../stores/memory/memory.ts';
import { API_FLOWS, type ApiFlow } from './api-flows.ts';
import { Notebook } from './world.ts';

/** Null is of no tenant: of things, those that nobody has; of keys, those in charge of all. */
export type Tenant = 'acme' | 'bolt' | null;

export const TENANTS: readonly Tenant[] = ['acme', 'bolt', null];
const ROLE_NAMES: readonly Role[] = Object.keys(ROLES) as Role[];
/** Every key is of this group, and approvals are for it. */
export const GROUP = 'office';

export function markOf(tenant: Tenant): string {
  return `mark-of-${tenant ?? 'nobody'}-5d1c`;
}

/** The marks that somebody of this tenant may not see. */
export function marksHidden(tenant: Tenant): readonly string[] {
  return tenant === null ? [] : TENANTS.filter((each) => each !== tenant).map(markOf);
}

export interface Caller {
  readonly name: string;
  readonly role: Role | null;
  readonly tenant: Tenant;
  /** Who it is in histories and trails. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Asking {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export class ApiWorld {
  readonly engine: Engine;
  readonly api: Api;
  readonly log: Notebook;
  readonly callers: readonly Caller[];

  /** Not where requests of one tenant use the keys of another. */
  readonly #keysAreMarked: boolean;
  #count = 0;

  constructor(
    { engine, api, log }: { engine: Engine; api: Api; log: Notebook },
    callers: readonly Caller[],
    keysAreMarked: boolean,
  ) {
    this.engine = engine;
    this.api = api;
    this.log = log;
    this.callers = callers;
    this.#keysAreMarked = keysAreMarked;
  }

  caller(role: Role, tenant: Tenant): Caller {
    const found = this.callers.find((each) => each.role === role && each.tenant === tenant);
    if (found === undefined) throw new Error(`there is a key of every role; came ${role}`);
    return found;
  }

  async ask(caller: Caller | null, asking: Asking): Promise<Response> {
    const { method, path, query = '', headers = {}, body } = asking;
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.api.fetch(
      new Request(`http://localhost${path}${query === '' ? '' : `?${query}`}`, {
        method: method.toUpperCase(),
        headers: { host: 'localhost', ...json, ...caller?.headers, ...headers },
        ...(body === undefined ? {} : { body: textOf(body) }),
      }),
    );
  }

  /** An instance with the mark of its tenant in everything that it has. */
  async start(flow: ApiFlow, tenant: Tenant, more: { submitter?: string } = {}): Promise<Run> {
    const options = { key: `key-${this.#keysAreMarked ? markOf(tenant) : ''}-${this.#next()}` };
    const whose = tenant === null ? {} : { tenant };
    return this.engine.start(flow, { secret: markOf(tenant), ...more }, { ...options, ...whose });
  }

  async taskOf(run: Run): Promise<TaskView> {
    const { tasks } = await this.engine.tasks.list({ instance: run.id });
    const [task] = tasks;
    if (task === undefined) throw new Error(`${run.id} has a task`);
    return task;
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

function textOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  return isText ? (body as string) : JSON.stringify(body);
}

export interface ApiWorldOptions {
  readonly server?: ServerOptions;
  readonly engine?: Partial<EngineOptions>;
  /** Business keys have the mark of their tenant, too; they do if not said. */
  readonly keysAreMarked?: boolean;
  /** Beside those of the callers. */
  readonly keys?: readonly ApiKey[];
}

/** Open until the test that is running has ended. */
export async function openApiWorld(options: ApiWorldOptions = {}): Promise<ApiWorld> {
  const log = new Notebook();
  const records: ApiKey[] = [...(options.keys ?? [])];
  const callers = TENANTS.flatMap((tenant) =>
    ROLE_NAMES.map((role) => callerOf(role, tenant, records)),
  );
  const engine = await createEngine({
    ...{ store: memory(), flows: API_FLOWS, worker: false, logger: log },
    ...options.engine,
  });
  const access = { keys: records };
  const api = new Api(engine, { access, rate: false, logger: log, ...options.server });
  onTestFinished(async () => {
    await api.close();
    await engine.close();
  });
  return new ApiWorld({ engine, api, log }, callers, options.keysAreMarked ?? true);
}

function callerOf(role: Role, tenant: Tenant, records: ApiKey[]): Caller {
  const id = `${role}.${tenant ?? 'all'}`;
  const { key, record } = createApiKey({ id, role, tenant, groups: [GROUP] });
  records.push(record);
  return { name: id, role, tenant, id: `key:${id}`, headers: { authorization: `Bearer ${key}` } };
}

/** Everything that a refused request must leave as it was. */
export async function everythingIn(engine: Engine): Promise<string> {
  const runs: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await engine.list({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
    for (const { id } of page.instances) {
      const run = await engine.get(id);
      runs.push({ state: await run?.inspect(), past: await run?.history({ notes: true }) });
    }
    cursor = page.cursor;
  }
  const { now: _, ...backlog } = await engine.backlog();
  const others = await Promise.all([
    ...[engine.schedules.list(), engine.inbox.list({ limit: 1_000 }), engine.flows.list()],
    ...[engine.flows.halts(), engine.outbox.list({ limit: 1_000 }), engine.lanes.list()],
  ]);
  return JSON.stringify({ runs, backlog, others });
}
