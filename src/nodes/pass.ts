/**
 * Pass: lets every token through by the way out, one at a time.
 *
 * Several edges may lead in: whoever comes goes on at once, so this is also the exclusive merge. It
 * may have a result that was written down with it.
 *
 * BPMN exclusiveGateway (merging) · Serverless Workflow: a task with no effect · builder: made by
 * .choose(), where its arms meet again · flowchart(): `start` and `pass`
 */
import type { Json } from '../base/json.ts';
import { ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import { takeWith } from './settings.ts';

type Pass = { readonly result: Json } | null;

export const pass: NodeKind<Pass> = {
  kind: 'pass',

  compile({ settings: { result } }) {
    return ok({ config: result === undefined ? null : { result } });
  },

  enter({ node }) {
    if (node.config === null) return { move: 'take', edges: node.out };
    return takeWith(node, node.config.result);
  },
};
