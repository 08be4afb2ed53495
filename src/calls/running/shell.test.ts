import { describe, expect, test, vi } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { errorOf, faultOf } from '../../testing/failing-call.ts';
import { type NamedPipe, namedPipe, testFolder } from '../../testing/named-pipe.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import type { Calling } from '../calling.ts';
import type { RunLimits, RunOptions } from './run-options.ts';
import { DETAIL_CHARS_MAX } from './run-program.ts';
import { runShell } from './shell.ts';

interface Asked extends JsonObject {
  readonly command: string;
}

interface How {
  readonly calling?: Partial<Calling>;
  readonly return?: string;
  readonly await?: boolean;
  readonly limits?: Partial<RunLimits>;
}

async function shell(args: Asked | string, how: How = {}): Promise<Json> {
  const given = typeof args === 'string' ? { command: args } : args;
  const wanted = {
    await: how.await ?? true,
    ...(how.return === undefined ? {} : { return: how.return }),
  };
  const options: RunOptions = how.limits === undefined ? {} : { limits: how.limits };
  return (await runShell(plainCalling(how.calling), given, wanted, options)).output;
}

describe('what a command is given', () => {
  test('a command has its arguments as $1 and $2, its pipes and its lines [SH-01]', async () => {
    const command = `
      name=$(echo "$1" | tr a-z A-Z)
      for each in "$@"; do printf '<%s>' "$each"; done
      echo " $name $2 $#"
    `;
    const args = ['foo', 'two words; echo $(id) "quoted"'];
    expect(await shell({ command, arguments: args })).toBe(
      `<foo><two words; echo $(id) "quoted"> FOO two words; echo $(id) "quoted" 2`,
    );
  });

  test('arguments are texts, and what is none is JSON', async () => {
    const command = `printf '%s|' "$@"`;
    expect(await shell({ command, arguments: ['a', 1, true, null, { b: [2] }] })).toBe(
      'a|1|true||{"b":[2]}|',
    );
    const map = { name: 'value', left: null, deep: { x: 1 } };
    expect(await shell({ command, arguments: map })).toBe('--name|value|--deep|{"x":1}|');
  });

  test('standard input and the environment are what is given [SH-02]', async () => {
    const command = 'cat; echo " $GREETING $COUNT [$LEFT]"';
    const environment = { GREETING: 'hello "you"\n$(id)', COUNT: 3, LEFT: null };
    expect(await shell({ command, stdin: 'typed', environment })).toBe(
      'typed hello "you"\n$(id) 3 []',
    );
    expect(await shell({ command: 'cat', stdin: { a: 1 } })).toBe('{"a":1}');
    expect(await shell('cat')).toBe('');
  });

  test('of the environment of its host a process has PATH, HOME and LANG', async () => {
    vi.stubEnv('PERDURE_TEST_SECRET', 'hunter2');
    vi.stubEnv('LANG', 'C.UTF-8');
    const names = ((await shell({ command: 'env', environment: { MINE: '1' } })) as string)
      .split('\n')
      .map((line) => line.slice(0, line.indexOf('=')));
    vi.unstubAllEnvs();
    const own = /^(_|PWD|SHLVL|OLDPWD)$/;
    expect(names.filter((name) => !own.test(name)).sort()).toEqual([
      ...['HOME', 'LANG', 'MINE', 'PATH'],
    ]);
  });

  test('a process that does not read its input is not harmed by it', async () => {
    expect(await shell({ command: 'echo done', stdin: 'x'.repeat(1_000_000) })).toBe('done');
  });

  test.each<[string, JsonObject, string]>([
    ['no command', {}, '"shell.command" is a text, and is missing'],
    ['a bad list', { command: 'x', arguments: 'a' }, '"shell.arguments" is a list or an object'],
    [
      'a bad name',
      { command: 'x', environment: { 'A=B': 'secret' } },
      '"shell.environment" has letters, digits, "_", "." and "-" in its names; came "A=B"',
    ],
    [
      'a NUL',
      { command: 'x', arguments: ['secret\0'] },
      '"sh" cannot be started: an argument or a variable of its environment has a NUL in it',
    ],
    [
      'too much',
      { command: 'x', arguments: ['y'.repeat(3_000_000)] },
      '"sh" cannot be started: its arguments and environment are too long; hand them in by stdin',
    ],
  ])('%s is a configuration error without a value in it', async (_, args, detail) => {
    const call = runShell(plainCalling(), args, { await: true });
    expect(await faultOf(call)).toEqual(['configuration', 400, detail]);
  });

  test('a shell that is not there is a configuration error', async () => {
    const call = runShell(
      plainCalling(),
      { command: 'x' },
      { await: true },
      { path: testFolder() },
    );
    expect(await faultOf(call)).toEqual([
      ...['configuration', 400],
      '"sh" is not on the PATH: install it, or tell the engine where it is',
    ]);
  });
});

describe('what is returned', () => {
  const command = 'printf "out\\n\\n"; echo err >&2; exit 3';
  const well = 'printf "out\\n\\n"; echo err >&2';

  test('stdout is the output unless another is asked for [RU-03]', async () => {
    expect(await shell(well)).toBe('out\n');
    expect(await shell(well, { return: 'stdout' })).toBe('out\n');
    expect(await shell(well, { return: 'stderr' })).toBe('err');
    expect(await shell(well, { return: 'code' })).toBe(0);
    expect(await shell(well, { return: 'none' })).toBe(null);
  });

  test('all is the code and both outputs [RU-04]', async () => {
    const output = { code: 3, stdout: 'out\n', stderr: 'err' };
    expect(await shell(command, { return: 'all' })).toEqual(output);
  });

  test('what is written stays a text, whatever it looks like', async () => {
    expect(await shell(`echo '{"a":1}'`)).toBe('{"a":1}');
    expect(await shell(`printf 'a\\r\\n'`)).toBe('a');
    expect(await shell(`printf '\\303\\274'`)).toBe('ü');
  });

  test('a code that is not 0 is an error, unless it is what was asked for [RU-05]', async () => {
    for (const wanted of ['stdout', 'none']) {
      const { kind, status, title, detail } = await errorOf(shell(command, { return: wanted }));
      expect([kind, status, detail]).toEqual(['runtime', 500, 'err']);
      expect(title).toBe('The process ended with exit code 3');
    }
    expect(await shell(command, { return: 'code' })).toBe(3);
    expect(await shell(command, { return: 'stderr' })).toBe('err');
    expect((await errorOf(shell('exit 1'))).detail).toBe('it wrote nothing to stderr');
    expect(await shell('kill -9 $$', { return: 'code' })).toBe(137);
  });

  test('another return is a configuration error', async () => {
    expect(await faultOf(shell('x', { return: 'stdin' }))).toEqual([
      ...['configuration', 400, '"return" is one of stdout, stderr, code, all, none'],
    ]);
  });

  test('secrets that a process writes are hidden, and nothing else of it is told', async () => {
    const hide = (text: string): string => text.replaceAll('hunter2', '***');
    const args = {
      command: 'echo "bad: $SECRET" >&2; exit 1',
      environment: { SECRET: 'hunter2', OTHER: 'quiet-value' },
      arguments: ['quiet-argument'],
      stdin: 'quiet-input',
    };
    const error = await errorOf(shell(args, { calling: { hide } }));
    expect(error.detail).toBe('bad: ***');
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/quiet|hunter2/);
  });

  test('of a long complaint the end is told, without half a secret at its beginning', async () => {
    const secret = 's'.repeat(30);
    const hide = (text: string): string => text.replaceAll(secret, '*'.repeat(30));
    const command = `printf '%s%0${DETAIL_CHARS_MAX - 10}d' ${secret} 7 >&2; exit 1`;
    const { detail = '' } = await errorOf(shell(command, { calling: { hide } }));
    expect(detail).toHaveLength(DETAIL_CHARS_MAX);
    expect(detail.startsWith('…*********0')).toBe(true);
    const short = `printf '%0${DETAIL_CHARS_MAX}d' 7 >&2; exit 1`;
    expect((await errorOf(shell(short))).detail).toMatch(/^0+7$/);
  });
});

describe('limits', () => {
  const limits = { OUTPUT_BYTES_MAX: 100_000 };
  const print = (bytes: number, to = ''): string => `printf '%0${bytes}d' 7 ${to}`;

  test('as much output as OUTPUT_BYTES_MAX is taken, and a byte more is an error', async () => {
    expect(await shell(print(100_000), { limits })).toHaveLength(100_000);
    expect(await faultOf(shell(print(100_001), { limits }))).toEqual([
      ...['runtime', 500, 'the process wrote more than OUTPUT_BYTES_MAX 100000 bytes to stdout'],
    ]);
    const err = { limits, return: 'all' };
    expect(await shell(print(100_000, '>&2'), err)).toMatchObject({ code: 0 });
    expect(await faultOf(shell(print(100_001, '>&2'), err))).toEqual([
      ...['runtime', 500, 'the process wrote more than OUTPUT_BYTES_MAX 100000 bytes to stderr'],
    ]);
  });

  test('a process that never stops writing is stopped', async () => {
    const { detail } = await errorOf(shell('yes'));
    expect(detail).toBe('the process wrote more than OUTPUT_BYTES_MAX 1048576 bytes to stdout');
  });

  test('output that nobody wants has no limit', async () => {
    const both = `${print(300_000)}; ${print(300_000, '>&2')}`;
    expect(await shell(both, { limits, return: 'code' })).toBe(0);
    expect(await shell(both, { limits, return: 'none' })).toBe(null);
  });
});

/** Has a command told that it is too late once it is up, and all that it has started end. */
async function seeEnded(command: string, killGraceMs: number, free?: NamedPipe): Promise<void> {
  const pipe = namedPipe();
  const abort = new AbortController();
  const args = { command, arguments: [pipe.path, free?.path ?? ''] };
  const limits = { KILL_GRACE_MS: killGraceMs };
  const running = shell(args, { calling: { signal: abort.signal }, limits });
  expect(await pipe.heard()).toBe('up');
  abort.abort(new Error('too late'));
  await expect(running).rejects.toThrow('too late');
  await free?.say('go home');
  expect(await pipe.heard()).toBe(undefined);
}

describe('a process that nobody waits for any more', () => {
  test('is ended with all it has started [RU-06]', async () => {
    const command = 'exec 9>"$1"; (sleep 1000; true) & echo up >&9; sleep 1000 | cat';
    // So long that it would show if it came to that.
    await seeEnded(command, 1_000_000);
  });

  test('is killed if it does not heed that within KILL_GRACE_MS', async () => {
    await seeEnded(`trap '' TERM; exec 9>"$1"; echo up >&9; while :; do sleep 1000; done`, 50);
  });

  test('takes those with it that have outlived its leader', async () => {
    const deaf = `trap '' TERM; exec 9>"$1" >&9 2>&9; echo up; while :; do sleep 1; done`;
    await seeEnded(`(${deaf}) & sleep 1000`, 50);
  });

  test('cannot hold us by an output that has left its group', async () => {
    const apart = 'exec 9>"$1"; echo up >&9; read it <"$2"';
    await seeEnded(`setsid sh -c '${apart}' sh "$1" "$2"; sleep 99`, 50, namedPipe());
  });

  test('is not even started if that was known before', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(shell('echo hi', { calling: { signal } })).rejects.toThrow('too late');
  });
});

describe('a process that is not awaited', () => {
  test('goes on without its task, whose output is its input [RU-02]', async () => {
    const [pipe, orders] = [namedPipe(), namedPipe()];
    const abort = new AbortController();
    const command = 'exec 9>"$1"; cat >&9; read order <"$2"; echo "$order" >&9';
    const output = await shell(
      { command, arguments: [pipe.path, orders.path], stdin: 'typed\n' },
      { await: false, return: 'all', calling: { signal: abort.signal, input: { a: 1 } } },
    );
    expect(output).toEqual({ a: 1 });
    abort.abort();
    expect(await pipe.heard()).toBe('typed');
    await orders.say('still here');
    expect(await pipe.heard()).toBe('still here');
    expect(await pipe.heard()).toBe(undefined);
  });

  test('is told of if it cannot begin', async () => {
    const wanted = { await: false };
    const call = runShell(plainCalling(), { command: 'x' }, wanted, { path: testFolder() });
    expect((await errorOf(call)).kind).toBe('configuration');
  });
});

test('a shell runs nothing unless the host allows the command [RU-07]', async () => {
  const pipe = namedPipe();
  const asked: unknown[] = [];
  const permits: Calling['permits'] = (what, name) => {
    asked.push(what, name);
    throw new WorkflowError('configuration', { detail: 'set serverless.shell' });
  };
  const command = `echo ran >"${pipe.path}"`;
  const call = shell(command, { calling: { permits } });
  expect(await faultOf(call)).toEqual(['configuration', 400, 'set serverless.shell']);
  expect(asked).toEqual(['shell', command]);
});
