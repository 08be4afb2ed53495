/**
 * Scope: runs its region in a scope of its own and goes on when that is empty.
 *
 * Variables set inside end with it; results go up to the scope it lies in if it promotes them. It
 * may be a saga of its own: then a fault that leaves it is held until what it did is undone.
 *
 * BPMN embedded subProcess · Serverless Workflow do · builder .scope(), branches and arms
 */
import { assert } from '../base/assert.ts';
import { no, ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import type { SagaReach } from '../model/draft.ts';
import type { NodeId } from '../model/ids.ts';
import { bodyOf, problem } from './settings.ts';

type Region = {
  readonly body: NodeId;
  readonly promote: boolean;
  readonly saga?: SagaReach;
};

const REACHES: readonly unknown[] = ['none', 'scope', 'instance'];

export const scope: NodeKind<Region> = {
  kind: 'scope',

  compile(draft, wires) {
    const body = bodyOf(draft, wires);
    if (!body.ok) return body;
    const { promote, saga } = draft.settings;
    const config = { body: body.value, promote: promote === true };
    if (saga === undefined) return ok({ config });
    if (REACHES.includes(saga)) return ok({ config: { ...config, saga: saga as SagaReach } });
    const message = `the saga of "${draft.id}" is one of ${REACHES.join(', ')}`;
    return no([problem(draft, 'bad-saga', message)]);
  },

  enter({ node }) {
    return { move: 'open', start: node.config.body };
  },

  saga({ node }) {
    return node.config.saga;
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'scope', 'a scope only waits for its region');
    const close = { scope: signal.scope, promote: node.config.promote };
    return { move: 'take', edges: node.out, close };
  },
};
