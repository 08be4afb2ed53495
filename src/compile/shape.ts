/**
 * What must hold of any draft, whatever its kinds: names are unique, edges join nodes of one
 * region, regions nest, and every node can be reached from where its region begins.
 */
import type { Diagnostic, Draft, DraftNode } from '../model/draft.ts';

/** Past these a name is a mistake. The place of a task in a definition may be deep, not endless. */
const FLOW_NAME_CHARS_MAX = 250;
const NAME_CHARS_MAX = 1_000;
const FLOW_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
// Control characters in a name break every log and screen that shows it.
const CONTROL = /[\u0000-\u001f\u007f]/;

export function checkShape(draft: Draft): Diagnostic[] {
  const nodes = new Map(draft.nodes.map((node) => [node.id, node]));
  return [
    ...checkNames(draft),
    ...checkEdges(draft, nodes),
    ...checkRegions(draft, nodes),
    ...checkStart(draft, nodes),
    ...checkReached(draft, nodes),
  ];
}

function checkNames(draft: Draft): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (!FLOW_NAME.test(draft.name) || draft.name.length > FLOW_NAME_CHARS_MAX) {
    const rule = 'begins with a letter, digit or _ and goes on with letters, digits, _ . or -';
    const message = `a flow name ${rule}; came ${JSON.stringify(draft.name)}`;
    found.push({ code: 'flow.bad-name', message });
  }
  if (!Number.isSafeInteger(draft.version) || draft.version < 1) {
    const message = `a flow version is a whole number, 1 or more; came ${String(draft.version)}`;
    found.push({ code: 'flow.bad-version', message });
  }
  const seen = new Set<string>();
  for (const { id } of draft.nodes) {
    if (id === '' || id.length > NAME_CHARS_MAX || CONTROL.test(id) || id === '__proto__') {
      const rule = `a node name has 1 to ${NAME_CHARS_MAX} printable characters`;
      const message = `${rule}; came ${JSON.stringify(id)}`;
      found.push({ code: 'node.bad-name', message, node: id });
    }
    if (seen.has(id)) {
      const message = `two nodes are named "${id}"; names are unique within a flow`;
      found.push({ code: 'node.duplicate-name', message, node: id });
    }
    seen.add(id);
  }
  return found;
}

function checkEdges(draft: Draft, nodes: ReadonlyMap<string, DraftNode>): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const { id, from, to } of draft.edges) {
    if (seen.has(id)) {
      found.push({ code: 'edge.duplicate', message: `two edges are named "${id}"`, node: from });
    }
    seen.add(id);
    const ends = [from, to].filter((end) => !nodes.has(end));
    for (const end of ends) {
      const message = `edge "${id}" points at "${end}", which is not a node of this flow`;
      found.push({ code: 'edge.dangling', message, node: end === from ? to : from });
    }
    if (ends.length === 0 && nodes.get(from)?.parent !== nodes.get(to)?.parent) {
      const message = `edge "${id}" leaves its region; "${from}" and "${to}" lie in different ones`;
      found.push({ code: 'edge.leaves-region', message, node: from });
    }
  }
  return found;
}

function checkRegions(draft: Draft, nodes: ReadonlyMap<string, DraftNode>): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const node of draft.nodes) {
    if (node.parent === undefined) continue;
    if (!nodes.has(node.parent)) {
      const message = `"${node.id}" lies in "${node.parent}", which is not a node of this flow`;
      found.push({ code: 'node.unknown-region', message, node: node.id });
    }
    const above = new Set<string>();
    const parentOf = ({ parent }: DraftNode): DraftNode | undefined =>
      parent === undefined ? undefined : nodes.get(parent);
    for (let at: DraftNode | undefined = node; at !== undefined; at = parentOf(at)) {
      if (above.has(at.id)) {
        const message = `"${node.id}" lies in a region that lies in itself`;
        found.push({ code: 'node.region-cycle', message, node: node.id });
        break;
      }
      above.add(at.id);
    }
  }
  return found;
}

function checkStart(draft: Draft, nodes: ReadonlyMap<string, DraftNode>): Diagnostic[] {
  const start = nodes.get(draft.start);
  if (start === undefined) {
    const name = JSON.stringify(draft.start);
    const message = `the flow starts at ${name}, which is not one of its nodes`;
    return [{ code: 'flow.no-start', message }];
  }
  if (start.parent === undefined) return [];
  const message = `the flow starts at "${start.id}", which lies inside "${start.parent}"`;
  return [{ code: 'flow.start-in-region', message, node: start.id }];
}

/** A node nobody can reach is a forgotten edge: better said than silently never run. */
function checkReached(draft: Draft, nodes: ReadonlyMap<string, DraftNode>): Diagnostic[] {
  const next = new Map<string, string[]>();
  const lead = (from: string, to: string): void => {
    const list = next.get(from);
    if (list === undefined) next.set(from, [to]);
    else list.push(to);
  };
  for (const { from, to } of draft.edges) lead(from, to);
  for (const { id, settings } of draft.nodes) {
    // Some have two: what is tried, and what is done if that fails.
    for (const start of [settings['body'], settings['handler']]) {
      if (typeof start === 'string') lead(id, start);
    }
  }
  const reached = new Set<string>([draft.start]);
  const open = [draft.start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of next.get(at) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return [...nodes.keys()]
    .filter((id) => !reached.has(id))
    .map((id) => ({
      code: 'node.unreachable',
      message: `nothing leads to "${id}" from where the flow starts`,
      node: id,
    }));
}
