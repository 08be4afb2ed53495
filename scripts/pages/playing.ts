/** A definition that is run on the test kit, told as the stories of the node kinds are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverless } from '../../src/frontends/serverless/serverless.ts';
import type { Run } from '../../src/runtime/run.ts';
import { show } from '../../src/testing/show.ts';
import { createTestEngine, type TestEngine } from '../../src/testing/test-engine.ts';
import type { Happening, Scene } from './scenes.ts';

const FOLDER = join(import.meta.dirname, 'scenes');

/** What was said, and what happened then: one text for each commit. */
export interface Act {
  readonly say: string;
  readonly commits: readonly string[];
}

export function definitionAt(name: string): string {
  return readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
}

export async function play(name: string, scene: Scene): Promise<readonly Act[]> {
  const { input, later = [], other, say } = scene;
  const flow = serverless(definitionAt(name));
  const others = other === undefined ? [] : [serverless(definitionAt(other))];
  const kit = createTestEngine({ flows: [flow, ...others], http: { fetch: answering(scene) } });
  try {
    const run = await kit.start(flow, input, { id: 'i1' });
    await kit.runUntilIdle();
    const acts: Act[] = [{ say, commits: await told(run, 0) }];
    for (const happening of later) {
      const before = acts.reduce((count, { commits }) => count + commits.length, 0);
      await happen(kit, happening, before);
      acts.push({ say: happening.say, commits: await told(run, before) });
    }
    return acts;
  } finally {
    await kit.close();
  }
}

/** Services that answer what the scene says, in its order. */
function answering({ answers = [] }: Scene): typeof fetch {
  const left = [...answers];
  return () => {
    const [status, body] = left.shift() ?? [500, 'nothing is left to answer'];
    const lines = { 'content-type': 'application/x-ndjson' };
    return Promise.resolve(
      typeof body === 'string'
        ? new Response(body, { status, headers: lines })
        : Response.json(body, { status }),
    );
  };
}

async function happen(kit: TestEngine, happening: Happening, before: number): Promise<void> {
  if ('advance' in happening) return kit.advance(happening.advance);
  const { type, data } = happening.publish;
  const id = `event-${before}`;
  await kit.engine.publish({ specversion: '1.0', id, source: '/docs', type, data });
  await kit.runUntilIdle();
}

/** Who claims is another at every start, and means nothing. */
async function told(run: Run, from: number): Promise<readonly string[]> {
  const history = await run.history();
  return history
    .slice(from)
    .map(({ changes }) => show({ changes, hints: [] }).replaceAll(/ by \S+$/gm, ' by w1'));
}
