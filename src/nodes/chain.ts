/**
 * Chain: where a chain begins. All its links are there from the start, one row each (D9): the first
 * is ready, the others wait for their turn, and nothing but the rows decides what comes next.
 *
 * BPMN has none · Serverless Workflow has none · chain()
 */
import type { NodeKind } from '../kernel/kind.ts';
import { no, ok } from '../base/result.ts';
import type { NodeId } from '../model/ids.ts';
import { problem } from './settings.ts';

type Chain = { readonly links: readonly NodeId[] };

export const chain: NodeKind<Chain> = {
  kind: 'chain',

  linesUp: true,

  compile(draft) {
    const { links } = draft.settings;
    const isList = Array.isArray(links) && links.length > 0;
    if (isList && links.every((link) => typeof link === 'string')) {
      return ok({ config: { links: links as unknown as readonly NodeId[] } });
    }
    return no([problem(draft, 'no-links', `"${draft.id}" names the steps of its chain in order`)]);
  },

  enter({ node }) {
    return { move: 'line-up', nodes: node.config.links };
  },

  /** What comes after it are its links, and those are only there once they are lined up. */
  skip({ node }) {
    return { move: 'line-up', nodes: node.config.links };
  },
};
