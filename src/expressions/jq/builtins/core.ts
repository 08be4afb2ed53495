/** Builtins that steer: they choose, repeat, stop and fail. */
import type { Json } from '../../../base/json.ts';
import { subtract } from '../values/arithmetic.ts';
import { type Builtins, form, plain0 } from '../compile/builtin.ts';
import { compareValues } from '../values/compare.ts';
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
import { firstOf } from '../compile/assign.ts';
import { raise } from '../faults.ts';
import { isTrue } from '../values/values.ts';

export const CORE: Builtins = {
  'empty/0': {
    code: () => optCode(1, () => undefined),
    paths: () => () => true,
  },
  'error/0': form((_, meter) => optCode(1, (value) => raise(meter, value))),
  'error/1': form(([message], meter) => {
    const { many, size } = message as Code;
    return manyCode(size + 1, (value, env) => many(value, env, (found) => raise(meter, found)));
  }),
  // There is the one input, and it was read: this is how jq says that there is no other.
  'input/0': form((_, meter) => optCode(1, () => raise(meter, 'break'))),
  'not/0': plain0((value) => !isTrue(value)),
  'select/1': {
    code: ({ meter }, [arg]) => selectCode((arg as Argument).code, meter),
    paths: ({ meter }, [arg]) => {
      const { many, size } = (arg as Argument).code;
      return (at, value, env, emit) =>
        many(value, env, (truth) => {
          meter.pay(size);
          return !isTrue(truth) || emit(at, value);
        });
    },
  },
  'first/1': {
    code: (_, [arg]) => {
      const { code } = arg as Argument;
      if (code.yields === 'one') return code;
      return optCode(code.size + 1, firstOf(code));
    },
    paths: (_, [arg]) => {
      const { paths } = arg as Argument;
      return (at, value, env, emit) => {
        let more = true;
        paths()(at, value, env, (next, found) => {
          more = emit(next, found);
          return false;
        });
        return more;
      };
    },
  },
  'last/1': form(([arg]) => {
    const { many, size } = arg as Code;
    return optCode(size + 1, (value, env) => {
      let last: Json | undefined;
      many(value, env, (found) => {
        last = found;
        return true;
      });
      return last;
    });
  }),
  'isempty/1': form(([arg]) => {
    const { many, size } = arg as Code;
    return oneCode(size + 1, (value, env) => {
      let isEmpty = true;
      many(value, env, () => {
        isEmpty = false;
        return false;
      });
      return isEmpty;
    });
  }),
  'limit/2': form(([count, arg], meter) =>
    counting(count as Code, arg as Code, (n, emit) => limited(n, emit, meter)),
  ),
  'skip/2': form(([count, arg], meter) =>
    counting(count as Code, arg as Code, (n, emit) => skipping(n, emit, meter)),
  ),
  'until/2': form(([done, next], meter) => untilCode(done as Code, next as Code, meter)),
  'while/2': form(([going, next], meter) => whileCode(going as Code, next as Code, meter)),
  'repeat/1': form(([arg], meter) => {
    const { many, size } = arg as Code;
    return manyCode(size + 1, (value, env, emit) => {
      for (;;) {
        meter.pay(size + 1);
        if (!many(value, env, emit)) return false;
      }
    });
  }),
  'range/1': form(([to], meter) =>
    rangeCode(
      oneCode(1, () => 0),
      to as Code,
      meter,
    ),
  ),
  'range/2': form(([from, to], meter) => rangeCode(from as Code, to as Code, meter)),
  'any/2': form(([source, test], meter) => decide(source as Code, test as Code, true, meter)),
  'all/2': form(([source, test], meter) => decide(source as Code, test as Code, false, meter)),
  'debug/0': plain0((value) => value),
  'stderr/0': plain0((value) => value),
};

function selectCode(condition: Code, meter: Meter): Code {
  const { one, many, size } = condition;
  if (condition.yields === 'one') {
    return optCode(size + 1, (value, env) => (isTrue(one(value, env)) ? value : undefined));
  }
  return manyCode(size + 1, (value, env, emit) =>
    many(value, env, (truth) => {
      meter.pay(1);
      return !isTrue(truth) || emit(value);
    }),
  );
}

/** Stops, passes over, or goes on: what `limit` and `skip` make of what comes. */
interface Counting {
  readonly isDone: boolean;
  readonly take: (value: Json) => boolean;
  /** Whether whoever is behind wants more. */
  readonly more: () => boolean;
}

function counting(count: Code, arg: Code, start: (n: Json, emit: Emit) => Counting): Code {
  return manyCode(count.size + arg.size + 1, (value, env, emit) =>
    count.many(value, env, (n) => {
      const { isDone, take, more } = start(n, emit);
      if (!isDone) arg.many(value, env, take);
      return more();
    }),
  );
}

function limited(n: Json, emit: Emit, meter: Meter): Counting {
  const sign = compareValues(n, 0, meter);
  if (sign < 0) return raise(meter, "limit doesn't support negative count");
  let left = n;
  let more = true;
  return {
    isDone: sign === 0,
    take: (value) => {
      left = subtract(left, 1, meter);
      more = emit(value);
      return more && compareValues(left, 0, meter) > 0;
    },
    more: () => more,
  };
}

function skipping(n: Json, emit: Emit, meter: Meter): Counting {
  const sign = compareValues(n, 0, meter);
  if (sign < 0) return raise(meter, "skip doesn't support negative count");
  let left = n;
  let more = true;
  return {
    isDone: false,
    take: (value) => {
      meter.pay(1);
      if (sign !== 0 && compareValues(left, 0, meter) >= 0) {
        left = subtract(left, 1, meter);
        if (compareValues(left, 0, meter) >= 0) return true;
      }
      more = emit(value);
      return more;
    },
    more: () => more,
  };
}

function untilCode(done: Code, next: Code, meter: Meter): Code {
  const size = done.size + next.size + 1;
  if (done.yields === 'one' && next.yields === 'one') {
    return oneCode(size, (value, env) => {
      let at = value;
      while (!isTrue(done.one(at, env))) {
        meter.pay(size);
        at = next.one(at, env);
      }
      return at;
    });
  }
  const go = (value: Json, env: Env, emit: Emit): boolean => {
    meter.sink(size);
    const more = done.many(value, env, (truth) =>
      isTrue(truth) ? emit(value) : next.many(value, env, (found) => go(found, env, emit)),
    );
    meter.rise(size);
    return more;
  };
  return manyCode(size, go);
}

/** Each value, and those that follow from it, as long as they are wanted. */
export function whileCode(going: Code, next: Code, meter: Meter): Code {
  const size = going.size + next.size + 1;
  if (going.yields === 'one' && next.yields !== 'many') {
    return manyCode(size, (value, env, emit) => {
      for (let at: Json | undefined = value; at !== undefined; at = next.opt(at, env)) {
        meter.pay(size);
        if (!isTrue(going.one(at, env))) return true;
        if (!emit(at)) return false;
      }
      return true;
    });
  }
  const go = (value: Json, env: Env, emit: Emit): boolean => {
    meter.sink(size);
    const more = going.many(
      value,
      env,
      (truth) =>
        !isTrue(truth) || (emit(value) && next.many(value, env, (found) => go(found, env, emit))),
    );
    meter.rise(size);
    return more;
  };
  return manyCode(size, go);
}

function rangeCode(from: Code, to: Code, meter: Meter): Code {
  return manyCode(from.size + to.size + 1, (value, env, emit) =>
    from.many(value, env, (first) =>
      to.many(value, env, (last) => {
        if (typeof first !== 'number' || typeof last !== 'number') {
          return raise(meter, 'Range bounds must be numeric');
        }
        for (let at = first; at < last; at += 1) {
          meter.pay(1);
          if (!emit(at)) return false;
        }
        return true;
      }),
    ),
  );
}

/** Whether something is so for one of them, or for all of them; no more is asked than needed. */
function decide(source: Code, test: Code, decisive: boolean, meter: Meter): Code {
  return oneCode(source.size + test.size + 1, (value, env) => {
    let isDecided = false;
    source.many(value, env, (found) => {
      meter.pay(test.size);
      return test.many(found, env, (truth) => {
        isDecided ||= isTrue(truth) === decisive;
        return !isDecided;
      });
    });
    return isDecided === decisive;
  });
}
