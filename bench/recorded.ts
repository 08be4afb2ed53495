/**
 * Ratios that were last recorded, so that later work notices when it costs speed; more is better.
 * Ratios, because a rate is that of one machine on one day. What has fallen below most of the last
 * one is said and not recorded: whoever means it so writes the file by hand, and says why. A quick
 * run says how it compares; it is too short to judge by.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('recorded.json', import.meta.url);
/** Below this part of the last one it has fallen; machines are no steadier than that. */
const FALLEN = 0.9;

type Recorded = Readonly<Record<string, { readonly date: string; readonly ratio: number }>>;

/** Each ratio by the last one of its name. */
export function againstRecorded(ratios: Readonly<Record<string, number>>): Record<string, number> {
  const last = readRecorded();
  const found: Record<string, number> = {};
  for (const [name, ratio] of Object.entries(ratios)) {
    const then = last[name];
    if (then === undefined) continue;
    const part = Number((ratio / then.ratio).toPrecision(3));
    found[`${name}_vs_recorded`] = part;
    const says = `${name} is ${ratio} now and was ${then.ratio} on ${then.date}: ${part} of it`;
    console.error(part < FALLEN ? `bench: FALLEN below ${FALLEN}: ${says}` : `bench: ${says}`);
  }
  return found;
}

export function hasFallen(parts: Readonly<Record<string, number>>): boolean {
  return Object.values(parts).some((part) => part < FALLEN);
}

/** Those of other benches stay as they are. */
export function record(ratios: Readonly<Record<string, number>>): void {
  const date = new Date().toISOString().slice(0, 10);
  const entries = Object.entries(ratios).map(([name, ratio]) => [name, { date, ratio }] as const);
  const recorded: Recorded = { ...readRecorded(), ...Object.fromEntries(entries) };
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}

function readRecorded(): Recorded {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Recorded) : {};
}
