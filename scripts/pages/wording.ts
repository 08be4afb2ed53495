/**
 * What an expression of the sources may come to, as text: `"${id}" has no "${name}"` is the
 * template `"<id>" has no "<name>"`. Constants, conditions and functions of ours are followed, and
 * the parameters of a function as far as it is known who calls it.
 */
import type {
  CallExpression,
  ConditionalExpression,
  Expression,
  Node,
  ObjectExpression,
  TemplateLiteral,
} from 'oxc-parser';
import type { SourceFile } from '../tidy/source.ts';
import {
  type Call,
  calledName,
  isFunction,
  keyName,
  memberNamed,
  type Named,
  namesIn,
  type Program,
} from './program.ts';

/** A place that is read, and how its function was called, if that is known. */
export interface Frame {
  readonly file: SourceFile;
  readonly by: Via | null;
}

export interface Via {
  readonly named: Named;
  readonly call: Call;
  readonly frame: Frame;
}

/** A condition, as it is written, that is known to hold or not to. */
export interface Granted {
  readonly condition: string;
  readonly holds: boolean;
}

interface Reading {
  readonly texts: readonly string[];
  /** It depends on who calls. */
  readonly asks: boolean;
  /** It depends on these, as they are written. */
  readonly conditions: readonly string[];
}

/** An object that is written out, and where. */
interface Found {
  readonly object: ObjectExpression;
  readonly frame: Frame;
}

/** So many ways to say one thing are told; past that it is a placeholder. */
const WAYS_MAX = 8;
const DEPTH_MAX = 12;

/** These make a value fit to be shown, and say nothing themselves. */
const SHOWING = /^(show|told|brief|String|cut|quoted|shortened|shown|plain|sentence|named)$/;

export class Wording {
  readonly program: Program;
  /** Something that only a caller knows was asked for. */
  #asked = false;
  #conditions = new Set<string>();
  #granted: Granted | null = null;

  constructor(program: Program) {
    this.program = program;
  }

  /** Every text that an expression may come to, and what that depends on. */
  read(node: Node, frame: Frame, granted: Granted | null = null): Reading {
    this.#asked = false;
    this.#conditions = new Set();
    this.#granted = granted;
    const texts = this.textsOf(node, frame);
    return { texts, asks: this.#asked, conditions: [...this.#conditions] };
  }

  /** Every text that an expression may come to. */
  textsOf(node: Node, frame: Frame, depth = 0): readonly string[] {
    const texts = depth > DEPTH_MAX ? [placeholder(node)] : this.#read(node, frame, depth + 1);
    const different = [...new Set(texts)];
    return different.length > WAYS_MAX ? [placeholder(node)] : different;
  }

  #read(node: Node, frame: Frame, depth: number): readonly string[] {
    switch (node.type) {
      case 'Literal':
        return node.value === null ? [] : [String(node.value)];
      case 'TemplateLiteral':
        return this.#template(node, frame, depth);
      case 'ConditionalExpression':
        return this.#branchesOf(node, frame).flatMap((one) => this.textsOf(one, frame, depth));
      case 'BinaryExpression':
        if (node.operator !== '+' || isNumber(node.right)) return [placeholder(node)];
        return joined([node.left, node.right].map((one) => this.textsOf(one, frame, depth)));
      case 'LogicalExpression':
        return [node.left, node.right].flatMap((one) => this.textsOf(one, frame, depth));
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
        return this.textsOf(node.expression, frame, depth);
      case 'Identifier':
        return node.name === 'undefined' ? [] : this.#name(node, node.name, frame, depth);
      case 'MemberExpression':
        return this.#member(node, frame, depth);
      case 'CallExpression':
        return this.#called(node, frame, depth);
      default:
        return [placeholder(node)];
    }
  }

  /** Both, unless the condition is one that is taken for granted. */
  #branchesOf(node: ConditionalExpression, { file }: Frame): readonly Expression[] {
    const condition = file.text.slice(node.test.start, node.test.end);
    this.#conditions.add(condition);
    const known = this.#granted?.condition === condition ? this.#granted.holds : undefined;
    if (known !== undefined) return [known ? node.consequent : node.alternate];
    return [node.consequent, node.alternate];
  }

  #template(node: TemplateLiteral, frame: Frame, depth: number): readonly string[] {
    return joined(
      node.quasis.flatMap(({ value }, at) => {
        const part = node.expressions[at];
        const text = [[value.cooked ?? value.raw]];
        return part === undefined ? text : [...text, this.textsOf(part, frame, depth)];
      }),
    );
  }

  #name(node: Node, name: string, frame: Frame, depth: number): readonly string[] {
    const given = this.program.givenTo(frame.file, name, node);
    if (given !== undefined) {
      const there = given.file === frame.file ? frame : { file: given.file, by: null };
      if (given.member === null) return named(this.textsOf(given.node, there, depth), name);
      const part = this.partOf(given.node, given.member, there, depth);
      return part === undefined ? [`<${name}>`] : this.textsOf(part.node, part.frame, depth);
    }
    const argument = this.#argument(node, name, frame);
    if (argument === undefined) return [`<${name}>`];
    const { node: passed, member, frame: caller } = argument;
    if (member === null) return this.textsOf(passed, caller, depth);
    const part = this.partOf(passed, member, caller, depth);
    return part === undefined ? [`<${name}>`] : this.textsOf(part.node, part.frame, depth);
  }

  /** What was passed for a parameter, where it is known who called. */
  #argument(
    node: Node,
    name: string,
    { by }: Frame,
  ): { readonly node: Node; readonly member: string | null; readonly frame: Frame } | undefined {
    const inner = this.program.aroundOf(node).filter(isFunction);
    const owner = inner.find(({ params }) => params.some((one) => namesIn(one).includes(name)));
    if (owner === undefined) return undefined;
    if (by === null) this.#asked ||= owner === this.program.namedAround(node)?.node;
    if (owner !== by?.named.node) return undefined;
    const { named, call, frame } = by;
    const at = named.node.params.findIndex((one) => namesIn(one).includes(name));
    const [pattern, passed] = [named.node.params[at], call.node.arguments[at]];
    if (pattern === undefined || passed === undefined) return undefined;
    return { node: passed, member: memberNamed(pattern, name) ?? null, frame };
  }

  #member(
    node: Extract<Node, { type: 'MemberExpression' }>,
    frame: Frame,
    depth: number,
  ): readonly string[] {
    const name = node.computed ? undefined : keyName(node.property);
    const part = name && this.partOf(node.object, name, frame, depth);
    return part ? this.textsOf(part.node, part.frame, depth) : [placeholder(node)];
  }

  #called(node: CallExpression, frame: Frame, depth: number): readonly string[] {
    const call = { file: frame.file, node };
    const named = this.program.namedBy(call);
    if (named === undefined || SHOWING.test(named.name)) return [placeholder(node)];
    const inside: Frame = { file: named.file, by: { named, call, frame } };
    const texts = this.#answers(named).flatMap((one) => this.textsOf(one, inside, depth));
    const told = texts.filter(hasWords);
    return told.length === 0 || told.length > WAYS_MAX ? [placeholder(node)] : told;
  }

  /** Everything that a function returns. */
  #answers({ node }: Named): readonly Expression[] {
    const { body } = node;
    if (body === null) return [];
    if (body.type !== 'BlockStatement') return [body];
    return this.program.returnsOf(node);
  }

  /** A member of whatever is an object that is written out. */
  partOf(
    node: Node,
    name: string,
    frame: Frame,
    depth = 0,
  ): { readonly node: Node; readonly frame: Frame } | undefined {
    const found = this.objectOf(node, frame, depth + 1);
    if (found === undefined) return undefined;
    for (const part of found.object.properties.toReversed()) {
      if (part.type === 'SpreadElement') {
        const inner = this.partOf(part.argument, name, found.frame, depth + 1);
        if (inner !== undefined) return inner;
      } else if (keyName(part.key) === name) return { node: part.value, frame: found.frame };
    }
    return undefined;
  }

  /** The names of all members, those of what is spread into it among them. */
  keysOf(node: Node, frame: Frame, depth = 0): readonly string[] {
    const found = this.objectOf(node, frame, depth + 1);
    return (found?.object.properties ?? []).flatMap((part) =>
      part.type === 'SpreadElement'
        ? this.#spreadKeys(part.argument, found?.frame ?? frame, depth)
        : (keyName(part.key) ?? []),
    );
  }

  #spreadKeys(node: Node, frame: Frame, depth: number): readonly string[] {
    if (node.type === 'LogicalExpression') return this.keysOf(node.right, frame, depth + 1);
    if (node.type !== 'ConditionalExpression') return this.keysOf(node, frame, depth + 1);
    return [node.consequent, node.alternate].flatMap((one) => this.keysOf(one, frame, depth + 1));
  }

  objectOf(node: Node, frame: Frame, depth = 0): Found | undefined {
    if (depth > DEPTH_MAX) return undefined;
    if (node.type === 'ObjectExpression') return { object: node, frame };
    if (node.type === 'TSAsExpression' || node.type === 'ParenthesizedExpression') {
      return this.objectOf(node.expression, frame, depth + 1);
    }
    if (node.type === 'Identifier') {
      const given = this.program.givenTo(frame.file, node.name, node);
      if (given?.member === null) {
        const there = given.file === frame.file ? frame : { file: given.file, by: null };
        return this.objectOf(given.node, there, depth + 1);
      }
      const argument = this.#argument(node, node.name, frame);
      return argument?.member === null
        ? this.objectOf(argument.node, argument.frame, depth + 1)
        : undefined;
    }
    if (node.type !== 'CallExpression') return undefined;
    const call = { file: frame.file, node };
    const named = this.program.namedBy(call);
    const [answer] = named === undefined ? [] : this.#answers(named);
    return named === undefined || answer === undefined
      ? undefined
      : this.objectOf(answer, { file: named.file, by: { named, call, frame } }, depth + 1);
  }
}

/** What is no more than a placeholder goes by the name that the author gave it. */
function named(texts: readonly string[], name: string): readonly string[] {
  return texts.some((text) => !/^<[^<>]*>$/.test(text)) ? texts : [`<${name}>`];
}

export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/<[^<>]*>/g, ''));
}

/** Each of the first with each of the second, and so on. */
function joined(parts: readonly (readonly string[])[]): readonly string[] {
  return parts.reduce<readonly string[]>(
    (all, ways) => all.flatMap((one) => ways.map((way) => one + way)),
    [''],
  );
}

function isNumber(node: Node): boolean {
  return node.type === 'Literal' && typeof node.value === 'number';
}

/** `Math`, `JSON`, `Object` and the like: what they are given says more than they do. */
function isBuiltIn(node: Node): boolean {
  return node.type === 'Identifier' && /^[A-Z][A-Za-z]+$/.test(node.name);
}

/** A value that is known only when it runs, by a name that says what it is. */
function placeholder(node: Node): string {
  return `<${nameFor(node) ?? '…'}>`;
}

function nameFor(node: Node): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression': {
      const name = keyName(node.property);
      if (name === 'length' || name === 'size') return 'n';
      return node.computed ? nameFor(node.object) : name?.replace('#', '');
    }
    case 'CallExpression': {
      const [first] = node.arguments;
      const { callee } = node;
      if (callee.type === 'MemberExpression' && !isBuiltIn(callee.object)) {
        return nameFor(callee.object);
      }
      return first === undefined ? calledName(callee) : nameFor(first);
    }
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return nameFor(node.expression);
    case 'ConditionalExpression':
      return nameFor(node.consequent);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return nameFor(node.left);
    default:
      return undefined;
  }
}
