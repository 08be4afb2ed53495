/** What can be started: of each flow the newest version that somebody here can run. */
import type { Definition } from '../api/shapes.ts';

export function startable(definitions: readonly Definition[]): readonly Definition[] {
  const newest = new Map<string, Definition>();
  for (const definition of definitions) {
    const known = newest.get(definition.name);
    if (!definition.registered || (known?.version ?? 0) > definition.version) continue;
    newest.set(definition.name, definition);
  }
  return [...newest.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}
