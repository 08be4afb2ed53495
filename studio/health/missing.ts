/** Work that no process has a handler for, as instances tell it. */
import type { InstanceSummary } from '../api/shapes.ts';

export interface Missing {
  readonly handler: string;
  readonly instances: readonly string[];
}

/** Which handlers nobody has, and for which instances: kept nowhere, told by whoever is due. */
export function missingIn(instances: readonly InstanceSummary[]): readonly Missing[] {
  const found = new Map<string, string[]>();
  for (const { id, stalled } of instances) {
    if (stalled?.reason !== 'handler.missing') continue;
    const { handlers = [] } = stalled as { readonly handlers?: readonly string[] };
    for (const handler of handlers) found.set(handler, [...(found.get(handler) ?? []), id]);
  }
  return [...found].map(([handler, ids]) => ({ handler, instances: ids }));
}
