/** Stories of addresses: what is of this machine, and what belongs together. */
import { expect, test } from 'vitest';
import { isLoopback, isLoopbackName, networkOf } from './address.ts';

test('only addresses that never leave the machine are of this machine', () => {
  const here = ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'];
  const there = [
    ...['126.255.255.255', '128.0.0.0', '0.0.0.0', '::', '10.0.0.1', '::2', '::ffff:10.0.0.1'],
    ...['', 'localhost', '127.0.0.1.example.com', '127.1', '2130706433', '0x7f.0.0.1'],
  ];
  for (const address of here) expect(isLoopback(address), address).toBe(true);
  for (const address of there) expect(isLoopback(address), address).toBe(false);
});

test('a name of this machine is one that nobody else can give out', () => {
  for (const name of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]']) {
    expect(isLoopbackName(name), name).toBe(true);
  }
  for (const name of ['localhost.example.com', 'x.localhost', '127.1', '::1', '[::]', '']) {
    expect(isLoopbackName(name), name).toBe(false);
  }
});

test('addresses of IPv6 belong together by their /64, those of IPv4 to nobody else', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(networkOf('2001:0DB8:1:2::9')).toBe('2001:db8:1:2::/64');
  expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0::/64');
  expect(networkOf('2001:db8:1:3::9')).not.toBe(networkOf('2001:db8:1:2::9'));
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
  expect(networkOf('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0::/64');
});
