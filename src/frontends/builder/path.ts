/**
 * What has been written of one region so far.
 *
 * A path is never changed: adding to it makes a new one that shares everything before. So two
 * flows may grow from one prefix, and writing a thousand nodes costs a thousand links. Only when a
 * region closes are its links laid out as a list, once.
 */
import type { JsonObject } from '../../base/json.ts';
import type { CustomKind } from '../../model/custom-kind.ts';
import type { Flow, NodeCode } from '../../model/definition.ts';
import type { Diagnostic, DraftEdge, DraftNode } from '../../model/draft.ts';

export type Handler = (context: never) => unknown;

/** A stretch of a draft with the code its nodes name. */
export interface Part {
  readonly nodes: readonly DraftNode[];
  readonly edges?: readonly DraftEdge[];
  readonly code?: readonly (readonly [string, NodeCode])[];
  readonly handlers?: readonly (readonly [string, Handler])[];
  /** Flows that its nodes call. */
  readonly calls?: readonly Flow[];
  /** Kinds of its nodes that the application brought. */
  readonly kinds?: readonly CustomKind[];
  readonly diagnostics?: readonly Diagnostic[];
}

/** A part that can be appended: where it is entered, and where it is left. */
export interface Piece extends Part {
  readonly entry: string;
  /** Absent if nothing can follow. */
  readonly exit?: string;
}

/** The place a path is written in. Told apart by identity: a body must return its own. */
export interface Region {
  /** The node that opens the region; absent at the top of a flow. */
  readonly owner?: string;
}

export interface Path {
  readonly region: Region;
  /** The node the region begins with; absent while it is empty. */
  readonly first?: string;
  /** The node the next one is wired to; absent in an empty region and after an end. */
  readonly tail?: string;
  /** The terminate or the fail that nothing may follow. */
  readonly ended?: string;
  readonly last?: Link;
}

interface Link {
  readonly part: Part;
  readonly before: Link | undefined;
}

export function append(path: Path, piece: Piece): Path {
  const { region, first = piece.entry, tail, last } = path;
  const { entry, exit } = piece;
  const edges = [...(tail === undefined ? [] : [edge(tail, entry)]), ...(piece.edges ?? [])];
  const diagnostics = [...findStray(path, entry), ...(piece.diagnostics ?? [])];
  const link = { part: { ...piece, edges, diagnostics }, before: last };
  const ended = path.ended ?? (exit === undefined ? entry : undefined);
  return {
    region,
    first,
    last: link,
    ...(exit === undefined ? {} : { tail: exit }),
    ...(ended === undefined ? {} : { ended }),
  };
}

function findStray({ ended }: Path, node: string): Diagnostic[] {
  if (ended === undefined) return [];
  const message =
    `"${node}" comes after "${ended}" and is never reached; ` +
    'a terminate or a fail is the last node of its body';
  return [{ code: 'node.after-terminate', message, node }];
}

/** Everything on the path as one part, in the order written. */
export function collect(path: Path): Required<Part> {
  const parts: Part[] = [];
  for (let link = path.last; link !== undefined; link = link.before) parts.push(link.part);
  return merge(parts.reverse());
}

export function merge(parts: readonly Part[]): Required<Part> {
  return {
    nodes: parts.flatMap((part) => part.nodes),
    edges: parts.flatMap((part) => part.edges ?? []),
    code: parts.flatMap((part) => part.code ?? []),
    handlers: parts.flatMap((part) => part.handlers ?? []),
    calls: parts.flatMap((part) => part.calls ?? []),
    kinds: parts.flatMap((part) => part.kinds ?? []),
    diagnostics: parts.flatMap((part) => part.diagnostics ?? []),
  };
}

/** A node of this region. */
export function nodeIn(region: Region, id: string, kind: string, settings: JsonObject): DraftNode {
  const { owner } = region;
  return { id, kind, settings, ...(owner === undefined ? {} : { parent: owner }) };
}

/** A node of this region that the author did not write. */
export function hiddenIn(
  region: Region,
  id: string,
  kind: string,
  settings: JsonObject,
): DraftNode {
  return { ...nodeIn(region, id, kind, settings), hidden: true };
}

export function edge(from: string, to: string): DraftEdge {
  return { id: edgeId(from, to), from, to };
}

export function edgeId(from: string, to: string): string {
  return `${from}->${to}`;
}
