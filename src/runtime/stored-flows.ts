/**
 * Flows that some program has stored and that are not here. Their plan is enough to begin: the
 * first stride of an instance takes no step and asks no closure, and whoever has the code goes on
 * (D19). Only their author's schema is not there, so the input is taken as it is.
 */
import type { Definition } from '../model/definition.ts';
import type { Store } from '../stores/store.ts';
import type { Library, Registered } from './library.ts';

/** The newest version of a flow that the store keeps a plan of; of one version, the last stored. */
export async function findStored(
  { store, library }: { readonly store: Store; readonly library: Library },
  flow: string,
): Promise<Registered | undefined> {
  const plans = (await store.plans()).filter(({ name }) => name === flow);
  const newest = Math.max(...plans.map(({ version }) => version));
  const found = plans.findLast(({ version }) => version === newest);
  if (found === undefined) return undefined;
  const { plan } = library.find(found.hash) ?? (await library.load(found.hash, store));
  return { plan, definition: UNKNOWN };
}

/** Nothing is known of it but its plan. */
const UNKNOWN: Definition = Object.freeze({
  draft: { name: '', version: 1, start: '', nodes: [], edges: [] },
  code: new Map(),
  handlers: new Map(),
  serves: [],
  diagnostics: [],
});
