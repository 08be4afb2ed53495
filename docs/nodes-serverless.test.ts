/** What the page about the kinds of Serverless Workflow shows and says is looked up here. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sectionOf } from '../scripts/markdown.ts';
import type { Flow } from '../src/model/definition.ts';
import type { Json } from '../src/base/json.ts';
import { ERROR_STATUS } from '../src/model/workflow-error.ts';
import { kinds } from '../src/nodes/index.ts';
import { serverlessKinds } from '../src/nodes/serverless/kinds.ts';
import { serverless } from '../src/serverless.ts';
import { show } from '../src/testing/show.ts';
import { createTestEngine } from '../src/testing/test-engine.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/nodes/serverless.md'), 'utf8');
// Inside the checkout, so that the package's own name leads to it; .gitignore knows the folder.
const folder = join(root, '.perdure', `page-${process.pid}`);

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const section = (name: string): string => sectionOf(page, name);

function blocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return [...text.matchAll(fence)].map(([, body]) => body ?? '');
}

test('it says in three sentences what they mean', () => {
  expect(section('Meaning').match(/\.(?=\s)/g)).toHaveLength(3);
});

test('it has every kind, and says of those that open a region which', () => {
  const rows = [...page.matchAll(/^\| \[`(sw-\w+)`\]\(\1\.md\) \|/gm)].map(
    ([, kind]) => kind ?? '',
  );
  expect(rows.toSorted()).toEqual(serverlessKinds.map(({ kind }) => kind).toSorted());
  for (const kind of rows) expect(kinds.has(kind)).toBe(true);
});

test('the runs are what the workflow of the page does', async () => {
  const [program = ''] = blocks(section('In each language'), 'ts');
  const file = join(folder, 'sums.ts');
  writeFileSync(file, program);
  const { sums } = (await import(/* @vite-ignore */ file)) as { readonly sums: Flow<Json> };
  const fetch = () => Promise.resolve(Response.json('thanks'));
  const kit = createTestEngine({ flows: [sums], http: { fetch } });
  const run = await kit.start(sums, { list: [2, 3], sum: 0 });
  await kit.runUntilIdle();
  await kit.advance('1h');
  const commits = (await run.history()).map(({ changes }) => {
    return `${show({ changes, hints: [] }).replaceAll(/ by \S+$/gm, ' by w1')}\n`;
  });
  expect(commits).toEqual(blocks(section('A run'), 'text'));
  await kit.close();
});

test('it explains every code of a fault', () => {
  const told = [...page.matchAll(/^\| `workflow\.(\w+)` \|/gm)].map(([, kind]) => kind);
  expect(told).toEqual([...Object.keys(ERROR_STATUS), 'raised']);
});

describe.each(serverlessKinds.map(({ kind }) => kind))('the page of %s', (kind) => {
  const made = readFileSync(join(root, `docs/nodes/${kind}.md`), 'utf8');

  test('shows a definition that is sound and holds the kind', () => {
    const [text = ''] = blocks(made, 'yaml');
    const { definition } = serverless(text);
    expect(definition.diagnostics).toEqual([]);
    expect(definition.draft.nodes.map((node) => node.kind)).toContain(kind);
  });

  test('shows a run that comes to the kind and to an end', () => {
    const runs = blocks(made, 'text').join('');
    expect(runs).toMatch(/^start {2}docs\./);
    expect(runs).toMatch(/^finish (completed|failed workflow\.\w+)\n$/m);
  });

  test('names the faults of the kind by codes that have a page', () => {
    const codes = [...made.matchAll(/^\| \[`(workflow\.\w+)`\]/gm)].map(([, code]) => code ?? '');
    const known = [...Object.keys(ERROR_STATUS), 'raised'].map((one) => `workflow.${one}`);
    expect(known).toEqual(expect.arrayContaining(codes));
    expect(made.includes('\n## When it faults\n\nNever.\n')).toBe(codes.length === 0);
  });
});
