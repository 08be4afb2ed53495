import { describe, expect, test } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { meterOf } from '../../../testing/jq-purse.ts';
import type { JqBudget } from '../budget.ts';
import { Exceeded } from '../faults.ts';
import { printJson, printStart } from './json-print.ts';

/** So many arrays, one in the other. */
function nested(levels: number, innermost: Json = []): Json {
  let value = innermost;
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

describe('a value is written as tojson of jq writes it', () => {
  const table: readonly (readonly [Json, string])[] = [
    [null, 'null'],
    [true, 'true'],
    [false, 'false'],
    [1e17, '1e+17'],
    ['', '""'],
    [[], '[]'],
    [{}, '{}'],
    [[[], {}, [null]], '[[],{},[null]]'],
    [{ b: 1, a: { c: [1.5, true] } }, '{"b":1,"a":{"c":[1.5,true]}}'],
    [[Number.NaN, Infinity, -0], '[null,1.7976931348623157e+308,-0]'],
    ['"\\/', '"\\"\\\\/"'],
    ['\b\t\n\f\r', '"\\b\\t\\n\\f\\r"'],
    ['\0\u0001\u000b\u001f', '"\\u0000\\u0001\\u000b\\u001f"'],
    ['~\u007f\u0080', '"~\\u007f\u0080"'],
    ['é☆😀\u2028\ufeff\uffff', '"é☆😀\u2028\ufeff\uffff"'],
    [{ 'a"\n': 1 }, '{"a\\"\\n":1}'],
    ["<&'>", '"<&\'>"'],
  ];
  test.each(table)('%j', (value, text) => {
    expect(printJson(value, meterOf())).toBe(text);
  });

  test('half a surrogate pair is U+FFFD', () => {
    expect(printJson('\ud83d', meterOf())).toBe('"\ufffd"');
    expect(printJson('a\ude00b😀', meterOf())).toBe('"a\ufffdb😀"');
    expect(printJson({ '\ude00': '\ud83d\u007f' }, meterOf())).toBe('{"\ufffd":"\ufffd\\u007f"}');
  });

  test('keys such as __proto__ are written if they are its own, and only then', () => {
    const value = JSON.parse('{"__proto__":1,"constructor":2}') as Json;
    expect(printJson(value, meterOf())).toBe('{"__proto__":1,"constructor":2}');
    expect(printJson(Object.create({ inherited: 1 }) as Json, meterOf())).toBe('{}');
  });

  test('long ones are what short ones are, many times over', () => {
    const list = Array.from({ length: 20_000 }, (_, at) => (at % 2 === 0 ? at : `x${at}`));
    expect(printJson(list, meterOf())).toBe(JSON.stringify(list));
    const text = 'ab"😀'.repeat(40_000);
    expect(printJson([text, `x${text}`], meterOf())).toBe(JSON.stringify([text, `x${text}`]));
  });
});

describe('a value that is nested very deep', () => {
  test('is written whole up to ten thousand and one levels', () => {
    const text = printJson(nested(10_001), meterOf());
    expect(text).toBe('['.repeat(10_001) + ']'.repeat(10_001));
  });

  test('has something else in place of what is deeper, even of a number', () => {
    const text = `${'['.repeat(10_001)}<skipped: too deep>${']'.repeat(10_001)}`;
    expect(printJson(nested(10_002), meterOf())).toBe(text);
    expect(printJson(nested(10_002, 1), meterOf())).toBe(text);
    expect(printJson(nested(100_000), meterOf())).toBe(text);
  });
});

describe('what is written is paid for before it is there', () => {
  function limitOf(value: Json, budget: Partial<JqBudget> = {}): string {
    try {
      return printJson(value, meterOf(budget)).slice(0, 20);
    } catch (thrown) {
      if (thrown instanceof Exceeded) return thrown.limit;
      throw thrown;
    }
  }

  test('a value of shared parts that would unfold without end ends with the steps', () => {
    let value: Json = [];
    for (let level = 0; level < 40; level += 1) value = [value, value];
    expect(limitOf(value)).toBe('steps');
  });

  test('one large text in many places ends with the bytes', () => {
    const text = 'x'.repeat(100_000);
    expect(limitOf(Array.from({ length: 1_000 }, () => text))).toBe('stringBytes');
    expect(limitOf(['\u0001'.repeat(200_000)], { stringBytes: 1_000_000 })).toBe('stringBytes');
  });

  test('elements and keys are steps', () => {
    const list = Array.from({ length: 1_000 }, () => null);
    expect(limitOf(list, { steps: 1_000 })).toBe('steps');
    expect(limitOf(Object.fromEntries(list.entries()), { steps: 2_000 })).toBe('steps');
  });
});

describe('in a message a value is written up to 29 bytes', () => {
  const table: readonly (readonly [Json, string])[] = [
    [null, 'null'],
    ['abc', '"abc"'],
    ['x'.repeat(27), `"${'x'.repeat(27)}"`],
    ['x'.repeat(28), `"${'x'.repeat(24)}..."`],
    ['x'.repeat(1_000_000), `"${'x'.repeat(24)}..."`],
    [['x'.repeat(25)], `["${'x'.repeat(25)}"]`],
    [['x'.repeat(26)], `["${'x'.repeat(23)}...]`],
    [Array.from({ length: 20 }, (_, at) => at), '[0,1,2,3,4,5,6,7,8,9,10,1...]'],
    [['xxxxxxxx', 1, 2, 3, 4, 5, 6, 7, 8, 9], '["xxxxxxxx",1,2,3,4,5,6,7...]'],
    [{ ['a'.repeat(21)]: 'bbb' }, `{"${'a'.repeat(21)}":...}`],
    [{ a: 'x'.repeat(40) }, `{"a":"${'x'.repeat(19)}...}`],
    [1.2345678901234568e29, '12345678901234568000000000...'],
    ['☆☆☆☆☆☆☆☆', '"☆☆☆☆☆☆☆☆"'],
    ['xx☆☆☆☆☆☆☆☆', '"xx☆☆☆☆☆☆☆☆"'],
    ['xxxx☆☆☆☆☆☆☆☆', '"xxxx☆☆☆☆☆☆..."'],
    ['xxxxxx☆☆☆☆☆☆☆☆', '"xxxxxx☆☆☆☆☆☆..."'],
    ['xxxxxxxx☆☆☆☆☆☆☆☆', '"xxxxxxxx☆☆☆☆☆..."'],
    ['😀'.repeat(12), '"😀😀😀😀😀😀..."'],
    [['😀'.repeat(12)], '["😀😀😀😀😀...]'],
    [`xxxxx${'é'.repeat(22)}`, '"xxxxxééééééééé..."'],
    ['\n'.repeat(22), '"\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n..."'],
    ['\u0001'.repeat(22), '"\\u0001\\u0001\\u0001\\u0001..."'],
    [`xxx${'\n'.repeat(22)}`, '"xxx\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\..."'],
    [[{}, [], {}, [], {}, [], {}, [], {}, []], '[{},[],{},[],{},[],{},[],...]'],
  ];
  test.each(table)('%j', (value, text) => {
    expect(printStart(value, 29)).toBe(text);
  });

  test('or up to as many as are asked for', () => {
    expect(printStart('x'.repeat(20), 14)).toBe('"xxxxxxxxx..."');
    expect(printStart([1, 2, 3, 4, 5], 10)).toBe('[1,2,3...]');
  });

  test('whatever its size', () => {
    expect(printStart(nested(100_000), 29)).toBe('[[[[[[[[[[[[[[[[[[[[[[[[[...]');
    let value: Json = 1;
    for (let level = 0; level < 100; level += 1) value = { a: [value, value] };
    expect(printStart(value, 29)).toBe('{"a":[{"a":[{"a":[{"a":[{...}');
    expect(printStart(Array.from({ length: 1_000_000 }), 29)).toBe('[null,null,null,null,null...]');
  });

  test('and the keys of a large object are paid for if there is a meter', () => {
    const value = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, 1]));
    expect(() => printStart([value], 29, meterOf({ steps: 1_000 }))).toThrow(Exceeded);
    expect(printStart([value], 29, meterOf())).toBe('[{"k0":1,"k1":1,"k2":1,"k...]');
  });
});
