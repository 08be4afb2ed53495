import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { createGuard, type GuardOptions } from './guard.ts';

/** How a URL is judged before anything is looked up: undefined if it may be asked for. */
function judged(url: string, options: GuardOptions = {}): WorkflowError | undefined {
  try {
    createGuard(options).check(new URL(url));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof WorkflowError) return thrown;
    throw thrown;
  }
}

describe('by default', () => {
  test.each([
    ['http://127.0.0.1/', 'a loopback address'],
    ['http://127.1/', 'a loopback address'],
    ['http://2130706433/', 'a loopback address'],
    ['http://0x7f000001/', 'a loopback address'],
    ['http://0x7f.0.0.1/', 'a loopback address'],
    ['http://0177.0.0.1/', 'a loopback address'],
    ['http://017700000001/', 'a loopback address'],
    ['http://127.0.0.1./', 'a loopback address'],
    ['http://%31%32%37.0.0.1/', 'a loopback address'],
    ['http://①②⑦.⓪.⓪.①/', 'a loopback address'],
    ['http://0/', 'an unspecified address'],
    ['http://[::]/', 'an unspecified address'],
    ['http://[::1]/', 'a loopback address'],
    ['http://[0:0:0:0:0:0:0:1]:8080/', 'a loopback address'],
    ['http://[::ffff:127.0.0.1]/', 'a loopback address'],
    ['http://[::ffff:7f00:1]/', 'a loopback address'],
    ['http://[::127.0.0.1]/', 'an IPv4 address in an old form of IPv6'],
    ['http://[2002:7f00:1::]/', 'an IPv4 address in an old form of IPv6'],
    ['http://[64:ff9b::7f00:1]/', 'a loopback address'],
    ['http://10.0.0.1:9200/', 'a private address'],
    ['http://0xa.1/', 'a private address'],
    ['http://172.16.5.4/', 'a private address'],
    ['http://192.168.1.1/', 'a private address'],
    ['http://100.64.0.1/', 'a private address'],
    ['http://[fd12:3456::1]/', 'a private address'],
    ['http://169.254.169.254/latest/meta-data/', 'an address of metadata'],
    ['http://2852039166/', 'an address of metadata'],
    ['http://[fd00:ec2::254]/', 'an address of metadata'],
    ['http://169.254.1.1/', 'a link-local address'],
    ['http://[fe80::1]/', 'a link-local address'],
    ['http://224.0.0.251/', 'a multicast address'],
    ['http://255.255.255.255/', 'the broadcast address'],
    ['http://240.0.0.1/', 'a reserved address'],
    ['http://192.0.2.1/', 'an address for documentation'],
    ['http://localhost/', 'a loopback address'],
    ['https://LOCALHOST:8443/', 'a loopback address'],
    ['http://localhost./', 'a loopback address'],
    ['http://api.localhost/', 'a loopback address'],
    ['http://localhost.localdomain/', 'a loopback address'],
    ['http://ip6-localhost/', 'a loopback address'],
    ['http://printer.local/', 'a link-local address'],
    ['http://metadata.google.internal/', 'a private address'],
    ['http://db.internal/', 'a private address'],
    ['http://nas.home.arpa/', 'a private address'],
  ])('%s is refused as %s', (url, words) => {
    const error = judged(url);
    expect(error).toMatchObject({ kind: 'authorization', status: 403 });
    expect(error?.detail).toContain(`is ${words}, which workflows may not reach`);
    expect(error?.detail).toMatch(/http\.allow or give --allow-net/);
  });

  test.each([
    'http://8.8.8.8/',
    'https://example.com/',
    'http://locals/',
    'http://internal.example/',
  ])('%s may be asked for, as far as it tells itself', (url) => {
    expect(judged(url)).toBeUndefined();
  });

  test.each(['file:///etc/hosts', 'ftp://example.com/', 'gopher://example.com/', 'data:,x'])(
    '%s is refused, since only http and https are spoken',
    (url) => {
      expect(judged(url)).toMatchObject({ kind: 'authorization', status: 403 });
    },
  );

  test.each(['http://name@example.com/', 'http://:secret-word@example.com/'])(
    'a URL with a name or a password in it is refused, without telling them: %s',
    (url) => {
      const error = judged(url);
      expect(error).toMatchObject({ kind: 'configuration', status: 400 });
      expect(error?.message).not.toMatch(/name@|secret-word/);
    },
  );
});

describe('what the host allows', () => {
  test.each([
    ['localhost', 'http://localhost:8080/', true],
    ['localhost', 'http://api.localhost/', false],
    ['localhost:8080', 'http://localhost:8080/', true],
    ['localhost:8080', 'http://localhost:8081/', false],
    ['localhost:443', 'https://localhost/', true],
    ['localhost:80', 'https://localhost/', false],
    ['LocalHost', 'http://localhost./', true],
    ['*.internal', 'http://db.internal/', true],
    ['*.internal', 'http://a.db.internal/', true],
    ['*.internal', 'http://internal/', false],
    ['*.internal:8080', 'http://db.internal/', false],
    ['127.0.0.1', 'http://127.0.0.1:1/', true],
    ['127.0.0.1', 'http://2130706433/', true],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]/', true],
    ['127.0.0.1', 'http://127.0.0.2/', false],
    ['127.0.0.1:8080', 'http://127.0.0.1:8081/', false],
    ['127.0.0.1', 'http://localhost/', false],
    ['10.1.0.0/16', 'http://10.1.255.255/', true],
    ['10.1.0.0/16', 'http://10.2.0.0/', false],
    ['10.1.0.0/16:8080', 'http://10.1.0.1:8080/', true],
    ['10.1.0.0/16:8080', 'http://10.1.0.1/', false],
    ['::1', 'http://[::1]:99/', true],
    ['[::1]:99', 'http://[::1]:99/', true],
    ['[::1]:99', 'http://[::1]:98/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['bücher.local', 'http://xn--bcher-kva.local/', true],
  ])('%s and %s: %s', (entry, url, isAllowed) => {
    expect(judged(url, { allow: ['8.8.8.8', entry] }) === undefined).toBe(isAllowed);
  });

  test.each([
    ...[
      '',
      '*',
      '*.',
      '*.*.com',
      'a*.com',
      'http://localhost',
      'localhost/path',
      'a b',
      '10.0.0.0/33',
    ],
    ...['localhost:0', 'localhost:65536', 'localhost:x', 'a@b', '*.127.0.0.1', '[::1', '1.2.3.4.5'],
  ])('an entry that is none is an error of its option: "%s"', (entry) => {
    const reading = (): unknown => createGuard({ allow: [entry] });
    expect(reading).toThrow(EngineError);
    expect(reading).toThrow(/http\.allow/);
  });

  test('neither is anything but a list of texts', () => {
    for (const allow of ['localhost', [80], [null], {}]) {
      const reading = (): unknown => createGuard({ allow: allow as readonly string[] });
      expect(reading).toThrow(expect.objectContaining({ code: 'engine.option-invalid' }));
    }
  });

  test('a port is one from 1 to 65535', () => {
    expect(judged('http://localhost:65535/', { allow: ['localhost:65535'] })).toBeUndefined();
    expect(judged('http://localhost:1/', { allow: ['localhost:1'] })).toBeUndefined();
  });
});

describe('the addresses of a name', () => {
  const url = new URL('http://shop.example:8080/');
  const found = (addresses: readonly string[], allow: readonly string[] = []) =>
    createGuard({ allow, resolve: async () => addresses }).addressesOf(url);

  test('are those it has, if all are public', async () => {
    expect(await found(['8.8.8.8', '2606:4700::1111'])).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test.each([
    [['10.0.0.5'], 'a private address'],
    [['8.8.8.8', '10.0.0.5'], 'a private address'],
    [['127.0.0.1'], 'a loopback address'],
    [['::ffff:169.254.169.254'], 'an address of metadata'],
    [['8.8.8.8', '::1'], 'a loopback address'],
    [['fe80::1%eth0'], 'a link-local address'],
  ])('are refused if one is not for workflows, and not told: %j', async (addresses, words) => {
    const error = await errorOf(found(addresses));
    expect(error).toMatchObject({ kind: 'authorization', status: 403 });
    expect(error.detail).toContain(`"shop.example" leads to ${words}`);
    for (const address of addresses) expect(error.message).not.toContain(address);
  });

  test.each([['shop.example'], ['*.example:8080'], ['10.0.0.5'], ['10.0.0.0/8:8080']])(
    'are allowed by %s',
    async (entry) => {
      expect(await found(['10.0.0.5'], [entry])).toHaveLength(1);
    },
  );

  test('are asked for once, and told to whoever does not speak HTTP', async () => {
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => {
      asked.push(name);
      return asked.length === 1 ? ['8.8.8.8'] : ['127.0.0.1'];
    };
    const { reach } = createGuard({ resolve });
    expect(await reach('broker.example', 1883)).toEqual({ address: '8.8.8.8', family: 4 });
    expect(asked).toEqual(['broker.example']);
    expect(await reach('8.8.4.4', 1883)).toMatchObject({ address: '8.8.4.4' });
    expect(await reach('2606:4700::1111', 1883)).toMatchObject({ family: 6 });
    expect(asked).toHaveLength(1);
    expect(await errorOf(reach('broker.example', 1883))).toMatchObject({ kind: 'authorization' });
    expect(await errorOf(reach('localhost', 1883))).toMatchObject({ kind: 'authorization' });
    expect(await errorOf(reach('a/b', 1883))).toMatchObject({ kind: 'configuration' });
  });

  test('that nobody knows are a communication error', async () => {
    const { reach } = createGuard({ resolve: async () => [] });
    const error = await errorOf(reach('nobody.example', 1));
    expect(error).toMatchObject({ kind: 'communication', status: 500 });
    expect(error.detail).toContain('ENOTFOUND');
  });
});
