/**
 * A folder of programs that is all a workflow's programs find: a container runtime, an `npx` that
 * knows one package, and a `sleep` that writes down how long it was meant to and is done at once,
 * since what has thirty minutes is over in less here.
 */
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../src/base/json.ts';

export interface Tools {
  /** For the engine: where programs are looked for. */
  readonly path: string;
  /** What was asked of the container runtime, in order: the words of each `run`. */
  runs(): readonly (readonly string[])[];
  /** When it has no container any more; then, in seconds, how long somebody has slept for that. */
  cleared(): Promise<Json>;
  /** How many containers it has. */
  count(): number;
}

interface Call {
  readonly verb: string;
  readonly words: readonly string[];
}

const RUNTIME = fileURLToPath(new URL('../src/testing/container-program.ts', import.meta.url));
const SLACK = fileURLToPath(new URL('./examples-slack-program.ts', import.meta.url));

export function layTools(folder: string): Tools {
  const [home, bin] = [join(folder, 'runtime'), join(folder, 'bin')];
  const [shelf, sleeps] = [join(home, 'containers'), join(folder, 'sleeps')];
  for (const one of [bin, shelf]) mkdirSync(one, { recursive: true });
  const lay = (name: string, line: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const program = (file: string): string => `exec "${process.execPath}" --no-warnings "${file}"`;
  lay('docker', `${program(RUNTIME)} "${home}" "$@"`);
  lay('npx', `${program(SLACK)} "$@"`);
  lay('sleep', `echo "$1" >>"${sleeps}"`);
  const count = (): number => readdirSync(shelf).length;
  return {
    path: [bin, '/usr/bin', '/bin'].join(delimiter),
    runs: () =>
      linesOf(join(home, 'calls'))
        .map((line) => JSON.parse(line) as Call)
        .filter(({ verb }) => verb === 'run')
        .map(({ words }) => words),
    cleared: async () => {
      await comesTrue(shelf, () => count() === 0);
      return linesOf(sleeps).map(Number);
    },
    count,
  };
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

/** When something is so that can only become so by a change in a folder. */
function comesTrue(folder: string, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      watching.close();
      resolve();
    };
    const watching = watch(folder, look);
    look();
  });
}
