/**
 * Work that waits for people. Whoever asks is who does it, with the groups that they belong to; a
 * program that knows its users itself says for whom it speaks, if it may (`act-as`).
 */
import { z } from 'zod';
import { EngineError, type TaskActor, type TaskView } from '../../index.ts';
import { own } from '../access/policy.ts';
import { actorOf, said } from '../asking.ts';
import { RequestError } from '../problem.ts';
import { type Asked, type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import * as views from '../views.ts';

const WHO = {
  actor: schemas.ACTING.actor,
  groups: z
    .array(schemas.name)
    .max(100)
    .meta({ description: 'those of the actor; needs the scope act-as' })
    .optional(),
  comment: z.string().min(1).max(10_000).optional(),
  override: z
    .boolean()
    .meta({ description: 'has no say in it, and does it all the same; needs the scope operate' })
    .optional(),
};

type Who = z.output<z.ZodObject<typeof WHO>>;
type AskedOfTask = Asked<{ readonly id: string }, unknown, Who>;

function actor(asked: AskedOfTask): TaskActor {
  const { principal, body } = asked;
  const { groups = principal.groups, comment, override } = body;
  if (body.groups !== undefined && !principal.scopes.has('act-as')) {
    throw new RequestError('access.forbidden', 'to name groups takes the scope act-as');
  }
  if (override === true && !principal.scopes.has('operate')) {
    throw new RequestError('access.forbidden', 'override takes the scope operate');
  }
  return {
    ...{ actor: actorOf(asked, body.actor), groups },
    ...(asked.receipt === null ? {} : { once: asked.receipt.once }),
    ...(comment === undefined ? {} : { comment }),
    ...(override === undefined ? {} : { override }),
  };
}

/** The task, if it is there for whoever asks. */
async function taskOf({
  engine,
  params,
  tenant,
}: Asked<{ readonly id: string }>): Promise<TaskView> {
  const task = await engine.tasks.get(params.id);
  if (task !== undefined && (tenant === null || task.tenant === tenant)) return task;
  throw new EngineError('task.not-found', `there is no task ${params.id}, or it is done`, {
    details: { task: params.id },
  });
}

const id = z.strictObject({ id: schemas.name });

const list = route({
  method: 'get',
  path: '/tasks',
  operation: 'listTasks',
  tag: 'tasks',
  summary: 'Open tasks and approvals, oldest first, a page at a time.',
  policy: own('read'),
  query: z.strictObject({
    kind: z.enum(['task', 'approval']).optional(),
    instance: schemas.name.optional(),
    flow: schemas.name.optional(),
    node: schemas.name.optional(),
    tenant: schemas.name.optional(),
    key: schemas.name.optional(),
    assignee: schemas.name.optional(),
    unassigned: schemas.flag.optional(),
    mine: schemas.flag.meta({ description: 'what whoever asks can do' }).optional(),
    actor: schemas.name.optional(),
    candidate: schemas.name.optional(),
    group: schemas.name.optional(),
    createdAfter: schemas.moment.optional(),
    createdBefore: schemas.moment.optional(),
    dueAfter: schemas.moment.optional(),
    dueBefore: schemas.moment.optional(),
    priority: schemas.signed.optional(),
    order: z.enum(['created', 'due', 'priority']).optional(),
    ...schemas.PAGE,
  }),
  answers: { 200: { means: 'a page of them', body: schemas.page('tasks', views.task) } },
  async handle({ engine, query, tenant, principal }) {
    const { mine = false, ...filter } = query;
    const theirs = mine ? { actor: principal.id, groups: principal.groups } : {};
    const only = tenant === null ? {} : { tenant };
    return { body: await engine.tasks.list(said({ ...filter, ...theirs, ...only })) };
  },
});

const get = route({
  method: 'get',
  path: '/tasks/{id}',
  operation: 'getTask',
  tag: 'tasks',
  summary: 'One task, with its form, what was done with it, and who has not spoken yet.',
  policy: own('read'),
  params: id,
  answers: { 200: { means: 'the task', body: views.task } },
  problems: [404],
  async handle(asked) {
    return { body: await taskOf(asked) };
  },
});

interface Deed<Body extends z.ZodRawShape> {
  readonly verb: string;
  readonly summary: string;
  readonly body: Body;
  readonly example?: z.input<z.ZodObject<Body>>;
  readonly act: (
    asked: Asked<{ readonly id: string }, unknown, z.output<z.ZodObject<Body>>>,
    who: TaskActor,
  ) => Promise<void>;
}

/** Whether it was done under the same key, by a process that could not say so any more. */
async function wasDone(asked: Asked<{ readonly id: string }>): Promise<boolean> {
  const { engine, params, receipt, tenant } = asked;
  if (receipt === null || !receipt.isAgain) return false;
  return engine.tasks.wasDone(params.id, receipt.once, tenant === null ? {} : { tenant });
}

/** Whatever people do with a task is one route each, alike but for what it takes. */
function deed<Body extends z.ZodRawShape>(spec: Deed<Body>): Route {
  const { verb, summary, body, example, act } = spec;
  return route({
    method: 'post',
    path: `/tasks/{id}/${verb}`,
    operation: `${verb}Task`,
    tag: 'tasks',
    summary,
    policy: own('tasks'),
    params: id,
    body: z.strictObject({ ...body, ...WHO }),
    ...(example === undefined ? {} : { example: example as never }),
    repeats: 'keyed',
    answers: { 204: { means: 'it is done' } },
    problems: [404, 409, 422],
    async handle(asked) {
      if (await wasDone(asked)) return { status: 204 };
      await taskOf(asked);
      const whole = asked as unknown as AskedOfTask;
      await act(asked as unknown as Parameters<typeof act>[0], actor(whole));
      return { status: 204 };
    },
  });
}

export const TASK_ROUTES: readonly Route[] = [
  list,
  get,
  deed({
    verb: 'claim',
    summary: 'Takes a task that is open to whoever asks.',
    body: {},
    act: ({ engine, params }, who) => engine.tasks.claim(params.id, who),
  }),
  deed({
    verb: 'unclaim',
    summary: 'Gives it back: to whoever delegated it, or to those it was offered to.',
    body: {},
    act: ({ engine, params }, who) => engine.tasks.unclaim(params.id, who),
  }),
  deed({
    verb: 'delegate',
    summary: 'Has somebody else do it; of an approval, have their say.',
    body: { to: schemas.name },
    act: ({ engine, params, body }, who) =>
      engine.tasks.delegate(params.id, { ...who, to: body.to }),
  }),
  deed({
    verb: 'reassign',
    summary: 'Gives it to somebody else for good.',
    body: { to: schemas.name, from: schemas.name.optional() },
    act: ({ engine, params, body: { to, from } }, who) =>
      engine.tasks.reassign(params.id, { ...who, to, ...(from === undefined ? {} : { from }) }),
  }),
  deed({
    verb: 'comment',
    summary: 'Says something about it.',
    body: { comment: z.string().min(1).max(10_000) },
    act: ({ engine, params, body }, who) =>
      engine.tasks.comment(params.id, { ...who, comment: body.comment }),
  }),
  deed({
    verb: 'attach',
    summary: 'Adds a file or a page that lies elsewhere.',
    body: {
      attachment: z.strictObject({
        name: schemas.name,
        url: z.string().min(1).max(2_000),
        type: schemas.name.optional(),
      }),
    },
    act: ({ engine, params, body: { attachment } }, who) =>
      engine.tasks.attach(params.id, said(attachment), who),
  }),
  deed({
    verb: 'update',
    summary: 'Says when it is due, when to come back to it, or how urgent it is.',
    body: {
      due: z.union([z.number(), z.string(), z.null()]).optional(),
      followUp: z.union([z.number(), z.string(), z.null()]).optional(),
      priority: z.number().int().optional(),
    },
    act: ({ engine, params, body: { due, followUp, priority } }, who) =>
      engine.tasks.update(params.id, said({ due, followUp, priority }), who),
  }),
  deed({
    verb: 'complete',
    summary: 'Is done with it; the output must fit its form.',
    example: { output: { address: 'Main Street 1' } },
    body: { output: schemas.json.optional() },
    act: ({ engine, params, body }, who) => engine.tasks.complete(params.id, body.output, who),
  }),
  deed({
    verb: 'decide',
    summary: 'Approves, rejects, or sends it back.',
    example: { decision: 'approve', round: 1 },
    body: {
      decision: z.enum(['approve', 'reject', 'revise']),
      round: schemas.number.meta({ description: 'the one that was looked at' }).optional(),
    },
    act: ({ engine, params, body: { decision, round } }, who) =>
      engine.tasks.decide(params.id, {
        ...who,
        decision,
        ...(round === undefined ? {} : { round }),
      }),
  }),
  deed({
    verb: 'resubmit',
    summary: 'Comes back with what was asked for.',
    body: { data: schemas.json.optional() },
    act: ({ engine, params, body }, who) => engine.tasks.resubmit(params.id, body.data, who),
  }),
  deed({
    verb: 'recall',
    summary: 'Takes an approval back.',
    body: {},
    act: ({ engine, params }, who) => engine.tasks.recall(params.id, who),
  }),
];
