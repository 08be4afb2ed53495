import { describe, expect, test } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { meterOf } from '../../../testing/jq-purse.ts';
import { Exceeded, Raised } from '../faults.ts';
import { FORMATS, format } from './formats.ts';

function complaintOf(name: string, value: Json): Json {
  try {
    return `no complaint: ${format(name, value, meterOf())}`;
  } catch (thrown) {
    if (thrown instanceof Raised) return thrown.value;
    throw thrown;
  }
}

describe('a format answers as it does in jq', () => {
  const mixed = [1, 'a', null, true, false, 'x,y"z"', 1.5, 't\tn\nr\rb\\s'];
  const table: readonly (readonly [string, Json, string])[] = [
    ['text', 'a"b', 'a"b'],
    ['text', [1, 'a'], '[1,"a"]'],
    ['json', 'a"b', '"a\\"b"'],
    ['csv', mixed, '1,"a",,true,false,"x,y""z""",1.5,"t\tn\nr\rb\\s"'],
    ['csv', [Number.NaN, Infinity, -0, 1e17], ',1.7976931348623157e+308,-0,1e+17'],
    ['csv', ['a\0b"\0'], '"a\\0b""\\0"'],
    ['csv', [], ''],
    ['csv', [null, null], ','],
    ['tsv', mixed, '1\ta\t\ttrue\tfalse\tx,y"z"\t1.5\tt\\tn\\nr\\rb\\\\s'],
    ['tsv', ['a\0b"\b\f'], 'a\\0b"\b\f'],
    ['html', 'it\'s "q" <&>', 'it&apos;s &quot;q&quot; &lt;&amp;&gt;'],
    ['html', 'a\0b&amp;', 'a\\0b&amp;amp;'],
    ['html', { a: ['<'] }, '{&quot;a&quot;:[&quot;&lt;&quot;]}'],
    ['uri', ",-./09:;<=>?@AZ[\\]^_`az{|}~\u007f!*'()", URI],
    ['uri', 'a μ ∰ 😎\0', 'a%20%CE%BC%20%E2%88%B0%20%F0%9F%98%8E%00'],
    ['uri', '\ud83d', '%EF%BF%BD'],
    ['uri', [1, 'a'], '%5B1%2C%22a%22%5D'],
    ['urid', 'a%20%ce%bc%F0%9F%98%8E%00+\0ä', 'a μ😎\0+\0ä'],
    ['urid', 'hello', 'hello'],
    ['urid', 1.5, '1.5'],
    ['sh', "it's\0", "'it'\\''s\\0'"],
    ['sh', [1, 'a b', null, true, "'"], "1 'a b' null true ''\\'''"],
    ['sh', 1.5, '1.5'],
    ['sh', [], ''],
    ['sh', [Number.NaN], 'null'],
    ['base64', '', ''],
    ['base64', 'foóbar\n', 'Zm/Ds2Jhcgo='],
    ['base64', 'é😀\u007f~!', 'w6nwn5iAf34h'],
    ['base64', '☆\0', '4piGAA=='],
    ['base64', '\ude00', '77+9'],
    ['base64', null, 'bnVsbA=='],
    ['base64d', 'Zm/Ds2Jhcgo=', 'foóbar\n'],
    ['base64d', 'cWl4YmF6Cg', 'qixbaz\n'],
    ['base64d', '8J+YgA==', '😀'],
    ['base64d', '', ''],
    ['base64d', '=', ''],
    ['base64d', '=ab', ''],
    ['base64d', 'YQ==YQ==', 'a'],
    ['base64d', 'YQ==!!', 'a'],
    ['base64d', 'YR', 'a'],
    ['base64d', null, '\ufffd\ufffd'],
    ['base32', 'foobar', 'MZXW6YTBOI======'],
    ['base32', 'é', 'YOUQ===='],
    ['base32', '', ''],
    ['base32', 1, 'GE======'],
    ['base32d', 'MZXW6YTBOI======', 'foobar'],
    ['base32d', 'MZXW6YTB', 'fooba'],
    ['base32d', 'MZXW6', 'foo'],
  ];
  test.each(table)('@%s of %j', (name, value, text) => {
    expect(format(name, value, meterOf())).toBe(text);
  });
});

const URI = '%2C-.%2F09%3A%3B%3C%3D%3E%3F%40AZ%5B%5C%5D%5E_%60az%7B%7C%7D~%7F%21%2A%27%28%29';

describe('bytes that are no UTF-8 become U+FFFD', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['a byte that begins nothing', '/w==', '\ufffd'],
    ['one that only continues', 'gIA=', '\ufffd\ufffd'],
    ['two that begin what is shorter', 'wIA=', '\ufffd\ufffd'],
    ['three that are one', '4ICA', '\ufffd'],
    ['half a surrogate pair', '7aCA', '\ufffd'],
    ['more than there are', '9JCAgA==', '\ufffd'],
    ['a character that breaks off', '8J+YKA==', '\ufffd('],
    ['one in front of another', '8J+Yw6k=', '\ufffdé'],
    ['one that the end cuts off', '8J+Y', '\ufffd'],
    ['and whatever stands behind it there', '4kE=', '\ufffd'],
  ];
  test.each(table)('%s', (_what, code, text) => {
    expect(format('base64d', code, meterOf())).toBe(text);
  });
});

describe('a format complains as it does in jq', () => {
  const table: readonly (readonly [string, Json, string])[] = [
    ['foo', 1, 'foo is not a valid format'],
    ['', 1, ' is not a valid format'],
    ['csv', 'a', 'string ("a") cannot be csv-formatted, only array'],
    ['csv', null, 'null (null) cannot be csv-formatted, only array'],
    ['tsv', { a: 1 }, 'object ({"a":1}) cannot be tsv-formatted, only array'],
    ['csv', [[1]], 'array ([1]) is not valid in a csv row'],
    ['tsv', [1, {}], 'object ({}) is not valid in a csv row'],
    ['sh', { a: 1 }, 'object ({"a":1}) can not be escaped for shell'],
    ['sh', [[1]], 'array ([1]) can not be escaped for shell'],
    ['urid', '%C3%28', 'string ("%C3%28") is not a valid uri encoding'],
    ['urid', 'abc%f', 'string ("abc%f") is not a valid uri encoding'],
    ['urid', '%C0%80', 'string ("%C0%80") is not a valid uri encoding'],
    ['urid', '%ED%A0%80', 'string ("%ED%A0%80") is not a valid uri encoding'],
    ['urid', '%F0%93%81', 'string ("%F0%93%81") is not a valid uri encoding'],
    ['base64d', 'YW Jj', 'string ("YW Jj") is not valid base64 data'],
    ['base64d', '_-8=', 'string ("_-8=") is not valid base64 data'],
    ['base64d', 'é', 'string ("é") is not valid base64 data'],
    ['base64d', [1], 'string ("[1]") is not valid base64 data'],
    ['base64d', 'QUJDa', 'string ("QUJDa") trailing base64 byte found'],
    ['base64d', 'Y=Q=', 'string ("Y=Q=") trailing base64 byte found'],
    ['base64d', 1, 'string ("1") trailing base64 byte found'],
    ['base32d', 'MZXW1', 'string ("MZXW1") is not valid base32 data'],
    ['base32d', 'MZX', 'string ("MZX") trailing base32 byte found'],
  ];
  test.each(table)('@%s of %j', (name, value, complaint) => {
    expect(complaintOf(name, value)).toBe(complaint);
  });
});

test('what is encoded is decoded again, whatever its length', () => {
  for (let length = 0; length < 40; length += 1) {
    const text = 'x☆é😀\0'
      .repeat(8)
      .slice(0, length)
      .replace(/[\ud800-\udbff]$/, '');
    for (const name of ['base64', 'base32', 'uri']) {
      expect(format(`${name}d`, format(name, text, meterOf()), meterOf())).toBe(text);
    }
  }
  const long = 'x☆é😀'.repeat(20_000);
  expect(format('base64d', format('base64', long, meterOf()), meterOf())).toBe(long);
});

test('a long text is escaped like a short one', () => {
  const text = "a'b&".repeat(30_000);
  expect(format('sh', text, meterOf())).toBe(`'${"a'\\''b&".repeat(30_000)}'`);
});

test('every format is in the list and pays for what it writes', () => {
  for (const name of FORMATS) {
    const value = name === 'csv' || name === 'tsv' ? ['A'.repeat(80_000)] : 'A'.repeat(80_000);
    // As it is, a text costs nothing.
    if (name === 'text' || name === 'html') continue;
    expect(() => format(name, value, meterOf({ stringBytes: 40_000 })), name).toThrow(Exceeded);
  }
  expect(FORMATS.size).toBe(12);
  expect(() => format('html', '&'.repeat(80_000), meterOf({ steps: 9_000 }))).toThrow(Exceeded);
});
