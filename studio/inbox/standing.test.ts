import { describe, expect, test } from 'vitest';
import type { Task } from '../api/shapes.ts';
import { ruleText, seatStates, standingOf, stands } from './standing.ts';

const BASE: Task = {
  ...{ id: 'i:2', instance: 'i', token: 2, flow: 'order', version: 1, node: 'release' },
  ...{ key: null, tenant: null, title: null, data: null, priority: 0, due: null, followUp: null },
  ...{ attachments: [], createdAt: 1, suspended: false, trail: [], kind: 'approval' },
};

const both: Task = {
  ...BASE,
  seats: [{ name: 'finance' }, { name: 'ann' }],
  rule: { need: 'all', per: 'all' },
  votes: [{ seat: 'finance', actor: 'eve', decision: 'approve', at: 5 }],
  waitsFor: ['ann'],
  submitter: 'cleo',
};

describe('an approval', () => {
  test('is for those who have a seat that nobody has used, by name or by group', () => {
    expect(standingOf(both, { actor: 'ann', groups: [] }).canAct).toBe(true);
    expect(standingOf(both, { actor: 'bob', groups: ['ann'] }).canAct).toBe(true);
    expect(standingOf(both, { actor: 'bob', groups: ['finance'] })).toMatchObject({
      canAct: false,
      why: 'As bob you have no say in it. Still to speak: ann.',
    });
  });

  test('takes one vote of a person in a round', () => {
    const { canAct, why } = standingOf(both, { actor: 'eve', groups: ['ann'] });
    expect([canAct, why]).toEqual([false, expect.stringContaining('approved it already')]);
  });

  test('that was sent back is for its submitter alone', () => {
    const returned = { ...both, returned: true };
    expect(standingOf(returned, { actor: 'ann', groups: [] }).canAct).toBe(false);
    expect(standingOf(returned, { actor: 'cleo', groups: [] })).toMatchObject({
      ...{ canAct: true, canRecall: true },
    });
    expect(stands(returned, { actor: 'you', groups: [] })).toEqual([{ actor: 'cleo', groups: [] }]);
  });

  test('shows every seat with what was said from it', () => {
    expect(seatStates(both).map(({ vote }) => vote?.actor ?? null)).toEqual(['eve', null]);
  });
});

describe('a task', () => {
  const task: Task = { ...BASE, kind: 'task', assignee: null };

  test('without candidates is for anyone, and with them for those alone', () => {
    const anyone = standingOf({ ...task, candidates: null }, { actor: 'zoe', groups: [] });
    expect(anyone).toMatchObject({ canAct: true, canClaim: true });
    const offered = { ...task, candidates: { users: ['ann'], groups: ['office'] } };
    expect(standingOf(offered, { actor: 'zoe', groups: ['office'] }).canClaim).toBe(true);
    expect(standingOf(offered, { actor: 'office', groups: [] })).toMatchObject({
      canAct: false,
      why: 'It is open to ann, office only.',
    });
    expect(stands(offered, { actor: 'zoe', groups: [] })).toEqual([
      { actor: 'ann', groups: [] },
      { actor: 'zoe', groups: ['office'] },
    ]);
  });

  test('that is somebody’s is theirs to complete and to give back', () => {
    const taken = { ...task, assignee: 'ann' };
    expect(standingOf(taken, { actor: 'ann', groups: [] })).toMatchObject({
      ...{ canAct: true, canClaim: false, canUnclaim: true },
    });
    expect(standingOf(taken, { actor: 'bob', groups: [] }).why).toBe('It is ann’s to complete.');
  });
});

test('rules are told as people say them', () => {
  const seats = ['a', 'b', 'c'].map((name) => ({ name, group: name === 'c' ? 'y' : 'x' }));
  const told = [
    ruleText({ need: 'all', per: 'all' }, seats),
    ruleText({ need: 'all', per: 'all' }, seats.slice(1)),
    ruleText({ need: 2, per: 'all' }, seats),
    ruleText({ need: 1, per: 'all' }, seats),
    ruleText({ need: 1, per: 'group' }, seats),
    ruleText({ need: 2, per: 'all', rejectCounts: true }, seats),
  ];
  expect(told).toEqual([
    'All 3 must approve.',
    'Both must approve.',
    '2 of 3 must approve.',
    'One of 3 is enough.',
    'One of each group must approve (2 groups).',
    '2 of 3 must approve; a reject ends it only when too few are left to approve.',
  ]);
});
