/** Races and first-of, by the engine and on every store (scenarios 10 and 11; E-27, O-50). */
import { expect, test } from 'vitest';
import { event } from '../frontends/builder/event-type.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import { Fatal } from './fatal.ts';
import type { Run } from './run.ts';

/** Nothing of the instance is left but what the winner goes on with. */
async function left(run: Run): Promise<readonly string[]> {
  const { tokens, scopes, undos } = await run.inspect();
  return [
    ...tokens.map(({ node }) => String(node)),
    ...scopes.filter(({ parent }) => parent !== null).map(({ node }) => `scope of ${node}`),
    ...undos.map(({ node }) => `undo of ${node}`),
  ];
}

onEveryStore('scenario 10: a race whose loser waits leaves nothing behind (E-27, O-50)', (open) => {
  test('a timer: it is gone, and its moment wakes nobody', async () => {
    const ran: string[] = [];
    const job = flow('timer')
      .race('r', {
        slow: (b) => b.sleep('nap', '1h').step('late', () => ran.push('late')),
        quick: (b) => b.step('now', () => ran.push('now')),
      })
      .sleep('after', '1d')
      .end();
    const { lab, run } = await begin(open, job, { key: 'k' });
    expect(await left(run)).toEqual(['after']);
    const { version } = await run.inspect();
    await lab.advance('2h');
    expect((await run.inspect()).version).toBe(version);
    await lab.advance('1d');
    expect([ran, await run.status()]).toEqual([['now'], 'completed']);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('a message: nobody waits for it, and one that comes is kept for whoever will', async () => {
    const job = flow('message')
      .race('r', {
        told: (b) => b.waitFor('word', { event: 'word' }),
        quick: (b) => b.step('now', () => 1),
      })
      .sleep('after', '1d')
      .waitFor('again', { event: 'word' })
      .end();
    const { lab, run } = await begin(open, job, { key: 'k' });
    const sent = await lab.engine.publish({ type: 'word', key: 'k', data: 5 });
    expect(sent.outcome).toBe('buffered');
    expect(await left(run)).toEqual(['after']);
    await lab.advance('2d');
    expect(await run.result()).toEqual({ now: expect.anything(), again: 5 });
  });

  test('a handler: it is told, and whatever it brings is dropped', async () => {
    const gate = new Gate();
    const told: string[] = [];
    const job = flow('busy')
      .race('r', {
        slow: (b) =>
          b.step('slow', async ({ signal }) => {
            signal.addEventListener('abort', () => told.push('aborted'));
            await gate.opened;
            return 'too late';
          }),
        quick: (b) => b.sleep('wait', '1s').step('now', () => 'now'),
      })
      .end();
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.tick('1s');
    expect([await run.result(), told]).toEqual([{ now: 'now' }, ['aborted']]);
    gate.open();
    await lab.settle();
    const notes = (await run.history({ notes: true })).flatMap(({ dropped }) => dropped ?? []);
    expect(notes).toMatchObject([{ reason: 'token gone' }]);
  });

  test('whole branches: nested parallel, repeat, try and race', async () => {
    const job = flow('deep')
      .race('r', {
        deep: (b) =>
          b.parallel('p', {
            a: (p) => p.repeat('again', { times: 3 }, (x) => x.sleep('s1', '1h')),
            b: (p) => p.try('t', (x) => x.waitFor('w', { event: 'never' }), { do: (x) => x }),
            c: (p) =>
              p.race('inner', { x: (x) => x.sleep('s2', '2h'), y: (x) => x.sleep('s3', '3h') }),
            d: (p) => p.step('done', () => 1),
          }),
        quick: (b) => b.sleep('short', '1m'),
      })
      .sleep('after', '1d')
      .end();
    const { lab, run } = await begin(open, job, { key: 'k' });
    await lab.advance('2m');
    expect(await left(run)).toEqual(['after']);
    await lab.advance('2d');
    expect(await run.status()).toBe('completed');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('with a crash after every commit it is the same', async () => {
    const ran: string[] = [];
    const job = flow('crashing')
      .race('r', {
        slow: (b) => b.sleep('nap', '1h').step('late', () => ran.push('late')),
        quick: (b) => b.sleep('short', '1m').step('now', () => 'now'),
      })
      .end();
    const { run } = await begin(open, job, { chaos: { crashAfterEveryCommit: true }, for: '1d' });
    expect([await run.result(), ran]).toEqual([{ now: 'now' }, []]);
  });
});

onEveryStore('scenario 11: a race in a loop', (open) => {
  test('is won by another branch each time, once per pass (7993)', async () => {
    const winners: string[] = [];
    const job = flow('loop')
      .repeat('r', { times: 6 }, (r) =>
        r.race('race', {
          odd: (b) =>
            b
              .sleep('a', ({ index }) => (index % 2 === 0 ? '1m' : '3m'))
              .step('x', ({ index }) => winners.push(`odd ${index}`)),
          even: (b) => b.sleep('b', '2m').step('y', ({ index }) => winners.push(`even ${index}`)),
        }),
      )
      .end();
    const { run } = await begin(open, job, { for: '1d' });
    expect(winners).toEqual(['odd 0', 'even 1', 'odd 2', 'even 3', 'odd 4', 'even 5']);
    expect(await run.status()).toBe('completed');
  });
});

onEveryStore('D12: what the losers of a race did', (open) => {
  function job(diary: string[], gate: Gate<string>): Flow {
    return flow('losers')
      .race('r', {
        slow: (b) =>
          b
            .step('a', () => 'a', { undo: ({ result }) => void diary.push(`undo ${result}`) })
            .step('b', () => gate.opened, {
              undo: ({ result, inDoubt }) => void diary.push(`undo ${inDoubt ? 'b?' : result}`),
            }),
        quick: (b) => b.sleep('wait', '1s'),
      })
      .step('c', () => 'c', { undo: () => void diary.push('undo c') })
      .sleep('hour', '1h')
      .choose(
        'end',
        { bad: { when: ({ input }) => input === 'bad', do: (x) => x.fail('f', 'bad') } },
        {
          otherwise: (x) => x,
        },
      )
      .end();
  }

  async function raced(input: string) {
    const [diary, gate]: [string[], Gate<string>] = [[], new Gate()];
    const flow = job(diary, gate);
    const lab = await open([flow]);
    const run = await lab.engine.start(flow, input as never);
    await lab.tick('1s');
    return { lab, run, diary, gate };
  }

  test('is undone with the rest, in its place, if the instance fails', async () => {
    const { lab, run, diary, gate } = await raced('bad');
    // The race is over at once; that b is still at work holds nobody up.
    expect(await left(run)).toContain('hour');
    gate.open('b');
    await lab.settle();
    await lab.advance('2h');
    expect(diary).toEqual(['undo b', 'undo c', 'undo a']);
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated' });
  });

  test('is in doubt if no answer ever came', async () => {
    const { lab, run, diary } = await raced('bad');
    lab.crash();
    await lab.advance('2h');
    expect(diary.toSorted()).toEqual(['undo a', 'undo b?', 'undo c']);
    expect(diary.at(-1)).toBe('undo a');
    expect(await run.status()).toBe('failed');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('stands if the instance completes, which waits for no loser', async () => {
    const { lab, run, diary, gate } = await raced('good');
    await lab.tick('2h');
    expect(await run.status()).toBe('completed');
    expect(diary).toEqual([]);
    gate.open('b');
    await lab.settle();
    expect(diary).toEqual([]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});

onEveryStore('B-43: an event against a time', (open) => {
  const paid = event<{ amount: number }>('paid');
  const job = flow('order')
    .firstOf('answer', {
      paid: { event: paid },
      canceled: { event: 'canceled' },
      late: { after: '15m' },
    })
    .choose(
      'what',
      {
        paid: {
          when: ({ results }) => results.answer.arm === 'paid',
          do: (b) => b.step('ship', () => 1),
        },
        late: {
          when: ({ results }) => results.answer.arm === 'late',
          do: (b) => b.fail('expired', { code: 'order.expired' }),
        },
      },
      { otherwise: (b) => b.terminate('stop') },
    )
    .end();

  test('the event comes first: the timer leaves nothing behind', async () => {
    const { lab, run } = await begin(open, job, { key: 'k' });
    await lab.engine.publish({ type: 'paid', key: 'k', data: { amount: 5 } });
    expect(await run.result()).toMatchObject({
      answer: { arm: 'paid', data: { amount: 5 } },
      ship: 1,
    });
    await lab.advance('1h');
  });

  test('another event ends it as well', async () => {
    const { lab, run } = await begin(open, job, { key: 'k' });
    await lab.engine.publish({ type: 'canceled', key: 'k' });
    expect(await run.result()).toBeNull();
  });

  test('the time comes first: an event that comes later finds nobody', async () => {
    const { lab, run } = await begin(open, job, { key: 'k' });
    await lab.advance('15m');
    expect((await run.inspect()).fault).toMatchObject({ code: 'order.expired', node: 'expired' });
    expect((await lab.engine.publish({ type: 'paid', key: 'k' })).outcome).toBe('buffered');
  });

  test('a message that was there before it waits ends it at once', async () => {
    const lab = await open([job]);
    await lab.engine.publish({ type: 'paid', key: 'k', data: { amount: 1 } });
    const run = await lab.engine.start(job, null, { key: 'k' });
    await lab.settle();
    expect(await run.status()).toBe('completed');
  });
});

onEveryStore('a branch of a race that fails', (open) => {
  test('fails the race, and the others are cancelled', async () => {
    const job = flow('failing')
      .try(
        't',
        (t) =>
          t.race('r', {
            bad: (b) => b.step('bad', () => Promise.reject(new Fatal('no', { code: 'no' }))),
            slow: (b) => b.sleep('s', '1h'),
          }),
        { catch: { errors: ['no'] }, do: (c) => c.step('caught', ({ results }) => results.t.code) },
      )
      .end();
    const { run } = await begin(open, job);
    expect(await run.result()).toMatchObject({ caught: 'no' });
  });
});
