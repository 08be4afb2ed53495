/** `.a`, `.[key]`, `.[from:to]` and `.[]`. For each of the keys comes each of the targets. */
import type { Json, JsonObject } from '../../../base/json.ts';
import { cannotIndex, indexValue, memberValues, partsOf, sliceValue } from '../values/access.ts';
import type { Meter } from '../budget.ts';
import { type Code, type Emit, manyCode, type One, oneCode, optCode } from './code.ts';
import type { Compiler } from './compiler.ts';
import { Raised } from '../faults.ts';
import type { Scope } from './scope.ts';
import type { NodeOf } from '../syntax/tree.ts';
import { memberOf } from '../values/values.ts';

export function indexCode(compiler: Compiler, node: NodeOf<'index'>, scope: Scope): Code {
  const { meter } = compiler;
  const target = compiler.code(node.target, scope);
  if (node.key.is === 'literal') return literalIndexCode(target, node, node.key.value, meter);
  const key = compiler.code(node.key, scope);
  const size = target.size + key.size + 1;
  if (target.yields === 'one' && key.yields === 'one' && !node.isOptional) {
    const { one: targetOne } = target;
    const { one: keyOne } = key;
    return oneCode(size, (value, env) => {
      const by = keyOne(value, env);
      return indexValue(targetOne(value, env), by, meter);
    });
  }
  const read = node.isOptional
    ? (of: Json, by: Json): Json | undefined => ifRaised(() => indexValue(of, by, meter), meter)
    : (of: Json, by: Json): Json | undefined => indexValue(of, by, meter);
  return manyCode(size, (value, env, emit) =>
    key.many(value, env, (by) => {
      meter.pay(target.size);
      return target.many(value, env, (of) => {
        const found = read(of, by);
        return found === undefined || emit(found);
      });
    }),
  );
}

function literalIndexCode(target: Code, node: NodeOf<'index'>, key: Json, meter: Meter): Code {
  const isIdentity = node.target.is === 'identity';
  if (!node.isOptional) return mapCode(target, 1, keyReader(key, meter), isIdentity);
  const read = optionalReader(key, meter);
  const size = target.size + 1;
  if (isIdentity) return optCode(size, (value) => read(value));
  return filterCode(target, size, read);
}

/** What a function makes of each output of some code, where it makes something. */
function filterCode(code: Code, size: number, map: (value: Json) => Json | undefined): Code {
  if (code.yields !== 'many') {
    const { opt } = code;
    return optCode(size, (value, env) => {
      const found = opt(value, env);
      return found === undefined ? undefined : map(found);
    });
  }
  return manyCode(size, (value, env, emit) =>
    code.many(value, env, (found) => {
      const mapped = map(found);
      return mapped === undefined || emit(mapped);
    }),
  );
}

/** Nothing instead of an error of jq's own. */
export function ifRaised<Found>(read: () => Found, meter: Meter): Found | undefined {
  const { depth } = meter;
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof Raised)) throw thrown;
    meter.depth = depth;
    return undefined;
  }
}

/** What a key that is known reads of a value. */
export function keyReader(key: Json, meter: Meter): (value: Json) => Json {
  if (typeof key !== 'string') return (value) => indexValue(value, key, meter);
  if (key === '__proto__' || key in Object.prototype) {
    return (value) => indexValue(value, key, meter);
  }
  // Nothing has inherited this key, so what is found is its own.
  return (value) => {
    if (typeof value !== 'object') return cannotIndex(value, key, meter);
    if (value === null) return null;
    if (Array.isArray(value)) return cannotIndex(value, key, meter);
    const found = (value as JsonObject)[key];
    return found === undefined ? null : found;
  };
}

/** What a function makes of each output of some code. */
export function mapCode(
  code: Code,
  size: number,
  map: (value: Json) => Json,
  isIdentity = false,
): Code {
  const total = code.size + size;
  if (isIdentity) return oneCode(total, map);
  if (code.yields === 'one') {
    const { one } = code;
    return oneCode(total, (value, env) => map(one(value, env)));
  }
  const { many } = code;
  return manyCode(total, (value, env, emit) => many(value, env, (found) => emit(map(found))));
}

export function sliceCode(compiler: Compiler, node: NodeOf<'slice'>, scope: Scope): Code {
  const { meter } = compiler;
  const target = compiler.code(node.target, scope);
  const from = boundCode(compiler, node.from, scope);
  const to = boundCode(compiler, node.to, scope);
  const size = target.size + from.size + to.size + 1;
  const isOne = target.yields === 'one' && from.yields === 'one' && to.yields === 'one';
  if (isOne && !node.isOptional) {
    const one: One = (value, env) => {
      const start = from.one(value, env);
      const end = to.one(value, env);
      return sliceValue(target.one(value, env), start, end, meter);
    };
    return oneCode(size, one);
  }
  return manyCode(size, (value, env, emit) =>
    from.many(value, env, (start) =>
      to.many(value, env, (end) => {
        meter.pay(target.size);
        return target.many(value, env, (of) => {
          const slice = (): Json => sliceValue(of, start, end, meter);
          const found = node.isOptional ? ifRaised(slice, meter) : slice();
          return found === undefined || emit(found);
        });
      }),
    ),
  );
}

export function boundCode(compiler: Compiler, node: NodeOf<'slice'>['from'], scope: Scope): Code {
  return node === null ? oneCode(0, () => null) : compiler.code(node, scope);
}

export function eachCode(compiler: Compiler, node: NodeOf<'each'>, scope: Scope): Code {
  const { meter } = compiler;
  const target = compiler.code(node.target, scope);
  const size = target.size + 1;
  const read = node.isOptional ? anyPartsOf : partsOf;
  if (target.yields === 'one') {
    const { one } = target;
    return manyCode(size, (value, env, emit) =>
      emitParts(read(one(value, env), meter), meter, emit),
    );
  }
  return manyCode(size, (value, env, emit) =>
    target.many(value, env, (of) => emitParts(read(of, meter), meter, emit)),
  );
}

function emitParts(parts: readonly Json[], meter: Meter, emit: Emit): boolean {
  for (let at = 0; at < parts.length; at += 1) {
    meter.pay(1);
    if (!emit(parts[at] as Json)) return false;
  }
  return true;
}

/** As `.a?`, `.[1]?` and `.[]?` read: nothing where the plain form is an error. */
function optionalReader(key: Json, meter: Meter): (value: Json) => Json | undefined {
  if (typeof key === 'string') {
    return (value) => {
      if (value === null) return null;
      if (typeof value !== 'object' || Array.isArray(value)) return undefined;
      return memberOf(value as JsonObject, key);
    };
  }
  if (typeof key !== 'number')
    return (value) => ifRaised(() => indexValue(value, key, meter), meter);
  return (value) => {
    if (value !== null && !Array.isArray(value)) return undefined;
    return indexValue(value, key, meter);
  };
}

/** The parts of a value, or none if it has none. */
export function anyPartsOf(value: Json, meter: Meter): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? value : memberValues(value as JsonObject, meter);
}
