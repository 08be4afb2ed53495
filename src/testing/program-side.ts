/** The other end of `program.ts`: it hears lines, says some, and ends when nobody is left. */
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';

/** Whoever started this process is gone when there is nothing more to hear. */
export function hear(onLine: (line: string) => void = () => {}): void {
  createInterface({ input: process.stdin })
    .on('line', onLine)
    .once('close', () => process.exit());
  // It is no reason to stay: a program that has nothing left to do ends by itself.
  process.stdin.unref();
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** To be called once everything is loaded and open. */
export function sayAtWork(): void {
  // Now, and not at the end: most programs of the tests are killed.
  flushCompileCache();
  say('at work');
}
