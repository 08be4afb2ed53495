/** Stories of the doorstep: who is not even asked who they are. */
import { expect, test } from 'vitest';
import { Doorstep, type DoorstepOptions, PREFLIGHT_SECONDS, type Visit } from './doorstep.ts';

type Headers = Readonly<Record<string, string>>;

const SAFE: Headers = { host: 'localhost:8080' };

function visit(headers: Headers, seen: Partial<Visit> = {}): Visit {
  const all = { ...SAFE, ...headers };
  const url = `http://${all.host}/`;
  return { header: (name) => all[name], peer: '127.0.0.1', url, ...seen };
}

/** The code by which it is refused; undefined if it is let in. */
function codeOf(options: Partial<DoorstepOptions>, seen: Visit): string | undefined {
  try {
    new Doorstep({ isOpen: true, ...options }).check(seen);
    return undefined;
  } catch (thrown) {
    return (thrown as { readonly code: string }).code;
  }
}

const byHost = (host: string, hosts?: readonly string[]): string | undefined =>
  codeOf({ hosts }, { ...visit({ host }), url: 'http://localhost/' });

test('a server goes by the names of its own machine, whatever the port', () => {
  const own = [
    ...['localhost', 'LOCALHOST', 'localhost:1', 'localhost:65535', '127.0.0.1', '127.0.0.1:80'],
    ...['127.9.9.9', '[::1]', '[::1]:8080'],
  ];
  const strange = [
    ...['', 'example.com', 'localhost.example.com', 'example.com:8080', '127.0.0.1.example.com'],
    ...['localhost.', 'x.localhost', 'localhost:', 'localhost:123456', 'localhost:80:80'],
    ...[
      '127.1',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
      '[::]',
      '::1',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
    ],
    ...['localhost/', 'localhost@example.com', 'example.com@localhost', 'localhost example.com'],
    ...['localhost, example.com', 'localhost\u0000', '127.0.0.1#', '*', 'ｌocalhost'],
  ];
  for (const host of own) expect(byHost(host), host).toBeUndefined();
  for (const host of strange) expect(byHost(host), host).toBe('access.host');
  const nameless = { ...visit({}), header: (): undefined => undefined };
  expect(codeOf({}, nameless)).toBe('access.host');
});

test('a server goes by the names it is given, too', () => {
  const hosts = [
    'api.example.com',
    'secure.example.com:8443',
    '*.apps.example.com',
    'tls.test:443',
  ];
  const own = [
    ...['api.example.com', 'API.Example.com:9000', 'secure.example.com:8443'],
    ...['a.apps.example.com', 'b.apps.example.com:8080', 'tls.test', 'tls.test:443', 'localhost'],
  ];
  const strange = [
    ...['example.com', 'evil-api.example.com', 'api.example.com.evil.com', 'xapi.example.com'],
    ...['secure.example.com', 'secure.example.com:8444', 'tls.test:80'],
    ...['apps.example.com', '.apps.example.com', 'a.b.apps.example.com', 'aapps.example.com'],
    ...['a.apps.example.com.evil.com', 'apiXexample.com'],
  ];
  for (const host of own) expect(byHost(host, hosts), host).toBeUndefined();
  for (const host of strange) expect(byHost(host, hosts), host).toBe('access.host');
});

test('pages of the server itself and of origins that are named may ask, and no others', () => {
  const options = { hosts: ['api.example.com'], origins: ['https://app.example.com'] };
  const by = (origin: string, url = 'https://api.example.com/'): string | undefined =>
    codeOf({ ...options, isOpen: false }, visit({ host: 'api.example.com', origin }, { url }));
  expect(by('https://api.example.com')).toBeUndefined();
  expect(by('https://app.example.com')).toBeUndefined();
  expect(by('http://api.example.com', 'http://api.example.com/')).toBeUndefined();
  const strange = [
    ...[
      'http://api.example.com',
      'https://api.example.com:8443',
      'https://api.example.com.evil.com',
    ],
    ...['https://evil.com', 'null', '', '*', 'https://app.example.com/', 'http://app.example.com'],
    ...['https://app.example.com:444', 'https://xapp.example.com', 'http://localhost', 'file://'],
    ...['https://app.example.com, https://evil.com', 'HTTPS://APP.EXAMPLE.COM'],
  ];
  for (const origin of strange) expect(by(origin), origin).toBe('access.origin');
});

test('a browser says when a page of another site is behind a request', () => {
  const by = (site: string, more: Headers = {}): string | undefined =>
    codeOf({ origins: ['https://app.test'] }, visit({ 'sec-fetch-site': site, ...more }));
  expect(by('same-origin')).toBeUndefined();
  expect(by('none')).toBeUndefined();
  for (const site of ['cross-site', 'same-site', 'something-new', '']) {
    expect(by(site), site).toBe('access.origin');
  }
  expect(by('cross-site', { origin: 'https://app.test' })).toBeUndefined();
  expect(by('cross-site', { origin: 'https://evil.test' })).toBe('access.origin');
  expect(by('same-origin', { origin: 'null' })).toBe('access.origin');
});

test('where nobody need say who they are, only this machine may ask', () => {
  for (const peer of ['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1']) {
    expect(codeOf({}, visit({}, { peer })), peer).toBeUndefined();
  }
  for (const peer of ['10.0.0.1', '192.168.1.2', '::ffff:10.0.0.1', 'fe80::1', '', undefined]) {
    expect(codeOf({}, visit({}, { peer })), peer).toBe('access.remote');
    expect(codeOf({ isOpen: false }, visit({}, { peer })), peer).toBeUndefined();
  }
});

test('a proxy on this machine does not make strangers local', () => {
  const headers = [
    ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'],
    ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'],
    ...['x-forwarded-server', 'x-forwarded-prefix'],
  ];
  for (const name of headers) {
    expect(codeOf({}, visit({ [name]: '127.0.0.1' })), name).toBe('access.remote');
    expect(codeOf({}, visit({ [name]: '' })), name).toBe('access.remote');
    expect(codeOf({ isOpen: false }, visit({ [name]: '127.0.0.1' })), name).toBeUndefined();
  }
});

test('a server that everybody could use does not listen where everybody is', () => {
  const open = new Doorstep({ isOpen: true });
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.2', 'LocalHost']) {
    expect(() => open.assertSafe(host), host).not.toThrow();
  }
  for (const host of ['0.0.0.0', '::', '', undefined, '10.0.0.1', 'example.com']) {
    expect(() => open.assertSafe(host), host).toThrow(
      expect.objectContaining({
        code: 'server.insecure',
        message: expect.stringMatching(/give access .* or listen on 127\.0\.0\.1$/),
      }),
    );
    expect(() => new Doorstep({ isOpen: false }).assertSafe(host), host).not.toThrow();
  }
});

test('only pages of origins that are named may read answers', () => {
  const named = new Doorstep({ isOpen: true, origins: ['https://app.test'] });
  const headersBy = (origin?: string): object =>
    named.corsHeaders((name) => (name === 'origin' ? origin : undefined));
  expect(headersBy('https://app.test')).toMatchObject({
    vary: 'Origin',
    'access-control-allow-origin': 'https://app.test',
  });
  expect(headersBy('https://evil.test')).toEqual({ vary: 'Origin' });
  expect(headersBy()).toEqual({ vary: 'Origin' });
  const none = new Doorstep({ isOpen: true });
  expect(none.corsHeaders(visit({ origin: 'https://app.test' }).header)).toEqual({});
});

test('what a browser asks ahead is answered to pages of origins that are named', () => {
  const named = new Doorstep({ isOpen: true, origins: ['https://app.test'] });
  const asked = { origin: 'https://app.test', 'access-control-request-method': 'POST' };
  const { header } = visit(asked);
  expect(named.isPreflight('OPTIONS', header)).toBe(true);
  expect(named.isPreflight('POST', header)).toBe(false);
  expect(named.isPreflight('OPTIONS', visit({ origin: 'https://app.test' }).header)).toBe(false);
  expect(named.preflight(header)).toEqual({
    vary: 'Origin',
    'access-control-allow-origin': 'https://app.test',
    'access-control-allow-methods': expect.stringContaining('POST'),
    'access-control-allow-headers': expect.stringContaining('authorization'),
    'access-control-expose-headers': expect.any(String),
    'access-control-max-age': `${PREFLIGHT_SECONDS}`,
  });
  const strange = visit({ ...asked, origin: 'https://evil.test' }).header;
  expect(() => named.preflight(strange)).toThrow(
    expect.objectContaining({ code: 'access.origin' }),
  );
  const elsewhere = visit({ ...asked, host: 'evil.test' }).header;
  expect(() => named.preflight(elsewhere)).toThrow(
    expect.objectContaining({ code: 'access.host' }),
  );
});

test('names and origins that are none are found when the server opens', () => {
  const open = (options: object) => () => new Doorstep({ isOpen: true, ...options });
  const wrong = expect.objectContaining({ code: 'engine.option-invalid' });
  const hosts = ['*', '', 'https://api.example.com', 'a b', '*.*.com', 'a.*.com', '*example.com'];
  for (const host of [...hosts, 'api.example.com/', 'api.example.com:', '.example.com', 7]) {
    expect(open({ hosts: [host] }), String(host)).toThrow(wrong);
  }
  expect(open({ hosts: 'api.example.com' })).toThrow(wrong);
  const origins = ['*', 'null', '', 'app.example.com', 'https://app.example.com/', 'file:///x'];
  for (const origin of [...origins, 'https://APP.example.com', 'https://app.example.com:443', 7]) {
    expect(open({ origins: [origin] }), String(origin)).toThrow(wrong);
  }
});
