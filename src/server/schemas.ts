/**
 * The words that routes are made of, as schemas. They check what comes in, and they are what the
 * document says of the API. What comes out is in `views.ts`.
 */
import { z } from 'zod';
import { type ProblemCode, STATUSES } from './problem.ts';

/** Names under which schemas stand in the document. */
export const NAMED: z.core.$ZodRegistry<{ id: string }> = z.registry<{ id: string }>();

/** What the document says in the place of a schema, because it is the same to a client. */
export const SHOWN: z.core.$ZodRegistry<{ as: object }> = z.registry<{ as: object }>();

export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMED.add(schema, { id });
  return schema;
}

/** In a query everything is text: what a client has is what it is read as. */
function shown<Schema extends z.ZodType>(as: object, schema: Schema): Schema {
  SHOWN.add(schema, { as });
  return schema;
}

/** Longer ones stand in no index of a database. */
const NAME_CHARS_MAX = 500;

export const name: z.ZodString = z.string().min(1).max(NAME_CHARS_MAX);
export const json: z.ZodType = z.unknown().meta({ description: 'any JSON' });
export const instant: z.ZodNumber = z
  .number()
  .int()
  .meta({
    description: 'milliseconds since 1970',
    examples: [1_767_225_600_000],
  });
export const duration: z.ZodType<string | number> = z
  .union([z.string().min(1).max(64), z.number().int().nonnegative()])
  .meta({
    description: "'250ms', '30s', '7d', ISO 8601, or milliseconds",
    examples: ['30s', 'PT30S', 30_000],
  });
export const flag: z.ZodType<boolean> = shown(
  { type: 'boolean' },
  z.enum(['true', 'false']).transform((text) => text === 'true'),
);
export const whole: z.ZodType<number> = shown(
  { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
  z
    .string()
    .regex(/^\d{1,15}$/, 'is a whole number')
    .transform(Number),
);
export const signed: z.ZodType<number> = shown(
  { type: 'integer', minimum: -999_999_999_999_999, maximum: 999_999_999_999_999 },
  z
    .string()
    .regex(/^-?\d{1,15}$/, 'is a whole number')
    .transform(Number),
);
/** How long a request waits for something to happen. */
export const wait: z.ZodString = z
  .string()
  .max(64)
  .meta({
    description: 'how long to wait for it: 250ms, 30s or 1m, at most WAIT_MS_MAX',
    examples: ['30s'],
  });
export const number: z.ZodNumber = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
/** A moment in a query. */
export const moment: z.ZodString = z
  .string()
  .max(64)
  .meta({
    description: 'as of ISO 8601',
    examples: ['2026-01-01T00:00:00Z'],
  });

/** In a query a list is a name that comes several times. */
export function several<Item extends z.ZodType>(
  items: object,
  item: Item,
): z.ZodUnion<[Item, z.ZodArray<Item>]> {
  return shown({ type: 'array', items }, z.union([item, z.array(item)]));
}

/** Of every list. */
export const PAGE: {
  readonly limit: z.ZodOptional<z.ZodType<number>>;
  readonly cursor: z.ZodOptional<z.ZodString>;
} = {
  limit: whole.meta({ description: '1 to 1000; 100 if left out' }).optional(),
  cursor: z.string().min(1).max(2_000).meta({ description: 'of the page before' }).optional(),
};

export function page<Item extends z.ZodType>(items: string, item: Item): z.ZodType {
  const cursor = z.string().nullable().meta({
    description: 'for the next page; null on the last. A page may be short and still have one',
  });
  return z.object({ [items]: z.array(item), cursor });
}

/** Both stand in the history of what was done. */
export const ACTING: {
  readonly actor: z.ZodOptional<z.ZodString>;
  readonly reason: z.ZodOptional<z.ZodString>;
} = {
  actor: name.meta({ description: 'in whose name; needs the scope act-as' }).optional(),
  reason: z.string().max(2_000).meta({ description: 'why; stands in the history' }).optional(),
};

/** A client that was generated from an older document meets codes it does not know. */
const code = named(
  'ProblemCode',
  z.enum(Object.keys(STATUSES) as [ProblemCode, ...ProblemCode[]]).meta({
    description: 'what a client switches on; there may be more of them in later versions',
  }),
);

export const problem: z.ZodType = named(
  'Problem',
  z
    .object({
      type: z.string().meta({ description: 'names the code; not meant to be fetched' }),
      title: z.string(),
      status: z.number().int(),
      detail: z.string().meta({ description: 'for people: what was expected and what came' }),
      code,
      retryable: z.boolean().meta({
        description: 'the same request may succeed later without anyone changing anything',
      }),
      details: z
        .record(z.string(), json)
        .meta({ description: 'what belongs to the code, such as the `problems` of a body' })
        .optional(),
    })
    .meta({
      description: 'what went wrong (RFC 9457); switch on `code`',
      examples: [
        {
          type: 'urn:perdure:problem:instance.not-found',
          title: 'instance not found',
          status: 404,
          detail: 'there is no instance 42',
          code: 'instance.not-found',
          retryable: false,
          details: { instance: '42' },
        },
      ],
    }),
);
