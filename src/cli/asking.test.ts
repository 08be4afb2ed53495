/** Questions, and what a person at a keyboard may do about them. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ask } from './asking.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** A keyboard on which this is typed, and what is shown meanwhile. */
function asked(typed: string): { readonly answer: Promise<boolean>; readonly shown: PassThrough } {
  const [keys, shown] = [new PassThrough(), new PassThrough()];
  const answer = ask('cancel 2 instances?', keys, shown);
  keys.write(typed);
  return { answer, shown };
}

test.each([
  ['y\r', true],
  ['Yes\r', true],
  ['n\r', false],
  ['\r', false],
  ['yesterday\r', false],
])('%j is %s', async (typed, answer) => {
  expect(await asked(typed).answer).toBe(answer);
});

test('Ctrl-D at a question is no, and what comes next has a line of its own', async () => {
  const { answer, shown } = asked(CTRL_D);
  expect(await answer).toBe(false);
  expect(String(shown.read())).toMatch(/cancel 2 instances\? \[y\/N\] [^\n]*\n$/);
});

test('Ctrl-C at a question stops the command', async () => {
  await expect(asked(CTRL_C).answer).rejects.toMatchObject({
    signal: 'SIGINT',
    message: 'stopped by SIGINT; nothing was done',
  });
});
