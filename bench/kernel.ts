/**
 * How fast is the engine in memory? From start to result with handlers that do nothing, against
 * bpmn-engine on the same shapes; and the kernel alone, its changes written out after every event,
 * against xstate with its snapshot written out after every event. Parsing and building are not
 * timed on either side. Last, whether a step costs the same late in a long instance as early.
 */
import {
  backEdgeSource,
  bpmnContender,
  forkSource,
  loopedBodySource,
  loopedTaskSource,
  type Model,
  sequenceSource,
} from './bpmn.ts';
import { type Flatness, measureFlatness, STEPS } from './flat.ts';
import {
  type Contender,
  type Findings,
  type Pace,
  type Race,
  race,
  type Spread,
} from './measure.ts';
import { engineContender, forkjoin, kernelContender, loopOf, sequence } from './ours.ts';
import { xstateContender } from './xstate.ts';

/** Steps of the sequence, ways of the fork, states of the chain. */
const SIZE = 10;
const PASSES = 1_000;
/** Runs under way at a time, on both sides. More of them gain nothing, and cost ours its caches. */
const LANES = 16;
/** A run of the loop is a thousand commits: fewer of them keep the engine as busy. */
const LOOP_LANES = 8;

interface Workload {
  readonly title: string;
  /** The ratio asked for; null where there is only something to see. */
  readonly target: number | null;
  readonly peer: string;
  readonly ours: () => Contender;
  readonly peers: () => Promise<readonly Contender[]>;
}

const WORKLOADS: Readonly<Record<string, Workload>> = {
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
    title: `loop of ${PASSES} passes over a body`,
    target: 100,
    peer: 'bpmn-engine',
    ours: () => engineContender(loopOf(PASSES), LOOP_LANES),
    peers: () =>
      bpmnContenders([
        { name: 'gateway and back edge', source: backEdgeSource(), passes: PASSES, lanes: 1 },
        { name: 'looped subprocess', source: loopedBodySource(PASSES), passes: PASSES, lanes: 1 },
      ]),
  },
  loopMarker: {
    title: `the same loop; theirs is one task with a loop marker`,
    target: null,
    peer: 'bpmn-engine',
    ours: () => engineContender(loopOf(PASSES), LOOP_LANES),
    peers: () =>
      bpmnContenders([
        { name: 'looped task', source: loopedTaskSource(PASSES), passes: PASSES, lanes: 1 },
      ]),
  },
  xstate: {
    title: `${SIZE} events, state written out after each`,
    target: 1,
    peer: 'xstate',
    ours: kernelContender,
    peers: async () => [await xstateContender(SIZE)],
  },
};

const FLAT_MAX = 1.2;

export async function kernel(pace: Pace): Promise<Findings> {
  const races: [string, Workload, Race][] = [];
  for (const [name, workload] of Object.entries(WORKLOADS)) {
    tell(`${name}: ${workload.title}, ${pace.rounds} rounds`);
    const found = await race(workload.ours(), await workload.peers(), pace);
    const { ours, peer, ratio } = found;
    const verdict = verdictOf(ratio.median, workload.target, 'at least');
    tell(
      `${name}: ours ${show(ours.rate)} runs/s, ${workload.peer} ${show(peer.rate)} ` +
        `(${peer.name}), ratio ${show(ratio)}${verdict}`,
    );
    races.push([name, workload, found]);
  }
  tell(`flat: ${pace.instances} instances of ${STEPS} steps`);
  const flat = await measureFlatness(pace);
  const verdict = verdictOf(-flat.ratio.median, -FLAT_MAX, 'at most');
  tell(
    `flat: last tenth by first ${show(flat.ratio)} in CPU time, ` +
      `${show(flat.clockRatio)} by the clock${verdict}`,
  );
  return findingsOf(races, flat);
}

function findingsOf(races: readonly [string, Workload, Race][], flat: Flatness): Findings {
  const ratios: Record<string, number> = {};
  const rates: Record<string, number> = {};
  const cpuRatios: Record<string, number> = {};
  for (const [name, , { ours, peer, ratio, cpuRatio }] of races) {
    ratios[name] = rounded(ratio.median);
    rates[name] = rounded(ours.rate.median);
    rates[`${name}Peer`] = rounded(peer.rate.median);
    cpuRatios[name] = rounded(cpuRatio.median);
  }
  ratios['flat'] = rounded(flat.ratio.median);
  rates['flatSteps'] = rounded(flat.rate.median);
  return { ratios, rates, cpuRatios, table: tableOf(races, flat), notes: NOTES };
}

const HEAD = [
  'workload',
  'ours, runs/s',
  'peer, runs/s',
  'ratio',
  'asked',
  'CPU µs per run, ours / peer',
  'ratio by CPU',
];

const NOTES: readonly string[] = [
  'Medians over the rounds, the least and the most in parentheses; a ratio is that of one round.',
  'What is asked of the long instance is asked of its CPU time (bench/flat.ts says why).',
  'Ours runs on the engine in memory with its defaults, from `start` to `result`; against xstate ' +
    'it is the kernel alone.',
  'The peer does the same work in several ways and the best one counts; it is named.',
  'A looped task is not like for like: no token moves between its passes, where ours opens a ' +
    'scope, runs a body and commits in every one. It is shown because it is their fastest loop.',
];

function tableOf(races: readonly [string, Workload, Race][], flat: Flatness): string[][] {
  const rows = races.map(([, { title, target, peer: library }, found]) => {
    const { ours, peer, ratio, cpuRatio } = found;
    return [
      title,
      `${show(ours.rate)} (${ours.name})`,
      `${library} ${show(peer.rate)} (${peer.name})`,
      show(ratio),
      target === null ? '' : `≥ ${target}`,
      `${shortened(ours.cpuUs.median)} / ${shortened(peer.cpuUs.median)}`,
      shortened(cpuRatio.median),
    ];
  });
  const steps = `${show(flat.rate)} steps/s`;
  const title = `${STEPS} steps of one instance, last tenth by first, by the clock`;
  const asked = `≤ ${FLAT_MAX}`;
  const cpu = show(flat.ratio);
  return [HEAD, ...rows, [title, steps, '', show(flat.clockRatio), asked, '', cpu]];
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

function verdictOf(found: number, target: number | null, word: string): string {
  if (target === null || found >= target) return '';
  return `, NOT ${word} ${Math.abs(target)}`;
}

function show({ median, least, most }: Spread): string {
  return `${shortened(median)} (${shortened(least)}–${shortened(most)})`;
}

function shortened(value: number): string {
  return String(rounded(value));
}

/** Three digits are more than these numbers are worth. */
function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function tell(line: string): void {
  console.error(`bench: ${line}`);
}
