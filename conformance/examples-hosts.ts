/** What each of the servers answers that examples ask. */
import type { JsonObject } from '../src/base/json.ts';
import {
  asyncApiDocument,
  LOG_FUNCTION,
  ORDERS_DOCUMENT,
  PET_STORE,
} from './examples-documents.ts';
import type { Host, HostAnswer } from './examples-world.ts';

/** What the authority hands out to whoever shows who it is. */
export const ACCESS_TOKEN = 'token-of-the-fake-authority';
/** A pet that the store does not have. */
export const NO_PET = 404;
/** A pet that can only be had the third time. */
export const SHY_PET = 503;

export function petOf(id: number): JsonObject {
  return { id, name: 'doggie', status: 'available', photoUrls: [], tags: [] };
}

const NOT_FOUND: HostAnswer = { status: 404, body: { code: 404, message: 'Pet not found' } };
const MOVED = 302;

const petStore: Host = ({ method, url, headers, body, times, scenery }) => {
  const [, , kind, rest = ''] = url.pathname.split('/');
  if (kind === 'swagger.json') return { body: PET_STORE };
  if (rest === 'findByStatus' && scenery.moved === true) {
    return { status: MOVED, headers: { location: `/v2/pets/available${url.search}` } };
  }
  if (rest === 'findByStatus' || rest === 'available') {
    return { body: url.searchParams.get('status') === 'available' ? [petOf(1), petOf(2)] : [] };
  }
  if (scenery.authorization !== undefined && headers['authorization'] !== scenery.authorization) {
    return { status: 401, body: { message: 'who are you?' } };
  }
  if (method === 'PUT') return { body };
  const id = Number(rest);
  if (method !== 'GET' || id === NO_PET || !Number.isInteger(id) || rest === '') return NOT_FOUND;
  return id === SHY_PET && times < 3 ? { status: 503 } : { body: petOf(id) };
};

export const HOMEWORLD = 'https://swapi.dev/api/planets/1/';
const LUKE = { name: 'Luke Skywalker', homeworld: HOMEWORLD };
export const TATOOINE: JsonObject = { name: 'Tatooine', climate: 'arid' };

const starWars: Host = ({ url, scenery }) => {
  const { pathname, searchParams } = url;
  const search = searchParams.get('search');
  if (/^\/api\/people\/?$/.test(pathname) && search !== null) {
    if (scenery.moved === true) {
      return { status: MOVED, headers: { location: `/api/v2/people/${url.search}` } };
    }
    return { body: found(search) };
  }
  if (pathname === '/api/v2/people/' && search !== null) return { body: found(search) };
  if (pathname === '/api/people/1') return { body: LUKE };
  return pathname === '/api/planets/1/' ? { body: TATOOINE } : NOT_FOUND;
};

export function found(search: string): JsonObject {
  const isHe = LUKE.name.toLowerCase().includes(search.toLowerCase());
  return { count: isHe ? 1 : 0, results: isHe ? [LUKE] : [] };
}

const REALM = 'http://keycloak/realms/fake-authority';

const authority: Host = ({ url, method, body }) => {
  const place = `${url.origin}${url.pathname}`;
  if (method === 'GET' && place === `${REALM}/.well-known/openid-configuration`) {
    return { body: { issuer: REALM, token_endpoint: `${REALM}/protocol/openid-connect/token` } };
  }
  const places = [`${REALM}/auth/token`, `${REALM}/protocol/openid-connect/token`];
  if (method !== 'POST' || !places.includes(place)) return NOT_FOUND;
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const isKnown =
    form.get('grant_type') === 'client_credentials' &&
    form.get('client_id') === 'workflow-runtime-id' &&
    form.get('client_secret') === 'workflow-runtime-secret';
  if (!isKnown) return { status: 401, body: { error: 'invalid_client' } };
  return { body: { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 300 } };
};

/** The nurse is there at once; the doctor never picks up. */
const hospital: Host = async ({ url, body, gone }) => {
  if (url.pathname === '/api/v3/alert/nurses') return { body: { alerted: 'nurse', for: body } };
  await gone();
  return { status: 503 };
};

const orders: Host = ({ url, body }) => {
  if (url.pathname === '/ordersservices.json') return { body: ORDERS_DOCUMENT };
  if (url.pathname === '/readings') return { status: 201, body: { logged: true } };
  return url.pathname === '/report' ? { body: { report: 'all is well', of: body } } : NOT_FOUND;
};

const fake: Host = async ({ url, places, scenery }) => {
  if (url.pathname === '/sample') return { body: { sample: true } };
  if (url.pathname !== '/docs/asyncapi.json') return NOT_FOUND;
  return { body: await asyncApiDocument(places, scenery.asyncapi ?? 3) };
};

export const LOG_PATH = '/serverlessworkflow/catalog/main/functions/log/1.0.0/function.yaml';

const catalog: Host = ({ url }) => (url.pathname === LOG_PATH ? { body: LOG_FUNCTION } : NOT_FOUND);

const echo =
  (more: JsonObject): Host =>
  ({ body }) => ({ body: { ...more, came: body } });

export const HOSTS: Readonly<Record<string, Host>> = {
  'petstore.swagger.io': petStore,
  'swapi.dev': starWars,
  keycloak: authority,
  'superbet-casinos.com': echo({ bet: 'placed' }),
  'fake-hospital.com': hospital,
  'virtual-wf-powered-race.com': echo({ car: 'started' }),
  'fake-chat-api.com': () => ({ status: 201, body: { posted: true } }),
  'example.com': echo({ backup: 'started' }),
  'hospital.example.com': echo({ nurse: 'called' }),
  'external-service.example.com': () => ({ status: 503 }),
  'staging.fake.com': () => ({ status: 202 }),
  'myorg.io': orders,
  'fake.com': fake,
  'raw.githubusercontent.com': catalog,
};
