/**
 * Does an activity cost the same in a flowchart of two thousand as in one of twenty? Charts of many
 * shapes, from start to result in memory with handlers that return at once, and by the kernel
 * alone. In every round as many activities are completed in many instances of the small one as in
 * few of the large one, by turns, and the ratio is that of the round: what slows the machine slows
 * both. Each lap has an engine of its own, so that none pays for what another left in memory, and
 * a run of each lane that is not timed, in which the machine works out what it keeps.
 *
 * The cost is CPU time, the collector's threads included, as in `flat.ts`: on a machine that does
 * other things too the clock says more about those. The ratio by the clock is told as well.
 *
 * And how long does it take until such a chart can run, and how much memory does it take?
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEngine, type Engine, memory } from '../src/index.ts';
import { flowchart as drawn, outcome } from '../src/flowchart.ts';
import { advance } from '../src/kernel/advance.ts';
import { emptyInstance } from '../src/kernel/instance.ts';
import type { Machine } from '../src/kernel/machine.ts';
import type { InstanceId, Instant, NodeId, TokenId } from '../src/model/ids.ts';
import type { Input, Outcome } from '../src/model/input.ts';
import { machineOf, written } from '../src/testing/story.ts';
import { type Chart, knotOf, ROUNDS, SHAPES, type Shape } from './charts.ts';
import { againstRecorded, hasFallen, record } from './recorded.ts';
import { type Findings, type Pace, showSpread, type Spread, spreadOf } from './measure.ts';

const SMALL = 20;
const LARGE = 2_000;
const COST_MAX = 2;
const COMPILE_MS_MAX = 1_000;
/** Runs of the large chart in one lap; of the small one as many more as it is smaller. */
const RUNS = 8;
const RUNS_QUICK = 4;
/** Runs under way at a time, on both sides. */
const LANES = 4;
const KNOT_CONNECTIONS = 6_000;
const COMPILES = 3;

interface Found {
  readonly small: Spread;
  readonly large: Spread;
  readonly ratio: Spread;
  readonly clockRatio: Spread;
}

export async function flowchart(pace: Pace, only: readonly string[]): Promise<Findings> {
  const names = Object.keys(SHAPES).filter((name) => only.length === 0 || only.includes(name));
  const ratios: Record<string, number> = {};
  const clockRatios: Record<string, number> = {};
  const rates: Record<string, number> = {};
  const rows = [['shape', `µs per activity of ${SMALL}`, `of ${LARGE}`, 'ratio', 'by the clock']];
  const alone = [['shape, kernel alone', `µs per activity of ${SMALL}`, `of ${LARGE}`, 'ratio']];
  const builds = [['shape', 'until it can run, ms', 'first run more than others, ms', 'heap, MB']];
  for (const name of names) {
    const shape = SHAPES[name] as Shape;
    const [engine, kernel] = await measure(name, shape, pace);
    ratios[name] = rounded(engine.ratio.median);
    ratios[`${name}_kernel`] = rounded(kernel.ratio.median);
    clockRatios[name] = rounded(engine.clockRatio.median);
    rates[`${name}_us`] = rounded(engine.large.median);
    rates[`${name}_kernel_us`] = rounded(kernel.large.median);
    const { small, large, ratio, clockRatio } = engine;
    rows.push([shape.title, ...[small, large, ratio, clockRatio].map(showSpread)]);
    alone.push([shape.title, ...[kernel.small, kernel.large, kernel.ratio].map(showSpread)]);
    const { ms, firstMs, heapMb } = build(() => shape.of(LARGE));
    rates[`${name}_compile_ms`] = rounded(ms.median);
    rates[`${name}_heap_mb`] = rounded(heapMb);
    builds.push([shape.title, showSpread(ms), firstMs.toFixed(0), heapMb.toFixed(1)]);
  }
  const knot = build(knotChart);
  rates['knot_compile_ms'] = rounded(knot.ms.median);
  rates['knot_heap_mb'] = rounded(knot.heapMb);
  const title = `one knot of ${LARGE} with ${KNOT_CONNECTIONS} connections, never run`;
  builds.push([title, showSpread(knot.ms), '', knot.heapMb.toFixed(1)]);
  const compileMs = Object.entries(rates).filter(([name]) => name.endsWith('_compile_ms'));
  rates[`compile_ms_${LARGE}`] = Math.max(...compileMs.map(([, ms]) => ms));
  const cost = Math.max(...names.map((name) => ratios[name] ?? 0));
  const kernelCost = Math.max(...names.map((name) => ratios[`${name}_kernel`] ?? 0));
  const clockCost = Math.max(...Object.values(clockRatios));
  tellVerdict(cost, kernelCost, rates[`compile_ms_${LARGE}`] ?? 0);
  // As what is recorded is: more is better.
  const recorded = { flowchart_small_vs_large: rounded(1 / cost) };
  const parts = againstRecorded(recorded);
  if (!pace.quick && only.length === 0) {
    if (hasFallen(parts)) process.exitCode = 1;
    else record(recorded);
  }
  return {
    ratios: { cost, clock_cost: clockCost, kernel_cost: kernelCost, ...ratios, ...parts },
    rates,
    cpuRatios: {},
    tables: [{ rows }, { rows: alone }, { rows: builds }],
    notes: NOTES,
  };
}

const NOTES = [
  `Handlers return at once; ${LANES} instances at a time, one process, in memory.`,
  `Ratio: CPU time per completed activity in a chart of ${LARGE} by that in one of ${SMALL}, in ` +
    `the same round; asked: at most ${COST_MAX}, of every shape.`,
  'In a race those that are cancelled count as completed: each was born, offered and ended.',
  'forEach has 500 items on the one side and 5 on the other; flowcharts in a row are 100 and 1.',
  'Until it can run: flowchart(), compile, the machine and what it works out at once; asked: ' +
    `less than ${COMPILE_MS_MAX} ms. What it works out when it is first asked is in the first run.`,
  'Heap: the plan and its machine after one run, with nothing of the run left.',
];

function tellVerdict(cost: number, kernelCost: number, compileMs: number): void {
  const verdict = (is: boolean): string => (is ? '' : ', NOT as asked');
  console.error(`bench: cost ${cost}, kernel alone ${kernelCost}${verdict(cost <= COST_MAX)}`);
  console.error(`bench: compiles in ${compileMs} ms${verdict(compileMs < COMPILE_MS_MAX)}`);
}

interface Lap {
  readonly clockUs: number;
  readonly cpuUs: number;
}

async function measure(name: string, shape: Shape, pace: Pace): Promise<readonly [Found, Found]> {
  const charts = [shape.of(SMALL), shape.of(LARGE)] as const;
  const machines = charts.map(({ flow }) => machineOf(written(flow))) as [Machine, Machine];
  const runs = pace.quick ? RUNS_QUICK : RUNS;
  const engine: (readonly [Lap, Lap])[] = [];
  const kernel: (readonly [Lap, Lap])[] = [];
  // The first round warms up and does not count.
  for (let round = 0; round <= pace.rounds; round += 1) {
    const laps = [await engineLap(charts[0], runs), await engineLap(charts[1], runs)] as const;
    const alone = [
      kernelLap(machines[0], charts[0], runs),
      kernelLap(machines[1], charts[1], runs),
    ] as const;
    if (round === 0) continue;
    engine.push(laps);
    kernel.push(alone);
    const told = [...laps, ...alone].map(({ cpuUs }) => cpuUs.toPrecision(3));
    console.error(
      `${name}: ${told[0]} µs of ${SMALL}, ${told[1]} of ${LARGE}; ` +
        `kernel alone ${told[2]} and ${told[3]}`,
    );
  }
  return [foundIn(engine), foundIn(kernel)];
}

function foundIn(laps: readonly (readonly [Lap, Lap])[]): Found {
  return {
    small: spreadOf(laps.map(([small]) => small.cpuUs)),
    large: spreadOf(laps.map(([, large]) => large.cpuUs)),
    ratio: spreadOf(laps.map(([small, large]) => large.cpuUs / small.cpuUs)),
    clockRatio: spreadOf(laps.map(([small, large]) => large.clockUs / small.clockUs)),
  };
}

function timesOf({ completions }: Chart, runs: number): number {
  return Math.ceil((runs * LARGE) / completions);
}

async function engineLap(chart: Chart, runs: number): Promise<Lap> {
  const turns = new Map<string, number>();
  const store = memory();
  const handlers = {
    work: (): null => null,
    turn: ({ instance, activity }: { readonly instance: string; readonly activity: string }) =>
      isLast(turns, `${instance} ${activity}`) ? null : outcome('Again'),
  };
  const known = Object.fromEntries(chart.handlers.map((name) => [name, handlers[name as 'work']]));
  const engine = await createEngine({ store, flows: [chart.flow], handlers: known });
  await runAll(engine, chart, LANES);
  const [cpu, since] = [process.cpuUsage(), performance.now()];
  const times = Math.max(LANES, timesOf(chart, runs));
  await runAll(engine, chart, times);
  const clockUs = (performance.now() - since) * 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await engine.close();
  const done = times * chart.completions;
  return { clockUs: clockUs / done, cpuUs: (user + system) / done };
}

async function runAll(engine: Engine, { flow }: Chart, times: number): Promise<void> {
  let left = times;
  const lane = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await (await engine.start(flow, null)).result();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Whether this is the last time that it is asked. */
function isLast(turns: Map<string, number>, name: string): boolean {
  const turn = (turns.get(name) ?? 0) + 1;
  turns.set(name, turn);
  return turn >= ROUNDS;
}

function kernelLap(machine: Machine, chart: Chart, runs: number): Lap {
  const times = timesOf(chart, runs);
  const [cpu, since] = [process.cpuUsage(), performance.now()];
  for (let at = 0; at < times; at += 1) runAlone(machine);
  const clockUs = (performance.now() - since) * 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const done = times * chart.completions;
  return { clockUs: clockUs / done, cpuUs: (user + system) / done };
}

const ID = 'bench' as InstanceId;
const AT = 0 as Instant;
const CLAIM = { worker: 'bench', version: 1, at: AT };

/** One instance to its end: whoever is offered is done, in the order of the offers. */
function runAlone(machine: Machine): void {
  const { name: flow, version: flowVersion } = machine.plan;
  let instance = emptyInstance(ID);
  const turns = new Map<NodeId, number>();
  const offered: { readonly token: TokenId; readonly handler: string }[] = [];
  const tell = (input: Input): void => {
    const { after, hints } = advance(machine, instance, input);
    instance = after;
    for (const hint of hints) if (hint.do === 'offer') offered.push(hint);
  };
  tell({ type: 'start', at: AT, birth: { id: ID, flow, flowVersion, input: null } });
  // What is added while it is walked is walked, too.
  for (const { token, handler } of offered) {
    const node = instance.tokens.get(token)?.node;
    if (node === undefined) continue;
    const claimed = { at: AT, token, claim: CLAIM } as const;
    if (handler === machine.handler) tell({ type: 'continue', ...claimed });
    else {
      const isBack = handler.endsWith('/turn') && !isLast(turns, node);
      tell({ type: 'result', ...claimed, outcome: isBack ? AGAIN : DONE });
    }
  }
  const { status } = instance.head;
  if (status !== 'completed') throw new Error(`${flow} ends completed; it is ${status}`);
}

const DONE: Outcome = { outcome: 'done', value: null };
const AGAIN: Outcome = { outcome: 'done', value: null, outcomes: ['Again'] };

interface Built {
  readonly ms: Spread;
  /** How much longer the first run takes than the second. */
  readonly firstMs: number;
  readonly heapMb: number;
}

/** What was built last stays until it is measured. */
function build(draw: () => Chart | Pick<Chart, 'flow'>): Built {
  const ms = Array.from({ length: COMPILES }, () => timed(() => machineOf(written(draw().flow))));
  const before = heapNow();
  const machine = machineOf(written(draw().flow));
  const isRun = 'completions' in draw();
  const [first, second] = isRun
    ? [timed(() => runAlone(machine)), timed(() => runAlone(machine))]
    : [0, 0];
  const heapMb = heapNow() - before;
  return { ms: spreadOf(ms), firstMs: first - second, heapMb: machine.plan.hash ? heapMb : 0 };
}

function knotChart(): Pick<Chart, 'flow'> {
  return { flow: drawn<null>({ id: 'knot', version: 1, ...knotOf(LARGE, KNOT_CONNECTIONS) }) };
}

function timed(work: () => void): number {
  const since = performance.now();
  work();
  return performance.now() - since;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Arrays of numbers lie outside the heap, and count. */
function heapNow(): number {
  // What the first leaves behind, the second finds.
  for (let time = 0; time < 3; time += 1) collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1_000_000;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
