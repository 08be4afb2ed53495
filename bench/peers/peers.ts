/**
 * Perdure and what a user would pick instead, side by side in one run: on the same server and disk,
 * with the same durability, each at the best settings that were found for it.
 *
 *     workloads/   what is measured, one question per file
 *     contenders/  who is measured, one library per file
 *     side.ts      the process of one contender, and crew.ts how the bench talks to it
 *     built.ts     what these processes run
 *     databases.ts where they keep their things
 *     report.ts    figures, tables, and what is asked of them
 *
 * A contender that fails or hangs ends the run with a sentence that names it.
 */
import type { Findings, Pace } from '../measure.ts';
import { CONTENDERS } from './contenders.ts';
import { endAll } from './crew.ts';
import { Databases } from './databases.ts';
import { House } from './house.ts';
import { Report } from './report.ts';
import { FULL, QUICK } from './sizes.ts';
import { backlog } from './workloads/backlog.ts';
import { chains } from './workloads/chains.ts';
import { fullTables } from './workloads/full-tables.ts';
import { idle } from './workloads/idle.ts';
import { join } from './workloads/join.ts';
import { latency } from './workloads/latency.ts';
import { messages } from './workloads/messages.ts';
import { processes } from './workloads/processes.ts';
import { sagas } from './workloads/sagas.ts';
import { saturation } from './workloads/saturation.ts';
import { waiting } from './workloads/waiting.ts';

type Workload = (house: House) => Promise<void>;

/** By the letter they are known by. */
const WORKLOADS: Readonly<Record<string, Workload>> = {
  a: saturation,
  b: latency,
  c: backlog,
  d: fullTables,
  e: join,
  f: processes,
  g: sagas,
  h: messages,
  i: chains,
  waiting,
  idle,
};

export async function peers(pace: Pace, only: readonly string[]): Promise<Findings> {
  const letters = only.length > 0 ? only : Object.keys(WORKLOADS);
  const unknown = letters.filter((letter) => !(letter in WORKLOADS));
  if (unknown.length > 0) {
    const known = Object.keys(WORKLOADS).join(', ');
    throw new Error(`there is no workload "${unknown.join(', ')}"; there are ${known}`);
  }
  // Without these the exit hooks of the server and of the children would not be called.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const databases = await Databases.open();
  const report = new Report();
  const house = new House(databases, pace.quick ? QUICK : FULL, report);
  try {
    for (const letter of letters) {
      const before = performance.now();
      await WORKLOADS[letter]?.(house);
      house.tell(`(${letter}) took ${Math.round((performance.now() - before) / 1_000)} s`);
    }
    describe(house, pace.quick);
    return { ...report.findings(), sizes: house.sizes };
  } finally {
    endAll();
    await databases.close();
  }
}

function describe({ databases, report, sizes }: House, quick: boolean): void {
  const rows = Object.values(CONTENDERS).map(({ title, settings }) => [title, settings]);
  report.table('Settings', [['contender', 'settings'], ...rows]);
  report.note(
    `All on one server (${databases.version}), each in a database of its own; SQLite in WAL with ` +
      'synchronous=FULL everywhere. Handlers do nothing.',
    'Each contender runs in a process of its own and is closed between its laps; laps take ' +
      'turns. Medians over the rounds, the least and the most in parentheses; a ratio is that ' +
      'of one round.',
    `${quick ? 'A quick run' : 'A full run'}: ${sizes.rounds} rounds of (a) and (c), ` +
      `${sizes.roundsFew} of the others.`,
  );
}
