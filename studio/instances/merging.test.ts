import { describe, expect, it } from 'vitest';
import type { InstanceSummary } from '../api/shapes.ts';
import { type Loaded, lengthened, refreshed } from './merging.ts';

function row(id: string, updatedAt = 1): InstanceSummary {
  return {
    ...{ id, updatedAt, flow: 'f', version: 1, status: 'running', key: null, tenant: null },
    ...{ fault: null, stalled: null, createdAt: 1, endedAt: null, attributes: {} },
  };
}

function loaded(ids: string, cursor: string | null): Loaded {
  return { rows: Array.from(ids, (id) => row(id)), cursor, changed: new Set() };
}

function idsOf({ rows }: Loaded): string {
  return rows.map(({ id }) => id).join('');
}

describe('a list that is asked for again', () => {
  it('has what is new on top, and keeps what was loaded behind it', () => {
    const next = refreshed(loaded('fedcba', 'after-a'), loaded('hgfed', 'after-d'));
    expect(idsOf(next)).toBe('hgfedcba');
    expect(next.cursor).toBe('after-a');
    expect([...next.changed]).toEqual(['h', 'g']);
  });

  it('loses what is no longer meant, and knows what has changed', () => {
    const fresh = { rows: [row('f'), row('d', 2), row('c')], cursor: 'after-c' };
    const next = refreshed(loaded('fedcba', 'after-a'), fresh);
    expect(idsOf(next)).toBe('fdcba');
    expect([...next.changed]).toEqual(['d']);
  });

  it('is only what is new if there is no knowing what lies between', () => {
    const next = refreshed(loaded('cba', null), loaded('zyx', 'after-x'));
    expect(idsOf(next)).toBe('zyx');
    expect(next.cursor).toBe('after-x');
  });

  it('is what came if that was all', () => {
    expect(idsOf(refreshed(loaded('cba', 'x'), loaded('b', null)))).toBe('b');
  });
});

it('a list that is made longer has nobody twice', () => {
  const next = lengthened(loaded('dcb', 'after-b'), loaded('ba', null));
  expect(idsOf(next)).toBe('dcba');
  expect(next.cursor).toBeNull();
});
