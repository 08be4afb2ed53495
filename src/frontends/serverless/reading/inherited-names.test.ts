/** Names that every object of JavaScript has are names like any other in a definition. */
import { expect, test } from 'vitest';
import { definitionOf } from '../../../testing/workflows.ts';
import { serverless } from '../serverless.ts';

const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];

test.each(NAMES)('a function that is called %s and is not there is told so', (name) => {
  const read = (): unknown => serverless(definitionOf(`do: [{ a: { call: ${name} } }]`));
  expect(read).toThrow(`nothing is called "${name}"; there are http, openapi`);
});

test.each(NAMES)('a property that is called %s and is none is told so', (name) => {
  const text = `do: [{ a: { wait: PT1S, ${name}: 1 } }]`;
  const read = (): unknown => serverless(definitionOf(text));
  expect(read).toThrow(`no property "${name}"`);
  expect(read).not.toThrow('native code');
});
