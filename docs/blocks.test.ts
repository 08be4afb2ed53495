/**
 * Whatever a page shows as code is tried here, by its language. A block that nobody can try has no
 * place on a page: a language without an entry below fails.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import manifest from '../package.json' with { type: 'json' };
import { type Block, type Page, readPages, root } from '../scripts/markdown.ts';
import { serverlessFromText } from '../src/serverless.ts';
import { CommandLine } from '../src/testing/command-line.ts';

type Shown = Block & { readonly place: string; readonly page: Page };

const pages = readPages();
const shown: readonly Shown[] = pages.flatMap((page) =>
  page.blocks.map((block) => ({ ...block, page, place: `${page.path}:${block.line}` })),
);
const of = (language: string): readonly Shown[] =>
  shown.filter((block) => block.language === language);

/** Every line without its indent: what a program and its copy on a page have in common. */
function flat(text: string): string {
  return text.replaceAll(/^\s+/gm, '').trim();
}

const examples = sourcesIn('examples');
const tests = sourcesIn('docs').filter(({ name }) => name.endsWith('.test.ts'));

function sourcesIn(folder: string): readonly { readonly name: string; readonly text: string }[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(ts|py|yaml)$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(root, folder, name), 'utf8') }));
}

/** Examples are run by tests of their own. */
function standsInAnExample({ text }: Block): boolean {
  return examples.some((example) => flat(example.text).includes(flat(text)));
}

/** A test of the page's own, which has all blocks of a language on it run. */
function isRunByItsPage({ page }: Shown, how: string): boolean {
  const name = page.path.replace('docs/', '');
  return tests.some(({ text }) => text.includes(name) && text.includes(how));
}

const LANGUAGES = new Set(['ts', 'sh', 'console', 'yaml', 'json', 'jq', 'python', 'text']);

test('every block is in a language that is tried', () => {
  const strange = shown.filter(({ language }) => !LANGUAGES.has(language));
  expect(strange.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
});

test('every block of TypeScript is part of an example, or passes the compiler', async () => {
  const alone = of('ts').filter((block) => !standsInAnExample(block));
  // Inside the checkout, so that the package's own name leads to it; .gitignore knows the folder.
  const folder = join(root, '.perdure', `blocks-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const places = new Map<string, Shown>();
    for (const [at, block] of alone.entries()) {
      // Files of a page lie side by side, and may import each other.
      const home = block.page.path.replaceAll(/\W/g, '-');
      const file = `${home}/${block.name === '' ? `${at}.ts` : block.name}`;
      mkdirSync(join(folder, home), { recursive: true });
      places.set(file, block);
      writeFileSync(join(folder, file), `${block.given}${block.text}\nexport {};\n`);
    }
    const config = {
      extends: '../../tsconfig.base.json',
      compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const complaints = await compilerOn(folder);
    const told = complaints.replaceAll(/^.*?([\w-]+\/[\w.-]+\.ts)\((\d+),/gm, (_all, file, line) =>
      placeOf(places.get(String(file)), Number(line)),
    );
    expect(told).toBe('');
    expect(of('ts').length).toBeGreaterThan(100);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function compilerOn(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const args = ['-p', folder, '--pretty', 'false'];
  return promisify(execFile)(tsc, args, { shell: process.platform === 'win32' }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

function placeOf(block: Shown | undefined, line: number): string {
  const before = block?.given.split('\n').length ?? 1;
  return `${block?.page.path}:${(block?.line ?? 0) + line - before + 1} (`;
}

test('every block for a shell can be read by one', () => {
  for (const { text, place } of [...of('sh')]) {
    const typed = text.replaceAll(/<[\w ]+>|…/g, 'something');
    expect(() => execFileSync('sh', ['-n'], { input: typed, stdio: 'pipe' }), place).not.toThrow();
  }
});

const line = new CommandLine();
afterAll(() => line.remove());
const program = line.program();

test('every command of ours that a page shows is there, with the options it shows', () => {
  const problems = of('sh').flatMap(({ text, place }) =>
    text.split('\n').flatMap((line) => wrongWith(line).map((problem) => `${place} ${problem}`)),
  );
  expect(problems).toEqual([]);
});

function wrongWith(line: string): readonly string[] {
  const [command = ''] = line.split(/ +# /);
  const [, ours] = /^(?:npm run -s perdure --|(?:npx )?perdure)(?: (.*))?$/.exec(command) ?? [];
  if (ours !== undefined) return wrongWithOurs(ours);
  const [, script] = /^npm run (?:-s )?(\w+)/.exec(command) ?? [];
  return script === undefined || script in manifest.scripts ? [] : [`npm run ${script}`];
}

function wrongWithOurs(words: string): readonly string[] {
  const [name = ''] = words.split(' ');
  if (/^(--version|--help|help)$/.test(name)) return [];
  const command = program.commands.find((one) => one.name() === name);
  if (command === undefined) return [`perdure ${name}`];
  const options = [...command.options, ...program.options];
  const known = new Set(options.flatMap(({ long, short }) => [long, short]));
  const plain = words.replaceAll(/'[^']*'|"[^"]*"/g, '');
  const given = [...plain.matchAll(/(?<=\s)(--[\w-]+|-\w)(?=[\s=]|$)/g)];
  return given.flatMap(([one]) => (known.has(one) ? [] : [`perdure ${name} ${one}`]));
}

test('every session is played by a test of its page', () => {
  const forgotten = of('console').filter((block) => !isRunByItsPage(block, 'playSession'));
  expect(forgotten.map(({ place }) => place)).toEqual([]);
});

test('every definition of a workflow is sound, and every other YAML can be read', () => {
  const isWorkflow = ({ text }: Block): boolean => /^document:/m.test(text);
  const problems = of('yaml').flatMap((block) => {
    if (!isWorkflow(block)) return parseDocument(block.text).errors;
    return serverlessFromText(block.text).definition.diagnostics.map((one) => [block.place, one]);
  });
  expect(problems).toEqual([]);
});

test('every JSON can be read', () => {
  for (const { text, place } of of('json')) expect(() => JSON.parse(text), place).not.toThrow();
});

test('every program in another language is run by a test', () => {
  const strange = [...of('jq'), ...of('python')].filter(
    (block) => !standsInAnExample(block) && !isRunByItsPage(block, block.language),
  );
  expect(strange.map(({ place }) => place)).toEqual([]);
});
