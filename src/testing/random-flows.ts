/**
 * A random definition as a flow that a whole engine runs: the handlers of its steps answer or fail
 * as luck has it, by the node and by how often they were tried; undos do well.
 */
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { setsFor, valueFor } from './laws-answers.ts';
import { type Case, drawingOf } from './random-case.ts';
import { luck } from './random-luck.ts';

interface Told {
  readonly attempt: number;
  readonly set: (name: string, value: unknown, options: { in: 'scope' | 'instance' }) => void;
}

/** What random definitions call. */
const other: Flow = flow('other')
  .step('work', () => ({ did: 'it' }))
  .end(({ results }) => results.work);

/** An engine takes no flow with closures that are missing, so none of them goes wrong. */
export function flowOf(drawn: Case, name: string): Flow {
  const one = { ...drawn, trapped: false };
  const { draft, code = {} } = drawingOf(one, name);
  const handlers = new Map<string, (told: Told) => unknown>();
  for (const { id, kind } of draft.nodes) {
    if (kind !== 'step') continue;
    handlers.set(id, (told) => work(one, id, told));
    handlers.set(`${id}/:undo`, () => null);
  }
  const definition = {
    ...{ draft, code: new Map(Object.entries(code)), handlers, calls: [other] },
    ...{ serves: [], diagnostics: [] },
  };
  return { name, version: draft.version, definition };
}

function work({ seed, habits }: Case, node: string, { attempt, set }: Told): unknown {
  if (habits.failures && luck(5, seed, 'fails', node, attempt) === 0) {
    throw Object.assign(new Error(`${node} is red`), { code: 'red' });
  }
  for (const { name, value, in: where } of setsFor(node, '', seed)) set(name, value, { in: where });
  return valueFor(node, '', seed);
}
