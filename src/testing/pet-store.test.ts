import { expect, test } from 'vitest';
import { callHttp } from '../calls/http-call.ts';
import { callOpenApi } from '../calls/openapi/openapi-call.ts';
import { callingOf, failureOf, kept } from './called.ts';
import { standIn, startPetStore } from './pet-store.ts';

const STORE = 'https://petstore.swagger.io/v2';

async function store() {
  const { url, requests } = kept(await startPetStore());
  return { requests, calling: callingOf({ input: { status: 'available', n: 1 } }, standIn(url)) };
}

test('the pet store stands in for the hosts that definitions of others name', async () => {
  const { calling } = await store();
  const get = (endpoint: string) => callHttp(calling, { method: 'get', endpoint });
  const pet = { name: 'doggie', status: 'available', photoUrls: [], tags: [] };
  expect((await get(`${STORE}/pet/{n}`)).output).toEqual({ id: 1, ...pet });
  expect((await get(`${STORE}/pet/findByStatus?status={status}`)).output).toEqual([
    { id: 1, ...pet },
    { id: 2, ...pet },
  ]);
  for (const path of ['pet/getPetByName/Milou', 'pet/3', 'pet', 'store']) {
    expect(await failureOf(get(`${STORE}/${path}`))).toMatchObject({ status: 404 });
  }
});

test('the pet store can be called by its description', async () => {
  const { calling, requests } = await store();
  const document = { endpoint: `${STORE}/swagger.json` };
  const all = { document, operationId: 'findPetsByStatus', parameters: { status: 'available' } };
  expect((await callOpenApi(calling, all)).output).toHaveLength(2);
  const one = { document, operationId: 'getPetById', parameters: { petId: 1 }, output: 'response' };
  expect((await callOpenApi(calling, one)).output).toMatchObject({ content: { id: 1 } });
  expect(requests.map(({ path }) => path)).toEqual([
    ...['/v2/swagger.json', '/v2/pet/findByStatus?status=available'],
    '/v2/pet/1',
  ]);
});

test('the stand-in knows who may log in', async () => {
  const { calling } = await store();
  const login = (password: string) => {
    const authentication = { basic: { username: 'ann', password } };
    const endpoint = { uri: 'https://httpbin.org/basic-auth/ann/secret', authentication };
    return callHttp(calling, { method: 'get', endpoint });
  };
  expect((await login('secret')).output).toEqual({ authenticated: true, user: 'ann' });
  expect(await failureOf(login('wrong'))).toMatchObject({ status: 401 });
});

test('nobody stands in for another host, unless the test has somebody', async () => {
  const { url } = kept(await startPetStore());
  await expect(standIn(url)('https://a.example/')).rejects.toThrow('a.example');
  const otherwise = standIn(url, { hosts: ['a.example'] });
  const both = standIn(url, { otherwise });
  expect((await both('https://a.example/v2/pet/1')).status).toBe(200);
  expect((await both(new Request('https://httpbin.org/v2/pet/2'))).status).toBe(200);
});
