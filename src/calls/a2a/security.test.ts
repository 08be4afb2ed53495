import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { openAgent, rpcOf } from '../../testing/agent.ts';
import { faultOf } from '../../testing/failing-call.ts';
import type { LocalRequest } from '../../testing/http-server.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import { plainHttp } from '../../testing/plain-http.ts';
import type { Authorization, HttpClient, HttpRequest } from '../calling.ts';
import { callA2a } from './call-a2a.ts';

const BASIC = { basic: { username: 'ada', password: 'secret' } };
const BEARER = { bearer: { token: 'a key/1' } };
const PAIR = Buffer.from('ada:secret').toString('base64');

const schemes = {
  password: { type: 'http', scheme: 'Basic' },
  token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  oauth: { type: 'oauth2', flows: {} },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example' },
  tls: { type: 'mutualTLS' },
};

interface Asked {
  readonly policy?: JsonObject;
  readonly security?: Json;
  readonly cardPolicy?: JsonObject;
  readonly url?: string;
}

interface Seen {
  readonly request: LocalRequest | undefined;
  readonly authorization: Authorization | undefined;
}

/** Calls an agent whose card asks for these, and shows what reached it. */
async function seen({ policy, security, cardPolicy, url }: Asked): Promise<Seen> {
  const agent = await openAgent({
    securitySchemes: schemes,
    ...(security === undefined ? {} : { security }),
    ...(url === undefined ? {} : { url }),
  });
  const { authorization } = await callA2a(plainCalling(), {
    method: 'tasks/list',
    agentCard: {
      endpoint: { uri: agent.card, ...(cardPolicy && { authentication: cardPolicy }) },
    },
    ...(policy && { server: { uri: agent.url, authentication: policy } }),
  });
  return { request: rpcOf(agent.requests)[0], authorization };
}

describe('a card is shown who asks', () => {
  test('by a password, where it asks for that [A2-08]', async () => {
    const { request, authorization } = await seen({ policy: BASIC, security: [{ password: [] }] });
    expect(request?.headers['authorization']).toBe(`Basic ${PAIR}`);
    expect(authorization).toEqual({ scheme: 'Basic', parameter: PAIR });
  });

  test('by a token, whether it asks for a bearer, OAuth2 or OpenID [A2-08]', async () => {
    for (const name of ['token', 'oauth', 'oidc']) {
      const { request } = await seen({ policy: BEARER, security: [{ [name]: [] }] });
      expect(request?.headers['authorization']).toBe('Bearer a key/1');
    }
  });

  test('by a key in the header it names [A2-08]', async () => {
    const { request, authorization } = await seen({ policy: BEARER, security: [{ header: [] }] });
    expect(request?.headers).toMatchObject({ 'x-api-key': 'a key/1' });
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(authorization).toEqual({ scheme: 'ApiKey', parameter: 'a key/1' });
  });

  test('by a key in its query [A2-08]', async () => {
    const { request } = await seen({ policy: BEARER, security: [{ query: [] }] });
    expect(request?.path).toBe('/rpc?api%20key=a%20key%2F1');
  });

  test('by a key in a cookie [A2-08]', async () => {
    const { request } = await seen({ policy: BEARER, security: [{ cookie: [] }] });
    expect(request?.headers['cookie']).toBe('session=a%20key%2F1');
  });

  test('by the first of its schemes that the policy can serve [A2-08]', async () => {
    const security = [{ tls: [] }, { password: [] }, { header: [], token: [] }, { header: [] }];
    const { request } = await seen({ policy: BEARER, security });
    expect(request?.headers).toMatchObject({ 'x-api-key': 'a key/1' });
  });

  test('by OAuth2, with the scopes it asks for unless there are some [A2-08]', async () => {
    const sent: (HttpRequest['authentication'] | undefined)[] = [];
    const http: HttpClient = {
      ...plainHttp,
      open: (request) => {
        sent.push(request.authentication);
        return plainHttp.open(request);
      },
    };
    const { card, url } = await openAgent({
      securitySchemes: schemes,
      security: [{ oauth: ['read', 'write'] }],
    });
    for (const more of [{}, { scopes: ['all'] }]) {
      const oauth2 = { authority: 'https://id.example', grant: 'client_credentials', ...more };
      const server = { uri: url, authentication: { oauth2 } };
      const args = { method: 'tasks/list', agentCard: { endpoint: card }, server };
      await callA2a(plainCalling({ http }), args);
    }
    expect(sent).toMatchObject([
      { oauth2: { scopes: ['read', 'write'] } },
      { oauth2: { scopes: ['all'] } },
    ]);
  });
});

describe('a card that asks for nothing', () => {
  test('gets a policy as it is, or by a scheme it only describes [A2-08]', async () => {
    const { request } = await seen({ policy: BASIC });
    expect(request?.headers['authorization']).toBe(`Basic ${PAIR}`);
  });

  test('is called by nobody in particular if there is no policy', async () => {
    const { request, authorization } = await seen({});
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(authorization).toBeUndefined();
  });

  test('or for one thing or nothing, is content with nothing', async () => {
    const { request } = await seen({ security: [{ token: [] }, {}] });
    expect(request?.headers).not.toHaveProperty('authorization');
  });
});

describe('what opened the card', () => {
  test('opens the agent, too, if it lives at the same place', async () => {
    const { request } = await seen({ cardPolicy: BASIC, security: [{ password: [] }] });
    expect(request?.headers['authorization']).toBe(`Basic ${PAIR}`);
  });

  test('is not told to an agent that lives elsewhere', async () => {
    const other = await openAgent();
    await seen({ cardPolicy: BASIC, url: other.url });
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('a call that cannot be enough is not made', () => {
  test('because there is no policy', async () => {
    const security = [{ header: [] }, { password: [] }];
    expect(await faultOf(seen({ security }))).toEqual([
      ...['authentication', 401],
      'the agent card asks for apiKey or http Basic, and the task authenticates by nothing',
    ]);
  });

  test('because the policy is another', async () => {
    expect(await faultOf(seen({ policy: BASIC, security: [{ token: [] }] }))).toEqual([
      ...['authentication', 401],
      'the agent card asks for http bearer, and the task authenticates by basic',
    ]);
  });

  test('because several at once are asked for', async () => {
    const security = [{ header: [], password: [] }];
    expect(await faultOf(seen({ policy: BASIC, security }))).toEqual([
      ...['authentication', 401],
      'the agent card asks for more than one policy can serve, and the task authenticates by basic',
    ]);
  });
});

test('a task may name its policy beside the card, too', async () => {
  const { card, requests } = await openAgent({ securitySchemes: schemes });
  const args = { method: 'tasks/list', agentCard: { endpoint: card }, authentication: BASIC };
  await callA2a(plainCalling(), args);
  expect(rpcOf(requests)[0]?.headers['authorization']).toBe(`Basic ${PAIR}`);
});

test('a server is authenticated by its own policy', async () => {
  const { url, requests } = await openAgent();
  const server = { uri: url, authentication: BASIC };
  await callA2a(plainCalling(), { method: 'tasks/list', server });
  expect(requests[0]?.headers['authorization']).toBe(`Basic ${PAIR}`);
});
