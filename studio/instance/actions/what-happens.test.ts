import { expect, test } from 'vitest';
import type { Instance, Preview } from '../../api/shapes.ts';
import { contrasts, whatHappens } from './what-happens.ts';

const before = {
  ...{ flow: 'order', flowVersion: 1, status: 'failed' },
  tokens: [{ id: 7, node: 'charge', status: 'waiting', wait: { on: 'incident' } }],
  scopes: [{ id: 1, parent: null, vars: { card: '4000' } }],
} as unknown as Instance;

function preview(changes: Preview['changes'], after: object = {}): Preview {
  return { before, changes, after: { ...before, ...after } };
}

test('a preview says which token goes on where, and how the instance stands then', () => {
  const changes = [{ did: 'act' }, { did: 'wake-token', token: 7 }];
  expect(whatHappens(preview(changes, { status: 'running' }))).toEqual([
    ...['status failed → running', 'token 7 goes on at charge'],
  ]);
});

test('undoing is told by the step that is undone', () => {
  const token = { id: 9, node: 'reserve', mode: 'compensation' };
  expect(whatHappens(preview([{ did: 'birth-token', token }]))).toEqual(['undoes reserve']);
});

test('a token that is placed elsewhere says from where to where', () => {
  expect(whatHappens(preview([{ did: 'place-token', token: 7, node: 'pay' }]))).toEqual([
    ...['token 7 moves from charge to pay'],
  ]);
});

test('what changes nothing says so', () => {
  expect(whatHappens(preview([{ did: 'act' }]))).toEqual(['nothing changes now']);
  expect(contrasts(preview([]))).toEqual([]);
});

test('before and after have only what is otherwise', () => {
  const after = { scopes: [{ id: 1, parent: null, vars: { card: '4242' } }] };
  expect(contrasts(preview([], after))).toEqual([{ what: 'card', was: '"4000"', is: '"4242"' }]);
});
