/** Flows that are started by the clock. They belong to no tenant, and so do their routes. */
import { z } from 'zod';
import { EngineError, type Schedule, type ScheduleSpec } from '../../index.ts';
import { all } from '../access/policy.ts';
import { said } from '../asking.ts';
import { type Asked, type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import * as views from '../views.ts';

const NAME = z.strictObject({ name: schemas.name });

async function scheduleOf({ engine, params }: Asked<{ readonly name: string }>): Promise<Schedule> {
  const schedule = await engine.schedules.get(params.name);
  if (schedule !== undefined) return schedule;
  throw new EngineError('schedule.not-found', `there is no schedule "${params.name}"`);
}

const list = route({
  method: 'get',
  path: '/schedules',
  operation: 'listSchedules',
  tag: 'schedules',
  summary: 'All schedules of the store, whoever made them.',
  policy: all('read'),
  answers: {
    200: { means: 'all of them', body: z.object({ schedules: z.array(views.schedule) }) },
  },
  async handle({ engine }) {
    return { body: { schedules: await engine.schedules.list() } };
  },
});

const get = route({
  method: 'get',
  path: '/schedules/{name}',
  operation: 'getSchedule',
  tag: 'schedules',
  summary: 'One schedule, and when it is due next.',
  policy: all('read'),
  params: NAME,
  answers: { 200: { means: 'the schedule', body: views.schedule } },
  problems: [404],
  async handle(asked) {
    const schedule = await scheduleOf(asked);
    return { body: await schedule.describe() };
  },
});

const put = route({
  method: 'put',
  path: '/schedules/{name}',
  operation: 'putSchedule',
  tag: 'schedules',
  summary: 'Has a flow start at moments of a clock. The same again is no change.',
  policy: all('schedule'),
  params: NAME,
  body: z.strictObject({
    flow: schemas.name,
    cron: z.string().min(1).max(500).optional(),
    timezone: schemas.name.optional(),
    every: schemas.duration.optional(),
    input: schemas.json.optional(),
    key: schemas.name.optional(),
    catchUp: z
      .enum(['once', 'all', 'skip'])
      .meta({ description: 'of moments that passed while nobody was there' })
      .optional(),
  }),
  example: { flow: 'report', cron: '0 8 * * 1-5', timezone: 'Europe/Berlin' },
  repeats: 'natural',
  answers: { 200: { means: 'it is so', body: views.schedule } },
  problems: [404, 422],
  async handle({ engine, params, body }) {
    // Whether it has one of cron and every, and only one, is for the engine to say.
    const schedule = await engine.schedule(params.name, said(body) as unknown as ScheduleSpec);
    return { body: await schedule.describe() };
  },
});

const remove = route({
  method: 'delete',
  path: '/schedules/{name}',
  operation: 'removeSchedule',
  tag: 'schedules',
  summary: 'Nothing is started by it any more; what was goes on.',
  policy: all('schedule'),
  params: NAME,
  repeats: 'natural',
  answers: { 204: { means: 'it is gone' } },
  problems: [404],
  async handle(asked) {
    const schedule = await scheduleOf(asked);
    await schedule.remove();
    return { status: 204 };
  },
});

function holding(verb: 'pause' | 'resume', summary: string): Route {
  return route({
    method: 'post',
    path: `/schedules/{name}/${verb}`,
    operation: `${verb}Schedule`,
    tag: 'schedules',
    summary,
    policy: all('schedule'),
    params: NAME,
    repeats: 'natural',
    answers: { 200: { means: 'it is so', body: views.schedule } },
    problems: [404],
    async handle(asked) {
      const schedule = await scheduleOf(asked);
      await schedule[verb]();
      return { body: await schedule.describe() };
    },
  });
}

const trigger = route({
  method: 'post',
  path: '/schedules/{name}/trigger',
  operation: 'triggerSchedule',
  tag: 'schedules',
  summary: 'Starts what it starts, now, beside its moments.',
  policy: all('schedule'),
  params: NAME,
  repeats: 'none',
  answers: {
    201: {
      means: 'it has begun',
      body: z.object({ id: z.string() }),
      headers: { Location: 'the instance, relative to this request' },
    },
  },
  problems: [404, 409],
  async handle(asked) {
    const schedule = await scheduleOf(asked);
    const run = await schedule.trigger();
    const location = `../../instances/${encodeURIComponent(run.id)}`;
    return { status: 201, body: { id: run.id }, headers: { location } };
  },
});

export const SCHEDULE_ROUTES: readonly Route[] = [
  ...[list, get, put, remove, trigger],
  holding('pause', 'Lets moments pass unused until it is resumed.'),
  holding('resume', 'Goes on with the next moment.'),
];
