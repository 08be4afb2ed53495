/** What is about the whole store, and so only for those who are in charge of all tenants. */
import { z } from 'zod';
import { all } from '../access/policy.ts';
import { said } from '../asking.ts';
import { type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';

const outbox = route({
  method: 'get',
  path: '/outbox',
  operation: 'listOutbox',
  tag: 'operating',
  summary: 'Events for the world outside that no target has yet, newest first.',
  policy: all('read'),
  query: z.strictObject({
    ...schemas.PAGE,
    status: z.enum(['ready', 'sending', 'dead']).optional(),
    type: schemas.name.optional(),
    instance: schemas.name.optional(),
  }),
  answers: {
    200: {
      means: 'a page of them',
      body: schemas.page('letters', z.looseObject({ id: z.string(), type: z.string() })),
    },
  },
  async handle({ engine, query }) {
    return { body: await engine.outbox.list(said(query)) };
  },
});

const requeue = route({
  method: 'post',
  path: '/outbox/requeue',
  operation: 'requeueLetters',
  tag: 'operating',
  summary: 'Has letters that were given up sent once more.',
  policy: all('admin'),
  body: z.strictObject({ ids: z.array(schemas.name).min(1).max(1_000) }),
  repeats: 'natural',
  answers: {
    200: { means: 'how many of them', body: z.object({ requeued: z.number().int() }) },
  },
  async handle({ engine, body }) {
    return { body: { requeued: await engine.outbox.requeue(body.ids) } };
  },
});

const lanes = route({
  method: 'get',
  path: '/lanes',
  operation: 'listLanes',
  tag: 'operating',
  summary: 'Where steps wait because of a limit, how many are at work and how many wait.',
  policy: all('read'),
  query: z.strictObject({ after: schemas.name.optional(), limit: schemas.whole.optional() }),
  answers: {
    200: {
      means: 'some of them, by name',
      body: z.object({ lanes: z.array(z.looseObject({ name: z.string() })) }),
    },
  },
  async handle({ engine, query }) {
    return { body: { lanes: await engine.lanes.list(said(query)) } };
  },
});

const workers = route({
  method: 'get',
  path: '/workers',
  operation: 'listWorkers',
  tag: 'operating',
  summary: 'Which workers are there, what each has handlers for, and what each is at.',
  policy: all('read'),
  answers: {
    200: {
      means: 'all of them',
      body: z.object({
        workers: z.array(
          z.looseObject({
            worker: z.string(),
            handlers: z.array(z.string()),
            holds: z
              .array(
                z.looseObject({
                  ...{ instance: z.string(), token: z.number().int(), node: z.string() },
                  ...{ since: schemas.instant.nullable(), until: schemas.instant },
                }),
              )
              .meta({ description: 'what it has claimed; of all workers 1,000 at most' }),
          }),
        ),
      }),
    },
  },
  async handle({ engine }) {
    return { body: { workers: await engine.workers() } };
  },
});

const backlog = route({
  method: 'get',
  path: '/backlog',
  operation: 'getBacklog',
  tag: 'operating',
  summary: 'What is due and since when: work, timers, messages, letters.',
  policy: all('metrics'),
  answers: { 200: { means: 'as it is now', body: z.looseObject({ now: z.number() }) } },
  async handle({ engine }) {
    return { body: await engine.backlog() };
  },
});

const prune = route({
  method: 'post',
  path: '/prune',
  operation: 'prune',
  tag: 'operating',
  summary: 'Removes instances that have been over for long; with `dryRun` only counts them.',
  policy: all('admin'),
  body: z.strictObject({
    olderThan: schemas.duration,
    status: z
      .array(z.enum(['completed', 'failed', 'canceled']))
      .min(1)
      .optional(),
    flow: schemas.name.optional(),
    tenant: schemas.name.optional(),
    dryRun: z.boolean().optional(),
  }),
  example: { olderThan: '90d', status: ['completed'], dryRun: true },
  repeats: 'natural',
  answers: {
    200: { means: 'how many', body: z.looseObject({ pruned: z.number().int() }) },
  },
  async handle({ engine, body }) {
    const { olderThan, ...rest } = body;
    return { body: await engine.prune({ olderThan, ...said(rest) }) };
  },
});

/** Each is read whole, with its history. */
const CHECKED_MAX = 1_000;

const check = route({
  method: 'post',
  path: '/check',
  operation: 'check',
  tag: 'operating',
  summary: 'Checks the promises that can be read off the store for the instances that are named.',
  policy: all('admin'),
  body: z.strictObject({ ids: z.array(schemas.name).min(1).max(CHECKED_MAX) }),
  repeats: 'natural',
  answers: {
    200: {
      means: 'what was found',
      body: z.looseObject({
        ok: z.boolean(),
        instances: z.number().int(),
        violations: z.array(z.looseObject({})),
      }),
    },
  },
  async handle({ engine, body }) {
    return { body: await engine.check({ ids: body.ids }) };
  },
});

export const OPERATING_ROUTES: readonly Route[] = [
  ...[outbox, requeue, lanes, workers, backlog, prune, check],
];
