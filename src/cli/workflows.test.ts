/** Serverless Workflows in files, from the command line: read, checked and run. */
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CommandLine, type Ended, told } from '../testing/command-line.ts';
import { startHttpServer } from '../testing/http-server.ts';
import { Program } from '../testing/program.ts';
import { Gate } from '../testing/stage.ts';
import { createEngine, memory } from '../index.ts';
import { serverlessFromText } from '../serverless.ts';
import { sqlite } from '../sqlite.ts';
import { hurry } from './skipping.ts';

const line = new CommandLine();
afterEach(() => Program.killAll());
afterAll(() => line.remove());

const head = (name: string, more = ''): string =>
  `document: { dsl: '1.0.3', namespace: shop, name: ${name}, version: '1.2.0' }\n${more}do:\n`;

const ORDER = `${head('order')}  - begin:
      set: { sum: 0 }
  - add:
      for: { each: price, in: '$workflow.input.prices' }
      do:
        - sum:
            set: { sum: '\${ .sum + $price }' }
  - gift:
      if: .sum > 100
      set: { sum: '\${ .sum }', gift: true }
  - rest:
      wait: { hours: 2 }
  - pay:
      try:
        - charge:
            raise: { error: { type: 'https://shop.example/broke', status: 402, title: Broke } }
      catch:
        do:
          - owe:
              set: { owed: '\${ .sum }' }
`;

describe('a workflow in YAML', () => {
  const order = line.write('order.yaml', ORDER);
  const input = ['--input', '{"prices":[2,3]}'];

  test('is run to its end, and its tasks are told by their names', async () => {
    const { code, out } = await line.run(
      'run',
      order,
      ...input,
      '--skip-time',
      '--store',
      'memory:',
    );
    expect(code).toBe(0);
    const [report = '', output = ''] = out.split(/\n(?=\{)/);
    expect(told(report)).toEqual([
      '· starts shop.order@1.2.0',
      '✓ begin done',
      '▸ add pass 1',
      '✓ sum done',
      '▸ add pass 2',
      '✓ sum done',
      '✓ add done',
      '✓ gift skipped',
      expect.stringMatching(/^… rest sleeps until .* \(2h\)$/),
      '✓ rest done (2h skipped)',
      '✗ charge failed: Broke (workflow.raised)',
      '✓ owe done',
      '✓ pay done',
      '✓ completed (2h skipped)',
    ]);
    expect(JSON.parse(output)).toEqual({ owed: 5 });
  });

  test('is the same in JSON [DOC-01]', async () => {
    const json = line.write(
      'small.json',
      JSON.stringify({
        document: { dsl: '1.0.3', namespace: 'shop', name: 'small', version: '1.0.0' },
        do: [{ greet: { set: { greeting: '${ "Hello " + .who }' } } }],
      }),
    );
    const yml = line.write(
      'small.yml',
      `document: { dsl: 1.0.3, namespace: shop, name: small, version: 1.0.0 }
do: [{ greet: { set: { greeting: '\${ "Hello " + .who }' } } }]`,
    );
    const run = async (file: string) =>
      line.json('run', file, '--input', '{"who":"ann"}', '--store', 'memory:');
    for (const file of [json, yml]) {
      expect(await run(file)).toEqual({
        id: expect.any(String),
        status: 'completed',
        output: { greeting: 'Hello ann' },
        error: null,
      });
    }
    expect((await line.run('diff', json, yml)).out).toContain('no difference');
  });

  test('goes on where it was, on a database, and is shown and drawn from there', async () => {
    const here = ['--store', 'sqlite:order.db'];
    const run = ['run', order, ...input, ...here, '--id', 'o-1'];
    const first = await stoppedAt(/rest +sleeps until/, ...run);
    expect(first.code).toBe(130);
    expect(first.talk).toContain('perdure run order.yaml --store sqlite:order.db --id o-1');
    const { out: shown } = await line.run('show', 'o-1', ...here);
    expect(shown).toMatch(/\d+ +\/do\/3\/rest +waiting .* sleeps until/);
    expect(shown).not.toMatch(/^\d+ +\/ +waiting/m);
    expect((await line.run('graph', 'o-1', ...here)).out).toMatch(/rest +│\n.*2 hours.*\n.*● wai/);
    const { code, out } = await line.run(...run, '--skip-time');
    expect(code).toBe(0);
    expect(told(out).slice(0, 3)).toEqual([
      expect.stringMatching(/^… rest sleeps until/),
      '· ann: wake (time is skipped)',
      '✓ rest woken',
    ]);
    const { out: history } = await line.run('history', 'o-1', ...here);
    expect(history).toMatch(/1 {2}\S+ {2}starts shop\.order@1\.2\.0; begin done; add pass 1; sum/);
    expect((await line.run('graph', 'shop.order@1.2.0', ...here)).code).toBe(0);
    await line.run('export', 'o-1', 'o-1.json', ...here);
    expect((await line.run('replay', 'o-1.json')).out).toContain('pay done; completed');
  });

  test('is started for whoever works on the store', async () => {
    const here = ['--store', 'sqlite:start.db'];
    expect(await line.json('start', order, ...input, ...here, '--id', 's-1')).toEqual({
      id: 's-1',
      status: 'waiting',
    });
    const dry = await line.run('cancel', 's-1', '--dry-run', ...here);
    expect(dry.out).toContain('rest stopped');
  });

  test('whose tasks are called the same is told by where they stand', async () => {
    const file = line.write(
      'same.yaml',
      `${head('same')}  - a: { do: [{ b: { set: { n: 1 } } }] }
  - c: { do: [{ b: { set: { n: 2 } } }] }
`,
    );
    const { out } = await line.run('run', file, '--store', 'memory:');
    expect(told(out).slice(1, 5)).toEqual([
      '✓ /do/0/a/do/0/b done',
      '✓ a done',
      '✓ /do/1/c/do/0/b done',
      '✓ c done',
    ]);
  });
});

/** As it ends that was told to stop when it had said something. */
async function stoppedAt(said: RegExp, ...words: readonly string[]): Promise<Ended> {
  const heard = line.says(said);
  const ended = line.run(...words);
  await heard;
  line.stop('SIGINT');
  return ended;
}

describe('a workflow that fails', () => {
  const FAILS = `${head('fails')}  - inner:
      do:
        - broke:
            raise:
              error:
                type: https://shop.example/broke
                status: 402
                title: Broke
                detail: \${ "no money for \\(.what)" }
`;
  const words = ['run', line.write('fails.yaml', FAILS), '--input', '{"what":"cake"}'];

  test('ends with 1, and its error is the answer [ER-01]', async () => {
    const { code, out } = await line.run(...words, '--store', 'memory:', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      status: 'failed',
      output: null,
      error: {
        type: 'https://shop.example/broke',
        status: 402,
        title: 'Broke',
        detail: 'no money for cake',
        instance: '/do/0/inner/do/0/broke',
      },
    });
  });

  test('says what, and where in the file that is', async () => {
    const { out } = await line.run(...words, '--store', 'memory:');
    const [, said = ''] = out.split(/^instance \S+ is failed: /m);
    expect(said).toBe(`Broke: no money for cake (workflow.raised)
  type       https://shop.example/broke
  status     402
  instance   /do/0/inner/do/0/broke
fails.yaml:5:11
  3 |   - inner:
  4 |       do:
  5 |         - broke:
    |           ^
`);
    expect(told(out)).toContain('✗ broke failed: Broke: no money for cake (workflow.raised)');
  });
});

describe('time', () => {
  const TIMED = `${head('timed')}  - patience:
      try:
        - hear:
            listen: { to: { one: { with: { type: never.said } } } }
            timeout: { after: { days: 2 } }
      catch:
        errors: { with: { status: 408 } }
        do:
          - rest: { wait: P1D }
          - done: { set: { waited: true } }
`;
  const file = line.write('timed.yaml', TIMED);

  test.each(['memory:', 'sqlite:timed.db'])(
    'is skipped on %s, a timeout only where nothing else can happen',
    async (store) => {
      const { code, out } = await line.run('run', file, '--skip-time', '--store', store);
      expect(code).toBe(0);
      expect(told(out).filter((one) => /hear|rest|patience|done/.test(one))).toEqual([
        '… hear waits for never.said',
        expect.stringMatching(/^✗ hear failed: the task took longer than its timeout/),
        expect.stringMatching(/^… rest sleeps until/),
        expect.stringMatching(/^✓ rest (done|woken)/),
        '✓ done done',
        expect.stringMatching(/^✓ patience done/),
      ]);
    },
  );

  test('that a call takes is real, and so is what it may take', async () => {
    const server = await startHttpServer(() => new Promise(() => {}));
    const { port } = new URL(server.url);
    const calls = line.write(
      'calls.yaml',
      `${head('calls')}  - rest: { wait: P10D }
  - ask:
      call: http
      with: { method: get, endpoint: '${server.url}/never' }
      timeout: { after: { milliseconds: 30 } }
`,
    );
    const words = ['run', calls, '--skip-time', '--store', 'memory:'];
    expect(await line.json(...words, '--allow-net', `127.0.0.1:${port}`)).toMatchObject({
      status: 'failed',
      error: { status: 408, instance: '/do/1/ask' },
    });
    await server.close();
  });

  test('of a schedule is not kept by a command that runs one instance', async () => {
    const scheduled = line.write(
      'scheduled.yaml',
      `${head('scheduled', 'schedule: { every: PT1H }\n')}  - once: { set: { n: 1 } }\n`,
    );
    const here = ['--store', 'sqlite:scheduled.db'];
    const { code, talk } = await line.run('run', scheduled, ...here);
    expect({ code, talk }).toEqual({
      code: 0,
      talk: expect.stringContaining('it is run once, now'),
    });
    expect(await line.json('schedules', ...here)).toEqual({ schedules: [] });
  });

  test('of a schedule that a program keeps goes on as it was', async () => {
    const text = `${head('kept', 'schedule: { every: PT1H }\n')}  - once: { set: { n: 1 } }\n`;
    const store = sqlite(join(line.folder, 'kept.db'));
    const engine = await createEngine({ store, flows: [serverlessFromText(text)] });
    const file = line.write('kept.yaml', text.replace('schedule: { every: PT1H }\n', ''));
    const here = ['--store', 'sqlite:kept.db'];
    expect((await line.run('run', file, ...here)).code).toBe(0);
    expect(await line.json('schedules', ...here)).toMatchObject({
      schedules: [{ name: 'serverless/shop.kept/every' }],
    });
    await engine.close();
  });

  test('of a timeout runs on while what it limits is at work', async () => {
    const answers = new Gate();
    const asked = new Gate();
    const server = await startHttpServer(async () => {
      asked.open();
      await answers.opened;
      return { status: 204 };
    });
    const flow = serverlessFromText(`${head('busy')}  - ask:
      call: http
      with: { method: get, endpoint: '${server.url}' }
      timeout: { after: P1D }
`);
    const http = { allow: ['127.0.0.1'] };
    const engine = await createEngine({ store: memory(), flows: [flow], http });
    const run = await engine.start(flow, {});
    await asked.opened;
    await hurry(engine, run.id, 'ann');
    expect((await run.history()).flatMap(({ changes }) => changes)).not.toContainEqual(
      expect.objectContaining({ did: 'act' }),
    );
    answers.open();
    expect(await run.result()).toBeNull();
    await engine.close();
    await server.close();
  });
});

test('a workflow that waits for what nobody says ends in memory, with the reason', async () => {
  const file = line.write(
    'hear.yaml',
    `${head('hear')}  - hear: { listen: { to: { any: [] } } }\n`,
  );
  const { code, out } = await line.run('run', file, '--store', 'memory:');
  expect(code).toBe(1);
  expect(out).toMatch(/ is waiting, and nothing will move it: "hear" waits for any event\n$/);
  expect(await line.json('run', file, '--store', 'memory:')).toMatchObject({
    status: 'waiting',
    error: { code: 'instance.waiting', node: '/do/0/hear' },
  });
});

test('a process that is told to stop says how it goes on, and goes on by that', async () => {
  const file = join(
    line.folder,
    line.write(
      'events.yaml',
      `${head('events')}  - hear:
      listen: { to: { one: { with: { type: order.placed } } } }
  - last: { set: { heard: '\${ . }' } }
`,
    ),
  );
  const here = ['--store', `sqlite:${join(line.folder, 'events.db')}`];
  const words = ['run', file, ...here, '--id', 'e-1'];
  const runner = new Program('../cli/perdure', words, { NO_COLOR: '1' });
  await runner.said(/hear +waits for order\.placed/);
  runner.signal('SIGTERM');
  expect(await runner.ended()).toBe('143');
  const told = await line.json('publish', 'order.placed', '--key', '7', '--data', '42', ...here);
  expect(told).toMatchObject({ outcome: 'woken', instances: ['e-1'] });
  const again = new Program('../cli/perdure', [...words, '--json'], { NO_COLOR: '1' });
  expect(await again.ended()).toBe('0');
  expect(JSON.parse(again.lines.join('\n'))).toMatchObject({
    output: { heard: [42] },
    error: null,
  });
});
