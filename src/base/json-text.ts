/**
 * JSON as people write it in files: what a text says, and where in it each part stands.
 *
 * Strict JSON and nothing else. `JSON.parse` would do, were it not for two things: it says nothing
 * of where a value was, and of a key that is there twice it forgets the first.
 */
import { JSON_DEPTH_MAX, type Json } from './json.ts';

/** Lines and columns count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface TextProblem {
  readonly message: string;
  readonly place: TextPlace;
}

export interface JsonText {
  /** Undefined if the text is no JSON. */
  readonly value: Json | undefined;
  /** A key that is there twice does not keep the rest from being read. */
  readonly problems: readonly TextProblem[];
  /** Where a list or an object of the value begins, or what stands under one of its keys. */
  readonly placeOf: (part: object, key?: string | number) => TextPlace | undefined;
}

export function readJsonText(text: string): JsonText {
  const reader = new Reader(text);
  const value = reader.read();
  return {
    value,
    problems: reader.problems,
    placeOf: (part, key) => reader.placeOf(part, key),
  };
}

class NotJson extends Error {}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const BYTE_ORDER_MARK = '\ufeff';

/** Where a list or an object begins, and each of its parts. */
interface Spots {
  readonly start: number;
  readonly parts: Map<string | number, number>;
}

class Reader {
  readonly problems: TextProblem[] = [];
  readonly #text: string;
  readonly #spots = new Map<object, Spots>();
  readonly #lines: readonly number[];
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#lines = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    this.#at = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  }

  read(): Json | undefined {
    try {
      const value = this.#value(0);
      this.#space();
      if (this.#at < this.#text.length) this.#refuse(`nothing comes after it; ${this.#came()}`);
      return value;
    } catch (thrown) {
      if (thrown instanceof NotJson) return undefined;
      throw thrown;
    }
  }

  placeOf(part: object, key?: string | number): TextPlace | undefined {
    const spots = this.#spots.get(part);
    const at = key === undefined ? spots?.start : spots?.parts.get(key);
    return at === undefined ? undefined : this.#place(at);
  }

  #value(depth: number): Json {
    this.#space();
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#list(depth);
    if (first === '"') return this.#string();
    const word = WORDS.find(([name]) => this.#text.startsWith(name, this.#at));
    if (word !== undefined) {
      this.#at += word[0].length;
      return word[1];
    }
    return this.#number();
  }

  #object(depth: number): Json {
    const value: Record<string, Json> = {};
    const spots = this.#begin(value, depth);
    if (this.#ends('}')) return Object.freeze(value);
    do {
      this.#space();
      const at = this.#at;
      if (this.#text[at] !== '"') this.#refuse(`a key in double quotes comes here${this.#hint()}`);
      const key = this.#string();
      this.#space();
      if (this.#text[this.#at] !== ':') this.#refuse(`a ":" comes after a key; ${this.#came()}`);
      this.#at += 1;
      this.#space();
      const start = this.#at;
      const part = this.#value(depth + 1);
      if (spots.parts.has(key)) {
        this.#note(`the key ${JSON.stringify(key.slice(0, 60))} is there twice`, at);
        continue;
      }
      spots.parts.set(key, start);
      // Assigning to __proto__ would set the prototype instead of a key.
      Object.defineProperty(value, key, { value: part, enumerable: true });
    } while (this.#goesOn('}'));
    return Object.freeze(value);
  }

  #list(depth: number): Json {
    const value: Json[] = [];
    const spots = this.#begin(value, depth);
    if (this.#ends(']')) return Object.freeze(value);
    do {
      this.#space();
      spots.parts.set(value.length, this.#at);
      value.push(this.#value(depth + 1));
    } while (this.#goesOn(']'));
    return Object.freeze(value);
  }

  #begin(value: object, depth: number): Spots {
    if (depth >= JSON_DEPTH_MAX) this.#refuse(`it is nested deeper than ${JSON_DEPTH_MAX}`);
    const spots = { start: this.#at, parts: new Map<string | number, number>() };
    this.#spots.set(value, spots);
    this.#at += 1;
    return spots;
  }

  #ends(close: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== close) return false;
    this.#at += 1;
    return true;
  }

  /** After a part: whether there is another. */
  #goesOn(close: string): boolean {
    if (this.#ends(close)) return false;
    if (this.#text[this.#at] !== ',')
      this.#refuse(`a "," or a "${close}" ends it; ${this.#came()}`);
    const comma = this.#at;
    this.#at += 1;
    this.#space();
    if (this.#text[this.#at] === close) this.#refuse(`no "," comes before a "${close}"`, comma);
    return true;
  }

  #string(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const letter = this.#text[at] as string;
      if (letter === '\\') at += 1;
      else if (letter < ' ') break;
      else if (letter === '"') {
        this.#at = at + 1;
        try {
          return JSON.parse(this.#text.slice(start, this.#at)) as string;
        } catch {
          this.#refuse(`a text has an escape that is none (\\n, \\", \\\\, \\u00e9 …)`, start);
        }
      }
    }
    return this.#refuse('a text ends with a double quote, in the same line', start);
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text)?.[0];
    if (found === undefined) return this.#refuse(`a value comes here${this.#hint()}`);
    const value = Number(found);
    if (!Number.isFinite(value)) this.#refuse(`the number ${found.slice(0, 60)} is too large`);
    this.#at += found.length;
    return value === 0 ? 0 : value;
  }

  #space(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? '.')) this.#at += 1;
  }

  /** What people who know JavaScript better than JSON write. */
  #hint(): string {
    const came = this.#came();
    const next = this.#text.slice(this.#at, this.#at + 2);
    if (next === '//' || next === '/*') return '; JSON has no comments';
    return next.startsWith("'") ? "; came ', and texts stand in double quotes" : `; ${came}`;
  }

  #came(): string {
    const found = /^(?:[\w$.+-]{1,20}|[^])/u.exec(this.#text.slice(this.#at, this.#at + 20))?.[0];
    return found === undefined ? 'the text ends here' : `came ${JSON.stringify(found)}`;
  }

  #refuse(message: string, at = this.#at): never {
    this.#note(message, at);
    throw new NotJson(message);
  }

  #note(message: string, at: number): void {
    this.problems.push({ message, place: this.#place(at) });
  }

  #place(at: number): TextPlace {
    let [low, high] = [0, this.#lines.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle] as number) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (this.#lines[low] as number) + 1 };
  }
}
