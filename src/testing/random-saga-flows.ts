/**
 * Random flows as an author would write them, every step with an undo, that fail somewhere: the
 * n-th step to begin is doomed, in whatever order they begin, and at the very end one always is.
 *
 * Written with the builder and run by a whole engine, so that nothing of the kernel's tests is
 * taken for granted.
 */
import { setImmediate } from 'node:timers/promises';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { Fatal } from '../runtime/fatal.ts';
import { luck, lucky } from './random-luck.ts';

/** A flow, and what its handlers did, by the idempotency keys of the steps. */
export interface SagaFlow {
  readonly flow: Flow;
  /** Every execution of an undo that did not throw. */
  readonly undone: readonly string[];
}

const DEPTH_MAX = 3;
const STEPS_MOST = 14;
const NESTING = [
  ...['parallel', 'parallel', 'parallel', 'scope', 'scope', 'scope'],
  ...['choose', 'repeat', 'try', 'race'],
];

interface Pen {
  readonly seed: number;
  /** How many steps begin before the one that is doomed. */
  readonly doom: number;
  readonly begun: Set<string>;
  readonly doomed: Set<string>;
  readonly undone: string[];
  steps: number;
}

/** The builder without its types: what is said to it is made up here. */
type Untyped = { [method: string]: (...args: readonly unknown[]) => Untyped };

export function sagaFlow(seed: number): SagaFlow {
  const doom = luck(10, seed, 'doom');
  const pen: Pen = { seed, doom, begun: new Set(), doomed: new Set(), undone: [], steps: 0 };
  const builder = flow(`saga-${seed}`) as unknown as Untyped;
  const body = writeRow(pen, builder, 'top', 0);
  const last = call(body, 'step', 'last', () => {
    throw new Fatal('the end');
  });
  return { flow: call(last, 'end') as unknown as Flow, undone: pen.undone };
}

function call(builder: Untyped, method: string, ...args: readonly unknown[]): Untyped {
  const said = builder[method]?.(...args);
  if (said === undefined) throw new Error(`the builder has no method "${method}"`);
  return said;
}

function writeRow(pen: Pen, builder: Untyped, place: string, depth: number): Untyped {
  let b = builder;
  const length = (depth === 0 ? 3 : 1) + luck(3, pen.seed, place, 'length');
  for (let n = 0; n < length; n += 1) b = writeNode(pen, b, `${place}.${n}`, depth);
  return b;
}

function writeNode(pen: Pen, b: Untyped, place: string, depth: number): Untyped {
  const { seed } = pen;
  const nests = depth < DEPTH_MAX && pen.steps < STEPS_MOST && luck(5, seed, place, 'nests') < 2;
  if (!nests) return writeStep(pen, b, place);
  const body = (arm: string) => (inner: Untyped) =>
    writeRow(pen, inner, `${place}.${arm}`, depth + 1);
  const kind = lucky(NESTING, seed, place, 'kind');
  switch (kind) {
    case 'scope':
      return call(b, 'scope', place, body('in'));
    case 'repeat':
      return call(b, 'repeat', place, { times: 1 + luck(2, seed, place) }, body('in'));
    case 'try': {
      // It names an error that nobody throws, so it is in the way and no more.
      const meant = { catch: { errors: ['never'] }, do: (inner: Untyped) => inner };
      return call(b, 'try', place, body('in'), meant);
    }
    case 'choose': {
      const when = () => luck(2, seed, place, 'when') === 0;
      return call(b, 'choose', place, { a: { when, do: body('a') } }, { otherwise: body('b') });
    }
    default: {
      const arms = ['a', 'b', 'c'].slice(0, 2 + luck(2, seed, place, 'arms'));
      return call(b, kind, place, Object.fromEntries(arms.map((arm) => [arm, body(arm)])));
    }
  }
}

interface Context {
  readonly idempotencyKey: string;
}

interface UndoContext {
  readonly undoes: string;
}

function writeStep(pen: Pen, b: Untyped, place: string): Untyped {
  pen.steps += 1;
  const { seed } = pen;
  const run = async ({ idempotencyKey }: Context): Promise<string> => {
    pen.begun.add(idempotencyKey);
    if (pen.begun.size === pen.doom + 1 && pen.doomed.size === 0) pen.doomed.add(idempotencyKey);
    // Some are still at work when others fail or the process dies.
    for (let turn = luck(4, seed, place, 'turns'); turn > 0; turn -= 1) await setImmediate();
    if (!pen.doomed.has(idempotencyKey)) return place;
    if (luck(2, seed, 'fatal') === 0) throw new Fatal('doomed');
    throw new Error('doomed');
  };
  const failed = new Set<string>();
  const undo = ({ undoes }: UndoContext): void => {
    const first = !failed.has(undoes);
    failed.add(undoes);
    if (first && luck(4, seed, place, 'undo fails') === 0) throw new Error('not yet');
    pen.undone.push(undoes);
  };
  const retry = luck(2, seed, place, 'retry') === 0 ? { retry: { maxAttempts: 2 } } : {};
  return call(b, 'step', place, run, { undo, ...retry });
}
