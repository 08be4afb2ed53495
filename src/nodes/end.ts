/**
 * End: consumes its token, and may say what the instance's output is.
 *
 * It ends a path, not the instance: that completes when no token is left anywhere. Where several
 * ends give an output, the last to be reached wins.
 *
 * BPMN endEvent · Serverless Workflow: the last task of a do · builder .end()
 */
import type { NodeKind } from '../kernel/kind.ts';
import { compileOutput } from './settings.ts';

/** Where the output comes from: a closure, all results the end can see, or not from here. */
type End = { readonly output: 'code' | 'results' | 'none' };

export const end: NodeKind<End> = {
  kind: 'end',

  compile: (draft, wires) => compileOutput(draft, wires, ['code', 'results', 'none']),

  enter(place, view) {
    const { output } = place.node.config;
    if (output === 'none') return { move: 'take', edges: [] };
    if (output === 'results') {
      return { move: 'take', edges: [], output: view.resultsOf(place.scope.id) };
    }
    const value = view.call(place, 'output');
    if (!value.ok) return { move: 'fault', fault: value.problem };
    return { move: 'take', edges: [], output: value.value };
  },
};
