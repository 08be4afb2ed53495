/** Which tests name a code: each of them is a claim about it that is checked. */
import type { Node } from 'oxc-parser';
import { testWord } from '../tidy/shape.ts';
import { isCode, sitesOf, type SourceFile } from '../tidy/source.ts';

export interface Evidence {
  readonly path: string;
  /** Null where a whole file is about it, and no single test names it. */
  readonly title: string | null;
}

/** Tests of pages and of examples list codes, and show nothing of them. */
const SHOWING = /^(src|sim|conformance)\/.*\.ts$/;
const WORDS = /(?<![\w.-])(?:[a-z]+(?:-[a-z]+)*\.[A-Za-z]+(?:-[A-Za-z]+)*|LEASE_EXPIRED)(?![\w-])/g;

/** Of each code the tests that name it, in the order of their files; then files that do. */
export function evidenceIn(files: readonly SourceFile[]): ReadonlyMap<string, readonly Evidence[]> {
  const found = new Map<string, Evidence[]>();
  const note = (code: string, one: Evidence): void => {
    const known = found.get(code) ?? [];
    found.set(code, known);
    if (!known.some(({ path, title }) => path === one.path && title === one.title)) known.push(one);
  };
  const tests = files.filter((file) => isCode(file) && SHOWING.test(file.path));
  for (const file of tests.filter(({ text }) => /\b(test|it)(\.each)?\(/.test(text))) {
    for (const { title, start, end } of testsIn(file)) {
      for (const code of wordsIn(file.text.slice(start, end))) {
        note(code, { path: file.path, title });
      }
    }
    for (const code of wordsIn(file.text)) note(code, { path: file.path, title: null });
  }
  return found;
}

/** Everything that may be a code, also in a regular expression. */
function wordsIn(text: string): readonly string[] {
  return [...text.replaceAll('\\.', '.').matchAll(WORDS)].map(([word]) => word);
}

interface Test {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

function testsIn(file: SourceFile): readonly Test[] {
  return sitesOf(file).flatMap(({ node }) => {
    if (node.type !== 'CallExpression') return [];
    const word = testWord(node.callee);
    const title = titleOf(node.arguments[0]);
    if (title === undefined || (word !== 'test' && word !== 'it')) return [];
    return [{ title, start: node.start, end: node.end }];
  });
}

/** What a title has from the data of a test is left open. */
function titleOf(node: Node | undefined): string | undefined {
  if (node?.type !== 'Literal' || typeof node.value !== 'string') return undefined;
  const title = node.value.replaceAll(/%[a-z#]|\$\w+/g, '…');
  return /\p{L}/u.test(title) ? title : undefined;
}
