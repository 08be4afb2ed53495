/**
 * Incoming webhooks: a message that proves where it comes from. Its id is kept with the message, in
 * the database, so a replay is refused by whichever process it reaches, and after any restart.
 */
import { z } from 'zod';
import type { Publication } from '../../index.ts';
import { ANYONE } from '../access/policy.ts';
import { RequestError } from '../problem.ts';
import { type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import * as views from '../views.ts';
import { verifyWebhook } from '../webhooks.ts';

const hook = route({
  method: 'post',
  path: '/hooks/{name}',
  operation: 'receiveWebhook',
  tag: 'messages',
  summary: 'A webhook of a source that is configured: verified, then published as a message.',
  // The signature over the body says who it is from, and for which tenant is configured.
  policy: ANYONE,
  params: z.strictObject({ name: schemas.name }),
  raw: true,
  body: z.instanceof(Uint8Array),
  repeats: 'natural',
  answers: { 202: { means: 'it is kept', body: views.published } },
  problems: [401, 404, 409, 422],
  async handle({ engine, premises, params, header, body }) {
    const source = Object.hasOwn(premises.webhooks, params.name)
      ? premises.webhooks[params.name]
      : undefined;
    if (source === undefined) {
      throw new RequestError('route.not-found', `there is no webhook "${params.name}" here`);
    }
    const { id, data } = verifyWebhook(source, header, body, premises.now());
    const told = source.message?.({ header, data });
    if (told === null) return { status: 202, body: { outcome: 'ignored', id, instances: [] } };
    const usual = { type: `hook.${params.name}`, data };
    const message = {
      ...usual,
      ...told,
      id: `hook:${params.name}:${told?.id ?? id}`,
    } as Publication;
    const tenant = source.tenant === undefined ? {} : { tenant: source.tenant };
    const published = await engine.publish(message, tenant);
    if (published.outcome !== 'duplicate') return { status: 202, body: published };
    throw new RequestError('webhook.repeated', `the webhook ${id} has come before`, {
      details: { id },
    });
  },
});

export const HOOK_ROUTES: readonly Route[] = [hook];
