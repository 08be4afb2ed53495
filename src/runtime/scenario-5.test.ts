/**
 * Scenario 5 on every store: an event before its wait, an event twice, an event and a timeout in
 * the same millisecond; and the rows of the inbox that go with it (L-53, L-54, L-55, L-58, X-07).
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Store } from '../stores/store.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { unreachable } from '../testing/outage.ts';
import { pay, payment, shared } from '../testing/payments.ts';
import { Gate } from '../testing/stage.ts';
import type { Around } from '../testing/wrapped-store.ts';
import type { Run } from './run.ts';

async function wakesOf(run: Run): Promise<string[]> {
  const history = await run.history();
  const changes = history.flatMap((entry) => entry.changes);
  return changes.flatMap((change) => (change.did === 'wake-token' ? [change.wake.reason] : []));
}

async function started(lab: Lab, key = 'k'): Promise<Run> {
  const run = await lab.engine.start(payment, null, { key });
  await lab.settle();
  return run;
}

async function kept(lab: Lab): Promise<string[]> {
  return (await lab.engine.inbox.list()).messages.map(({ id }) => id);
}

onEveryStore('scenario 5, X-07: event before wait', (open) => {
  test('a message that finds its waiter wakes it', async () => {
    const lab = await open([payment]);
    const run = await started(lab);
    expect(await run.status()).toBe('waiting');
    const published = await lab.engine.publish(pay('k', 5));
    expect(published).toMatchObject({ outcome: 'woken', instances: [run.id] });
    expect(await run.result()).toBe(5);
    expect(await kept(lab)).toEqual([]);
  });

  test('a message that comes before its waiter is kept for it', async () => {
    const lab = await open([payment]);
    const published = await lab.engine.publish(pay('k', 7, { id: 'm' }));
    expect(published).toMatchObject({ outcome: 'buffered', instances: [] });
    await lab.advance('6d');
    expect(await kept(lab)).toEqual(['m']);
    const run = await started(lab);
    expect(await run.result()).toBe(7);
    expect(await kept(lab)).toEqual([]);
  });

  test('a kept message is used up by the first who waits for it', async () => {
    const lab = await open([payment]);
    await lab.engine.publish(pay('k', 1));
    expect(await (await started(lab)).result()).toBe(1);
    expect(await (await started(lab)).status()).toBe('waiting');
  });

  test('kept messages are had in the order they came', async () => {
    const lab = await open([payment]);
    for (const amount of [1, 2, 3]) await lab.engine.publish(pay('k', amount));
    for (const amount of [1, 2, 3]) expect(await (await started(lab)).result()).toBe(amount);
  });

  test('another key or another type is not what is waited for', async () => {
    const lab = await open([payment]);
    const run = await started(lab);
    await lab.engine.publish(pay('l', 1));
    await lab.engine.publish({ ...pay('k', 1), type: 'refunded' });
    // Put together they would read the same.
    await lab.engine.publish({ ...pay('k', 1), type: 'pai', key: 'dk' });
    expect(await run.status()).toBe('waiting');
  });
});

onEveryStore('scenario 5: event twice', (open) => {
  test('L-53: a message with a known id is a duplicate and changes nothing', async () => {
    const lab = await open([payment]);
    const first = await lab.engine.publish(pay('k', 1, { id: 'm1' }));
    const again = await lab.engine.publish(pay('k', 2, { id: 'm1' }));
    expect([first.outcome, again.outcome]).toEqual(['buffered', 'duplicate']);
    expect(again.instances).toEqual([]);
    expect(await (await started(lab)).result()).toBe(1);
    expect((await lab.engine.publish(pay('k', 3, { id: 'm1' }))).outcome).toBe('duplicate');
    expect(await (await started(lab)).status()).toBe('waiting');
  });

  test('L-58: the same event many times at once wakes the step once', async () => {
    const lab = await open([payment]);
    const run = await started(lab);
    const same = Array.from({ length: 20 }, () => lab.engine.publish(pay('k', 9, { id: 'm' })));
    const outcomes = (await Promise.all(same)).map(({ outcome }) => outcome).toSorted();
    expect(outcomes).toEqual([...Array<string>(19).fill('duplicate'), 'woken']);
    expect(await run.result()).toBe(9);
    expect(await wakesOf(run)).toEqual(['event']);
  });
});

onEveryStore('scenario 5, X-07: event against timeout, the loser visible', (open) => {
  test('the timeout wins: the message that comes after it is kept, and wakes nobody', async () => {
    const lab = await open([payment]);
    const run = await started(lab);
    await lab.advance('1h');
    const published = await lab.engine.publish(pay('k', 1, { id: 'late' }));
    expect(published).toMatchObject({ outcome: 'buffered', instances: [] });
    expect(await run.result()).toBe('never');
    expect(await wakesOf(run)).toEqual(['timeout']);
    expect(await kept(lab)).toEqual(['late']);
  });

  test('the message wins: the timeout that comes after it changes nothing', async () => {
    const lab = await open([payment]);
    const run = await started(lab);
    await lab.advance('59m');
    await lab.engine.publish(pay('k', 1));
    const before = await run.history();
    await lab.advance('2h');
    expect(await run.result()).toBe(1);
    expect(await run.history()).toEqual(before);
    expect(await wakesOf(run)).toEqual(['event']);
    expect(await kept(lab)).toEqual([]);
  });

  test.each(['message', 'timeout'])(
    'in the same millisecond the first commit decides: the %s',
    async (first) => {
      const due = new Gate();
      const around: Around = async (verb, call) => {
        // The moment has come, and the sweep that looks for it takes its time.
        if (verb === 'due' && first === 'message') await due.opened;
        return call();
      };
      const lab = await open([payment], { around });
      const run = await lab.engine.start(payment, null, { key: 'k' });
      await lab.tick('1h');
      const published = await lab.engine.publish(pay('k', 1, { id: 'm' }));
      due.open();
      await lab.settle();

      const isEvent = first === 'message';
      expect(published.outcome).toBe(isEvent ? 'woken' : 'buffered');
      expect(await wakesOf(run)).toEqual([isEvent ? 'event' : 'timeout']);
      expect(await run.result()).toBe(isEvent ? 1 : 'never');
      expect(await kept(lab)).toEqual(isEvent ? [] : ['m']);
      const { at } = (await run.history()).at(-1) ?? {};
      expect(at).toBe(lab.now);
      expect(await lab.engine.check()).toMatchObject({ ok: true });
    },
  );

  test('in the same millisecond, both at once: one of them, and never both', async () => {
    const lab = await open([payment]);
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    const runs = await Promise.all(keys.map((key) => lab.engine.start(payment, null, { key })));
    await lab.settle();
    const publish = () => Promise.all(keys.map((key) => lab.engine.publish(pay(key, 1))));
    const [published] = await Promise.all([publish(), lab.tick('1h'), publish()]);
    await lab.settle();
    for (const [n, run] of runs.entries()) {
      const wakes = await wakesOf(run);
      expect(wakes).toHaveLength(1);
      const isOurs = published[n]?.outcome === 'woken';
      expect(isOurs && wakes[0] !== 'event').toBe(false);
      expect(await run.result()).toBe(wakes[0] === 'event' ? 1 : 'never');
    }
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});

onEveryStore('L-54: a message nobody waits for', (open) => {
  test.each([
    ['its ttl', '1h', { ttl: '1h' }],
    ['seven days, where nobody says otherwise,', '7d', {}],
  ])('is kept for %s and is never delivered after that', async (_, time, ttl) => {
    const lab = await open([payment]);
    await lab.engine.publish(pay('a', 1, ttl));
    await lab.engine.publish(pay('b', 2, { id: 'b', ...ttl }));
    await lab.advance(time);
    expect(await (await started(lab, 'a')).result()).toBe(1);
    expect(await kept(lab)).toEqual(['b']);
    await lab.advance(1);
    expect(await (await started(lab, 'b')).status()).toBe('waiting');
    expect(await kept(lab)).toEqual([]);
  });
});

/** From one call of a verb on, all of it goes as it does where a process dies there. */
class Deathbed {
  readonly around: Around;
  readonly #died = new Gate();
  readonly #ends: () => Promise<never>;
  #verb: string | null = null;
  #left = 0;

  /** By default nobody is told anything any more. */
  constructor(ends: () => Promise<never> = () => new Promise(() => {})) {
    this.#ends = ends;
    this.around = (verb, call) => (this.#isHit(verb) ? this.#die() : call());
  }

  /** So many calls of it are still answered. */
  dieAt(verb: keyof Store, after = 0): void {
    this.#verb = verb;
    this.#left = after;
  }

  /** It has died there; from here on another process takes its place. */
  async died(): Promise<void> {
    await this.#died.opened;
    this.#verb = null;
  }

  #isHit(verb: string): boolean {
    if (verb !== this.#verb) return false;
    this.#left -= 1;
    return this.#left < 0;
  }

  #die(): Promise<never> {
    this.#died.open();
    return this.#ends();
  }
}

onEveryStore('L-53: a crash in the middle of delivering', (open) => {
  test('before the delivery has committed: it is picked up again', async () => {
    const bed = new Deathbed(() => Promise.reject(unreachable()));
    const lab = await open([shared], { around: bed.around });
    const run = await lab.engine.start(shared, null);
    await lab.settle();
    bed.dieAt('commit');
    const published = lab.engine.publish({ type: 'gong', key: 'all', data: 1 });
    await bed.died();
    expect((await published).outcome).toBe('buffered');
    lab.crash();
    await lab.advance('1m');
    expect(await run.result()).toBe(1);
    expect(await wakesOf(run)).toEqual(['event']);
  });

  test('after it: whoever begins to wait later does not get the message, too', async () => {
    const bed = new Deathbed();
    const lab = await open([shared], { around: bed.around });
    await lab.engine.publish({ type: 'gong', key: 'all', data: 1 });
    bed.dieAt('consume');
    const run = await lab.engine.start(shared, null);
    await bed.died();
    lab.crash();
    await lab.advance(1);
    expect(await run.result()).toBe(1);
    const later = await lab.engine.start(shared, null);
    await lab.advance('1h');
    lab.crash();
    await lab.advance('1h');
    expect(await later.status()).toBe('waiting');
    expect(await kept(lab)).toEqual([]);
    await lab.engine.publish({ type: 'gong', key: 'all', data: 2 });
    expect(await later.result()).toBe(2);
  });

  test('between two: the rest of those who waited get it, and nobody who came later', async () => {
    const bed = new Deathbed();
    const lab = await open([shared], { around: bed.around });
    const starts = Array.from({ length: 203 }, () => lab.engine.start(shared, null));
    const runs = await Promise.all(starts);
    await lab.settle();
    // Who waits? It delivers to 200 of them. Are there more? It dies there.
    bed.dieAt('deliverable', 1);
    void lab.engine.publish({ type: 'gong', key: 'all', data: 1 });
    await bed.died();
    const over = await Promise.all(runs.map((run) => run.status()));
    expect(over.filter((status) => status === 'completed')).toHaveLength(200);
    await lab.tick(1);
    const later = await lab.engine.start(shared, null);
    lab.crash();
    await lab.advance('1h');
    for (const run of runs) expect(await wakesOf(run)).toEqual(['event']);
    expect(await later.status()).toBe('waiting');
  });
});

onEveryStore('L-55: two handlers for one step', (open) => {
  test('are refused before anything is started', async () => {
    const twice = flow('twice')
      .step('pay', () => 1)
      .step('pay' as 'other', () => 2)
      .end();
    await expect(open([twice])).rejects.toMatchObject({
      code: 'definition.invalid',
      message: expect.stringContaining('two nodes are named "pay"'),
    });
  });
});
