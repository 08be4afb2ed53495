/**
 * How fast is the engine in memory? From start to result with handlers that do nothing, against
 * bpmn-engine on the same shapes; and the kernel alone, its changes written out after every event,
 * against xstate with its snapshot written out after every event. Parsing and building are not
 * timed on either side. Last, whether a step costs the same late in a long instance as early.
 */
import { type Flatness, measureFlatness, STEPS } from './flat.ts';
import {
  type Findings,
  type Pace,
  type Race,
  race,
  rounded,
  shortened,
  type Spread,
} from './measure.ts';
import { openSides } from './sides.ts';
import { WORKLOADS, type Workload } from './workloads.ts';

const FLAT_MAX = 1.2;

export async function kernel(pace: Pace): Promise<Findings> {
  const races: [string, Workload, Race][] = [];
  for (const [name, workload] of Object.entries(WORKLOADS)) {
    tell(`${name}: ${workload.title}, ${pace.rounds} rounds`);
    const { ours: mine, peers, close } = await openSides(name);
    const found = await race(mine, peers, pace);
    close();
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
  const tables = [{ rows: tableOf(races, flat) }];
  return { ratios, rates, cpuRatios, tables, notes: NOTES };
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
  'Each side runs in a process of its own, so that neither pays for what the other leaves on ' +
    'the heap; their laps alternate.',
  'Medians over the rounds, the least and the most in parentheses; a ratio is that of one round.',
  'What is asked of the long instance is asked of its CPU time (bench/flat.ts says why).',
  'Ours runs on the engine in memory with its defaults, from `start` to `result`; against xstate ' +
    'it is the kernel alone.',
  'The peer does the same work in several ways and the best one counts; it is named.',
  'Three loops: the same graph on both sides; a body in a scope of its own on both sides; and ' +
    'the fastest loop the peer has. `ratios.loop` is the first; the second is asked the same.',
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

function verdictOf(found: number, target: number | null, word: string): string {
  if (target === null || found >= target) return '';
  return `, NOT ${word} ${Math.abs(target)}`;
}

function show({ median, least, most }: Spread): string {
  return `${shortened(median)} (${shortened(least)}–${shortened(most)})`;
}

function tell(line: string): void {
  console.error(`bench: ${line}`);
}
