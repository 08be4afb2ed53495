/**
 * Scope: runs its region in a scope of its own and goes on when that is empty.
 *
 * Variables set inside end with it; results go up to the scope it lies in if it promotes them.
 *
 * BPMN embedded subProcess · Serverless Workflow do · builder .scope(), branches and arms
 */
import { assert } from '../base/assert.ts';
import { ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import type { NodeId } from '../model/ids.ts';
import { bodyOf } from './settings.ts';

type Region = { readonly body: NodeId; readonly promote: boolean };

export const scope: NodeKind<Region> = {
  kind: 'scope',

  compile(draft, wires) {
    const body = bodyOf(draft, wires);
    if (!body.ok) return body;
    return ok({ config: { body: body.value, promote: draft.settings['promote'] === true } });
  },

  enter({ node }) {
    return { move: 'open', start: node.config.body };
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'scope', 'a scope only waits for its region');
    const close = { scope: signal.scope, promote: node.config.promote };
    return { move: 'take', edges: node.out, close };
  },
};
