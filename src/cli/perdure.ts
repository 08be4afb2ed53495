#!/usr/bin/env node
/**
 * The program `perdure`. What it is made of is read only where it can be: an older Node lacks
 * modules that it needs, and would say so in words of its own.
 */
import { tooOld } from './node-version.ts';

const problem = tooOld(process.version);
if (problem === undefined) {
  const { begin } = await import('./process.ts');
  begin();
} else {
  const error = { code: 'node.too-old', message: problem, details: {} };
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error })}\n`);
  else process.stderr.write(`perdure: ${problem}\n`);
  process.exitCode = 1;
}
