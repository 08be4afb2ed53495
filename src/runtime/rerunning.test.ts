/** Running again from a node, in the places where that is hard (B-30, API §5), on every store. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { broken } from '../testing/diary.ts';
import { isSound, tokenAt } from '../testing/fragile.ts';
import { begin, beginAtWork, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

onEveryStore('an instance that is run again', (open) => {
  test('from one node twice has other keys each time', async () => {
    const keys: string[] = [];
    const job = flow('job')
      .step('charge', ({ idempotencyKey }) => void keys.push(idempotencyKey))
      .waitFor('go', { event: 'go', key: () => 'k' })
      .end();
    const { lab, run } = await begin(open, job);
    for (let times = 0; times < 3; times += 1) {
      await run.rerun('charge');
      await lab.settle();
    }
    expect([keys.length, new Set(keys).size]).toEqual([4, 4]);
    await isSound(lab);
  });

  test('from inside a region, a loop, a branch does the rest and nothing else', async () => {
    const ran: string[] = [];
    const note = (name: string) => (): string => (ran.push(name), name);
    const job = flow('job')
      .step('first', note('first'))
      .repeat('twice', { times: 2 }, (r) => r.step('inside', note('inside')))
      .parallel('both', {
        a: (b) => b.step('left', note('left')).step('more', note('more')),
        b: (b) => b.step('right', note('right')),
      })
      .step('last', note('last'))
      .end(({ results }) => Object.keys(results).sort());
    const { lab, run } = await begin(open, job);
    const whole = await run.result();
    const after = async (node: string): Promise<string[]> => {
      ran.length = 0;
      await run.rerun(node);
      await lab.settle();
      expect(await run.result()).toEqual(whole);
      return ran.toSorted();
    };
    expect(await after('inside')).toEqual(['inside', 'last', 'left', 'more', 'right']);
    expect(await after('twice')).toEqual(['inside', 'inside', 'last', 'left', 'more', 'right']);
    expect(await after('last')).toEqual(['last']);
    // The one beside it had come further or not; it is as it was when this node was come to.
    expect(await after('more')).toEqual(expect.arrayContaining(['last', 'more']));
    expect(await after('both')).toEqual(['last', 'left', 'more', 'right']);
    await isSound(lab);
  });

  test('as a copy that goes on at once comes to its own end', async () => {
    const job = flow('job')
      .step('first', () => 1)
      .set('doubled', ({ results }) => results.first * 2)
      .parallel('both', { a: (b) => b.step('a', () => 'a'), b: (b) => b.step('b', () => 'b') })
      .end(({ results }) => [results.first, results.a, results.b]);
    const { lab, run } = await begin(open, job);
    const copy = await run.rerun('doubled', { copy: true });
    await lab.settle();
    expect([await copy.result(), await run.result()]).toEqual([
      [1, 'a', 'b'],
      [1, 'a', 'b'],
    ]);
    await isSound(lab);
  });

  test('long after has its deadlines and its timeouts before it', async () => {
    const gate = new Gate<string>();
    let runs = 0;
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.step('slow', () => (runs++ === 0 ? 'quick' : gate.opened), { deadline: '20s' }),
        b: (b) => b.waitFor('answer', { event: 'answered', key: () => 'k', timeout: '20s' }),
      })
      .end(({ results }) => [results.slow, results.answer]);
    const { lab, run } = await begin(open, job, { for: '3d' });
    expect(await run.result()).toEqual(['quick', null]);
    await run.rerun('slow');
    await lab.advance('15s');
    expect(await run.status()).toBe('running');
    gate.open('slow');
    await lab.engine.publish({ type: 'answered', key: 'k', data: 'yes' });
    await lab.settle();
    expect(await run.result()).toEqual(['slow', 'yes']);
  });

  test('from where someone moved a token to runs that once, not twice', async () => {
    const ran: string[] = [];
    const job = flow('job')
      .waitFor('go', { event: 'go', key: () => 'k' })
      .step('late', () => void ran.push('late'))
      .end();
    const { lab, run } = await begin(open, job);
    await run.move(await tokenAt(run, 'go'), 'late');
    await lab.settle();
    await run.rerun('late');
    await lab.settle();
    expect([await run.status(), ran]).toEqual(['completed', ['late', 'late']]);
    await isSound(lab);
  });

  test('while a step is at work has that undone in the end, in doubt', async () => {
    const undone: string[] = [];
    const gate = new Gate();
    let charges = 0;
    const job = flow('job')
      .step('first', () => 1)
      .step('charge', () => (charges++ === 0 ? gate.opened : null), {
        undo: ({ inDoubt }) => void undone.push(inDoubt ? 'in doubt' : 'done'),
      })
      .step('fails', broken)
      .end();
    const { lab, run } = await beginAtWork(open, job, '1s');
    expect(charges).toBe(1);
    await run.rerun('first');
    gate.open();
    await lab.advance('1m');
    expect([await run.status(), charges]).toEqual(['failed', 2]);
    expect(undone.sort()).toEqual(['done', 'in doubt']);
    await isSound(lab);
  });

  test('inside a region that undoes itself forgot what that had done before', async () => {
    const undone: string[] = [];
    let fails = false;
    const job = flow('job', { saga: 'none' })
      .scope(
        's',
        (b) =>
          b
            .step('a', () => 1, { undo: () => void undone.push('a') })
            .step('b', () => (fails ? broken() : 2)),
        { saga: 'scope' },
      )
      .step('c', () => 3)
      .end();
    const { lab, run } = await begin(open, job);
    expect(await run.status()).toBe('completed');
    fails = true;
    await run.rerun('b');
    await lab.settle();
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
    expect(undone).toEqual(['a']);
    await isSound(lab);
  });

  test('after it was cancelled still undoes in the end what it had done before', async () => {
    const undone: string[] = [];
    const undo = ({ undoes }: { undoes: string }): void => void undone.push(undoes);
    const job = flow('job')
      .scope('inner', (s) => s.step('one', () => 1, { undo }).sleep('rest', '1h'), {
        saga: 'scope',
      })
      .step('fails', broken)
      .end();
    const { lab, run } = await begin(open, job);
    await run.cancel();
    await run.rerun('inner');
    await lab.advance('2h');
    expect([await run.status(), new Set(undone).size, undone.length]).toEqual(['failed', 2, 2]);
    await isSound(lab);
  });

  test('is refused while something is being undone, suspended or not', async () => {
    const gate = new Gate();
    const job = flow('job')
      .step('charge', () => 1, { undo: () => gate.opened })
      .step('fails', broken)
      .end();
    const { lab, run } = await beginAtWork(open, job, '1s');
    expect(await run.status()).toBe('compensating');
    await expect(run.rerun('charge')).rejects.toMatchObject({ code: 'operation.refused' });
    await run.suspend();
    await expect(run.rerun('charge')).rejects.toMatchObject({ code: 'operation.refused' });
    await run.resume();
    gate.open();
    await lab.advance('1m');
    expect(await run.status()).toBe('failed');
    // From here nothing of it can be gone back to that was undone, and the beginning can.
    await expect(run.rerun('fails')).rejects.toMatchObject({ code: 'operation.refused' });
    await run.rerun('charge');
    await isSound(lab);
  });

  test('keeps its number and its key; a copy takes none that is taken', async () => {
    const job = flow('job')
      .waitFor('go', { event: 'go', key: () => 'k' })
      .end();
    const { lab, run } = await begin(open, job, { key: 'k' });
    expect((await run.rerun('go')).id).toBe(run.id);
    const taken = { code: 'instance.exists', details: { instance: run.id } };
    await expect(run.rerun('go', { copy: true, key: 'k' })).rejects.toMatchObject(taken);
    await expect(run.rerun('go', { copy: true, id: run.id })).rejects.toMatchObject(taken);
    const again = { do: 'rerun', from: 'go', copy: true } as const;
    await expect(run.preview({ ...again, key: 'k' })).rejects.toMatchObject(taken);
    await expect(run.preview({ ...again, id: run.id })).rejects.toMatchObject(taken);
    const copy = await run.rerun('go', { copy: true, key: 'other' });
    expect(await copy.inspect()).toMatchObject({ key: 'other', parent: null });
    expect((await run.inspect()).key).toBe('k');
    await isSound(lab);
  });
});

onEveryStore('an instance with a long history', (open) => {
  test('is what it was, on either side of its snapshots', async () => {
    const job = flow('job')
      .step('first', () => 1)
      .waitFor('go', { event: 'go', key: () => 'k' })
      .step('late', () => 2)
      .sleep('rest', '1d')
      .end();
    const { lab, run } = await begin(open, job);
    const count = async (from: number, to: number): Promise<void> => {
      for (let n = from; n <= to; n += 1) await run.set('n', n);
    };
    const seen = async (): Promise<unknown> => (await run.inspect()).scopes[0]?.vars['n'];
    await count(1, 1_040);
    await lab.engine.publish({ type: 'go', key: 'k' });
    await lab.settle();
    await count(1_041, 2_010);
    const copy = await run.rerun('late', { copy: true });
    expect((await copy.inspect()).scopes[0]?.vars).toEqual({ n: 1_040 });
    await run.rerun('late');
    expect(await seen()).toBe(1_040);
    await lab.settle();
    await run.cancel();
    await run.rerun('go');
    expect([await seen(), await run.status()]).toEqual([undefined, 'waiting']);
    await isSound(lab);
  });
});

onEveryStore('a sleep', (open) => {
  test('that was mended once is not cut short when something else is retried', async () => {
    const state = { mended: false, tries: 0 };
    const job = flow('job', { onFailure: 'incident' })
      .parallel('both', {
        a: (b) => b.sleep('nap', () => (state.mended ? '1h' : 'soon')),
        b: (b) => b.step('work', () => (state.tries++ === 0 ? broken() : 'worked')),
      })
      .end(({ results }) => results.work);
    const { lab, run } = await begin(open, job);
    state.mended = true;
    await run.retry(await tokenAt(run, 'nap'));
    await run.retry();
    await lab.advance('50m');
    expect(await run.status()).toBe('waiting');
    const napper = await tokenAt(run, 'nap');
    await expect(run.retry(napper)).rejects.toMatchObject({ code: 'token.not-parked' });
    await lab.advance('20m');
    expect(await run.result()).toBe('worked');
  });
});

onEveryStore('a token that someone moved away from a join', (open) => {
  test('leaves nothing behind there, and the others meet without it', async () => {
    const ran: string[] = [];
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.step('quick', () => 'a'),
        b: (b) => b.waitFor('go', { event: 'go', key: () => 'k' }),
      })
      .sleep('rest', '1h')
      .step('last', () => void ran.push('last'))
      .end();
    const { lab, run } = await begin(open, job);
    const join = (await run.tokens()).find(({ wait }) => wait?.on === 'join');
    await run.move(join?.id ?? 0, 'rest');
    await isSound(lab);
    await lab.engine.publish({ type: 'go', key: 'k', data: 1 });
    await lab.advance('3h');
    // The one that was moved, and then the one that no longer waits for it.
    expect([await run.status(), ran]).toEqual(['completed', ['last', 'last']]);
    await isSound(lab);
  });
});

onEveryStore('an instance that is run again while it is suspended', (open) => {
  test('has its timeouts stand still once, not twice', async () => {
    const job = flow('job')
      .parallel('both', {
        a: (b) => b.waitFor('answer', { event: 'answered', key: () => 'k', timeout: '1h' }),
        b: (b) =>
          b
            .sleep('soon', '10m')
            .step('work', () => 1)
            .sleep('long', '1d'),
      })
      .end();
    const { lab, run } = await begin(open, job, { for: '10m' });
    await run.suspend();
    await lab.advance('2h');
    await run.rerun('work');
    await lab.advance('2h');
    await run.resume();
    await lab.advance('45m');
    expect((await run.tokens()).map(({ node }) => node)).toContain('answer');
    await lab.advance('10m');
    expect((await run.tokens()).map(({ node }) => node)).not.toContain('answer');
    await isSound(lab);
  });

  test('from what it came to in a pause had its timeouts run during that', async () => {
    const gate = new Gate();
    const job = flow('job')
      .parallel('both', {
        a: (b) =>
          b
            .step('held', () => gate.opened)
            .step('work', () => 1)
            .sleep('long', '9d'),
        b: (b) => b.waitFor('answer', { event: 'answered', key: () => 'k', timeout: '1h' }),
      })
      .end();
    const { lab, run } = await beginAtWork(open, job, '10m');
    const left = async (): Promise<number> => {
      const token = (await run.tokens()).find(({ node }) => node === 'answer');
      return ((token?.wakeAt ?? 0) - lab.now) / 60_000;
    };
    await run.suspend();
    await lab.tick('30m');
    gate.open();
    await lab.tick(0);
    await lab.tick('1h');
    await run.resume();
    expect(await left()).toBe(50);
    await lab.tick('10m');
    await run.rerun('work');
    expect(await left()).toBe(50);
    await isSound(lab);
  });
});

onEveryStore('an instance that was migrated', (open) => {
  const versions = [1, 2].map((version) =>
    flow('job', { version })
      .step('first', () => 1)
      .waitFor('go', { event: 'go', key: () => 'k' })
      .step('last', () => version)
      .end(({ results }) => results.last),
  );

  test('is run again only from what it came to since', async () => {
    const [older, newer] = versions as [(typeof versions)[0], (typeof versions)[0]];
    const lab = await open([older, newer]);
    const run = await lab.engine.start(older, null);
    await lab.settle();
    await run.act({ do: 'migrate', version: 2 });
    const { version } = await run.inspect();
    const refused = { code: 'operation.refused', message: expect.stringContaining('migrated') };
    await expect(run.rerun('first')).rejects.toMatchObject(refused);
    expect((await run.inspect()).version).toBe(version);
    await lab.engine.publish({ type: 'go', key: 'k', data: null });
    await lab.settle();
    expect(await run.result()).toBe(2);
    await run.rerun('last');
    await lab.settle();
    expect(await run.result()).toBe(2);
    await isSound(lab);
  });

  test('was run again from a region that a migration had opened, with one too many', async () => {
    const gate = new Gate();
    const ran: string[] = [];
    const job = (version: number) =>
      flow('job', { version })
        .parallel('p', {
          a: (b) => {
            const step = b.step('a', async () => {
              if (version === 1) await gate.opened;
            });
            return version === 1 ? step : step.step('more', () => void ran.push('more'));
          },
          b: (b) => b.waitFor('go', { event: 'go', key: () => 'k' }),
        })
        .end();
    const [one, two] = [job(1), job(2)];
    const lab = await open([one, two]);
    const run = await lab.engine.start(one, null);
    await lab.tick(0);
    await run.migrate({ version: 2 });
    gate.open();
    await lab.settle();
    const refused = { code: 'operation.refused', message: expect.stringContaining('migrated') };
    await expect(run.rerun('p/a')).rejects.toMatchObject(refused);
    await run.rerun('more');
    await lab.settle();
    expect(ran).toEqual(['more', 'more']);
    await isSound(lab);
  });
});
