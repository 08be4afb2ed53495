import { createServer as createPlain, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { serve } from '../../testing/called.ts';
import { createCertificate } from '../../testing/certificate.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { ask, guarded, requestFor, textOf } from '../../testing/guarded-http.ts';
import { listenLocally } from '../../testing/local-port.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Where a server listens that names the connection by which it was asked. */
async function countingServer(server: Server = createPlain()): Promise<number> {
  const sockets: Socket[] = [];
  server.on('request', (request, response) => {
    if (!sockets.includes(request.socket)) sockets.push(request.socket);
    response.end(`${sockets.indexOf(request.socket) + 1}`);
  });
  servers.push(server);
  return listenLocally(server);
}

describe('a name', () => {
  test('is looked up once, and its connection made to what was checked', async () => {
    const server = await serve({ body: 'here' });
    const answers = [['127.0.0.1'], ['10.0.0.5'], ['10.0.0.5']];
    const asked: string[] = [];
    const client = guarded({
      resolve: async (name) => {
        asked.push(name);
        return answers.shift() ?? [];
      },
    });
    const { port } = new URL(server.url);
    const answer = await ask(client, `http://rebinding.example:${port}/`);
    expect(textOf(answer)).toBe('here');
    expect(asked).toEqual(['rebinding.example']);
    expect(server.requests[0]?.headers['host']).toBe(`rebinding.example:${port}`);
  });

  test('that leads to one refused address is refused, and nothing is sent', async () => {
    const server = await serve({});
    const client = guarded({ resolve: async () => ['127.0.0.1', '169.254.169.254'] });
    const error = await errorOf(ask(client, `http://mixed.example:${new URL(server.url).port}/`));
    expect(error).toMatchObject({ kind: 'authorization', status: 403, title: 'Address refused' });
    expect(error.detail).toContain('"mixed.example" leads to an address of metadata');
    expect(JSON.stringify(error)).not.toContain('169.254');
    expect(server.requests).toEqual([]);
  });

  test('is tried at each of its addresses', async () => {
    const server = await serve({ body: 'here' });
    // Nobody listens at the first, which is of this machine, too.
    const client = guarded({
      allow: ['127.0.0.0/8', '::1'],
      resolve: async () => ['127.0.0.9', '127.0.0.1'],
    });
    const { port } = new URL(server.url);
    expect(textOf(await ask(client, `http://two.example:${port}/`))).toBe('here');
  });

  test('is resolved by the system if nobody else is named for it', async () => {
    const server = await serve({ body: 'here' });
    const { port } = new URL(server.url);
    expect(textOf(await ask(guarded(), `http://localhost:${port}/`))).toBe('here');
    const error = await errorOf(ask(guarded({ allow: [] }), `http://localhost:${port}/`));
    expect(error).toMatchObject({ kind: 'authorization', status: 403 });
  });
});

describe('a connection', () => {
  test('is kept and used again, until the client is closed', async () => {
    const url = `http://127.0.0.1:${await countingServer()}/`;
    const client = guarded();
    expect(textOf(await ask(client, url))).toBe('1');
    expect(textOf(await ask(client, url, { method: 'POST', body: 'b' }))).toBe('1');
    client.close();
    expect(textOf(await ask(client, url))).toBe('2');
  });

  /** Closes every connection at the second request it brings. */
  async function cuttingServer(): Promise<string> {
    const seen = new WeakSet<Socket>();
    const server = createPlain((request, response) => {
      if (seen.has(request.socket)) return request.socket.destroy();
      seen.add(request.socket);
      return response.end('fine');
    });
    servers.push(server);
    return `http://127.0.0.1:${await listenLocally(server)}/`;
  }

  test.each(['GET', 'PUT', 'DELETE'])(
    'that was closed meanwhile is made anew for %s, which may be repeated',
    async (method) => {
      const url = await cuttingServer();
      const client = guarded();
      await ask(client, url, { method });
      expect(textOf(await ask(client, url, { method }))).toBe('fine');
    },
  );

  test('that was closed meanwhile fails a POST, which may have been done', async () => {
    const url = await cuttingServer();
    const client = guarded();
    await ask(client, url, { method: 'POST' });
    const error = await errorOf(ask(client, url, { method: 'POST' }));
    expect(error).toMatchObject({ kind: 'communication', status: 500 });
    expect(error.detail).toContain('ECONNRESET');
  });

  test('that is given up just as its answer ends harms nobody', async () => {
    const url = `http://127.0.0.1:${await countingServer()}/`;
    const client = guarded();
    const stop = new AbortController();
    const { body } = await client.open(requestFor(url, { signal: stop.signal }));
    // What comes is the whole answer, and its connection is about to be anybody's.
    expect(await body[Symbol.asyncIterator]().next()).toMatchObject({ done: false });
    stop.abort();
    expect(textOf(await ask(client, url))).toBe('2');
  });

  test('that a server closes at once, again and again, fails', async () => {
    const server = createPlain((request) => request.socket.destroy());
    servers.push(server);
    const url = `http://127.0.0.1:${await listenLocally(server)}/`;
    expect(await errorOf(ask(guarded(), url))).toMatchObject({ kind: 'communication' });
  });
});

describe('https', () => {
  async function secureServer(host: string): Promise<{ readonly port: number; ca: string }> {
    const { cert, key } = createCertificate(host);
    const server = createSecure({ cert, key });
    await countingServer(server);
    return { port: (server.address() as AddressInfo).port, ca: cert };
  }

  test('is spoken with whom a trusted certificate vouches for', async () => {
    const { port, ca } = await secureServer('shop.example');
    const client = guarded({ ca, resolve: async () => ['127.0.0.1'] });
    expect(textOf(await ask(client, `https://shop.example:${port}/`))).toBe('1');
    // With the full stop of the root it is the same name.
    expect(textOf(await ask(client, `https://shop.example.:${port}/`))).toBe('1');
    const local = await secureServer('127.0.0.1');
    const other = guarded({ ca: [ca, local.ca] });
    expect(textOf(await ask(other, `https://127.0.0.1:${local.port}/`))).toBe('1');
  });

  test('is not spoken with others', async () => {
    const { port, ca } = await secureServer('shop.example');
    const resolve = async (): Promise<string[]> => ['127.0.0.1'];
    const stranger = await errorOf(ask(guarded({ ca, resolve }), `https://bank.example:${port}/`));
    expect(stranger).toMatchObject({ kind: 'communication', status: 500 });
    expect(stranger.detail).toContain(
      'ERR_TLS_CERT_ALTNAME_INVALID, its certificate is for another',
    );
    const unknown = await errorOf(ask(guarded({ resolve }), `https://shop.example:${port}/`));
    expect(unknown.detail).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  });
});
