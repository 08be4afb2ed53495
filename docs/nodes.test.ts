/** What the pages of the node kinds show and say is looked up here, so that they cannot lie. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import { sectionOf } from '../scripts/markdown.ts';
import { compile } from '../src/compile/compile.ts';
import type { Flow } from '../src/model/definition.ts';
import { sayingsIn } from '../scripts/pages/sayings.ts';
import { readTree } from '../scripts/tidy/source.ts';
import { flowchart } from '../src/flowchart.ts';
import { BUILT_IN_TYPES } from '../src/model/activity.ts';
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

const thrown = new Set(
  [...read('src/base/engine-error.ts').matchAll(/\| '([^']+)'/g)].map(([, code]) => code),
);
const sayings = sayingsIn(readTree(root));

/** What the kind says itself, and what is said of it by what it uses and by the frontends. */
function codesOf(kind: string): readonly string[] {
  const said = sayings.filter(({ code, path }) => {
    const isItsOwn = path === `src/nodes/${kind}.ts`;
    const isOfIt =
      code.startsWith(`${kind}.`) && /^src\/(nodes|frontends\/(builder|chain))\//.test(path);
    return (isItsOwn || isOfIt) && !code.includes('<') && !thrown.has(code);
  });
  const parts = Object.keys(PARTS[kind] ?? {}).map((name) => `${kind}.bad-${name}`);
  // What becomes of a link or an activity its handler says, and the runtime reads.
  const answers =
    kind === 'link' || kind === 'activity'
      ? [...read('src/runtime/links.ts').matchAll(/'(chain\.[\w-]+)'/g)].map(
          ([, code]) => code ?? '',
        )
      : [];
  return [...new Set([...said.map(({ code }) => code), ...parts, ...answers])];
}

/** Whether anything says it; `step.bad-<option>` stands for whatever a run puts in. */
function isSaid(code: string): boolean {
  return sayings.some((saying) => {
    const open = saying.code.replaceAll('.', '\\.').replaceAll(/<[^<>]*>/g, '[\\w-]+');
    return new RegExp(`^${open}$`).test(code);
  });
}

/** Those that only a run of a handler gives, in words that are nowhere written as one. */
const UNWRITTEN = new Set(['handler.fatal', 'handler.no-transaction']);

/** The pages of the kinds of Serverless Workflow are made by a program, and looked at elsewhere. */
const own = [...kinds.keys()].filter((kind) => !kind.startsWith('sw-'));

test('every kind has a page and every page a kind', () => {
  const pages = readdirSync(join(root, 'docs/nodes')).map((name) => name.replace('.md', ''));
  expect(pages.sort()).toEqual([...kinds.keys(), 'serverless', 'README'].sort());
});

/** What the built-in types of a flowchart need to be sound. */
const CONFIGS: Readonly<Record<string, JsonObject>> = {
  delay: { for: '5s' },
  event: { type: 'paid' },
  flowchart: { activities: [{ id: 'a', type: 'pass' }], connections: [] },
  forEach: { items: [1], activities: [{ id: 'a', type: 'pass' }], connections: [] },
};

test.each(BUILT_IN_TYPES)(
  'the page of the kind of an activity of type %s names that type',
  (type) => {
    const config = CONFIGS[type];
    const activity = { id: 'x', type, ...(config && { config }) };
    const chart = flowchart({ id: 'test', version: 1, activities: [activity], connections: [] });
    expect(chart.definition.diagnostics).toEqual([]);
    const { kind } = chart.definition.draft.nodes.find(({ id }) => id === 'x') ?? {};
    expect(sectionOf(read(`docs/nodes/${kind}.md`), 'In each language')).toContain(`\`${type}\``);
  },
);

describe.each(own)('the page of %s', (kind) => {
  const page = read(`docs/nodes/${kind}.md`);

  test('says in three sentences what it means', () => {
    expect(sectionOf(page, 'Meaning').match(/\.(?=\s)/g)).toHaveLength(3);
  });

  test('shows runs that are stories of its test, word for word', () => {
    const stories = flat(read(`src/nodes/${kind}.test.ts`));
    const runs = blocks(sectionOf(page, 'A run'), 'text');
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(stories).toContain(`text\`\n${flat(run)}\n\``);
  });

  test('explains every code the kind can give, and none that nobody gives', () => {
    const explained = codesIn(sectionOf(page, 'When it faults'));
    expect(explained).toEqual(expect.arrayContaining([...codesOf(kind)]));
    expect(explained.filter((code) => !isSaid(code) && !UNWRITTEN.has(code))).toEqual([]);
  });

  test('shows a flow of the builder that is sound and holds the kind', async () => {
    const [program = ''] = blocks(sectionOf(page, 'In each language'), 'ts');
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
