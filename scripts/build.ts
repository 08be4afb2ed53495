/**
 * Makes dist/ from src/ and looks at it the way a stranger's program would: every door of
 * package.json opens, the command and the program of the README run, and publint has nothing to
 * complain about.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { readReadmeProgram, runReadmeProgram } from './readme-program.ts';

const root = join(import.meta.dirname, '..');

rmSync(join(root, 'dist'), { recursive: true, force: true });
run('tsc', '-p', 'tsconfig.build.json');
run(process.execPath, 'scripts/studio.ts');
for (const door of Object.keys(manifest.exports)) {
  if (door === './package.json') continue;
  const name = `perdure${door.slice(1)}`;
  // A process of its own, without the condition that leads to the sources.
  const program = `console.log('${name}:', Object.keys(await import('${name}')).join(', '))`;
  run(process.execPath, '--input-type=module', '--eval', program);
}
// The command, as npm would link it.
run(process.execPath, manifest.bin.perdure, '--version');
const { first } = readReadmeProgram();
const [printed] = runReadmeProgram(1);
if (printed !== first) throw new Error(`the README promises ${first}; came ${printed}`);
run('publint', '--strict');

function run(command: string, ...args: string[]): void {
  const shell = process.platform === 'win32';
  execFileSync(command, args, { cwd: root, stdio: 'inherit', shell });
}
