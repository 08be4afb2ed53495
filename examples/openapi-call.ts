/**
 * A Serverless Workflow that calls an OpenAPI service: the definition (openapi-call.yaml) names the
 * document and an operation of it, and Perdure finds out the rest. A service that is busy (503) is
 * asked again after a pause that is kept in the database, and so outlives a crash; what it does not
 * know (404) is caught, and the workflow goes on. It reaches no host that `http.allow` lacks.
 *
 * Prints:
 *
 *     GET /prices/A1?currency=EUR 503
 *     GET /prices/A1?currency=EUR 200
 *     { sku: 'A1', price: 42 }
 *     GET /prices/B2?currency=EUR 404
 *     { sku: 'B2', price: null }
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEngine } from 'perdure';
import { serverless } from 'perdure/serverless';
import { sqlite } from 'perdure/sqlite';

// Stands for the service of somebody else. Of most you find such a document beside their API.
const document = {
  openapi: '3.1.0',
  info: { title: 'Prices', version: '1.0.0' },
  paths: {
    '/prices/{sku}': {
      get: {
        operationId: 'findPrice',
        parameters: [
          { name: 'sku', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'currency', in: 'query', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'the price' } },
      },
    },
  },
};
let asked = 0;
const service = createServer(({ method, url }, response) => {
  const isDocument = url === '/openapi.json';
  const status = isDocument ? 200 : url?.includes('B2') ? 404 : ++asked === 1 ? 503 : 200;
  if (!isDocument) console.log(method, url, status);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isDocument ? document : { price: 42 }));
});
await once(service.listen(0, '127.0.0.1'), 'listening');

const text = readFileSync(new URL('openapi-call.yaml', import.meta.url), 'utf8');
const price = serverless<{ sku: string }, { sku: string; price: number | null }>(text);
const engine = await createEngine({
  store: sqlite('prices.db'),
  flows: [price],
  http: { allow: ['127.0.0.1'] },
  serverless: { base: `http://127.0.0.1:${(service.address() as AddressInfo).port}/` },
});
for (const sku of ['A1', 'B2']) console.log(await (await engine.start(price, { sku })).result());
await engine.close().then(() => service.close());
