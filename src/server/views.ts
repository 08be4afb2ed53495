/**
 * What comes out, as schemas. It is the engine's own, whose types say what it is: here stands what
 * clients rely on, and there may be more.
 */
import { z } from 'zod';
import { instant, json, named } from './schemas.ts';

const id = z.string().meta({ description: 'of an instance' });
const key = z.string().nullable().meta({ description: 'the business key' });
const tenant = z.string().nullable();

const fault = named(
  'Fault',
  z
    .looseObject({ code: z.string(), message: z.string(), node: z.string().nullable().optional() })
    .meta({ description: 'what went wrong inside an instance, and at which node' }),
);

export const status: z.ZodEnum = named(
  'InstanceStatus',
  z.enum([
    ...(['running', 'waiting', 'suspended', 'compensating'] as const),
    ...(['completed', 'failed', 'canceled'] as const),
  ]),
);

const parent = z
  .looseObject({ instance: z.string(), token: z.number().int() })
  .nullable()
  .meta({ description: 'the instance that called it, and its token that waits' });

export const summary: z.ZodType = named(
  'InstanceSummary',
  z.looseObject({
    id,
    flow: z.string(),
    version: z.number().int().meta({ description: 'of the flow' }),
    status,
    key,
    tenant,
    priority: z.number(),
    fault: fault.nullable(),
    outcome: z.string().nullable().meta({ description: '`compensated` if it was undone' }),
    createdAt: instant,
    updatedAt: instant,
    endedAt: instant.nullable(),
    attributes: z.record(z.string(), json).meta({ description: 'what it is found by' }),
    parent,
  }),
);

const many = z.number().int();

export const tally: z.ZodType = named(
  'Tally',
  z.looseObject({
    counted: many.meta({ description: 'instances' }),
    isAll: z.boolean().meta({ description: 'those are all there are; else they are the newest' }),
    groups: z.array(z.looseObject({ flow: z.string(), version: many, status, count: many })),
    causes: z
      .array(
        z.looseObject({
          flow: z.string(),
          node: z.string().nullable().meta({ description: 'where it failed' }),
          code: z.string(),
          kind: z
            .enum(['failed', 'incident'])
            .meta({ description: 'instances that failed, or tokens that wait to be mended' }),
          count: many,
          newest: id,
          messages: z
            .array(z.looseObject({ message: z.string(), count: many }))
            .meta({ description: 'at most five, each cut to 200 characters' }),
        }),
      )
      .meta({ description: 'at most 200; those with the most first, as in each its messages' }),
  }),
);

export const token: z.ZodType = named(
  'Token',
  z
    .looseObject({
      id: z.number().int(),
      scope: z.number().int(),
      node: z.string().meta({ description: 'where it is' }),
      status: z.string(),
      attempts: z.number().int().meta({ description: 'executions that failed' }),
      crashes: z.number().int(),
      wait: z.looseObject({ on: z.string() }).nullable().meta({ description: 'what it waits for' }),
      createdAt: instant,
      updatedAt: instant,
    })
    .meta({ description: 'a point of control of an instance' }),
);

const scope = named(
  'VariableScope',
  z.looseObject({
    id: z.number().int(),
    parent: z.number().int().nullable(),
    results: z.record(z.string(), json).meta({ description: 'of steps, by name' }),
    vars: z.record(z.string(), json),
  }),
);

const incident = named(
  'Incident',
  z
    .looseObject({
      token: z.number().int(),
      node: z.string(),
      fault: fault.nullable(),
      can: z.array(z.string()).meta({ description: 'what can be done about it' }),
    })
    .meta({ description: 'a token that failed and waits for someone to mend it' }),
);

export const instance: z.ZodType = named(
  'Instance',
  z.looseObject({
    id,
    flow: z.string(),
    flowVersion: z.number().int(),
    version: z.number().int().meta({ description: 'the number of commits so far' }),
    status,
    key,
    tenant,
    input: json,
    output: json.meta({ description: 'null until it has completed' }),
    fault: fault.nullable(),
    tokens: z.array(token).meta({ description: 'those that are alive' }),
    scopes: z.array(scope),
    incidents: z.array(incident),
    createdAt: instant,
    updatedAt: instant,
    endedAt: instant.nullable(),
  }),
);

const change = named(
  'Change',
  z.looseObject({ did: z.string() }).meta({ description: 'a fact, told by `did`' }),
);

export const commit: z.ZodType = named(
  'Commit',
  z.looseObject({
    n: z.number().int().nullable().meta({ description: 'from 1, without gaps' }),
    at: instant,
    commitId: z.string().nullable(),
    changes: z.array(change),
  }),
);

export const ended: z.ZodType = named(
  'Ended',
  z.object({
    id,
    status,
    output: json.meta({ description: 'if it has completed' }).optional(),
    fault: fault.nullable().meta({ description: 'if it has failed' }).optional(),
  }),
);

export const started: z.ZodType = named(
  'Started',
  z.object({
    id,
    flow: z.string(),
    existing: z.boolean().meta({ description: 'it was there before, under the same key' }),
  }),
);

export const preview: z.ZodType = named(
  'Preview',
  z.looseObject({
    changes: z.array(change),
    before: instance.nullable().meta({ description: 'null for a copy' }),
    after: instance,
  }),
);

export const task: z.ZodType = named(
  'Task',
  z.looseObject({
    id: z.string(),
    kind: z.enum(['task', 'approval']),
    instance: z.string(),
    token: z.number().int(),
    flow: z.string(),
    node: z.string(),
    key,
    tenant,
    title: z.string().nullable(),
    data: json.meta({ description: 'what people are shown to decide by' }),
    priority: z.number().meta({ description: 'the higher, the more urgent' }),
    due: instant.nullable(),
    createdAt: instant,
    suspended: z.boolean().meta({ description: 'nothing can be done with it meanwhile' }),
  }),
);

export const published: z.ZodType = named(
  'Published',
  z.object({
    outcome: z.enum(['woken', 'buffered', 'duplicate', 'ignored']).meta({
      description: 'somebody waited for it; it is kept; it was had before; it is of no interest',
    }),
    id: z.string().meta({ description: 'of the message' }),
    instances: z.array(z.string()).meta({ description: 'whom it woke' }),
  }),
);

export const schedule: z.ZodType = named(
  'Schedule',
  z.looseObject({
    name: z.string(),
    flow: z.string(),
    status: z.enum(['active', 'paused']),
    nextAt: instant.nullable().meta({ description: 'null while it is paused, or if it has none' }),
    lastAt: instant.nullable().meta({ description: 'the last moment that it fired for' }),
  }),
);

const diagnostic = named(
  'Diagnostic',
  z
    .looseObject({ code: z.string(), message: z.string() })
    .meta({ description: 'something wrong in a definition, with its place if that is known' }),
);

export const diagnosed: z.ZodType = named(
  'Diagnosed',
  z.object({ ok: z.boolean(), diagnostics: z.array(diagnostic) }),
);

export const definition: z.ZodType = named(
  'Definition',
  z.looseObject({
    name: z.string(),
    version: z.number().int(),
    hash: z.string(),
    open: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'instances that run it; null for those of one tenant' }),
    registered: z.boolean().meta({ description: 'it can be started here' }),
    suspended: z.boolean(),
    inputSchema: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'a JSON Schema of what it is started with, if that is known' }),
  }),
);

export const plan: z.ZodType = named(
  'Plan',
  z.looseObject({
    name: z.string(),
    version: z.number().int(),
    hash: z.string(),
    start: z.string(),
    nodes: z.array(z.looseObject({ id: z.string(), kind: z.string() })),
    edges: z.array(z.looseObject({ id: z.string(), from: z.string(), to: z.string() })),
  }),
);

export const assignment: z.ZodType = named(
  'Assignment',
  z
    .looseObject({
      id: z.string().meta({ description: 'what to extend, complete or fail it by' }),
      instance: z.string(),
      token: z.number().int(),
      flow: z.string(),
      version: z.number().int(),
      node: z.string(),
      type: z.string().meta({ description: 'what kind of work it is' }),
      key,
      attempt: z.number().int().meta({ description: '1 for the first execution' }),
      idempotencyKey: z.string().meta({
        description: 'the same for every execution: hand it to whoever charges the card',
      }),
      input: json,
      until: instant.meta({ description: 'until when it is the worker’s' }),
    })
    .meta({ description: 'work that was handed to a worker, with all that it needs' }),
);
