/** D15: bells between processes are hints: who hears one looks sooner, and nothing needs one. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Bell, Store } from '../stores/store.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import type { Engine } from './engine.ts';

/** Processes that hear each other, and not themselves. Their poll is longer than any test. */
class Street {
  readonly world = new World();
  readonly rung: string[] = [];
  readonly #listeners = new Map<string, (bell: Bell) => void>();

  open(id: string, flows: readonly Flow[], options: OpenOptions = {}): Promise<Engine> {
    const { concurrency = 64, isOffice = false, ...verbs } = options;
    const store = wrappedStore(this.world.store, {
      listen: (ring) => void this.#listeners.set(id, ring),
      ring: (bell = 'work') => {
        this.rung.push(id);
        for (const [other, ring] of this.#listeners) if (other !== id) ring(bell);
      },
      ...verbs,
    });
    const worker = isOffice ? false : { id, poll: '1d', concurrency };
    return this.world.open(flows, { store, worker });
  }
}

/** Verbs of its store that are replaced, and how much it does at once, if it does anything. */
type OpenOptions = Partial<Store> & { readonly concurrency?: number; readonly isOffice?: boolean };

const step = flow<string>('step')
  .step('work', ({ input }) => input)
  .end(({ results }) => results.work);

const many = flow<string>('many')
  .parallel('fork', {
    a: (b) => b.step('a', () => new Gate().opened),
    b: (b) => b.step('b', () => new Gate().opened),
    c: (b) => b.step('c', () => new Gate().opened),
  })
  .end();

const waits = flow<null>('waits').waitFor('w', { event: 'e', key: 'k' }).end();

describe('a commit rings', () => {
  test('once, however much it leaves for others', async () => {
    const street = new Street();
    const engine = await street.open('A', [many], { concurrency: 1 });
    await settled();
    await engine.start(many, 'x');
    expect(street.rung).toEqual(['A']);
  });

  test('not for what is handed over, and once for the end', async () => {
    const gate = new Gate<string>();
    const held = flow('held')
      .step('work', () => gate.opened)
      .end(({ results }) => results.work);
    const street = new Street();
    const engine = await street.open('A', [held]);
    await settled();
    const run = await engine.start(held, null);
    expect(street.rung).toEqual([]);
    gate.open('x');
    expect(await run.result()).toBe('x');
    expect(street.rung).toEqual(['A']);
  });

  test('for one that waits for a message, unless whoever is here looks for it', async () => {
    const street = new Street();
    const office = await street.open('office', [waits], { isOffice: true });
    await office.start(waits, null);
    expect(street.rung).toEqual(['office']);
    const engine = await street.open('A', [waits]);
    await engine.start(waits, null);
    expect(street.rung).toEqual(['office']);
  });

  test('for what is to be carried to another', async () => {
    const street = new Street();
    const child = flow<number>('child').waitFor('w', { event: 'e', key: 'k' }).end();
    const job = flow<null>('job').call('c', child, 1).end();
    const engine = await street.open('A', [job], { posts: async () => [] });
    await engine.start(job, null);
    expect(street.rung).toEqual(['A']);
  });

  test('for a time that comes, unless whoever is here waits for it', async () => {
    const street = new Street();
    const naps = flow<null>('naps').sleep('nap', '1h').end();
    const office = await street.open('office', [naps], { isOffice: true });
    await street.open('B', [naps]);
    await settled();
    const run = await office.start(naps, null);
    expect(street.rung).toEqual(['office']);
    await run.suspend();
    await street.world.pass('2h');
    street.rung.length = 0;
    // An operator lets go on what is due by now.
    await run.resume();
    await settled();
    expect(await run.status()).toBe('completed');
    expect(street.rung).toEqual(['office', 'B']);
  });

  test('not where it only sleeps', async () => {
    const street = new Street();
    const naps = flow<null>('naps').sleep('nap', '1h').end();
    const engine = await street.open('A', [naps]);
    await engine.start(naps, null);
    expect(street.rung).toEqual([]);
  });
});

describe('whoever hears it', () => {
  test('comes for work that another left', async () => {
    const street = new Street();
    const a = await street.open('A', [many, step], { concurrency: 1 });
    await street.open('B', [step]);
    await a.start(many, 'keeps it busy');
    await settled();
    const run = await a.start(step, 'x');
    await settled();
    expect(await run.status()).toBe('completed');
  });

  test('brings a message to one that began to wait elsewhere', async () => {
    const street = new Street();
    const a = await street.open('A', [waits], { isOffice: true });
    await street.open('B', [waits]);
    await settled();
    await street.world.store.publish({ id: 'm', type: 'e', key: 'k', data: 1, ttlMs: 60_000 });
    const run = await a.start(waits, null);
    await settled();
    expect(await run.status()).toBe('completed');
  });

  test('carries what another posted', async () => {
    const street = new Street();
    const child = flow<number>('child').end(({ input }) => input + 1);
    const job = flow<null>('job').call('c', child, 1).end();
    const a = await street.open('A', [job], { posts: async () => [] });
    await street.open('B', [job]);
    await settled();
    const run = await a.start(job, null);
    await settled();
    expect(await run.status()).toBe('completed');
  });

  test('looks for ends that are waited for, however many bells there were, once', async () => {
    const street = new Street();
    let loads = 0;
    const a = await street.open('A', [waits], {
      load: (ids) => {
        loads += 1;
        return street.world.store.load(ids);
      },
    });
    const b = await street.open('B', [waits, step]);
    const run = await b.start(waits, null);
    await settled();
    const result = (await a.get(run.id))?.result();
    await settled();
    loads = 0;
    street.rung.length = 0;
    await b.publish({ type: 'e', key: 'k', data: 7 });
    for (let more = 0; more < 5; more += 1) await (await b.start(step, 'x')).result();
    expect(street.rung.length).toBeGreaterThan(5);
    await street.world.pass(50);
    expect(await result).toEqual({ w: 7 });
    expect(loads).toBe(1);
  });

  test('learns of the end of what it started itself, where others do the work', async () => {
    const street = new Street();
    const gate = new Gate<string>();
    const job = flow<null>('job')
      .step('work', () => gate.opened)
      .end(({ results }) => results.work);
    const office = await street.open('office', [job], { isOffice: true });
    await street.open('B', [job]);
    const result = (await office.start(job, null)).result();
    await settled();
    gate.open('done');
    await settled();
    await street.world.pass(50);
    expect(await result).toBe('done');
  });
});
