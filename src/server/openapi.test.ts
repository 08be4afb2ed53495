/** The document is what OpenAPI calls one, and the server is what the document says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { documentText } from '../../scripts/openapi.ts';
import { walkEverything } from '../testing/api-walk.ts';
import { documentOf } from './openapi.ts';
import { STATUSES } from './problem.ts';
import { ROUTES } from './routes.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

const document = documentOf(ROUTES, '') as unknown as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every object in it, with where it stands. */
function* everything(value: unknown, path = '#'): Generator<readonly [string, object]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value];
  for (const [key, part] of Object.entries(value)) yield* everything(part, `${path}/${key}`);
}

function at(pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>((value, part) => Object(value)[part] as unknown, document);
}

function answerOf(operation: Operation, status: number): Answer | undefined {
  const answer = operation.responses[status];
  return answer?.$ref === undefined ? answer : (at(answer.$ref) as Answer);
}

/** The schemas refer to each other by their place in the document, so that is what ajv is given. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'urn:perdure:api', ...document });

function misfits(schema: object, value: unknown): unknown {
  const local = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/', '"urn:perdure:api#/'),
  ) as object;
  return ajv.validate(local, value) ? [] : ajv.errors;
}

test('the document is one of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('the schemas in it are JSON Schema of 2020-12', () => {
  const schemas = Object.entries(document.components.schemas);
  expect(schemas.length).toBeGreaterThan(50);
  for (const [name, schema] of schemas) {
    expect(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`).toBe(true);
    expect(() =>
      ajv.compile({ $ref: `urn:perdure:api#/components/schemas/${name}` }),
    ).not.toThrow();
  }
});

test('every route is in it, once and under a name of its own, and nothing else is', () => {
  const told = operations.map(({ path, method, operation }) => {
    return `${method} ${path} ${operation.operationId}`;
  });
  const there = ROUTES.map(({ method, path, operation }) => `${method} ${path} ${operation}`);
  expect(told.toSorted()).toEqual(there.toSorted());
  expect(new Set(ROUTES.map(({ operation }) => operation)).size).toBe(ROUTES.length);
});

test('every parameter of a path is declared, and none that is not in it', () => {
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const declared = (operation.parameters ?? []).filter(({ in: where }) => where === 'path');
    expect(declared.map(({ name }) => name).toSorted(), path).toEqual(inPath.toSorted());
    expect(declared.every(({ required }) => required === true)).toBe(true);
  }
});

test('whatever is referred to is there, and every schema that is there is referred to', () => {
  const refs = new Set<string>();
  for (const [path, part] of everything(document)) {
    if (!('$ref' in part)) continue;
    const ref = String(part.$ref);
    expect(at(ref), `${path} refers to ${ref}`).toBeTypeOf('object');
    refs.add(ref);
  }
  const homes = Object.keys(document.components.schemas);
  expect(homes.filter((name) => !refs.has(`#/components/schemas/${name}`))).toEqual([]);
});

test('a stranger is told what everything is for', () => {
  const tags = new Set(document.tags.map(({ name }) => name));
  for (const { operation } of operations) {
    expect(operation.summary, operation.operationId).toMatch(/\.$|…$/);
    expect(operation.description).toMatch(/Takes the scope|For anyone/);
    expect(operation.tags.every((tag) => tags.has(tag))).toBe(true);
    for (const status of Object.keys(operation.responses)) {
      expect(answerOf(operation, Number(status))?.description).not.toBe('');
    }
  }
  expect(at('#/components/schemas/Instance/properties/version')).toMatchObject({
    description: 'the number of commits so far',
  });
  expect(at('#/components/schemas/ProblemCode')).toMatchObject({ enum: Object.keys(STATUSES) });
});

test('every code of a problem is told with its status', () => {
  for (const [code, status] of Object.entries(STATUSES)) {
    const { description } = document.components.responses[`Problem${status}`] ?? {};
    expect(description).toContain(`\`${code}\``);
  }
});

test('every example is one', () => {
  const shown = operations.flatMap(({ operation }) => {
    return Object.values(operation.requestBody?.content ?? {}).flatMap((media) =>
      media.example === undefined ? [] : [{ ...media, operation: operation.operationId }],
    );
  });
  expect(shown.length).toBeGreaterThan(8);
  for (const { schema, example, operation } of shown) {
    expect(misfits(schema, example), operation).toEqual([]);
    const route = ROUTES.find((each) => each.operation === operation);
    expect(route?.body?.safeParse(example).error).toBeUndefined();
  }
});

const TOLD = ['Location', 'Idempotency-Replayed', 'Retry-After', 'WWW-Authenticate'];

test('whatever the server answers, the document says so', async () => {
  const answers = await walkEverything();
  const done = new Set(answers.filter(({ status }) => status < 300).map((each) => each.operation));
  expect(ROUTES.map(({ operation }) => operation).filter((name) => !done.has(name))).toEqual([]);
  for (const { operation: name, status, type, headers, body } of answers) {
    const which = `${name} ${status} ${JSON.stringify(body).slice(0, 500)}`;
    const operation = operations.find((each) => each.operation.operationId === name)?.operation;
    const told = operation === undefined ? undefined : answerOf(operation, status);
    expect(told, which).toBeDefined();
    const { content = {} } = told ?? {};
    expect(type === null ? [] : [type], which).toEqual(Object.keys(content));
    expect(misfits(content[type ?? '']?.schema ?? {}, body), which).toEqual([]);
    expect(Object.keys(told?.headers ?? {}), which).toEqual(
      expect.arrayContaining(TOLD.filter((header) => headers.has(header))),
    );
  }
  const statuses = new Set(answers.map(({ status }) => status));
  for (const status of [200, 201, 202, 204, 400, 401, 403, 404, 409, 415, 422]) {
    expect(statuses).toContain(status);
  }
});

test('the copy in docs is what the routes say; npm run openapi makes it', () => {
  const copy = readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8');
  expect(copy).toBe(documentText());
});
