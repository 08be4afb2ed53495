/**
 * A branch or an arm that holds one step and nothing else needs no scope of its own: nobody could
 * read a variable set in it. The step takes the scope's place and keeps such variables to itself.
 *
 * This is the shape of most branches, and without it each would cost two tokens and a scope more.
 * Only scopes that no author wrote are taken away: those are never shown and never named. One that
 * is a saga stays: the step could not say that it is undone by itself.
 */
import { assert } from '../base/assert.ts';
import type { Draft, DraftNode } from '../model/draft.ts';

export function inlineLoneSteps(draft: Draft): Draft {
  const inside = new Map<string, DraftNode[]>();
  for (const node of draft.nodes) {
    if (node.parent === undefined) continue;
    const list = inside.get(node.parent);
    if (list === undefined) inside.set(node.parent, [node]);
    else list.push(node);
  }
  /** The step that takes a scope's place, by the scope. */
  const takes = new Map<string, string>();
  const steps = new Map<string, DraftNode>();
  for (const scope of draft.nodes) {
    const [step, ...more] = inside.get(scope.id) ?? [];
    if (!isPlainScope(scope) || step?.kind !== 'step' || more.length > 0) continue;
    takes.set(scope.id, step.id);
    steps.set(step.id, moveUp(step, scope));
  }
  if (takes.size === 0) return draft;
  return {
    ...draft,
    nodes: draft.nodes.filter(({ id }) => !takes.has(id)).map((node) => steps.get(node.id) ?? node),
    edges: draft.edges.map(({ id, from, to }) => {
      return { id, from: takes.get(from) ?? from, to: takes.get(to) ?? to };
    }),
  };
}

function isPlainScope({ kind, hidden, settings }: DraftNode): boolean {
  const isPlain = settings['promote'] === true && settings['saga'] === undefined;
  return kind === 'scope' && hidden === true && isPlain;
}

function moveUp({ parent: inside, ...step }: DraftNode, { id, parent }: DraftNode): DraftNode {
  assert(inside === id, 'a lone step lies in the scope it stands for');
  const settings = { ...step.settings, alone: true };
  return { ...step, settings, ...(parent === undefined ? {} : { parent }) };
}
