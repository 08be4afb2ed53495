/**
 * Set: computes a value by a pure closure.
 *
 * The value is the node's result. If it is an object, its fields are written as variables too: in
 * the scope the node lies in, or for the whole instance.
 *
 * BPMN: output mapping · Serverless Workflow set · builder .set()
 */
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';
import { no, ok } from '../base/result.ts';
import type { NodeKind, Write } from '../kernel/kind.ts';
import { problem } from './settings.ts';

type Set = { readonly in: 'scope' | 'instance' };

export const set: NodeKind<Set> = {
  kind: 'set',

  compile(draft) {
    const { in: where = 'scope' } = draft.settings;
    if (where === 'scope' || where === 'instance')
      return ok({ config: { in: where }, code: ['value'] });
    const message = `"${draft.id}" sets in 'scope' or in 'instance'; came ${JSON.stringify(where)}`;
    return no([problem(draft, 'bad-place', message)]);
  },

  enter(place, view) {
    const { node } = place;
    const computed = view.call(place, 'value');
    if (!computed.ok) return { move: 'fault', fault: computed.problem };
    const { value } = computed;
    const result: Write = { in: 'scope', space: 'results', name: node.id, value };
    const vars = Object.entries(isObject(value) ? value : EMPTY).map(
      ([name, part]): Write => ({ in: node.config.in, space: 'vars', name, value: part }),
    );
    return { move: 'take', edges: node.out, writes: [result, ...vars] };
  },
};

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
