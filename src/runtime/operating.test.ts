/** What an operator does to running work, on every store (B-30, API §5). */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { mendable } from '../testing/fragile.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

onEveryStore('an instance that is suspended', (open) => {
  const timed = flow('timed')
    .waitFor('answer', { event: 'answered', key: () => 'k', timeout: '1h' })
    .step('note', ({ results }) => results.answer)
    .end();

  test('has no timer fire and no timeout run; messages are kept (S-69)', async () => {
    const { lab, run } = await begin(open, timed);
    await lab.advance('50m');
    await run.suspend({ actor: 'ada', reason: 'audit' });
    await lab.advance('5h');
    expect(await run.status()).toBe('suspended');
    const sent = await lab.engine.publish({ type: 'answered', key: 'k', data: 'kept' });
    expect(sent.outcome).toBe('buffered');
    await run.resume({ actor: 'ada' });
    await lab.settle();
    expect(await run.result()).toMatchObject({ note: 'kept' });
    const acts = (await run.history()).flatMap(({ changes }) =>
      changes.flatMap((change) => (change.did === 'act' ? [change.act] : [])),
    );
    expect(acts).toEqual([
      { verb: 'suspend', by: 'ada', why: 'audit' },
      { verb: 'resume', by: 'ada' },
    ]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('has what is left of its timeout once it goes on', async () => {
    const { lab, run } = await begin(open, timed);
    await lab.advance('50m');
    await run.suspend();
    await lab.advance('5h');
    await run.resume();
    await lab.advance('9m');
    expect(await run.status()).toBe('waiting');
    await lab.advance('2m');
    expect(await run.result()).toMatchObject({ answer: null });
  });

  test('sleeps on, and wakes at once if its time has come meanwhile', async () => {
    const nap = flow('nap')
      .sleep('rest', '1h')
      .end(() => 'up');
    const { lab, run } = await begin(open, nap);
    await run.suspend();
    await lab.advance('2h');
    expect(await run.status()).toBe('suspended');
    await run.resume();
    await lab.settle();
    expect(await run.result()).toBe('up');
  });

  test('has the step that became ready meanwhile run once it goes on', async () => {
    const [gate, at] = [new Gate<string>(), new Gate()];
    const work = (): Promise<string> => (at.open(), gate.opened);
    const two = flow('two')
      .step('a', work)
      .step('b', () => 'b')
      .end();
    const lab = await open([two]);
    const run = await lab.engine.start(two, undefined as never);
    await at.opened;
    await run.suspend();
    gate.open('a');
    await lab.settle();
    expect(await run.status()).toBe('suspended');
    await run.resume();
    await lab.settle();
    expect(await run.result()).toMatchObject({ a: 'a', b: 'b' });
  });

  test('has a step that is at work go on through suspend and resume, and run once', async () => {
    const [gate, at] = [new Gate<string>(), new Gate()];
    let runs = 0;
    const work = (): Promise<string> => ((runs += 1), at.open(), gate.opened);
    const one = flow('one').step('a', work).end();
    const lab = await open([one]);
    const run = await lab.engine.start(one, undefined as never);
    await at.opened;
    await run.suspend();
    await run.resume();
    gate.open('a');
    await lab.settle();
    expect([await run.result(), runs]).toEqual([{ a: 'a' }, 1]);
  });

  test('begins nothing after the step that was at work, not even its end', async () => {
    const [gate, at] = [new Gate<string>(), new Gate()];
    const work = (): Promise<string> => (at.open(), gate.opened);
    const child = flow('child')
      .step('inner', () => 'inner')
      .end();
    const calls = flow('calls')
      .step('a', work)
      .call('b', child, () => undefined as never)
      .end();
    const lab = await open([calls, child]);
    const run = await lab.engine.start(calls, undefined as never);
    await at.opened;
    await run.suspend();
    gate.open('a');
    await lab.advance('1h');
    const view = await run.inspect();
    expect([view.status, view.scopes[0]?.results]).toEqual(['suspended', { a: 'a' }]);
    expect((await lab.engine.list({ flow: 'child' })).instances).toEqual([]);
    await run.resume();
    await lab.settle();
    expect(await run.status()).toBe('completed');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('takes suspend and resume twice without a word, and says no when it is over', async () => {
    const { lab, run } = await begin(open, timed);
    await run.suspend();
    const { version } = await run.inspect();
    await run.suspend();
    expect((await run.inspect()).version).toBe(version);
    await run.resume();
    await run.resume();
    await run.cancel();
    await expect(run.suspend()).rejects.toMatchObject({ code: 'instance.over' });
    await expect(run.resume()).rejects.toMatchObject({ code: 'instance.over' });
    await expect((await lab.engine.get(run.id))?.wake(3)).rejects.toMatchObject({
      code: 'instance.over',
    });
  });
});

onEveryStore('an instance that failed', (open) => {
  const built = () => {
    const { state, work } = mendable();
    const ran: string[] = [];
    const job = flow('job')
      .step('first', () => void ran.push('first'))
      .parallel('both', {
        a: (b) => b.step('charge', work, { retry: { maxAttempts: 2, delay: '1s' } }),
        b: (b) => b.sleep('long', '1d').step('after', () => 'later'),
      })
      .end(({ results }) => [results.charge, results.after]);
    return { job, state, ran };
  };

  test('is revived where it failed: nothing that was done is done again', async () => {
    const { job, state, ran } = built();
    const { lab, run } = await begin(open, job, { key: 'k', for: '1m' });
    expect([await run.status(), state.runs]).toEqual(['failed', 2]);
    state.mended = true;
    const planned = await run.preview({ do: 'revive' });
    expect(planned.after.tokens.map(({ node }) => node).sort()).toEqual([
      'both/b',
      'charge',
      'long',
    ]);
    expect(await run.status()).toBe('failed');
    await run.revive({ actor: 'ada' });
    await lab.advance('2d');
    expect(await run.result()).toEqual(['worked', 'later']);
    expect([state.runs, ran]).toEqual([3, ['first']]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('has no result any more once it is revived, until it ends again', async () => {
    const { job, state } = built();
    const { lab, run } = await begin(open, job, { for: '1m' });
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
    state.mended = true;
    await run.revive();
    const result = run.result();
    await lab.advance('2d');
    expect(await result).toEqual(['worked', 'later']);
    await run.rerun('first');
    const again = run.result();
    await lab.advance('2d');
    expect([await again, state.runs]).toEqual([['worked', 'later'], 4]);
  });

  test('is not revived while another has its business key', async () => {
    const { job } = built();
    const { lab, run } = await begin(open, job, { key: 'k', for: '1m' });
    const other = await lab.engine.start(job, undefined as never, { key: 'k' });
    const refused = { code: 'instance.exists', details: { instance: other.id } };
    await expect(run.preview({ do: 'revive' })).rejects.toMatchObject(refused);
    await expect(run.revive()).rejects.toMatchObject(refused);
    expect(await run.status()).toBe('failed');
    await other.cancel();
    await run.revive();
    expect(await run.status()).not.toBe('failed');
    const third = lab.engine.start(job, undefined as never, { key: 'k' });
    await expect(third).rejects.toMatchObject({ code: 'instance.exists' });
  });
});

onEveryStore('a token', (open) => {
  const steps = () => {
    const ran: string[] = [];
    const keys: string[] = [];
    const job = flow('steps', { vars: { colour: 'red' } })
      .step('one', ({ idempotencyKey }) => void (ran.push('one'), keys.push(idempotencyKey)))
      .waitFor('go', { event: 'go', key: () => 'k' })
      .step('two', ({ vars }) => (ran.push('two'), vars.colour))
      .sleep('rest', '1d')
      .end(({ results }) => results.two);
    return { job, ran, keys };
  };

  test('that waits is woken with what someone says', async () => {
    const { job } = steps();
    const { lab, run } = await begin(open, job);
    const [{ id } = { id: 0 }] = await run.tokens();
    await run.wake(id, { by: 'hand' }, { actor: 'ada' });
    await lab.settle();
    const view = await run.inspect();
    expect(view.scopes[0]?.results['go']).toEqual({ by: 'hand' });
    const [{ id: napper } = { id: 0 }] = await run.tokens();
    await run.wake(napper);
    await lab.settle();
    expect(await run.result()).toBe('red');
  });

  test('that waits is skipped, and sees a variable that was changed', async () => {
    const { job, ran } = steps();
    const { lab, run } = await begin(open, job);
    const [{ id } = { id: 0 }] = await run.tokens();
    await run.set('colour', 'blue', { actor: 'ada' });
    await run.skip(id, 'whatever');
    await lab.advance('2d');
    expect([await run.result(), ran]).toEqual(['blue', ['one', 'two']]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('is moved to another node, and nowhere that is not in the plan', async () => {
    const { job, ran } = steps();
    const { lab, run } = await begin(open, job);
    const [{ id } = { id: 0 }] = await run.tokens();
    await expect(run.move(id, 'three')).rejects.toMatchObject({ code: 'node.not-found' });
    await expect(run.move(99, 'two')).rejects.toMatchObject({ code: 'token.not-found' });
    await run.move(id, 'rest');
    await lab.advance('2d');
    expect([await run.result(), ran]).toEqual([null, ['one']]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('is run again from a node, with keys of its own, in place and as a copy', async () => {
    const { job, ran, keys } = steps();
    const { lab, run } = await begin(open, job);
    await run.skip((await run.tokens())[0]?.id ?? 0);
    await lab.advance('2d');
    expect(await run.status()).toBe('completed');
    await run.rerun('one', { actor: 'ada' });
    await lab.settle();
    expect([ran, new Set(keys).size]).toEqual([['one', 'two', 'one'], 2]);
    const copy = await run.rerun('two', { copy: true, key: 'copied' });
    expect(copy.id).not.toBe(run.id);
    await lab.advance('2d');
    expect([await copy.result(), ran]).toEqual(['red', ['one', 'two', 'one', 'two']]);
    await copy.rerun('two');
    await lab.advance('2d');
    expect([await copy.result(), ran.length]).toEqual(['red', 5]);
    expect(await run.status()).toBe('waiting');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
    await expect(run.rerun('nowhere')).rejects.toMatchObject({ code: 'node.not-found' });
  });
});
