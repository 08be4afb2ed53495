/** What is wrong with a Serverless Workflow, as commands say it: what, where, and what to do. */
import { afterAll, describe, expect, test } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const BAD = `document: { dsl: '1.0.3', namespace: shop, name: bad, version: '1.0.0' }
nobody: knows this
do:
  - one:
      set: { hello: 'Hello \${ .who }!' }
      then: tow
  - two:
      switch:
        - a: { when: .a, then: exit }
        - b: { then: end }
        - c: { then: one }
  - one:
      call: nobody
`;

const FOUND = [
  ['serverless.unknown-property', '/nobody', 2, 1, 'warning'],
  ['serverless.text-around-expression', '/do/0/one/set/hello', 5, 21, 'warning'],
  ['serverless.unknown-jump', '/do/0/one/then', 6, 13, undefined],
  ['serverless.two-defaults', '/do/1/two/switch/2/c', 11, 11, undefined],
  ['serverless.duplicate-name', '/do/2/one', 12, 5, undefined],
  ['serverless.unknown-function', '/do/2/one/call', 13, 13, undefined],
] as const;

describe('a definition that is wrong', () => {
  const bad = line.write('bad.yaml', BAD);

  test('is told with everything in it, each with its place [DOC-13, DOC-15]', async () => {
    const { diagnostics } = (await line.json('validate', bad)) as { diagnostics: object[] };
    expect(diagnostics).toEqual(
      FOUND.map(([code, path, at, column, severity]) => ({
        ...{ file: 'bad.yaml', code, message: expect.any(String), path, line: at, column },
        ...(severity === undefined ? {} : { severity }),
      })),
    );
  });

  test('is shown where it is written, and with what to do', async () => {
    const { code, out } = await line.run('validate', bad);
    expect(code).toBe(2);
    expect(out).toContain(
      `bad.yaml:6:13: there is no task "tow" to go on with; did you mean "two"? `,
    );
    expect(out).toContain(`  6 |       then: tow
    |             ^
`);
    expect(out).toMatch(/^bad\.yaml:12:5: .*rename one of them \(serverless\.duplicate-name\)$/m);
    expect(out).toMatch(/^bad\.yaml:5:21: warning: .* make it one expression, such as /m);
  });

  test('is refused by every command that takes it, and nothing is begun', async () => {
    for (const words of [['run'], ['start'], ['graph'], ['diff', bad]]) {
      const [command = '', ...more] = words;
      const { code, talk } = await line.run(command, ...more, bad, '--store', 'sqlite:none.db');
      expect([command, code]).toEqual([command, 2]);
      expect(talk).toMatch(/^perdure: bad\.yaml:6:13: [\s\S]*\nbad\.yaml:13:13: /);
    }
  });

  test('is a mistake in an expression, too [DOC-19]', async () => {
    const file = line.write(
      'jq.yaml',
      `document: { dsl: '1.0.3', namespace: shop, name: jq, version: '1.0.0' }
do:
  - one: { set: { a: '\${ .a + }' } }
`,
    );
    const { code, out } = await line.run('validate', file);
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringMatching(/^jq\.yaml:3:22: .* \(serverless\.bad-expression\)\n/),
    });
  });

  test.each([
    ['no YAML', 'a: [1,\nb: }', /^odd\.yaml:\d+:\d+: .*\(serverless\./],
    ['empty', '', /^odd\.yaml(:1:1)?: .*\(serverless\./],
    ['a list', '- 1', /^odd\.yaml:1:1: a definition is an object with "document" and "do"/],
    ['another file', 'version: "3"\nservices: {}', /needs "document"/],
  ])('can be that it is %s', async (_, text, said) => {
    const file = line.write('odd.yaml', text);
    const { code, out } = await line.run('validate', file);
    expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(said) });
    expect(await line.run('run', file)).toMatchObject({ code: 2 });
  });

  test('in JSON is told as a workflow if it seems to be one, else as a flowchart', async () => {
    const dsl = line.write('dsl.json', '{ "document": { "dsl": "1.0.3", } }');
    expect((await line.run('validate', dsl)).out).toMatch(/^dsl\.json:1:\d+: .*\(serverless\./);
    const chart = line.write('chart.json', '{ "activities": [ }');
    expect((await line.run('validate', chart)).out).toContain('(flowchart.bad-json)');
    const headless = line.write('headless.json', '{ "document": {}, "do": [] }');
    expect((await line.run('validate', headless)).out).toContain('needs "dsl"');
    const none = line.write('none.json', '{ "name": "x" }');
    expect((await line.run('validate', none)).out).toMatch(
      /^none\.json: it is no flowchart: .*; nor is it a Serverless Workflow, which has "document"/,
    );
  });
});

describe('a definition that can be run, and yet is worth a word', () => {
  const file = line.write(
    'warned.yaml',
    `document: { dsl: '1.0.3', namespace: shop, name: warned, version: '1.0.0' }
colour: blue
do:
  - one: { set: { a: 1 } }
`,
  );
  const said = `warned.yaml:2:1: warning: a workflow has no property "colour"; there are `;

  test('is right, and the word is said [DOC-25]', async () => {
    const { code, out } = await line.run('validate', file);
    expect(code).toBe(0);
    expect(out).toContain(said);
    expect(out).toMatch(/✓ warned\.yaml: shop\.warned@1\.0\.0\n$/);
    expect(await line.json('validate', file)).toMatchObject({
      diagnostics: [{ path: '/colour', line: 2, column: 1, severity: 'warning' }],
    });
  });

  test('is run, and the word is said beside it', async () => {
    const { code, out, talk } = await line.run('run', file, '--store', 'memory:', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ output: { a: 1 } });
    expect(talk).toContain(said);
  });
});

describe('a definition that is made of others', () => {
  const OTHER = 'http://127.0.0.1:1/function.yaml';
  const file = line.write(
    'made.yaml',
    `document: { dsl: '1.0.3', namespace: shop, name: made, version: '1.0.0' }
do:
  - one: { call: 'http://127.0.0.1:1/function.yaml' }
`,
  );

  test('is checked and drawn without them', async () => {
    expect(await line.run('validate', file)).toMatchObject({
      code: 0,
      out: `✓ made.yaml: shop.made@1.0.0; whoever runs it fetches ${OTHER}\n`,
    });
    expect((await line.run('graph', file)).out).toContain('calls http://127.0.0.1:1/function.yaml');
  });

  test('is not run without them', async () => {
    const { code, talk } = await line.run('run', file, '--store', 'memory:');
    expect(code).toBe(2);
    expect(talk).toMatch(
      /127\.0\.0\.1:1\/function\.yaml cannot be fetched: .*--allow-net 127\.0\.0\.1/,
    );
  });
});
