/**
 * Google's own messages that JSON has a shorter form for: a moment is a text, a `Value` is whatever
 * JSON it holds, a wrapper is what it wraps. Each is turned into the plain form of its fields
 * before it is written, and back after it was read. (`Any` is not among them: it needs to know all
 * others.)
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

interface ShortForm {
  /** Undefined if it is none. */
  readonly toFields: (value: Json) => JsonObject | undefined;
  readonly fromFields: (fields: JsonObject) => Json;
  /** How it is called in an error. */
  readonly form: string;
}

const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-]\d\d:\d\d))$/;
const SPAN = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;
/** The first and the last second a moment can have: of the years 1 and 9999. */
const SECONDS = { min: -62_135_596_800, max: 253_402_300_799 } as const;
const NANOS = 9;

const timestamp: ShortForm = {
  form: 'a moment as 2026-01-02T03:04:05Z',
  toFields: (value) => {
    if (typeof value !== 'string') return isJsonObject(value) ? value : undefined;
    const [, day, time, fraction = '', zulu, offset = 'Z'] = MOMENT.exec(value) ?? [];
    const ms = Date.parse(`${day}T${time}${zulu === undefined ? offset : 'Z'}`);
    const seconds = ms / 1_000;
    if (!(seconds >= SECONDS.min && seconds <= SECONDS.max)) return undefined;
    return { seconds, nanos: Number(fraction.padEnd(NANOS, '0')) };
  },
  fromFields: ({ seconds = 0, nanos = 0, ...others }) => {
    const isMoment = Number(seconds) >= SECONDS.min && Number(seconds) <= SECONDS.max;
    if (!isMoment || !isFraction(nanos, 0)) return { seconds, nanos, ...others };
    const text = new Date(Number(seconds) * 1_000).toISOString().slice(0, -'.000Z'.length);
    return `${text}${fractionOf(Number(nanos))}Z`;
  },
};

const duration: ShortForm = {
  form: 'a duration as 1.5s',
  toFields: (value) => {
    if (typeof value !== 'string') return isJsonObject(value) ? value : undefined;
    const found = SPAN.exec(value);
    if (found === null) return undefined;
    const [, sign, seconds, fraction = ''] = found;
    const factor = sign === '-' ? -1 : 1;
    const nanos = Number(fraction.padEnd(NANOS, '0'));
    // No zero that has a sign: JSON would lose it.
    return { seconds: factor * Number(seconds) || 0, nanos: factor * nanos || 0 };
  },
  fromFields: ({ seconds = 0, nanos = 0, ...others }) => {
    if (typeof seconds !== 'number' || !isFraction(nanos, seconds)) {
      return { seconds, nanos, ...others };
    }
    const sign = seconds < 0 || Number(nanos) < 0 ? '-' : '';
    return `${sign}${Math.abs(seconds)}${fractionOf(Math.abs(Number(nanos)))}s`;
  },
};

const fieldMask: ShortForm = {
  form: 'names of fields with commas between them',
  toFields: (value) => {
    if (isJsonObject(value)) return value;
    if (typeof value !== 'string') return undefined;
    const paths = value.split(',').filter((path) => path !== '');
    return { paths: paths.map((path) => path.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)) };
  },
  fromFields: ({ paths }) => {
    const list = Array.isArray(paths) ? paths.map(String) : [];
    const names = list.map((path) =>
      path.replaceAll(/_([a-z])/g, (_, c: string) => c.toUpperCase()),
    );
    return names.join(',');
  },
};

const struct: ShortForm = {
  form: 'an object',
  toFields: (value) => (isJsonObject(value) ? { fields: value } : undefined),
  fromFields: ({ fields = {} }) => fields,
};

const listValue: ShortForm = {
  form: 'a list',
  toFields: (value) => (Array.isArray(value) ? { values: value as readonly Json[] } : undefined),
  fromFields: ({ values = [] }) => values,
};

const anyValue: ShortForm = {
  form: 'any JSON',
  toFields: (value) => {
    if (value === null) return { nullValue: null };
    if (typeof value === 'boolean') return { boolValue: value };
    if (typeof value === 'number') return { numberValue: value };
    if (typeof value === 'string') return { stringValue: value };
    return Array.isArray(value) ? { listValue: value } : { structValue: value };
  },
  fromFields: (fields) => Object.values(fields)[0] ?? null,
};

const wrapper: ShortForm = {
  form: 'what it wraps',
  toFields: (value) => (isJsonObject(value) ? value : { value }),
  fromFields: ({ value = null }) => value,
};

const WRAPPED = [
  'Double',
  'Float',
  'Int64',
  'UInt64',
  'Int32',
  'UInt32',
  'Bool',
  'String',
  'Bytes',
];

const FORMS: ReadonlyMap<string, ShortForm> = new Map(
  [
    ...Object.entries({ Timestamp: timestamp, Duration: duration, FieldMask: fieldMask }),
    ...Object.entries({ Struct: struct, ListValue: listValue, Value: anyValue }),
    ...WRAPPED.map((name) => [`${name}Value`, wrapper] as const),
  ].map(([name, form]) => [`google.protobuf.${name}`, form]),
);

export function shortFormOf(type: string): ShortForm | undefined {
  return FORMS.get(type);
}

export const ANY = 'google.protobuf.Any';
export const NULL_VALUE = 'google.protobuf.NullValue';

/** Of these null is a value, and not the lack of one. */
export function takesNull(type: string): boolean {
  return type === NULL_VALUE || type === 'google.protobuf.Value';
}

/** Less than a second, and on the same side of zero as the seconds. */
function isFraction(nanos: Json, seconds: number): boolean {
  if (typeof nanos !== 'number' || Math.abs(nanos) > 999_999_999) return false;
  return seconds === 0 ? true : nanos === 0 || nanos < 0 === seconds < 0;
}

/** None, or three, six or nine digits. */
function fractionOf(nanos: number): string {
  const digits = String(nanos).padStart(NANOS, '0');
  return nanos === 0 ? '' : `.${digits.replace(/(000){1,2}$/, '')}`;
}
