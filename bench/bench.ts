/**
 * `npm run bench -- NAME [--quick]`: one question, measured side by side with the peers.
 *
 * Progress goes to stderr. The last line of stdout is one line of JSON for whoever reads it by
 * machine; a full run also writes its table into RESULTS.md, a quick one leaves that file alone.
 */
import { parseArgs } from 'node:util';
import type { Findings, Pace } from './measure.ts';
import { installPeers } from './peers.ts';
import { writeResults } from './results.ts';

type Bench = (pace: Pace) => Promise<Findings>;

/** Loaded when asked for, since what they import may have to be installed first. */
const BENCHES: ReadonlyMap<string, () => Promise<Bench>> = new Map([
  ['kernel', async () => (await import('./kernel.ts')).kernel],
  ['steps', async () => (await import('./steps.ts')).steps],
]);

/** Laps are short and rounds many: what else the machine does then falls on both sides alike. */
const FULL: Pace = { rounds: 9, lapMs: 1_000, warmMs: 5_000, instances: 7 };
const QUICK: Pace = { rounds: 3, lapMs: 400, warmMs: 2_500, instances: 3 };

const names = [...BENCHES.keys()].join(', ');
const asked = readArguments();
const load = asked === undefined ? undefined : BENCHES.get(asked.name);
if (asked === undefined || load === undefined) {
  const what = asked === undefined ? '' : `there is no bench "${asked.name}"; `;
  console.error(`${what}npm run bench -- NAME [--quick], where NAME is one of: ${names}`);
  process.exitCode = 2;
} else {
  await run(asked.name, load, asked.quick);
}

function readArguments(): { name: string; quick: boolean } | undefined {
  try {
    const options = { quick: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [name, ...more] = positionals;
    return name === undefined || more.length > 0 ? undefined : { name, quick: values.quick };
  } catch {
    // An option that does not exist: the usage says which do.
    return undefined;
  }
}

async function run(name: string, loadBench: () => Promise<Bench>, quick: boolean): Promise<void> {
  installPeers();
  const bench = await loadBench();
  const findings = await bench(quick ? QUICK : FULL);
  if (!quick) writeResults(name, findings);
  const { ratios, rates, cpuRatios } = findings;
  console.log(JSON.stringify({ name, ratios, rates, cpuRatios }));
}
