/** The program the README shows, taken out of it and run as it stands. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface ReadmeProgram {
  readonly text: string;
  /** What its comments say that it prints: the first time, and when all is done already. */
  readonly first: string;
  readonly again: string;
}

export function readReadmeProgram(): ReadmeProgram {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const text = /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? '';
  const told = [...text.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, line]) => line ?? '');
  return { text, first: told.join('\n'), again: told.at(-1) ?? '' };
}

/** What it prints when it is run so many times on the same database. */
export function runReadmeProgram(times: number, ...flags: readonly string[]): string[] {
  // Inside the checkout, so that the package's own name leads to it; .gitignore knows the folder.
  const folder = join(root, '.perdure');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `readme-${process.pid}.ts`);
  const cwd = mkdtempSync(join(tmpdir(), 'perdure-readme-'));
  try {
    writeFileSync(file, readReadmeProgram().text);
    const run = (): string => execFileSync(process.execPath, [...flags, file], { cwd }).toString();
    return Array.from({ length: times }, () => run().trim());
  } finally {
    rmSync(file, { force: true });
    rmSync(cwd, { recursive: true, force: true });
  }
}
