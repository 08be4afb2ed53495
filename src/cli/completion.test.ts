/** Completion: what a shell offers behind a tab. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEngine, flow } from '../index.ts';
import { sqlite } from '../sqlite.ts';
import { CommandLine } from '../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** What bash offers for the last of these words, which it cuts at every colon. */
function offered(script: string, ...words: readonly string[]): readonly string[] {
  const cut = words.flatMap((word) => (word === '' ? [''] : word.split(/(:)/)));
  const said = `${script}
perdure() { printf '%s\\n' "$@" | paste -sd+; }
COMP_LINE='${words.join(' ')}'
COMP_WORDS=(${cut.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${cut.length - 1}
_perdure
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', said]).toString().trim().split('\n');
}

test.skipIf(!hasBash)('bash offers commands, options, and what is below a command', async () => {
  const { out } = await line.run('completion', 'bash');
  expect(offered(out, 'perdure', 'sh')).toEqual(['show']);
  expect(offered(out, 'perdure', 'cancel', '--da')).toEqual(['']);
  expect(offered(out, 'perdure', 'cancel', '--dr')).toEqual(['--dry-run']);
  expect(offered(out, 'perdure', 'outbox', 're')).toEqual(['requeue']);
  expect(offered(out, 'perdure', 'run', '--in')).toEqual(['--input']);
  expect(offered(out, 'perdure', 'help', 'vali')).toEqual(['validate']);
  expect(offered(out, 'perdure', 'completion', 'z')).toEqual(['zsh']);
});

test.skipIf(!hasBash)('bash offers values of options', async () => {
  const { out } = await line.run('completion', 'bash');
  expect(offered(out, 'perdure', 'ls', '--status', 'comple')).toEqual(['completed']);
  expect(offered(out, 'perdure', 'outbox', '--status', '')).toEqual(['ready', 'sending', 'dead']);
  expect(offered(out, 'perdure', 'graph', 'x', '--format', 's')).toEqual(['svg']);
  // In the folder of the test: that of the checkout.
  const files = offered(out, 'perdure', 'run', 'chart.json', '--handlers', 'packa');
  expect(files).toContain('package.json');
});

test.skipIf(!hasBash)('bash asks the store that the line names', async () => {
  const { out } = await line.run('completion', 'bash');
  const at = (...words: string[]) => offered(out, 'perdure', ...words);
  expect(at('show', '--store', 'sqlite:a.db', '')).toEqual(['_complete+ids+--store+sqlite:a.db']);
  expect(at('start', '--store', 'sqlite:a.db', '_')).toEqual([
    '_complete+flows+--store+sqlite:a.db',
  ]);
  expect(at('cancel', '--flow', '')).toEqual(['_complete+flows']);
  expect(at('graph', '_')).toEqual(['_complete+flows', '_complete+ids']);
  expect(at('decide', '_')).toEqual(['_complete+tasks']);
  expect(at('tasks', '--instance', '_')).toEqual(['_complete+ids']);
});

test.each(['bash', 'zsh', 'fish'])('the script for %s names every command', async (shell) => {
  const { code, out } = await line.run('completion', shell);
  expect(code).toBe(0);
  for (const name of ['run', 'validate', 'show', 'retry', 'doctor', 'migrate']) {
    expect(out).toContain(name);
  }
  expect(out).toMatch(/perdure _complete ids/);
  expect(out).not.toContain('_complete)');
});

test('the scripts are told the ids, flows and tasks of a store', async () => {
  const order = flow('order').task('fill', {}).end();
  const store = sqlite(join(line.folder, 'ids.db'));
  const engine = await createEngine({ store, flows: [order], worker: false });
  await engine.start(order, {}, { id: 'order-1' });
  await engine.close();
  const here = ['--store', 'sqlite:ids.db'];
  expect((await line.run('_complete', 'ids', ...here)).out).toBe('order-1\n');
  expect((await line.run('_complete', 'flows', ...here)).out).toBe('order\n');
  expect((await line.run('_complete', 'tasks', ...here)).out).toMatch(/^order-1:\d+\n$/);
});

test('the script may be a value of JSON', async () => {
  const { text } = (await line.json('completion', 'bash')) as { text: string };
  expect(await line.json('completion', 'bash')).toEqual({ format: 'bash', text });
  expect(text).toBe((await line.run('completion', 'bash')).out);
  expect(await line.run('completion', 'bsh')).toMatchObject({
    code: 2,
    talk: expect.stringContaining('did you mean "bash"?'),
  });
});
