/** The list of all node kinds: what each means, and what it is written as. */
import { SCENES } from './scenes.ts';
import type { SourceFile } from '../tidy/source.ts';
import { meaningOf, placeOf, sourceOf } from './node-pages.ts';
import { cellsOf } from './tables.ts';
import { moved, pageOf, table } from './parts.ts';

const INDEX = 'docs/nodes/README.md';
const OWN = /^docs\/nodes\/(?!README|serverless|sw-)([a-z]+)\.md$/;

export function nodeIndex(files: readonly SourceFile[]): readonly [string, string] {
  const own = files.filter(({ path }) => OWN.test(path));
  const text = pageOf([
    '# Node kinds',
    'Whatever a flow is written in, it becomes a graph of nodes, and each node is of one of ' +
      'these kinds. The page of a kind says what it means, shows a run of it, and names what it ' +
      'can fail with. [The words](../words.md) these pages use are explained on one; you can ' +
      'also [add kinds of your own](../node-kinds.md).',
    '## Kinds of flows, chains and flowcharts',
    'The last column is what comes closest to it in Serverless Workflow, which has [kinds of its ' +
      'own](#kinds-of-serverless-workflow).',
    table(['kind', 'what it does', 'written as', 'in Serverless Workflow'], own.map(ownRow)),
    '## Kinds of Serverless Workflow',
    '[What they have in common](serverless.md). Those without a task of their own are hidden: ' +
      'nobody writes them, and they are told of as the task they serve.',
    table(
      ['kind', 'what it does', 'written as'],
      Object.keys(SCENES).map((kind) => swRow(kind, files)),
    ),
  ]);
  return [INDEX, text];
}

function ownRow({ path, text }: SourceFile): readonly string[] {
  const [, kind = ''] = OWN.exec(path) ?? [];
  const [, meaning = ''] = /\n## Meaning\n\n([\s\S]*?)\n\n/.exec(text) ?? [];
  const [, head = '', row = ''] = /\n(\| BPMN \|.*)\n\|[-|]+\|\n(\|.*)\n/.exec(text) ?? [];
  const [, compared = '', ...written] = cellsOf(row);
  const languages = cellsOf(head).slice(2);
  const ways = written.map((cell, at) => `${languages[at]}: ${cell}`);
  const means = moved(firstSentence(meaning), path, INDEX);
  return [`[\`${kind}\`](${kind}.md)`, means, ways.join('; '), compared];
}

function swRow(kind: string, files: readonly SourceFile[]): readonly string[] {
  const [meaning = ''] = meaningOf(sourceOf(kind, files));
  const { task } = placeOf(kind, files);
  return [`[\`${kind}\`](${kind}.md)`, firstSentence(meaning), task === '' ? '–' : task];
}

function firstSentence(text: string): string {
  const [first = ''] = text.replaceAll(/\s+/g, ' ').split(/(?<=\.) /);
  return first;
}
