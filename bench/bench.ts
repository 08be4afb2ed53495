/**
 * `npm run bench -- NAME [--quick] [--only a,c]`: one question, measured side by side with peers.
 *
 * Progress goes to stderr. The last line of stdout is one line of JSON for whoever reads it by
 * machine; a full run also writes its tables into RESULTS.md. One that is quick, or of some of the
 * workloads only, leaves that file alone and says on stderr what it would have written.
 */
import { parseArgs } from 'node:util';
import type { Findings, Pace } from './measure.ts';
import { installPackages } from './packages.ts';
import { sectionOf, writeResults } from './results.ts';

/** Of those that have workloads with names, some may be asked for. */
type Bench = (pace: Pace, only: readonly string[]) => Promise<Findings>;

interface Asked {
  readonly name: string;
  readonly quick: boolean;
  readonly only: readonly string[];
}

/** Loaded when asked for, since what they import may have to be installed first. */
const BENCHES: ReadonlyMap<string, () => Promise<Bench>> = new Map([
  ['kernel', async () => (await import('./kernel.ts')).kernel],
  ['steps', async () => (await import('./steps.ts')).steps],
  ['sizing', async () => (await import('./sizing.ts')).sizing],
  ['limits', async () => (await import('./limits.ts')).limits],
  ['fanout', async () => (await import('./fanout.ts')).fanout],
  ['flowchart', async () => (await import('./flowchart.ts')).flowchart],
  ['profile', async () => (await import('./profile.ts')).profile],
  ['jq', async () => (await import('./jq.ts')).jq],
  ['serverless', async () => (await import('./serverless.ts')).serverless],
  ['http', async () => (await import('./http.ts')).http],
  ['peers', async () => (await import('./peers/peers.ts')).peers],
]);

/** Laps are short and rounds many: what else the machine does then falls on both sides alike. */
const FULL: Pace = { rounds: 9, lapMs: 1_000, warmMs: 5_000, instances: 7, quick: false };
const QUICK: Pace = { rounds: 3, lapMs: 400, warmMs: 2_500, instances: 3, quick: true };

const names = [...BENCHES.keys()].join(', ');
const asked = readArguments();
const load = asked === undefined ? undefined : BENCHES.get(asked.name);
if (asked === undefined || load === undefined) {
  const what = asked === undefined ? '' : `there is no bench "${asked.name}"; `;
  console.error(`${what}npm run bench -- NAME [--quick], where NAME is one of: ${names}`);
  console.error(
    'npm run bench -- peers|flowchart|jq [--quick] --only a,c for some of its workloads',
  );
  process.exitCode = 2;
} else {
  try {
    await run(asked, load);
  } catch (thrown) {
    console.error(`bench: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    process.exitCode = 1;
  }
}

function readArguments(): Asked | undefined {
  try {
    const quick = { type: 'boolean', default: false } as const;
    const only = { type: 'string', default: '' } as const;
    const options = { quick, only };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) return undefined;
    return { name, quick: values.quick, only: values.only.split(',').filter(Boolean) };
  } catch {
    // An option that does not exist: the usage says which do.
    return undefined;
  }
}

async function run({ name, quick, only }: Asked, loadBench: () => Promise<Bench>): Promise<void> {
  installPackages();
  const bench = await loadBench();
  const findings = await bench(quick ? QUICK : FULL, only);
  if (!quick && only.length === 0) writeResults(name, findings);
  else console.error(`\n${sectionOf(findings)}\n`);
  const { ratios, rates, cpuRatios, sizes } = findings;
  console.log(JSON.stringify({ name, ratios, rates, cpuRatios, quick, sizes }));
}
