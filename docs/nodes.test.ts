/** What the pages of the node kinds show and say is looked up here, so that they cannot lie. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile } from '../src/compile/compile.ts';
import type { Flow } from '../src/model/definition.ts';
import { APPROVAL_PARTS, APPROVAL_WAYS, TASK_PARTS } from '../src/model/task-parts.ts';
import { kinds } from '../src/nodes/index.ts';

const root = join(import.meta.dirname, '..');
// Inside the checkout, so that the package's own name leads to it; .gitignore knows the folder.
const folder = join(root, '.perdure', `pages-${process.pid}`);

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The text of one section of a page, without its heading. */
function section(page: string, name: string): string {
  const [, after = ''] = page.split(`\n## ${name}\n`);
  return after.split('\n## ')[0] ?? '';
}

function blocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return [...text.matchAll(fence)].map(([, body]) => body ?? '');
}

/** Every line without its indent: what a story in a test and its copy on a page have in common. */
function flat(text: string): string {
  return text.replaceAll(/^ +/gm, '').trim();
}

/** The codes a table of the page explains. */
function codesIn(text: string): string[] {
  return [...text.matchAll(/^\| `([\w.-]+)` \|/gm)].map(([, code]) => code ?? '');
}

/** What a kind is given in parts, each of which can be wrong. */
const PARTS: Readonly<Record<string, object>> = {
  task: TASK_PARTS,
  approve: { ...APPROVAL_PARTS, ...APPROVAL_WAYS },
};

/** The codes a kind gives by itself: diagnostics by their last word, faults in full. */
function codesOf(kind: string): string[] {
  const source = read(`src/nodes/${kind}.ts`);
  const said = [...source.matchAll(/problem\(draft, '([\w-]+)'/g)].map(
    ([, word]) => `${kind}.${word}`,
  );
  const faults = [...source.matchAll(/code: '([a-z]+\.[\w-]+)'/g)].map(([, code]) => code ?? '');
  const body = source.includes('bodyOf(draft') ? [`${kind}.no-body`] : [];
  const last = source.includes('compileOutput(draft') ? ['has-outbound', 'bad-output'] : [];
  const meets = source.includes('compile: compileMeeting') ? ['too-few-ways', 'forks-too'] : [];
  const matches = source.includes('keyFor(place') ? ['no-key', 'key-too-long'] : [];
  const keyed = source.includes('keyProblems(draft') ? ['bad-key'] : [];
  const limited = source.includes('readLimit(draft') ? ['bad-limit'] : [];
  const run = source.includes('readRunSettings(draft')
    ? ['bad-time', 'bad-priority', 'bad-limit']
    : [];
  const parts = Object.keys(PARTS[kind] ?? {}).map((name) => `bad-${name}`);
  const given = source.includes('compileGiven(draft') ? [...parts, 'bad-parts'] : [];
  const shared = [...last, ...meets, ...matches, ...keyed, ...limited, ...run, ...given].map(
    (word) => `${kind}.${word}`,
  );
  // What becomes of a link or an activity its handler says, and the runtime reads.
  const answers = [
    ...(kind === 'link' || kind === 'activity'
      ? read('src/runtime/links.ts').matchAll(/'(chain\.[\w-]+)'/g)
      : []),
    ...(kind === 'activity'
      ? read('src/runtime/activities.ts').matchAll(/'(activity\.[\w-]+)'/g)
      : []),
  ];
  const told = new Set(answers.map(([, code]) => code ?? ''));
  return [...said, ...faults, ...body, ...shared, ...told];
}

/** Those of Serverless Workflow belong to one language, and have one page together. */
const own = [...kinds.keys()].filter((kind) => !kind.startsWith('sw-'));

test('every kind has a page and every page a kind', () => {
  const pages = readdirSync(join(root, 'docs/nodes')).map((name) => name.replace('.md', ''));
  expect(pages.sort()).toEqual([...own, 'serverless'].sort());
});

describe.each(own)('the page of %s', (kind) => {
  const page = read(`docs/nodes/${kind}.md`);

  test('says in three sentences what it means', () => {
    expect(section(page, 'Meaning').match(/\.(?=\s)/g)).toHaveLength(3);
  });

  test('shows runs that are stories of its test, word for word', () => {
    const stories = flat(read(`src/nodes/${kind}.test.ts`));
    const runs = blocks(section(page, 'A run'), 'text');
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(stories).toContain(`text\`\n${flat(run)}\n\``);
  });

  test('explains every code the kind can give, and none that nobody gives', () => {
    const explained = codesIn(section(page, 'When it faults'));
    expect(explained).toEqual(expect.arrayContaining(codesOf(kind)));
    const all = ['src/nodes', 'src/kernel', 'src/runtime'].flatMap((room) =>
      readdirSync(join(root, room))
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .map((name) => read(`${room}/${name}`)),
    );
    const own = codesOf(kind);
    for (const code of explained) {
      // The runtime says `handler.result-…`, `handler.variable-…` and the like in one line.
      const written = [`'${code}'`, code.replace(/\.(result|variable|context)-/, '.${kind}-')];
      const given = all.some((source) => written.some((text) => source.includes(text)));
      expect(own.includes(code) || given, code).toBe(true);
    }
  });

  test('shows a flow of the builder that is sound and holds the kind', async () => {
    const [program = ''] = blocks(section(page, 'In each language'), 'ts');
    const file = join(folder, `${kind}.ts`);
    writeFileSync(file, program);
    const flows = Object.values((await import(/* @vite-ignore */ file)) as Record<string, Flow>);
    expect(flows).toHaveLength(1);
    for (const { definition } of flows) {
      const plan = compile(definition.draft, kinds);
      expect([definition.diagnostics, plan.ok ? [] : plan.problem]).toEqual([[], []]);
      expect(definition.draft.nodes.map((node) => node.kind)).toContain(kind);
    }
  });
});
