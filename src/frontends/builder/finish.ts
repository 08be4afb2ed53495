/** The last word: a path at the top of a flow becomes a definition. */
import type { Diagnostic, Draft, DraftNode } from '../../model/draft.ts';
import { findingsOf, readClosure } from './checks.ts';
import type { Flow } from '../../model/definition.ts';
import { append, collect, hiddenIn, type Path, type Piece } from './path.ts';

export const START = ':start';
const END = ':end';

/** What `flow()` was told, already checked. */
export interface FlowHead extends Omit<Draft, 'start' | 'nodes' | 'edges'> {
  readonly serves: readonly number[];
  readonly schema?: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

export function finish(head: FlowHead, path: Path, output: unknown): Flow {
  const { name, version, serves, schema } = head;
  // A flow that ends in a terminate or a fail has no other end to reach.
  const bare = path.ended !== undefined && output === undefined;
  const { nodes, edges, code, handlers, calls, kinds, diagnostics } = collect(
    bare ? path : append(path, drawEnd(path, output)),
  );
  const definition = {
    draft: Object.freeze({ ...draftHead(head), nodes, edges }),
    code: new Map(code.filter(([, slots]) => Object.keys(slots).length > 0)),
    handlers: new Map(handlers),
    ...(calls.length === 0 ? {} : { calls: [...new Set(calls)] }),
    ...(kinds.length === 0 ? {} : { kinds: [...new Set(kinds)] }),
    serves,
    ...(schema === undefined ? {} : { schema }),
    diagnostics: [...head.diagnostics, ...diagnostics, ...findDuplicates(nodes)],
  };
  return Object.freeze({ name, version, definition: Object.freeze(definition) });
}

function draftHead(head: FlowHead): Omit<Draft, 'nodes' | 'edges'> {
  const { name, version, vars, saga, onUndoFailure, onFailure, limit, search } = head;
  return {
    name,
    version,
    start: START,
    ...(vars && { vars }),
    ...(saga && { saga }),
    ...(onUndoFailure && { onUndoFailure }),
    ...(onFailure && { onFailure }),
    ...(limit && { limit }),
    ...(search && { search }),
  };
}

function drawEnd({ region }: Path, output: unknown): Piece {
  const found = findingsOf(END);
  const asks = output !== undefined;
  return {
    nodes: [hiddenIn(region, END, 'end', { output: asks ? 'code' : 'results' })],
    code: asks ? [[END, readClosure(found, 'output', output)]] : [],
    diagnostics: found.list,
    entry: END,
    exit: END,
  };
}

/** Hidden nodes are named after the author's, so only those can be the first to clash. */
function findDuplicates(nodes: readonly DraftNode[]): Diagnostic[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id, hidden } of nodes) {
    if (hidden === true) continue;
    (seen.has(id) ? twice : seen).add(id);
  }
  return [...twice].map((node) => ({
    code: 'node.duplicate-name',
    message: `two nodes are named "${node}"; names are unique in a flow, so rename one of them`,
    node,
  }));
}
