/** What every route has. That one without a policy is none is for the compiler to say. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ANYONE } from './access/policy.ts';
import { route } from './route.ts';
import { ROUTES } from './routes.ts';

const SPEC = {
  ...({ method: 'get', path: '/odd', operation: 'odd', tag: 'server' } as const),
  ...{ summary: 'Odd.', answers: { 200: { means: 'it is' } } },
  handle: async () => ({ body: null }),
};

test('a route without a policy does not compile', () => {
  // @ts-expect-error: nobody has said who may take it.
  const open = route(SPEC);
  expect(open.policy).toBeUndefined();
  expect(route({ ...SPEC, policy: ANYONE }).policy).toBe(ANYONE);
});

test('a policy of a scope that nobody has does not compile', () => {
  // @ts-expect-error: a scope is one of those that principals have.
  const open = route({ ...SPEC, policy: { for: 'scope', scope: 'everything', tenants: 'own' } });
  // @ts-expect-error: whose it is about is said.
  const whose = route({ ...SPEC, policy: { for: 'scope', scope: 'read' } });
  expect([open.operation, whose.operation]).toEqual(['odd', 'odd']);
});

test('a handler is given what the schemas of its route say, and nothing else', () => {
  const taken = route({
    ...{ ...SPEC, policy: ANYONE, params: z.strictObject({ id: z.string() }) },
    handle: async ({ params }) => {
      // @ts-expect-error: the path has no such part.
      return { body: [params.id, params.other] };
    },
  });
  expect(taken.operation).toBe('odd');
});

test('every route has a policy, and its own name and place', () => {
  const names = ROUTES.map(({ operation }) => operation);
  const places = ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(ROUTES.filter(({ policy }) => policy === undefined)).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(places).size).toBe(places.length);
});

test('every route that changes something says what becomes of a repeated request', () => {
  const silent = ROUTES.filter(({ method, repeats }) => method !== 'get' && repeats === undefined);
  expect(silent.map(({ operation }) => operation)).toEqual([]);
});
