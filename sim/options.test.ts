import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('without arguments it plays twenty thousand definitions and as many jq programs', () => {
  const value = {
    from: 1,
    count: 20_000,
    seed: null,
    store: 'memory',
    operations: false,
    jq: 'too',
  };
  expect(readOptions([])).toEqual({ ok: true, value });
});

test('jq programs are played alone if that is wanted', () => {
  const many = readOptions(['--jq', '--count', '5', '--from', '3']);
  expect(many).toMatchObject({ ok: true, value: { jq: 'alone', count: 5, from: 3 } });
  const one = readOptions(['--jq', '--seed', '7']);
  expect(one).toMatchObject({ ok: true, value: { jq: 'alone', seed: 7 } });
});

test.each([[['--seed', '7']], [['--operations']], [['--store', 'sqlite']]])(
  'with %j no jq program is played',
  (args) => {
    expect(readOptions(args)).toMatchObject({ ok: true, value: { jq: 'not' } });
  },
);

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
  [['--jq', '--operations'], '--jq plays no definitions'],
  [['--jq', '--store', 'memory'], '--jq plays no definitions'],
  [['--speed', '3'], 'the simulator takes'],
  [['--seed'], 'the simulator takes'],
  [['everything'], 'the simulator takes'],
])('%j is refused in one sentence', (args, sentence) => {
  const read = readOptions(args);
  expect(read.ok ? '' : read.problem).toContain(sentence);
});
