/**
 * The text of a definition: what it says as plain JSON, and where each part of it stands.
 *
 * YAML 1.2 with its core schema, of which JSON is a part: dates stay text, `on` is a word and not
 * true, keys are text. Anchors, aliases and merge keys (`<<`) are unfolded and paid for as if they
 * had been written out. Tags of applications, numbers that JSON does not have or that would be
 * rounded, and keys that stand twice are refused. What comes out is frozen.
 */
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Diagnostic, Span } from '../../../model/draft.ts';
import type { ServerlessCode } from './codes.ts';
import { isMerge, type Places, placesIn } from './places.ts';
import { sayOfYaml } from './yaml-words.ts';

/** A definition of a thousand tasks has a fifth of this; reading so much takes about a second. */
export const DEFINITION_CHARS_MAX = 1_000_000;

/** A list of tasks in a list of tasks is four deeper; JSON as a whole may be 200 deep. */
export const DEFINITION_DEPTH_MAX = 150;

/** Aliases count as what they stand for: a few lines of them could say more than memory holds. */
export const DEFINITION_VALUES_MAX = 200_000;

export interface YamlText {
  /** Undefined if the text says nothing that could be read. */
  readonly value: Json | undefined;
  readonly problems: readonly Diagnostic[];
  readonly places: Places;
}

export function readYamlText(text: string): YamlText {
  const lines = new LineCounter();
  const aliases = new Map<Alias, Node>();
  if (text.length > DEFINITION_CHARS_MAX) {
    const most = `a definition is at most ${DEFINITION_CHARS_MAX} characters`;
    const message = `${most}, and this has ${text.length}; make parts of it workflows of their own`;
    const problems = [{ code: 'serverless.too-large', message, span: { line: 1, column: 1 } }];
    return { value: undefined, problems, places: placesIn(null, aliases, lines) };
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    intAsBigInt: true,
    stringKeys: true,
    // Said by us, with the line of the first.
    uniqueKeys: false,
    prettyErrors: false,
  });
  const places = placesIn(document.contents, aliases, lines);
  const problems = sayOfYaml(document.errors, places.at);
  if (problems.length > 0) return { value: undefined, problems, places };
  const unfolding = new Unfolding(places.at, aliases);
  const value = unfolding.whole(document.contents);
  return { value, problems: unfolding.problems, places };
}

/** What was said under an anchor, and how many values that are; null while it is being read. */
type Anchored = { readonly node: Node; readonly value: Json; readonly values: number } | null;

class TooMuch extends Error {}

/** Makes JSON of YAML's nodes, in the order in which they are written. */
class Unfolding {
  readonly problems: Diagnostic[] = [];
  readonly #at: (offset: number) => Span;
  readonly #aliases: Map<Alias, Node>;
  readonly #anchors = new Map<string, Anchored>();
  #values = 0;

  constructor(at: (offset: number) => Span, aliases: Map<Alias, Node>) {
    this.#at = at;
    this.#aliases = aliases;
  }

  whole(node: Node | null): Json | undefined {
    try {
      const value = this.#unfold(node, 0);
      return this.problems.length === 0 ? value : undefined;
    } catch (thrown) {
      if (thrown instanceof TooMuch) return undefined;
      throw thrown;
    }
  }

  #unfold(node: Node | null, depth: number): Json {
    if (node === null) return this.#counted(null, node, 1);
    if (depth > DEFINITION_DEPTH_MAX) {
      const message = `values are nested at most ${DEFINITION_DEPTH_MAX} deep`;
      this.#say('serverless.too-deep', node, `${message}; make a part of it a function`);
      throw new TooMuch();
    }
    if (isAlias(node)) return this.#unfoldAlias(node);
    this.#checkTag(node);
    const { anchor } = node as { anchor?: string };
    if (anchor === undefined) return this.#unfoldPlain(node, depth);
    const before = this.#values;
    this.#anchors.set(anchor, null);
    const value = this.#unfoldPlain(node, depth);
    this.#anchors.set(anchor, { node, value, values: this.#values - before });
    return value;
  }

  #unfoldPlain(node: Node, depth: number): Json {
    this.#counted(null, node, 1);
    if (isMap(node)) return this.#unfoldMap(node, depth);
    if (isSeq(node)) return this.#unfoldSeq(node, depth);
    return isScalar(node) ? this.#unfoldScalar(node) : null;
  }

  #unfoldAlias(node: Alias): Json {
    const anchored = this.#anchors.get(node.source);
    if (anchored === undefined) {
      const message = `"*${node.source}" stands for "&${node.source}", and none comes before it`;
      return this.#say('serverless.bad-alias', node, message);
    }
    if (anchored === null) {
      const message = `"*${node.source}" stands for something that it is itself a part of`;
      return this.#say('serverless.bad-alias', node, message);
    }
    this.#aliases.set(node, anchored.node);
    return this.#counted(anchored.value, node, anchored.values);
  }

  #unfoldSeq(seq: YAMLSeq, depth: number): Json {
    return Object.freeze(seq.items.map((item) => this.#unfold(item as Node | null, depth + 1)));
  }

  #unfoldMap(map: YAMLMap, depth: number): JsonObject {
    const first = new Map<string, Scalar>();
    const object: Record<string, Json> = {};
    const merged: [string, Json][] = [];
    for (const { key, value } of map.items) {
      const name = this.#keyOf(key);
      if (name === undefined) continue;
      const part = this.#unfold(value as Node | null, depth + 1);
      if (isMerge(key)) {
        for (const entry of this.#entriesOf(part, key)) merged.push(entry);
        continue;
      }
      const earlier = first.get(name);
      if (earlier === undefined) {
        first.set(name, key as Scalar);
        put(object, name, part);
        continue;
      }
      const { line } = this.#at(earlier.range?.[0] ?? 0);
      const message = `the key "${name}" stands here twice, first in line ${line}; remove one`;
      this.#say('serverless.duplicate-key', key as Scalar, message);
    }
    for (const [name, part] of merged) if (!Object.hasOwn(object, name)) put(object, name, part);
    return Object.freeze(object);
  }

  /** What `<<` brings in: an object, or a list of objects of which the earlier count. */
  #entriesOf(value: Json, key: Scalar): [string, Json][] {
    const sources = Array.isArray(value) ? (value as readonly Json[]) : [value];
    return sources.flatMap((source) => {
      if (isJsonObject(source)) return Object.entries(source);
      const message = `"<<" takes in an object or a list of objects, such as "*other"`;
      this.#say('serverless.bad-key', key, message);
      return [];
    });
  }

  #keyOf(key: unknown): string | undefined {
    if (isScalar(key) && typeof key.value === 'string') {
      const { anchor } = key;
      if (anchor !== undefined) {
        this.#anchors.set(anchor, { node: key, value: key.value, values: 1 });
      }
      return key.value;
    }
    const message = 'a key is text; put it in quotes';
    this.#say('serverless.bad-key', key as Node, message);
    return undefined;
  }

  #unfoldScalar(node: Scalar): Json {
    const { value } = node;
    if (typeof value === 'bigint') {
      const number = Number(value);
      if (Number.isSafeInteger(number)) return number;
      const message = `the number ${cut(node.source)} is too large to be kept exactly`;
      return this.#say('serverless.bad-number', node, `${message}; write it in quotes, as text`);
    }
    if (typeof value === 'number') {
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      const message = `JSON has no number ${cut(node.source)}; write it in quotes, as text`;
      return this.#say('serverless.bad-number', node, message);
    }
    return typeof value === 'string' || typeof value === 'boolean' ? value : null;
  }

  #checkTag(node: Node): void {
    const { tag } = node as { tag?: string };
    if (tag === undefined || PLAIN_TAG.test(tag)) return;
    const short = cut(tag.replace('tag:yaml.org,2002:', '!!'));
    const message = `a definition is plain YAML, without tags such as "${short}"; remove it`;
    this.#say('serverless.bad-tag', node, message);
  }

  #counted(value: Json, node: Node | null, values: number): Json {
    this.#values += values;
    if (this.#values <= DEFINITION_VALUES_MAX) return value;
    const message = `a definition has at most ${DEFINITION_VALUES_MAX} values, aliases written out`;
    this.#say('serverless.too-many-values', node, message);
    throw new TooMuch();
  }

  #say(code: ServerlessCode, node: Node | null, message: string): null {
    this.problems.push({ code, message, span: this.#at(node?.range?.[0] ?? 0) });
    return null;
  }
}

const PLAIN_TAG = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq))$/;

function cut(text: string | undefined): string {
  return (text ?? '').slice(0, 40);
}

/** Assigning to `__proto__` would set the prototype instead of a key. */
function put(object: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
