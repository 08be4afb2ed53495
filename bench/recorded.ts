/**
 * The ratio to the ceiling that was last recorded, so that later work notices when it costs speed.
 * A ratio, because a rate is that of one machine on one day. What has fallen below most of the last
 * one is said and not recorded: whoever means it so writes the file by hand, and says why. A quick
 * run says how it compares; it is too short to judge by.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('recorded.json', import.meta.url);
/** Below this part of the last one it has fallen; machines are no steadier than that. */
const FALLEN = 0.9;

interface Recorded {
  readonly date: string;
  readonly ratios: Readonly<Record<string, number>>;
}

/** Each ratio by the last one of its name. */
export function againstRecorded(ratios: Readonly<Record<string, number>>): Record<string, number> {
  const last = readRecorded();
  const found: Record<string, number> = {};
  for (const [name, ratio] of Object.entries(ratios)) {
    const then = last?.ratios[name];
    if (last === undefined || then === undefined) continue;
    const part = Number((ratio / then).toPrecision(3));
    found[`${name}_vs_recorded`] = part;
    const says = `${name} is ${ratio} now and was ${then} on ${last.date}: ${part} of it`;
    console.error(part < FALLEN ? `bench: FALLEN below ${FALLEN}: ${says}` : `bench: ${says}`);
  }
  return found;
}

export function hasFallen(parts: Readonly<Record<string, number>>): boolean {
  return Object.values(parts).some((part) => part < FALLEN);
}

export function record(ratios: Readonly<Record<string, number>>): void {
  const recorded: Recorded = { date: new Date().toISOString().slice(0, 10), ratios };
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}

function readRecorded(): Recorded | undefined {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Recorded) : undefined;
}
