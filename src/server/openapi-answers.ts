/** What a route answers, as the document says it: what it gives, and what it may refuse. */
import type { Parts, Schema } from './openapi-parts.ts';
import { PROBLEM_TYPE, STATUSES } from './problem.ts';
import type { AnswerSpec, Route } from './route.ts';

/** What any route may refuse. */
const ALWAYS: readonly number[] = [400, 403, 413, 421, 429, 500, 503];

export function answersOf(route: Route, parts: Parts): Schema {
  const { answers, problems = [], policy, body, method } = route;
  const found: Record<string, Schema> = {};
  for (const [status, answer] of Object.entries(answers)) {
    found[status] = answerOf(route, answer, parts);
  }
  const login = policy.for === 'anyone' ? [] : [401];
  const bodied = body === undefined ? [] : [415];
  const repeated = method === 'get' ? [] : [409, 422];
  for (const status of [...ALWAYS, ...login, ...bodied, ...repeated, ...problems]) {
    found[status] ??= { $ref: `#/components/responses/${refusalName(status)}` };
  }
  return found;
}

const REPLAYED = {
  'Idempotency-Replayed': '`true` if it was done before, and this is what came of it',
};

function answerOf(route: Route, answer: AnswerSpec, parts: Parts): Schema {
  const { means, body, type = 'application/json', headers = {} } = answer;
  const told = Object.entries({ ...headers, ...(route.repeats === 'keyed' ? REPLAYED : {}) });
  const name = `${pascal(route.operation)}Response`;
  const schema = body === undefined ? { type: 'string' } : parts.named(name, body, 'output');
  const hasBody = body !== undefined || type !== 'application/json';
  return {
    description: means,
    ...(told.length === 0 ? {} : { headers: Object.fromEntries(told.map(headerOf)) }),
    ...(hasBody ? { content: { [type]: { schema } } } : {}),
  };
}

function headerOf([name, description]: readonly [string, string]): readonly [string, Schema] {
  return [name, { description, schema: { type: 'string' } }];
}

/** Headers that tell what to do about it. */
const REMEDIES: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'how to say who one is' },
  409: { 'Retry-After': 'in seconds; of `idempotency.under-way`' },
  429: { 'Retry-After': 'in seconds' },
};

/** Every refusal there is, by status, with the codes that it may have. */
export function refusals(): Record<string, Schema> {
  const statuses = [...new Set(Object.values(STATUSES))].toSorted((one, other) => one - other);
  return Object.fromEntries(statuses.map((status) => [refusalName(status), refusal(status)]));
}

function refusal(status: number): Schema {
  const codes = Object.entries(STATUSES).filter(([, its]) => its === status);
  const headers = Object.entries(REMEDIES[status] ?? {});
  return {
    description: codes.map(([code]) => `\`${code}\``).join(', '),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers.map(headerOf)) }),
    content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function refusalName(status: number): string {
  return `Problem${status}`;
}

/** `startInstance` as `StartInstance`. */
export function pascal(operation: string): string {
  return operation.slice(0, 1).toUpperCase() + operation.slice(1);
}
