/**
 * What compiling a program needs at hand, and the way from one node to the next. How each kind of
 * node is compiled stands in the files beside this one, which know this only as a type.
 */
import type { Json } from '../../../base/json.ts';
import { Meter } from '../budget.ts';
import type { Builtins } from './builtin.ts';
import type { Argument, Code, PathCode } from './code.ts';
import { type JqDiagnostic, type JqDiagnosticCode, refuse, spanAt } from '../diagnostics.ts';
import { RegexCache } from '../regex/regex.ts';
import { findCallee, type Fn, type Scope, type Variant } from './scope.ts';
import type { Definition, Node } from '../syntax/tree.ts';
import type { Update } from './updates.ts';

/** What a run brings along besides its input. The closures of a program look here. */
export interface Circumstances {
  /** By their place in the list of names the program was compiled with. */
  vars: readonly Json[];
  nowMs: number | undefined;
}

export interface Forms {
  readonly code: (compiler: Compiler, node: Node, scope: Scope, tail: Variant | null) => Code;
  readonly paths: (compiler: Compiler, node: Node, scope: Scope) => PathCode;
  readonly updates: (compiler: Compiler, node: Node, scope: Scope) => Update | undefined;
}

/** What there is to be compiled to. */
export interface Language {
  readonly forms: Forms;
  readonly builtins: Builtins;
  readonly unsupported: Readonly<Record<string, string>>;
}

/**
 * A function is compiled once for each way in which its arguments yield, so a small text can become
 * much code. This is more than any that was written by hand.
 */
export const COMPILED_NODES_MAX = 30_000;

/** Who has so many mistakes mends some of them first. */
export const DIAGNOSTICS_MAX = 100;

export class Compiler {
  readonly meter: Meter = new Meter();
  readonly run: Circumstances = { vars: [], nowMs: undefined };
  readonly diagnostics: JqDiagnostic[] = [];
  /** Builtins that are written in jq, by name and number of arguments. */
  readonly prelude: Map<string, Fn> = new Map();
  readonly vars: readonly string[];
  readonly builtins: Builtins;
  /** Why a function of jq is not there. */
  readonly unsupported: Readonly<Record<string, string>>;
  readonly regexes: RegexCache;
  readonly #text: string;
  readonly #forms: Forms;
  #lineEnds: readonly number[] | undefined;
  #nodes = 0;

  constructor(text: string, language: Language, vars: readonly string[]) {
    this.#text = text;
    this.vars = vars;
    this.#forms = language.forms;
    this.builtins = language.builtins;
    this.unsupported = language.unsupported;
    this.regexes = new RegexCache();
  }

  /** If `tail` is given, what this yields is what that variant of a function yields. */
  code(node: Node, scope: Scope, tail: Variant | null = null): Code {
    this.#count(node);
    return this.#forms.code(this, node, scope, tail);
  }

  paths(node: Node, scope: Scope): PathCode {
    this.#count(node);
    return this.#forms.paths(this, node, scope);
  }

  /** How to replace what this leads to without a list of paths, if there is a way. */
  updates(node: Node, scope: Scope): Update | undefined {
    this.#count(node);
    return this.#forms.updates(this, node, scope);
  }

  argument(node: Node, scope: Scope): Argument {
    const code = this.code(node, scope);
    const callee = node.is === 'call' ? findCallee(scope, node.name, node.args.length) : undefined;
    let paths: PathCode | undefined;
    return {
      code,
      literal: node.is === 'literal' ? node.value : undefined,
      depth: node.depth + 1,
      passes: callee?.is === 'argument' ? scope.size - callee.size : undefined,
      // Few arguments are ever asked for paths, and those that are show it only when they are.
      paths: () => {
        paths ??= this.paths(node, scope);
        return paths;
      },
    };
  }

  /** Whether more mistakes are told, which is worth asking before looking for what was meant. */
  get isFull(): boolean {
    return this.diagnostics.length >= DIAGNOSTICS_MAX;
  }

  /** A mistake that does not keep the rest from being looked at. */
  mistake(at: number, code: JqDiagnosticCode, message: string): void {
    if (this.isFull) return;
    const span = spanAt(this.#text, at);
    const isKnown = this.diagnostics.some(
      (one) =>
        one.message === message && one.span.line === span.line && one.span.column === span.column,
    );
    if (!isKnown) this.diagnostics.push({ code, message, span });
  }

  lineAt(at: number): number {
    this.#lineEnds ??= Array.from(this.#text.matchAll(/\n/g), ({ index }) => index);
    let from = 0;
    let to = this.#lineEnds.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#lineEnds[middle] as number) < at) from = middle + 1;
      else to = middle;
    }
    return from + 1;
  }

  #count({ at }: Node): void {
    this.#nodes += 1;
    if (this.#nodes > COMPILED_NODES_MAX) {
      refuse(at, `the program becomes more than ${COMPILED_NODES_MAX} nodes`, 'jq.too-big');
    }
  }
}

/** What a call in its own body costs of the depth of a run. */
export function depthOf({ body }: Definition): number {
  return body.depth + 1;
}
