/** Runs that nothing moves: what they say, and whether they wait. */
import { afterAll, describe, expect, test } from 'vitest';
import type { Engine, InstanceView } from '../index.ts';
import { CommandLine } from '../testing/command-line.ts';
import { standstillsOf } from './standing-still.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const HEAD = `import { chain, completed, flow } from 'perdure';\n`;
const BARE = `${HEAD}export default chain('c', 1, ['A', 'B', 'A']);`;
const HALF = `${HEAD}export const c = chain('c', 1, ['A', 'B', 'D']);
export const handlers = { A: () => completed(), 'c/D': () => completed() };`;
const CALLS = `${HEAD}export default flow('caller').call('c', 'nowhere', () => ({})).end();`;
const FAILS = `${HEAD}let isOpen = false;
Object.assign(globalThis, { openBank: () => { isOpen = true; } });
export default flow('fails', { onFailure: 'incident' })
  .step('charge', () => { if (!isOpen) throw new Error('the bank is shut'); return 1; })
  .end();`;

describe('a chain without handlers', () => {
  test.each([
    ['none', 'bare.mjs', BARE, 'c/A, c/B'],
    ['some', 'half.mjs', HALF, 'c/B'],
  ])('of which it has %s is refused in memory, where nobody else can have them', async (...row) => {
    const [, name, text, missing] = row;
    const file = line.write(name, text);
    for (const more of [[], ['--skip-time']]) {
      const { code, talk } = await line.run('run', file, '--store', 'memory:', ...more);
      expect(code).toBe(2);
      expect(talk).toContain(`"${file}" has no handler`);
      expect(talk).toContain(` for ${missing}: export const handlers`);
    }
  });

  test('that another one calls is found out when its turn comes', async () => {
    const text = `${HEAD}const c = chain('c', 1, ['A']);
export const f = flow('f').call('sub', c, () => ({})).end();`;
    const words = ['run', line.write('sub.mjs', text), '--store', 'memory:'];
    for (const more of [[], ['--skip-time']]) {
      const { code, out } = await line.run(...words, ...more);
      expect(code).toBe(1);
      expect(out).toMatch(
        /is waiting, and nothing will move it: "sub.mjs" has no handler for c\/A/,
      );
    }
  });
});

describe('a call of a flow that nobody has', () => {
  test('ends a run in memory, and says why', async () => {
    const words = ['run', line.write('calls.mjs', CALLS), '--store', 'memory:'];
    for (const more of [[], ['--skip-time']]) {
      const { code, out } = await line.run(...words, ...more);
      expect(code).toBe(1);
      expect(out).toMatch(/nothing will move it: "c" calls the flow "nowhere", which "calls.mjs"/);
      expect(await line.json(...words, ...more)).toMatchObject({
        status: 'waiting',
        error: { code: 'call.unknown-flow', node: 'c' },
      });
    }
  });

  test('is said on a database, where another process may have it', async () => {
    const words = ['run', line.write('calls.mjs', CALLS), '--store', 'sqlite:calls.db'];
    const said = line.says(/waits: "c" calls the flow "nowhere", which no process has begun\n/);
    const running = line.run(...words);
    await said;
    line.stop('SIGINT');
    expect((await running).code).toBe(130);
  });
});

describe('a step that failed and waits to be mended', () => {
  test('on a database is said once, with what can be done, and is waited for', async () => {
    const here = ['--store', 'sqlite:fails.db'];
    const file = line.write('fails.mjs', FAILS);
    const said = line.says(/waits: "charge" failed and waits to be mended: the bank is shut/);
    const running = line.run('run', file, ...here, '--id', 'f-1');
    await said;
    (globalThis as unknown as { openBank(): void }).openBank();
    const { out } = await line.run('show', 'f-1', '--json', ...here);
    const { token } = JSON.parse(out).incidents[0];
    await line.run('retry', 'f-1', String(token), ...here);
    const { code, talk } = await running;
    expect(code).toBe(0);
    expect(talk.match(/waits to be mended/g)).toHaveLength(1);
    expect(talk).toContain(
      `    perdure retry f-1 ${token} --store sqlite:fails.db\n` +
        `    perdure skip f-1 ${token} --result JSON --store sqlite:fails.db\n` +
        '    perdure cancel f-1 --saga --store sqlite:fails.db\n',
    );
  });

  test('in memory ends the run, since nobody can mend it there', async () => {
    const text = FAILS.replace('isOpen = false', 'isOpen = Number(0) === 1');
    const { code, out } = await line.run('run', line.write('shut.mjs', text), '--store', 'memory:');
    expect(code).toBe(1);
    expect(out).toMatch(
      /nothing will move it: "charge" failed and waits to be mended: the bank is/,
    );
  });
});

test('one that is suspended says how it is resumed', async () => {
  const here = ['--store', 'sqlite:held.db'];
  const text = `${HEAD}export default flow('held').waitFor('w', { event: 'go', key: 'k' }).end();`;
  const file = line.write('held.mjs', text);
  await line.run('start', file, '--id', 'h-1', ...here);
  await line.run('suspend', 'h-1', ...here);
  const said = line.says(
    /waits: instance h-1 is suspended; what can be done:\n {4}perdure resume h/,
  );
  const running = line.run('run', file, '--id', 'h-1', ...here);
  await said;
  await line.run('resume', 'h-1', ...here);
  await line.run('send', 'h-1', 'go', ...here);
  expect((await running).code).toBe(0);
});

test('a handler that no process has is named, and so is a join that lacks others', async () => {
  const tokens = [{ token: 3, node: 'A', handler: 'c/A', since: 0 }];
  const missing = { reason: 'handler.missing', handlers: ['c/A'], tokens };
  const join = { node: 'j', scope: 1, group: 2, arrived: [4], missing: ['a->j'] };
  const defined = { file: 'c.ts', source: '', flows: [], handlers: {} };
  const around = { engine: {} as Engine, defined, isAlone: false };
  const of = async (stalled: object): Promise<readonly string[]> => {
    const view = { id: 'i', tokens: [], incidents: [], pauses: [], stalled };
    const found = await standstillsOf(around, view as unknown as InstanceView);
    return found.map(({ text }) => text);
  };
  expect(await of(missing)).toEqual(['no process has c/A: start a program that has them']);
  expect(await of({ ...missing, handlers: ['v@1/'] })).toEqual([
    'no process has the code of "v@1": start a program that has the flow as it was; ' +
      'one that is changed needs another version',
  ]);
  expect(await of({ reason: 'join', joins: [join] })).toEqual([
    '"j" waits for what cannot come any more, by a->j',
  ]);
});

test('in memory, what instances have for each other is waited for', async () => {
  const text = `${HEAD}const child = flow('child').emit('tell', { type: 'go', key: 'k' }).end();
export const parent = flow('parent').parallel('both', {
  ask: (b) => b.call('sub', child, () => ({})),
  hear: (b) => b.waitFor('w', { event: 'go', key: 'k' }),
}).end();`;
  const words = ['run', line.write('talk.mjs', text), '--flow', 'parent', '--store', 'memory:'];
  for (const more of [[], ['--skip-time']]) {
    expect(await line.json(...words, ...more)).toMatchObject({ status: 'completed' });
  }
});
