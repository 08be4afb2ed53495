/** Names of tenants: apart from one another, and short. */
import { expect, test } from 'vitest';
import { givenName, ownName } from './own-names.ts';

test('what belongs to no tenant is called as it was given', () => {
  expect(ownName('k', null)).toBe('k');
  expect(givenName('k', null)).toBe('k');
});

test.each(['acme', 'a', '😀', 'x'.repeat(60), 'x'.repeat(61), '😀'.repeat(60), 'x'.repeat(500)])(
  'a name of %s is apart from that of others, and is given back',
  (tenant) => {
    const own = ownName('k', tenant);
    expect(new Set([own, 'k', ownName('k', 'other'), ownName('k', `${tenant}y`)]).size).toBe(4);
    expect(givenName(own, tenant)).toBe('k');
  },
);

test('tenants and names that read the same together are told apart', () => {
  expect(ownName('bc', 'a')).not.toBe(ownName('c', 'ab'));
  expect(ownName('x', '1 a')).not.toBe(ownName(' ax', '1'));
});

test('a tenant of any length adds little to a name', () => {
  expect(ownName('', 'x'.repeat(500))).toHaveLength(68);
  expect(ownName('', 'acme')).toBe('\u001f4 acme');
});
