/** Flowcharts in files, from the command line: JSON with handlers beside it, and modules. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CommandLine, type Ended, told } from '../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const example = (name: string): string => join(import.meta.dirname, '../../examples', name);

const HANDLERS = `import { outcome, waiting } from 'perdure/flowchart';
export const handlers = {
  say: ({ activity }) => activity,
  pay: ({ wake, event }) => (wake.reason === 'event' ? event : waiting('paid')),
  choose: ({ input }) => outcome(input.way ?? 'A'),
};`;

const ORDER = {
  id: 'order',
  version: 1,
  activities: [
    { id: 'begin', type: 'start' },
    { id: 'pay', type: 'pay' },
    { id: 'cool', type: 'delay', config: { for: '1h' } },
    {
      id: 'pack',
      type: 'flowchart',
      config: {
        activities: [
          { id: 'weigh', type: 'say' },
          { id: 'label', type: 'say' },
        ],
        connections: [{ from: 'weigh', to: 'label' }],
      },
    },
    { id: 'send', type: 'say' },
  ],
  connections: [
    { from: 'begin', to: 'pay' },
    { from: 'begin', to: 'cool' },
    { from: 'cool', to: 'pack' },
    { from: 'pack', to: 'send' },
    { from: 'pay', to: 'send' },
  ],
};

const STALLS = {
  id: 'stalls',
  version: 1,
  activities: [
    { id: 'choose', type: 'choose' },
    { id: 'a', type: 'say' },
    { id: 'b', type: 'say' },
    { id: 'both', type: 'say', mergeMode: 'merge' },
  ],
  connections: [
    { from: 'choose', outcome: 'A', to: 'a' },
    { from: 'choose', outcome: 'B', to: 'b' },
    { from: 'a', to: 'both' },
    { from: 'b', to: 'both' },
  ],
};

const order = line.write('order.json', JSON.stringify(ORDER, null, 2));
const stalls = line.write('stalls.json', JSON.stringify(STALLS));
const handlers = ['--handlers', line.write('handlers.mjs', HANDLERS)];

describe('a flowchart in JSON', () => {
  test('is run to its end, and its activities are told by what became of them', async () => {
    const words = ['run', example('damage.json'), '--handlers', example('damage-handlers.ts')];
    const more = ['--input', '{"amount":2000}', '--skip-time', '--store', 'memory:'];
    const { code, out } = await line.run(...words, ...more);
    expect(code).toBe(0);
    const [report = '', output = ''] = out.split(/\n(?=\{)/);
    expect(told(report)).toEqual([
      '· starts damage@1',
      '✓ register done',
      '✓ assess done: Unclear',
      '✓ ask done',
      expect.stringMatching(/^… answer sleeps until .* \(2d\)$/),
      '✓ answer done (2d skipped)',
      '✓ assess done: Granted',
      ...[expect.stringMatching(/done$/), expect.stringMatching(/done$/)],
      '✓ close done',
      '✓ completed (2d skipped)',
    ]);
    expect(JSON.parse(output)).toMatchObject({ pay: '2000 EUR', close: 'close: noted' });
  });

  test('waits on a database when its process ends, and goes on with a message', async () => {
    const here = ['--store', 'sqlite:order.db'];
    const run = ['run', order, ...handlers, ...here, '--id', 'o-1', '--skip-time'];
    const first = await stoppedAt(/pack +done/, ...run);
    expect(first.code).toBe(130);
    // Whoever stands before an activity is not told as if it ran.
    expect(told(first.out)).toEqual([
      '· starts order@1',
      '✓ begin done',
      expect.stringMatching(/^… /),
      expect.stringMatching(/^… /),
      '· ann: wake (time is skipped)',
      '✓ cool woken',
      '✓ pack/weigh done',
      '✓ pack/label done',
      '✓ pack done',
    ]);
    expect(first.talk).toContain(
      'perdure run order.json --handlers handlers.mjs --store sqlite:order.db --id o-1 --skip-time',
    );

    const { out: shown } = await line.run('show', 'o-1', ...here);
    expect(shown).toMatch(/\bpay +waiting .* waits for paid of o-1\n/);
    expect(shown).toMatch(/\bsend +waiting .* came by pack:Done->send, and waits for others/);
    expect(shown).not.toContain(':flowchart');
    const again = await stoppedAt(/waits for paid/, ...run);
    expect(told(again.out)).toEqual(['… pay waits for paid of o-1']);

    await line.run('publish', 'paid', '--key', 'o-1', '--data', '42', ...here);
    const last = (await line.json(...run)) as { status: string; output: unknown };
    expect(last).toMatchObject({ status: 'completed', output: { pay: 42, send: 'send' } });
    const { out: history } = await line.run('history', 'o-1', ...here);
    expect(history).toMatch(/pack\/label done; pack done\n/);
    expect(history).not.toMatch(/:flowchart|send stopped|waits for others/);
  });

  test('is started for others, which need its handlers and nobody else does', async () => {
    const here = ['--store', 'sqlite:others.db'];
    expect(await line.run('start', order, ...here, '--id', 's-1')).toMatchObject({ code: 0 });
    const { out } = await line.run('show', 's-1', ...here);
    expect(out).toContain('waits for a worker with order/pay');
    await line.run('publish', 'paid', '--key', 's-1', '--data', '1', ...here);
    const words = ['run', order, ...handlers, ...here, '--id', 's-1', '--skip-time'];
    expect(await line.json(...words)).toMatchObject({ status: 'completed' });
  });

  test('is woken by hand', async () => {
    const here = ['--store', 'sqlite:woken.db'];
    const run = ['run', order, ...handlers, ...here, '--id', 'w-1', '--skip-time'];
    await stoppedAt(/pack +done/, ...run);
    const { tokens } = (await line.json('show', 'w-1', ...here)) as { tokens: TokenSeen[] };
    const pay = tokens.find(({ node }) => node === 'pay')?.id;
    const woken = await line.run('wake', 'w-1', String(pay), '--data', '7', ...here);
    expect(woken.code).toBe(0);
    expect(await line.json(...run)).toMatchObject({ output: { pay: 7 } });
  });
});

interface TokenSeen {
  readonly id: number;
  readonly node: string;
}

/** A run that is told to stop once it has said that. */
async function stoppedAt(what: RegExp, ...words: readonly string[]): Promise<Ended> {
  const said = line.says(what);
  const running = line.run(...words);
  await said;
  line.stop('SIGINT');
  return running;
}

describe('a merge that lacks somebody', () => {
  test('ends a run in memory, and says by which connections nobody comes', async () => {
    const words = ['run', stalls, ...handlers, '--store', 'memory:'];
    const { code, out } = await line.run(...words);
    expect(code).toBe(1);
    expect(told(out)).toEqual([
      '· starts stalls@1',
      '✓ choose done: A',
      '✓ a done',
      '· is stalled at both, where nobody comes any more by b:Done->both',
      expect.stringMatching(
        /is waiting, and nothing will move it: "both" waits for what cannot come any more, by b:/,
      ),
    ]);
    expect(await line.json(...words)).toMatchObject({
      error: { code: 'instance.stalled', node: 'both' },
    });
  });

  test('is said on a database, listed, and shown with who came and who did not', async () => {
    const here = ['--store', 'sqlite:stalls.db'];
    const words = ['run', stalls, ...handlers, ...here, '--id', 'm-1'];
    const { code, talk } = await stoppedAt(/perdure show m-1/, ...words);
    expect(code).toBe(130);
    expect(talk).toContain('waits: "both" waits for what cannot come any more, by b:Done->both');
    expect((await line.run('ls', ...here)).out).toMatch(/m-1 .* waiting, stalled/);
    const { out } = await line.run('show', 'm-1', ...here);
    expect(out).toMatch(/^stalled +"both" waits for b:Done->both$/m);
    expect(out).toMatch(/came by a:Done->both, and nobody comes any more by b:Done->both\n/);
    expect((await line.run('graph', 'm-1', ...here)).out).toContain('● arrived');
    // It never ran, so that it is not told to have been stopped.
    expect((await line.run('cancel', 'm-1', ...here)).code).toBe(0);
    const { out: history } = await line.run('history', 'm-1', ...here);
    expect(history).toMatch(/ann: cancel; canceled\n$/);
  });
});

test('a block is shown as one, and neither told nor drawn as if somebody were there', async () => {
  const { activities } = STALLS;
  const chart = {
    id: 'first',
    version: 1,
    activities: [
      ...activities.filter(({ id }) => id === 'a'),
      { id: 'go', type: 'start' },
      { id: 'late', type: 'event', config: { type: 'news', key: 'all' } },
      { id: 'won', type: 'say', mergeMode: 'stream' },
    ],
    connections: [
      ...[
        { from: 'go', to: 'a' },
        { from: 'go', to: 'late' },
      ],
      ...[
        { from: 'a', to: 'won' },
        { from: 'late', to: 'won' },
      ],
    ],
  };
  const here = ['--store', 'sqlite:first.db'];
  const file = line.write('first.json', JSON.stringify(chart));
  const run = ['run', file, ...handlers, ...here, '--id', 'f-1'];
  await stoppedAt(/won +done/, ...run);
  const { out } = await line.run('show', 'f-1', ...here);
  expect(out).toMatch(/won +block .* blocks late:Done->won: whoever comes by it is consumed\n/);
  const { out: drawn } = await line.run('graph', 'f-1', ...here);
  expect(drawn.match(/●.*/g)).toEqual([expect.stringContaining('● waiting')]);
  await line.run('publish', 'news', '--key', 'all', ...here);
  expect(await line.json(...run)).toMatchObject({ status: 'completed' });
  const { out: history } = await line.run('history', 'f-1', ...here);
  expect(history.match(/won (begins|done)/g)).toEqual(['won begins', 'won done']);
});

const BAD = `{
  "id": "bad",
  "version": 1,
  "start": "top",
  "activities": [
    { "id": "a", "type": "nothing" },
    { "id": "a", "type": "say" },
    { "id": "b", "type": "say", "mergeMode": "sometimes" },
    { "id": "nap", "type": "delay", "config": { "for": "soon" } },
    { "id": "pack", "type": "flowchart", "config": {
      "activities": [{ "id": "w", "type": "say" }, { "id": "far", "type": "say" }] } }
  ],
  "connections": [
    { "from": "a", "to": "nowhere" },
    { "from": "a", "to": "b" }
  ]
}
`;

describe('what is wrong with a flowchart', () => {
  const file = line.write('bad.json', BAD);
  const found = [
    ['flowchart.unknown-start', '', 4],
    ['flowchart.unknown-type', '/a', 6],
    ['flowchart.duplicate-id', '/a', 7],
    ['flowchart.bad-merge-mode', '/b', 8],
    ['flowchart.bad-delay', '/nap', 9],
    ['node.unreachable', '/pack/far', 11],
    ['flowchart.unknown-activity', '/a', 14],
  ] as const;

  test('is said all at once, where it is written', async () => {
    const { code, out } = await line.run('validate', file, ...handlers);
    expect(code).toBe(2);
    for (const [problem, , at] of found) {
      expect(out).toMatch(new RegExp(`^bad\\.json:${at}:\\d+: .* \\(${problem}\\)$`, 'm'));
    }
    expect(out).toContain(`  14 |     { "from": "a", "to": "nowhere" },
     |                          ^`);
    const { diagnostics } = (await line.json('validate', file, ...handlers)) as {
      diagnostics: { code: string; path: string; line: number }[];
    };
    const listed = diagnostics.map(({ code: problem, path, line: at }) => [problem, path, at]);
    for (const [problem, node, at] of found) {
      expect(listed).toContainEqual([problem, `bad${node}`, at]);
    }
  });

  test('is what run, start, graph and diff refuse it for', async () => {
    for (const words of [['run', ...handlers], ['start'], ['graph'], ['diff', order]]) {
      const [command = '', ...more] = words;
      const { code, talk } = await line.run(command, ...more, file);
      expect([command, code]).toEqual([command, 2]);
      expect(talk).toMatch(/^perdure: bad\.json:4:\d+: [\s\S]*\nbad\.json:14:/);
    }
  });

  test('is nothing that a drawing or a start needs handlers for', async () => {
    expect((await line.run('graph', order)).code).toBe(0);
    expect((await line.run('diff', order, order)).out).toContain('no difference');
  });

  test.each([['validate'], ['run'], ['run', '--store', 'memory:']])(
    'includes types without a handler, also for %s of one that names none',
    async (command, ...more) => {
      const { code, out, talk } = await line.run(command, order, ...more);
      expect(code).toBe(2);
      const said = out + talk;
      expect(said).toMatch(/order\.json:9:5: "pay" is of type "pay", .*--handlers FILE/);
      expect(said).toMatch(/order\.json:\d+:\d+: "pack\/weigh" is of type "say"/);
      expect(said.match(/flowchart\.unknown-type/g)).toHaveLength(4);
    },
  );

  test.each([
    ['no JSON', '{ "id": "x",\n  "activities": [}', /^odd\.json:2:18: .* \(flowchart\.bad-json\)/],
    ['empty', '', /^odd\.json:1:1: .* \(flowchart\.bad-json\)/],
    ['nothing to do', '{ "id": "x", "activities": [] }', /odd\.json:1:\d+: .*flowchart\.no-start/],
    ['another kind of file', '{ "name": "x" }', /^odd\.json: it is no flowchart: /],
    ['a list', '[]', /^odd\.json: it is no flowchart: .* \(definition\.unreadable\)/],
    ['null', 'null', /^odd\.json: it is no flowchart: /],
  ])('can be that it is %s', async (_, text, said) => {
    const written = line.write('odd.json', text);
    const { code, out } = await line.run('validate', written);
    expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(said) });
    for (const command of ['run', 'start', 'graph']) {
      expect(await line.run(command, written)).toMatchObject({ code: 2 });
    }
  });
});

describe('a file with handlers', () => {
  test('exports them by name or by default', async () => {
    const own = line.write('own.mjs', 'export default { say: () => 1, pay: () => 2 };');
    const both = line.write(
      'both.mjs',
      'export default { handlers: { say: () => 1, pay: () => 2 } };',
    );
    for (const file of [own, both]) {
      expect(await line.run('validate', order, '--handlers', file)).toMatchObject({ code: 0 });
    }
  });

  test.each([
    ['has none', 'none.mjs', 'export const a = 1;', 'none.mjs: it has no handlers'],
    ['throws', 'throws.mjs', `\nthrow new Error('not today');`, 'throws.mjs:2:7: it cannot be'],
    ['is not there', 'gone.mjs', null, 'gone.mjs: there is no such file'],
  ])('that %s is told', async (_, name, text, said) => {
    if (text !== null) line.write(name, text);
    const { code, talk } = await line.run('run', order, '--handlers', name);
    expect({ code, talk }).toEqual({ code: 2, talk: expect.stringContaining(said) });
    expect((await line.run('validate', order, '--handlers', name)).out).toContain(said);
  });

  test('goes before what a module has itself', async () => {
    const module = line.write(
      'chart.mjs',
      `import { flowchart } from 'perdure/flowchart';
export const f = flowchart({ id: 'f', version: 1, activities: [{ id: 'a', type: 'say' }] });
export const handlers = { say: () => 'mine' };`,
    );
    const run = ['run', module, '--store', 'memory:'];
    expect(await line.json(...run)).toMatchObject({ output: { a: 'mine' } });
    expect(await line.json(...run, ...handlers)).toMatchObject({ output: { a: 'a' } });
    expect((await line.run('graph', module)).out).toContain('│ say │');
  });

  test('is asked for by a module that has none', async () => {
    const module = line.write(
      'bare.mjs',
      `import { flowchart } from 'perdure/flowchart';
export default flowchart({ id: 'f', version: 1, activities: [{ id: 'a', type: 'say' }] });`,
    );
    expect((await line.run('validate', module)).out).toBe(
      '✓ bare.mjs: f@1; whoever runs it needs f/say\n',
    );
    const { code, talk } = await line.run('run', module, '--store', 'memory:');
    expect(code).toBe(2);
    expect(talk).toMatch(/^perdure: bare\.mjs:2:\d+: "a" is of type "say", .*--handlers FILE/);
  });
});
