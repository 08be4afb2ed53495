/**
 * Values that are not made of others, as JSON and on the wire.
 *
 * Whole numbers of 64 bits are numbers in JSON where a double holds them exactly, and decimal
 * digits otherwise; both are taken. Bytes are base64. What a double has and JSON has not (infinity,
 * not a number) has a name.
 */
import type { Json } from '../../base/json.ts';
import type { Scalar, WireValue } from './packages.ts';

/** How a field is told apart on the wire: by what follows its number. */
export const WIRE = { varint: 0, bits64: 1, sized: 2, begin: 3, end: 4, bits32: 5 } as const;

const WIRE_TYPES: Readonly<Record<Scalar, number>> = {
  ...{ int32: 0, uint32: 0, sint32: 0, int64: 0, uint64: 0, sint64: 0, bool: 0 },
  ...{ fixed64: 1, sfixed64: 1, double: 1, string: 2, bytes: 2 },
  ...{ fixed32: 5, sfixed32: 5, float: 5 },
};

interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

const SIGNED_32: Range = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
const UNSIGNED_32: Range = { min: 0n, max: 2n ** 32n - 1n };
const SIGNED_64: Range = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const UNSIGNED_64: Range = { min: 0n, max: 2n ** 64n - 1n };

const RANGES: Readonly<Partial<Record<Scalar, Range>>> = {
  ...{ int32: SIGNED_32, sint32: SIGNED_32, sfixed32: SIGNED_32 },
  ...{ uint32: UNSIGNED_32, fixed32: UNSIGNED_32 },
  ...{ int64: SIGNED_64, sint64: SIGNED_64, sfixed64: SIGNED_64 },
  ...{ uint64: UNSIGNED_64, fixed64: UNSIGNED_64 },
};

const FLOAT_MAX = 3.402_823_466_385_288_6e38;
const UNCOUNTABLE: Readonly<Record<string, number>> = {
  ...{ NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY, '-Infinity': Number.NEGATIVE_INFINITY },
};
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export function isScalar(name: Json | undefined): name is Scalar {
  return typeof name === 'string' && Object.hasOwn(WIRE_TYPES, name);
}

export function wireTypeOf(scalar: Scalar): number {
  return WIRE_TYPES[scalar];
}

/** The value to be written; undefined if it is none of this type. */
export function scalarToWire(scalar: Scalar, value: Json): WireValue | undefined {
  switch (scalar) {
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'string':
      return typeof value === 'string' ? value.replaceAll(/\p{Cs}/gu, '\ufffd') : undefined;
    case 'bytes':
      return bytesOf(value);
    case 'double':
    case 'float':
      return floatOf(scalar, value);
    default:
      return integerOf(scalar, value);
  }
}

/** Keys of maps are texts in JSON, whatever they are on the wire. */
export function keyToWire(scalar: Scalar, key: string): WireValue | undefined {
  if (scalar !== 'bool') return scalarToWire(scalar, key);
  return key === 'true' || key === 'false' ? key === 'true' : undefined;
}

export function scalarFromWire(scalar: Scalar, value: unknown): Json {
  switch (scalar) {
    case 'bool':
      return value === true;
    case 'string':
      return String(value);
    case 'bytes':
      return Buffer.from(value as Uint8Array).toString('base64');
    case 'double':
    case 'float':
      return Number.isFinite(value) ? countable(scalar, value as number) : String(value);
    default:
      return exactly(String(value));
  }
}

/** What a field has that is not on the wire. */
export function scalarDefault(scalar: Scalar): Json {
  if (scalar === 'bool') return false;
  return scalar === 'string' || scalar === 'bytes' ? '' : 0;
}

function bytesOf(value: Json): Uint8Array | undefined {
  if (typeof value !== 'string' || !BASE64.test(value)) return undefined;
  // Both alphabets are read, also without the signs that fill it up.
  return Buffer.from(value, 'base64');
}

function floatOf(scalar: 'double' | 'float', value: Json): number | undefined {
  if (typeof value === 'string' && Object.hasOwn(UNCOUNTABLE, value)) return UNCOUNTABLE[value];
  const number = typeof value === 'string' && /^[-+.\deE]+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return scalar === 'float' && Math.abs(number) > FLOAT_MAX ? undefined : number;
}

/** As few digits as tell a float from its neighbours: 0.1 and not 0.10000000149011612. */
function countable(scalar: Scalar, value: number): number {
  if (value === 0) return 0;
  if (scalar === 'double') return value;
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function integerOf(scalar: Scalar, value: Json): WireValue | undefined {
  const range = RANGES[scalar];
  const number = bigintOf(value);
  if (range === undefined || number === undefined) return undefined;
  if (number < range.min || number > range.max) return undefined;
  const isLong = range.max > UNSIGNED_32.max;
  // The same bits, whether with a sign or not.
  return isLong ? BigInt.asIntN(64, number).toString() : Number(number);
}

function bigintOf(value: Json): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

function exactly(digits: string): Json {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}
