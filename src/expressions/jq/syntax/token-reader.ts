/**
 * The tokens that are left while a program is read. It knows the two rules of the grammar that
 * everything else is nested in, so that terms and patterns can be read in files of their own.
 */
import { refuse } from '../diagnostics.ts';
import type { Token } from './lexer.ts';
import type { Node } from './tree.ts';

/** How deep a program may be nested: what is deeper takes more stack than there is. */
export const PROGRAM_DEPTH_MAX = 400;

/** What can stand in brackets; and what can stand where a comma or a pipe would end it. */
export interface Grammar {
  readonly query: (reader: Reader) => Node;
  readonly expression: (reader: Reader) => Node;
}

export class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;
  #nesting: number;
  readonly #grammar: Grammar;

  constructor(tokens: readonly Token[], grammar: Grammar, nesting = 0) {
    this.#tokens = tokens;
    this.#grammar = grammar;
    this.#nesting = nesting;
  }

  query(): Node {
    return this.inside(() => this.#grammar.query(this));
  }

  expression(): Node {
    return this.inside(() => this.#grammar.expression(this));
  }

  /** A query that these tokens are, and nothing else. */
  queryOf(tokens: readonly Token[]): Node {
    const reader = new Reader(tokens, this.#grammar, this.#nesting);
    const node = reader.query();
    if (reader.peek().kind !== 'end') reader.unexpected('")"');
    return node;
  }

  peek(ahead = 0): Token {
    // The last one is the end, and there always is one.
    return this.#tokens[this.#next + ahead] ?? (this.#tokens.at(-1) as Token);
  }

  take(): Token {
    const token = this.peek();
    this.#next += 1;
    return token;
  }

  /** Whether this is next; if so it is taken. */
  takes(text: string): boolean {
    if (!this.sees(text)) return false;
    this.#next += 1;
    return true;
  }

  sees(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'op' || token.kind === 'word');
  }

  expect(text: string): Token {
    if (!this.sees(text)) this.unexpected(`"${text}"`);
    return this.take();
  }

  expectBinding(): Token {
    if (this.peek().kind !== 'binding') this.unexpected('a variable such as $x');
    return this.take();
  }

  unexpected(wanted: string): never {
    const { kind, text, at } = this.peek();
    return refuse(at, `expected ${wanted}, found ${shown(kind, text)}`);
  }

  /** Reads something inside; too deep a nesting would be more than the stack holds. */
  inside<Read>(read: () => Read): Read {
    this.#nesting += 1;
    if (this.#nesting > PROGRAM_DEPTH_MAX) tooDeep(this.peek().at);
    const found = read();
    this.#nesting -= 1;
    return found;
  }
}

/** What is longer is nobody's name. */
const SHOWN_CHARS_MAX = 60;

function shown(kind: Token['kind'], text: string): string {
  const start = text.slice(0, SHOWN_CHARS_MAX);
  switch (kind) {
    case 'end':
      return text === '' ? 'the end' : '")"';
    case 'string':
      return 'a text';
    case 'field':
      return `".${start}"`;
    case 'binding':
      return `"$${start}"`;
    case 'format':
      return `"@${start}"`;
    default:
      return `"${start}"`;
  }
}

function tooDeep(at: number): never {
  return refuse(at, `nested deeper than ${PROGRAM_DEPTH_MAX}`, 'jq.too-deep');
}

interface Deep {
  readonly depth: number;
}

/** One more than the deepest of those below; a tree that is too deep is refused as it grows. */
export function deeper(at: number, below: readonly (Deep | null)[], more = 1): number {
  let depth = 0;
  for (const node of below) if (node !== null && node.depth > depth) depth = node.depth;
  if (depth + more > PROGRAM_DEPTH_MAX) tooDeep(at);
  return depth + more;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['and', 'as', 'break', 'catch', 'def', 'elif', 'else', 'end', 'foreach', 'if', 'import'],
  ...['include', 'label', 'module', 'or', 'reduce', 'then', 'try', '__loc__'],
]);

export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}
