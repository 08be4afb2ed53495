/** Every link of every page leads somewhere, and every page is led to. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { type Page, readPages, root } from '../scripts/markdown.ts';

const pages = readPages();
const byPath = new Map(pages.map((page) => [page.path, page]));
const isOutside = (target: string): boolean => /^[a-z]+:/.test(target);

/** Where a link leads, from the root of the project. */
function pathOf(page: Page, target: string): string {
  const [path = ''] = target.split('#');
  return path === '' ? page.path : posix.join(posix.dirname(page.path), decodeURI(path));
}

function wrongWith(page: Page, target: string): string | undefined {
  if (isOutside(target)) return URL.canParse(target) ? undefined : 'is no address';
  const path = pathOf(page, target);
  if (path.startsWith('..') || !existsSync(join(root, path))) return 'leads nowhere';
  const [, anchor] = target.split('#');
  if (anchor === undefined) return undefined;
  return byPath.get(path)?.anchors.has(anchor) === true ? undefined : 'has no such heading';
}

test('every link leads to a file, and to a heading in it', () => {
  const broken = pages.flatMap((page) =>
    page.links.flatMap(({ target, line }) => {
      const problem = wrongWith(page, target);
      return problem === undefined ? [] : [`${page.path}:${line} ${target} ${problem}`];
    }),
  );
  expect(broken).toEqual([]);
  expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(300);
});

test('addresses outside are asked for in private', () => {
  const outside = pages.flatMap(({ links }) => links).filter(({ target }) => isOutside(target));
  expect(outside.filter(({ target }) => !target.startsWith('https://'))).toEqual([]);
});

test('whoever begins at the README gets to every page', () => {
  const found = new Set<string>(['README.md']);
  for (const path of found) {
    const page = byPath.get(path);
    if (page === undefined) continue;
    for (const { target } of page.links.filter(({ target }) => !isOutside(target)))
      for (const one of pagesAt(pathOf(page, target))) found.add(one);
  }
  expect(pages.map(({ path }) => path).filter((path) => !found.has(path))).toEqual([]);
});

/** A folder shows its README, or else what is in it. */
function pagesAt(path: string): readonly string[] {
  const folder = join(root, path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [path];
  if (existsSync(join(folder, 'README.md'))) return [posix.join(path, 'README.md')];
  return readdirSync(folder).map((name) => posix.join(path, name));
}

test('pages and examples that the sources speak of are there', () => {
  const files = ['src', 'studio', 'examples', 'sim', 'bench', 'scripts'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/node_modules|\.test\./.test(name))
      .map((name) => join(room, name)),
  );
  const gone = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const spoken = [...text.matchAll(/\b(?:docs|examples)\/[\w./-]+\.(?:md|ts|yaml|json)\b/g)];
    const missing = spoken.filter(([path]) => !existsSync(join(root, path)));
    return missing.map(([path]) => `${file} ${path}`);
  });
  expect(gone).toEqual([]);
});
