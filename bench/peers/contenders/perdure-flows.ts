/** The flows of Perdure that this bench runs. Their handlers do nothing but say that they ran. */
import { chain, completed, Fatal, type Flow, flow } from '../../../src/index.ts';
import type { FlowName } from '../contender.ts';

/** The builder as a loop uses it: its types grow with every step, which a loop cannot say. */
interface Line {
  step(name: string, handler: () => unknown, options?: { undo: () => void }): Line;
  end(): Flow<null>;
}

interface Fork {
  parallel(name: string, branches: Readonly<Record<string, (branch: Line) => Line>>): Line;
}

const nothing = (): null => null;

const LINKS = ['A', 'B', 'C', 'D', 'E'] as const;

export const links = Object.fromEntries(LINKS.map((type) => [type, () => completed()]));

export const waiting = flow<{ key: string }>('waiting')
  .waitFor('told', { event: 'go', key: ({ input }) => input.key })
  .end();

export const sleeping = flow<null>('sleeping').sleep('nap', '30d').end();

/** What comes after a message is a step, whose first line is the moment that counts. */
export function toldFlow(onTold: () => void): Flow<{ key: string }> {
  return flow<{ key: string }>('told')
    .waitFor('told', { event: 'go', key: ({ input }) => input.key })
    .step('arrived', () => {
      onTold();
      return null;
    })
    .end();
}

export function flowsOf(onStep: () => void): Readonly<Record<FlowName, Flow<null>>> {
  const counted = (): null => {
    onStep();
    return null;
  };
  return {
    steps1: lineOf('steps1', 1, counted),
    steps5: lineOf('steps5', 5, nothing),
    steps10: lineOf('steps10', 10, nothing),
    chain5: chain<null>('chain5', 1, LINKS),
    saga5: sagaOf('saga5', 5),
    join100: joinOf('join100', 100),
    join1000: joinOf('join1000', 1_000),
  };
}

function lineOf(name: string, length: number, handler: () => null): Flow<null> {
  let line = flow<null>(name) as unknown as Line;
  for (let n = 1; n <= length; n += 1) line = line.step(`step${n}`, handler);
  return line.end();
}

/** Every step but the last has something to undo, and the last fails for good. */
function sagaOf(name: string, length: number): Flow<null> {
  let line = flow<null>(name) as unknown as Line;
  for (let n = 1; n < length; n += 1) line = line.step(`step${n}`, nothing, { undo: () => {} });
  const fail = (): never => {
    throw new Fatal('the last step fails', { code: 'bench.fails' });
  };
  return line.step(`step${length}`, fail).end();
}

function joinOf(name: string, width: number): Flow<null> {
  const branches = Array.from({ length: width }, (_, at) => [
    `way${at}`,
    (branch: Line): Line => branch.step(`step${at}`, nothing),
  ]);
  const start = flow<null>(name) as unknown as Fork;
  return start.parallel('fork', Object.fromEntries(branches)).end();
}
