/** Runs that are told to stop, and how they go on. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandLine, type Ended } from '../testing/command-line.ts';
import { Gate } from '../testing/stage.ts';

const line = new CommandLine();
afterAll(() => line.remove());

/** What a handler of the module waits for: it runs in this process. */
let bank: Gate<string>;
let asked: Gate;
beforeEach(() => {
  bank = new Gate();
  asked = new Gate();
  const askBank = (): Promise<string> => {
    asked.open();
    return bank.opened;
  };
  Object.assign(globalThis, { askBank });
});

/** Runs it until its handler is at work, and that is known. */
async function atWork(...words: readonly string[]): Promise<{ ended: Promise<Ended> }> {
  const started = line.says(/· starts/);
  const ended = line.run('run', ...words);
  await Promise.all([started, asked.opened]);
  return { ended };
}

const HEAD = `import { flow } from 'perdure';\n`;
/** One step that takes as long as the test wants, and one behind it. */
const TWO = `${HEAD}export const two = flow('two')
  .step('bank', () => askBank())
  .step('after', () => 1)
  .end();`;
const ONE = `${HEAD}export const one = flow('one')
  .step('bank', () => askBank(), { timeout: '10m' })
  .end(({ results }) => results.bank);`;
/** A message is waited for, by one of two flows whose input has a schema. */
const PAY = `${HEAD}
const input = { '~standard': { version: 1, vendor: 'me', validate: (value) =>
  typeof value.amount === 'number' ? { value } : { issues: [{ message: 'amount is a number' }] },
} };
export const pay = flow('pay', { input }).waitFor('paid', { event: 'paid', key: 'k' }).end();
export const other = flow('other').step('a', () => 1).end();`;

/** The command by which it says to be gone on with, as a shell would cut it. */
function advised({ talk }: Ended): readonly string[] {
  const [, command = ''] = /it goes on with: perdure (.*)$/m.exec(talk) ?? [];
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

describe('a run that was told to stop', () => {
  test('goes on by the very command it prints', async () => {
    const file = line.write('the pay.mjs', PAY);
    const here = ['--store', 'sqlite:pay.db'];
    const words = ['run', file, '--flow', 'pay', '--input', '{"amount":1}', '--skip-time', ...here];
    const waiting = line.says(/paid +waits for paid of k/);
    const first = line.run(...words);
    await waiting;
    line.stop('SIGINT');
    const ended = await first;
    expect(ended.code).toBe(130);
    const [, id] = /^instance (\S+)$/m.exec(ended.out) ?? [];
    const again = ['run', file, '--flow', 'pay', ...here, '--id', id, '--skip-time'];
    expect(advised(ended)).toEqual(again);
    await line.run('publish', 'paid', '--key', 'k', '--data', '7', ...here);
    const { code, out } = await line.run(...advised(ended), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id, status: 'completed', output: { paid: 7 } });
  });

  test('names the store only where it would not be found by itself', async () => {
    const file = line.write('pay.mjs', PAY);
    const env = { PERDURE_STORE: 'sqlite:env.db' };
    const words = ['run', file, '--flow', 'pay', '--input', '{"amount":1}', '--id', 'p-1'];
    for (const store of [[], ['--store', 'sqlite:env.db']]) {
      const waiting = line.says(/paid +waits for paid of k/);
      const running = line.runIn({ env }, ...words, ...store);
      await waiting;
      line.stop('SIGTERM');
      const ended = await running;
      expect(ended.code).toBe(143);
      expect(advised(ended)).toEqual(['run', file, '--flow', 'pay', '--id', 'p-1']);
    }
  });

  test('says at once what it waits for, and shows how that ends', async () => {
    const file = line.write('two.mjs', TWO);
    const { ended } = await atWork(file, '--store', 'sqlite:two.db', '--id', 't-1');
    const stopping = line.says(/stopping \(SIGINT\): waits for bank, at most 10s; SIGINT again/);
    line.stop('SIGINT');
    await stopping;
    bank.open('paid');
    const { code, out, talk } = await ended;
    expect(code).toBe(130);
    expect(out).toMatch(/✓ bank +done/);
    expect(out).not.toMatch(/after/);
    expect(talk).toMatch(
      /^stopped: instance t-1 is running; it goes on with: perdure run two.mjs/m,
    );
    const second = await line.run(...advised({ code, out, talk }));
    expect(second.out).toMatch(/^instance t-1 goes on after 2 commits\n✓ after +done/);
  });

  test('answers with JSON that it was interrupted', async () => {
    const file = line.write('two.mjs', TWO);
    const words = [file, '--store', 'sqlite:two.db', '--id', 't-2', '--json'];
    const { ended } = await atWork(...words);
    line.stop('SIGTERM');
    bank.open('paid');
    const { code, out } = await ended;
    expect(code).toBe(143);
    expect(JSON.parse(out)).toEqual({
      ...{ id: 't-2', status: 'running', output: null },
      error: {
        code: 'interrupted',
        message: expect.stringMatching(/^instance t-2 is running; it goes on with: perdure run/),
        node: null,
      },
    });
  });

  test.each([
    ['on a database', ['--store', 'sqlite:one.db']],
    ['in memory', ['--store', 'memory:']],
    ['in memory where time is skipped', ['--store', 'memory:', '--skip-time']],
  ])('and completes meanwhile, %s, gives its output and ends well', async (_, words) => {
    const file = line.write('one.mjs', ONE);
    const { ended } = await atWork(file, ...words);
    const stopping = line.says(/stopping \(SIGINT\): waits for bank/);
    line.stop('SIGINT');
    await stopping;
    bank.open('paid');
    const { code, out, talk } = await ended;
    expect(code).toBe(0);
    expect(out).toMatch(/✓ completed.*\n"paid"\n$/);
    expect(talk).not.toContain('stopped');
  });

  test.each([
    [
      'on a database',
      'sqlite:twice.db',
      [],
      /bank had not ended, and will be run again; it goes on/,
    ],
    ['in memory', 'memory:', ['--skip-time'], /it was in memory, and is gone/],
  ])('twice stops at once, %s', async (_, store, more, said) => {
    const file = line.write('one.mjs', ONE);
    const { ended } = await atWork(file, '--store', store, '--json', ...more);
    const stopping = line.says(/stopping \(SIGINT\)/);
    line.stop('SIGINT');
    await stopping;
    line.stop('SIGINT');
    const { code, out, talk } = await ended;
    bank.open('too late');
    expect(code).toBe(130);
    expect(talk).toMatch(said);
    expect(JSON.parse(out)).toMatchObject({ status: 'running', error: { code: 'interrupted' } });
  });

  test('because nobody reads what it says, is told apart from one that is done', async () => {
    const file = line.write('two.mjs', TWO);
    const { ended } = await atWork(file, '--store', 'sqlite:two.db', '--id', 't-3');
    line.stop('SIGPIPE');
    line.stop('SIGPIPE');
    bank.open('paid');
    const { code, talk } = await ended;
    expect(code).toBe(141);
    expect(talk).toMatch(/stopping \(nobody reads what it says\): waits for bank/);
    expect(talk).toMatch(/stopped: instance t-3 is running; it goes on with/);
  });
});

test('a run that is over keeps nobody waiting for what else is at work', async () => {
  const file = line.write('two.mjs', TWO);
  const here = ['--store', 'sqlite:quick.db'];
  await line.run('start', file, ...here);
  const quick = line.write(
    'quick.mjs',
    `${HEAD}export * from './two.mjs';
export const quick = flow('quick').step('a', () => bankIsAsked()).end();`,
  );
  Object.assign(globalThis, { bankIsAsked: () => asked.opened });
  const answered = line.says(/"status":"completed"/);
  const running = line.run('run', quick, '--flow', 'quick', ...here, '--json');
  await answered;
  line.stop('SIGINT');
  expect((await running).code).toBe(0);
  bank.open('too late');
});

describe('an instance that is there already', () => {
  test('has its input no longer checked, and tells only what is new', async () => {
    const file = line.write('pay.mjs', PAY);
    const here = ['--flow', 'pay', '--store', 'sqlite:there.db'];
    const by = ['--key', 'order-7'];
    await line.run('start', file, '--input', '{"amount":1}', ...by, ...here);
    const bad = await line.run('run', file, '--key', 'order-8', ...here);
    expect(bad).toMatchObject({ code: 2, talk: expect.stringContaining('amount is a number') });
    const waiting = line.says(/goes on after 1 commit\n… paid +waits for paid of k\n$/);
    const running = line.run('run', file, ...by, ...here);
    await waiting;
    await line.run('publish', 'paid', '--key', 'k', '--data', '1', '--store', 'sqlite:there.db');
    const { code, out } = await running;
    expect(code).toBe(0);
    expect(out).not.toContain('starts pay');
  });

  test('and is over is not run, and gives what became of it', async () => {
    const file = line.write('one.mjs', ONE);
    const words = ['run', file, '--store', 'sqlite:over.db', '--id', 'o-1'];
    bank.open('paid');
    await line.run(...words);
    const { code, out, talk } = await line.run(...words);
    expect({ code, out }).toEqual({ code: 0, out: '"paid"\n' });
    expect(talk).toMatch(
      /^instance o-1 is over since \S+Z \(\S+ ago\): it completed; nothing is run: another --id/,
    );
  });

  test('and has failed says how it can be revived', async () => {
    const text = `${HEAD}const no = () => { throw new Error('no'); };
export const bad = flow('bad').step('a', no).end();`;
    const words = ['run', line.write('bad.mjs', text), '--store', 'sqlite:over.db', '--id', 'o-2'];
    await line.run(...words);
    const { code, out, talk } = await line.run(...words);
    expect(code).toBe(1);
    expect(talk).toContain('it failed; nothing is run');
    expect(talk).toContain('perdure revive o-2 --store sqlite:over.db has it go on');
    expect(out).toMatch(
      /^instance o-2 is failed: no \(handler.threw\); more: perdure show o-2 --st/,
    );
    expect(await line.json(...words)).toMatchObject({ status: 'failed', error: { message: 'no' } });
  });

  test('and was undone was said to be revived, which is refused', async () => {
    const text = `${HEAD}const no = () => { throw new Error('no'); };
export const bad = flow('bad').step('a', () => 1, { undo: () => {} }).step('b', no).end();`;
    const store = ['--store', 'sqlite:undone.db'];
    const words = ['run', line.write('undone.mjs', text), ...store, '--id', 'o-3'];
    await line.run(...words);
    const rerun = 'perdure rerun o-3 NODE --store sqlite:undone.db';
    const { talk } = await line.run(...words);
    expect(talk).toContain(`${rerun} has it go on from a node`);
    const { out } = await line.run('show', 'o-3', ...store);
    expect(out).toContain(`    ${rerun}\n`);
    expect(`${talk}${out}`).not.toContain('revive');
    expect((await line.run('revive', 'o-3', ...store)).code).toBe(1);
    expect((await line.run('rerun', 'o-3', 'a', ...store)).code).toBe(0);
  });
});
