/** What operators do to instances: to one, to many, and first only to see what it would do. */
import { z } from 'zod';
import type { Action, InstanceFilter } from '../../index.ts';
import { own } from '../access/policy.ts';
import * as acts from '../action-schemas.ts';
import { actingOf } from '../asking.ts';
import { type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import * as views from '../views.ts';
import { runOf, within } from './instances.ts';

const id = z.strictObject({ id: schemas.name });

const act = route({
  method: 'post',
  path: '/instances/{id}/actions',
  operation: 'actOnInstance',
  tag: 'operating',
  summary: 'Does something to an instance: cancel, suspend, resume, retry, skip, move, migrate…',
  policy: own('operate'),
  params: id,
  body: z.strictObject({ action: acts.action, ...schemas.ACTING }),
  example: { action: { do: 'retry' }, reason: 'the bank is back' },
  repeats: 'keyed',
  answers: {
    200: {
      means: 'it is done; of a copy, the instance is the new one',
      body: z.object({ instance: z.string() }),
    },
  },
  problems: [404, 409, 422],
  async handle(asked) {
    const run = await runOf(asked);
    const { receipt, body } = asked;
    const action = named(body.action as Action, receipt?.instance);
    const once = receipt === null ? {} : { once: receipt.once };
    const done = await run.act(action, { ...actingOf(asked), ...once });
    return { body: { instance: done.id } };
  },
});

/** What an action makes has an id of its own: made again under the same key, it is the same. */
function named(action: Action, made: string | undefined): Action {
  if (made === undefined) return action;
  if (action.do === 'send') return { ...action, id: made };
  return action.do === 'rerun' && action.copy === true ? { ...action, id: made } : action;
}

const preview = route({
  method: 'post',
  path: '/instances/{id}/actions/preview',
  operation: 'previewAction',
  tag: 'operating',
  summary: 'What an action would do, by the same rules. Nothing is written.',
  policy: own('operate'),
  params: id,
  body: z.strictObject({ action: acts.action }),
  repeats: 'natural',
  answers: { 200: { means: 'what it would change', body: views.preview } },
  problems: [404, 409, 422],
  async handle(asked) {
    const run = await runOf(asked);
    return { body: await run.preview(asked.body.action as Action) };
  },
});

const bulk = route({
  method: 'post',
  path: '/actions',
  operation: 'actOnInstances',
  tag: 'operating',
  summary:
    'One action for all that a filter finds, each by itself; with `dryRun` only what it would do.',
  policy: own('operate'),
  body: z.strictObject({
    filter: acts.filter,
    action: acts.action,
    dryRun: z.boolean().optional(),
    limit: schemas.number.meta({ description: 'BULK_MAX at most' }).optional(),
    cursor: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ description: 'goes on with the same bulk' })
      .optional(),
    ...schemas.ACTING,
  }),
  example: { filter: { flow: 'order', error: 'bank.*' }, action: { do: 'revive' }, dryRun: true },
  repeats: 'keyed',
  answers: {
    200: {
      means: 'what became of each; with a cursor, there are more',
      body: z.looseObject({
        matched: z.number().int(),
        done: z.number().int(),
        unchanged: z.number().int(),
        refused: z.number().int(),
        failed: z.number().int(),
        cursor: z.string().nullable(),
        items: z.array(
          z.looseObject({
            id: z.string(),
            outcome: z.enum(['done', 'unchanged', 'refused', 'failed']),
            error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
          }),
        ),
      }),
    },
  },
  problems: [422],
  async handle(asked) {
    const { engine, body, tenant, premises, receipt, signal } = asked;
    const { filter, action, dryRun, limit, cursor } = body;
    const most = Math.min(limit ?? premises.limits.BULK_MAX, premises.limits.BULK_MAX);
    const result = await engine.bulk(within(tenant, filter as InstanceFilter), action as Action, {
      ...actingOf(asked),
      limit: most,
      signal,
      ...(dryRun === undefined ? {} : { dryRun }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(cursor === undefined && receipt !== null ? { name: receipt.once } : {}),
    });
    return { body: result };
  },
});

export const ACTION_ROUTES: readonly Route[] = [act, preview, bulk];
