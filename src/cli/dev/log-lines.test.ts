import { expect, test } from 'vitest';
import { LOG_LINES_MAX, LogLines } from './log-lines.ts';

const nothing = (): void => {};
const QUIET = { debug: nothing, info: nothing, warn: nothing, error: nothing };

test('the last LOG_LINES_MAX lines are kept, and one more takes the place of the first', () => {
  const logs = new LogLines();
  const logger = logs.around(QUIET);
  for (let n = 1; n <= LOG_LINES_MAX; n += 1) logger.info({ instance: 'a' }, `line ${n}`);
  expect(logs.read('a', 0).lines).toHaveLength(LOG_LINES_MAX);
  expect(logs.read('a', 0).lines[0]?.message).toBe('line 1');
  logger.info({ instance: 'a' }, 'one more');
  const { lines, last } = logs.read('a', 0);
  expect(lines).toHaveLength(LOG_LINES_MAX);
  expect(lines[0]?.message).toBe('line 2');
  expect(last).toBe(LOG_LINES_MAX + 1);
});

test('lines are told by instance and from a line on, without secrets and always as JSON', () => {
  const logs = new LogLines();
  const logger = logs.around(QUIET);
  logger.info({ instance: 'a', node: 'pay', token: 3, password: 'hush', much: 1n }, 'first');
  logger.warn({ instance: 'b' }, 'second');
  const [line] = logs.read('a', 0).lines;
  expect(line).toMatchObject({ level: 'info', node: 'pay', token: 3, message: 'first' });
  expect(JSON.stringify(line)).not.toContain('hush');
  expect(line?.fields['much']).toBe('1');
  expect(logs.read(null, 1).lines.map(({ message }) => message)).toEqual(['second']);
});
