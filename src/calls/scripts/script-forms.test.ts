import { expect, test } from 'vitest';
import { formsOf } from './script-forms.ts';

test('a script is the body of a function, or else a module', () => {
  expect(formsOf('return 1 // one')).toEqual({
    body: '(async function () {return 1 // one\n})',
    modules: ['return 1 // one'],
    isModule: false,
  });
});

test('imports at its beginning may be followed by the body of a function', () => {
  const code = `// why\nimport { a,\n b } from 'x'\n/* and */ import "y";\nreturn a`;
  expect(formsOf(code)).toMatchObject({
    isModule: true,
    modules: [
      `// why\nimport { a,\n b } from 'x'\n/* and */ import "y";\n;` +
        `export default await (async function () {return a\n})();`,
      code,
    ],
  });
});

test('an import that is called, or asked for its meta, is none', () => {
  expect(formsOf(`import('x')`).isModule).toBe(false);
  expect(formsOf(`import.meta`).isModule).toBe(false);
  expect(formsOf(`// import x from 'y'\nlet a`).isModule).toBe(false);
  expect(formsOf(`important('x')`).isModule).toBe(false);
});

test('a line for the shell is a comment', () => {
  expect(formsOf('#!/usr/bin/env node\nreturn 1').modules).toEqual([
    '///usr/bin/env node\nreturn 1',
  ]);
});
