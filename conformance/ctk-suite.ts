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

/**
 * Counted are scenarios, of which one passes if it does on every store. The problem is a sentence,
 * if there is nothing to run.
 */
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
    const total = scenarios.value.length;
    const failed = new Set<Scenario>();
    for (const shelf of shelves.all) {
      say.progress(`${shelf.name}: ${total} scenarios`);
      const here = await failingOn(shelf, scenarios.value, standIn(store.url), say);
      say.result(`${shelf.name}: ${total - here.length} of ${total} scenarios passed`);
      for (const scenario of here) failed.add(scenario);
    }
    return ok({ passed: total - failed.size, failed: failed.size, skipped: 0, total });
  } finally {
    await shelves.close();
    await store.close();
  }
}

async function failingOn(
  shelf: Shelf,
  scenarios: readonly Scenario[],
  fetch: typeof globalThis.fetch,
  say: Say,
): Promise<readonly Scenario[]> {
  const failed: Scenario[] = [];
  for (const scenario of scenarios) {
    const misses = await runScenario({ store: shelf.fresh(), fetch }, scenario);
    if (misses.length === 0) continue;
    failed.push(scenario);
    say.result(reportOf(scenario, shelf, misses));
  }
  return failed;
}

function reportOf({ file, line, name }: Scenario, shelf: Shelf, misses: readonly Miss[]): string {
  return [
    `FAILED ${file}:${line} on ${shelf.name}`,
    `  scenario  ${name}`,
    ...misses.map(({ step, why }) => `  line ${step.line}  ${step.text}\n    ${why}`),
  ].join('\n');
}
