import { describe, expect, it } from 'vitest';
import { actionOf, DRAFT, groupOf, NOTHING, planOf, plus, plusItem, reasonsIn } from './bulk.ts';

describe('an action for many', () => {
  it('is what was filled in', () => {
    expect(actionOf(DRAFT)).toEqual({ action: { do: 'retry' } });
    expect(actionOf({ ...DRAFT, deed: 'cancel', saga: false })).toEqual({
      action: { do: 'cancel', saga: false },
    });
    expect(actionOf({ ...DRAFT, deed: 'migrate', version: '2' })).toEqual({
      action: { do: 'migrate', version: 2 },
    });
    expect(actionOf({ ...DRAFT, deed: 'send', type: 'paid', data: '{"a":1}' })).toEqual({
      action: { do: 'send', type: 'paid', data: { a: 1 } },
    });
    expect(actionOf({ ...DRAFT, deed: 'set', name: 'n', value: 'null' })).toEqual({
      action: { do: 'set', name: 'n', value: null },
    });
  });

  it('is told by the field that is not right', () => {
    const fields = [
      { ...DRAFT, deed: 'migrate' as const, version: 'two' },
      { ...DRAFT, deed: 'send' as const },
      { ...DRAFT, deed: 'send' as const, type: 'x', data: '{' },
      { ...DRAFT, deed: 'set' as const },
      { ...DRAFT, deed: 'set' as const, name: 'n', value: 'text' },
    ].map((draft) => Object(actionOf(draft)).field);
    expect(fields).toEqual(['version', 'type', 'data', 'name', 'value']);
  });

  it('is another plan with another filter, other instances or another action', () => {
    const filter = { is: 'filter' as const, filter: { flow: 'a' }, words: 'flow:a' };
    const plans = [
      planOf(filter, { do: 'retry' }),
      planOf(filter, { do: 'cancel', saga: true }),
      planOf(filter, { do: 'cancel', saga: false }),
      planOf({ ...filter, filter: { flow: 'b' } }, { do: 'retry' }),
      planOf({ is: 'chosen', ids: ['a'] }, { do: 'retry' }),
    ];
    expect(new Set(plans).size).toBe(plans.length);
    expect(planOf({ ...filter }, { do: 'retry' })).toBe(plans[0]);
  });
});

describe('what came of it', () => {
  it('adds up over pages', () => {
    const page = { matched: 2, done: 1, unchanged: 0, refused: 1, failed: 0, items: [] };
    const sum = plusItem(plus(plus(NOTHING, page), page), { id: 'x', outcome: 'failed' });
    expect(sum.matched).toBe(5);
    expect(sum.counts).toEqual({ done: 2, unchanged: 0, refused: 2, failed: 1 });
  });

  it('is told by outcome and reason, what went wrong first', () => {
    const refused = (id: string) => ({
      ...{ id, outcome: 'refused' as const },
      error: { code: 'operation.refused', message: `instance ${id} is over` },
    });
    const reasons = reasonsIn([{ id: '1', outcome: 'done' }, refused('2'), refused('3')]);
    expect(reasons).toEqual([
      {
        ...{ outcome: 'refused', code: 'operation.refused', message: 'instance … is over' },
        ids: ['2', '3'],
      },
      { outcome: 'done', code: null, message: null, ids: ['1'] },
    ]);
  });
});

it('a group of failures is revived, and a group of incidents tried again', () => {
  const cause = { flow: 'pay', node: 'bank', code: 'bank.closed', count: 2, newest: 'x' };
  const error = { code: 'bank.closed', node: 'bank' };
  expect(groupOf({ ...cause, kind: 'failed', messages: [] })).toEqual({
    filter: { flow: 'pay', status: ['failed'], error },
    deed: 'revive',
  });
  expect(groupOf({ ...cause, kind: 'incident', messages: [] })).toEqual({
    filter: { flow: 'pay', status: ['running', 'waiting', 'compensating', 'suspended'], error },
    deed: 'retry',
  });
});
