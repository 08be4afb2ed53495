/** What a builtin is: how it is called for values, and how for paths, if it leads anywhere. */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { type Argument, type Code, type Env, manyCode, oneCode, type PathCode } from './code.ts';
import type { Compiler } from './compiler.ts';

export interface Builtin {
  readonly code?: (compiler: Compiler, args: readonly Argument[]) => Code;
  readonly paths?: (compiler: Compiler, args: readonly Argument[]) => PathCode;
  /** Its definition in jq: for paths where the above says nothing of them, or for both. */
  readonly text?: string;
}

/** By name and number of arguments: `map/1`. */
export type Builtins = Readonly<Record<string, Builtin>>;

/** A function of the input alone. */
export function plain0(run: (value: Json, meter: Meter, compiler: Compiler) => Json): Builtin {
  return {
    code: (compiler) => {
      const { meter } = compiler;
      return oneCode(1, (value) => run(value, meter, compiler));
    },
  };
}

/** Of the input and an argument, for each of its outputs. */
export function plain1(
  run: (value: Json, arg: Json, meter: Meter, compiler: Compiler) => Json,
): Builtin {
  return {
    code: (compiler, [arg]) => {
      const { meter } = compiler;
      const { code } = arg as Argument;
      if (code.yields === 'one') {
        const { one } = code;
        return oneCode(code.size + 1, (value, env) => run(value, one(value, env), meter, compiler));
      }
      return manyCode(code.size + 1, (value, env, emit) =>
        code.many(value, env, (found) => {
          meter.pay(1);
          return emit(run(value, found, meter, compiler));
        }),
      );
    },
  };
}

/** Of the input and several arguments, for each combination; the first argument varies fastest. */
export function plainN(
  run: (value: Json, args: readonly Json[], meter: Meter, compiler: Compiler) => Json,
): Builtin {
  return {
    code: (compiler, args) => {
      const { meter } = compiler;
      const codes = args.map(({ code }) => code);
      const size = codes.reduce((sum, code) => sum + code.size, 1);
      if (codes.every(({ yields }) => yields === 'one')) {
        return oneCode(size, (value, env) => {
          // The last one first, which shows if two of them fail.
          const found: Json[] = [];
          for (let at = codes.length - 1; at >= 0; at -= 1) {
            found[at] = (codes[at] as Code).one(value, env);
          }
          return run(value, found, meter, compiler);
        });
      }
      return manyCode(size, (value, env, emit) =>
        eachCombination(codes, value, env, (found) => {
          meter.pay(codes.length);
          return emit(run(value, found, meter, compiler));
        }),
      );
    },
  };
}

function eachCombination(
  codes: readonly Code[],
  value: Json,
  env: Env,
  go: (found: readonly Json[]) => boolean,
): boolean {
  const found: Json[] = [];
  const from = (at: number): boolean => {
    const code = codes[at];
    if (code === undefined) return go(found.slice());
    return code.many(value, env, (one) => {
      found[at] = one;
      return from(at - 1);
    });
  };
  return from(codes.length - 1);
}

/** A special form, which has its arguments as code. */
export function form(
  build: (args: readonly Code[], meter: Meter, compiler: Compiler) => Code,
): Builtin {
  return {
    code: (compiler, args) =>
      build(
        args.map(({ code }) => code),
        compiler.meter,
        compiler,
      ),
  };
}
