/** Remote workers: any program that speaks HTTP fetches work, keeps it, and answers for it. */
import { z } from 'zod';
import { own } from '../access/policy.ts';
import { said, waitMs } from '../asking.ts';
import { type Asked, type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import * as views from '../views.ts';

/**
 * The claim is held in the name of whoever proved who they are: nobody of another key can answer
 * for it, whatever they call their worker.
 */
function workerOf({ principal }: Asked, worker: string): string {
  return `${principal.id}/${worker}`;
}

function tenantOf({ tenant }: Asked): { readonly tenant?: string } {
  return tenant === null ? {} : { tenant };
}

const WORKER = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'one name per process: claims are held in it' });
const ONE = z.strictObject({ id: z.string().min(1).max(2_000) });
const LEASE = schemas.duration.meta({ description: '30s if left out' }).optional();

/** Of what settles an assignment. */
const ANSWERED = {
  repeats: 'natural',
  answers: { 204: { means: 'it is committed' } },
  problems: [409, 422],
} as const;

const fetch = route({
  method: 'post',
  path: '/work/fetch',
  operation: 'fetchWork',
  tag: 'work',
  summary: 'Claims due work for these handlers; with `wait`, until there is some.',
  description:
    'Each assignment is the worker’s until its lease is over. Extend, complete or fail it before ' +
    'then; otherwise somebody else gets it.',
  policy: own('work'),
  body: z.strictObject({
    worker: WORKER,
    handlers: z
      .array(schemas.name)
      .min(1)
      .max(1_000)
      .meta({ description: '`SHIP`, `order.process/SHIP`, or of a builder flow `order/charge`' }),
    limit: schemas.number.optional(),
    lease: LEASE,
    wait: schemas.wait.optional(),
  }),
  example: { worker: 'shipper-1', handlers: ['order/ship'], limit: 10, lease: '30s', wait: '30s' },
  repeats: 'none',
  answers: {
    200: {
      means: 'what was claimed, perhaps nothing',
      body: z.object({ assignments: z.array(views.assignment) }),
    },
  },
  problems: [422],
  async handle(asked) {
    const { engine, body, signal, premises } = asked;
    const { worker, wait, ...wanted } = body;
    const assignments = await engine.work.fetch({
      ...{ ...said(wanted), signal, wait: waitMs(wait, premises.limits) },
      ...{ worker: workerOf(asked, worker), ...tenantOf(asked) },
    });
    return { body: { assignments } };
  },
});

const extend = route({
  method: 'post',
  path: '/work/{id}/extend',
  operation: 'extendWork',
  tag: 'work',
  summary: 'Keeps work that takes longer than its lease.',
  policy: own('work'),
  params: ONE,
  body: z.strictObject({ worker: WORKER, lease: LEASE }),
  repeats: 'natural',
  answers: { 200: { means: 'until when it is held', body: z.looseObject({ until: z.number() }) } },
  problems: [409],
  async handle(asked) {
    const { engine, params, body } = asked;
    const { worker, ...more } = body;
    const by = { worker: workerOf(asked, worker), ...tenantOf(asked) };
    return { body: await engine.work.extend(params.id, { ...said(more), ...by }) };
  },
});

const complete = route({
  method: 'post',
  path: '/work/{id}/complete',
  operation: 'completeWork',
  tag: 'work',
  summary: 'Brings the result. The same again, after an answer that was lost, changes nothing.',
  policy: own('work'),
  params: ONE,
  body: z.strictObject({
    worker: WORKER,
    result: schemas.json.optional(),
    set: z
      .array(
        z.strictObject({
          name: schemas.name,
          value: schemas.json,
          in: z.enum(['scope', 'instance']).optional(),
        }),
      )
      .max(1_000)
      .optional(),
    outcomes: z.array(schemas.name).min(1).max(100).optional(),
    context: schemas.json.optional(),
    waiting: z
      .strictObject({
        type: schemas.name,
        timeout: schemas.duration.optional(),
        outbound: z
          .array(
            z.strictObject({
              type: schemas.name,
              key: schemas.name.optional(),
              data: schemas.json.optional(),
            }),
          )
          .max(100)
          .optional(),
      })
      .meta({ description: 'a step of a chain waits for a message, and is run again then' })
      .optional(),
  }),
  example: { worker: 'shipper-1', result: { tracking: 'T-1' } },
  ...ANSWERED,
  async handle(asked) {
    const { engine, params, body } = asked;
    const { worker, ...brought } = body;
    const by = { worker: workerOf(asked, worker), ...tenantOf(asked) };
    await engine.work.complete(params.id, { ...said(brought), ...by });
    return { status: 204 };
  },
});

const fail = route({
  method: 'post',
  path: '/work/{id}/fail',
  operation: 'failWork',
  tag: 'work',
  summary: 'Says that it could not be done; the retry policy decides what comes of that.',
  policy: own('work'),
  params: ONE,
  body: z.strictObject({
    worker: WORKER,
    error: z.strictObject({
      message: z.string().max(100_000),
      code: schemas.name.optional(),
      details: z.record(z.string(), schemas.json).optional(),
      fatal: z.boolean().meta({ description: 'trying again would not help' }).optional(),
    }),
    retryAfter: schemas.duration.optional(),
    context: schemas.json.optional(),
  }),
  example: {
    worker: 'shipper-1',
    error: { code: 'carrier.busy', message: 'the carrier is busy' },
    retryAfter: '10s',
  },
  ...ANSWERED,
  async handle(asked) {
    const { engine, params, body } = asked;
    const { worker, error, ...more } = body;
    const by = { worker: workerOf(asked, worker), ...tenantOf(asked) };
    await engine.work.fail(params.id, { ...said(more), error: said(error), ...by });
    return { status: 204 };
  },
});

export const WORK_ROUTES: readonly Route[] = [fetch, extend, complete, fail];
