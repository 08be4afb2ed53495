/** `perdure run`: flows of files, run to their end. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CommandLine } from '../../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const example = (name: string): string => join(import.meta.dirname, '../../../examples', name);
const PARCELS = '{"sku":"A1","parcels":3}';

/** What was said, without what differs from run to run: ids, times and how long it took. */
function lines(text: string): readonly string[] {
  return text
    .trim()
    .split('\n')
    .map((one) =>
      one.replace(/(?<!in) (\d|\.)+(ms|s|m|h|d)(\d+\w+)?(?=$| )/, '').replace(/ until .*$/, ''),
    );
}

const SHIPPED = [
  '· starts shipment@1',
  '✓ reserve          done',
  '✓ size             done',
  '✓ truck            done',
  '… cool-off         sleeps',
  '✗ load             failed: the ramp is taken (handler.threw); again in 1m',
  '✓ load             done at attempt 2',
];

describe('a flow of an example', () => {
  test('runs in memory to its end, and waits for no time', async () => {
    const words = ['run', example('shipment.ts'), '--input', PARCELS, '--skip-time'];
    const { code, out } = await line.run(...words, '--store', 'memory:');
    expect(code).toBe(0);
    const said = lines(out);
    expect(said.slice(1, SHIPPED.length + 1)).toEqual(SHIPPED);
    expect(said).toContain('▸ track            pass 3  [######....] 2/3');
    const [, fulfilled = ''] = out.split('again in 1m\n');
    expect(fulfilled).toMatch(/✓ cool-off +done \(1d skipped\)\n[\s\S]*✓ fulfil +done \(1d/);
    expect(said.at(-5)).toBe('✓ completed (1d3h skipped)');
    expect(said.slice(-4).join('')).toBe('{  "shelf": "A1-7",  "total": 36}');
  });

  test('runs on SQLite to its end, and everybody is hurried who only waits for time', async () => {
    const words = ['run', example('shipment.ts'), '--input', PARCELS, '--skip-time'];
    const { code, out } = await line.run(...words, '--store', 'sqlite:ship.db', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      status: 'completed',
      output: { shelf: 'A1-7', total: 36 },
      error: null,
    });
  });

  test('that cannot undo everything says what, and does not pretend', async () => {
    const text = `import { Fatal, flow } from 'perdure';
const stuck = () => { throw new Fatal('the hotel is silent'); };
export const trip = flow('trip')
  .step('flight', () => 1, { undo: () => {} })
  .step('hotel', () => 2, { undo: stuck })
  .step('car', () => { throw new Fatal('no cars'); })
  .end();`;
    const { code, out } = await line.run('run', line.write('trip.mjs', text), '--store', 'memory:');
    expect(code).toBe(1);
    expect(out).toMatch(/✗ hotel +could not be undone: the hotel is silent \(\S+\) \S+\n✓ flight/);
    expect(out).toMatch(/✗ failed and compensated, except hotel: no cars/);
  });

  test('is gone on with by its id after it was told to stop', async () => {
    const words = ['run', example('shipment.ts'), '--input', PARCELS];
    const here = ['--store', 'sqlite:stop.db', '--id', 'ship-1'];
    const sleeping = line.says(/cool-off +sleeps/);
    const first = line.run(...words, ...here);
    await sleeping;
    line.stop('SIGTERM');
    const { code, talk } = await first;
    expect(code).toBe(143);
    expect(talk).toContain('it goes on with: perdure run');
    expect(talk).toContain('--store sqlite:stop.db --id ship-1');
    const second = await line.run(...words, ...here, '--skip-time', '--json');
    expect(second.code).toBe(0);
    expect(JSON.parse(second.out)).toMatchObject({ id: 'ship-1', status: 'completed' });
  });
});

describe('a chain', () => {
  test('shows how far it is, and goes on when its message comes', async () => {
    const here = ['--store', 'sqlite:returns.db'];
    const words = ['--key', 'r-7', '--id', 'r-7', '--input', '{"price":42}'];
    const waiting = line.says(/REFUND +waits for refund.done of r-7/);
    const running = line.run('run', example('returns.ts'), ...here, ...words);
    await waiting;
    const publish = ['publish', 'refund.done', '--key', 'r-7', '--data', '{"amount":40}'];
    const published = await line.run(...publish, ...here);
    expect(published).toMatchObject({ code: 0 });
    const { code, out } = await running;
    expect(code).toBe(0);
    expect(lines(out)).toEqual(
      expect.arrayContaining([
        '✓ RECEIVE          done  [###.......] 1/3',
        '✓ INSPECT          done  [######....] 2/3',
        '✓ REFUND           done  [##########] 3/3',
      ]),
    );
    expect(out).toContain('"refunded": 40');
  });

  test('shows in the line below how far it is, and for how long', async () => {
    const steps = Array.from({ length: 60 }, (_, at) => `STEP_${at + 1}`);
    const text = `import { chain, completed } from 'perdure';
const steps = ${JSON.stringify(steps)};
export const long = chain('long', 1, steps);
export const handlers = Object.fromEntries(steps.map((step) => [step, () => completed()]));`;
    const shown: (string | null)[] = [];
    const live = (text: string | null) => void shown.push(text);
    const words = ['run', line.write('long.mjs', text), '--store', 'memory:'];
    const { out } = await line.runIn({ live, columns: 40 }, ...words);
    expect(out).toMatch(/✓ STEP_60 +done \d+ms\n/);
    expect(out).not.toContain('[');
    expect(shown).toContainEqual(expect.stringMatching(/^▸ STEP_58 \d\.\ds {2}\[#{9}\.\] 57\/60$/));
    expect(shown.at(-1)).toBeNull();
  });

  test('that fails ends with 1, and says where it failed', async () => {
    const words = ['run', example('returns.ts'), '--input', '{"price":0}', '--store', 'memory:'];
    const { code, out } = await line.run(...words);
    expect(code).toBe(1);
    expect(out).toContain('✗ INSPECT          failed: nothing to refund (chain.dead)');
    expect(await line.json(...words)).toMatchObject({
      status: 'failed',
      output: { price: 0 },
      error: { code: 'chain.dead', message: 'nothing to refund', node: 'INSPECT' },
    });
  });

  test('has its timeout at once where time is skipped', async () => {
    const words = ['run', example('returns.ts'), '--store', 'memory:', '--skip-time'];
    const late = await line.json(...words, '--input', '{"price":4}', '--key', 'r-9');
    expect(late).toMatchObject({ status: 'failed', error: { message: 'the bank is silent' } });
  });

  test('that nobody in memory can go on with is not waited for', async () => {
    const text = `import { flow } from 'perdure';
export const still = flow('still').waitFor('w', { event: 'go', key: 'k' }).end();`;
    const file = line.write('still.mjs', text);
    for (const more of [[], ['--skip-time']]) {
      const { code, out } = await line.run('run', file, '--store', 'memory:', ...more);
      expect(code).toBe(1);
      expect(out).toMatch(/w +waits for go of k\ninstance \S+ is waiting/);
    }
  });
});

describe('a module', () => {
  const FLOW = `import { flow } from 'perdure';
const make = (name) =>
  flow(name).step('a', async () => name).end(({ results }) => results.a);
`;
  const runs = async (name: string, text: string, ...words: string[]): Promise<unknown> => {
    const file = line.write(name, text);
    return line.json('run', file, '--store', 'memory:', ...words);
  };

  test('has its flow as its default export', async () => {
    const text = `${FLOW}export default make('one');`;
    expect(await runs('default.mjs', text)).toMatchObject({ output: 'one' });
  });

  test('has one of several as its default export, which is then named', async () => {
    const text = `${FLOW}export default [make('one'), make('two')];`;
    expect(await runs('several.mjs', text, '--flow', 'two')).toMatchObject({ output: 'two' });
    const { code, talk } = await line.run('run', 'several.mjs', '--store', 'memory:');
    expect({ code, talk }).toEqual({
      code: 2,
      talk: 'perdure: "several.mjs" has several flows: say which with --flow one | two\n',
    });
    const wrong = await line.run('run', 'several.mjs', '--flow', 'twoo', '--store', 'memory:');
    expect(wrong).toMatchObject({ code: 3, talk: expect.stringContaining('did you mean "two"?') });
  });

  test('has a chain and its handlers as its default export', async () => {
    const text = `import { chain, completed } from 'perdure';
export default { flow: chain('c', 1, ['A']), handlers: { A: () => completed() } };`;
    expect(await runs('whole.mjs', text, '--input', '{"a":1}')).toMatchObject({ output: { a: 1 } });
  });

  test('may print what it likes: with --json the answer is alone', async () => {
    const text = `import { flow } from 'perdure';
export const one = flow('one').step('a', async () => { throw new Error('no'); }).end();`;
    const failed = { status: 'failed', error: { code: 'handler.threw', message: 'no', node: 'a' } };
    expect(await runs('failing.mjs', text)).toMatchObject(failed);
  });
});
