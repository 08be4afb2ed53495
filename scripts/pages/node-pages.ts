/** A page for every kind of node that only Serverless Workflows are made of. */
import { commentsOf, type SourceFile } from '../tidy/source.ts';
import { fence, link, moved, pageOf, section, sentence } from './parts.ts';
import { type Act, definitionAt, play } from './playing.ts';
import { SCENES, type Scene } from './scenes.ts';
import { cellsOf, rowsIn } from './tables.ts';
import { troublesIn } from './troubles.ts';

const OVERVIEW = 'docs/nodes/serverless.md';

export async function nodePages(
  files: readonly SourceFile[],
): Promise<ReadonlyMap<string, string>> {
  const troubles = troublesIn(files);
  const pages = await Promise.all(
    Object.entries(SCENES).map(async ([kind, scene]) => {
      const parts = { kind, scene, acts: await play(kind, scene), codes: troubles.get(kind) ?? [] };
      return [pathOf(kind), nodePage(parts, files)] as const;
    }),
  );
  return new Map(pages);
}

function pathOf(kind: string): string {
  return `docs/nodes/${kind}.md`;
}

interface Parts {
  readonly kind: string;
  readonly scene: Scene;
  readonly acts: readonly Act[];
  readonly codes: readonly string[];
}

function nodePage(parts: Parts, files: readonly SourceFile[]): string {
  const { kind, scene, acts } = parts;
  const source = sourceOf(kind, files);
  return pageOf([
    `# ${kind}`,
    'A kind of node that only Serverless Workflows are made of. ' +
      '[The others, and what they have in common](serverless.md) · ' +
      '[The guide to Serverless Workflow](../serverless.md) · ' +
      link('Its source', source.path, pathOf(kind)),
    ...section('Meaning', meaningOf(source)),
    ...section('In each language', [tableOf(kind, files), ...definitionsOf(kind, scene)]),
    ...section('A run', [...runOf(acts, scene)]),
    ...section('When it faults', faultsOf(parts, files)),
    ...section('Not supported, and why', [NOT_SUPPORTED]),
  ]);
}

const NOT_SUPPORTED =
  'What the language has no words for, such as undoing and incidents: ' +
  '[the same for all of its kinds](serverless.md#not-supported-and-why). Where the specification ' +
  'is open, [the guide](../serverless.md#where-the-specification-is-open) says what is done here.';

export function sourceOf(kind: string, files: readonly SourceFile[]): SourceFile {
  const found = files.find(
    ({ path, text }) => path.startsWith('src/nodes/') && text.includes(`\n  kind: '${kind}',`),
  );
  if (found === undefined) throw new Error(`no file of src/nodes is about ${kind}`);
  return found;
}

/** What stands at the top of its file, but for the names it has in languages. */
export function meaningOf(file: SourceFile): readonly string[] {
  const [comment] = commentsOf(file);
  const text = (comment?.value ?? '').replaceAll(/^ *\*? ?/gm, '').trim();
  const paragraphs = text.split(/\n{2,}/).filter((one) => !one.startsWith('Serverless Workflow'));
  // What is in brackets there is the number of a row of a checklist.
  return paragraphs.map((one) => one.replaceAll(/\s+\([A-Z]{1,2}-\d+\)/g, ''));
}

/** What the overview says of a kind: which task it is, which region it opens, and what else. */
export function placeOf(
  kind: string,
  files: readonly SourceFile[],
): Readonly<Record<'task' | 'region' | 'note', string>> {
  const overview = files.find(({ path }) => path === OVERVIEW)?.text ?? '';
  const line = overview.split('\n').find((one) => one.startsWith(`| [\`${kind}\`]`));
  if (line === undefined) throw new Error(`${OVERVIEW} has no row for ${kind}`);
  const [, task = '', region = '', note = ''] = cellsOf(line);
  return { task, region, note };
}

function tableOf(kind: string, files: readonly SourceFile[]): string {
  const { task, region, note } = placeOf(kind, files);
  const written = task === '' ? 'none: it serves another task' : task;
  const lines = ['| Serverless Workflow | its region |', '|---|---|', `| ${written} | ${region} |`];
  const more = note === '' ? [] : ['', sentence(moved(note, OVERVIEW, pathOf(kind)))];
  return [...lines, ...more].join('\n');
}

function definitionsOf(kind: string, { other }: Scene): readonly string[] {
  const names = other === undefined ? [kind] : [kind, other];
  return names.map((name) => fence('yaml', definitionAt(name)));
}

function* runOf(acts: readonly Act[], { input }: Scene): Generator<string> {
  for (const [at, { say, commits }] of acts.entries()) {
    yield at === 0 ? `With the input \`${JSON.stringify(input)}\`. ${say}` : say;
    for (const commit of commits) yield fence('text', commit);
  }
}

function faultsOf({ kind, codes }: Parts, files: readonly SourceFile[]): readonly string[] {
  if (codes.length === 0) return ['Never.'];
  const overview = files.filter(({ path }) => path === OVERVIEW).flatMap(rowsIn);
  const rows = codes.map((code) => {
    const when = overview.find((row) => row.codes.includes(code))?.cells.get('when') ?? '';
    return `| [\`${code}\`](../errors/${code}.md) | ${moved(when, OVERVIEW, pathOf(kind))} |`;
  });
  const more = ['sw-do.no-body', 'sw-do.unknown-edge'].map(
    (code) => `[\`${code.replace('sw-do', kind)}\`](../errors/${code}.md)`,
  );
  return [
    ['| fault | when |', '|---|---|', ...rows].join('\n'),
    'A definition is checked before anything of it is run, with [codes of the language]' +
      '(../serverless.md#diagnostics). The kind itself refuses a plan that no reader of ours ' +
      `draws: ${more.join(', ')}.`,
  ];
}
