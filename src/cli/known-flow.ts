/** Flows that a store knows: one that nobody has stored is misspelt, not merely unused. */
import { EngineError, type Store } from '../index.ts';
import { meant } from '../base/nearest.ts';
import type { FlowName } from './words.ts';

/** Throws if nobody has stored it. By the plans alone: nothing is counted, however much runs. */
export async function checkFlow(store: Store, { name, version }: FlowName): Promise<void> {
  const all = await store.plans();
  const mine = all.filter((plan) => plan.name === name);
  if (mine.some((plan) => version === undefined || plan.version === version)) return;
  const known = mine.length === 0 ? await storedFlows(store) : mine.map(nameOf);
  const word = mine.length === 0 ? name : `${name}@${version}`;
  const message = `there is no flow "${word}" in this store: ${meant(word, known)}`;
  throw new EngineError('definition.not-found', message, { details: { flows: known } });
}

/** Their names, each once. */
export async function storedFlows(store: Store): Promise<readonly string[]> {
  return [...new Set((await store.plans()).map(({ name }) => name))];
}

function nameOf({ name, version }: FlowName): string {
  return `${name}@${version}`;
}
