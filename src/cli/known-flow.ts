/** Flows that a store knows: one that nobody has stored is misspelt, not merely unused. */
import { type Engine, EngineError, type FlowVersion } from '../index.ts';
import { suggestion } from './suggestion.ts';
import type { FlowName } from './words.ts';

/** The versions of a flow, or the one that is named; throws if there is none. */
export async function knownFlow(
  engine: Engine,
  { name, version }: FlowName,
): Promise<readonly FlowVersion[]> {
  const all = await engine.flows.list();
  const mine = all.filter((one) => one.name === name);
  const meant = mine.filter((one) => version === undefined || one.version === version);
  if (meant.length > 0) return meant;
  const known =
    mine.length === 0 ? all.map((one) => one.name) : mine.map((one) => `${name}@${one.version}`);
  const word = version === undefined || mine.length === 0 ? name : `${name}@${version}`;
  const names = [...new Set(known)];
  const message = `there is no flow "${word}" in this store: ${suggestion(word, names)}`;
  throw new EngineError('definition.not-found', message, { details: { flows: names } });
}
