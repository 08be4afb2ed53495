/** Builtins with regular expressions. */
import type { Json } from '../../../base/json.ts';
import { add } from '../values/arithmetic.ts';
import type { Builtin, Builtins } from '../compile/builtin.ts';
import type { Meter } from '../budget.ts';
import {
  type Argument,
  type Code,
  type Emit,
  type Env,
  manyCode,
  oneCode,
  optCode,
} from '../compile/code.ts';
import type { Compiler } from '../compile/compiler.ts';
import { gather } from '../compile/construct.ts';
import { typeOf } from '../values/describe.ts';
import { raise, raiseAbout } from '../faults.ts';
import {
  captureFirst,
  matchAll,
  type RegexCapture,
  type RegexMatch,
  testRegex,
} from '../regex/regex.ts';
import { countCodePoints, sliceCodePoints } from '../values/text.ts';
import { emptyObject, isList, type Members, OBJECT_ELEMENTS } from '../values/values.ts';

export const PATTERNS: Builtins = {
  'test/1': withValue(tested),
  'test/2': withBoth((asked) => [tested(asked)]),
  'match/1': withMatch(matchValue),
  'match/2': withBoth((asked) => found(asked).map((match) => matchValue(match, asked.meter))),
  'capture/1': captureForm(),
  'capture/2': withBoth((asked) => found(asked).map((match) => captured(match, asked.meter))),
  'scan/2': patternFirst((asked) => {
    const flags = add('g', asked.flags, asked.meter);
    return found({ ...asked, flags }).map((match) => scanned(match, asked.meter));
  }),
  'splits/2': patternFirst(split),
  'sub/3': substitution(),
};

/** What is to be matched with what, not yet checked. */
interface Asked {
  readonly value: Json;
  readonly pattern: Json;
  readonly flags: Json;
  readonly compiler: Compiler;
  readonly meter: Meter;
}

type Answer = (asked: Asked) => readonly Json[];

/** The pattern is an argument, or a list of it and its flags; there is one answer for each. */
function withValue(answer: (asked: Asked) => Json): Builtin {
  return {
    code: (compiler, [arg]) => {
      const { meter } = compiler;
      const { code } = arg as Argument;
      const ask = (value: Json, by: Json): Json => {
        const [pattern, flags] = patternOf(by, meter);
        return answer({ value, pattern, flags, compiler, meter });
      };
      if (code.yields === 'one') {
        return oneCode(code.size + 1, (value, env) => ask(value, code.one(value, env)));
      }
      return manyCode(code.size + 1, (value, env, emit) =>
        code.many(value, env, (by) => emit(ask(value, by))),
      );
    },
  };
}

/** The same with an answer for each match. A pattern that is written there has no flags. */
function withMatch(answer: (match: RegexMatch, meter: Meter) => Json): Builtin {
  return {
    code: (compiler, [arg]) => {
      const { meter } = compiler;
      const { code, literal } = arg as Argument;
      if (typeof literal === 'string') {
        return optCode(code.size + 1, (value) => {
          const asked = { value, pattern: literal, flags: null, compiler, meter };
          const [match] = found(asked);
          return match === undefined ? undefined : answer(match, meter);
        });
      }
      return answering(
        compiler,
        (asked) => found(asked).map((match) => answer(match, meter)),
        code.size,
        (value, env, go) =>
          code.many(value, env, (by) => {
            const [pattern, flags] = patternOf(by, meter);
            return go(pattern, flags);
          }),
      );
    },
  };
}

/** The commonest form has a pattern that is written there, and wants no places. */
function captureForm(): Builtin {
  const general = withMatch(captured);
  return {
    code: (compiler, args) => {
      const { literal, code } = args[0] as Argument;
      if (typeof literal !== 'string')
        return (general.code as NonNullable<Builtin['code']>)(compiler, args);
      const { meter, regexes } = compiler;
      return optCode(code.size + 1, (value) => {
        if (typeof value !== 'string') {
          return raiseAbout(meter, value, 'cannot be matched, as it is not a string');
        }
        return captureFirst(value, literal, regexes, meter);
      });
    },
  };
}

function patternOf(value: Json, meter: Meter): readonly [Json, Json] {
  if (typeof value === 'string') return [value, null];
  if (isList(value) && value.length > 0) return [value[0] as Json, value[1] ?? null];
  return raise(meter, `${typeOf(value)} not a string or array`);
}

/** The pattern and its flags are two arguments; of several the pattern varies fastest. */
function withBoth(answer: Answer): Builtin {
  return withTwo(
    answer,
    (pattern, flags) => (value, env, go) =>
      flags.many(value, env, (by) => pattern.many(value, env, (found) => go(found, by))),
  );
}

/** The same for those that jq defines in jq, where the first argument varies slowest. */
function patternFirst(answer: Answer): Builtin {
  return withTwo(
    answer,
    (pattern, flags) => (value, env, go) =>
      pattern.many(value, env, (found) => flags.many(value, env, (by) => go(found, by))),
  );
}

function withTwo(answer: Answer, asking: (pattern: Code, flags: Code) => Asking): Builtin {
  return {
    code: (compiler, [first, second]) => {
      const pattern = (first as Argument).code;
      const flags = (second as Argument).code;
      return answering(compiler, answer, pattern.size + flags.size, asking(pattern, flags));
    },
  };
}

type Asking = (value: Json, env: Env, go: (pattern: Json, flags: Json) => boolean) => boolean;

function answering(compiler: Compiler, answer: Answer, size: number, ask: Asking): Code {
  const { meter } = compiler;
  return manyCode(size + 1, (value, env, emit) =>
    ask(value, env, (pattern, flags) =>
      emitAll(answer({ value, pattern, flags, compiler, meter }), emit),
    ),
  );
}

function emitAll(values: readonly Json[], emit: Emit): boolean {
  for (const value of values) if (!emit(value)) return false;
  return true;
}

interface Checked {
  readonly text: string;
  readonly pattern: string;
  readonly flags: string | null;
}

function check({ value, pattern, flags, meter }: Asked): Checked {
  if (typeof value !== 'string') {
    return raiseAbout(meter, value, 'cannot be matched, as it is not a string');
  }
  if (typeof pattern !== 'string') return raiseAbout(meter, pattern, 'is not a string');
  if (flags !== null && typeof flags !== 'string') {
    return raiseAbout(meter, flags, 'is not a string');
  }
  return { text: value, pattern, flags };
}

function found(asked: Asked): readonly RegexMatch[] {
  const { text, pattern, flags } = check(asked);
  return matchAll(text, pattern, flags, asked.compiler.regexes, asked.meter);
}

function tested(asked: Asked): boolean {
  const { text, pattern, flags } = check(asked);
  return testRegex(text, pattern, flags, asked.compiler.regexes, asked.meter);
}

function matchValue({ offset, length, string, captures }: RegexMatch, meter: Meter): Json {
  meter.make(4 * OBJECT_ELEMENTS + captures.length);
  const match = placed(offset, length, string);
  match['captures'] = captures.map((capture) => captureValue(capture, meter));
  return match;
}

/** The order of its members is jq's, which differs for those that are empty. */
function captureValue({ offset, length, string, name }: RegexCapture, meter: Meter): Json {
  meter.make(4 * OBJECT_ELEMENTS);
  if (length > 0) {
    const capture = placed(offset, length, string);
    capture['name'] = name;
    return capture;
  }
  const capture = emptyObject();
  capture['offset'] = offset;
  capture['string'] = string;
  capture['length'] = length;
  capture['name'] = name;
  return capture;
}

function placed(offset: number, length: number, text: string | null): Members {
  const place = emptyObject();
  place['offset'] = offset;
  place['length'] = length;
  place['string'] = text;
  return place;
}

/** The captures that have names, by these. */
function captured({ captures }: RegexMatch, meter: Meter): Members {
  meter.make(captures.length * OBJECT_ELEMENTS);
  const object = emptyObject();
  for (const { name, string } of captures) if (name !== null) object[name] = string;
  return object;
}

function scanned({ captures, string }: RegexMatch, meter: Meter): Json {
  if (captures.length === 0) return string;
  meter.make(captures.length);
  return captures.map((capture) => capture.string);
}

/** What lies between the matches. */
function split(asked: Asked): readonly Json[] {
  const { meter } = asked;
  const parts: string[] = [];
  let from = 0;
  const matches = found({ ...asked, flags: add(asked.flags, 'g', meter) });
  const text = asked.value as string;
  for (const { offset, length } of matches) {
    parts.push(sliceCodePoints(text, from, offset));
    from = offset + length;
  }
  parts.push(sliceCodePoints(text, from, countCodePoints(text)));
  meter.write(text.length);
  meter.make(parts.length);
  return parts;
}

/**
 * Each match is replaced by what the function yields of its captures. If that is several, there are
 * several results: the first of all first outputs, the second of all second ones, and so on.
 */
function substitution(): Builtin {
  return {
    code: (compiler, [first, second, third]) => {
      const { meter } = compiler;
      const pattern = (first as Argument).code;
      const by = (second as Argument).code;
      const flags = (third as Argument).code;
      const size = pattern.size + by.size + flags.size + 1;
      const replace = (asked: Asked, env: Env): readonly Json[] => replaced(asked, by, env);
      if (pattern.yields === 'one' && flags.yields === 'one' && by.yields === 'one') {
        return oneCode(size, (value, env) => {
          const re = pattern.one(value, env);
          const asked = { value, pattern: re, flags: flags.one(value, env), compiler, meter };
          return replace(asked, env)[0] as Json;
        });
      }
      return manyCode(size, (value, env, emit) =>
        pattern.many(value, env, (re) =>
          flags.many(value, env, (flag) =>
            emitAll(replace({ value, pattern: re, flags: flag, compiler, meter }, env), emit),
          ),
        ),
      );
    },
  };
}

function replaced(asked: Asked, by: Code, env: Env): readonly Json[] {
  const { meter } = asked;
  const matches = found(asked);
  const text = asked.value as string;
  const results: Json[] = [];
  let from = 0;
  for (const match of matches) {
    const gap = sliceCodePoints(text, from, match.offset);
    meter.pay(by.size);
    const inserts = gather(by, captured(match, meter), env, meter);
    for (const [at, insert] of inserts.entries()) {
      // Together first: a text and something else do not add up, and that is what is told.
      const piece = add(gap, insert, meter);
      results[at] = add(results[at] ?? null, piece, meter);
    }
    from = match.offset + match.length;
  }
  if (results.length === 0) return [text];
  const rest = sliceCodePoints(text, from, countCodePoints(text));
  return results.map((result) => add(result, rest, meter));
}
