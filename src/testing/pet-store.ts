/**
 * A small pet store on this machine, in the place of the two public servers that definitions of
 * others name: petstore.swagger.io, as Swagger 2.0 describes it, and `/basic-auth` of httpbin.org.
 *
 * `standIn` is a `fetch` that takes those hosts for this server, so that no name is looked up.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { type LocalRequest, type LocalServer, startHttpServer } from './http-server.ts';

interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

const HOSTS = ['petstore.swagger.io', 'httpbin.org'];

export function startPetStore(): Promise<LocalServer> {
  return startHttpServer((request) => {
    const { status, body, headers } = answerTo(request);
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
  });
}

/** Asks the server at `url` in the place of `hosts`, and `otherwise` for any other. */
export function standIn(
  url: string,
  { hosts = HOSTS, otherwise = refuse }: { hosts?: readonly string[]; otherwise?: Fetch } = {},
): Fetch {
  return async (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input);
    if (!hosts.includes(asked.hostname)) return otherwise(input, init);
    const target = new URL(`${asked.pathname}${asked.search}`, url);
    return fetch(input instanceof Request ? new Request(target, input) : target, init);
  };
}

type Fetch = typeof fetch;

const refuse: Fetch = async (input) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input);
  throw new TypeError(`nobody stands in for ${hostname}`);
};

function answerTo(request: LocalRequest): Answer {
  const url = new URL(request.path, 'http://store.invalid');
  const [first, second, third, ...more] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  if (first === 'basic-auth' && third !== undefined) {
    return logIn(request, second ?? '', third);
  }
  if (request.method !== 'GET' || first !== 'v2' || more.length > 0) return UNKNOWN;
  if (second === 'swagger.json') return { status: 200, body: DESCRIPTION };
  if (second !== 'pet') return UNKNOWN;
  if (third === 'findByStatus') return { status: 200, body: petsThatAre(url.searchParams) };
  return third === '1' || third === '2' ? { status: 200, body: petOf(Number(third)) } : UNKNOWN;
}

const UNKNOWN: Answer = {
  status: 404,
  body: { code: 404, type: 'unknown', message: 'Pet not found' },
};

function petOf(id: number): JsonObject {
  return { id, name: 'doggie', status: 'available', photoUrls: [], tags: [] };
}

function petsThatAre(query: URLSearchParams): Json {
  const wanted = query.getAll('status').flatMap((one) => one.split(','));
  return wanted.includes('available') ? [petOf(1), petOf(2)] : [];
}

function logIn({ headers }: LocalRequest, user: string, password: string): Answer {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  if (headers['authorization'] === expected) {
    return { status: 200, body: { authenticated: true, user } };
  }
  const realm = { 'www-authenticate': 'Basic realm="Fake Realm"' };
  return { status: 401, body: null, headers: realm };
}

/** What finding pets by their status takes and gives. */
export const BY_STATUS: JsonObject = {
  parameters: [
    {
      ...{ name: 'status', in: 'query', required: true, type: 'array' },
      ...{ items: { type: 'string' }, collectionFormat: 'multi' },
    },
  ],
  responses: { 200: { description: 'the pets' } },
};

const DESCRIPTION: JsonObject = {
  swagger: '2.0',
  info: { title: 'Swagger Petstore', version: '1.0.7' },
  host: 'petstore.swagger.io',
  basePath: '/v2',
  schemes: ['https', 'http'],
  paths: {
    '/pet/findByStatus': {
      get: {
        operationId: 'findPetsByStatus',
        produces: ['application/json', 'application/xml'],
        ...BY_STATUS,
      },
    },
    '/pet/{petId}': {
      get: {
        operationId: 'getPetById',
        produces: ['application/json', 'application/xml'],
        parameters: [{ name: 'petId', in: 'path', required: true, type: 'integer' }],
        responses: { 200: { description: 'the pet' }, 404: { description: 'no such pet' } },
      },
    },
  },
};
