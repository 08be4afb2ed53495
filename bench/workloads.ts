/** What is measured: our way of doing it, and the peer's ways, of which the best one counts. */
import {
  backEdgeSource,
  bpmnContender,
  forkSource,
  loopedBodySource,
  loopedTaskSource,
  type Model,
  sequenceSource,
} from './bpmn.ts';
import type { Contender } from './measure.ts';
import { backEdge, engineContender, forkjoin, kernelContender, loopOf, sequence } from './ours.ts';
import { xstateContender } from './xstate.ts';

/** Steps of the sequence, ways of the fork, states of the chain. */
const SIZE = 10;
const PASSES = 1_000;
/** Runs under way at a time, on both sides. More of them gain nothing, and cost ours its caches. */
const LANES = 4;

export interface Workload {
  readonly title: string;
  /** The ratio asked for; null where there is only something to see. */
  readonly target: number | null;
  readonly peer: string;
  readonly ours: () => Contender;
  readonly peers: () => Promise<readonly Contender[]>;
}

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  sequence: {
    title: `sequence of ${SIZE} steps`,
    target: 100,
    peer: 'bpmn-engine',
    ours: () => engineContender(sequence, LANES),
    peers: () => bpmnContenders(aloneAndTogether(sequenceSource(SIZE))),
  },
  forkjoin: {
    title: `fork into ${SIZE} and join`,
    target: 100,
    peer: 'bpmn-engine',
    ours: () => engineContender(forkjoin, LANES),
    peers: () => bpmnContenders(aloneAndTogether(forkSource(SIZE))),
  },
  loop: {
    title: `loop of ${PASSES} passes: a task, and a gateway that leads back to it`,
    target: 100,
    peer: 'bpmn-engine',
    ours: () => engineContender(backEdge(PASSES), LANES),
    peers: () =>
      bpmnContenders([
        { name: 'one at a time', source: backEdgeSource(), passes: PASSES, lanes: 1 },
      ]),
  },
  loopBody: repeated(
    `loop of ${PASSES} passes over a body: .repeat, and a subprocess with a loop marker`,
    100,
    { name: 'looped subprocess', source: loopedBodySource(PASSES) },
  ),
  loopMarker: repeated(
    `loop of ${PASSES} passes: .repeat, and a single task with a loop marker`,
    null,
    { name: 'looped task', source: loopedTaskSource(PASSES) },
  ),
  xstate: {
    title: `${SIZE} events, state written out after each`,
    target: 1,
    peer: 'xstate',
    ours: kernelContender,
    peers: async () => [await xstateContender(SIZE)],
  },
};

/** Our own way to loop, and those of the peer. */
function repeated(
  title: string,
  target: number | null,
  model: Pick<Model, 'name' | 'source'>,
): Workload {
  return {
    title,
    target,
    peer: 'bpmn-engine',
    ours: () => engineContender(loopOf(PASSES), LANES),
    peers: () => bpmnContenders([{ ...model, passes: PASSES, lanes: 1 }]),
  };
}

function bpmnContenders(models: readonly Model[]): Promise<readonly Contender[]> {
  return Promise.all(models.map(bpmnContender));
}

function aloneAndTogether(source: string): readonly Model[] {
  return [
    { name: 'one at a time', source, lanes: 1 },
    { name: `${LANES} at a time`, source, lanes: LANES },
  ];
}
