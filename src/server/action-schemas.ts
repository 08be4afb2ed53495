/** What operators do to instances, and which are meant, as schemas. */
import { z } from 'zod';
import { json, name, named, number } from './schemas.ts';
import { status } from './views.ts';

const token = number.meta({ description: 'the number of a token' });

/** As the engine has them, but for what only a program of the same process can hand in. */
const ACTIONS = [
  named(
    'CancelAction',
    z
      .strictObject({
        do: z.literal('cancel'),
        saga: z.boolean().meta({ description: 'what was done is undone first' }).optional(),
        activity: name.meta({ description: 'only this one of a flowchart' }).optional(),
      })
      .meta({ description: 'ends it, and the instances it called' }),
  ),
  named(
    'SuspendAction',
    z
      .strictObject({ do: z.literal('suspend') })
      .meta({ description: 'nothing of it is due until it is resumed' }),
  ),
  named('ResumeAction', z.strictObject({ do: z.literal('resume') })),
  named(
    'RetryAction',
    z
      .strictObject({ do: z.literal('retry'), token: token.optional() })
      .meta({ description: 'what failed is run again; without a token, all that did' }),
  ),
  named(
    'SkipAction',
    z
      .strictObject({ do: z.literal('skip'), token, result: json.optional() })
      .meta({ description: 'a token goes on as if this were its result' }),
  ),
  named(
    'ReviveAction',
    z
      .strictObject({ do: z.literal('revive') })
      .meta({ description: 'a failed instance goes on where it failed' }),
  ),
  named(
    'WakeAction',
    z
      .strictObject({
        do: z.literal('wake'),
        token: token.optional(),
        data: json.optional(),
        vars: z.record(name, json).meta({ description: 'variables of its scope' }).optional(),
        arm: name.meta({ description: 'of several it waits for, this one' }).optional(),
      })
      .meta({ description: 'a waiting token has what it waits for' }),
  ),
  named(
    'SetAction',
    z
      .strictObject({ do: z.literal('set'), name, value: json, scope: number.optional() })
      .meta({ description: 'a variable has another value, in a scope or for all of it' }),
  ),
  named(
    'MoveAction',
    z
      .strictObject({ do: z.literal('move'), token, to: name })
      .meta({ description: 'a token goes on at another node of its region' }),
  ),
  named(
    'SendAction',
    z
      .strictObject({ do: z.literal('send'), type: name, data: json.optional() })
      .meta({ description: 'a message for it alone' }),
  ),
  named(
    'RerunAction',
    z
      .strictObject({
        do: z.literal('rerun'),
        from: name.meta({ description: 'the name of a node' }),
        copy: z.boolean().meta({ description: 'a new instance does that' }).optional(),
        key: name.meta({ description: 'the business key of the copy' }).optional(),
      })
      .meta({ description: 'goes back to when it last came to a node, and on from there' }),
  ),
  named(
    'MigrateAction',
    z
      .strictObject({
        do: z.literal('migrate'),
        version: number,
        from: number.meta({ description: 'what runs another version is left' }).optional(),
        nodes: z
          .record(z.string(), z.string())
          .meta({ description: 'what nodes are called there, by what they are called here' })
          .optional(),
      })
      .meta({ description: 'goes on by another version of its flow' }),
  ),
] as const;

export const action: z.ZodDiscriminatedUnion = named(
  'Action',
  z
    .discriminatedUnion('do', ACTIONS)
    .meta({ description: 'what is done to an instance; see docs/operating.md' }),
);

const moment = z
  .union([z.number().int(), z.string().min(1).max(64)])
  .meta({ description: 'milliseconds since 1970, or as of ISO 8601' });

/** Which instances are meant, in a body; in a query the same is text. */
export const filter: z.ZodType = named(
  'InstanceFilter',
  z
    .strictObject({
      flow: name.optional(),
      version: number.optional(),
      status: z.union([status, z.array(status).min(1)]).optional(),
      stalled: z.boolean().optional(),
      key: name.optional(),
      tenant: name.optional(),
      parent: name.meta({ description: 'the id of the instance that called it' }).optional(),
      createdAfter: moment.optional(),
      createdBefore: moment.optional(),
      endedAfter: moment.optional(),
      endedBefore: moment.optional(),
      error: z
        .union([
          name,
          z.strictObject({
            code: name.optional(),
            contains: name.meta({ description: 'a part of the message' }).optional(),
            node: name.meta({ description: 'where it failed' }).optional(),
          }),
        ])
        .meta({
          description:
            'the code of its fault, or of what waits in it as an incident; ' +
            '`bank.*` for all that begin so',
        })
        .optional(),
      attributes: z
        .record(
          name,
          z.union([
            z.string(),
            z.number(),
            z.boolean(),
            z.strictObject({ from: z.number().optional(), to: z.number().optional() }),
          ]),
        )
        .meta({ description: 'what its flow has it found by' })
        .optional(),
    })
    .meta({ description: 'what is left out leaves out nobody' }),
);
