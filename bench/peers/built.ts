/**
 * The processes of the contenders run JavaScript, as a program in production does. Node can strip
 * types as it loads, and the bench itself is run that way; but what strips them stays in memory,
 * once per thread, and would be weighed with whoever's code is written in TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'bench/built');

let isBuilt = false;

/** The program of a contender; made afresh by each bench, so that it is of what is there now. */
export function builtSide(): string {
  if (!isBuilt) build();
  isBuilt = true;
  return join(BUILT, 'bench/peers/side.js');
}

function build(): void {
  rmSync(BUILT, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', import.meta.dirname], { stdio: ['ignore', 2, 2] });
  // An engine says its version to whom it calls, and reads it where a package has it.
  copyFileSync(join(ROOT, 'package.json'), join(BUILT, 'package.json'));
}
