/** What is an expression and what is just text, by its braces alone. */
import { expect, test } from 'vitest';
import { expressionIn, hasExpressionWithin } from './expression-text.ts';

test.each([
  ['${ .a }', ' .a '],
  ['  ${.a}\n', '.a'],
  ['${\n  { id: .id }\n}', '\n  { id: .id }\n'],
  ['${ { a: { b: 1 } } }', ' { a: { b: 1 } } '],
  ['${ "}" }', ' "}" '],
  ['${ "\\"}" + .a }', ' "\\"}" + .a '],
  ['${ "a \\(.b | {c: "}"}) d" }', ' "a \\(.b | {c: "}"}) d" '],
  ['${ .a # no } here\n}', ' .a # no } here\n'],
  ['${ }', ' '],
  // Whoever compiles these has more to say.
  ['${ .a } }', undefined],
  ['${ { }', ' { '],
  ['${ "a }', ' "a '],
])('%j is an expression if that is all there is', (text, program) => {
  expect(expressionIn(text)).toBe(program);
});

test.each(['', '.a', '$', '${}', '${', '}', 'a ${ .b }', '${ .a } b', '${ .a } and ${ .b }'])(
  '%j is text',
  (text) => {
    expect(expressionIn(text)).toBeUndefined();
  },
);

test('text around an expression can be told from text without one', () => {
  expect(hasExpressionWithin('a ${ .b }')).toBe(true);
  expect(hasExpressionWithin('${ .a } and ${ .b }')).toBe(true);
  expect(hasExpressionWithin('${ .a }')).toBe(false);
  expect(hasExpressionWithin('cost: $5, {id}')).toBe(false);
});
