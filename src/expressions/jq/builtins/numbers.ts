/** Builtins on numbers and on time, and those that tell values apart by type. */
import type { Json } from '../../../base/json.ts';
import { counted, negate } from '../values/arithmetic.ts';
import { type Builtin, type Builtins, plain0, plain1, plainN } from '../compile/builtin.ts';
import type { Meter } from '../budget.ts';
import { compareValues } from '../values/compare.ts';
import { gmtime, localtime, mktime } from '../numbers/dates.ts';
import { typeOf } from '../values/describe.ts';
import { raise, raiseAbout } from '../faults.ts';
import { frexp, lgammaR, MATH_1, MATH_2, MATH_3, MATH_STEPS, modf } from '../numbers/math.ts';
import { strflocaltime, strftime } from '../numbers/strftime.ts';
import { strptime } from '../numbers/strptime.ts';

export const NUMBERS: Builtins = {
  ...mathematics(),
  'frexp/0': pairOf(frexp),
  'modf/0': pairOf(modf),
  'lgamma_r/0': pairOf(lgammaR),
  'infinite/0': plain0((_, meter) => counted(Number.POSITIVE_INFINITY, meter)),
  'nan/0': plain0((_, meter) => counted(Number.NaN, meter)),
  'isinfinite/0': plain0((value) => typeof value === 'number' && Math.abs(value) === Infinity),
  'isnan/0': plain0((value) => typeof value === 'number' && value !== value),
  'isfinite/0': plain0((value) => typeof value === 'number' && Math.abs(value) !== Infinity),
  'isnormal/0': plain0(isNormal),
  'abs/0': plain0((value, meter) =>
    compareValues(value, 0, meter) < 0 ? negate(value, meter) : value,
  ),
  'type/0': plain0(typeOf),
  'now/0': plain0((_, meter, { run }) =>
    run.nowMs === undefined
      ? raise(meter, 'now: this run was not told the time')
      : run.nowMs / MS_PER_SECOND,
  ),
  'gmtime/0': plain0(gmtime),
  'localtime/0': plain0(localtime),
  'mktime/0': plain0(mktime),
  'strftime/1': plain1(strftime),
  'strflocaltime/1': plain1(strflocaltime),
  'strptime/1': plain1(strptime),
  // Numbers are doubles here, as in a jq that was built without decimals.
  'have_literal_numbers/0': plain0(() => true),
  'have_decnum/0': plain0(() => false),
};

const MS_PER_SECOND = 1_000;
const SMALLEST_NORMAL = 2 ** -1022;

function isNormal(value: Json): boolean {
  if (typeof value !== 'number') return false;
  const size = Math.abs(value);
  return size >= SMALLEST_NORMAL && size < Infinity;
}

function numberOf(value: Json, meter: Meter): number {
  return typeof value === 'number' ? value : raiseAbout(meter, value, 'number required');
}

function mathematics(): Builtins {
  const found: Record<string, Builtin> = {};
  for (const [name, run] of Object.entries(MATH_1)) {
    const steps = MATH_STEPS[name] ?? 1;
    found[`${name}/0`] = plain0((value, meter) => {
      meter.pay(steps);
      return counted(run(numberOf(value, meter)), meter);
    });
  }
  for (const [name, run] of Object.entries(MATH_2)) {
    const steps = MATH_STEPS[name] ?? 1;
    found[`${name}/2`] = plainN((_, [x = null, y = null], meter) => {
      meter.pay(steps);
      return counted(run(numberOf(x, meter), numberOf(y, meter)), meter);
    });
  }
  for (const [name, run] of Object.entries(MATH_3)) {
    found[`${name}/3`] = plainN((_, [x = null, y = null, z = null], meter) =>
      counted(run(numberOf(x, meter), numberOf(y, meter), numberOf(z, meter)), meter),
    );
  }
  return found;
}

function pairOf(run: (x: number) => readonly [number, number]): Builtin {
  return plain0((value, meter) => {
    meter.make(2);
    return run(numberOf(value, meter)).map((part) => counted(part, meter));
  });
}
