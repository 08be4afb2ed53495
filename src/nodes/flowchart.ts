/**
 * Flowchart: runs its activities in a scope of its own, and goes on when nothing is left there.
 *
 * All there is of a flowchart lies in that scope: tokens that are at work, those that wait before
 * an activity, and the blocks. So two flowcharts never see each other's, a flowchart in a loop has
 * its own each time, and when the scope is empty nothing of it is left. Its result are those of its
 * activities by name; that of the outermost is the output of the instance.
 *
 * BPMN embedded subProcess · Serverless Workflow has none · flowchart()
 */
import { assert } from '../base/assert.ts';
import { no, ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import type { NodeId } from '../model/ids.ts';
import { bodyOf, problem, takeWith } from './settings.ts';

type Region = {
  /** Where it begins; null if it has nothing to do. */
  readonly body: NodeId | null;
  /** It is the whole of the flow. */
  readonly whole?: true;
};

export const flowchart: NodeKind<Region> = {
  kind: 'flowchart',

  compile(draft, wires) {
    const { body, whole } = draft.settings;
    const all = whole === true ? { whole } : {};
    if (whole === true && wires.out.length > 0) {
      return no([problem(draft, 'has-outbound', `nothing leads out of "${draft.id}"`)]);
    }
    if (body === null) return ok({ config: { body, ...all } });
    const start = bodyOf(draft, wires);
    return start.ok ? ok({ config: { body: start.value, ...all } }) : start;
  },

  enter({ node }) {
    const { body, whole } = node.config;
    if (body !== null) return { move: 'open', start: body };
    return whole === true ? { move: 'take', edges: [], output: {} } : takeWith(node, {});
  },

  resume({ node }, view, signal) {
    assert(signal.on === 'scope', 'a flowchart only waits for its activities');
    const close = { scope: signal.scope, promote: false };
    const value = view.scopeOf(signal.scope).results.object;
    if (node.config.whole === true) return { move: 'take', edges: [], output: value, close };
    return { ...takeWith(node, value), close };
  },

  skip({ node }, _view, value) {
    return node.config.whole === true
      ? { move: 'take', edges: [], output: value }
      : takeWith(node, value);
  },
};
