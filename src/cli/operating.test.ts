/** What operators do from another process than the worker's, on the same database. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine, flow } from '../index.ts';
import { sqlite } from '../sqlite.ts';
import { CommandLine } from '../testing/command-line.ts';
import { follow, HeardStore } from './following.ts';
import { Narrator } from './narrator.ts';
import { Stopped } from './stopping.ts';

const line = new CommandLine();
const STORE = ['--store', 'sqlite:work.db'];
const run = (...words: string[]) => line.run(...words, ...STORE);
const json = (...words: string[]) => line.json(...words, ...STORE);

/** Fails until somebody has paid, and then waits for a message, a day at most. */
let isPaid = false;
const order = flow<{ price: number }, { note: string }>('order', {
  onFailure: 'incident',
  vars: { note: 'none' },
})
  .step('charge', async () => {
    if (!isPaid) throw new Error('the card was refused');
    return { paid: true };
  })
  .waitFor('parcel', { event: 'parcel.arrived', timeout: '1d' })
  .end();

const trip = flow('trip')
  .step('book', async () => {
    throw new Error('no seat');
  })
  .end();

const heard = new HeardStore(sqlite(join(line.folder, 'work.db')));
let worker: Engine;
beforeAll(async () => {
  worker = await createEngine({ store: heard.store, flows: [order, trip] });
});
afterAll(async () => {
  await worker.close();
  line.remove();
});

async function begin(id: string): Promise<string> {
  await worker.start(order, { price: 1 }, { id, key: id });
  return id;
}

/** Until its history says so. */
async function until(id: string, what: RegExp): Promise<void> {
  const over = new AbortController();
  const narrator = new Narrator();
  for await (const entry of follow(heard.source(id), over.signal)) {
    const said = narrator.tell(entry).map(({ node, text }) => `${node} ${text}`);
    if (what.test(said.join('\n'))) over.abort();
  }
}

async function tokenOf(id: string): Promise<number> {
  const view = await (await worker.get(id))?.inspect();
  return view?.tokens[0]?.id ?? 0;
}

async function failed(id: string): Promise<number> {
  isPaid = false;
  await begin(id);
  await until(id, /charge failed and waits to be mended/);
  return tokenOf(id);
}

async function parked(id: string): Promise<number> {
  isPaid = true;
  await begin(id);
  await until(id, /parcel waits for parcel.arrived/);
  return tokenOf(id);
}

describe('looking', () => {
  test('ls lists instances with their status, and finds them by it', async () => {
    await parked('seen-1');
    const { code, out } = await run('ls', '--flow', 'order', '--status', 'waiting');
    expect(code).toBe(0);
    expect(out).toMatch(/^ID +FLOW +STATUS +KEY +STARTED +CHANGED +ERROR\n/);
    expect(out).toMatch(/^seen-1 +order@1 +waiting +seen-1 +\S+ ago/m);
    expect(await json('ls', '--key', 'seen-1')).toMatchObject({
      instances: [{ id: 'seen-1', status: 'waiting', key: 'seen-1' }],
      cursor: null,
    });
    expect((await run('ls', '--key', 'nobody')).out).toBe('no instances\n');
  });

  test('ls marks what failed and waits to be mended, and says why', async () => {
    await failed('seen-0');
    const { out } = await run('ls', '--key', 'seen-0');
    expect(out).toMatch(/^seen-0 +order@1 +waiting, incident +seen-0 .* the card was refused$/m);
  });

  test('a table is no wider than the terminal', async () => {
    await begin('seen-with-a-very-long-name-that-nobody-would-give-to-anything-at-all');
    const { out } = await line.runIn({ columns: 90 }, 'ls', ...STORE);
    const widths = out.split('\n').map((text) => Array.from(text).length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(90, 69 + 70));
    const { out: narrow } = await line.runIn({ columns: 90 }, 'ls', '--key', 'seen-1', ...STORE);
    expect(Math.max(...narrow.split('\n').map((text) => text.length))).toBeLessThanOrEqual(90);
  });

  test('ls goes on where a page ended', async () => {
    const first = (await json('ls', '--limit', '1')) as { instances: unknown[]; cursor: string };
    expect(first.instances).toHaveLength(1);
    const next = (await json('ls', '--limit', '1', '--cursor', first.cursor)) as typeof first;
    expect(next.instances).toHaveLength(1);
    expect(next.instances).not.toEqual(first.instances);
    expect((await run('ls', '--limit', '1')).talk).toBe(
      `there are more: --cursor ${first.cursor}\n`,
    );
  });

  test('show says what it waits for, and the commands that would mend it', async () => {
    const token = await failed('seen-2');
    const { out } = await run('show', 'seen-2');
    expect(out).toMatch(/^instance +seen-2$/m);
    expect(out).toMatch(/^status +waiting$/m);
    expect(out).toMatch(/charge +waiting .* 1 of 1 +failed and waits to be mended: the card was/);
    expect(out).toContain('note = "none"');
    expect(out).toContain(`    perdure retry seen-2 ${token} --store sqlite:work.db\n`);
    expect(out).toContain(
      `    perdure skip seen-2 ${token} --result JSON --store sqlite:work.db\n`,
    );
  });

  test('show says what it was like after a commit', async () => {
    await parked('seen-3');
    expect(await json('show', 'seen-3', '--at', '1')).toMatchObject({
      version: 1,
      tokens: [{ node: 'charge' }],
    });
    expect((await run('show', 'seen-3', '--at', '99')).code).toBe(3);
  });

  test('history has a line for each commit', async () => {
    await parked('seen-4');
    const { out } = await run('history', 'seen-4');
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ +1 {2}\S+Z {2}starts order@1 for seen-4; charge begins$/);
    expect(lines[1]).toMatch(/^ +2 .*charge done; parcel waits for parcel.arrived of seen-4 until/);
    const entries = (await json('history', 'seen-4')) as { n: number }[];
    expect(entries.map(({ n }) => n)).toEqual([1, 2]);
  });
});

describe('mending', () => {
  test('retry runs what failed once more', async () => {
    const token = await failed('mend-1');
    isPaid = true;
    const { code, out } = await run('retry', 'mend-1', String(token), '--reason', 'card mended');
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^✓ retry mend-1: it is /),
    });
    await until('mend-1', /parcel waits/);
    expect((await run('history', 'mend-1')).out).toContain('ann: retry (card mended)');
  });

  test('skip has it go on with a result', async () => {
    const token = await failed('mend-2');
    const words = ['skip', 'mend-2', String(token), '--result', '{"paid":"by hand"}'];
    expect(await json(...words, '--actor', 'bob')).toMatchObject({ id: 'mend-2' });
    await until('mend-2', /parcel waits/);
    expect((await run('show', 'mend-2')).out).toContain('charge → {"paid":"by hand"}');
    expect((await run('history', 'mend-2')).out).toContain('bob: skip');
  });

  test('wake gives it what it waits for, and send sends it', async () => {
    const token = await parked('mend-3');
    expect((await run('wake', 'mend-3', String(token), '--data', '{"at":"door"}')).code).toBe(0);
    await until('mend-3', /completed/);
    await parked('mend-4');
    const sent = await run('send', 'mend-4', 'parcel.arrived', '--data', '1', '--id', 'm-4');
    expect(sent).toMatchObject({ code: 0, out: 'had at once by mend-4\n' });
    const again = await run('send', 'mend-4', 'parcel.arrived', '--id', 'm-4');
    expect(again).toMatchObject({ code: 0, out: 'known already: nothing was done\n' });
    expect((await run('send', 'mend-4', 'parcel.arrived')).code).toBe(1);
  });

  test('set gives a variable another value', async () => {
    await parked('mend-5');
    expect((await run('set', 'mend-5', 'note', '"fragile"')).code).toBe(0);
    expect((await run('show', 'mend-5')).out).toContain('note = "fragile"');
  });

  test('move has a token go on elsewhere, and says what a misspelt node may be', async () => {
    const token = await failed('mend-6');
    const wrong = await run('move', 'mend-6', String(token), 'parcle');
    expect(wrong).toMatchObject({
      code: 3,
      talk: expect.stringContaining('did you mean "parcel"?'),
    });
    expect((await run('move', 'mend-6', String(token), 'parcel')).code).toBe(0);
    await until('mend-6', /parcel waits/);
  });

  test('suspend holds it, and resume lets it go on', async () => {
    await parked('mend-7');
    expect((await run('suspend', 'mend-7')).out).toBe('✓ suspend mend-7: it is suspended\n');
    expect((await run('show', 'mend-7')).out).toContain('    perdure resume mend-7');
    expect((await run('resume', 'mend-7')).out).toBe('✓ resume mend-7: it is waiting\n');
  });

  test('rerun has a copy do again what was done', async () => {
    await parked('mend-8');
    const words = ['rerun', 'mend-8', 'charge', '--copy', '--id', 'mend-9', '--key', 'k9'];
    expect((await run(...words)).out).toBe('✓ rerun mend-8 as mend-9: it is running\n');
    await until('mend-9', /parcel waits/);
  });

  test('revive has a failed one go on where it failed', async () => {
    await worker.start(trip, {}, { id: 'mend-10' });
    await until('mend-10', /failed: no seat/);
    expect((await run('show', 'mend-10')).out).toContain('    perdure revive mend-10');
    expect(await json('revive', 'mend-10')).toMatchObject({ id: 'mend-10' });
    expect((await run('history', 'mend-10')).out).toContain('ann: revive');
  });
});

describe('what it would do', () => {
  test('is said, and nothing is done', async () => {
    await parked('dry-1');
    const { code, out } = await run('cancel', 'dry-1', '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('cancel dry-1 would do this:\n');
    expect(out).not.toContain('somebody');
    expect(out).toContain('  parcel stopped\n');
    expect(out).toContain('  it would be waiting → canceled\n');
    expect(await json('show', 'dry-1')).toMatchObject({ status: 'waiting', version: 2 });
  });

  test('is said of one that sleeps', async () => {
    const nap = flow('nap').sleep('rest', '1d').end();
    await worker.deploy(nap);
    await worker.start(nap, {}, { id: 'dry-3' });
    await until('dry-3', /rest sleeps/);
    const token = String(await tokenOf('dry-3'));
    const { out } = await run('wake', 'dry-3', token, '--dry-run');
    expect(out).toBe('wake dry-3 would do this:\n  it goes on\n  it would be waiting → running\n');
    await run('cancel', 'dry-3');
  });

  test('is refused as the thing itself would be', async () => {
    const token = await parked('dry-2');
    expect((await run('retry', 'dry-2', String(token), '--dry-run')).code).toBe(1);
    expect((await run('send', 'dry-2', 'nothing.waits', '--dry-run')).out).toContain('kept');
    expect((await run('send', 'dry-2', 'parcel.arrived', '--dry-run')).out).toContain('at once');
  });
});

describe('many at once', () => {
  test('are not touched unless somebody says so', async () => {
    await parked('many-0');
    const words = ['cancel', '--flow', 'order', '--key', 'many-0'];
    const { code, talk } = await run(...words);
    expect(code).toBe(2);
    expect(talk).toContain('cancel of 1 instances was not confirmed; say --yes');
    const no = await line.runIn({ confirms: false }, ...words, ...STORE);
    expect(no).toMatchObject({ code: 2, talk: expect.stringContaining('nothing was done') });
    const stopped = { confirms: () => Promise.reject(new Stopped('SIGINT')) };
    const { code: ended, out } = await line.runIn(stopped, ...words, '--json', ...STORE);
    expect(ended).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'interrupted' } });
    expect(await json('show', 'many-0')).toMatchObject({ status: 'waiting' });
    expect((await line.runIn({ confirms: true }, ...words, ...STORE)).code).toBe(0);
    expect(await json('show', 'many-0')).toMatchObject({ status: 'canceled' });
  });

  test('are done one by one, and each says how it went', async () => {
    await parked('many-1');
    await parked('many-2');
    const words = ['cancel', '--flow', 'order@1', '--status', 'waiting', '--limit', '1000'];
    const dry = await run(...words, '--dry-run');
    expect(dry.out).toMatch(/^✓ many-1$/m);
    expect(dry.out).toMatch(/^cancel could be done to \d+ of \d+, 0 refused, 0 failed$/m);
    const { code, out } = await run(...words, '--yes', '--reason', 'spring cleaning');
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ many-2$/m);
    expect(await json('ls', '--status', 'waiting')).toMatchObject({ instances: [] });
    expect((await run('history', 'many-1')).out).toContain('ann: cancel (spring cleaning)');
  });

  test('go on where a command stopped', async () => {
    for (const id of ['part-1', 'part-2', 'part-3']) await parked(id);
    const words = ['cancel', '--flow', 'order@1', '--status', 'waiting', '--yes'];
    const { out } = await run(...words, '--limit', '2');
    const [, cursor] = /there are more: --cursor (\S+)$/m.exec(out) ?? [];
    expect(await json(...words, '--cursor', cursor ?? '')).toMatchObject({ done: 1, cursor: null });
  });

  test('that cannot be done are said, and it ends with 1', async () => {
    await parked('many-3');
    const { code, out } = await run('retry', '--key', 'many-3', '--yes');
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ many-3 refused: .* \(token.not-parked\)$/m);
    expect(await json('retry', '--key', 'many-3', '--yes')).toMatchObject({
      matched: 1,
      done: 0,
      refused: 1,
      items: [{ id: 'many-3', outcome: 'refused', error: { code: 'token.not-parked' } }],
    });
  });

  test('that are none need no answer', async () => {
    const none = ['--flow', 'order', '--key', 'nobody-has-this'];
    expect(await run('cancel', ...none)).toMatchObject({ code: 0, talk: '' });
    expect(await run('prune', '--older-than', '99d')).toMatchObject({ code: 0, talk: '' });
    expect((await run('ls', '--attribute', 'x=007')).code).toBe(0);
  });

  test('of a flow as a whole are suspended and resumed', async () => {
    await parked('many-4');
    const dry = await run('suspend', '--flow', 'order', '--dry-run', '--json');
    expect(JSON.parse(dry.out)).toMatchObject({ flow: 'order', dryRun: true, resumed: 0 });
    expect((await run('suspend', '--flow', 'order')).out).toMatch(
      /^✓ order is suspended: \d+ susp/,
    );
    expect(await json('show', 'many-4')).toMatchObject({ status: 'suspended' });
    expect((await run('resume', '--flow', 'order')).out).toMatch(/^✓ order goes on: /);
    expect(await json('show', 'many-4')).toMatchObject({ status: 'waiting' });
  });
});

describe('what is wrong', () => {
  test.each([
    [['show', 'nobody'], 3, 'there is no instance nobody'],
    [['cancel', 'nobody'], 3, 'there is no instance nobody'],
    [['cancel'], 2, 'cancel what?'],
    [['cancel', 'a', '--flow', 'b'], 2, 'an id or a filter'],
    [['skip', 'a', 'b'], 2, 'a token is a whole number'],
    [['set', 'a', 'b', '{oops'], 2, 'the value is JSON'],
    [['ls', '--limit', 'some'], 2, '--limit is a whole number'],
    [['ls', '--status', 'waitng'], 2, 'did you mean "waiting"?'],
    [['ls', '--older-than', 'soon'], 2, '--older-than: a duration is'],
    [['ls', '--created-after', 'soon'], 2, '--created-after is a moment'],
    [['ls', '--attribute', 'soon'], 2, '--attribute is name=value'],
    [['ls', '--attribute', 'x="a"b"'], 2, 'what begins with a quote is JSON'],
    [['ls', '--flow', 'ordre'], 3, 'did you mean "order"?'],
    [
      ['ls', '--flow', 'order@7'],
      3,
      'there is no flow "order@7" in this store: did you mean "order@1"?',
    ],
    [['cancel', '--flow', 'ordre'], 3, 'did you mean "order"?'],
    [['cancel', 'a', '--limit', '3'], 2, '--limit is for what a filter finds'],
    [['suspend', '--flow', 'order', '--limit', '1'], 2, '--limit is for what a filter finds'],
    [['resume', '--flow', 'order', '--cursor', 'x'], 2, '--cursor is for what a filter finds'],
    [['suspend', '--flow', 'ordre'], 3, 'did you mean "order"?'],
    [['suspend', '--flow', '*'], 2, 'suspend of every flow was not confirmed; say --yes'],
    [['prune', '--older-than', '1d', '--flow', 'ordre'], 3, 'did you mean "order"?'],
    [['prune', '--older-than', '1d', '--flow', 'order@1'], 2, 'all versions of a flow'],
    [['start', 'ordre'], 3, 'did you mean "order"?'],
    [['schedules', 'paus', 'x'], 2, 'unknown command "schedules paus": did you mean "pause"?'],
    [['outbox', 'lst'], 2, 'did you mean "list"?'],
    [['schedules', 'pause', 'x'], 3, 'there is no schedule "x"'],
    [['graph', 'ordre'], 3, 'did you mean "order"?'],
    [['graph', 'order', '--format', 'sgv'], 2, 'did you mean "svg"?'],
    [['versions', 'ordr'], 3, 'did you mean "order"?'],
    [['publish', '--key', 'k'], 2, "missing required argument 'type'"],
    [['outbox', 'requeue'], 2, 'takes the ids of letters, or --all'],
    [['upgrade', 'a', '--to', 'next'], 2, '--to is a whole number'],
  ])('%j ends with %i', async (words, code, said) => {
    const ended = await line.run(...words, ...STORE);
    expect(ended).toMatchObject({ code, talk: expect.stringContaining(said) });
    const { out } = await line.run(...words, ...STORE, '--json');
    expect(JSON.parse(out)).toMatchObject({ error: { code: expect.any(String) } });
  });
});
