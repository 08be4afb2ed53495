import { describe, expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import { classOf, isWithin, parseAddress, parseNetwork } from './addresses.ts';

function classified(text: string): string | undefined {
  const address = parseAddress(text);
  assert(address !== undefined, `"${text}" is an address`);
  return classOf(address);
}

test.each([
  ['0.0.0.0', 'unspecified'],
  ['0.255.255.255', 'unspecified'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.0', 'private'],
  ['100.127.255.255', 'private'],
  ['100.100.100.200', 'metadata'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['168.63.129.16', 'metadata'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'reserved'],
  ['192.0.0.192', 'metadata'],
  ['192.0.2.7', 'documentation'],
  ['192.88.99.1', 'reserved'],
  ['192.168.0.1', 'private'],
  ['198.18.0.1', 'reserved'],
  ['198.19.255.255', 'reserved'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.7', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.254', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'tunnel'],
  ['::10.0.0.1', 'tunnel'],
  ['::ffff:10.0.0.1', 'private'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:a9fe:a9fe', 'metadata'],
  ['::ffff:0:127.0.0.1', 'tunnel'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::169.254.169.254', 'metadata'],
  ['64:ff9b:1::8.8.8.8', 'private'],
  ['100::1', 'reserved'],
  ['2001::1', 'tunnel'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'tunnel'],
  ['2001:2::1', 'reserved'],
  ['2001:10::1', 'reserved'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', 'tunnel'],
  ['2002:808:808::1', 'tunnel'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'reserved'],
  ['fc00::1', 'private'],
  ['fdff:ffff::1', 'private'],
  ['fd00:ec2::254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['febf::1', 'link-local'],
  ['fec0::1', 'private'],
  ['ff02::1', 'multicast'],
])('%s is refused: it is %s', (text, is) => {
  expect(classified(text)).toBe(is);
});

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
  ...['172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['223.255.255.255', '2606:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888'],
  ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2001:200::1', '3ffe:ffff::1'],
])('%s is a public address', (text) => {
  expect(classified(text)).toBeUndefined();
});

describe('a network', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['10.1.2.3/32', '10.1.2.3', true],
    ['10.1.2.3/32', '10.1.2.4', false],
    ['0.0.0.0/0', '255.1.1.1', true],
    ['0.0.0.0/0', '::1', false],
    ['fc00::/7', 'fd12::1', true],
    ['fc00::/7', 'fe00::1', false],
    ['::/0', 'fe80::1', true],
  ])('%s and %s: %s', (network, address, is) => {
    const [place, within] = [parseAddress(address), parseNetwork(network)];
    assert(place !== undefined && within !== undefined, 'both can be read');
    expect(isWithin(place, within)).toBe(is);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', '::/129', 'a/8', '10.0.0/8', '10.0.0.0/', '10.0.0.0/8/8'])(
    '%s is none',
    (text) => {
      expect(parseNetwork(text)).toBeUndefined();
    },
  );
});

test('what is not an address is none', () => {
  for (const text of [
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    ':::',
    '1::2::3',
    '[::1]',
  ]) {
    expect(parseAddress(text), text).toBeUndefined();
  }
});
