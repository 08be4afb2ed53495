/** Examples of calls by HTTP, OpenAPI, gRPC and MCP, of functions, and of authentication. */
import type { Json, JsonObject } from '../src/base/json.ts';
import { type Example, type Examples, put, type Take } from './examples-case.ts';
import { ACCESS_TOKEN, found, HOMEWORLD, LOG_PATH, petOf, TATOOINE } from './examples-hosts.ts';

const PET = 'https://petstore.swagger.io/v2/pet';
const PEOPLE = 'https://swapi.dev/api/people/';
const REALM = 'http://keycloak/realms/fake-authority';

function authenticated(more: Partial<Take>, ...before: readonly string[]): Example['takes'] {
  const { input = {}, scenery = { authorization: 'Bearer of-mine' } } = more;
  const { authorization = '' } = scenery;
  return [
    {
      ...{ scenery, ends: { output: petOf(1) } },
      ...more,
      input: { petId: 1, ...(input as JsonObject) },
      asks: [...before, { ask: `GET ${PET}/1`, headers: { authorization } }],
    },
  ];
}

const TOKEN = { input: { token: 'of-mine' } };
const BY_AUTHORITY = { scenery: { authorization: `Bearer ${ACCESS_TOKEN}` } };
const POLICY: Json = {
  authority: REALM,
  grant: 'client_credentials',
  client: { id: 'workflow-runtime-id', secret: 'workflow-runtime-secret' },
};
const SECRET = { mySecret: { ...POLICY, endpoints: { token: '/auth/token' } } };
const DISCOVERY = `GET ${REALM}/.well-known/openid-configuration`;
const OIDC_TOKEN = `POST ${REALM}/protocol/openid-connect/token`;

export const AUTHENTICATION: Examples = {
  'authentication-bearer-uri-format.yaml': { rows: ['AU-02'], takes: authenticated(TOKEN) },
  'authentication-bearer.yaml': { rows: ['AU-02'], takes: authenticated(TOKEN) },
  'authentication-oauth2-secret.yaml': {
    rows: ['AU-04', 'AU-19'],
    takes: authenticated({ ...BY_AUTHORITY, secrets: SECRET }, `POST ${REALM}/auth/token`),
  },
  'authentication-oauth2.yaml': {
    rows: ['AU-04', 'AU-11'],
    takes: authenticated(BY_AUTHORITY, `POST ${REALM}/auth/token`),
  },
  'authentication-oidc-secret.yaml': {
    rows: ['AU-14', 'AU-19'],
    takes: authenticated(
      { ...BY_AUTHORITY, secrets: { mySecret: POLICY } },
      ...[DISCOVERY, OIDC_TOKEN],
    ),
  },
  'authentication-oidc.yaml': {
    rows: ['AU-14'],
    takes: authenticated(BY_AUTHORITY, DISCOVERY, OIDC_TOKEN),
  },
  'authentication-reusable.yaml': { rows: ['AU-17'], takes: authenticated(TOKEN) },
};

/** One pet is asked for, and is the output. */
const ONE_PET: Take = { input: { petId: 1 }, ends: { output: petOf(1) }, asks: [`GET ${PET}/1`] };

const STATUS = 'https://petstore.swagger.io/v2/pet/findByStatus?status=available';
const DOCUMENT = 'GET https://petstore.swagger.io/v2/swagger.json';
const PETS = { output: [petOf(1), petOf(2)] };
const LUKE_SOUGHT = { input: { searchQuery: 'luke' }, ends: { output: found('luke') } };

/** What the server of channels says, as MCP has it. */
function posted(token: string | null): Take['ends'] {
  const said = { channel: 'C1234567890', text: 'Hello, world! :wave:', token };
  return { output: { content: [{ type: 'text', text: JSON.stringify(said) }] } };
}

export const CALLS: Examples = {
  'call-http-endpoint-interpolation-shorthand.yaml': { rows: ['UR-01'], takes: [ONE_PET] },
  'call-http-endpoint-interpolation.yaml': { rows: ['UR-07'], takes: [ONE_PET] },
  'call-http-query-headers-expressions.yaml': {
    rows: ['HT-06', 'HT-07'],
    takes: [
      {
        ...LUKE_SOUGHT,
        asks: [{ ask: `GET ${PEOPLE}?search=luke`, headers: { accept: 'application/json' } }],
      },
    ],
  },
  'call-http-query-parameters.yaml': {
    rows: ['HT-07', 'DF-01'],
    takes: [
      { ...LUKE_SOUGHT, asks: [`GET ${PEOPLE}?search=luke`] },
      {
        about: 'without what its schema requires it asks nobody',
        ends: {
          error: {
            type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation',
            status: 400,
            title: /./,
            detail: /searchQuery/,
            instance: /^/,
          },
        },
      },
    ],
  },
  'call-http-redirect.yaml': {
    rows: ['HT-12'],
    takes: [
      {
        ...LUKE_SOUGHT,
        scenery: { moved: true },
        asks: [`GET ${PEOPLE}?search=luke`, 'GET https://swapi.dev/api/v2/people/?search=luke'],
      },
    ],
  },
  'star-wars-homeworld.yaml': {
    rows: ['DF-20', 'HT-05'],
    takes: [
      {
        input: { id: 1 },
        ends: { output: TATOOINE },
        asks: ['GET https://swapi.dev/api/people/1', `GET ${HOMEWORLD}`],
      },
    ],
  },
  'call-openapi.yaml': {
    rows: ['OA-01', 'OA-02'],
    takes: [{ ends: PETS, asks: [DOCUMENT, `GET ${STATUS}`] }],
  },
  'call-openapi-redirect.yaml': {
    rows: ['OA-08'],
    takes: [
      {
        scenery: { moved: true },
        ends: PETS,
        asks: [
          ...[DOCUMENT, `GET ${STATUS}`],
          'GET https://petstore.swagger.io/v2/pets/available?status=available',
        ],
      },
    ],
  },
  'call-grpc.yaml': {
    rows: ['GR-01', 'GR-02', 'GR-03'],
    takes: [
      {
        about: 'with the proto file and the port of a server that is here',
        text: async (text, places) => {
          const { proto, port } = await places.greeter();
          return put(put(text, 'file://app/greet.proto', proto), '5011', `${port}`);
        },
        input: { user: { preferredDisplayName: 'Ada' } },
        ends: { output: { message: 'Hello Ada' } },
      },
    ],
  },
  'call-mcp.yaml': {
    rows: ['MC-03', 'MC-08'],
    takes: [
      {
        about: 'with a program in the place of `npx`',
        allows: { process: ['npx'] },
        ends: posted('xoxp-xv6Cv3jKqNW8esm5YnsftKwIzoQHUzAP'),
      },
      {
        about: 'the same over HTTP',
        text: async (text, places) => {
          const [before = ''] = text.split(/^ *stdio:/m);
          return `${before}          http: { endpoint: "${(await places.slack()).url}" }\n`;
        },
        ends: posted(null),
      },
    ],
  },
  'call-custom-function-inline.yaml': {
    rows: ['FN-01', 'FN-02'],
    takes: [{ ends: { output: petOf(69) }, asks: [`GET ${PET}/69`] }],
  },
  'call-custom-function-cataloged.yaml': {
    rows: ['FN-05'],
    takes: [
      {
        about: 'with a function of ours in the place of the one in the catalog',
        allows: { script: ['js'] },
        ends: { output: '[INFORMATION]: Hello, world!' },
        asks: [`GET https://raw.githubusercontent.com${LOG_PATH}`],
      },
    ],
  },
  'do-single.yaml': { rows: ['HT-02'], takes: [ONE_PET] },
  'do-multiple.yaml': {
    rows: ['DO-01', 'UR-02'],
    takes: [
      {
        about: 'the pet itself has no petId, so that is empty in the second address',
        input: { petId: 1 },
        ends: { output: { ...petOf(1), status: 'sold' } },
        asks: [`GET ${PET}/1`, { ask: `PUT ${PET}/`, body: { ...petOf(1), status: 'sold' } }],
      },
    ],
  },
};
