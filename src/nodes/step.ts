/**
 * Step: a handler of the user's does something, and its result is kept under the step's name.
 *
 * A token born here is ready at once and waits for a worker that has the handler; the handler runs
 * outside every transaction, at least once, and its result is committed exactly once.
 *
 * BPMN serviceTask, sendTask, scriptTask · Serverless Workflow call, run · builder .step()
 */
import { assert } from '../base/assert.ts';
import type { JsonObject } from '../base/json.ts';
import { no, ok } from '../base/result.ts';
import type { NodeKind, Write } from '../kernel/kind.ts';
import type { VarWrite } from '../model/input.ts';
import { problem } from './settings.ts';

type Step = {
  readonly priority?: number;
  /** It stands for a scope of its own, in which nobody could read what it sets there. */
  readonly alone?: true;
};

export const step: NodeKind<Step & JsonObject> = {
  kind: 'step',

  compile(draft) {
    const { priority, alone } = draft.settings;
    const lone = alone === true ? { alone } : {};
    if (priority === undefined) return ok({ config: lone });
    if (Number.isSafeInteger(priority)) {
      return ok({ config: { ...lone, priority: priority as number } });
    }
    const rule = `the priority of "${draft.id}" is a whole number`;
    const message = `${rule}; came ${JSON.stringify(priority)}`;
    return no([problem(draft, 'bad-priority', message)]);
  },

  offer({ node }) {
    return node.config;
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'result', 'a step only waits for its handler');
    const { value } = signal;
    const result: Write = { in: 'scope', space: 'results', name: node.id, value };
    if (signal.sets.length === 0) return { move: 'take', edges: node.out, writes: [result] };
    const kept = signal.sets.filter((set) => node.config.alone !== true || set.in === 'instance');
    return { move: 'take', edges: node.out, writes: [result, ...kept.map(writeOf)] };
  },
};

function writeOf({ name, value, in: where }: VarWrite): Write {
  return { in: where, space: 'vars', name, value };
}
