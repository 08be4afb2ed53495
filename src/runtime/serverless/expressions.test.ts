/** Expressions: which texts are some, what they yield, what goes wrong: EX-01 to EX-13, EX-27. */
import { describe, expect, test } from 'vitest';
import { readWorkflow } from '../../frontends/serverless/reading/reading.ts';
import { definitionOf, error, oneLine, output, workflow } from '../../testing/workflows.ts';

const EXPRESSION = 'https://serverlessworkflow.io/spec/1.0.0/errors/expression';

/** What a task sets to this expression, on this input. */
function valueOf(expression: string, input: unknown = {}, more = ''): Promise<unknown> {
  const text = JSON.stringify(`\${ ${expression} }`);
  return output(`${more}\ndo: [{ only: { set: { value: ${text} }, output: { as: .value } } }]`, {
    ...{ input },
  } as never);
}

describe('an expression', () => {
  test.each([
    ['"a\\(.input.n)b"', 'a2b'],
    ['reduce range(5) as $i (0; . + $i)', 10],
    ['try error("x") catch .', 'x'],
    ['"ab12" | test("[0-9]+")', true],
    ['"ab12" | capture("(?<letters>[a-z]+)")', { letters: 'ab' }],
    ['"2026-03-01T00:00:00Z" | fromdate', 1_772_323_200],
    ['1772323200 | todate', '2026-03-01T00:00:00Z'],
    ['[{ a: { b: 1 } } | paths(type == "number")]', [['a', 'b']]],
    ['{ a: { b: 1 } } | getpath(["a", "b"])', 1],
    ['{ a: 1, b: 2 } | del(.a) | to_entries', [{ key: 'b', value: 2 }]],
    ['[3, 1, 2] | sort | group_by(. > 1) | map(add)', [1, 5]],
    ['def double: . * 2; [1, 2] | map(double)', [2, 4]],
    [
      oneLine`
        label $out | foreach (1, 2, 3) as $n (0; . + $n; if . > 2 then .,
        break $out else empty end)`,
      3,
    ],
    ['"a,b" | split(",") | @json', '["a","b"]'],
    ['[limit(3; repeat(1))]', [1, 1, 1]],
    ['{ a: [1, 2] } | .a |= map(. + 1) | .a[1:]', [3]],
  ])('is jq by default: %s [EX-01]', async (expression, value) => {
    expect(await valueOf(expression, { n: 2 })).toEqual(value);
  });

  test('is a text that is ${ … } from beginning to end, and no other [EX-02]', async () => {
    const body = `
      do:
        - only:
            set:
              wrapped: '\${ .a }'
              spaced: "  \${.a}\\n"
              bare: .a
              braces: '{ .a }'
              empty: '\${}'
              open: '\${ .a'
    `;
    expect(await output(body, { a: 1 })).toEqual({
      ...{ wrapped: 1, spaced: 1, bare: '.a', braces: '{ .a }', empty: '${}', open: '${ .a' },
    });
  });

  test('may have several lines [EX-04]', async () => {
    const body = `
      do:
        - only:
            set: |
              \${
                # Comments, too.
                { sum: (.list
                    | add) }
              }
    `;
    expect(await output(body, { list: [1, 2] })).toEqual({ sum: 3 });
  });

  test.each(['Hello ${ .x }', '${ .x } there', '${ .x } ${ .y }', '${ .x } and { .y }'])(
    'with text around it is just text, and a warning says so: %s [EX-05]',
    async (text) => {
      const body = `do: [{ only: { set: { text: ${JSON.stringify(text)} } } }]`;
      expect(await output(body, { x: 1, y: 2 })).toEqual({ text });
      const { warnings } = readWorkflow(definitionOf(body));
      expect(warnings).toMatchObject([{ code: 'serverless.text-around-expression' }]);
    },
  );

  test('stands for itself wherever it is nested [EX-06]', async () => {
    const body = `
      do:
        - only:
            set: { deep: { list: ['\${ .a }', { b: '\${ .b }' }, plain, 1, null] } }
    `;
    expect(await output(body, { a: 1, b: [2] })).toEqual({
      deep: { list: [1, { b: [2] }, 'plain', 1, null] },
    });
  });

  test.each([[1], [1.5], [true], [null], [{ a: 1 }], [[1, 'two']], ['text']])(
    'keeps the type of what it yields: %j [EX-07]',
    async (value) => {
      expect(await valueOf('.input', value)).toEqual(value);
    },
  );

  test('that yields several values is a list, and of none null [EX-12]', async () => {
    expect(await valueOf('1, 2')).toEqual([1, 2]);
    expect(await valueOf('empty')).toBeNull();
    expect(await valueOf('[] | .[]')).toBeNull();
  });
});

describe('where the language expects an expression', () => {
  const POSITIONS = (of: (text: string) => string): string => `
      use:
        extensions:
          - log: { extend: wait, when: ${of('.a == 1')}, before: [{ seen: { set: { x: 1 },
              export: { as: '$context + { extended: true }' } } }] }
      input: { from: ${of('.start')} }
      output: { as: ${of('. + { context: $context }')} }
      do:
        - skipped: { if: ${of('.a == 2')}, set: { wrong: true } }
        - waited: { wait: PT1S }
        - shaped:
            input: { from: ${of('.a')} }
            set: { got: '\${ . }' }
            output: { as: ${of('. + { shaped: true }')} }
            export: { as: ${of('$context + { exported: .got }')} }
        - chosen: { switch: [{ yes: { when: ${of('.shaped')}, then: looped } },
            { no: { then: exit } }] }
        - never: { raise: { error: { type: 'about:blank', status: 500 } } }
        - looped:
            for: { in: ${of('[1, 2, 3]')} }
            while: ${of('$item < 3')}
            do: [{ add: { set: { sum: '\${ (.sum // 0) + $item }' } } }]
        - tried:
            try: [{ fails: { raise: { error: { type: 'about:blank', status: 418 } } } }]
            catch:
              when: ${of('.status == 418')}
              exceptWhen: ${of('.status == 500')}
              retry: { when: ${of('false')}, exceptWhen: ${of('true')} }
              do: [{ caught: { set: { sum: '\${ .sum }' } } }]
        - listened:
            listen:
              to:
                any: [{ with: { type: x }, correlate: { key: { from: ${of('.data.k')} } } }]
                until: ${of('true')}
            if: ${of('false')}
  `;

  test.each([
    ['bare', (text: string) => JSON.stringify(text)],
    ['in its braces', (text: string) => JSON.stringify(`\${ ${text} }`)],
  ])('it may be written %s [EX-03]', async (_, of) => {
    expect(await output(POSITIONS(of), { start: { a: 1 } })).toEqual({
      sum: 3,
      context: { a: 1, extended: true, exported: 1 },
    });
  });
});

describe('evaluated loosely', () => {
  const LOOSE = (value: string): string => `
      evaluate: { mode: loose }
      do: [{ only: { set: { value: ${value} }, output: { as: .value } } }]
  `;

  test.each([
    ['.a', 1],
    ['.a + 1', 2],
    ['123', 123],
    ['hello world', 'hello world'],
    ['.a | error', '.a | error'],
    ['', ''],
  ])('any text is tried, and is itself if that fails: %j [EX-08]', async (text, value) => {
    expect(await output(LOOSE(JSON.stringify(text)), { a: 1 })).toEqual(value);
  });

  test('what is in its braces is an expression as ever [EX-09]', async () => {
    expect(await output(LOOSE("'${ .a }'"), { a: 1 })).toBe(1);
    const failed = await error(LOOSE("'${ .a | error }'"), { a: 'no' });
    expect(failed).toMatchObject({ type: EXPRESSION, status: 400 });
  });
});

describe('an expression that cannot be evaluated', () => {
  test('is an error of the task it stands in, and can be caught [EX-10]', async () => {
    const task = "fails: { set: { x: '${ .a + 1 }' } }";
    const failed = await error(`do: [{ ${task} }]`, { a: {} });
    expect(failed).toMatchObject({ type: EXPRESSION, status: 400, instance: '/do/0/fails' });
    expect(failed['detail']).toContain('.a + 1');
    const body = `
      do:
        - tried:
            try: [{ ${task} }]
            catch: { errors: { with: { type: ${EXPRESSION} } },
                do: [{ ok: { set: { ok: true } } }] }
    `;
    expect(await output(body, { a: {} })).toEqual({ ok: true });
  });

  test('is refused when the definition is read, if that can be seen then [DOC-19]', () => {
    const body = "do: [{ only: { set: { x: '${ .a + }' } } }]";
    expect(() => workflow(body)).toThrow(/serverless\.bad-expression/);
    expect(() => workflow(body)).toThrow(/line \d+, column \d+/);
  });

  test('and is in a language that is not known is refused with the definition [EX-11]', () => {
    const body = "evaluate: { language: javascript }\ndo: [{ only: { set: { x: '${ 1 }' } } }]";
    expect(() => workflow(body)).toThrow(/serverless\.unknown-language/);
  });

  test.each([
    ['never ends', '[0 | recurse(. + 1)]'],
    ['calls itself for ever', 'def f: f; f'],
    ['makes too much', '[range(1e9)] | length'],
    ['makes a text that is too long', '"x" * 1000000000'],
    ['has a pattern that asks too much', '("a" * 100000) | test("(a*)*(a*)*b")'],
  ])('because it %s is stopped [EX-27]', async (_, expression) => {
    const body = `do: [{ only: { set: { x: ${JSON.stringify(`\${ ${expression} }`)} } } }]`;
    const failed = await error(body);
    expect(failed).toMatchObject({ type: EXPRESSION, status: 400, instance: '/do/0/only' });
  });
});

describe('a condition', () => {
  test.each([
    ['true', true],
    ['false', false],
    ['null', false],
    ['0', true],
    ['""', true],
    ['[]', true],
    ['{}', true],
    ['empty', false],
  ])('of %s is %s [EX-13]', async (condition, holds) => {
    const body = `do: [{ only: { if: ${JSON.stringify(condition)}, set: { ran: true } } }]`;
    expect(await output(body, { ran: false })).toEqual({ ran: holds });
  });
});
