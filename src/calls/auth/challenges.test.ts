import { expect, test } from 'vitest';
import { parseChallenges } from './challenges.ts';

test.each<readonly [string, readonly (readonly [string, object])[]]>([
  ['', []],
  [', ,', []],
  ['Basic', [['basic', {}]]],
  ['Basic realm="a, \\"b\\" c"', [['basic', { realm: 'a, "b" c' }]]],
  ['Digest REALM = "a" , nonce=b', [['digest', { realm: 'a', nonce: 'b' }]]],
  [
    'Negotiate abc==, Basic realm=x',
    [
      ['negotiate', {}],
      ['basic', { realm: 'x' }],
    ],
  ],
  [
    'Digest realm="a", qop="auth,auth-int", algorithm=SHA-256, Digest algorithm=MD5, Bearer',
    [
      ['digest', { realm: 'a', qop: 'auth,auth-int', algorithm: 'SHA-256' }],
      ['digest', { algorithm: 'MD5' }],
      ['bearer', {}],
    ],
  ],
  ['realm="a"', [['realm', {}]]],
  [
    'Digest realm="never ends',
    [
      ['digest', {}],
      ['realm', {}],
    ],
  ],
])('%s is read', (header, wanted) => {
  const found = parseChallenges(header).map(({ scheme, parameters }) => [
    scheme,
    Object.fromEntries(parameters),
  ]);
  expect(found).toEqual(wanted);
});

test('a header that is made to take long does not', () => {
  const long = 'a="'.repeat(10_000) + ' ,'.repeat(10_000) + '\\'.repeat(10_000);
  expect(parseChallenges(`Digest ${long}`).length).toBeGreaterThan(0);
});
