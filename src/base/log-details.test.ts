import { expect, test } from 'vitest';
import { stackApart } from './log-details.ts';

test('a stack stands below its line, and what else is known stays in it', () => {
  const error = 'Error: no answer\n    at ask (bank.ts:7:3)';
  expect(stackApart({ node: 'charge', error })).toEqual({
    details: { node: 'charge' },
    stack: '  Error: no answer\n      at ask (bank.ts:7:3)\n',
  });
});

test.each([{ error: 'one line' }, { error: 7 }, { node: 'charge' }])(
  'what has no stack is left as it is: %j',
  (details) => {
    expect(stackApart(details)).toEqual({ details, stack: '' });
  },
);

test('nothing in a message moves the cursor, colours the rest, or rings', () => {
  const error = 'Error: \u001B[31mred\u001B[0m\u001B]0;title\u0007\u009B2J\rover\n  at x';
  expect(stackApart({ error }).stack).toBe('  Error: red 2J over\n    at x\n');
});
