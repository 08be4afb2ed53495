/** Making arrays, objects and texts. */
import type { Json } from '../../../base/json.ts';
import { indexValue } from '../values/access.ts';
import type { Meter } from '../budget.ts';
import { type Code, type Emit, type Env, manyCode, oneCode, type One } from './code.ts';
import { keyReader } from './access.ts';
import type { Compiler } from './compiler.ts';
import { describe } from '../values/describe.ts';
import { raise } from '../faults.ts';
import { format } from '../values/formats.ts';
import type { Scope } from './scope.ts';
import type { Member, NodeOf } from '../syntax/tree.ts';
import { emptyObject, type Members, OBJECT_ELEMENTS } from '../values/values.ts';

export function arrayCode(compiler: Compiler, { body }: NodeOf<'array'>, scope: Scope): Code {
  const { meter } = compiler;
  if (body === null) {
    return oneCode(1, () => {
      meter.make(0);
      return [];
    });
  }
  const items = body.is === 'comma' ? body.items : [body];
  const codes = items.map((item) => compiler.code(item, scope));
  const size = codes.reduce((sum, code) => sum + code.size, 1);
  if (codes.every(({ yields }) => yields === 'one')) {
    const ones = codes.map(({ one }) => one);
    return oneCode(size, listOf(ones, meter));
  }
  const gather = (value: Json, env: Env): Json => {
    const list: Json[] = [];
    meter.make(0);
    const emit: Emit = (found) => {
      meter.grow(1);
      list.push(found);
      return true;
    };
    for (const { many } of codes) many(value, env, emit);
    return list;
  };
  return oneCode(size, gather);
}

function listOf(ones: readonly One[], meter: Meter): One {
  const [first] = ones;
  if (ones.length === 1 && first !== undefined) {
    return (value, env) => {
      meter.make(1);
      return [first(value, env)];
    };
  }
  return (value, env) => {
    meter.make(ones.length);
    const list: Json[] = [];
    for (const one of ones) list.push(one(value, env));
    return list;
  };
}

/** All outputs of some code in a list. */
export function gather(code: Code, value: Json, env: Env, meter: Meter): Json[] {
  const list: Json[] = [];
  meter.make(0);
  code.many(value, env, (found) => {
    meter.grow(1);
    list.push(found);
    return true;
  });
  return list;
}

interface MemberCode {
  readonly key: Code;
  /** Of the input, and of the key. */
  readonly value: Code;
  /** In `{"a\(1, 2)"}` it belongs to the key, and must not be asked for again. */
  readonly isOwn: boolean;
}

function memberCode(compiler: Compiler, { key, value }: Member, scope: Scope): MemberCode {
  const { meter } = compiler;
  const code = compiler.code(key, scope);
  if (value !== null) return { key: code, value: compiler.code(value, scope), isOwn: false };
  if (key.is === 'literal') {
    return { key: code, value: oneCode(1, keyReader(key.value, meter)), isOwn: false };
  }
  const { one } = code;
  const own = oneCode(1, (input, env) => indexValue(input, one(input, env), meter));
  return { key: code, value: own, isOwn: code.yields !== 'one' };
}

export function objectCode(compiler: Compiler, node: NodeOf<'object'>, scope: Scope): Code {
  const { meter } = compiler;
  const members = node.members.map((member) => memberCode(compiler, member, scope));
  const size = members.reduce((sum, { key, value }) => sum + key.size + value.size, 1);
  const isPlain = members.every(({ key, value }) => key.yields === 'one' && value.yields === 'one');
  if (!isPlain) {
    return manyCode(size, (value, env, emit) =>
      eachObject(members, 0, { value, env, emit, meter, keys: [], values: [] }),
    );
  }
  const literals = node.members.map(({ key }) => (key.is === 'literal' ? key.value : undefined));
  const values = members.map(({ value }) => value.one);
  if (literals.every((key) => typeof key === 'string')) {
    return oneCode(size, knownObject(literals, values, meter));
  }
  const keys = members.map(({ key }) => key.one);
  return oneCode(size, (value, env) => {
    meter.make(keys.length * OBJECT_ELEMENTS);
    const object = emptyObject();
    for (let at = 0; at < keys.length; at += 1) {
      // A key that is none is noticed only behind the value, as in jq.
      const key = (keys[at] as One)(value, env);
      const found = (values[at] as One)(value, env);
      object[asKey(key, meter)] = found;
    }
    return object;
  });
}

function knownObject(keys: readonly string[], values: readonly One[], meter: Meter): One {
  const elements = keys.length * OBJECT_ELEMENTS;
  return (value, env) => {
    meter.make(elements);
    const object = emptyObject();
    for (let at = 0; at < keys.length; at += 1) {
      object[keys[at] as string] = (values[at] as One)(value, env);
    }
    return object;
  };
}

function asKey(key: Json, meter: Meter): string {
  if (typeof key === 'string') {
    meter.key(key);
    return key;
  }
  return raise(meter, `Cannot use ${describe(key, meter)} as object key`);
}

interface Making {
  readonly value: Json;
  readonly env: Env;
  readonly emit: Emit;
  readonly meter: Meter;
  readonly keys: string[];
  readonly values: Json[];
}

/** One object for each combination; the last member varies fastest. */
function eachObject(members: readonly MemberCode[], at: number, making: Making): boolean {
  const { value, env, emit, meter, keys, values } = making;
  const member = members[at];
  if (member === undefined) return emit(objectOf(keys, values, meter));
  return member.key.many(value, env, (key) => {
    meter.pay(member.value.size);
    const go = (found: Json): boolean => {
      keys[at] = asKey(key, meter);
      values[at] = found;
      return eachObject(members, at + 1, making);
    };
    return member.isOwn ? go(indexValue(value, key, meter)) : member.value.many(value, env, go);
  });
}

function objectOf(keys: readonly string[], values: readonly Json[], meter: Meter): Members {
  meter.make(keys.length * OBJECT_ELEMENTS);
  const object = emptyObject();
  for (const [at, key] of keys.entries()) object[key] = values[at] as Json;
  return object;
}

export function textCode(compiler: Compiler, node: NodeOf<'text'>, scope: Scope): Code {
  const { meter } = compiler;
  const parts = node.parts.map((part) =>
    typeof part === 'string' ? part : compiler.code(part, scope),
  );
  const codes = parts.filter((part) => typeof part !== 'string');
  const size = codes.reduce((sum, code) => sum + code.size + 1, 1);
  const write = (value: Json): string =>
    typeof value === 'string' && node.format === 'text' ? value : format(node.format, value, meter);
  if (codes.every(({ yields }) => yields === 'one')) {
    const one: One = (value, env) => {
      let text = '';
      // From the end, which shows if two parts fail.
      for (let at = parts.length - 1; at >= 0; at -= 1) {
        const part = parts[at] as string | Code;
        const piece = typeof part === 'string' ? part : write(part.one(value, env));
        meter.write(piece.length);
        text = piece + text;
      }
      return text;
    };
    return oneCode(size, one);
  }
  return manyCode(size, (value, env, emit) =>
    eachText(parts, parts.length - 1, '', { value, env, emit, meter, write }),
  );
}

interface Writing {
  readonly value: Json;
  readonly env: Env;
  readonly emit: Emit;
  readonly meter: Meter;
  readonly write: (value: Json) => string;
}

/** From the end: the first interpolation varies fastest. */
function eachText(
  parts: readonly (string | Code)[],
  at: number,
  rest: string,
  writing: Writing,
): boolean {
  const { value, env, emit, meter, write } = writing;
  meter.write(rest.length);
  const part = parts[at];
  if (part === undefined) return emit(rest);
  if (typeof part === 'string') return eachText(parts, at - 1, part + rest, writing);
  return part.many(value, env, (found) => eachText(parts, at - 1, write(found) + rest, writing));
}
