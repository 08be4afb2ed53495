/** Flows as the store keeps them: their versions, their plans, and new ones. */
import { z } from 'zod';
import { EngineError, type Flow } from '../../index.ts';
import { flowchartFromText } from '../../flowchart.ts';
import { serverless } from '../../serverless.ts';
import { all, shared } from '../access/policy.ts';
import { actingOf } from '../asking.ts';
import { RequestError } from '../problem.ts';
import { type Route, route } from '../route.ts';
import * as schemas from '../schemas.ts';
import * as views from '../views.ts';

const ONE = z.strictObject({ name: schemas.name, version: schemas.whole });

const list = route({
  method: 'get',
  path: '/definitions',
  operation: 'listDefinitions',
  tag: 'definitions',
  summary: 'Every version of every flow, or of the one that is named.',
  policy: shared('read'),
  query: z.strictObject({ name: schemas.name.optional() }),
  answers: {
    200: { means: 'all of them', body: z.object({ definitions: z.array(views.definition) }) },
  },
  async handle({ engine, query, tenant }) {
    const versions = await engine.flows.list(query.name);
    // How busy others are is nobody's business.
    const definitions =
      tenant === null ? versions : versions.map((each) => ({ ...each, open: null }));
    return { body: { definitions } };
  },
});

const plan = route({
  method: 'get',
  path: '/definitions/{name}/{version}',
  operation: 'getDefinition',
  tag: 'definitions',
  summary: 'The plan of a version: its nodes, and the ways between them.',
  policy: shared('read'),
  params: ONE,
  answers: { 200: { means: 'the plan', body: views.plan } },
  problems: [404],
  async handle({ engine, params }) {
    return { body: await engine.flows.plan(params.name, params.version) };
  },
});

const diff = route({
  method: 'get',
  path: '/definitions/{name}/diff',
  operation: 'diffDefinitions',
  tag: 'definitions',
  summary: 'What is otherwise in one version than in another, and what that means for what runs.',
  policy: shared('read'),
  params: z.strictObject({ name: schemas.name }),
  query: z.strictObject({ from: schemas.whole, to: schemas.whole }),
  answers: {
    200: {
      means: 'the differences',
      body: z.looseObject({
        differences: z.array(z.looseObject({ code: z.string(), message: z.string() })),
        renames: z.array(z.looseObject({ from: z.string(), to: z.string() })),
      }),
    },
  },
  problems: [404],
  async handle({ engine, params, query }) {
    return { body: await engine.flows.diff(params.name, query.from, query.to) };
  },
});

const SOURCE = z.strictObject({
  language: z.enum(['serverless', 'flowchart']),
  source: z
    .union([z.string(), z.looseObject({})])
    .meta({ description: 'YAML or JSON text, or JSON' }),
});

/** Longer than any definition that people write. */
const SOURCE_CHARS_MAX = 256 * 1024;
/** Deeper than any; readers of YAML take their time with what is deep. */
const SOURCE_DEPTH_MAX = 1_000;

function textOf(source: string | object): string {
  if (typeof source === 'string') return checked(source);
  let level: readonly unknown[] = [source];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > SOURCE_DEPTH_MAX) throw tooDeep();
    const parents = level.filter((each) => typeof each === 'object' && each !== null);
    level = parents.flatMap((each) => Object.values(each));
  }
  return checked(JSON.stringify(source));
}

/** Brackets in a text of the author's count, too: nobody has so many that are never closed. */
function checked(text: string): string {
  if (text.length > SOURCE_CHARS_MAX) {
    const message = `source has at most SOURCE_CHARS_MAX ${SOURCE_CHARS_MAX} characters`;
    throw new RequestError('request.invalid', message);
  }
  let depth = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth = Math.max(depth - 1, 0);
    if (depth > SOURCE_DEPTH_MAX) throw tooDeep();
  }
  return text;
}

function tooDeep(): RequestError {
  const message = `source is nested deeper than SOURCE_DEPTH_MAX ${SOURCE_DEPTH_MAX}`;
  return new RequestError('request.invalid', message);
}

function flowOf({ language, source }: z.output<typeof SOURCE>): Flow {
  const text = textOf(source);
  if (language === 'serverless') return serverless(text);
  const flow = flowchartFromText(text);
  const { diagnostics } = flow.definition;
  if (diagnostics.length === 0) return flow;
  const message = `${diagnostics.length} mistakes in the flowchart: ${diagnostics[0]?.message}`;
  throw new EngineError('definition.invalid', message, { details: { diagnostics } });
}

const HELLO = [
  ...['document:', "  dsl: '1.0.3'", '  namespace: docs', '  name: hello', "  version: '0.1.0'"],
  ...['do:', '  - greet:', '      set:', '        text: ${ "Hello, " + .name }', ''],
].join('\n');

const deploy = route({
  method: 'post',
  path: '/definitions',
  operation: 'deployDefinition',
  tag: 'definitions',
  summary: 'Adds a Serverless Workflow or a flowchart; from now on it can be started.',
  policy: all('deploy'),
  body: SOURCE,
  example: { language: 'serverless', source: HELLO },
  repeats: 'natural',
  answers: {
    201: {
      means: 'it is there',
      headers: { Location: 'where its plan is, relative to this request' },
      body: z.looseObject({ name: z.string(), version: z.number().int(), hash: z.string() }),
    },
  },
  problems: [422],
  async handle({ engine, body }) {
    const deployed = await engine.deploy(flowOf(body));
    const path = `definitions/${encodeURIComponent(deployed.name)}/${deployed.version}`;
    return { status: 201, body: deployed, headers: { location: path } };
  },
});

const validate = route({
  method: 'post',
  path: '/definitions/validate',
  operation: 'validateDefinition',
  tag: 'definitions',
  summary: 'What is wrong with a definition, all of it, each with its place. Nothing is kept.',
  policy: shared('read'),
  body: SOURCE,
  repeats: 'natural',
  answers: { 200: { means: 'what there is to say of it', body: views.diagnosed } },
  async handle({ body }) {
    try {
      flowOf(body);
      return { body: { ok: true, diagnostics: [] } };
    } catch (thrown) {
      if (!(thrown instanceof EngineError) || thrown.code !== 'definition.invalid') throw thrown;
      return { body: { ok: false, diagnostics: thrown.details['diagnostics'] ?? [] } };
    }
  },
});

const HALTING = z.strictObject({
  version: schemas.number.optional(),
  dryRun: z.boolean().optional(),
  ...schemas.ACTING,
});

const COUNTS = z.object({ suspended: z.number().int(), resumed: z.number().int() });

function halting(verb: 'suspend' | 'resume', summary: string): Route {
  return route({
    method: 'post',
    path: `/definitions/{name}/${verb}`,
    operation: `${verb}Definition`,
    tag: 'operating',
    summary,
    policy: all('admin'),
    params: z.strictObject({ name: schemas.name }),
    body: HALTING,
    repeats: 'natural',
    answers: { 200: { means: 'how many instances were told', body: COUNTS } },
    problems: [404],
    async handle(asked) {
      const { engine, params, body } = asked;
      const { version, dryRun = false } = body;
      if (dryRun) return { body: await engine.flows.preview(verb, params.name, version) };
      return { body: await engine.flows[verb](params.name, version, actingOf(asked)) };
    },
  });
}

const halts = route({
  method: 'get',
  path: '/halts',
  operation: 'listHalts',
  tag: 'operating',
  summary: 'Which flows and versions are suspended as a whole, by whom, and why.',
  policy: all('read'),
  answers: {
    200: {
      means: 'all that is said',
      body: z.object({ halts: z.array(z.looseObject({ flow: z.string() })) }),
    },
  },
  async handle({ engine }) {
    return { body: { halts: await engine.flows.halts() } };
  },
});

export const DEFINITION_ROUTES: readonly Route[] = [
  ...[list, diff, plan, deploy, validate, halts],
  halting('suspend', 'Suspends every instance of a flow or a version, and those that begin later.'),
  halting('resume', 'The other way round; what was suspended by itself stays so.'),
];
