/**
 * The API as remote workers see it, without an engine behind it: a test puts work there, and says
 * what each request is answered. Whatever was asked is kept.
 */
import type { Assigned } from '../client/step.ts';
import { type LocalAnswer, startHttpServer } from './http-server.ts';

export interface Asked {
  /** `fetch`, `extend`, `complete` or `fail`. */
  readonly verb: string;
  /** Of the work; empty for a fetch. */
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Undefined for what is usual: work if there is some, and that all is well. */
export type Saying = (asked: Asked) => LocalAnswer | 'hang up' | undefined;

export interface WorkDesk {
  readonly url: string;
  readonly asked: readonly Asked[];
  put(work: Partial<Assigned>): void;
  /** The first request that fits, made already or still to come. */
  saw(fits: (asked: Asked) => boolean): Promise<Asked>;
  close(): Promise<void>;
}

export async function openDesk(saying: Saying = () => undefined): Promise<WorkDesk> {
  const asked: Asked[] = [];
  const waiting: Assigned[] = [];
  const listeners = new Set<() => void>();
  const change = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const until = <Value>(find: () => Value | undefined): Promise<Value> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  const server = await startHttpServer(async ({ path, body, headers }, response) => {
    const [, , id = '', verb = ''] = path.split('/');
    const isFetch = path === '/work/fetch';
    const request = { verb: isFetch ? 'fetch' : verb, id: isFetch ? '' : id, headers };
    const one: Asked = { ...request, body: JSON.parse(body) as Asked['body'] };
    asked.push(one);
    change();
    const said = saying(one);
    if (said === 'hang up') response.destroy();
    if (said !== undefined) return said === 'hang up' ? {} : said;
    if (verb === 'extend') return { body: '{"until":1}' };
    if (!isFetch) return { status: 204 };
    await until(() => waiting[0]);
    const assignments = waiting.splice(0, Number(one.body['limit']));
    return { body: JSON.stringify({ assignments }) };
  });
  return {
    ...{ url: server.url, asked, close: () => server.close() },
    put: (work) => {
      waiting.push({ ...USUAL, ...work });
      change();
    },
    saw: (fits) => until(() => asked.find(fits)),
  };
}

export function problem(status: number, code: string, details: object = {}): LocalAnswer {
  const body = JSON.stringify({ code, detail: `it is ${code}`, details });
  return { status, body, headers: { 'content-type': 'application/problem+json' } };
}

const USUAL: Assigned = {
  ...{ id: 'w-1', instance: 'i-1', token: 1, flow: 'order', version: 1, node: 'charge' },
  ...{ key: null, tenant: null, handler: 'order@1/charge', type: 'charge', attempt: 1 },
  ...{ idempotencyKey: 'i-1/1/1', wake: { reason: 'first', payload: null }, event: null },
  ...{ input: { amount: 12 }, results: {}, vars: {}, item: null, index: null, until: 1 },
};
