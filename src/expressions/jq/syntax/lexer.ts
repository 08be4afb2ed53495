/**
 * The text of a program as tokens. A string is one token whatever is in it: its interpolations are
 * lists of tokens of their own, so that the parser never has to ask for a mode.
 */
import { refuse } from '../diagnostics.ts';
import { wellFormed } from '../values/text.ts';

export type Token =
  | {
      readonly kind: 'op' | 'word' | 'field' | 'binding' | 'format' | 'end';
      readonly text: string;
      readonly at: number;
    }
  | { readonly kind: 'number'; readonly value: number; readonly text: string; readonly at: number }
  | {
      readonly kind: 'string';
      readonly text: string;
      readonly parts: readonly (string | readonly Token[])[];
      readonly at: number;
    };

/** Strings within interpolations within strings: nobody writes more than a few. */
const INTERPOLATION_DEPTH_MAX = 100;

const BLANK = /(?:[ \t\r\n]|#(?:\\(?:\r\n|[\s\S])|[^\n\\])*\\?)+/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y;
const FIELD = /\.[A-Za-z_]\w*/y;
const BINDING = /\$(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y;
const FORMAT = /@[A-Za-z0-9_]+/y;
const OPERATOR = /\?\/\/|\/\/=|\.\.|[|+\-*/%]=|[=!<>]=|\/\/|[.?=;,:|+\-*/%<>()[\]{}]/y;
const CHARACTERS = /[^"\\]+/y;

/** Ends with a token of kind `end`. */
export function readTokens(text: string): Token[] {
  const lexer = new Lexer(text);
  return lexer.tokens(0);
}

class Lexer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Up to the end of the text, or of an interpolation. */
  tokens(depth: number): Token[] {
    if (depth > INTERPOLATION_DEPTH_MAX) {
      refuse(this.#at, `strings nest deeper than ${INTERPOLATION_DEPTH_MAX}`, 'jq.too-deep');
    }
    const tokens: Token[] = [];
    let open = 0;
    for (;;) {
      this.#take(BLANK);
      const at = this.#at;
      if (at >= this.#text.length) {
        if (depth > 0) refuse(at, 'the text ends inside \\( … ) of a string');
        tokens.push({ kind: 'end', text: '', at });
        return tokens;
      }
      const character = this.#text[at];
      if (character === '(') open += 1;
      if (character === ')') open -= 1;
      if (open < 0 && depth > 0) {
        this.#at += 1;
        tokens.push({ kind: 'end', text: ')', at });
        return tokens;
      }
      tokens.push(character === '"' ? this.#string(depth) : this.#token(at));
    }
  }

  #token(at: number): Token {
    const field = this.#take(FIELD);
    if (field !== undefined) return { kind: 'field', text: field.slice(1), at };
    const number = this.#take(NUMBER);
    if (number !== undefined) return { kind: 'number', value: Number(number), text: number, at };
    const word = this.#take(WORD);
    if (word !== undefined) return { kind: 'word', text: word, at };
    const binding = this.#take(BINDING);
    if (binding !== undefined) return { kind: 'binding', text: binding.slice(1), at };
    const format = this.#take(FORMAT);
    if (format !== undefined) return { kind: 'format', text: format.slice(1), at };
    const operator = this.#take(OPERATOR);
    if (operator !== undefined) return { kind: 'op', text: operator, at };
    const character = String.fromCodePoint(this.#text.codePointAt(at) ?? 0);
    const hint = HINTS[character];
    const rest = hint === undefined ? '' : `; ${hint}`;
    return refuse(at, `${JSON.stringify(character)} means nothing here${rest}`);
  }

  #string(depth: number): Token {
    const at = this.#at;
    this.#at += 1;
    const parts: (string | readonly Token[])[] = [];
    let text = '';
    for (;;) {
      text += this.#take(CHARACTERS) ?? '';
      const character = this.#text[this.#at];
      if (character === undefined) refuse(at, 'a string that begins here has no end');
      if (character === '"') break;
      if (this.#text[this.#at + 1] === '(') {
        this.#at += 2;
        if (text !== '') parts.push(text);
        text = '';
        parts.push(this.tokens(depth + 1));
      } else {
        text += this.#escape();
      }
    }
    this.#at += 1;
    if (text !== '') parts.push(wellFormed(text));
    return { kind: 'string', text: '"', parts, at };
  }

  #escape(): string {
    const at = this.#at;
    const letter = this.#text[at + 1] ?? '';
    const plain = ESCAPES[letter];
    if (plain !== undefined) {
      this.#at += 2;
      return plain;
    }
    if (letter !== 'u') refuse(at, `\\${letter} is no escape; a backslash is written \\\\`);
    const unit = this.#unit(at);
    this.#at += 6;
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    const low = this.#text.startsWith('\\u', this.#at) ? this.#unit(this.#at) : 0;
    if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) {
      refuse(at, 'half of a surrogate pair; write both halves, or the character itself');
    }
    this.#at += 6;
    return String.fromCharCode(unit, low);
  }

  #unit(at: number): number {
    const digits = this.#text.slice(at + 2, at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) refuse(at, '\\u is followed by four hex digits');
    return Number.parseInt(digits, 16);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

/** What people who come from other languages may have meant. */
const HINTS: Readonly<Record<string, string | undefined>> = {
  '&': 'both is written and',
  '!': 'opposites are written != and | not',
  "'": 'a text stands in "…"',
  '`': 'a text stands in "…"',
  $: 'a variable is written $name, and the input .',
};

const ESCAPES: Readonly<Record<string, string | undefined>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
