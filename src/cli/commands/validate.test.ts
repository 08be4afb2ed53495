/** `perdure validate`, and what every command says of a file it cannot read. */
import { afterAll, describe, expect, test } from 'vitest';
import { CommandLine } from '../../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const GOOD = `import { flow } from 'perdure';
export const good = flow('good').step('a', async () => 1).end();
`;
const BAD = `import { flow } from 'perdure';
const nothing = async () => null;
export const bad = flow('bad')
  .step('twice', nothing)
  .step('twice', nothing)
  .sleep('nap', 'soon')
  .end();
`;

test('a definition that is right is said to be', async () => {
  const file = line.write('good.mjs', GOOD);
  expect(await line.run('validate', file)).toEqual({
    code: 0,
    out: '✓ good.mjs: good@1\n',
    talk: '',
  });
  expect(await line.json('validate', file)).toEqual({ diagnostics: [] });
});

test('everything that is wrong is said, where it is written', async () => {
  const file = line.write('bad.mjs', BAD);
  const { code, out } = await line.run('validate', file, 'good.mjs');
  expect(code).toBe(2);
  expect(out).toMatch(/^bad\.mjs:4:9: .*"twice".* \(\S+\)\n {2}2 \| const nothing/);
  expect(out).toContain(`  4 |   .step('twice', nothing)\n    |         ^\n`);
  expect(out).toMatch(/^bad\.mjs:6:10: .*"nap".*\n/m);
  expect(out).toContain('✓ good.mjs: good@1\n');
  const { diagnostics } = (await line.json('validate', file)) as { diagnostics: object[] };
  expect(diagnostics).toHaveLength(2);
  expect(diagnostics[1]).toEqual({
    file: 'bad.mjs',
    code: expect.stringMatching(/^sleep\./),
    message: expect.stringContaining('"nap"'),
    path: 'bad/nap',
    line: 6,
    column: 10,
  });
});

test('a step of a chain without a handler is wrong where others have one', async () => {
  const head = `import { chain, completed } from 'perdure';
export const c = chain('c', 1, ['A', 'B', 'D']);
`;
  const handlers = `export const handlers = { A: () => completed(), 'c/D': () => completed() };`;
  const files = [line.write('half.mjs', head + handlers), line.write('bare.mjs', head)];
  const { code, out } = await line.run('validate', ...files);
  expect(code).toBe(2);
  expect(out).toMatch(/^half.mjs:2:38: "B" needs a handler, .* \(node.no-code\)\n/);
  expect(out).toContain('✓ bare.mjs: c@1; whoever runs it needs c/A, c/B, c/D\n');
  expect(await line.json('validate', 'half.mjs')).toMatchObject({
    diagnostics: [{ code: 'node.no-code', path: 'c/B', line: 2 }],
  });
});

describe('a file that cannot be read', () => {
  test.each([
    [
      'of another kind',
      'flow.bpmn',
      '<a/>',
      'of these kinds: .ts, .mts, .js, .mjs, .json, .yaml, .yml',
    ],
    ['without a flow', 'none.mjs', 'export const a = 1;', 'it has no flow'],
    [
      'with a flow that is not finished',
      'open.mjs',
      `import { flow } from 'perdure';\nexport const a = flow('a').step('b', async () => 1);`,
      'it ends with .end()',
    ],
    ['that throws', 'throws.mjs', `const a = 1;\n\nthrow new Error('not today');`, 'not today'],
    [
      'that imports what is not there',
      'gone.mjs',
      `import './gone-too.mjs';`,
      'cannot be imported',
    ],
  ])('%s is a diagnostic, and a usage error of every command', async (_, name, text, said) => {
    const file = line.write(name, text);
    const { code, out } = await line.run('validate', file);
    expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining(said) });
    const diagnostics = [{ code: 'definition.unreadable', file: name }];
    expect(await line.json('validate', file)).toMatchObject({ diagnostics });
    for (const command of ['run', 'start', 'graph']) {
      const ended = await line.run(command, `./${file}`, '--store', 'memory:');
      expect(ended, command).toMatchObject({ code: 2, talk: expect.stringContaining(said) });
    }
  });

  test('that throws is shown where it throws', async () => {
    const { out } = await line.run('validate', 'throws.mjs');
    expect(out).toMatch(/^throws\.mjs:3:\d+: it cannot be imported: Error: not today\n/);
    expect(out).toContain(`  3 | throw new Error('not today');\n`);
  });

  test('that is not there is said to be so', async () => {
    expect(await line.run('run', 'nowhere.ts')).toMatchObject({
      code: 2,
      talk: 'perdure: nowhere.ts: there is no such file\n',
    });
  });

  test('that is bad is refused by run with all that is wrong', async () => {
    const { code, talk } = await line.run('run', 'bad.mjs', '--store', 'memory:');
    expect(code).toBe(2);
    expect(talk).toMatch(/^perdure: bad\.mjs:4:9: [\s\S]*\nbad\.mjs:6:10: /);
  });
});

describe('an input', () => {
  const run = (...words: string[]) => line.run('run', 'good.mjs', '--store', 'memory:', ...words);

  test('that is no JSON is shown where it is wrong', async () => {
    expect(await run('--input', '{"a": }')).toMatchObject({
      code: 2,
      talk: expect.stringContaining('  1 | {"a": }\n    |       ^'),
    });
  });

  test('is read from a file', async () => {
    line.write('in.json', '{\n  "a": 1,\n}');
    expect((await run('--input', '@in.json')).talk).toContain('@in.json:3:1');
    line.write('in.json', '{ "a": 1 }');
    expect((await run('--input', '@in.json')).code).toBe(0);
    expect((await run('--input', '@nowhere.json')).code).toBe(2);
  });
});

test.each([
  ['redis://here', 2],
  ['sqlite:', 2],
  ['postgres:// nobody', 2],
])('%s is no store', async (store, code) => {
  const ended = await line.run('ls', '--store', store);
  expect(ended).toMatchObject({
    code,
    talk: expect.stringContaining('a store is memory:, sqlite:'),
  });
});

test('the store is the one of the environment, or the usual one, unless one is named', async () => {
  const env = { PERDURE_STORE: 'sqlite:named.db' };
  expect((await line.run('ls')).talk).toContain('there is no database at sqlite:perdure.db');
  expect((await line.runIn({ env }, 'ls')).talk).toContain(
    'there is no database at sqlite:named.db',
  );
  const { talk } = await line.runIn({ env }, 'ls', '--store', 'sqlite:other.db');
  expect(talk).toContain('there is no database at sqlite:other.db');
});

test.each([['run', '--store', 'memory:'], ['graph'], ['start', '--store', 'memory:']])(
  'what is wrong with a definition is shown by %s where it is written',
  async (...words) => {
    const [command = '', ...rest] = words;
    const { code, talk } = await line.run(command, line.write('bad.mjs', BAD), ...rest);
    expect(code).toBe(2);
    expect(talk).toMatch(/^perdure: bad\.mjs:4:9: .*"twice".* \(\S+\)\n {2}2 \| const nothing/);
  },
);

test.each([
  ['graph', 'foo.bpmn'],
  ['start', 'foo.bpmn'],
  ['diff', 'foo.bpmn', 'foo.yml'],
  ['run', 'foo.bpmn'],
])('%s %s says what a definition is, and nothing of a database', async (...words) => {
  const { code, talk } = await line.run(...words);
  expect(code).toBe(2);
  expect(talk).toMatch(/a definition is a file of one of these kinds/);
});

test('an id that looks like a path is one only if something is there', async () => {
  await line.run('migrate');
  const { code, talk } = await line.run('graph', 'tenant/7');
  expect(code).toBe(3);
  expect(talk).toContain('there is no file, instance or flow "tenant/7"');
});
