/**
 * The servers that examples name, all of them played by one of ours: a `fetch` that asks it in
 * their place, with the host as the first part of the path. No name is looked up, and nothing
 * leaves the machine.
 */
import { once } from 'node:events';
import { type Json, parseJson } from '../src/base/json.ts';
import {
  type LocalAnswer,
  type LocalRequest,
  startHttpServer,
} from '../src/testing/http-server.ts';
import { HOSTS } from './examples-hosts.ts';
import type { Places } from './examples-places.ts';

/** How things are with these servers; each of it is so for one example and not for another. */
export interface Scenery {
  /** What whoever asks the pet store for a pet must show. */
  readonly authorization?: string;
  /** What is asked for has moved, and the answer says where to. */
  readonly moved?: boolean;
  /** The version of AsyncAPI of the document; 3 if not said. */
  readonly asyncapi?: 2 | 3;
}

/** A request as the server it was meant for would see it. */
export interface HostRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: LocalRequest['headers'];
  /** JSON if it is, else a text. */
  readonly body: Json;
  /** How often this was asked for, this time included. */
  readonly times: number;
  readonly scenery: Scenery;
  readonly places: Places;
  /** When whoever asked has gone away. */
  readonly gone: () => Promise<unknown>;
}

export interface HostAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; a text goes as it is. */
  readonly body?: Json;
}

export type Host = (request: HostRequest) => HostAnswer | Promise<HostAnswer>;

export interface World {
  readonly fetch: typeof fetch;
  /** What was asked, in order. */
  readonly asked: readonly HostRequest[];
  close(): Promise<void>;
}

export async function openWorld(scenery: Scenery, places: Places): Promise<World> {
  const asked: HostRequest[] = [];
  const server = await startHttpServer(async (local, response) => {
    const { method, headers } = local;
    const url = urlIn(local);
    const earlier = asked.filter((one) => one.method === method && one.url.href === url.href);
    const gone = (): Promise<unknown> => once(response, 'close');
    const times = earlier.length + 1;
    const body = bodyOf(local);
    const request = { method, url, headers, body, times, scenery, places, gone };
    asked.push(request);
    return answerOf((await HOSTS[url.hostname]?.(request)) ?? NOBODY);
  });
  return { fetch: standIn(server.url), asked, close: () => server.close() };
}

const NOBODY: HostAnswer = { status: 404, body: 'Not found' };

/** Servers of our own are on this machine, and asked as they are. */
function standIn(place: string): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname === '127.0.0.1') return fetch(url, init);
    if (HOSTS[url.hostname] === undefined) {
      throw new TypeError(`nobody stands in for ${url.hostname}`);
    }
    const scheme = url.protocol.slice(0, -1);
    return fetch(`${place}/${scheme}/${url.host}${url.pathname}${url.search}`, init);
  };
}

function urlIn({ path }: LocalRequest): URL {
  const [, scheme, rest] = /^\/(https?)\/(.*)$/s.exec(path) ?? [];
  return new URL(`${scheme}://${rest}`);
}

function bodyOf({ body }: LocalRequest): Json {
  try {
    return body === '' ? null : parseJson(body);
  } catch {
    // A form, say.
    return body;
  }
}

function answerOf({ status = 200, headers = {}, body = null }: HostAnswer): LocalAnswer {
  if (body === null) return { status, headers };
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain' : 'application/json';
  return {
    status,
    headers: { 'content-type': type, ...headers },
    body: isText ? body : JSON.stringify(body),
  };
}
