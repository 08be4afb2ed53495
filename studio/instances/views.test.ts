import { expect, it } from 'vitest';
import { BUILT_IN, keyed, viewsIn } from './views.ts';

it('what is kept of views may be anything, and only views are taken', () => {
  const view = { name: 'Mine', query: 'status=failed&flow=order' };
  expect(viewsIn(JSON.stringify([view, { name: 1 }, null, 'x', { name: '', query: '' }]))).toEqual([
    { name: 'Mine', query: 'flow=order&status=failed' },
  ]);
  expect(viewsIn('{')).toEqual([]);
  expect(viewsIn('{}')).toEqual([]);
});

it('views that are always there are in the order that queries are compared in', () => {
  for (const { query } of BUILT_IN) expect(keyed(query)).toBe(query);
});
