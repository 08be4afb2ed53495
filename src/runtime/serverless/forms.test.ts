/** What older and newer texts of the language write differently runs alike: DOC-24. */
import { describe, expect, test } from 'vitest';
import { oneLine, output } from '../../testing/workflows.ts';

const scripts = { serverless: { script: true } } as const;

describe('both forms run', () => {
  test.each([
    ['js', "arguments: ['${ .n }', two]", 'return process.argv.slice(2)', ['1', 'two']],
    ['javascript', "arguments: ['${ .n }', two]", 'return process.argv.slice(2)', ['1', 'two']],
    ['js', "arguments: { n: '${ .n }', of: two }", 'return [n, of]', [1, 'two']],
    ['javascript', "arguments: { n: '${ .n }', of: two }", 'return [n, of]', [1, 'two']],
  ])('a script in %s, with %s [DOC-24]', async (language, given, code, expected) => {
    const body = oneLine`
      do: [{ it: { run: { script: { language: ${language}, ${given}, code: '${code}' } } } }]`;
    expect(await output(body, { n: 1 }, scripts)).toEqual(expected);
  });

  test.each(['detail', 'details'])('an error filter by %s [DOC-24]', async (name) => {
    const raise = "{ r: { raise: { error: { type: 'about:blank', status: 500, detail: why } } } }";
    const body = oneLine`
      do: [{ t: { try: [${raise}], catch: { errors: { with: { ${name}: why } },
      do: [{ c: { set: { caught: true } } }] } } }]`;
    expect(await output(body)).toEqual({ caught: true });
  });

  test.each([
    ['without a source', 'type: x', '/test/workflow/1.0.0'],
    ['with one', 'type: x, source: https://example.com/here', 'https://example.com/here'],
  ])('an event %s [DOC-24]', async (_, given, source) => {
    const body = `do: [{ e: { emit: { event: { with: { ${given} } } } } }]`;
    expect(await output(body)).toMatchObject({ type: 'x', source });
  });
});
