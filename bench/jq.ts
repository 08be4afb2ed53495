/**
 * How fast is our jq? The same programs on the same values as one in JavaScript,
 * `@michaelhomer/jqjs`, and the original compiled to WebAssembly, `jq-wasm`. Programs are compiled
 * beforehand; jq-wasm takes the text with every call, since it offers nothing else.
 *
 * What each side answers is compared with what ours does before anything is timed, and by the very
 * processes that are timed afterwards; a difference ends the bench. What compiling costs is told.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../src/base/json.ts';
import {
  type Findings,
  type Pace,
  type Race,
  race,
  rounded,
  type Runner,
  type Sample,
  shortened,
  showSpread,
  type Spread,
  spreadOf,
} from './measure.ts';
import { JQ_WORKLOADS, LIBRARIES, type Library, type Order } from './jq-workloads.ts';

const TARGET = 2;
const FIELD_TARGET_WASM = 1_000;
/** Of answers that differ. */
const TOLD_CHARS_MAX = 300;

interface Found {
  readonly name: string;
  readonly run: Race;
  readonly sides: readonly Share[];
  readonly compile: Race;
}

/** Of one library on one workload: how fast it is, and ours by it, round by round. */
interface Share {
  readonly library: Library;
  readonly rate: Spread;
  readonly cpuUs: Spread;
  readonly ratio: Spread;
  readonly cpuRatio: Spread;
}

export async function jq(pace: Pace, only: readonly string[]): Promise<Findings> {
  const names = Object.keys(JQ_WORKLOADS).filter(
    (name) => only.length === 0 || only.includes(name),
  );
  const found: Found[] = [];
  for (const name of names) {
    console.error(`bench: ${name}: ${JQ_WORKLOADS[name]?.program}`);
    const sides = LIBRARIES.map((library) => openSide(name, library));
    try {
      await compareAnswers(name, sides);
      found.push(await measure(name, sides, pace));
    } finally {
      for (const { child } of sides) child.kill();
    }
    tellShares(found.at(-1));
  }
  return findingsOf(found);
}

interface Side {
  readonly library: Library;
  readonly child: ChildProcess;
}

function openSide(workload: string, library: Library): Side {
  return { library, child: fork(join(import.meta.dirname, 'jq-side.ts'), [workload, library]) };
}

/** What a side says next; one that ends instead has said on stderr why. */
async function nextFrom<Said>(child: ChildProcess): Promise<Said> {
  const given = new AbortController();
  const { signal } = given;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`the side ${child.spawnargs.slice(-2).join(' ')} has ended`);
  });
  try {
    const [said] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Said];
    return said;
  } finally {
    given.abort();
  }
}

async function compareAnswers(workload: string, sides: readonly Side[]): Promise<void> {
  const answers = await Promise.all(sides.map(({ child }) => nextFrom<readonly Json[]>(child)));
  const [ours, ...others] = answers;
  const start = (value: unknown): string => JSON.stringify(value).slice(0, TOLD_CHARS_MAX);
  for (const [at, answer] of others.entries()) {
    if (isDeepStrictEqual(answer, ours)) continue;
    const library = LIBRARIES[at + 1];
    throw new Error(`${workload}: ${library} says ${start(answer)}, ours ${start(ours)}`);
  }
}

/** Three sides take turns: shorter laps than those of two keep the whole in its time. */
const LAP_SHARE = 0.6;
const WARM_SHARE = 0.4;
const COMPILE_SHARE = 0.2;

async function measure(name: string, sides: readonly Side[], pace: Pace): Promise<Found> {
  const { rounds, lapMs, warmMs } = pace;
  const [ours, ...peers] = sides.map((side) => recording(side, 'run'));
  const [oursCompile, jqjsCompile] = sides.map((side) => recording(side, 'compile'));
  if (!ours || !oursCompile || !jqjsCompile) throw new Error('there are three sides');
  const shorter = { ...pace, lapMs: lapMs * LAP_SHARE, warmMs: warmMs * WARM_SHARE };
  const run = await race(ours, peers, shorter);
  const compilePace = { ...pace, lapMs: lapMs * COMPILE_SHARE, warmMs: lapMs * WARM_SHARE };
  const compile = await race(oursCompile, [jqjsCompile], compilePace);
  const mine = ours.samples.slice(-rounds);
  const shares = [ours, ...peers].map(({ library, samples }) => {
    return shareOf(library, samples.slice(-rounds), mine);
  });
  return { name, run, sides: shares, compile };
}

interface Recording extends Runner {
  readonly library: Library;
  /** All of its laps, those that warm up before those that count. */
  readonly samples: readonly Sample[];
}

/** Keeps what it says: a race tells of the best peer alone. */
function recording({ library, child }: Side, what: Order['what']): Recording {
  const samples: Sample[] = [];
  const lap = async (ms: number): Promise<Sample> => {
    child.send({ what, ms } satisfies Order);
    const sample = await nextFrom<Sample>(child);
    samples.push(sample);
    return sample;
  };
  return { name: library, library, samples, lap };
}

function shareOf(library: Library, theirs: readonly Sample[], mine: readonly Sample[]): Share {
  const byRound = (of: (ours: Sample, peer: Sample) => number): Spread =>
    spreadOf(theirs.map((peer, round) => of(mine[round] ?? peer, peer)));
  return {
    library,
    rate: byRound((_, { rate }) => rate),
    cpuUs: byRound((_, { cpuUs }) => cpuUs),
    ratio: byRound((ours, { rate }) => ours.rate / rate),
    cpuRatio: byRound((ours, { cpuUs }) => cpuUs / ours.cpuUs),
  };
}

function tellShares(found: Found | undefined): void {
  if (found === undefined) return;
  const { name, run, sides, compile } = found;
  for (const { library, rate, ratio, cpuRatio } of sides) {
    const than = library === 'ours' ? '' : `, ratio ${show(ratio)}, by CPU ${show(cpuRatio)}`;
    console.error(`bench: ${name}: ${library} ${show(rate)} runs/s${than}`);
  }
  const wasm = sides.find(({ library }) => library === 'wasm');
  tellMissed(`${name}, against ${run.peer.name}`, run.ratio, TARGET);
  if (name === 'field' && wasm) tellMissed(`${name}, against wasm`, wasm.ratio, FIELD_TARGET_WASM);
  const [ours, jqjs] = [compile.ours, compile.peer].map(({ rate }) => shortened(us(rate).median));
  console.error(`bench: ${name}: compiled in ${ours} µs, by jqjs in ${jqjs} µs`);
}

function tellMissed(what: string, { median }: Spread, target: number): void {
  if (median < target) console.error(`bench: ${what}: NOT at least ${target}`);
}

function findingsOf(found: readonly Found[]): Findings {
  const ratios: Record<string, number> = {};
  const rates: Record<string, number> = {};
  const cpuRatios: Record<string, number> = {};
  for (const { name, run, sides, compile } of found) {
    ratios[name] = rounded(run.ratio.median);
    cpuRatios[name] = rounded(run.cpuRatio.median);
    for (const { library, rate, ratio, cpuRatio } of sides) {
      const isOurs = library === 'ours';
      rates[isOurs ? name : `${name}_${library}`] = rounded(rate.median);
      if (isOurs) continue;
      ratios[`${name}_vs_${library}`] = rounded(ratio.median);
      cpuRatios[`${name}_vs_${library}`] = rounded(cpuRatio.median);
    }
    rates[`${name}_compile_us`] = rounded(us(compile.ours.rate).median);
    rates[`${name}_compile_us_jqjs`] = rounded(us(compile.peer.rate).median);
  }
  const tables = [{ rows: runsTable(found) }, { rows: compileTable(found) }];
  return { ratios, rates, cpuRatios, tables, notes: NOTES };
}

const NOTES: readonly string[] = [
  'Each side runs in a process of its own; their laps alternate. Before that, what each answers ' +
    'is compared with what ours does.',
  'Medians over the rounds, the least and the most in parentheses; a ratio is that of one round.',
  `Asked: at least ${TARGET} times the faster of the two on each, and on the first at least ` +
    `${FIELD_TARGET_WASM} times jq-wasm.`,
  'Programs are compiled beforehand; jq-wasm takes the text with every call, since it offers ' +
    'nothing else.',
  'All are given the same JavaScript value and give values back. Ours counts what it does ' +
    'against its budget, as it does by default.',
];

function runsTable(found: readonly Found[]): string[][] {
  const head = ['workload', 'side', 'runs/s', 'CPU µs per run', 'ours by it', 'asked', 'by CPU'];
  const rows = found.flatMap(({ name, run, sides }) =>
    sides.map(({ library, rate, cpuUs, ratio, cpuRatio }) => {
      const measured = [library, show(rate), shortened(cpuUs.median)];
      if (library === 'ours') return [JQ_WORKLOADS[name]?.title ?? '', ...measured, '', '', ''];
      const target = targetOf(name, library, run.peer.name);
      return ['', ...measured, show(ratio), target, shortened(cpuRatio.median)];
    }),
  );
  return [head, ...rows];
}

function targetOf(name: string, library: Library, faster: string): string {
  if (name === 'field' && library === 'wasm') return `≥ ${FIELD_TARGET_WASM}`;
  return library === faster ? `≥ ${TARGET}` : '';
}

function compileTable(found: readonly Found[]): string[][] {
  const rows = found.map(({ name, compile: { ours, peer, ratio } }) => {
    const program = JQ_WORKLOADS[name]?.program.replaceAll('|', String.raw`\|`);
    return [`\`${program}\``, show(us(ours.rate)), show(us(peer.rate)), show(ratio)];
  });
  return [['program', 'ours compiles it in µs', 'jqjs', 'ratio'], ...rows];
}

/** What one takes, of so many in a second. */
function us({ median, least, most }: Spread): Spread {
  return { median: 1e6 / median, least: 1e6 / most, most: 1e6 / least };
}

const show = showSpread;
