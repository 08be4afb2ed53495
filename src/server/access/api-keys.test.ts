/** Stories of API keys: what a key is, whose it is, and which are none. */
import { timingSafeEqual } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ApiKey, ApiKeys, createApiKey, KEY_ID_CHARS_MAX } from './api-keys.ts';
import { NAME_CHARS_MAX } from './grant.ts';
import { ROLES, SCOPES } from './principal.ts';

const NOW = 1_700_000_000_000;
const LATER = Date.now() + 86_400_000;

const wrong = (message: RegExp): object =>
  expect.objectContaining({
    code: 'engine.option-invalid',
    message: expect.stringMatching(message),
  });

test('a key says which one it is, and the rest of it is 32 random bytes', () => {
  const one = createApiKey({ id: 'ci', role: 'starter' });
  const other = createApiKey({ id: 'ci', role: 'starter' });
  expect(one.key).toMatch(/^pdr_ci_[\w-]{43}$/);
  expect(Buffer.from(one.key.slice('pdr_ci_'.length), 'base64url')).toHaveLength(32);
  expect(other.key).not.toBe(one.key);
});

test('what is kept of a key is JSON, and the key is not in it', () => {
  const { key, record } = createApiKey({
    id: 'ci',
    scopes: ['read', 'start'],
    tenant: 'acme',
    expires: new Date(LATER),
    groups: ['builders'],
  });
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  expect(record).toEqual({
    id: 'ci',
    hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    scopes: ['read', 'start'],
    tenant: 'acme',
    expiresAt: LATER,
    groups: ['builders'],
  });
  expect(JSON.stringify(record)).not.toContain(key.slice('pdr_ci_'.length));
});

test('whoever has a key is who its record says', async () => {
  const ci = createApiKey({ id: 'ci', role: 'starter', tenant: 'acme', groups: ['builders'] });
  const ops = createApiKey({ id: 'ops_2', role: 'admin' });
  const keys = new ApiKeys([ci.record, JSON.parse(JSON.stringify(ops.record)) as ApiKey]);
  expect(await keys.find(ci.key, NOW)).toEqual({
    id: 'key:ci',
    tenant: 'acme',
    scopes: new Set(ROLES.starter),
    groups: ['builders'],
  });
  expect(await keys.find(ops.key, NOW)).toEqual({
    id: 'key:ops_2',
    tenant: null,
    scopes: new Set(SCOPES),
    groups: [],
  });
});

test('what is no key of anybody is nobody', async () => {
  const { key, record } = createApiKey({ id: 'ci', role: 'viewer' });
  const keys = new ApiKeys([record]);
  const stranger = createApiKey({ id: 'ci', role: 'viewer' }).key;
  const unknown = createApiKey({ id: 'cd', role: 'viewer' }).key;
  const last = key.endsWith('A') ? 'E' : 'A';
  const bad = [
    ...[stranger, unknown, `${key.slice(0, -1)}${last}`, key.slice(0, -1), `${key}A`],
    ...['', 'pdr_', 'pdr_ci_', `x${key}`, ` ${key}`, `${key}\n`, key.replace('pdr_', 'pdx_')],
    ...[key.replace('ci', 'c i'), key.replace('ci', ''), key.replace('ci', 'CI')],
  ];
  for (const text of bad) expect(await keys.find(text, NOW), text).toBeNull();
});

test('the hash of one key is of no use under the id of another', async () => {
  const { key, record } = createApiKey({ id: 'ci', role: 'viewer' });
  const keys = new ApiKeys([{ ...record, id: 'cd' }]);
  expect(await keys.find(key.replace('ci', 'cd'), NOW)).toBeNull();
});

test('a key is good until the moment it expires, and only who has it is told', async () => {
  const { key, record } = createApiKey({ id: 'ci', role: 'viewer', expires: LATER });
  const keys = new ApiKeys([record]);
  expect(await keys.find(key, LATER - 1)).toMatchObject({ id: 'key:ci' });
  expect(await keys.find(key, LATER)).toBe('expired');
  const stranger = createApiKey({ id: 'ci', role: 'viewer' }).key;
  expect(await keys.find(stranger, LATER)).toBeNull();
});

test('an id that nobody has costs the same comparison as one that is known', async () => {
  const { key, record } = createApiKey({ id: 'ci', role: 'viewer' });
  let compared = 0;
  const keys = new ApiKeys([record], (one, other) => {
    compared += 1;
    return timingSafeEqual(one, other);
  });
  await keys.find(key, NOW);
  expect(compared).toBe(1);
  await keys.find(createApiKey({ id: 'nobody', role: 'viewer' }).key, NOW);
  expect(compared).toBe(2);
});

test('keys are found where the application keeps them, as they are at that moment', async () => {
  const { key, record } = createApiKey({ id: 'ci', role: 'viewer' });
  const table = new Map([[record.id, record]]);
  const keys = new ApiKeys(async (id) => table.get(id));
  expect(await keys.find(key, NOW)).toMatchObject({ id: 'key:ci' });
  table.delete('ci');
  expect(await keys.find(key, NOW)).toBeNull();
});

test('an application that finds the wrong record lets nobody in', async () => {
  const { key, record } = createApiKey({ id: 'ci', role: 'viewer' });
  const other = createApiKey({ id: 'cd', role: 'admin' }).record;
  await expect(new ApiKeys(() => other).find(key, NOW)).rejects.toThrow(/found another/);
  const { tenant: _, ...noTenant } = record;
  const keys = new ApiKeys(() => noTenant as ApiKey);
  await expect(keys.find(key, NOW)).rejects.toThrow(/no record of one/);
});

test('an id and a tenant have a length', () => {
  const id = 'i'.repeat(KEY_ID_CHARS_MAX);
  const tenant = 't'.repeat(NAME_CHARS_MAX);
  expect(createApiKey({ id, role: 'viewer', tenant }).record).toMatchObject({ id, tenant });
  expect(() => createApiKey({ id: `${id}i`, role: 'viewer' })).toThrow(wrong(/1 to 64/));
  expect(() => createApiKey({ id, role: 'viewer', tenant: `${tenant}t` })).toThrow(
    wrong(/1 to 250/),
  );
});

test('a key that makes no sense is not made', () => {
  const make = (options: object) => (): unknown =>
    createApiKey({ id: 'ci', role: 'viewer', ...options });
  expect(make({ id: 'a key' })).toThrow(wrong(/^the id of a key/));
  expect(make({ id: '' })).toThrow(wrong(/^the id of a key/));
  expect(make({ scopes: ['read'] })).toThrow(wrong(/either a role or scopes/));
  expect(make({ role: undefined })).toThrow(wrong(/either a role or scopes/));
  expect(make({ role: 'toString' })).toThrow(wrong(/a role that is none of viewer/));
  expect(make({ role: undefined, scopes: [] })).toThrow(wrong(/one or more of read/));
  expect(make({ role: undefined, scopes: ['write'] })).toThrow(wrong(/one or more of read/));
  expect(make({ tenant: '' })).toThrow(wrong(/a tenant/));
  expect(make({ groups: ['a\nb'] })).toThrow(wrong(/groups, a list/));
  expect(make({ expires: 'soon' })).toThrow(wrong(/a time to come/));
  expect(make({ expires: Date.now() - 1 })).toThrow(wrong(/a time to come/));
});

test('records that make no sense are found when the server opens', () => {
  const { record } = createApiKey({ id: 'ci', role: 'viewer' });
  const open =
    (...keys: unknown[]) =>
    () =>
      new ApiKeys(keys as readonly ApiKey[]);
  const { tenant: _tenant, ...noTenant } = record;
  const { expiresAt: _expiresAt, ...noExpiry } = record;
  expect(open(record, { ...record })).toThrow(wrong(/two keys of the id "ci"/));
  expect(open(null)).toThrow(wrong(/it has an id/));
  expect(open({ ...record, hash: record.hash.slice(0, -1) })).toThrow(wrong(/"sha256:"/));
  expect(open({ ...record, role: 'root' })).toThrow(wrong(/a role that is none of/));
  expect(open({ ...record, role: undefined, scopes: ['all'] })).toThrow(wrong(/scopes/));
  expect(open(noTenant)).toThrow(wrong(/a tenant.*or null/));
  expect(open(noExpiry)).toThrow(wrong(/expiresAt/));
  expect(open({ ...record, groups: 'all' })).toThrow(wrong(/groups/));
  expect(() => new ApiKeys('pdr_ci' as unknown as [])).toThrow(wrong(/^keys is a list/));
});
