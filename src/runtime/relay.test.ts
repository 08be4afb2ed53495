/** The outbox: events for the world outside, by the engine and on every store. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { flow } from '../frontends/builder/flow.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';
import { type Fate, Receiver } from '../testing/receiver.ts';
import { Gate } from '../testing/stage.ts';
import { Fatal } from './fatal.ts';

const OUT = { outbox: true } as const;

/** Sends 1, 2 and 3, each in a commit of its own. */
const three = flow('three')
  .emit('one', { type: 'count', data: 1 }, OUT)
  .step('a', () => null)
  .emit('two', { type: 'count', data: 2 }, OUT)
  .step('b', () => null)
  .emit('three', { type: 'count', data: 3 }, OUT)
  .end();

const one = flow('one')
  .emit('tell', { type: 'told', data: ({ input }) => input }, OUT)
  .end();

async function standings(lab: Lab): Promise<string[]> {
  const { letters } = await lab.engine.outbox.list();
  return letters.map(
    ({ data, status, attempts }) => `${JSON.stringify(data)} ${status} ${attempts}`,
  );
}

const no = (): Fate => new Error('no');

onEveryStore('a letter', (open) => {
  test('L-35, B-16: is written in the commit that passes its node, and sent after it', async () => {
    const to = new Receiver();
    const { lab, run } = await begin(open, one, { key: 'k-1', input: { a: [1] }, outbox: to });
    const start = lab.now;
    expect(to.attempts).toHaveLength(1);
    const [event] = to.attempts;
    expect(event).toEqual({
      ...{ id: event?.id, type: 'told', key: 'k-1', data: { a: [1] } },
      ...{ instance: run.id, flow: 'one', at: start, attempt: 1 },
    });
    expect(event?.id.startsWith(`${run.id}/`)).toBe(true);
    expect(Object.isFrozen(event) && Object.isFrozen(event?.data)).toBe(true);
    const history = await run.history();
    const commits = history.filter(({ changes }) => changes.some(({ did }) => did === 'send'));
    expect(commits.map(({ n }) => n)).toEqual([1]);
    expect(await standings(lab)).toEqual([]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test.each([
    ['an error without words', Object.assign(new Error('x'), { message: { odd: 1 } })],
    ['what has no text', Object.create(null)],
    [
      'what cannot be looked at',
      Object.defineProperty({}, 'fatal', {
        get: () => {
          throw new Error('no');
        },
      }),
    ],
  ])('is tried again when its target throws %s', async (_, odd: unknown) => {
    let calls = 0;
    const outbox = (): void => {
      calls += 1;
      if (calls === 1) throw odd;
    };
    const { lab } = await begin(open, one, { outbox });
    expect(await standings(lab)).toEqual(['null ready 1']);
    await lab.advance('1m');
    expect([calls, await standings(lab)]).toEqual([2, []]);
  });

  test('is published inside as well, if it has a key', async () => {
    const waiting = flow('waiting')
      .waitFor('it', { event: 'told', key: 'k-1' })
      .end(({ results }) => results.it);
    const to = new Receiver();
    const lab = await open([one, waiting], { outbox: to });
    const run = await lab.engine.start(waiting, null);
    await lab.engine.start(one, 'hello', { key: 'k-1' });
    await lab.engine.start(one, 'nobody can wait for this', {});
    await lab.settle();
    expect(await run.result()).toBe('hello');
    expect(to.taken.map(({ key, data }) => [key, data])).toEqual([
      ['k-1', 'hello'],
      [null, 'nobody can wait for this'],
    ]);
  });

  test('of one instance leave in order, whatever becomes of them', async () => {
    const fates = new Map([
      [1, 2],
      [2, 0],
      [3, 1],
    ]);
    const to = new Receiver(({ data, attempt }) =>
      attempt <= (fates.get(data as number) ?? 0) ? new Error('no') : 'take',
    );
    const { run } = await begin(open, three, { outbox: to, for: '1h' });
    expect(to.tries).toEqual(['1 1', '1 2', '1 3', '2 1', '3 1', '3 2']);
    expect(to.had).toEqual([1, 2, 3]);
    // The receiver knows them again.
    expect(new Set(to.attempts.map(({ id }) => id)).size).toBe(3);
    expect(await run.status()).toBe('completed');
  });

  test('that cannot be sent holds back its own instance and no other', async () => {
    const to = new Receiver(({ instance }) => (instance === bad.id ? new Error('no') : 'take'));
    const lab = await open([three], { outbox: to });
    const bad = await lab.engine.start(three, null);
    await lab.engine.start(three, null);
    await lab.settle();
    expect(to.had).toEqual([1, 2, 3]);
    expect(await standings(lab)).toEqual(['1 ready 1', '2 ready 0', '3 ready 0']);
  });

  test.each([1, 2, 10])(
    'L-57: is given up after %i attempts that came to nothing',
    async (most) => {
      const to = new Receiver(({ data }) => (data === 1 ? new Error('not today') : 'take'));
      const outbox = { to, maxAttempts: most };
      const { lab } = await begin(open, three, { outbox, for: '2h' });
      expect(to.attempts.filter(({ data }) => data === 1)).toHaveLength(most);
      // It holds nobody back any more.
      expect(to.had).toEqual([2, 3]);
      const { letters } = await lab.engine.outbox.list({ status: 'dead' });
      expect(letters).toMatchObject([{ data: 1, attempts: most, lastError: 'not today' }]);
      const given = lab.log.lines.filter(({ level }) => level === 'error');
      expect(given).toMatchObject([{ message: 'a letter was given up' }]);
    },
  );

  test('L-57: unless told otherwise that is ten, with pauses that double up to a cap', async () => {
    const moments: number[] = [];
    const to = new Receiver(() => {
      moments.push(lab.now);
      return new Error('no');
    });
    const lab = await open([one], { outbox: to });
    await lab.engine.start(one, null);
    await lab.advance('2h');
    expect(await standings(lab)).toEqual(['null dead 10']);
    const pauses = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
    const spans = [1, 2, 4, 8, 16, 32, 64, 128, 256].map((seconds) => seconds * 1_000);
    expect(pauses).toHaveLength(9);
    for (const [index, span] of spans.entries()) {
      expect(pauses[index]).toBeGreaterThan(0);
      expect(pauses[index]).toBeLessThanOrEqual(span);
    }
  });

  test('no pause is longer than the cap, also where the target asks for more', async () => {
    const busy = (ms: unknown) => Object.assign(new Error('busy'), { retryAfterMs: ms });
    const asked = [busy(7_000), busy(1e12), busy(Number.NaN), busy('x'), 'take'] as const;
    const moments: number[] = [];
    const to = new Receiver(({ attempt }) => {
      moments.push(lab.now);
      return asked[attempt - 1] ?? 'take';
    });
    const outbox = { to, backoff: { base: '1s', max: '10s' } };
    const lab = await open([one], { outbox });
    await lab.engine.start(one, null);
    await lab.advance('1h');
    const pauses = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
    expect(pauses[0]).toBe(7_000);
    expect(pauses[1]).toBe(10_000);
    expect(Math.max(...pauses.slice(2))).toBeLessThanOrEqual(10_000);
    expect(to.taken).toHaveLength(1);
  });

  test('is given up at once if its target says that nothing helps', async () => {
    const to = new Receiver(({ data }) => (data === 1 ? new Fatal('never') : 'take'));
    const { lab } = await begin(open, three, { outbox: to });
    expect(to.tries).toEqual(['1 1', '2 1', '3 1']);
    expect(await standings(lab)).toEqual(['1 dead 1']);
  });
});

onEveryStore('a target that hangs', (open) => {
  const hangsOnce = (data: Json) => (event: { data: Json; attempt: number }) =>
    event.data === data && event.attempt === 1 ? 'hang' : 'take';

  test('is given up after its time, and tried again', async () => {
    const to = new Receiver(hangsOnce(1));
    const { lab } = await begin(open, three, { outbox: { to, timeout: '5s' } });
    expect(await standings(lab)).toEqual(['1 sending 0', '2 ready 0', '3 ready 0']);
    await lab.advance('4999ms');
    expect(to.signals[0]?.aborted).toBe(false);
    await lab.advance('1ms');
    expect(to.signals[0]?.aborted).toBe(true);
    await lab.advance('1m');
    expect(to.tries).toEqual(['1 1', '1 2', '2 1', '3 1']);
  });

  test('holds up neither the steps of flows nor the letters of others', async () => {
    const to = new Receiver(({ instance }) => (instance === first.id ? 'hang' : 'take'));
    const lab = await open([three], { outbox: to });
    const first = await lab.engine.start(three, null);
    await lab.settle();
    expect(await first.status()).toBe('completed');
    const second = await lab.engine.start(three, null);
    await lab.settle();
    expect(await second.status()).toBe('completed');
    expect(to.had).toEqual([1, 2, 3]);
  });

  test('has no more letters at the same time than it may', async () => {
    let atOnce = 0;
    let most = 0;
    const gates = Array.from({ length: 5 }, () => new Gate());
    const to = async ({ data }: { data: Json }) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await gates[data as number]?.opened;
      atOnce -= 1;
    };
    const lab = await open([one], { outbox: { to, concurrency: 2 } });
    for (const data of [0, 1, 2, 3, 4]) await lab.engine.start(one, data);
    await lab.settle();
    expect(atOnce).toBe(2);
    for (const gate of gates) gate.open();
    await lab.settle();
    expect([most, atOnce]).toEqual([2, 0]);
    expect(await standings(lab)).toEqual([]);
  });
});

onEveryStore('a process that dies while it sends', (open) => {
  test('L-21, B-22: leaves a lease that runs out, and the letter is sent again', async () => {
    const to = new Receiver(({ data, attempt }) => (data === 1 && attempt < 3 ? 'hang' : 'take'));
    const { lab } = await begin(open, three, { outbox: { to, timeout: '20s' } });
    lab.crash();
    await lab.advance('30s');
    expect(to.tries).toEqual(['1 1']);
    // The lease is the time a send may take, and ten seconds.
    await lab.advance('2s');
    expect(to.tries).toEqual(['1 1', '1 2']);
    lab.crash();
    await lab.advance('40s');
    expect(to.tries).toEqual(['1 1', '1 2', '1 3', '2 1', '3 1']);
    expect(new Set(to.attempts.map(({ id }) => id)).size).toBe(3);
  });

  test('L-21: a letter that is sent for the last time then is given up', async () => {
    const to = new Receiver(({ data }) => (data === 1 ? 'hang' : 'take'));
    const { lab } = await begin(open, three, { outbox: { to, maxAttempts: 1, timeout: '1s' } });
    lab.crash();
    await lab.advance('1m');
    expect(to.tries).toEqual(['1 1', '2 1', '3 1']);
    const { letters } = await lab.engine.outbox.list();
    expect(letters).toMatchObject([{ data: 1, status: 'dead', attempts: 1 }]);
    expect(letters[0]?.lastError).toContain('LEASE_EXPIRED');
  });

  test('B-21: whoever comes back too late changes nothing', async () => {
    const gate = new Gate<Fate>();
    const to = new Receiver(({ attempt }) => (attempt === 1 ? gate.opened : 'take'));
    const { lab } = await begin(open, one, { outbox: { to, timeout: '1s' } });
    lab.crash();
    await lab.advance('1m');
    gate.open(new Error('no'));
    await lab.settle();
    expect(to.tries).toEqual(['null 1', 'null 2']);
    expect(await standings(lab)).toEqual([]);
  });

  test('after every commit, with everything delivered twice: nothing is lost', async () => {
    const to = new Receiver();
    const chaos = { crashAfterEveryCommit: true, duplicateDeliveries: true };
    await begin(open, three, { outbox: to, chaos, for: '1h' });
    expect([...new Set(to.had)]).toEqual([1, 2, 3]);
  });
});

onEveryStore('a dead letter', (open) => {
  test('is listed, requeued and arrives', async () => {
    let isDown = true;
    const to = new Receiver(() => (isDown ? new Error('down') : 'take'));
    const { lab } = await begin(open, three, { outbox: { to, maxAttempts: 2 }, for: '1h' });
    expect(await standings(lab)).toEqual(['1 dead 2', '2 dead 2', '3 dead 2']);
    const { outbox } = lab.engine;
    const { letters, cursor } = await outbox.list({ status: 'dead', limit: 2 });
    expect([letters.length, cursor]).toEqual([2, expect.any(String)]);
    const rest = await outbox.list({ status: 'dead', limit: 2, cursor: cursor ?? '' });
    expect(rest).toMatchObject({ letters: [{ data: 3 }], cursor: null });
    isDown = false;
    const ids = [...letters, ...rest.letters].map(({ id }) => id);
    expect(await outbox.requeue(ids.toReversed())).toBe(3);
    expect(await outbox.requeue('unknown')).toBe(0);
    await lab.settle();
    expect(to.had).toEqual([1, 2, 3]);
    // A new life: its attempts are counted anew.
    expect(to.taken.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    expect(to.taken.map(({ id }) => id)).toEqual(ids);
    expect(await standings(lab)).toEqual([]);
  });

  test('is found by type and by instance', async () => {
    const { lab, run } = await begin(open, one, {
      outbox: { to: new Receiver(no), maxAttempts: 1 },
    });
    await lab.engine.start(one, null);
    await lab.settle();
    const { outbox } = lab.engine;
    const count = async (filter: object) => (await outbox.list(filter)).letters.length;
    expect(await count({ type: 'told' })).toBe(2);
    expect(await count({ type: 'other' })).toBe(0);
    expect(await count({ instance: run.id })).toBe(1);
    await expect(count({ status: 'lost' })).rejects.toThrow(
      'status is one of ready, sending, dead',
    );
    await expect(count({ limit: 0 })).rejects.toThrow('limit');
    await expect(count({ cursor: 'x' })).rejects.toThrow('cursor');
    await expect(outbox.requeue([7] as never)).rejects.toThrow('takes the id of a letter');
  });
});

onEveryStore('targets', (open) => {
  const typed = flow<string>('typed')
    .emit('tell', ({ input }) => ({ type: input, data: input }), OUT)
    .end();

  test('have the letters of their types, and * has all others', async () => {
    const [paid, rest] = [new Receiver(), new Receiver()];
    const lab = await open([typed], { outbox: { to: { paid, '*': rest } } });
    for (const type of ['paid', 'sent', 'paid', 'lost']) await lab.engine.start(typed, type);
    await lab.settle();
    expect(paid.had).toEqual(['paid', 'paid']);
    expect(rest.had).toEqual(['sent', 'lost']);
  });

  test('a type without one is left for others, and that is said once', async () => {
    const paid = new Receiver();
    const lab = await open([typed], { outbox: { to: { paid } } });
    for (const type of ['lost', 'paid', 'lost']) await lab.engine.start(typed, type);
    await lab.advance('5m');
    expect(paid.had).toEqual(['paid']);
    expect(await standings(lab)).toEqual(['"lost" ready 0', '"lost" ready 0']);
    const warnings = lab.log.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([{ details: { type: 'lost' } }]);
  });

  test('without any the letters wait, and that is said once', async () => {
    const { lab } = await begin(open, three, { for: '1h' });
    expect(await standings(lab)).toEqual(['1 ready 0', '2 ready 0', '3 ready 0']);
    const warnings = lab.log.lines.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ message }) => message)).toEqual([
      'letters were written, and this engine has no outbox',
    ]);
  });
});

describe('a store that does not answer', () => {
  onEveryStore('the relay', (open) => {
    test.each(['letters.claim', 'letters.sent', 'letters.failed', 'letters.expired'] as const)(
      'goes on when %s fails for a while',
      async (broken) => {
        let failures = 3;
        const to = new Receiver(({ data, attempt }) =>
          data === 2 && attempt === 1 ? new Error('no') : 'take',
        );
        await begin(open, three, {
          outbox: to,
          around: (verb, call) => {
            if (verb !== broken || failures === 0) return call();
            failures -= 1;
            return Promise.reject(new Error('away'));
          },
          for: '10m',
        });
        expect(to.tries).toEqual(['1 1', '2 1', '2 2', '3 1']);
        expect(failures).toBe(0);
      },
    );
  });
});
