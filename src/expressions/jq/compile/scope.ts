/**
 * What names mean at some place of a program. It grows in step with the bindings of a run: `size`
 * is how many of those there are, so the difference of two sizes says how far up one is found.
 */
import type { Json } from '../../../base/json.ts';
import type { Code, Env, PathCode, Yields } from './code.ts';
import type { Definition } from '../syntax/tree.ts';

export type Scope =
  | { readonly is: 'root'; readonly size: 0 }
  | (Level &
      (
        | { readonly is: 'variable' }
        | { readonly is: 'label' }
        | { readonly is: 'argument'; readonly yields: Yields }
        | { readonly is: 'function'; readonly fn: Fn }
      ));

interface Level {
  readonly up: Scope;
  readonly size: number;
  readonly name: string;
}

/** A function that is defined somewhere, compiled for each way in which it is called. */
export interface Fn {
  readonly definition: Definition;
  /** Where it is defined, itself included. */
  scope: Scope;
  readonly variants: Map<string, Variant>;
  paths: PathVariant | undefined;
}

/** Its code for arguments that yield so much each. A call to itself may come before it is ready. */
export interface Variant {
  yields: Yields;
  code: Code | undefined;
  /** Whether somebody relied on what it yields before that was known. */
  isReliedOn: boolean;
  /** A call of itself that is the last thing it does is left here and done by whoever called. */
  nextValue: Json;
  nextEnv: Env | null;
}

export interface PathVariant {
  code: PathCode | undefined;
}

export const ROOT_SCOPE: Scope = { is: 'root', size: 0 };

export function withVariable(up: Scope, name: string): Scope {
  return { is: 'variable', up, name, size: up.size + 1 };
}

export function withLabel(up: Scope, name: string): Scope {
  return { is: 'label', up, name, size: up.size + 1 };
}

export function withArgument(up: Scope, name: string, yields: Yields): Scope {
  return { is: 'argument', up, name, yields, size: up.size + 1 };
}

/** A function takes no place among the bindings: it is where it was defined. */
export function withFunction(up: Scope, definition: Definition): Scope {
  const { name, params } = definition;
  const fn: Fn = { definition, scope: up, variants: new Map(), paths: undefined };
  const scope: Scope = {
    is: 'function',
    up,
    name: `${name}/${params.length}`,
    fn,
    size: up.size,
  };
  fn.scope = scope;
  return scope;
}

export type Found<Is extends Scope['is']> = Extract<Scope, { readonly is: Is }>;

export function findVariable(scope: Scope, name: string): Found<'variable'> | undefined {
  for (let at = scope; at.is !== 'root'; at = at.up) {
    if (at.is === 'variable' && at.name === name) return at;
  }
  return undefined;
}

export function findLabel(scope: Scope, name: string): Found<'label'> | undefined {
  for (let at = scope; at.is !== 'root'; at = at.up) {
    if (at.is === 'label' && at.name === name) return at;
  }
  return undefined;
}

/** An argument or a function of this name that takes so many arguments. */
export function findCallee(
  scope: Scope,
  name: string,
  args: number,
): Found<'argument'> | Found<'function'> | undefined {
  const full = `${name}/${args}`;
  for (let at = scope; at.is !== 'root'; at = at.up) {
    if (at.is === 'function' && at.name === full) return at;
    if (at.is === 'argument' && args === 0 && at.name === name) return at;
  }
  return undefined;
}

/** All names that could have been meant, for a hint. */
export function namesIn(scope: Scope, is: Scope['is']): string[] {
  const names: string[] = [];
  for (let at = scope; at.is !== 'root'; at = at.up) if (at.is === is) names.push(at.name);
  return names;
}
