import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('without arguments it plays twenty thousand definitions in memory', () => {
  const value = { from: 1, count: 20_000, seed: null, store: 'memory', operations: false };
  expect(readOptions([])).toEqual({ ok: true, value });
});

test('a seed is played alone', () => {
  expect(readOptions(['--seed', '7'])).toMatchObject({ ok: true, value: { seed: 7 } });
  expect(readOptions(['--seed', '7', '--count', '2'])).toMatchObject({ ok: false });
});

test('an operator takes part if that is wanted', () => {
  const read = readOptions(['--operations', '--seed', '7']);
  expect(read).toMatchObject({ ok: true, value: { seed: 7, operations: true } });
});

test.each([
  [['--count', 'many'], '--count is a whole number, 0 or more; came "many"'],
  [['--count', '-1'], 'the simulator takes'],
  [['--store', 'paper'], '--store is memory or sqlite; came "paper"'],
  [['--speed', '3'], 'the simulator takes'],
  [['--seed'], 'the simulator takes'],
  [['everything'], 'the simulator takes'],
])('%j is refused in one sentence', (args, sentence) => {
  const read = readOptions(args);
  expect(read.ok ? '' : read.problem).toContain(sentence);
});
