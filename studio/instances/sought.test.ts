import { describe, expect, it } from 'vitest';
import { askOf, EVERYTHING, filterOf, isCounted, soughtIn, spanOf } from './sought.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');

describe('a span of time', () => {
  it('is so long until now', () => {
    expect(spanOf('24h', NOW)).toEqual({ after: '2026-03-09T12:00:00.000Z' });
    expect(spanOf('2w', NOW)).toEqual({ after: '2026-02-24T12:00:00.000Z' });
  });

  it('is from one moment to another, of which one may be left out', () => {
    expect(spanOf('2026-01-01T10:00Z..', NOW)).toEqual({ after: '2026-01-01T10:00:00.000Z' });
    expect(spanOf('..2026-01-01T10:00Z', NOW)).toEqual({ before: '2026-01-01T10:00:00.000Z' });
  });

  it('has its last day in it', () => {
    const { after = '', before = '' } = spanOf('2026-01-01..2026-01-01', NOW) ?? {};
    expect(Date.parse(before) - Date.parse(after)).toBe(86_400_000);
  });

  it('is nothing else', () => {
    for (const words of ['', '..', 'soon', '24', '1..2', '2026-13-01..', 'x..y..z']) {
      expect(spanOf(words, NOW)).toBeNull();
    }
  });
});

describe('what the server is asked', () => {
  const query = new URLSearchParams(
    'flow=order&version=2&status=failed&status=waiting&status=bogus&created=24h&error=bank.*' +
      '&errorNode=pay&errorContains=closed&attribute=size%3D12&attribute=sku%3D%2212%22&view=x',
  );

  it('has the names of the API', () => {
    const asked = Object.entries(askOf(soughtIn(query), NOW));
    const said = asked.filter(([, value]) => value !== null && value !== undefined);
    expect(Object.fromEntries(said)).toEqual({
      ...{ flow: 'order', version: 2, status: ['waiting', 'failed'] },
      ...{ error: 'bank.*', errorNode: 'pay', errorContains: 'closed' },
      ...{ createdAfter: '2026-03-09T12:00:00.000Z', attribute: ['size=12', 'sku="12"'] },
    });
  });

  it('is a filter with types for a bulk', () => {
    expect(filterOf(soughtIn(query), NOW)).toEqual({
      ...{ flow: 'order', version: 2, status: ['waiting', 'failed'] },
      error: { code: 'bank.*', node: 'pay', contains: 'closed' },
      createdAfter: '2026-03-09T12:00:00.000Z',
      attributes: { size: 12, sku: '12' },
    });
    expect(filterOf(EVERYTHING, NOW)).toEqual({});
  });
});

it('counts by flow, version and status say nothing once anything else is asked for', () => {
  const counted = soughtIn(new URLSearchParams('flow=a&version=1&status=failed'));
  expect(isCounted(counted)).toBe(true);
  expect(isCounted({ ...counted, key: 'k' })).toBe(false);
});
