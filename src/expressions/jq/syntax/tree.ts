/**
 * A jq program as a tree. Sugar stays visible only where the meaning differs: `.a` is an index by a
 * literal. `.[key]?` is optional and no `try`: what it takes apart may fail, but not the key.
 *
 * Pipes and commas are lists and not pairs, since programs are long in these two directions. `at`
 * is where in the text a node begins; `depth` is how deep the tree is below it, which bounds every
 * recursion over it and the stack it takes to run.
 */
import type { Json } from '../../../base/json.ts';

interface Place {
  readonly at: number;
  readonly depth: number;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type BinaryOperator = ArithmeticOperator | ComparisonOperator;

/** `a = b`, `a |= b`, `a //= b`, and `a += b` and its like. */
export type AssignOperator = '=' | '|=' | '//=' | ArithmeticOperator;

export type Node = Place &
  (
    | { readonly is: 'identity' }
    | { readonly is: 'recurse' }
    | { readonly is: 'literal'; readonly value: Json }
    /** `$__loc__`: the line it stands in. */
    | { readonly is: 'location' }
    | { readonly is: 'format'; readonly name: string }
    | {
        readonly is: 'text';
        /** How values are written into it, `text` if it does not say. */
        readonly format: string;
        readonly parts: readonly (string | Node)[];
      }
    | {
        readonly is: 'index';
        readonly target: Node;
        readonly key: Node;
        readonly isOptional: boolean;
      }
    | {
        readonly is: 'slice';
        readonly target: Node;
        readonly from: Node | null;
        readonly to: Node | null;
        readonly isOptional: boolean;
      }
    | { readonly is: 'each'; readonly target: Node; readonly isOptional: boolean }
    | { readonly is: 'array'; readonly body: Node | null }
    | { readonly is: 'object'; readonly members: readonly Member[] }
    | { readonly is: 'pipe'; readonly stages: readonly Node[] }
    | { readonly is: 'comma'; readonly items: readonly Node[] }
    | { readonly is: 'negate'; readonly body: Node }
    | {
        readonly is: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Node;
        readonly right: Node;
      }
    | { readonly is: 'and'; readonly left: Node; readonly right: Node }
    | { readonly is: 'or'; readonly left: Node; readonly right: Node }
    | { readonly is: 'alternative'; readonly left: Node; readonly right: Node }
    | {
        readonly is: 'assign';
        readonly operator: AssignOperator;
        readonly target: Node;
        readonly value: Node;
      }
    | {
        readonly is: 'if';
        readonly arms: readonly Arm[];
        readonly otherwise: Node | null;
      }
    | { readonly is: 'try'; readonly body: Node; readonly handler: Node | null }
    | {
        readonly is: 'reduce';
        readonly source: Node;
        readonly patterns: readonly Pattern[];
        readonly start: Node;
        readonly update: Node;
      }
    | {
        readonly is: 'foreach';
        readonly source: Node;
        readonly patterns: readonly Pattern[];
        readonly start: Node;
        readonly update: Node;
        readonly extract: Node | null;
      }
    | {
        readonly is: 'bind';
        readonly source: Node;
        readonly patterns: readonly Pattern[];
        readonly body: Node;
      }
    | { readonly is: 'define'; readonly definition: Definition; readonly body: Node }
    | { readonly is: 'call'; readonly name: string; readonly args: readonly Node[] }
    | { readonly is: 'variable'; readonly name: string }
    | { readonly is: 'label'; readonly name: string; readonly body: Node }
    | { readonly is: 'break'; readonly name: string }
  );

export type NodeOf<Is extends Node['is']> = Extract<Node, { readonly is: Is }>;

export interface Arm {
  readonly when: Node;
  readonly body: Node;
}

export interface Member {
  readonly key: Node;
  /** In `{"a"}` there is none: it is what the input has under that key. */
  readonly value: Node | null;
}

export interface Definition {
  readonly at: number;
  readonly name: string;
  readonly params: readonly Param[];
  readonly body: Node;
}

/** `$x` is an argument and a variable of the same name. */
export interface Param {
  readonly name: string;
  readonly isValue: boolean;
}

export type Pattern = Place &
  (
    | { readonly is: 'variable'; readonly name: string }
    | { readonly is: 'array'; readonly items: readonly Pattern[] }
    | { readonly is: 'object'; readonly members: readonly MemberPattern[] }
  );

export interface MemberPattern {
  readonly key: Node;
  /** `{$a: pattern}` binds the member itself, too. */
  readonly name: string | null;
  readonly value: Pattern | null;
}
