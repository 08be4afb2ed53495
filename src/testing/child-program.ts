/** A few lines of program, run as a process of its own until it ends by itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How it ended: its exit code, and the signal if it was killed. */
export async function runProgram(text: string): Promise<unknown[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return once(child, 'exit');
}

export const ENDED_WELL: readonly unknown[] = [0, null];
