/** The guarded client as tests use it: this machine is allowed, and it ends with the test. */
import { afterEach } from 'vitest';
import type { HttpAnswer, HttpClient, HttpRequest } from '../calls/calling.ts';
import {
  type ClosableHttpClient,
  createHttpClient,
  type HttpOptions,
} from '../calls/http/client.ts';

const clients: ClosableHttpClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

export function guarded(options: HttpOptions = {}): ClosableHttpClient {
  const client = createHttpClient({ allow: ['127.0.0.1', 'localhost'], ...options });
  clients.push(client);
  return client;
}

export function ask(
  client: HttpClient,
  url: string,
  parts: Partial<HttpRequest> = {},
): Promise<HttpAnswer> {
  return client.send(requestFor(url, parts));
}

export function requestFor(url: string, parts: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, signal: new AbortController().signal, ...parts };
}

export function textOf({ body }: HttpAnswer): string {
  return Buffer.from(body).toString('utf8');
}
