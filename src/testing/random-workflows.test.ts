/**
 * Random workflows come to the same end whether their worker dies after every commit or not, and
 * nothing that was finished is called again.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { serverless } from '../frontends/serverless/serverless.ts';
import { serverlessKinds } from '../nodes/serverless/kinds.ts';
import type { Chaos } from './chaos-store.ts';
import { startHttpServer } from './http-server.ts';
import { randomChild, randomWorkflow } from './random-workflows.ts';
import { createTestEngine } from './test-engine.ts';
import { endOf } from './workflows.ts';

const SEEDS = Array.from({ length: 200 }, (_, n) => n + 1);
const ALLOWED = { allow: ['127.0.0.1'] };
const CHILD = serverless(JSON.stringify(randomChild()));

let server: Awaited<ReturnType<typeof startHttpServer>>;

beforeAll(async () => {
  server = await startHttpServer(({ body }) => {
    const { log, name } = JSON.parse(body) as { log: Json; name: string };
    const all = Array.isArray(log) ? log : [];
    const headers = { 'content-type': 'application/json' };
    return { headers, body: JSON.stringify({ log: [...all, `${name} called`] }) };
  });
});

afterAll(() => server.close());

async function play(seed: number, chaos: Chaos): Promise<unknown> {
  const flow = serverless(JSON.stringify(randomWorkflow(seed, server.url)));
  const kit = createTestEngine({ flows: [flow, CHILD] as never, chaos, http: ALLOWED });
  try {
    const run = await kit.start(flow, { log: [] });
    await kit.runUntilIdle();
    for (let weeks = 0; weeks < 8 && !isOver(await run.status()); weeks += 1)
      await kit.advance('7d');
    expect(await kit.engine.check()).toMatchObject({ ok: true });
    return await endOf(run);
  } finally {
    await kit.close();
  }
}

function isOver(status: string): boolean {
  return ['completed', 'failed', 'canceled'].includes(status);
}

/** Messages of a broker are another matter: `runtime/serverless/messages.test.ts`. */
test('every kind of a workflow is among those of random ones, but for what a broker feeds', () => {
  const drawn = SEEDS.flatMap((seed) => {
    const text = JSON.stringify(randomWorkflow(seed, 'https://example.org'));
    return serverless(text).definition.draft.nodes.map(({ kind }) => kind);
  });
  const known = serverlessKinds.map(({ kind }) => kind).filter((kind) => kind !== 'sw-fetch');
  expect([...new Set(drawn)].sort()).toEqual(known.sort());
});

describe('a random workflow', () => {
  test.each(SEEDS)('%i ends alike with crashes and without [WF-08]', async (seed) => {
    const calm = await play(seed, {});
    expect(calm).toMatchObject({ status: 'completed' });
    expect(await play(seed, { crashAfterEveryCommit: true })).toEqual(calm);
  });
});
