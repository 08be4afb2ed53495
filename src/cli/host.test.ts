/** What a Serverless Workflow is given and allowed on the command line. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { CommandLine, shopHead as head } from '../testing/command-line.ts';
import { startHttpServer } from '../testing/http-server.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const here = ['--store', 'memory:'];

describe('a host that is not public', () => {
  test('is reached if it is allowed, and the error says how', async () => {
    const server = await startHttpServer(() => ({
      headers: { 'content-type': 'text/plain' },
      body: 'hello',
    }));
    const { port } = new URL(server.url);
    const call = `  - ask: { call: http, with: { method: get, endpoint: '${server.url}/' } }\n`;
    const words = ['run', line.write('net.yaml', head('net') + call), ...here];
    expect(await line.json(...words)).toMatchObject({
      status: 'failed',
      error: { detail: expect.stringContaining('give --allow-net 127.0.0.1') },
    });
    expect(await line.json(...words, '--allow-net', '127.0.0.1:1')).toMatchObject({
      status: 'failed',
    });
    for (const allowed of [
      [`127.0.0.1:${port}`],
      ['10.0.0.1', '--allow-net', `127.0.0.1:${port}`],
      [`10.0.0.1,127.0.0.1:${port}`],
    ]) {
      expect(await line.json(...words, '--allow-net', ...allowed)).toMatchObject({
        status: 'completed',
        output: 'hello',
      });
    }
    // Before the file, it does not take the file for another host.
    const [run = '', ...rest] = words;
    const first = await line.json(run, '--allow-net', '127.0.0.1', ...rest);
    expect(first).toMatchObject({ status: 'completed' });
    await server.close();
  });

  test('that is none is a mistake in the command', async () => {
    const file = line.write('none.yaml', `${head('none')}  - a: { set: { b: 1 } }\n`);
    const { code, talk } = await line.run('run', file, ...here, '--allow-net', 'a b');
    expect({ code, talk }).toEqual({ code: 2, talk: expect.stringContaining('came "a b"') });
  });
});

describe('what is started on the machine', () => {
  const shell = line.write(
    'shell.yaml',
    `${head('shell')}  - say: { run: { shell: { command: 'echo hello' } } }\n`,
  );

  test('is started if it is allowed, and the error says how [RU-07]', async () => {
    for (const words of [[], ['--allow-run', 'script,container,process']]) {
      expect(await line.json('run', shell, ...here, ...words)).toMatchObject({
        status: 'failed',
        error: { detail: expect.stringContaining('--allow-run shell') },
      });
    }
    for (const words of [['shell'], ['script,shell'], ['script', '--allow-run', 'shell']]) {
      expect(await line.json('run', shell, ...here, '--allow-run', ...words)).toMatchObject({
        output: 'hello',
      });
    }
  });

  test('that is misspelt is told', async () => {
    const { code, talk } = await line.run('run', shell, ...here, '--allow-run', 'shel');
    expect({ code, talk }).toEqual({
      code: 2,
      talk: 'perdure: --allow-run has no "shel": did you mean "shell"?\n',
    });
  });
});

test('a folder is read from if it is allowed', async () => {
  line.write('main.js', 'return { sum: 1 + 2 };\n');
  const endpoint = pathToFileURL(join(line.folder, 'main.js')).href;
  const script = line.write(
    'script.yaml',
    `${head('script')}  - add:
      run: { script: { language: js, source: { endpoint: '${endpoint}' } } }
`,
  );
  const words = ['run', script, ...here, '--allow-run', 'script'];
  expect(await line.json(...words)).toMatchObject({ status: 'failed' });
  expect(await line.json(...words, '--allow-read', '.')).toMatchObject({ output: { sum: 3 } });
});

describe('a secret', () => {
  const SECRETS = `${head('secrets', 'use: { secrets: [pass, login] }\n')}  - ask:
      set: { pass: '\${ $secrets.pass | length }', user: '\${ $secrets.login.user? }' }
`;
  const file = line.write('secrets.yaml', SECRETS);

  test('is JSON or text, a file, or a variable of the environment [SC-S1]', async () => {
    line.write('login.json', '{ "user": "ann" }\n');
    line.write('pass.txt', 'four\n');
    const run = async (...words: readonly string[]) => {
      const env = { PASS: 'four', LOGIN: '{"user":"ann"}' };
      const { out } = await line.runIn({ env }, 'run', file, ...here, '--json', ...words);
      return (JSON.parse(out) as { output: unknown }).output;
    };
    for (const [pass, login] of [
      ['pass=four', 'login={"user":"ann"}'],
      ['pass="four"', 'login=@login.json'],
      ['pass=@pass.txt', 'login=env:LOGIN'],
      ['pass=env:PASS', 'login=env:LOGIN'],
    ] as const) {
      expect(await run('--secret', pass, '--secret', login)).toEqual({ pass: 4, user: 'ann' });
    }
  });

  test('that is missing is refused to whoever asks for it [SC-S2]', async () => {
    expect(await line.json('run', file, ...here, '--secret', 'login={}')).toMatchObject({
      status: 'failed',
      error: { status: 403, type: expect.stringMatching(/authorization$/) },
    });
  });

  test.each([
    [['--secret', 'hunter2'], '--secret is NAME=JSON, NAME=@FILE or NAME=env:VARIABLE'],
    [['--secret', '=hunter2'], '--secret is NAME=JSON, NAME=@FILE or NAME=env:VARIABLE'],
    [['--secret', 'pass=env:AWAY'], '--secret pass: the environment has no AWAY'],
    [['--secret', 'pass=@away'], '--secret pass cannot be read: '],
  ])('that cannot be had is told, and never what it is: %j', async (words, said) => {
    const { code, talk } = await line.run('run', file, ...here, ...words);
    expect({ code, talk }).toEqual({ code: 2, talk: expect.stringContaining(said) });
    expect(talk).not.toContain('hunter2');
  });

  test('is not in the command by which a run goes on', async () => {
    const waits = line.write(
      'waits.yaml',
      `${head('waits', 'use: { secrets: [pass, other] }\n')}  - nap: { wait: P1D }\n`,
    );
    const heard = line.says(/nap +sleeps/);
    const words = [
      '--secret',
      'pass=hunter2',
      '--secret',
      'other=env:HOME',
      '--allow-run',
      'shell',
    ];
    const ended = line.runIn({ env: { HOME: '/' } }, 'run', waits, ...words, '--id', 'w-1');
    await heard;
    line.stop('SIGINT');
    const { talk } = await ended;
    expect(talk).toContain(
      `perdure run waits.yaml --id w-1 --allow-run shell --secret 'pass=…' --secret other=env:HOME`,
    );
    expect(talk).not.toContain('hunter2');
  });
});
