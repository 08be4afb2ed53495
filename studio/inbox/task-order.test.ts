import { expect, test } from 'vitest';
import type { Task } from '../api/shapes.ts';
import {
  matches,
  merged,
  nextAfter,
  questionsOf,
  type TaskFilter,
  withGone,
} from './task-order.ts';

function task(id: string, more: Partial<Task> = {}): Task {
  return {
    ...{ id, kind: 'task', instance: 'i', token: 2, flow: 'order', version: 1, node: 'pack' },
    ...{ key: null, tenant: null, title: null, data: null, priority: 0, due: null },
    ...{ followUp: null, attachments: [], createdAt: 1, suspended: false, trail: [] },
    ...more,
  };
}

const old = task('old', { createdAt: 1, due: null, priority: 1 });
const soon = task('soon', { createdAt: 2, due: 50, priority: 0 });
const urgent = task('urgent', { createdAt: 3, due: 90, priority: 9 });

test('what several questions find is one list, each once, in the order that was asked for', () => {
  const lists = [
    [urgent, old],
    [soon, old],
  ];
  const ids = (order: 'created' | 'due' | 'priority'): readonly string[] =>
    merged(lists, order).map(({ id }) => id);
  expect(ids('created')).toEqual(['old', 'soon', 'urgent']);
  expect(ids('due')).toEqual(['soon', 'urgent', 'old']);
  expect(ids('priority')).toEqual(['urgent', 'old', 'soon']);
});

test('a search looks at every word, also in what people are shown', () => {
  const one = task('x', { title: 'Pay out 500?', key: 'c-7', data: { name: 'Ada' } });
  expect(['pay C-7', 'ada', 'order', ''].map((words) => matches(one, words))).toEqual([
    ...[true, true, true, true],
  ]);
  expect(matches(one, 'pay bob')).toBe(false);
});

test('what comes after the last one is the one before it, and after the only one nothing', () => {
  expect(nextAfter([old, soon], 'old')?.id).toBe('soon');
  expect(nextAfter([old, soon], 'soon')?.id).toBe('old');
  expect(nextAfter([old], 'old')).toBeUndefined();
});

test('one that is done stays at its place while it is looked at', () => {
  const kept = withGone([old, urgent], { task: soon, at: 1 });
  expect(kept.map(({ id }) => id)).toEqual(['old', 'soon', 'urgent']);
  expect(withGone([old, soon], { task: soon, at: 0 })).toHaveLength(2);
});

test('a person and each of their groups are questions of their own', () => {
  const filter: TaskFilter = {
    ...{ who: 'mine' as const, order: 'due' as const },
    ...{ group: '', kind: 'task', flow: '', overdue: false },
  };
  expect(questionsOf(filter, { actor: 'ann', groups: ['x'] }, 9)).toEqual([
    { actor: 'ann', kind: 'task', order: 'due', limit: 9 },
    { group: 'x', kind: 'task', order: 'due', limit: 9 },
  ]);
  expect(questionsOf(filter, { actor: null, groups: [] }, 9)).toMatchObject([{ mine: true }]);
  expect(questionsOf({ ...filter, group: 'y' }, { actor: 'ann', groups: [] }, 9)).toEqual([
    { group: 'y', kind: 'task', order: 'due', limit: 9 },
  ]);
});
