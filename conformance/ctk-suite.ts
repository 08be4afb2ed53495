/**
 * The conformance kit of Serverless Workflow: every scenario of a folder of features, on memory, on
 * SQLite and on Postgres. The two servers that its definitions name are played by one of ours, so
 * that no name is looked up and nothing leaves the machine.
 */
import { no, ok, type Result } from '../src/base/result.ts';
import { standIn, startPetStore } from '../src/testing/pet-store.ts';
import { readFeatures, type Scenario } from './ctk-features.ts';
import { type Miss, runScenario } from './ctk-scenario.ts';
import { openShelves, type Shelf } from './ctk-stores.ts';
import type { Say, Tally } from './suite.ts';

/** Scenarios and stores, each with each. The problem is a sentence, if there is nothing to run. */
export async function runCtkSuite(
  folder: string,
  say: Say,
  postgres: string | undefined = process.env['DATABASE_URL'] || undefined,
): Promise<Result<Tally, string>> {
  const scenarios = readFeatures(folder);
  if (!scenarios.ok) return no(scenarios.problem);
  const store = await startPetStore();
  const shelves = await openShelves(postgres);
  try {
    let passed = 0;
    for (const shelf of shelves.all) {
      say.progress(`${shelf.name}: ${scenarios.value.length} scenarios`);
      const here = await runOn(shelf, scenarios.value, standIn(store.url), say);
      say.result(`${shelf.name}: ${here} of ${scenarios.value.length} scenarios passed`);
      passed += here;
    }
    const total = scenarios.value.length * shelves.all.length;
    return ok({ passed, failed: total - passed, skipped: 0, total });
  } finally {
    await shelves.close();
    await store.close();
  }
}

/** How many passed. */
async function runOn(
  shelf: Shelf,
  scenarios: readonly Scenario[],
  fetch: typeof globalThis.fetch,
  say: Say,
): Promise<number> {
  let passed = 0;
  for (const scenario of scenarios) {
    const misses = await runScenario({ store: shelf.fresh(), fetch }, scenario);
    if (misses.length === 0) passed += 1;
    else say.result(reportOf(scenario, shelf, misses));
  }
  return passed;
}

function reportOf({ file, line, name }: Scenario, shelf: Shelf, misses: readonly Miss[]): string {
  return [
    `FAILED ${file}:${line} on ${shelf.name}`,
    `  scenario  ${name}`,
    ...misses.map(({ step, why }) => `  line ${step.line}  ${step.text}\n    ${why}`),
  ].join('\n');
}
