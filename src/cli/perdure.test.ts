/** The program itself, as a process: what it prints where, and how it ends. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';
import { Program } from '../testing/program.ts';
import { tooOld } from './node-version.ts';

const line = new CommandLine();
afterEach(() => Program.killAll());
afterAll(() => line.remove());

const SHIPMENT = join(import.meta.dirname, '../../examples/shipment.ts');
const INPUT = ['--input', '{"sku":"A1","parcels":1}'];
const ESCAPE = '\u001B[';

/** A process of its own, that nobody told anything about colours. */
function perdure(...words: readonly string[]): Program {
  return perdureWith({}, ...words);
}

function perdureWith(env: NodeJS.ProcessEnv, ...words: readonly string[]): Program {
  return new Program('../cli/perdure', words, { FORCE_COLOR: '', NO_COLOR: '', ...env });
}

function storeOf(name: string): readonly string[] {
  return ['--store', `sqlite:${join(line.folder, name)}`];
}

async function output(...words: readonly string[]): Promise<string> {
  const program = perdure(...words);
  expect(await program.ended(), program.complaint).toBe('0');
  return program.lines.join('\n');
}

test('while one process runs a flow, others look at it, hurry it and cancel it', async () => {
  const here = storeOf('shared.db');
  const runner = perdure('run', SHIPMENT, ...INPUT, ...here, '--id', 'ship-1');
  await runner.said(/load +failed: the ramp is taken .*; again in 1m/);
  expect(await output('ls', ...here)).toMatch(/^ship-1 +shipment@1 +(waiting|running)/m);
  const shown = JSON.parse(await output('show', 'ship-1', ...here, '--json'));
  const load = shown.tokens.find((token: { node: string }) => token.node === 'load');
  await output('retry', 'ship-1', String(load.id), ...here);
  await runner.said(/load +done at attempt 2/);
  expect(await output('history', 'ship-1', ...here)).toMatch(/load need not wait any longer/);
  await output('cancel', 'ship-1', '--saga', '--actor', 'eve', ...here);
  expect(await runner.ended()).toBe('1');
  expect(runner.lines.join('\n')).toMatch(
    /eve: cancel[\s\S]*reserve +undone[\s\S]*canceled and comp/,
  );
}, 60_000);

test.each([
  ['SIGINT', '130'],
  ['SIGTERM', '143'],
] as const)(
  'a run that is sent %s drains, ends with %s and says how it goes on',
  async (signal, code) => {
    const here = storeOf(`${signal}.db`);
    const runner = perdure('run', SHIPMENT, ...INPUT, ...here, '--id', 'ship-2');
    await runner.said(/cool-off +sleeps/);
    runner.signal(signal);
    expect(await runner.ended()).toBe(code);
    expect(runner.complaint).toMatch(
      /stopped: instance ship-2 is \w+; it goes on with: perdure run/,
    );
  },
);

test('with --json the answer is alone on stdout, whatever the module prints', async () => {
  const file = line.write(
    'loud.ts',
    `import { flow } from 'perdure';
console.log('imported');
export const loud = flow('loud')
  .step('say', async (): Promise<string> => { console.log('running'); return 'done'; })
  .end(({ results }) => results.say);`,
  );
  const program = perdure('run', join(line.folder, file), '--store', 'memory:', '--json');
  expect(await program.ended()).toBe('0');
  expect(program.lines).toHaveLength(1);
  expect(JSON.parse(program.lines[0] ?? '')).toMatchObject({ status: 'completed', output: 'done' });
  expect(program.complaint).toContain('imported\n');
  expect(program.complaint).toContain('running\n');
});

test('a mistake in the syntax of a module is shown with its line', async () => {
  const file = line.write('wrong.ts', `const a: number = 1;\nconst b = ;\nexport const c = a;\n`);
  const program = perdure('validate', join(line.folder, file));
  expect(await program.ended()).toBe('2');
  const said = program.lines.join('\n');
  expect(said).toMatch(/wrong\.ts:2:\d+: it cannot be imported: SyntaxError/);
  expect(said).toMatch(/ {2}2 \| const b = ;\n {4}\| +\^/);
});

test.each([
  ['part.ts', 'const b = ;\n', 'part.ts:1:11: it cannot be imported: SyntaxError: '],
  ['part.mjs', 'let a;\nlet b = ;\n', 'part.mjs:2:9: it cannot be imported: SyntaxError: '],
  ['throws.mjs', `throw new Error('no');\n`, 'throws.mjs:1:7: it cannot be imported: Error: no'],
])('%s that a module imports is named if it is to blame', async (name, text, said) => {
  line.write(name, text);
  const whole = join(line.folder, line.write(`whole-${name}`, `import './${name}';\n`));
  const program = perdure('validate', whole);
  expect(await program.ended()).toBe('2');
  expect(program.lines[0]).toContain(said);
  expect(program.lines).toContain(`  1 | ${text.split('\n')[0]}`);
});

test('nothing is coloured where nobody looks, unless it is asked for', async () => {
  const plain = perdure('validate', SHIPMENT);
  const forced = perdureWith({ FORCE_COLOR: '1' }, 'validate', SHIPMENT);
  const refused = perdureWith({ FORCE_COLOR: '1', NO_COLOR: '1' }, 'validate', SHIPMENT);
  for (const program of [plain, forced, refused]) expect(await program.ended()).toBe('0');
  expect(plain.lines.join('')).not.toContain(ESCAPE);
  expect(forced.lines.join('')).toContain(ESCAPE);
  expect(refused.lines.join('')).not.toContain(ESCAPE);
});

test('what is misspelt is offered, and called wrongly ends with 2', async () => {
  const program = perdure('hsitory', 'a');
  expect(await program.ended()).toBe('2');
  expect(program.complaint).toContain("unknown command 'hsitory' (did you mean history?)");
  const json = perdure('ls', '--jsn', '--json');
  expect(await json.ended()).toBe('2');
  expect(JSON.parse(json.lines.join(''))).toEqual({
    error: { code: 'command.invalid', message: expect.stringContaining('--json'), details: {} },
  });
});

/** A module whose one flow has these steps. */
function moduleOf(name: string, steps: string): string {
  const text = `import { flow } from 'perdure';
const line = () => new Promise((resolve) => process.stdin.once('data', () => resolve(1)));
export default flow('${name}')${steps}.end();`;
  return join(line.folder, line.write(`${name}.mjs`, text));
}

describe('what nobody catches', () => {
  const timer = `setTimeout(() => { throw new Error('late'); }); await line();`;
  const floating = `void Promise.reject(new Error('floating')); await line();`;
  test.each([
    ['in a timer', 'timer', timer, 'late'],
    ['by a promise nobody waits for', 'floating', floating, 'floating'],
  ])('%s ends a run with one line, and with how it goes on', async (_, name, body, message) => {
    const file = moduleOf(name, `.step('a', async () => { ${body} })`);
    const here = storeOf(`${name}.db`);
    const program = perdure('run', file, ...here, '--id', 'i-1');
    expect(await program.ended()).toBe('1');
    const said = program.complaint.trimEnd().split('\n');
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      new RegExp(`^perdure: nobody caught this: Error: ${message} \\(at .*:\\d+:`),
    );
    expect(said[0]).toContain(`; it goes on with: perdure run ${file} ${here.join(' ')} --id i-1`);
    const json = perdure('run', file, '--store', 'memory:', '--json');
    expect(await json.ended()).toBe('1');
    expect(JSON.parse(json.lines.join(''))).toMatchObject({
      error: { code: 'uncaught', message: expect.stringContaining(message) },
    });
  });
});

test('what is thrown when the answer is given stands beside it', async () => {
  const text = `import { flow } from 'perdure';
let begin;
const begun = new Promise((resolve) => { begin = resolve; });
const line = () => new Promise((resolve) => process.stdin.once('data', resolve));
const fail = () => { throw new Error('late'); };
const late = async () => { begin(1); await line(); setTimeout(fail); await line(); };
export const quick = flow('quick').step('a', () => begun).end();
export const other = flow('other').step('b', late).end();`;
  const file = join(line.folder, line.write('beside.mjs', text));
  const here = storeOf('beside.db');
  await output('start', file, '--flow', 'other', ...here);
  const program = perdure('run', file, '--flow', 'quick', ...here, '--json');
  await program.said(/"status":"completed"/);
  program.tell('go on');
  expect(await program.ended()).toBe('1');
  expect(program.lines).toHaveLength(1);
  expect(program.complaint).toContain('perdure: nobody caught this: Error: late');
});

test('a promise that a module lets fall while it is imported is heard of', async () => {
  const text = `import { flow } from 'perdure';
void Promise.reject(new Error('dropped'));
export default flow('drops').step('a', () => 1).end();`;
  const file = join(line.folder, line.write('drops.mjs', text));
  for (const words of [
    ['validate', file],
    ['run', file, '--store', 'memory:'],
  ]) {
    const program = perdure(...words, '--json');
    expect(await program.ended()).toBe('1');
    expect(JSON.parse(program.lines.join(''))).toMatchObject({ error: { code: 'uncaught' } });
  }
});

test('a module that awaits what never comes is unreadable', async () => {
  const file = line.write('never.mjs', 'await new Promise(() => {});\nexport default 1;');
  const program = perdure('run', join(line.folder, file), '--json');
  expect(await program.ended()).toBe('2');
  expect(program.complaint).toBe('');
  expect(JSON.parse(program.lines.join(''))).toMatchObject({
    error: {
      code: 'definition.unreadable',
      message: expect.stringContaining('it awaits something that never comes'),
    },
  });
});

test.skipIf(!existsSync('/dev/full'))('an answer that no disk takes is one line', async () => {
  const program = join(import.meta.dirname, 'perdure.ts');
  const words = [process.execPath, '--conditions=perdure-source', program, 'validate', SHIPMENT];
  const full = promisify(execFile)('sh', ['-c', 'exec "$0" "$@" > /dev/full', ...words]);
  await expect(full).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^perdure: the answer cannot be written: .*ENOSPC.*\n$/),
  });
});

describe('where nobody listens any more', () => {
  test('a run drains, and does not look as if it were done', async () => {
    const steps = `.step('a', line).waitFor('b', { event: 'go', key: 'k' })`;
    const runner = perdure('run', moduleOf('unread', steps), ...storeOf('unread.db'));
    await runner.said(/starts unread/);
    runner.stopListening('stdout');
    runner.tell('go on');
    expect(await runner.ended()).toBe('141');
    expect(runner.complaint).toMatch(/stopping \(nobody reads what it says\)/);
    expect(runner.complaint).toMatch(/stopped: instance \S+ is waiting; it goes on with/);
  });

  test('to what is said beside the answer, a run goes on', async () => {
    const steps = `.step('a', async () => { await line(); console.error('beside'); })`;
    const runner = perdure('run', moduleOf('unheard', steps), '--store', 'memory:');
    await runner.said(/starts unheard/);
    runner.stopListening('stderr');
    runner.tell('go on');
    expect(await runner.ended()).toBe('0');
    expect(runner.lines.join('\n')).toContain('✓ completed');
  });

  test('history has told enough', async () => {
    const here = storeOf('unread.db');
    const [id = ''] = (await output('ls', ...here)).match(/^\S+-\S+/m) ?? [];
    const reader = perdure('history', id, '--follow', ...here);
    await reader.said(/starts unread/);
    reader.stopListening('stdout');
    await output('send', id, 'go', ...here);
    await output('cancel', id, ...here);
    expect(await reader.ended()).toBe('0');
  });
});

describe('help', () => {
  test.each([
    ['help', /^ {2}validate \[options\] <files\.\.\.>/m],
    ['help run', /--skip-time/],
    ['run --help', /--skip-time/],
    ['help outbox', /requeue/],
    ['help help', /validate/],
  ])('%s is shown, and ends with 0', async (words, what) => {
    expect(await output(...words.split(' '))).toMatch(what);
  });

  test('of a command that is misspelt is help with that', async () => {
    const program = perdure('help', 'shw');
    expect(await program.ended()).toBe('2');
    expect(program.complaint).toBe('perdure: unknown command "shw": did you mean "show"?\n');
    expect(await perdure().ended()).toBe('2');
  });
});

describe('code that ends the process', () => {
  test.each([
    ['run', 0],
    ['validate', 3],
  ])('while %s imports it does not look as if it were done', async (command, number) => {
    const file = line.write(`exits-${number}.mjs`, `process.exit(${number});`);
    const words = [command, join(line.folder, file)];
    const program = perdure(...words);
    expect(await program.ended()).toBe('1');
    expect(program.complaint).toMatch(/^perdure: your code ended the process, or .*\n$/);
    const json = perdure(...words, '--json');
    expect(await json.ended()).toBe('1');
    expect(JSON.parse(json.lines.join(''))).toMatchObject({ error: { code: 'cut-short' } });
  });

  test('in a step says how the run goes on', async () => {
    const file = moduleOf('exits', `.step('a', async () => process.exit(await line() - 1))`);
    const program = perdure('run', file, ...storeOf('exits.db'), '--id', 'i-1');
    await program.said(/starts exits/);
    program.tell('go on');
    expect(await program.ended()).toBe('1');
    expect(program.complaint).toMatch(
      /your code ended .*; it goes on with: perdure run .* --id i-1/,
    );
  });
});

test('a module has a command line of its own', async () => {
  const text = `console.error(JSON.stringify(process.argv.slice(1)));
import { flow } from 'perdure';
export default flow('argv').step('a', () => 1).end();`;
  const file = join(line.folder, line.write('argv.mjs', text));
  const program = perdure('run', file, '--store', 'memory:');
  expect(await program.ended()).toBe('0');
  expect(program.complaint).toContain(`${JSON.stringify([file])}\n`);
});

test.each([
  ['v20.19.0', true],
  ['v22.17.1', true],
  ['v22.18.0', false],
  ['v24.1.0', false],
])('Node %s is refused before anything of it is missed: %s', (version, isOld) => {
  expect(tooOld(version) !== undefined).toBe(isOld);
});
