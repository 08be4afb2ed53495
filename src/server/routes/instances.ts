/** Instances: started, found, looked at, and what was when. */
import { z } from 'zod';
import {
  type Engine,
  EngineError,
  type InstanceFilter,
  type Run,
  type StartOptions,
  type TallyOptions,
} from '../../index.ts';
import { own } from '../access/policy.ts';
import { said, waitMs } from '../asking.ts';
import { type Asked, type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import * as views from '../views.ts';

const id = z.strictObject({ id: schemas.name });

/** The instance, if it is there for whoever asks: that of another tenant is not. */
export async function runOf(asked: Asked<{ readonly id: string }>): Promise<Run> {
  const { engine, params, tenant } = asked;
  const run = await engine.get(params.id, tenant === null ? {} : { tenant });
  if (run !== undefined) return run;
  const message = `there is no instance ${params.id}`;
  throw new EngineError('instance.not-found', message, { details: { instance: params.id } });
}

/** A filter that means no more than the tenant. */
export function within(tenant: string | null, filter: InstanceFilter): InstanceFilter {
  return tenant === null ? filter : { ...filter, tenant };
}

const MADE = { Location: 'where it is found, relative to this request' };

const start = route({
  method: 'post',
  path: '/instances',
  operation: 'startInstance',
  tag: 'instances',
  summary: 'Starts an instance of a flow; its first commit is durable when this answers.',
  description:
    'Asked twice, it starts two, unless it has a `key` (at most one open instance of a tenant ' +
    'and a flow has it) or comes with an `Idempotency-Key`.',
  policy: own('start'),
  body: z.strictObject({
    flow: schemas.name,
    input: schemas.json.optional(),
    key: schemas.name.meta({ description: 'at most one open instance has it' }).optional(),
    onConflict: z
      .enum(['fail', 'existing'])
      .meta({ description: 'if one has the key: 409, or that one; `fail` if left out' })
      .optional(),
    priority: z.number().int().meta({ description: 'the higher, the sooner' }).optional(),
  }),
  example: { flow: 'order', input: { sku: 'A1' }, key: 'order-42', onConflict: 'existing' },
  repeats: 'keyed',
  answers: {
    201: { means: 'it has begun', body: views.started, headers: MADE },
    200: {
      means: 'an open instance has the key, and `onConflict` is `existing`',
      body: views.started,
      headers: MADE,
    },
  },
  problems: [404, 409, 422],
  async handle({ engine, body, tenant, receipt }) {
    const { flow, input = null, ...options } = body;
    const { id: made, existing } = await begin(engine, flow, input, {
      ...said(options),
      ...(tenant === null ? {} : { tenant }),
      ...(receipt === null ? {} : { id: receipt.instance }),
    });
    return {
      status: existing ? 200 : 201,
      body: { id: made, flow, existing },
      headers: { location: `instances/${encodeURIComponent(made)}` },
    };
  },
});

/** What was begun under the same key before, and could not be answered, is what was asked for. */
async function begin(
  engine: Engine,
  flow: string,
  input: unknown,
  options: StartOptions,
): Promise<Pick<Run, 'id' | 'existing'>> {
  try {
    return await engine.start(flow, input, options);
  } catch (thrown) {
    const isOurs =
      thrown instanceof EngineError &&
      thrown.code === 'instance.exists' &&
      thrown.details['instance'] === options.id &&
      options.id !== undefined;
    if (!isOurs) throw thrown;
    return { id: options.id as Run['id'], existing: false };
  }
}

/** In a query a list is a name that comes several times, and a range is two. */
const found = z.strictObject({
  flow: schemas.name.optional(),
  version: schemas.whole.optional(),
  status: schemas.several({ $ref: '#/components/schemas/InstanceStatus' }, views.status).optional(),
  stalled: schemas.flag.optional(),
  key: schemas.name.optional(),
  tenant: schemas.name.optional(),
  parent: schemas.name.optional(),
  createdAfter: schemas.moment.optional(),
  createdBefore: schemas.moment.optional(),
  endedAfter: schemas.moment.optional(),
  endedBefore: schemas.moment.optional(),
  error: schemas.name
    .meta({
      description:
        'the code of its fault, or of what waits in it as an incident; ' +
        '`bank.*` for all that begin so',
    })
    .optional(),
  errorNode: schemas.name.meta({ description: 'where that failed' }).optional(),
  errorContains: schemas.name.meta({ description: 'a part of its message' }).optional(),
  attribute: schemas
    .several({ type: 'string' }, z.string())
    .meta({ description: '`name=value`, several times for several; 12, true or "12" as in JSON' })
    .optional(),
  ...schemas.PAGE,
});

const list = route({
  method: 'get',
  path: '/instances',
  operation: 'listInstances',
  tag: 'instances',
  summary:
    'Instances, newest first, a page at a time. A page may be short and still have a cursor.',
  policy: own('read'),
  query: found,
  answers: { 200: { means: 'a page of them', body: schemas.page('instances', views.summary) } },
  async handle({ engine, query, tenant }) {
    const { attribute, limit, cursor, error: code, errorNode, errorContains, ...filter } = query;
    const named = attribute === undefined ? [] : [attribute].flat();
    const attributes = named.length === 0 ? {} : { attributes: attributesOf(named) };
    const error = { code, node: errorNode, contains: errorContains };
    const wrong = Object.values(error).every((part) => part === undefined) ? {} : { error };
    const page = await engine.list({
      ...within(tenant, { ...filter, ...attributes, ...wrong } as InstanceFilter),
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { body: page };
  },
});

const tally = route({
  method: 'get',
  path: '/instances/tally',
  operation: 'tallyInstances',
  tag: 'instances',
  summary: 'How many there are by flow, version and status, and what is wrong with them.',
  description:
    'Of more than 20,000 the newest are counted, and `isAll` is false. A cause is what failed ' +
    'with the same code at the same place: the filter `{ flow, error: { code, node } }` finds ' +
    'it. An instance whose id is `tally` is not found by `/instances/{id}`, but by all other ' +
    'routes.',
  policy: own('read'),
  query: z.strictObject({ flow: schemas.name.optional(), tenant: schemas.name.optional() }),
  answers: { 200: { means: 'how many', body: views.tally } },
  async handle({ engine, query, tenant }) {
    const whose = tenant === null ? query : { ...query, tenant };
    return { body: await engine.tally(whose as TallyOptions) };
  },
});

/** What reads as a number or a boolean is one; in quotes it is text all the same. */
function attributesOf(named: readonly string[]): Record<string, string | number | boolean> {
  const pairs = named.map((text) => {
    const at = text.indexOf('=');
    const said = text.slice(at + 1);
    if (at < 1) {
      throw new EngineError('engine.option-invalid', `an attribute is name=value; came "${text}"`);
    }
    return [text.slice(0, at), valueOf(said)] as const;
  });
  return Object.fromEntries(pairs);
}

function valueOf(said: string): string | number | boolean {
  if (said === 'true' || said === 'false') return said === 'true';
  if (/^-?\d+(\.\d+)?$/.test(said)) return Number(said);
  return /^".*"$/s.test(said) ? said.slice(1, -1) : said;
}

const get = route({
  method: 'get',
  path: '/instances/{id}',
  operation: 'getInstance',
  tag: 'instances',
  summary: 'Everything that is true of an instance now.',
  policy: own('read'),
  params: id,
  answers: { 200: { means: 'the instance', body: views.instance } },
  problems: [404],
  async handle(asked) {
    const run = await runOf(asked);
    return { body: await run.inspect() };
  },
});

const result = route({
  method: 'get',
  path: '/instances/{id}/result',
  operation: 'getResult',
  tag: 'instances',
  summary: 'What came of it; with `wait`, once it is over or so much time has passed.',
  description: 'However it ended: `status` says whether there is an `output` or a `fault`.',
  policy: own('read'),
  params: id,
  query: z.strictObject({ wait: schemas.wait.optional() }),
  answers: {
    200: { means: 'it is over', body: views.ended },
    202: { means: 'it goes on', body: views.ended },
  },
  problems: [404],
  async handle(asked) {
    const run = await runOf(asked);
    const timeout = waitMs(asked.query.wait, asked.premises.limits);
    await over(run, timeout, asked.signal);
    const { id: named, status, output, fault, endedAt } = await run.inspect();
    if (endedAt === null) return { status: 202, body: { id: named, status } };
    return { body: { id: named, status, output, fault } };
  },
});

/** However it ended, and also if it did not in time, or if nobody waits any more. */
async function over(run: Run, timeout: number, signal: AbortSignal): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const ended = run.result({ timeout }).then(
    () => {},
    (thrown: unknown) => {
      const code = thrown instanceof EngineError ? thrown.code : '';
      if (!ENDS.has(code)) throw thrown;
    },
  );
  await Promise.race([ended, gone]);
}

const ENDS: ReadonlySet<string> = new Set([
  ...['instance.failed', 'instance.canceled', 'result.timeout'],
]);

const tokens = route({
  method: 'get',
  path: '/instances/{id}/tokens',
  operation: 'listTokens',
  tag: 'instances',
  summary: 'The tokens of an instance that are alive.',
  policy: own('read'),
  params: id,
  answers: { 200: { means: 'all of them', body: z.object({ tokens: z.array(views.token) }) } },
  problems: [404],
  async handle(asked) {
    const run = await runOf(asked);
    return { body: { tokens: await run.tokens() } };
  },
});

const token = route({
  method: 'get',
  path: '/instances/{id}/tokens/{token}',
  operation: 'getToken',
  tag: 'instances',
  summary: 'One token of an instance.',
  policy: own('read'),
  params: z.strictObject({ id: schemas.name, token: schemas.whole }),
  answers: { 200: { means: 'the token', body: views.token } },
  problems: [404],
  async handle(asked) {
    const run = await runOf(asked);
    const found = (await run.tokens()).find((each) => each.id === asked.params.token);
    if (found !== undefined) return { body: found };
    const { id: instance, token: wanted } = asked.params;
    throw new EngineError('token.not-found', `instance ${instance} has no token ${wanted}`, {
      details: { instance, token: wanted },
    });
  },
});

const history = route({
  method: 'get',
  path: '/instances/{id}/history',
  operation: 'listHistory',
  tag: 'instances',
  summary: 'Commits in order, a page at a time; with `notes`, what was dropped instead.',
  policy: own('read'),
  params: id,
  query: z.strictObject({
    ...schemas.PAGE,
    notes: schemas.flag
      .meta({ description: 'results that came too late for any commit' })
      .optional(),
  }),
  answers: { 200: { means: 'a page of them', body: schemas.page('commits', views.commit) } },
  problems: [404],
  async handle(asked) {
    const run = await runOf(asked);
    const { limit = 100, cursor, notes = false } = asked.query;
    if (notes) return { body: { commits: await dropped(run), cursor: null } };
    const commits = await run.history({ after: numberIn(cursor), limit });
    const last = commits.at(-1);
    const isLast = commits.length < limit || last === undefined;
    return { body: { commits, cursor: isLast ? null : String(last.n) } };
  },
});

async function dropped(run: Run): Promise<unknown> {
  const entries = await run.history({ notes: true });
  return entries.filter(({ dropped: note }) => note !== undefined);
}

function numberIn(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  const message = `cursor is what the page before came with; came "${cursor}"`;
  throw new EngineError('engine.option-invalid', message);
}

const at = route({
  method: 'get',
  path: '/instances/{id}/at/{n}',
  operation: 'getInstanceAt',
  tag: 'instances',
  summary: 'The instance as it was after commit n.',
  policy: own('read'),
  params: z.strictObject({ id: schemas.name, n: schemas.whole }),
  answers: { 200: { means: 'the instance then', body: views.instance } },
  problems: [404],
  async handle(asked) {
    const run = await runOf(asked);
    return { body: await run.at(asked.params.n) };
  },
});

const exported = route({
  method: 'get',
  path: '/instances/{id}/export',
  operation: 'exportInstance',
  tag: 'instances',
  summary: 'All of it as one JSON value: `replay` shows it without the database.',
  policy: own('read'),
  params: id,
  answers: { 200: { means: 'the instance, its plan and its history', body: z.looseObject({}) } },
  problems: [404],
  async handle(asked) {
    const run = await runOf(asked);
    return { body: await run.export() };
  },
});

export const INSTANCE_ROUTES: readonly Route[] = [
  ...[start, list, tally, get, result, tokens, token, history, at, exported],
];
