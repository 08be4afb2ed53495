/** Whether the server is alive and of use, what it has measured, and what it can be asked. */
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { ANYONE, all, shared } from '../access/policy.ts';
import { type Route, route } from '../route.ts';

const STATE = z.object({ status: z.string() });
/** A database that has not answered by then is of no use to anybody who asks. */
const READY_MS_MAX = 5_000;

const live = route({
  method: 'get',
  path: '/health/live',
  operation: 'isAlive',
  tag: 'server',
  summary: 'Whether the process answers. Asks nobody else.',
  policy: ANYONE,
  answers: { 200: { means: 'it does', body: STATE } },
  async handle() {
    return { body: { status: 'alive' } };
  },
});

const ready = route({
  method: 'get',
  path: '/health/ready',
  operation: 'isReady',
  tag: 'server',
  summary: 'Whether the database answers, and so requests can be served.',
  policy: ANYONE,
  answers: { 200: { means: 'it does', body: STATE }, 503: { means: 'it does not', body: STATE } },
  async handle({ engine }) {
    const isReady = await within(READY_MS_MAX, async () => engine.backlog());
    return isReady ? { body: { status: 'ready' } } : { status: 503, body: { status: 'not ready' } };
  },
});

/** Why it does not answer is for the log and for doctors, and not for anyone who asks. */
async function within(ms: number, ask: () => Promise<unknown>): Promise<boolean> {
  const ending = new AbortController();
  const late = setTimeout(ms, false, { signal: ending.signal, ref: false });
  late.catch(() => {});
  try {
    return await Promise.race([ask().then(() => true), late]);
  } catch {
    return false;
  } finally {
    ending.abort();
  }
}

const metrics = route({
  method: 'get',
  path: '/metrics',
  operation: 'getMetrics',
  tag: 'server',
  summary: 'What this process has measured, and what the store has waiting, for Prometheus.',
  policy: all('metrics'),
  answers: { 200: { means: 'text', type: 'text/plain' } },
  async handle({ premises }) {
    const { text, type } = await premises.metrics.show();
    return { text, headers: { 'content-type': type } };
  },
});

/** The list of all routes comes later: it has these in it. */
export function healthRoutes(document: (base: string) => unknown): readonly Route[] {
  const described = route({
    method: 'get',
    path: '/openapi.json',
    operation: 'getDocument',
    tag: 'server',
    summary: 'All of this as an OpenAPI 3.1 document.',
    policy: shared('read'),
    answers: { 200: { means: 'the document', body: z.looseObject({ openapi: z.string() }) } },
    async handle({ base }) {
      return { body: document(base) };
    },
  });
  return [live, ready, metrics, described];
}
