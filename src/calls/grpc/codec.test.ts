import { beforeAll, describe, expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { openProtoLab, type ProtoLab } from '../../testing/proto-lab.ts';
import { VALUES_MAX } from './decode.ts';
import { MESSAGE_DEPTH_MAX } from './encode.ts';

let lab: ProtoLab;

beforeAll(async () => {
  lab = await openProtoLab();
});

function refused(value: Json): string | undefined {
  try {
    lab.sent(value);
  } catch (thrown) {
    const isIll = thrown instanceof WorkflowError && thrown.kind === 'validation';
    assert(isIll, 'what does not fit is a validation error');
    return thrown.detail;
  }
  return undefined;
}

describe('fields', () => {
  const SCALARS = {
    ...{ aDouble: 1.5, aFloat: 0.5, anInt32: -7, anInt64: 9_007_199_254_740_991 },
    ...{ aUint32: 4_294_967_295, aUint64: '18446744073709551615', aSint32: -2_147_483_648 },
    ...{ aSint64: '-9223372036854775808', aFixed32: 1, aFixed64: '9007199254740993' },
    ...{ aSfixed32: -1, aSfixed64: -2, aBool: true, aString: 'grüß 😀', someBytes: 'AP8Q' },
    ...{ color: 'COLOR_BLUE', size: 'LARGE', Other: 'x', maybe: 0 },
  };

  test('of every plain type are read by others as they were meant', () => {
    const texts = { anInt64: '9007199254740991', aSfixed64: '-2' };
    const { Other: renamed, ...rest } = SCALARS;
    expect(lab.sent(SCALARS)).toEqual({ ...rest, ...texts, renamed });
  });

  test('of every plain type are read as they were meant by others', () => {
    const { Other: renamed, ...rest } = SCALARS;
    expect(lab.had({ ...rest, renamed })).toMatchObject(SCALARS);
  });

  test('made of others, lists, maps and choices go both ways', () => {
    const part = { name: 'a', inner: { name: 'b' } };
    const value = {
      ...{ part, numbers: [1, -2, 3], texts: ['a', ''], parts: [part, { name: '' }] },
      ...{ colors: ['COLOR_RED', 'COLOR_NONE'], byNumber: { '-1': part }, digit: 0 },
      ...{ byTruth: { true: 'COLOR_RED' }, counts: { a: 1, __proto__x: 2 } },
    };
    expect(lab.sent({ ...value, loose: [1, 2] })).toEqual({
      ...{ ...value, counts: { a: '1', __proto__x: '2' }, loose: ['1', '2'] },
    });
    expect(lab.had(value)).toMatchObject(value);
    expect(lab.echoed({ byLong: { '18446744073709551615': 'x' } })).toMatchObject({
      byLong: { '18446744073709551615': 'x' },
    });
  });

  test('that always have a value are there where the wire leaves them out', () => {
    expect(lab.echoed({})).toEqual({
      ...{ aDouble: 0, aFloat: 0, anInt32: 0, anInt64: 0, aUint32: 0, aUint64: 0, aSint32: 0 },
      ...{ aSint64: 0, aFixed32: 0, aFixed64: 0, aSfixed32: 0, aSfixed64: 0, aBool: false },
      ...{ aString: '', someBytes: '', color: 'COLOR_NONE', size: 'SMALL', Other: '' },
      ...{ numbers: [], loose: [], texts: [], parts: [], colors: [], values: [] },
      ...{ counts: {}, byNumber: {}, byTruth: {}, byLong: {}, nothing: null },
    });
  });

  test('that are null are not there', () => {
    expect(lab.sent({ aString: null, part: null, numbers: null, maybe: null })).toEqual({});
  });

  test('are given by the name in the file, too', () => {
    expect(lab.sent({ a_string: 'x', by_number: { 1: {} } })).toEqual({
      ...{ aString: 'x', byNumber: { 1: {} } },
    });
  });

  test('of a name that objects have of their own are nothing special', () => {
    const counts = JSON.parse('{ "__proto__": 1 }') as JsonObject;
    const back = lab.echoed({ counts })['counts'] as JsonObject;
    expect(Object.keys(back)).toEqual(['__proto__']);
    expect(refused(JSON.parse('{ "__proto__": {} }') as Json)).toMatch('has no field "__proto__"');
  });

  test('whose number nobody knows here are passed over, and so are those of another shape', () => {
    const writer = lab.codec.protobuf.Writer.create();
    writer.uint32((999 << 3) | 2).string('unknown');
    writer.uint32((3 << 3) | 2).string('no number');
    writer.uint32((18 << 3) | 0).int32(5);
    writer.uint32((24 << 3) | 0).int32(5);
    writer.uint32((14 << 3) | 2).string('known');
    const read = lab.decode(writer.finish());
    expect(read).toMatchObject({ aString: 'known', anInt32: 0, counts: {} });
    expect(read).not.toHaveProperty('part');
  });

  test('that come in pieces are put together, and of a choice the last one counts', () => {
    const first = lab.encode({ part: { name: 'a' }, word: 'x' });
    const second = lab.encode({ part: { inner: {} }, digit: 3 });
    const read = lab.decode(Buffer.concat([first, second]));
    expect(read).toMatchObject({ part: { name: 'a', inner: { name: '' } }, digit: 3 });
    expect(read).not.toHaveProperty('word');
  });
});

describe('numbers', () => {
  test('of a float have as few digits as it takes', () => {
    expect(lab.had({ aFloat: 0.1 })['aFloat']).toBe(0.1);
    expect(lab.had({ aFloat: 16_777_216 })['aFloat']).toBe(16_777_216);
    expect(lab.had({ aFloat: 3.4028234663852886e38 })['aFloat']).toBe(3.4028235e38);
  });

  test('that cannot be counted have a name', () => {
    const value = { aDouble: 'NaN', aFloat: '-Infinity' };
    expect(lab.sent(value)).toEqual({ aDouble: Number.NaN, aFloat: Number.NEGATIVE_INFINITY });
    expect(lab.echoed(value)).toMatchObject(value);
  });

  test('may be written as texts', () => {
    const value = { anInt32: '-12', aUint64: '5', aDouble: '1e3', numbers: ['7'] };
    expect(lab.sent(value)).toEqual({ anInt32: -12, aUint64: '5', aDouble: 1_000, numbers: [7] });
  });

  test('of an enumeration nobody here has a name for stay numbers', () => {
    expect(lab.echoed({ color: 77 })['color']).toBe(77);
    expect(lab.sent({ color: 'COLOR_AZURE' })).toEqual({ color: 'COLOR_BLUE' });
  });

  test.each([
    [{ anInt32: 2_147_483_648 }, '/arguments/anInt32', 'int32', 'number'],
    [{ anInt32: 1.5 }, '/arguments/anInt32', 'int32', 'number'],
    [{ aUint32: -1 }, '/arguments/aUint32', 'uint32', 'number'],
    [{ aUint64: '18446744073709551616' }, '/arguments/aUint64', 'uint64', 'string'],
    [{ anInt64: '9223372036854775808' }, '/arguments/anInt64', 'int64', 'string'],
    [{ aFloat: 1e39 }, '/arguments/aFloat', 'float', 'number'],
    [{ aDouble: 'ten' }, '/arguments/aDouble', 'double', 'string'],
    [{ aBool: 'true' }, '/arguments/aBool', 'bool', 'string'],
    [{ aString: 5 }, '/arguments/aString', 'string', 'number'],
    [{ someBytes: '%' }, '/arguments/someBytes', 'bytes', 'string'],
    [{ numbers: [1, null] }, '/arguments/numbers/1', 'int32', undefined],
    [{ byNumber: { x: {} } }, '/arguments/byNumber/x', 'int32', 'string'],
  ] satisfies [JsonObject, string, string, string | undefined][])(
    '%j is refused',
    (value, path, type, came) => {
      const kind = path.endsWith('/x') ? 'a key' : 'a value';
      const what = came === undefined ? 'null' : `a ${came} that is none`;
      expect(refused(value)).toBe(`${path} is ${kind} of the type ${type}; came ${what}`);
    },
  );
});

describe('what does not fit', () => {
  const PART = 'an object with the fields of all.v1.Everything.Part';
  const COLOR = 'a name of all.v1.Color';
  const COLORS = 'COLOR_NONE, COLOR_RED, COLOR_BLUE, COLOR_AZURE';

  test.each([
    [
      { aStrng: 'x' },
      '/arguments: all.v1.Everything has no field "aStrng"; did you mean "aString"?',
    ],
    [{ part: [] }, `/arguments/part is ${PART}; came a list that is none`],
    [{ part: { inner: 'x' } }, `/arguments/part/inner is ${PART}; came a string that is none`],
    [{ numbers: 1 }, '/arguments/numbers is a list; came a number that is none'],
    [{ counts: [] }, '/arguments/counts is an object; came a list that is none'],
    [
      { color: 'COLOR_RAD' },
      `/arguments/color is ${COLOR} (did you mean "COLOR_RED"?); came a string that is none`,
    ],
    [
      { color: true },
      `/arguments/color is ${COLOR} (there are ${COLORS}); came a boolean that is none`,
    ],
    [{ word: 'x', digit: 1 }, '/arguments has more than one value for "choice", which has one'],
    [{ aString: 'x', a_string: 'y' }, '/arguments has more than one value for "aString"'],
    [
      { at: 'today' },
      '/arguments/at is a moment as 2026-01-02T03:04:05Z; came a string that is none',
    ],
    [{ lasts: '1h' }, '/arguments/lasts is a duration as 1.5s; came a string that is none'],
    [{ any: { a: 1 } }, '/arguments/any is an object with "@type"; came an object that is none'],
  ] satisfies [JsonObject, string][])('%j is refused by its place', (value, detail) => {
    expect(refused(value)).toBe(detail);
  });

  test('messages are nested as deep as may be, and no deeper', () => {
    const nest = (depth: number): JsonObject =>
      Array.from({ length: depth }).reduce<JsonObject>((inner) => ({ inner }), {});
    expect(refused({ part: nest(MESSAGE_DEPTH_MAX - 2) })).toBeUndefined();
    expect(refused({ part: nest(MESSAGE_DEPTH_MAX - 1) })).toMatch(
      `is nested deeper than ${MESSAGE_DEPTH_MAX} messages`,
    );
    const deep = lab.theirs().serialize({ part: nest(MESSAGE_DEPTH_MAX - 2) });
    const deeper = lab.theirs().serialize({ part: nest(MESSAGE_DEPTH_MAX - 1) });
    expect(() => lab.decode(deep)).not.toThrow();
    expect(() => lab.decode(deeper)).toThrow('nested deeper than');
  });

  test('bytes that are no message are refused', () => {
    const bytes = Uint8Array.of((14 << 3) | 2, 200, 1);
    expect(() => lab.decode(bytes)).toThrow('index out of range');
  });

  test('messages have as many values as may be, and no more', () => {
    const { Writer } = lab.codec.protobuf;
    const numbers = (count: number): Uint8Array => {
      const writer = Writer.create()
        .uint32((3 << 3) | 2)
        .fork();
      for (let n = 0; n < count; n += 1) writer.int32(0);
      return writer.ldelim().finish();
    };
    const fields = lab.typeNamed('old.Old').fields.length;
    const most = VALUES_MAX - fields;
    expect(lab.decode(numbers(most), 'old.Old')['numbers']).toHaveLength(most);
    const tooMany = numbers(most + 1);
    expect(() => lab.decode(tooMany, 'old.Old')).toThrow(`it has more than ${VALUES_MAX} values`);
  });
});

describe('other revisions', () => {
  test('have fields that may be absent, groups, and lists that are not packed', () => {
    const value = {
      ...{ name: 'x', numbers: [1, 300], inner: { deep: 4_294_967_295 } },
      item: [{ text: 'a' }, {}],
    };
    expect(lab.sent(value, 'old.Old')).toEqual(value);
    expect(lab.had(value, 'old.Old')).toEqual(value);
    expect(lab.echoed({ name: 'x' }, 'old.Old')).toEqual({ name: 'x', numbers: [], item: [] });
    const packed = Buffer.from(lab.encode({ numbers: [1, 2] }, 'old.Old')).toString('hex');
    expect(packed).toBe('18011802');
  });

  test('of an edition say for each field whether it may be absent, and how it is written', () => {
    const value = { explicit: 0, group: { implicit: 5, numbers: [] }, numbers: [1] };
    expect(lab.sent(value, 'newer.Newer')).toEqual({
      ...{ explicit: 0, group: { implicit: 5 }, numbers: [1] },
    });
    expect(lab.had(value, 'newer.Newer')).toEqual({ ...value, implicit: 0 });
    expect(lab.echoed({}, 'newer.Newer')).toEqual({ implicit: 0, numbers: [] });
  });
});
