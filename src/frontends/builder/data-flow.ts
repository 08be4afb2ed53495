/** A flow that is all data: its handlers are given to the engine, and it has no code of its own. */
import type { Flow } from '../../model/definition.ts';
import type { Diagnostic, Draft } from '../../model/draft.ts';

export function dataFlow<Input, Output>(
  draft: Draft,
  diagnostics: readonly Diagnostic[],
): Flow<Input, Output> {
  return Object.freeze({
    name: draft.name,
    version: draft.version,
    definition: Object.freeze({
      draft: Object.freeze(draft),
      code: new Map(),
      handlers: new Map(),
      serves: [],
      diagnostics: Object.freeze(diagnostics),
    }),
  });
}
