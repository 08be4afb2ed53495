/**
 * The sources as a program that can be asked: which function a place lies in, who calls it, and
 * what a name stands for there. It knows names and imports and nothing of types.
 */
import { posix } from 'node:path';
import type {
  ArrowFunctionExpression,
  CallExpression,
  Expression,
  Function,
  ImportDeclaration,
  Node,
  ReturnStatement,
  VariableDeclarator,
} from 'oxc-parser';
import { type Site, sitesOf, type SourceFile } from '../tidy/source.ts';

export type FunctionNode = Function | ArrowFunctionExpression;

/** A function that others can call by its name. */
export interface Named {
  readonly file: SourceFile;
  readonly name: string;
  readonly node: FunctionNode;
  /** Called as `something.name(…)`. */
  readonly isMethod: boolean;
}

export interface Call {
  readonly file: SourceFile;
  readonly node: CallExpression;
}

/** What a name was given where it was declared: a value, or a member of it. */
export interface Given {
  readonly file: SourceFile;
  readonly node: Node;
  /** `b` of `const { a: b } = node` is the member `a`; of `const b = node` it is all of it. */
  readonly member: string | null;
}

interface Import {
  readonly path: string;
  readonly name: string;
}

export class Program {
  readonly files: readonly SourceFile[];
  readonly #byPath: ReadonlyMap<string, SourceFile>;
  readonly #sites = new Map<Node, Site>();
  readonly #named = new Map<Node, Named>();
  readonly #byName = new Map<string, Named>();
  readonly #imports = new Map<SourceFile, Map<string, Import>>();
  readonly #declared = new Map<string, VariableDeclarator[]>();
  readonly #calls = new Map<string, Call[]>();
  readonly #returns = new Map<Node, ReturnStatement[]>();

  constructor(files: readonly SourceFile[]) {
    this.files = files;
    this.#byPath = new Map(files.map((file) => [file.path, file]));
    for (const file of files) {
      for (const site of sitesOf(file)) this.#enter(file, site);
    }
  }

  #enter(file: SourceFile, site: Site): void {
    const { node } = site;
    this.#sites.set(node, site);
    if (isFunction(node)) this.#name(file, site, node);
    else if (node.type === 'ReturnStatement') {
      const inside = site.around.find(isFunction);
      if (inside !== undefined) append(this.#returns, inside, node);
    } else if (node.type === 'ImportDeclaration') this.#import(file, node);
    else if (node.type === 'VariableDeclarator') {
      for (const name of namesIn(node.id)) append(this.#declared, `${file.path}#${name}`, node);
    } else if (node.type === 'CallExpression') {
      const name = calledName(node.callee);
      if (name !== undefined) append(this.#calls, name, { file, node });
    }
  }

  #name(file: SourceFile, { around: [parent] }: Site, node: FunctionNode): void {
    const isMethod = parent?.type === 'MethodDefinition' || parent?.type === 'Property';
    const named = isMethod
      ? keyName(parent.key)
      : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
        ? parent.id.name
        : node.id?.name;
    if (named === undefined) return;
    const found = { file, name: named, node, isMethod };
    this.#named.set(node, found);
    if (!isMethod) this.#byName.set(`${file.path}#${named}`, found);
  }

  #import(file: SourceFile, { source, specifiers }: ImportDeclaration): void {
    const known = this.#imports.get(file) ?? new Map<string, Import>();
    this.#imports.set(file, known);
    const path = posix.join(posix.dirname(file.path), source.value);
    for (const one of specifiers) {
      if (one.type !== 'ImportSpecifier') continue;
      const { imported, local } = one;
      if (imported.type === 'Identifier') known.set(local.name, { path, name: imported.name });
    }
  }

  aroundOf(node: Node): readonly Node[] {
    return this.#sites.get(node)?.around ?? [];
  }

  /** The function with a name that a place lies in; what has none is part of what is around it. */
  namedAround(node: Node): Named | undefined {
    return this.aroundOf(node)
      .filter(isFunction)
      .flatMap((one) => this.#named.get(one) ?? [])[0];
  }

  /** What is called there, if it is a function of ours. */
  namedBy({ file, node: { callee } }: Call): Named | undefined {
    if (callee.type !== 'Identifier') return undefined;
    const from = this.#imports.get(file)?.get(callee.name);
    return this.#byName.get(from ? `${from.path}#${from.name}` : `${file.path}#${callee.name}`);
  }

  /** Everything that a function returns, those inside it left out. */
  returnsOf(node: FunctionNode): readonly Expression[] {
    return (this.#returns.get(node) ?? []).flatMap(({ argument }) => argument ?? []);
  }

  callsOf(named: Named): readonly Call[] {
    const { name, isMethod, file } = named;
    if (isMethod) {
      const calls = this.#calls.get(`.${name}`) ?? [];
      return name.startsWith('#') ? calls.filter((call) => call.file === file) : calls;
    }
    const aliases = new Set(
      [...this.#imports.values()].flatMap((known) =>
        [...known].filter(([, from]) => from.name === name).map(([local]) => local),
      ),
    );
    return [...aliases.add(name)]
      .flatMap((alias) => this.#calls.get(alias) ?? [])
      .filter((call) => this.namedBy(call) === named);
  }

  /** Every function, or file, that names this one: also without calling it. */
  usersOf({
    file,
    name,
  }: Named): readonly { readonly file: SourceFile; readonly within?: Named }[] {
    return this.files.flatMap((user) => {
      const local = user === file ? name : this.#aliasIn(user, file.path, name);
      if (local === undefined) return [];
      return sitesOf(user).flatMap(({ node }) => {
        if (node.type !== 'Identifier' || node.name !== local) return [];
        const within = this.namedAround(node);
        return [{ file: user, ...(within && { within }) }];
      });
    });
  }

  #aliasIn(user: SourceFile, path: string, name: string): string | undefined {
    const known = [...(this.#imports.get(user) ?? [])];
    return known.find(([, from]) => from.path === path && from.name === name)?.[0];
  }

  /** What a name was declared with, as seen from a place; nothing if it is a parameter. */
  givenTo(file: SourceFile, name: string, seenFrom: Node): Given | undefined {
    const around = new Set(this.aroundOf(seenFrom));
    const best = (this.#declared.get(`${file.path}#${name}`) ?? [])
      .filter((one) => this.#isSeen(one, around))
      .sort((a, b) => this.aroundOf(b).length - this.aroundOf(a).length)[0];
    if (best !== undefined) return givenBy(file, best, name);
    const from = this.#imports.get(file)?.get(name);
    const other = from && this.#byPath.get(from.path);
    const [there] = (from && this.#declared.get(`${from.path}#${from.name}`)) ?? [];
    return other === undefined || there === undefined
      ? undefined
      : givenBy(other, there, from?.name ?? name);
  }

  /** The block, or the file, that a declaration is in is around the place that asks. */
  #isSeen(declarator: VariableDeclarator, around: ReadonlySet<Node>): boolean {
    const [, block] = this.aroundOf(declarator);
    const home = block?.type === 'ExportNamedDeclaration' ? this.aroundOf(block)[0] : block;
    return home !== undefined && around.has(home);
  }
}

function givenBy(
  file: SourceFile,
  { id, init }: VariableDeclarator,
  name: string,
): Given | undefined {
  if (init === null) return undefined;
  if (id.type === 'Identifier') return { file, node: init, member: null };
  const member = memberNamed(id, name);
  return member === undefined ? undefined : { file, node: init, member };
}

/** Of `{ a: b }`, what `b` is called in the object that is taken apart. */
export function memberNamed(pattern: Node, name: string): string | undefined {
  if (pattern.type !== 'ObjectPattern') return undefined;
  return pattern.properties.flatMap((part) => {
    if (part.type !== 'Property' || !namesIn(part.value).includes(name)) return [];
    return keyName(part.key) ?? [];
  })[0];
}

/** The names that a pattern gives, its parts of parts left out. */
export function namesIn(pattern: Node): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'ObjectPattern':
      return pattern.properties.flatMap((part) =>
        part.type === 'Property' ? namesIn(part.value) : [],
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((part) => (part === null ? [] : namesIn(part)));
    default:
      return [];
  }
}

/** `f` of `f(…)`; `.f` and `.#f` of something that is asked for it. */
export function calledName(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  const name = callee.type === 'MemberExpression' ? keyName(callee.property) : undefined;
  return name === undefined ? undefined : `.${name}`;
}

export function keyName(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  );
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
