/** What a program promises to whoever runs it; what it means is in conformance/. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import { JQ_BUDGET_DEFAULT, type JqLimit } from './budget.ts';
import { compileJq, type JqError, type JqProgram } from './jq.ts';

function compiled(text: string, vars: readonly string[] = []): JqProgram {
  const program = compileJq(text, { vars });
  if (!program.ok) throw new Error(JSON.stringify(program.problem));
  return program.value;
}

function outputsOf(text: string, input: Json = null, vars: Record<string, Json> = {}): Json {
  const result = compiled(text, Object.keys(vars)).run(input, vars);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

function problemOf(text: string, input: Json = null): JqError {
  const result = compiled(text).run(input);
  if (result.ok) throw new Error(`no error: ${JSON.stringify(result.value)}`);
  return result.problem;
}

describe('a run', () => {
  test('answers with all outputs, in order', () => {
    expect(outputsOf('.[] | ., -.', [1, 2])).toEqual([1, -1, 2, -2]);
    expect(outputsOf('empty')).toEqual([]);
    const result = compiled('.').run(1);
    expectTypeOf(result).toEqualTypeOf<Result<readonly Json[], JqError>>();
  });

  test('has the variables it was compiled for, and null for those it is not given', () => {
    expect(outputsOf('$a + $b.c', null, { a: 1, b: { c: 2 } })).toEqual([3]);
    expect(compiled('[$a]', ['a']).run(null)).toEqual({ ok: true, value: [[null]] });
    expect(compiled('[$a]', ['a']).run(null, { b: 1 })).toEqual({ ok: true, value: [[null]] });
  });

  test('does not find variables where objects inherit from', () => {
    const result = compiled('[$constructor, $toString]', ['constructor', 'toString']).run(null, {});
    expect(result).toEqual({ ok: true, value: [[null, null]] });
  });

  test('knows the time only if it is told', () => {
    expect(compiled('now, (now | todate)').run(null, {}, {}, 1_700_000_000_500)).toEqual({
      ok: true,
      value: [1_700_000_000.5, '2023-11-14T22:13:20Z'],
    });
    expect(problemOf('now').message).toContain('not told the time');
  });

  test('that fails tells what was raised, and the outputs before it', () => {
    expect(problemOf('1, error({"code": 7}), 2')).toEqual({
      code: 'jq.error',
      message: '{"code":7}',
      value: { code: 7 },
      outputs: [1],
    });
    expect(problemOf('.a', 1).message).toBe('Cannot index number with string ("a")');
    expect(problemOf('error(null)')).toMatchObject({ message: 'null', value: null });
  });

  test('does the same again, whatever the one before came to', () => {
    const program = compiled(
      'if . == 0 then error("x") elif . == 1 then repeat(1) else [., nan] end',
    );
    const fails = program.run(0);
    const spins = program.run(1);
    expect(program.run(2)).toEqual({ ok: true, value: [[2, null]] });
    expect(program.run(0)).toEqual(fails);
    expect(program.run(1)).toEqual(spins);
  });

  test('alters nothing that it was given', () => {
    const deep = (value: Json): Json => {
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(deep);
      return Object.freeze(value);
    };
    const input = deep({ a: [1, { b: [2] }], c: { d: 3 } });
    const texts = [
      '.a[1].b[0] |= . + 1',
      '.. |= .',
      '(.a, .c) = 1',
      'del(.a[0], .c.d)',
      'reduce range(3) as $i (.; .a += [$i] | .c.d = $i)',
      'reduce range(3) as $i (.a; . + [$i])',
      '[.a, [1], [2]] | add',
      '[.c, {}, {e: 1}] | add',
      'walk(if type == "number" then . + 1 else . end)',
      '.a | sort, reverse, (.[1:] = [1]), .[0:1] + .',
      'to_entries, with_entries(.value |= 1), map_values(1)',
      'limit(3; .a[]) = 5',
    ];
    for (const text of texts) expect(compiled(text).run(input).ok, text).toBe(true);
  });

  test('hands out values that later runs do not alter', () => {
    const program = compiled(
      'reduce range(3) as $i ([]; . + [$i]), {a: 1}, ([[], [1], [2]] | add)',
    );
    const first = program.run(null);
    const copy = structuredClone(first);
    program.run(null);
    expect(first).toEqual(copy);
  });
});

describe('values', () => {
  const KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', ''];

  test.each(KEYS)('a key may be called %j', (key) => {
    const text = JSON.stringify(key);
    expect(outputsOf(`.[${text}]`, {})).toEqual([null]);
    expect(outputsOf(`has(${text})`, {})).toEqual([false]);
    expect(outputsOf(`{${text}: 1} | .[${text}], has(${text}), keys`)).toEqual([1, true, [key]]);
    expect(outputsOf(`.[${text}] = 5 | to_entries`, {})).toEqual([[{ key, value: 5 }]]);
    expect(outputsOf(`{(${text}): {a: 1}} * {(${text}): {b: 2}} | .[${text}]`)).toEqual([
      { a: 1, b: 2 },
    ]);
    expect(outputsOf(`tojson | fromjson | .[${text}]`, JSON.parse(`{${text}: 3}`) as Json)).toEqual(
      [3],
    );
    expect(outputsOf(`del(.[${text}])`, JSON.parse(`{${text}: 3}`) as Json)).toEqual([{}]);
    expect(outputsOf(`. as {(${text}): $x} | $x`, {})).toEqual([null]);
  });

  test('what a program makes has no prototype', () => {
    const texts = [
      '{a: 1}',
      '{(.b): 1}',
      '. + {c: 1}',
      '. * {b: {d: 1}}',
      '.x = 1',
      '.x.y |= 1',
      'del(.b)',
      'to_entries[0]',
      'with_entries(.)',
      'map_values(.)',
      '"{\\"a\\":1}" | fromjson',
      '"ab" | capture("(?<x>a)")',
      '"ab" | match("a")',
      'INDEX(.[]; .)',
      '[{}, .] | add',
      'reduce 1 as $x ({}; .a = $x)',
      '$__loc__',
      'nan as $x | {a: $x}',
      '[1] | path(.[1:])[0]',
    ];
    for (const text of texts) {
      const [made] = outputsOf(text, { b: 'c' }) as readonly object[];
      expect(Object.getPrototypeOf(made), text).toBe(null);
    }
  });

  test('an output is JSON, whatever it was on the way', () => {
    expect(outputsOf('nan, infinite, [-infinite, {a: nan}], (infinite | floor)')).toEqual([
      null,
      Number.MAX_VALUE,
      [-Number.MAX_VALUE, { a: null }],
      Number.MAX_VALUE,
    ]);
    expect(outputsOf('[.[] | . * 10], 1e1000', [1e308])).toEqual([
      [Number.MAX_VALUE],
      Number.MAX_VALUE,
    ]);
  });
});

describe('limits', () => {
  /** A program, and what of it there is just enough for. */
  const EDGES: readonly (readonly [JqLimit, string, number])[] = [
    ['outputs', 'range(5)', 5],
    ['stringBytes', '"a" * 100 | length', 100],
    ['valueDepth', '[[[1]]]', 3],
    ['elements', '[range(10)] | length', 16],
    ['steps', '[range(10)] | length', leastFor('steps', '[range(10)] | length')],
    ['depth', DEEP(), leastFor('depth', DEEP())],
  ];

  function DEEP(): string {
    return 'def f: if . > 0 then 1 + (. - 1 | f) else 0 end; 20 | f';
  }

  /** By search: what a step is may change, but not that there is a least number of them. */
  function leastFor(limit: JqLimit, text: string): number {
    const program = compiled(text);
    let least = 0;
    while (!program.run(null, {}, { [limit]: least }).ok) least += 1;
    return least;
  }

  test.each(EDGES)('%s: %s needs no more than %d', (limit, text, least) => {
    const program = compiled(text);
    expect(program.run(null, {}, { [limit]: least }).ok).toBe(true);
    const result = program.run(null, {}, { [limit]: least - 1 });
    expect(result).toMatchObject({ ok: false, problem: { code: 'jq.limit', limit } });
    expect(result.ok ? '' : result.problem.message).toContain(`(${limit})`);
  });

  test('each has a default', () => {
    const limits = ['depth', 'elements', 'outputs', 'steps', 'stringBytes', 'valueDepth'];
    expect(Object.keys(JQ_BUDGET_DEFAULT).sort()).toEqual(limits);
  });

  test('no try catches one, in any form', () => {
    for (const text of [
      'try repeat(empty) catch 1',
      '(repeat(empty))?',
      'repeat(empty) // 1',
      '. as [$a] ?// $a | repeat(empty)',
      '.[repeat(empty)]?',
      'first(try repeat(empty) catch 1)',
      'label $out | repeat(empty)',
    ]) {
      expect(problemOf(text), text).toMatchObject({ code: 'jq.limit', limit: 'steps' });
    }
  });

  test('an error that was caught gives back the depth it had taken', () => {
    const define = 'def f: if . == 0 then error("x") else 1 + (. - 1 | f) end;';
    expect(outputsOf(`${define} [range(200) | try (50 | f) catch 1] | length`)).toEqual([200]);
  });

  test('a limit that is none is refused, since it would be no limit', () => {
    const program = compiled('1');
    for (const steps of [Number.NaN, -1, '5', null]) {
      expect(() => program.run(null, {}, { steps } as object), String(steps)).toThrow(
        'the limit "steps" of jq is a number, 0 or more',
      );
    }
    expect(() => program.run(null, {}, { step: 1 } as object)).toThrow('did you mean "steps"?');
    expect(program.run(null, {}, { steps: undefined } as object).ok).toBe(true);
    expect(program.run(null, {}, { steps: Infinity }).ok).toBe(true);
    expect(program.run(null, {}, { outputs: 0 })).toMatchObject({
      problem: { limit: 'outputs', message: 'the program took more than its limit of 0 (outputs)' },
    });
  });

  test('what is raised is as plain as an output, or a limit', () => {
    expect(problemOf('error([nan, infinite])').value).toEqual([null, Number.MAX_VALUE]);
    const deep = 'reduce range(5000) as $i (null; [.]) | error';
    expect(problemOf(deep)).toMatchObject({ code: 'jq.limit', limit: 'valueDepth' });
    const shared = 'reduce range(100) as $i (0; [., .]) | error';
    expect(problemOf(shared)).toMatchObject({ code: 'jq.limit', limit: 'steps' });
  });

  test('the outputs that came before a limit are there', () => {
    const result = compiled('range(10)').run(null, {}, { outputs: 3 });
    expect(result.ok ? [] : result.problem.outputs).toEqual([0, 1, 2]);
  });
});

describe('recursion', () => {
  test('a call that is the last thing a function does takes no stack', () => {
    const budget = { steps: 1e9 };
    for (const text of [
      'def f: if . >= 100000 then . else . + 1 | f end; 0 | f',
      'def f($n): if $n >= 100000 then $n else f($n + 1) end; f(0)',
      'def f($n; g): if $n >= 100000 then $n | g else f($n + 1; g) end; f(0; .)',
      'def f: if . >= 100000 then ., . else . + 1 | f end; first(0 | f)',
      'def f: . as $n | if $n >= 100000 then $n else $n + 1 | f end; 0 | f',
    ]) {
      expect(compiled(text).run(null, {}, budget), text).toEqual({ ok: true, value: [100_000] });
    }
  });

  test('arguments within arguments are a limit, too, however deep they are', () => {
    const text = 'def f($n; g): if $n == 0 then g else f($n - 1; g + 1) end; f(5000; 0)';
    expect(problemOf(text)).toMatchObject({ code: 'jq.limit', limit: 'depth' });
    expect(problemOf(text).message).toContain('limit of');
  });

  test('a generator may end with itself', () => {
    const text = 'def f: ., (select(. < 5000) | . + 1 | f); [limit(6000; 1 | f)] | length';
    expect(compiled(text).run(null, {}, { steps: 1e9 })).toEqual({ ok: true, value: [5_000] });
  });

  test('a function may be called with itself', () => {
    const text = 'def g(f): if . > 3 then . else . + 1 | g(f | f) end; 0 | g(. + 1)';
    expect(outputsOf(text)).toEqual([4]);
  });

  test('a closure that is busy may be entered again, with its own variables', () => {
    const text =
      'def r(g): if . < 3 then g | r(g) else . end; [0 | r(. as $y | (1, 2) | . + $y)] | length';
    expect(outputsOf(text)).toEqual([5]);
  });
});

describe('what looks alike comes to the same', () => {
  test('a function of many arguments that calls itself last yields what it ends with', () => {
    const define = 'def f($a; $b; $c; $d): if . >= $a then . else . + 1 | f($a; $b; $c; $d) end;';
    expect(outputsOf(`${define} [0 | f(3, 5; 1; 1; 1)]`)).toEqual([[3, 5]]);
  });

  test('an update of what may be missing takes slices, and fails where they cannot be set', () => {
    const slice = '{"start": 0, "end": 1}';
    expect(outputsOf(`.[${slice}]? |= [9]`, [1, 2, 3])).toEqual([[9, 2, 3]]);
    expect(outputsOf(`.[${slice}]? |= [9]`, null)).toEqual([[9]]);
    expect(outputsOf(`.[${slice}]? |= [9]`, 5)).toEqual([5]);
    expect(problemOf(`.[${slice}]? |= [9]`, 'abc').message).toBe('Cannot update string slices');
    expect(problemOf('.[[1]]? |= 3', [1, 2]).message).toContain('array index of array');
  });

  test('an error that an alternative has swallowed does not keep try from its own', () => {
    const text =
      'try (.[0] as [$a] ?// $a | if ($a | type) == "number" then $a else error("in") end)' +
      ' catch "caught" | if . == 1 then error("behind") else . end';
    expect(outputsOf(text, [[1]])).toEqual(['caught']);
  });

  test('a fold that fails in one alternative begins the next with nothing', () => {
    const more = '(if ($a | type) == "number" then "x" else 1 end)';
    const text = `reduce ([1], [2]) as [$a] ?// $a ([0]; . += [1] | .[0] += ${more})`;
    expect(outputsOf(text)).toEqual([[2]]);
  });
});

describe('folds that build up in place come to what copying would', () => {
  const FOLDS = [
    'reduce range(20) as $i ({}; .["k\\($i % 3)"] += [$i])',
    'reduce range(20) as $i ({a: {}}; .a["k\\($i % 3)"].n += 1 | .last = {v: $i})',
    'reduce range(20) as $i ([]; . + [[$i]] | .[0] += ["x"])',
    '[[0]] as $x | reduce range(5) as $i ($x; .[0] += [$i]), $x',
    '{a: 1} as $x | reduce range(5) as $i ({}; .b = $x | .b.c = $i), $x',
    'reduce range(9) as $i (null; if $i % 2 == 0 then .even += $i else .odd //= [$i] end)',
    '[reduce range(3) as $i ([]; . + [$i]), reduce range(3) as $i ([]; . + [$i])]',
    '[1, 2] as $x | reduce range(3) as $i ([$x, $x]; .[0] += [$i]), $x',
    'reduce ([1], [2], [3]) as $x ([]; . + [$x] | .[0] += [0])',
    'reduce range(4) as $i ({}; . + {("k\\($i)"): {}} | .k0.x = $i)',
  ];

  /** Behind a call, an update is none of the forms that are done in place. */
  const slowly = (text: string): string =>
    text.replaceAll(/(reduce .*? as \$\w+ \([^;]*; )/g, '$1 first(., .) | ');

  test.each(FOLDS)('%s', (text) => {
    expect(slowly(text)).not.toBe(text);
    expect(outputsOf(text)).toEqual(outputsOf(slowly(text)));
  });

  test('a list of ten thousand is built in ten thousand steps, not in their square', () => {
    expect(outputsOf('reduce range(10000) as $i ([]; . + [$i]) | length')).toEqual([10_000]);
    const text = 'reduce range(10000) as $i ({}; .["k\\($i)"] += [$i]) | length';
    expect(outputsOf(text)).toEqual([10_000]);
    expect(outputsOf('[range(10000) | {("k\\(.)"): .}] | add | length')).toEqual([10_000]);
  });
});
