/** What flows say they are started with. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../base/json.ts';
import { flow } from '../frontends/builder/flow.ts';
import { serverless } from '../frontends/serverless/serverless.ts';
import type { Flow } from '../model/definition.ts';
import { memory } from '../stores/memory/memory.ts';
import { createEngine } from './engine.ts';

async function toldOf(asked: Flow): Promise<JsonObject | null | undefined> {
  const engine = await createEngine({ store: memory(), flows: [asked], worker: false });
  const [version] = await engine.flows.list();
  await engine.close();
  return version?.inputSchema;
}

function taking(input: StandardSchemaV1): Flow {
  return flow('order', { input }).sleep('nap', '1s').end();
}

test('a schema that can say itself as JSON Schema is told so', async () => {
  expect(await toldOf(taking(z.object({ sku: z.string() })))).toMatchObject({
    type: 'object',
    properties: { sku: { type: 'string' } },
    required: ['sku'],
  });
});

test('of a schema with defaults it is what comes in, and not what the flow sees', async () => {
  const told = await toldOf(taking(z.object({ count: z.number().default(1) })));
  expect(told).toMatchObject({ properties: { count: { default: 1 } } });
  expect(told).not.toHaveProperty('required');
});

test('a schema that cannot say itself is not known', async () => {
  const validate = (value: unknown): { value: unknown } => ({ value });
  const plain = { '~standard': { version: 1, vendor: 'test', validate } } as const;
  expect(await toldOf(taking(plain))).toBeNull();
  expect(await toldOf(taking(z.object({ at: z.date() })))).toBeNull();
});

test('a flow without a schema has none', async () => {
  expect(await toldOf(flow('order').sleep('nap', '1s').end())).toBeNull();
});

test('a Serverless Workflow has that of its document', async () => {
  const document = { dsl: '1.0.0', namespace: 'shop', name: 'order', version: '1.0.0' };
  const schema = { type: 'object', required: ['sku'] };
  const tasks = [{ nap: { wait: { seconds: 1 } } }];
  const definition = { document, do: tasks };
  const input = { schema: { format: 'json', document: schema } };
  expect(await toldOf(serverless(JSON.stringify({ ...definition, input })))).toEqual(schema);
  expect(await toldOf(serverless(JSON.stringify(definition)))).toBeNull();
});
