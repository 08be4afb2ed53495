/**
 * AsyncAPI documents: JSON or YAML, read as they are needed, with every `$ref` followed on the way.
 *
 * A reference may lead into another file, and from there on into others. How many of them a call
 * reads and how long a chain of references gets is limited: a document is a stranger's text. Other
 * files are asked for with the policy of the document only where they lie on the same origin.
 */
import { parse } from 'yaml';
import { admitJson, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Calling, Resource } from '../calling.ts';
import { checkPiece, pointed } from '../references.ts';
import { misconfigured } from './faults.ts';

/** Files that one call reads, the document itself among them. */
export const FILES_MAX = 16;
/** References that lead to references, one after the other. */
export const HOPS_MAX = 32;

/** A part of a document, and the file that references in it are to be understood from. */
export interface Part {
  readonly value: Json;
  readonly url: string;
}

export interface AsyncApiDocument {
  /** 2 or 3: what is where in it. */
  readonly major: 2 | 3;
  readonly root: Part;
  /** What lies there, with references followed; undefined if there is nothing. */
  at(part: Part, ...path: readonly (string | number)[]): Promise<Part | undefined>;
}

export async function openDocument(
  calling: Calling,
  resource: Resource,
): Promise<AsyncApiDocument> {
  const files = new Files(calling, resource);
  const root = await files.first();
  const version = isJsonObject(root.value) ? root.value['asyncapi'] : undefined;
  const [, major] = /^([23])\.\d/.exec(typeof version === 'string' ? version : '') ?? [];
  if (major === undefined) {
    throw misconfigured(
      version === undefined
        ? `${calling.hide(root.url)} is no AsyncAPI document: it has no "asyncapi"`
        : `"asyncapi" of the document is 2.x or 3.x, and it is ${JSON.stringify(version)}`,
    );
  }
  return {
    major: major === '2' ? 2 : 3,
    root,
    at: async (part, ...path) => {
      let found: Part | undefined = await files.follow(part);
      for (const key of path) {
        const value = found === undefined ? undefined : childOf(found.value, key);
        if (found === undefined || value === undefined) return undefined;
        found = await files.follow({ value, url: found.url });
      }
      return found;
    },
  };
}

class Files {
  readonly #calling: Calling;
  readonly #resource: Resource;
  readonly #read = new Map<string, Promise<Json>>();

  constructor(calling: Calling, resource: Resource) {
    this.#calling = calling;
    this.#resource = resource;
  }

  async first(): Promise<Part> {
    const { resources, signal } = this.#calling;
    const { text, url } = await resources.text(this.#resource, signal);
    const reading = Promise.resolve(this.#parse(text, url));
    this.#read.set(fileOf(url), reading);
    return { value: await reading, url: fileOf(url) };
  }

  async follow(part: Part): Promise<Part> {
    let here = part;
    for (let hops = 0; ; hops += 1) {
      const reference = isJsonObject(here.value) ? here.value['$ref'] : undefined;
      if (typeof reference !== 'string') return here;
      if (hops === HOPS_MAX) {
        throw misconfigured(
          `"${reference}" leads on to more than ${HOPS_MAX} references, or round in a circle`,
        );
      }
      here = await this.#resolve(reference, here.url);
    }
  }

  async #resolve(reference: string, from: string): Promise<Part> {
    const [file = '', fragment = ''] = reference.split(/#(.*)/s);
    if (file !== '' && !URL.canParse(file, from)) {
      throw misconfigured(`"$ref": "${reference}" is neither a pointer nor an address`);
    }
    const url = file === '' ? from : fileOf(new URL(file, from).href);
    const whole = await (this.#read.get(url) ?? this.#load(url));
    const value = pointed(whole, fragment);
    if (value !== undefined) return { value, url };
    throw misconfigured(`"$ref": "${reference}" leads nowhere: there is nothing at that place`);
  }

  #load(url: string): Promise<Json> {
    if (this.#read.size >= FILES_MAX) {
      throw misconfigured(`the AsyncAPI document is spread over more than ${FILES_MAX} files`);
    }
    const reading = this.#fetch(url);
    this.#read.set(url, reading);
    return reading;
  }

  async #fetch(url: string): Promise<Json> {
    const { resources, signal } = this.#calling;
    const { endpoint } = this.#resource;
    const [first = ''] = this.#read.keys();
    checkPiece('AsyncAPI', first, url);
    const policy = typeof endpoint === 'object' ? endpoint.authentication : undefined;
    const isTrusted = policy !== undefined && isSameOrigin(first, url);
    const wanted = isTrusted ? { uri: url, authentication: policy } : url;
    const { text } = await resources.text({ endpoint: wanted }, signal);
    return this.#parse(text, url);
  }

  #parse(text: string, url: string): Json {
    const { hide } = this.#calling;
    const read = admitJson(parseText(text, hide(url)));
    if (read.ok) return read.value;
    throw misconfigured(`${hide(url)} holds what is not JSON: ${read.problem}`);
  }
}

function parseText(text: string, place: string): unknown {
  try {
    // What looks like JSON mostly is, and is read much faster as that.
    if (text.trimStart().startsWith('{')) return JSON.parse(text) as unknown;
  } catch {
    // YAML, too, has braces.
  }
  try {
    return parse(text) as unknown;
  } catch (cause) {
    const [reason] = cause instanceof Error ? cause.message.split('\n') : [];
    throw misconfigured(`${place} is neither JSON nor YAML: ${reason ?? 'unreadable'}`, cause);
  }
}

function childOf(value: Json, key: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const name = String(key);
  if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

function fileOf(url: string): string {
  return url.replace(/#.*$/s, '');
}

/** Files have no origin, and are near to nobody. */
function isSameOrigin(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const { origin } = new URL(one);
  return origin !== 'null' && origin === new URL(other).origin;
}
