/**
 * Makes the pages that a program can make: one for every code, one for every node kind of
 * Serverless Workflow, and the lists of both. What they say comes from the pages that are written
 * by hand, from the sources, from the tests, and from runs.
 *
 *     node scripts/pages.ts
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorPages } from './pages/error-pages.ts';
import { isMade } from './pages/parts.ts';
import { nodeIndex } from './pages/node-index.ts';
import { nodePages } from './pages/node-pages.ts';
import { readTree, type SourceFile } from './tidy/source.ts';

const ROOT = join(import.meta.dirname, '..');

/** Every page that is made, by its path from the root, and what it must hold. */
export async function madePages(
  files: readonly SourceFile[] = readTree(ROOT),
): Promise<ReadonlyMap<string, string>> {
  return new Map([...errorPages(files), ...(await nodePages(files)), nodeIndex(files)]);
}

/** Those that are there now. */
export function pagesThere(): readonly SourceFile[] {
  return readTree(join(ROOT, 'docs'))
    .map(({ path, text }) => ({ path: `docs/${path}`, text }))
    .filter(({ text }) => isMade(text));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const pages = await madePages();
  for (const { path } of pagesThere()) if (!pages.has(path)) rmSync(join(ROOT, path));
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
  console.log(`${pages.size} pages`);
}
