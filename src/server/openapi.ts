/** The OpenAPI 3.1 document, made from the routes themselves: it cannot say what is not so. */
import type { z } from 'zod';
import type { Policy } from './access/policy.ts';
import { ROLES } from './access/principal.ts';
import { answersOf, pascal, refusals } from './openapi-answers.ts';
import { Parts, type Schema } from './openapi-parts.ts';
import type { Route, Tag } from './route.ts';
import { problem } from './schemas.ts';

/** Of the API, not of the package: it grows when a client has to change. */
const API_VERSION = '1.0.0';

const ABOUT = `Durable workflows over HTTP: flows are deployed and started, instances looked at and
steered, tasks done, messages published, and work fetched by workers in any language.

Bodies are JSON. What is refused is answered with a problem (RFC 9457): switch on its \`code\`.
Lists come a page at a time: hand in the \`cursor\` of one page for the next. Requests that make
something take an \`Idempotency-Key\`: sent again with the same, they are done once.`;

const TAGS: Readonly<Record<Tag, string>> = {
  definitions: 'Flows, their versions and their plans.',
  instances: 'Runs of flows: started, found, looked at, and what was when.',
  events: 'What happens, as it happens, as server-sent events.',
  tasks: 'Work that waits for people.',
  messages: 'What instances wait for from outside.',
  schedules: 'Flows that are started by the clock.',
  work: 'Steps for workers that are programs of their own.',
  operating: 'What operators do to instances, to flows and to the store.',
  server: 'The server itself.',
};

export function documentOf(routes: readonly Route[], base: string): Schema {
  const parts = new Parts();
  parts.inline(problem, 'output');
  const paths: Record<string, Schema> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method] = operationOf(route, parts);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Perdure',
      version: API_VERSION,
      summary: 'Durable workflows over HTTP.',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base === '' ? '/' : base }],
    security: [{ bearer: [] }, { key: [] }, {}],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(parts.all).toSorted(byName)),
      responses: refusals(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'an API key, or a JWT' },
        key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'an API key' },
      },
    },
  };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function operationOf(route: Route, parts: Parts): Schema {
  const { operation, tag, summary, description, policy } = route;
  const parameters = [
    ...parametersOf(route.params, 'path', parts),
    ...parametersOf(route.query, 'query', parts),
    ...headersOf(route),
  ];
  const who = whoMay(policy);
  return {
    operationId: operation,
    tags: [tag],
    summary,
    description: description === undefined ? who : `${description}\n\n${who}`,
    ...(policy.for === 'anyone' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, route.body, parts) }),
    responses: answersOf(route, parts),
  };
}

function whoMay(policy: Policy): string {
  if (policy.for === 'anyone') return 'For anyone.';
  const { scope, tenants } = policy;
  const roles = Object.entries(ROLES).filter(([, scopes]) => scopes.includes(scope));
  const who = `Takes the scope \`${scope}\` (${roles.map(([role]) => role).join(', ')})`;
  return tenants === 'all' ? `${who}, and nobody who is of one tenant.` : `${who}.`;
}

function bodyOf({ operation, raw, example }: Route, body: z.ZodType, parts: Parts): Schema {
  // What a sender of webhooks has in them is for whoever is told of it.
  const schema = raw === true ? {} : parts.named(`${pascal(operation)}Request`, body, 'input');
  const shown = example === undefined ? {} : { example };
  return { required: true, content: { 'application/json': { schema, ...shown } } };
}

function parametersOf(of: z.ZodType | undefined, where: string, parts: Parts): readonly Schema[] {
  if (of === undefined) return [];
  const { properties = {}, required = [] } = parts.inline(of, 'input') as {
    readonly properties?: Record<string, Schema>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function headersOf({ repeats, answers, policy }: Route): readonly Schema[] {
  const header = (name: string, description: string): Schema => {
    return { name, in: 'header', description, schema: { type: 'string' } };
  };
  const found: Schema[] = [];
  if (repeats === 'keyed') {
    found.push(header('Idempotency-Key', 'asked again with the same, it is done once'));
  }
  if (answers[200]?.type === 'text/event-stream') {
    found.push(header('Last-Event-ID', 'the last event that was had'));
  }
  if (policy.for === 'scope' && policy.tenants === 'own') {
    found.push(header('Perdure-Tenant', 'only what is of this tenant'));
  }
  return found;
}
