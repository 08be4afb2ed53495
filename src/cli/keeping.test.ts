/** What commands say of a store and do to it: plans, files, letters, schedules, old instances. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine, flow } from '../index.ts';
import { sqlite } from '../sqlite.ts';
import { CommandLine } from '../testing/command-line.ts';

const line = new CommandLine();
const STORE = ['--store', 'sqlite:kept.db'];
const run = (...words: string[]) => line.run(...words, ...STORE);
const json = (...words: string[]) => line.json(...words, ...STORE);

const module = (version: number, step: string): string => `import { flow } from 'perdure';
export const order = flow('order', { version: ${version} })
  .waitFor('pay', { event: 'paid', key: 'k' })
  .step('${step}', async () => 1)
  .end();
`;

const report = flow('report')
  .emit('tell', { type: 'report.ready', key: 'r', data: { pages: 2 } }, { outbox: true })
  .end();

let worker: Engine;
beforeAll(async () => {
  const store = sqlite(join(line.folder, 'kept.db'));
  const outbox = {
    to: () => {
      throw new Error('nobody is there');
    },
    maxAttempts: 1,
  };
  worker = await createEngine({ store, flows: [report], outbox });
  line.write('order-1.mjs', module(1, 'ship'));
  line.write('order-2.mjs', module(2, 'send'));
});
afterAll(async () => {
  await worker.close();
  line.remove();
});

describe('flows', () => {
  test('of a file are started for whoever works on the store', async () => {
    const { code, out } = await run('start', 'order-1.mjs', '--id', 'o-1', '--key', 'o-1');
    expect({ code, out }).toEqual({ code: 0, out: 'o-1\n' });
    const again = await run('start', 'order-1.mjs', '--id', 'o-1');
    expect(again).toMatchObject({ code: 1, talk: expect.stringContaining('has the id o-1') });
    expect((await run('start', 'order-1.mjs', '--id', 'o-1', '--existing')).code).toBe(0);
  });

  test('of a store are started by name, by the newest version', async () => {
    expect(await json('start', 'order', '--id', 'o-2')).toEqual({ id: 'o-2', status: 'running' });
    expect(await json('show', 'o-2')).toMatchObject({ flow: 'order', flowVersion: 1 });
  });

  test('are listed with their versions and how many run by each', async () => {
    await run('start', 'order-2.mjs', '--id', 'o-3');
    const { out } = await run('versions', 'order');
    expect(out).toMatch(/^FLOW +VERSION +PLAN +OPEN/);
    expect(out).toMatch(/^order +1 +[0-9a-f]{12} +2$/m);
    expect(out).toMatch(/^order +2 +[0-9a-f]{12} +1$/m);
    expect(await json('versions', 'report')).toMatchObject({ versions: [{ name: 'report' }] });
  });

  test('are drawn from the store, and with where an instance stands', async () => {
    expect((await run('graph', 'order@1')).out).toContain('│ ship │');
    expect((await run('graph', 'order')).out).toContain('│ send │');
    expect((await run('graph', 'order', '--format', 'mermaid')).out).toContain('flowchart TD');
    const { out } = await run('graph', 'o-1');
    expect(out).toContain('waits for paid');
    expect(out).toContain('● waiting');
  });

  test('are compared, of files and of the store', async () => {
    const { code, out } = await run('diff', 'order-1.mjs', 'order@2');
    expect(code).toBe(0);
    expect(out).toContain('order@1 → order@2\n');
    expect(out).toMatch(/--map ship=send/);
    const { differences } = (await json('diff', 'order@1', 'order@1')) as { differences: [] };
    expect(differences).toEqual([]);
  });

  test('have their instances go on by another version', async () => {
    const refused = await run('upgrade', 'o-1', '--to', '7');
    expect(refused.code).toBe(3);
    const done = await run('upgrade', 'o-1', '--to', '2', '--map', 'ship=send');
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^✓ upgrade o-1: it is /) });
    expect(await json('show', 'o-1')).toMatchObject({ flowVersion: 2 });
  });
});

describe('an instance as a file', () => {
  test('is written, read, gone through and checked without the store', async () => {
    expect((await run('export', 'o-1', 'o-1.json')).out).toBe('o-1 is in o-1.json\n');
    const { out } = await line.run('replay', 'o-1.json');
    expect(out).toMatch(/^ +1 {2}\S+ {2}starts order@1 for o-1; pay waits for paid of k$/m);
    expect((await line.run('replay', 'o-1.json', '--check')).code).toBe(0);
    expect(await line.json('replay', 'o-1.json', '--at', '1')).toMatchObject({ version: 1 });
    const { out: text } = await run('export', 'o-1');
    expect(JSON.parse(text)).toMatchObject({ format: 'perdure.instance/1' });
  });

  test('that is damaged is refused', async () => {
    const text = readFileSync(join(line.folder, 'o-1.json'), 'utf8');
    line.write('bad.json', text.slice(0, 100));
    expect((await line.run('replay', 'bad.json')).code).toBe(2);
    line.write('foreign.json', '{"format":"something else"}');
    expect((await line.run('replay', 'foreign.json')).code).toBe(2);
    expect((await line.run('replay', 'nowhere.json')).code).toBe(2);
  });
});

describe('the outbox', () => {
  test('lists what was given up, and has it sent again', async () => {
    const done = await worker.start(report, {}, { id: 'r-1' });
    await done.result();
    const dead = await untilDead();
    const { out } = await run('outbox', '--status', 'dead');
    expect(out).toMatch(/^ID +TYPE +INSTANCE +STATUS +ATTEMPTS +NEXT +ERROR\n/);
    expect(out).toMatch(/report.ready +r-1 +dead +1 +nobody is there/);
    expect((await run('outbox', 'requeue', dead)).out).toBe('1 sent again\n');
    await untilDead();
    expect(await json('outbox', 'requeue', '--all')).toEqual({ requeued: 1, unknown: [] });
  });

  /** The relay writes down that it has given up: there is no event for that, so it is asked for. */
  async function untilDead(): Promise<string> {
    for (;;) {
      const { letters } = await worker.outbox.list({ status: 'dead' });
      if (letters[0] !== undefined) return letters[0].id;
    }
  }
});

describe('schedules', () => {
  test('are listed, paused, resumed and removed', async () => {
    await worker.schedule('nightly', {
      cron: '30 2 * * *',
      timezone: 'Europe/Berlin',
      flow: report,
    });
    expect((await run('schedules')).out).toMatch(
      /^nightly +report +30 2 \* \* \* Europe\/Berlin +active/m,
    );
    expect((await run('schedules', 'pause', 'nightly')).out).toBe('pause nightly: done\n');
    expect(await json('schedules')).toMatchObject({ schedules: [{ status: 'paused' }] });
    expect((await run('schedules', 'resume', 'nightly')).code).toBe(0);
    expect((await run('schedules', 'remove', 'nightly')).code).toBe(0);
    expect((await run('schedules')).out).toBe('no schedules\n');
  });
});

describe('old instances', () => {
  test('are removed once somebody has said so', async () => {
    await (await worker.start(report, {}, { id: 'r-2' })).result();
    const words = ['prune', '--older-than', '0s', '--flow', 'report'];
    expect(await run(...words)).toMatchObject({ code: 2 });
    expect((await run(...words, '--dry-run')).out).toMatch(/^2 would be removed/);
    expect(await json(...words, '--yes')).toMatchObject({ pruned: 2 });
    expect((await run('show', 'r-2')).code).toBe(3);
    expect((await run(...words, '--status', 'running')).talk).toContain('only what is over');
  });
});
