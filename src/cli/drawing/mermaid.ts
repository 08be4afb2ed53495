/** A picture as a Mermaid flowchart: regions are subgraphs, ways that lead back are dotted. */
import type { Picture, PictureNode } from '../../drawing/picture.ts';

export function drawMermaid(picture: Picture): string {
  // Numbers for names: a node may be called `end`, or whatever else means something to Mermaid.
  const names = new Map(picture.nodes.map(({ id }, index) => [id, `n${index + 1}`]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const edges = picture.edges.map(({ from, to, label, isBack }) => {
    const arrow = isBack === true ? '-.->' : '-->';
    const words = label === undefined ? '' : `|${quoted([label])}|`;
    return `  ${nameOf(from)} ${arrow}${words} ${nameOf(to)}`;
  });
  const marked = picture.nodes.filter(({ mark }) => mark !== undefined).map(({ id }) => nameOf(id));
  const marks = [
    '  classDef mark fill:#fff3c4,stroke:#b7791f,stroke-width:2px',
    `  class ${marked.join(',')} mark`,
  ];
  const lines = [
    '---',
    `title: ${JSON.stringify(picture.title)}`,
    '---',
    'flowchart TD',
    ...nodesIn(picture, null, nameOf, '  '),
    ...edges,
    ...(marked.length === 0 ? [] : marks),
  ];
  return `${lines.join('\n')}\n`;
}

function nodesIn(
  picture: Picture,
  region: string | null,
  nameOf: (id: string) => string,
  indent: string,
): readonly string[] {
  return picture.nodes.flatMap((node) => {
    if (node.parent !== region) return [];
    if (node.shape !== 'region') return [`${indent}${nameOf(node.id)}${shaped(node)}`];
    return [
      `${indent}subgraph ${nameOf(node.id)} [${quoted(textsOf(node))}]`,
      ...nodesIn(picture, node.id, nameOf, `${indent}  `),
      `${indent}end`,
    ];
  });
}

function shaped(node: PictureNode): string {
  const words = quoted(textsOf(node));
  if (node.shape === 'round') return `([${words}])`;
  return node.kind === 'choose' ? `{${words}}` : `[${words}]`;
}

function textsOf({ lines, mark }: PictureNode): readonly string[] {
  const said = lines.length === 0 ? [' '] : lines;
  return mark === undefined ? said : [...said, mark];
}

function quoted(lines: readonly string[]): string {
  const safe = lines.map((line) => line.replaceAll('"', '#quot;').replaceAll('<', '#lt;'));
  return `"${safe.join('<br>')}"`;
}
