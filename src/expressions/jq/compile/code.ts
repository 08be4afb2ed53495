/**
 * What a program is compiled to: closures.
 *
 * Each node says how many outputs it has: exactly one, one at most, or any number. Those of the
 * first two kinds are plain functions from a value to a value, `undefined` being no output; the
 * others call back for each output. All of them can be called in the general way. A callback
 * answers whether more outputs are wanted, and whoever calls back stops if not: this is how `first`
 * and `limit` end what never would by itself.
 *
 * Variables live in a list that only ever grows at its head, so whoever holds an older head is not
 * disturbed: an argument is called again while it is still busy calling back.
 */
import { assert } from '../../../base/assert.ts';
import type { Json } from '../../../base/json.ts';
import type { Broken } from '../faults.ts';

export type Yields = 'one' | 'opt' | 'many';

export type One = (value: Json, env: Env) => Json;
export type Opt = (value: Json, env: Env) => Json | undefined;
export type Emit = (value: Json) => boolean;
export type Many = (value: Json, env: Env, emit: Emit) => boolean;

export interface Code {
  readonly yields: Yields;
  /** How many nodes it has: what it costs to go through it once. */
  readonly size: number;
  /** Only if it yields one. */
  readonly one: One;
  /** Only if it yields one at most. */
  readonly opt: Opt;
  readonly many: Many;
}

/** What is bound: a variable, a label, or the argument of a function with where it was written. */
export class Env {
  readonly up: Env | null;
  readonly value: Json;
  readonly label: Broken | null;
  readonly argument: Argument | null;
  readonly home: Env | null;

  constructor(
    up: Env | null,
    value: Json,
    label: Broken | null = null,
    argument: Argument | null = null,
    home: Env | null = null,
  ) {
    this.up = up;
    this.value = value;
    this.label = label;
    this.argument = argument;
    this.home = home;
  }
}

/** An argument, which may be asked for values or for paths. */
export interface Argument {
  readonly code: Code;
  readonly paths: () => PathCode;
  /** What it always is, if that is written there. */
  readonly literal: Json | undefined;
  /** How deep it is nested: what a call of it takes of the depth of a run. */
  readonly depth: number;
  /** If it is nothing but an argument of the caller, how far up that is bound. */
  readonly passes: number | undefined;
}

export const ROOT: Env = new Env(null, null);

/** A path on its way, from the end to the start, with the value it leads to. */
export class PathNode {
  readonly up: PathNode | null;
  readonly key: Json;
  readonly value: Json;
  readonly length: number;

  constructor(up: PathNode | null, key: Json, value: Json) {
    this.up = up;
    this.key = key;
    this.value = value;
    this.length = up === null ? 0 : up.length + 1;
  }
}

/** The value is what the path leads to, unless something else was put in its place. */
export type PathEmit = (at: PathNode, value: Json) => boolean;
export type PathCode = (at: PathNode, value: Json, env: Env, emit: PathEmit) => boolean;

function notOne(): never {
  return assert(false, 'only code that yields one is asked for one') as never;
}

export function oneCode(size: number, one: One): Code {
  return { yields: 'one', size, one, opt: one, many: (value, env, emit) => emit(one(value, env)) };
}

export function optCode(size: number, opt: Opt): Code {
  const many: Many = (value, env, emit) => {
    const found = opt(value, env);
    return found === undefined || emit(found);
  };
  return { yields: 'opt', size, one: notOne, opt, many };
}

export function manyCode(size: number, many: Many): Code {
  return { yields: 'many', size, one: notOne, opt: notOne, many };
}

const RANK: Readonly<Record<Yields, number>> = { one: 0, opt: 1, many: 2 };

/** The most that any of them yields. */
export function mostOf(...codes: readonly Code[]): Yields {
  let most: Yields = 'one';
  for (const { yields } of codes) if (RANK[yields] > RANK[most]) most = yields;
  return most;
}

export function yieldsMore(a: Yields, b: Yields): boolean {
  return RANK[a] > RANK[b];
}

/** Binds an argument; one that is passed on stays what it was, however often. */
export function bindArgument(inner: Env, arg: Argument, env: Env): Env {
  if (arg.passes === undefined) return new Env(inner, null, null, arg, env);
  const { argument, home } = upFrom(env, arg.passes);
  return new Env(inner, null, null, argument, home);
}

/** So many bindings up. */
export function upFrom(env: Env, hops: number): Env {
  let found = env;
  for (let left = hops; left > 0; left -= 1) found = found.up as Env;
  return found;
}
