/** Time that is not waited for, and time that passes all the same. */
import { afterAll, describe, expect, test } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

function write(name: string, steps: string, more = ''): string {
  const text = `import { flow } from 'perdure';
const busy = (ms) => { const until = performance.now() + ms; while (performance.now() < until); };
export default flow('${name}'${more})${steps}.end();`;
  return line.write(`${name}.mjs`, text);
}

describe('in memory', () => {
  const run = (file: string) => line.run('run', file, '--store', 'memory:', '--skip-time');

  test('a step shows how long it really took, and a wait that it was skipped', async () => {
    const file = write('busy', `.step('work', () => busy(30)).sleep('nap', '1d')`);
    const { code, out, talk } = await run(file);
    expect(code).toBe(0);
    expect(out).toMatch(/✓ work +done (3\d|[4-9]\d|\d{3,})ms\n/);
    expect(out).toMatch(/✓ nap +done \(1d skipped\)\n✓ completed \(1d skipped\)\n/);
    expect(talk).toMatch(/^3 commits in \S+, 1d skipped\n$/);
  });

  test('a message that does not come in time is timed out', async () => {
    const file = write('late', `.waitFor('paid', { event: 'paid', key: 'k', timeout: '1h' })`);
    expect((await run(file)).out).toMatch(/■ paid +timed out \(1h skipped\)\n/);
  });

  test('a time limit of a handler is real, so that it ends', async () => {
    const steps = `.step('hangs', () => new Promise(() => {}), { timeout: '40ms' })`;
    const { code, out } = await run(write('hangs', steps));
    expect(code).toBe(1);
    expect(out).toMatch(/✗ hangs +failed: .*took longer than 40 ms.* \d+ms\n/);
  });

  test('a limit that lets one begin per hour is waited out', async () => {
    const limit = `, { limit: { rate: { max: 1, per: '1h' } } }`;
    const file = write('rate', `.repeat('r', { times: 3 }, (b) => b.step('w', () => 1))`, limit);
    const { code, out } = await run(file);
    expect(code).toBe(0);
    expect(out).toContain('✓ completed (2h skipped)\n');
  });
});

describe('on a database', () => {
  test('the history says who did not wait', async () => {
    const here = ['--store', 'sqlite:skipped.db', '--id', 's-1'];
    const { code, out } = await line.run(
      'run',
      write('nap', `.sleep('nap', '1d')`),
      ...here,
      '--skip-time',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/· ann: wake \(time is skipped\)\n✓ nap +woken \S+\n/);
  });
});
