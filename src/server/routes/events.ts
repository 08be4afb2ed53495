/** What happens, as it happens: of one instance, or of all that are meant. */
import { z } from 'zod';
import { EngineError, type News, type SubscribeOptions } from '../../index.ts';
import { own } from '../access/policy.ts';
import { said } from '../asking.ts';
import { type Answer, type Asked, type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import type { ServerEvent } from '../streams.ts';
import { runOf } from './instances.ts';

const STREAM = {
  200: { means: 'events, one commit each, until somebody ends it', type: 'text/event-stream' },
} as const;

const FORM =
  'Each event has an `id` to come back with, the type `commit`, and as its data JSON with ' +
  '`instance`, `flow`, `n`, `at`, `commitId` and `changes`. Lines that begin with a colon say ' +
  'only that somebody is there.';

const one = route({
  method: 'get',
  path: '/instances/{id}/events',
  operation: 'followInstance',
  tag: 'events',
  summary: 'Every commit of an instance, once, until it is over; from `Last-Event-ID` on.',
  description: FORM,
  policy: own('read'),
  params: z.strictObject({ id: schemas.name }),
  query: z.strictObject({
    after: schemas.whole
      .meta({ description: 'the last commit that was had, 0 for all; from now on if left out' })
      .optional(),
  }),
  answers: STREAM,
  problems: [404, 429],
  async handle(asked) {
    const run = await runOf(asked);
    const last = asked.header('last-event-id');
    const after = last === undefined ? asked.query.after : numberIn(last);
    return stream(asked, { id: run.id, ...(after === undefined ? {} : { after }) }, ({ n }) => {
      return String(n);
    });
  },
});

const many = route({
  method: 'get',
  path: '/events',
  operation: 'followInstances',
  tag: 'events',
  summary: 'Every commit of all instances that are meant, from now on or from `Last-Event-ID` on.',
  description: `${FORM} Of whoever comes back, each commit is told at least once.`,
  policy: own('read'),
  query: z.strictObject({
    flow: schemas.name.optional(),
    version: schemas.whole.optional(),
    key: schemas.name.optional(),
    tenant: schemas.name.optional(),
    parent: schemas.name.optional(),
  }),
  answers: STREAM,
  problems: [429],
  async handle(asked) {
    const { tenant, query } = asked;
    const last = asked.header('last-event-id');
    const since = last === undefined ? {} : { since: numberIn(last.split('/')[0] ?? '') };
    const only = tenant === null ? {} : { tenant };
    // What was told may have been told of some instances only: the number says since when all was.
    return stream(asked, { ...said(query), ...only, ...since }, ({ told, instance, n }) => {
      // An id of an instance may be any text, and a line end would end the line.
      return `${told}/${encodeURIComponent(instance)}/${n}`;
    });
  },
});

function stream(
  { engine, premises, principal, signal }: Asked,
  options: SubscribeOptions,
  idOf: (news: News) => string,
): Answer {
  // Two tenants may have somebody of the same name.
  const who = JSON.stringify([principal.tenant, principal.id]);
  const events = premises.streams.open(who, signal, (ending) => {
    return follow(engine.subscribe({ ...options, signal: ending }), idOf);
  });
  return { stream: events, headers: { 'content-type': 'text/event-stream' } };
}

async function* follow(
  news: AsyncIterable<News>,
  idOf: (news: News) => string,
): AsyncGenerator<ServerEvent, void, void> {
  for await (const one of news) {
    const { instance, flow, n, at, commitId, changes } = one;
    yield { id: idOf(one), event: 'commit', data: { instance, flow, n, at, commitId, changes } };
  }
}

function numberIn(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const message = 'Last-Event-ID is the id of an event of this stream';
  throw new EngineError('engine.option-invalid', `${message}; came "${text.slice(0, 60)}"`);
}

export const EVENT_ROUTES: readonly Route[] = [one, many];
