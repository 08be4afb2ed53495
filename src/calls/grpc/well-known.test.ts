import { beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { openProtoLab, type ProtoLab } from '../../testing/proto-lab.ts';

let lab: ProtoLab;

beforeAll(async () => {
  lab = await openProtoLab();
});

test.each([
  ['2026-01-02T03:04:05Z', '1767323045', undefined],
  ['2026-01-02T03:04:05.100Z', '1767323045', 100_000_000],
  ['1969-12-31T23:59:59.000000001Z', '-1', 1],
  ['0001-01-01T00:00:00Z', '-62135596800', undefined],
  ['9999-12-31T23:59:59.999999999Z', '253402300799', 999_999_999],
])('the moment %s is so many seconds since 1970', (at, seconds, nanos) => {
  const fields = { seconds, ...(nanos === undefined ? {} : { nanos }) };
  expect(lab.sent({ at })).toEqual({ at: { nanos: 0, ...fields } });
  expect(lab.had({ at: fields })['at']).toBe(at);
});

test('a moment may be told in another zone, and as its fields', () => {
  expect(lab.echoed({ at: '2026-01-02T03:04:05+02:00' })['at']).toBe('2026-01-02T01:04:05Z');
  expect(lab.echoed({ at: { seconds: 1 } })['at']).toBe('1970-01-01T00:00:01Z');
});

test('a moment that no calendar has is told as it is', () => {
  const at = { seconds: '253402300800', nanos: 0 };
  expect(lab.had({ at })['at']).toEqual({ seconds: 253_402_300_800, nanos: 0 });
});

test.each([
  ['1.500s', { seconds: 1, nanos: 500_000_000 }],
  ['-0.000001s', { seconds: 0, nanos: -1_000 }],
  ['-3s', { seconds: -3, nanos: 0 }],
  ['0s', { seconds: 0, nanos: 0 }],
])('the duration %s is its seconds and what is left', (lasts, fields) => {
  expect(lab.sent({ lasts })).toEqual({ lasts: { ...fields, seconds: `${fields.seconds}` } });
  expect(lab.had({ lasts: fields })['lasts']).toBe(lasts);
});

test('a duration that contradicts itself is told as it is', () => {
  const lasts = { seconds: 1, nanos: -1 };
  expect(lab.had({ lasts })['lasts']).toEqual(lasts);
});

describe('JSON within a message', () => {
  const value = { a: [1, 'x', true, null, { b: {} }], c: null, d: -0.5 };

  test('is any value, an object or a list', () => {
    const all = { struct: value, value, list: [value, null], values: [null, 1, 'x'] };
    expect(lab.echoed(all)).toMatchObject(all);
    expect(lab.sent({ value: { a: [null, 1] } })).toEqual({
      value: {
        structValue: {
          fields: {
            a: { listValue: { values: [{ nullValue: 'NULL_VALUE' }, { numberValue: 1 }] } },
          },
        },
      },
    });
  });

  test.each<Json>([null, false, 0, '', [[]], [{}]])('may be %j, which is not nothing', (json) => {
    expect(lab.echoed({ value: json })['value']).toEqual(json);
  });

  test('of which nothing was said is null', () => {
    expect(lab.had({ value: {} })['value']).toBe(null);
    expect(lab.echoed({})).not.toHaveProperty('value');
  });
});

test('a wrapper is what it wraps, and absent if there is none', () => {
  const value = { wrapped: '9007199254740993', wrappedText: '' };
  expect(lab.sent(value)).toEqual({
    ...{ wrapped: { value: '9007199254740993' }, wrappedText: { value: '' } },
  });
  expect(lab.echoed(value)).toMatchObject(value);
  expect(lab.echoed({ wrapped: { value: 5 } })['wrapped']).toBe(5);
  expect(lab.echoed({})).not.toHaveProperty('wrapped');
});

test('a mask is the names of its fields', () => {
  expect(lab.sent({ mask: 'userName,a.bC' })).toEqual({ mask: { paths: ['user_name', 'a.b_c'] } });
  expect(lab.echoed({ mask: 'userName,a.bC' })['mask']).toBe('userName,a.bC');
  expect(lab.echoed({ mask: '' })['mask']).toBe('');
});

describe('a message of any type', () => {
  const prefix = 'type.googleapis.com/';

  test.each([
    [{ '@type': `${prefix}all.v1.Everything.Part`, name: 'x' }],
    [{ '@type': `${prefix}google.protobuf.Duration`, value: '3s' }],
    [{ '@type': `${prefix}google.protobuf.Struct`, value: { a: [1] } }],
    [
      {
        '@type': `${prefix}google.protobuf.Any`,
        value: { '@type': `${prefix}google.protobuf.StringValue`, value: 'x' },
      },
    ],
  ])('%j says which', (any: JsonObject) => {
    expect(lab.echoed({ any })['any']).toEqual(any);
  });

  test('that nobody here knows is its bytes', () => {
    const any = { type_url: 'x/unknown.Type', value: 'AQI=' };
    expect(lab.had({ any })['any']).toEqual({ '@type': 'x/unknown.Type', value: 'AQI=' });
    expect(() => lab.sent({ any: { '@type': 'x/unknown.Type' } })).toThrow(
      '/arguments/any is an object whose "@type" is a message; came an object that is none',
    );
  });

  test('may be none', () => {
    expect(lab.echoed({ any: {} })['any']).toEqual({});
  });
});
