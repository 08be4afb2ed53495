/**
 * The pages of this project as data: their headings, links and code blocks, each with the line it
 * stands in. What is told of a page is what a reader on GitHub or npm would see of it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import GithubSlugger from 'github-slugger';
import { fromMarkdown } from 'mdast-util-from-markdown';

export const root: string = join(import.meta.dirname, '..');

export interface Block {
  /** `ts`, `sh` …; text that is only indented is for a shell. */
  readonly language: string;
  readonly text: string;
  /** The file it is, as stands behind the language: ```ts main.ts. Empty if it is none. */
  readonly name: string;
  /** What an HTML comment right above it takes as given: `<!-- given … -->`. */
  readonly given: string;
  readonly line: number;
}

interface Link {
  readonly target: string;
  readonly line: number;
}

export interface Page {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  /** What can stand behind a `#`. */
  readonly anchors: ReadonlySet<string>;
}

type Tree = ReturnType<typeof fromMarkdown>;
type Node = Tree | Tree['children'][number];

/** All pages: those at the root, the documents, and the list of examples. */
export function readPages(): readonly Page[] {
  const found = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const docs = found.map((name) => `docs/${name.split(sep).join('/')}`);
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  const paths = [...top, 'llms.txt', 'examples/README.md', ...docs.filter(isPage)];
  return paths.sort().map((path) => readPage(path, readFileSync(join(root, path), 'utf8')));
}

function isPage(path: string): boolean {
  return posix.extname(path) === '.md';
}

export function readPage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const links: Link[] = [];
  const anchors = new Set<string>();
  const slugger = new GithubSlugger();
  const tree = fromMarkdown(text);
  for (const [given, node] of walk(tree)) {
    const line = node.position?.start.line ?? 1;
    if (node.type === 'heading') anchors.add(slugger.slug(textOf(node)));
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      links.push({ target: node.url, line });
    if (node.type === 'code') {
      const language = languageOf(node, text);
      blocks.push({ language, name: node.meta ?? '', text: node.value, given, line });
    }
  }
  return { path, text, blocks, links, anchors };
}

/** Every node, with what the comment right before it gives. */
function* walk(node: Node): Generator<readonly [given: string, node: Node]> {
  let given = '';
  for (const child of 'children' in node ? node.children : []) {
    yield [given, child];
    yield* walk(child);
    given = child.type === 'html' ? givenIn(child.value) : '';
  }
}

function givenIn(comment: string): string {
  return /^<!-- given\n([\s\S]*)-->$/.exec(comment)?.[1] ?? '';
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** A block without a fence is a command; a fence without a language is a drawing. */
function languageOf(node: Extract<Node, { type: 'code' }>, text: string): string {
  if (node.lang !== null && node.lang !== undefined) return node.lang;
  return text.charAt(node.position?.start.offset ?? 0) === '`' ? 'text' : 'sh';
}

/** What stands below a heading of the second rank, up to the next one. */
export function sectionOf(text: string, heading: string): string {
  const [, after = ''] = text.split(`\n## ${heading}\n`);
  return after.split('\n## ')[0] ?? '';
}
