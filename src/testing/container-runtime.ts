/** The stand-in for a container runtime, put on a PATH under the name of a real one. */
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { testFolder } from './named-pipe.ts';

export interface ContainerRuntime {
  /** A PATH with it, and with what it needs itself. */
  readonly path: string;
  /** How its clients were called, without their environment. */
  calls(verb: string): readonly (readonly string[])[];
  environment(verb: string): Readonly<Record<string, string>>;
  /** How many containers it has, whether they run or not. */
  count(): number;
  /** When it has none any more. */
  empty(): Promise<void>;
  /** When it has begun to pull `endless-image`, which has no end. */
  pulling(): Promise<void>;
  /** From now on nobody answers its clients. */
  goDown(): void;
}

interface Call {
  readonly verb: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const PROGRAM = join(import.meta.dirname, 'container-program.ts');

export function containerRuntime(name = 'docker'): ContainerRuntime {
  const home = testFolder();
  const [shelf, bin] = [join(home, 'containers'), join(home, 'bin')];
  for (const folder of [shelf, bin]) mkdirSync(folder);
  const start = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "${home}" "$@"\n`;
  writeFileSync(join(bin, name), start, { mode: 0o755 });
  const found = (verb: string): readonly Call[] =>
    readFileSync(join(home, 'calls'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Call)
      .filter((call) => call.verb === verb);
  const count = (): number => readdirSync(shelf).length;
  return {
    path: [bin, '/usr/bin', '/bin'].join(delimiter),
    calls: (verb) => found(verb).map(({ words }) => words),
    environment: (verb) => found(verb)[0]?.env ?? {},
    count,
    empty: () => comesTrue(shelf, () => count() === 0),
    pulling: () => comesTrue(home, () => existsSync(join(home, 'pulling'))),
    goDown: () => writeFileSync(join(home, 'down'), ''),
  };
}

/** When something is true that can only become so by a change in a folder. */
function comesTrue(folder: string, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => void (isTrue() && resolve());
    const watching = watch(folder, look);
    onTestFinished(() => watching.close());
    look();
  });
}
