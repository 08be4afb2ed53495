/** Messages: published for whoever waits, sent to one instance, and what is kept. */
import { z } from 'zod';
import type { CloudEvent, Publication } from '../../index.ts';
import { all, own } from '../access/policy.ts';
import { actingOf, said } from '../asking.ts';
import { type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import * as views from '../views.ts';
import { runOf } from './instances.ts';

const MESSAGE = z.strictObject({
  type: schemas.name,
  key: schemas.name.optional(),
  data: schemas.json.optional(),
  id: schemas.name.meta({ description: 'the same again is a duplicate' }).optional(),
  ttl: schemas.duration.optional(),
});

const CLOUD_EVENT = z.looseObject({
  specversion: z.literal('1.0'),
  type: schemas.name,
  source: z.string().min(1),
  id: z.string().min(1),
});

const publish = route({
  method: 'post',
  path: '/messages',
  operation: 'publishMessage',
  tag: 'messages',
  summary: 'Keeps a message, or a CloudEvent, and wakes whoever waits for it.',
  description:
    'Whoever begins to wait for it before its `ttl` is over has it, too. The same `id` again is ' +
    'a `duplicate` and wakes nobody.',
  policy: own('publish'),
  body: z.union([CLOUD_EVENT, MESSAGE]),
  example: { type: 'paid', key: 'order-42', data: { amount: 42 }, id: 'payment-7' },
  repeats: 'keyed',
  answers: { 202: { means: 'it is kept', body: views.published } },
  problems: [422],
  async handle({ engine, body, tenant, receipt }) {
    const isEvent = 'specversion' in body;
    const id = receipt === null || isEvent ? {} : { id: receipt.instance };
    const message = { ...id, ...body } as Publication | CloudEvent;
    const published = await engine.publish(message, tenant === null ? {} : { tenant });
    return { status: 202, body: published };
  },
});

const send = route({
  method: 'post',
  path: '/instances/{id}/messages',
  operation: 'sendMessage',
  tag: 'messages',
  summary: 'A message for this instance alone, whatever the key that it waits by.',
  policy: own('publish'),
  params: z.strictObject({ id: schemas.name }),
  body: z.strictObject({
    type: schemas.name,
    data: schemas.json.optional(),
    ttl: schemas.duration.optional(),
    ...schemas.ACTING,
  }),
  repeats: 'keyed',
  answers: { 202: { means: 'it is kept', body: views.published } },
  problems: [404, 409, 422],
  async handle(asked) {
    const run = await runOf(asked);
    const { type, data, ttl } = asked.body;
    const published = await run.send(type, data, {
      ...actingOf(asked),
      ...(asked.receipt === null ? {} : { id: asked.receipt.instance }),
      ...(ttl === undefined ? {} : { ttl }),
    });
    return { status: 202, body: published };
  },
});

const list = route({
  method: 'get',
  path: '/messages',
  operation: 'listMessages',
  tag: 'messages',
  summary: 'Messages that are kept and that nobody has had, newest first.',
  policy: all('read'),
  query: z.strictObject({
    type: schemas.name.optional(),
    key: schemas.name.optional(),
    instance: schemas.name.optional(),
    ...schemas.PAGE,
  }),
  answers: {
    200: {
      means: 'a page of them',
      body: schemas.page('messages', z.looseObject({ id: z.string(), type: z.string() })),
    },
  },
  async handle({ engine, query }) {
    return { body: await engine.inbox.list(said(query)) };
  },
});

export const MESSAGE_ROUTES: readonly Route[] = [publish, send, list];
