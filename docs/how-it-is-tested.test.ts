/**
 * The page about our tests names tests that exist, under the titles they have, and as many files of
 * each kind as there are. Whether a test proves what its row says is for a reader to judge.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Node } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { sitesOf } from '../scripts/tidy/source.ts';

const root = join(import.meta.dirname, '..');
const page = read('docs/how-it-is-tested.md');

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

interface Proof {
  readonly promise: string;
  readonly path: string;
  readonly link: string;
  readonly title: string;
}

const PROOF = /^\| (P\d+) \| .+? \| \[(.+?)\]\((.+?)\) \| "(.+)" \|$/gm;

const proofs: readonly Proof[] = [...page.matchAll(PROOF)].map(
  ([, promise = '', path = '', link = '', title = '']) => ({ promise, path, link, title }),
);

/** The titles of a test file: what is told as a template stands for whatever it may become. */
function titlesOf(path: string): readonly RegExp[] {
  const file = { path, text: read(path) };
  const numbers = new Map(
    [...file.text.matchAll(/^const (\w+) = ([\d_]+);$/gm)].map(([, name = '', digits = '']) => {
      return [name, digits.replaceAll('_', '')] as const;
    }),
  );
  return sitesOf(file).flatMap(({ node }) => {
    if (node.type !== 'CallExpression' || !isTest(node.callee)) return [];
    const pattern = patternOf(node.arguments[0], numbers);
    // One that is nothing but what it is given says nothing.
    return pattern === null || pattern === '.+' ? [] : [new RegExp(`^${pattern}$`)];
  });
}

/** `test(…)`, `test.concurrent(…)`, and the second call of `test.each(…)(…)`. */
function isTest(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'test';
  if (callee.type === 'MemberExpression') {
    const { property } = callee;
    const isTable = property.type === 'Identifier' && property.name === 'each';
    return !isTable && isTest(callee.object);
  }
  if (callee.type !== 'CallExpression' || callee.callee.type !== 'MemberExpression') return false;
  return isTest(callee.callee.object);
}

function patternOf(node: Node | undefined, numbers: ReadonlyMap<string, string>): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') {
    return escaped(node.value).replaceAll(/%[sidfjo]|\\\$\w+/g, '.+');
  }
  if (node?.type !== 'TemplateLiteral') return null;
  return node.quasis
    .map(({ value }, at) => {
      const hole = node.expressions[at];
      if (hole === undefined) return escaped(value.raw);
      const known = hole.type === 'Identifier' ? numbers.get(hole.name) : undefined;
      return `${escaped(value.raw)}${known ?? '.+'}`;
    })
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describe('the promises', () => {
  test('each of ARCHITECTURE.md has its best proof, in their order', () => {
    const promised = [...read('ARCHITECTURE.md').matchAll(/^\| (P\d+) \| [●◐○] \|/gm)];
    const table = page.split('\n## ').find((part) => part.startsWith('The promises\n')) ?? '';
    const told = [...table.matchAll(PROOF)].map(([, promise]) => promise);
    expect(told).toEqual(promised.map(([, promise]) => promise));
    expect(told).toHaveLength(12);
  });

  test('no row of a table is passed over', () => {
    expect(proofs).toHaveLength([...page.matchAll(/^\| P\d+ \|/gm)].length);
  });

  test.each(proofs)('$promise: $path has "$title"', ({ path, link, title }) => {
    expect(link).toBe(`../${path}`);
    expect(existsSync(join(root, path)), path).toBe(true);
    expect(titlesOf(path).filter((pattern) => pattern.test(title))).toHaveLength(1);
  });
});

describe('the kinds of tests', () => {
  const folders = ['src', 'studio', 'sim', 'conformance', 'examples', 'docs', 'scripts'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => ({ path, text: read(path) })),
  );
  const within =
    (...rooms: readonly string[]) =>
    ({ path }: File): boolean =>
      rooms.some((room) => path.startsWith(`${room}/`));
  const saying =
    (words: RegExp) =>
    ({ text }: File): boolean =>
      words.test(text);
  type File = (typeof files)[number];

  const KINDS: Readonly<Record<string, (file: File) => boolean>> = {
    nodes: within('src/nodes'),
    kernel: within('src/kernel'),
    engine: within('src/runtime'),
    'every store': saying(/\bonEveryStore\(/),
    stores: within('src/stores'),
    processes: saying(/from '[./]*(?:testing\/)?(?:program|databases)\.ts'/),
    languages: within('src/frontends', 'src/compile'),
    expressions: within('src/expressions'),
    calls: within('src/calls'),
    server: within('src/server', 'src/client'),
    'command line': within('src/cli'),
    browser: (file) => within('studio')(file) && saying(/\bopenHouse\(/)(file),
    types: ({ path }) => path.endsWith('.types.test.ts'),
    pages: within('examples', 'docs'),
    all: () => true,
  };

  test.each(Object.entries(KINDS))('there are as many of %s as the page says', (kind, isOne) => {
    const [, least] = new RegExp(`^\\| ${kind} \\|.*\\| (\\d+) \\|$`, 'm').exec(page) ?? [];
    const found = files.filter(isOne).length;
    expect(found).toBeGreaterThanOrEqual(Number(least));
    // And not so many more that the page is out of date.
    expect(found * 0.7).toBeLessThan(Number(least));
  });

  test('as many mistakes are put in on purpose as the page says', () => {
    const titles = files.flatMap(
      ({ text }) => text.match(/\btest\([`'].* (?:is|are) found[`']/g) ?? [],
    );
    expect(titles.length).toBeGreaterThanOrEqual(50);
    expect(page).toContain('Some fifty tests');
  });
});

test('numbers on the page are those of the tests', () => {
  const told = (path: string, name: string): string => {
    const [, value = ''] = new RegExp(`const ${name} = ([\\d_]+)`).exec(read(path)) ?? [];
    return value.replace('_', ',');
  };
  expect(page).toContain(`plays ${told('src/kernel/laws.test.ts', 'SEEDS')} of them`);
  expect(page).toContain(`and ${told('src/kernel/random-sagas.test.ts', 'FLOWS')} sagas`);
  expect(page).toContain(`at ${told('examples/order.test.ts', 'KILLS')} random moments`);
  expect(page).toContain(`${told('src/testing/fleet.test.ts', 'INSTANCES')} instances and a kill`);
  expect(page).toContain(`# ${told('sim/options.ts', 'COUNT_DEFAULT')} definitions`);
  const jq = told('src/testing/jq-differential.test.ts', 'CASES');
  expect(page).toContain(`${jq} in every \`npm test\``);
  const schema = 'src/frontends/serverless/reading/differential.test.ts';
  expect(page).toContain(`${told(schema, 'SEEDS')} definitions with mistakes`);
  expect(page).toContain(`${told('conformance/ctk.test.ts', 'SCENARIOS')} of 21 scenarios`);
});
