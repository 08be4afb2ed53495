/** Events for those who listen: each is heard once and in order, whatever dies in between. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { type Ear, forgetEars, type Heard, knowEars, listener } from '../testing/ears.ts';
import { settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import type { Engine } from './engine.ts';
import type { Run } from './run.ts';

beforeAll(knowEars);
afterAll(forgetEars);

const three = listener('three', { ear: { count: 3 } });
const both = listener('both', {
  news: { type: 'news', count: 3, hop: true },
  all: { count: 4 },
});
const waiter = flow('waiter')
  .waitFor('news', { event: 'news' })
  .end(({ results }) => results.news);

const EVENT = { specversion: '1.0', type: 'news', source: '/desk', subject: 'k' } as const;

async function listening(engine: Engine, heard = three): Promise<Run<Heard>> {
  const run = await engine.start(heard, null);
  await settled();
  return run;
}

function publish(engine: Engine, id: string, type = 'news') {
  return engine.publish({ type, id });
}

describe('a listener', () => {
  test('hears what is published after it began, and nothing from before', async () => {
    const world = new World();
    const engine = await world.open([three]);
    await publish(engine, 'old');
    await world.pass('1s');
    const run = await listening(engine);
    for (const id of ['e1', 'e2', 'e3']) {
      expect(await publish(engine, id)).toMatchObject({ outcome: 'woken', instances: [run.id] });
    }
    expect(await run.result()).toEqual({ ear: ['e1', 'e2', 'e3'] });
    expect(await engine.check()).toMatchObject({ ok: true });
  });

  test('hears what came before, if it looks back', async () => {
    const world = new World();
    const back = listener('back', { ear: { count: 2, lookBackMs: 1_000 } });
    const engine = await world.open([back]);
    await publish(engine, 'older');
    await world.pass('1s');
    await publish(engine, 'old');
    await world.pass('1s');
    const run = await listening(engine, back);
    await publish(engine, 'new');
    expect(await run.result()).toEqual({ ear: ['old', 'new'] });
  });

  test('hears one id once, however often it is published [LI-21]', async () => {
    const engine = await new World().open([three]);
    const run = await listening(engine);
    const again = { ...EVENT, id: '1' };
    expect((await engine.publish(again)).outcome).toBe('woken');
    expect((await engine.publish(again)).outcome).toBe('duplicate');
    expect((await engine.publish({ ...again, source: '/other' })).outcome).toBe('woken');
    await engine.publish({ ...again, id: '2' });
    expect(await run.result()).toEqual({ ear: ['1', '1', '2'] });
  });

  test('is told what was published while it was suspended, in order', async () => {
    const engine = await new World().open([three]);
    const run = await listening(engine);
    await run.suspend();
    for (const id of ['e1', 'e2', 'e3']) {
      expect((await publish(engine, id)).outcome).toBe('buffered');
    }
    await run.resume();
    expect(await run.result()).toEqual({ ear: ['e1', 'e2', 'e3'] });
  });

  test('that is one of two in an instance hears all that is for it', async () => {
    const engine = await new World().open([both]);
    const run = await listening(engine, both);
    await publish(engine, 'n1');
    await publish(engine, 'o1', 'other');
    await publish(engine, 'n2');
    await publish(engine, 'n3');
    expect(await run.result()).toEqual({
      ...{ news: ['n1', 'n2', 'n3'], all: ['n1', 'o1', 'n2', 'n3'] },
    });
    expect(await engine.check()).toMatchObject({ ok: true });
  });

  test.each([
    ['by one token', {}],
    ['by one after the other', { hop: true }],
  ])('loses none of 200 events that come at once, %s', async (_how, more: Partial<Ear>) => {
    const many = listener('many', { ear: { count: 200, ...more } });
    const world = new World();
    const engines = [await world.open([many]), await world.open([many])];
    const runs = await Promise.all(engines.map((engine) => listening(engine, many)));
    const ids = Array.from({ length: 200 }, (_, n) => `e${n}`);
    await Promise.all(ids.map((id, n) => publish(engines[n % 2] as Engine, id)));
    // One may have ended in the other process.
    await world.passSeconds(2);
    for (const run of runs) {
      const { ear = [] } = await run.result();
      expect(ear.toSorted()).toEqual(ids.toSorted());
    }
  });

  test('one event reaches every instance that listens [LI-22]', async () => {
    const engine = await new World().open([three]);
    const runs = await Promise.all(Array.from({ length: 205 }, () => engine.start(three, null)));
    await settled();
    const { instances } = await publish(engine, 'e1');
    expect(instances).toHaveLength(205);
    expect(new Set(instances)).toEqual(new Set(runs.map(({ id }) => id)));
  });
});

describe('crashes', () => {
  test('whoever publishes may die before anyone has heard of it [LI-20]', async () => {
    const world = new World();
    const engine = await world.open([three]);
    const run = await listening(engine);
    // It was kept, and that was its last deed.
    const message = { type: 'news', key: '', data: null, ttlMs: 60_000 };
    for (const id of ['e1', 'e2', 'e3']) await world.store.publish({ id, ...message });
    await world.passSeconds(40);
    expect(await run.result()).toEqual({ ear: ['e1', 'e2', 'e3'] });
  });

  test('what is published while no worker is there is heard when one comes', async () => {
    const world = new World();
    const first = await world.open([three]);
    const run = await listening(first);
    await first.close();
    const office = await world.open([], { worker: false });
    for (const id of ['e1', 'e2', 'e3']) await publish(office, id);
    const again = await world.open([three]);
    expect(await (await again.get(run.id))?.result()).toEqual({ ear: ['e1', 'e2', 'e3'] });
  });

  test('a process without the code wakes it for one event, and the next one waits', async () => {
    const world = new World();
    const first = await world.open([three]);
    const run = await listening(first);
    world.kill(first);
    const office = await world.open([], { worker: false });
    expect((await publish(office, 'e1')).outcome).toBe('woken');
    expect((await publish(office, 'e2')).outcome).toBe('buffered');
    const tokens = await (await office.get(run.id))?.tokens();
    expect(tokens).toMatchObject([{ status: 'ready', wake: { payload: { id: 'e1' } } }]);
    await publish(office, 'e3');
    const again = await world.open([three]);
    await settled();
    await world.passSeconds(2);
    expect(await (await again.get(run.id))?.result()).toEqual({ ear: ['e1', 'e2', 'e3'] });
    expect(await again.check()).toMatchObject({ ok: true });
  });
});

describe('those who wait', () => {
  test('have the data of an event, and those who listen all of it', async () => {
    const engine = await new World().open([three, waiter]);
    const run = await listening(engine);
    const waiting = await engine.start(waiter, null, { key: 'k' });
    await settled();
    const event = { ...EVENT, id: '1', data: { sum: 5 }, traceparent: '00-ab' };
    expect((await engine.publish(event)).instances.toSorted()).toEqual(
      [run.id, waiting.id].toSorted(),
    );
    expect(await waiting.result()).toEqual({ sum: 5 });
    expect(await payloads(run)).toEqual([event]);
  });

  test('have bytes as they came', async () => {
    const engine = await new World().open([waiter]);
    const waiting = await engine.start(waiter, null, { key: 'k' });
    await settled();
    await engine.publish({ ...EVENT, id: '1', data_base64: 'AAE=' });
    expect(await waiting.result()).toBe('AAE=');
  });

  test('later lose nothing to those who listened', async () => {
    const world = new World();
    const engine = await world.open([three, waiter]);
    await listening(engine);
    expect((await engine.publish({ ...EVENT, id: '1', data: 'early' })).outcome).toBe('woken');
    await world.pass('1m');
    const waiting = await engine.start(waiter, null, { key: 'k' });
    expect(await waiting.result()).toBe('early');
  });
});

describe('what is no CloudEvent is one for those who listen', () => {
  const made = { specversion: '1.0', source: '/perdure', datacontenttype: 'application/json' };

  test('a message with a key, and one without', async () => {
    const engine = await new World().open([three]);
    const run = await listening(engine);
    await engine.publish({ type: 'news', key: 'k', id: 'm1', data: { sum: 5 } });
    await engine.publish({ type: 'news', id: 'm2' });
    expect(await payloads(run)).toEqual([
      { ...made, id: 'm1', type: 'news', subject: 'k', data: { sum: 5 } },
      { ...made, id: 'm2', type: 'news', data: null },
    ]);
  });

  test('what is sent to one instance', async () => {
    const engine = await new World().open([three]);
    const [run, other] = [await listening(engine), await listening(engine)];
    const preview = await run.preview({ do: 'send', type: 'news', data: 7 });
    expect(preview.changes.map(({ did }) => did)).toContain('wake-token');
    const sent = await run.send('news', 7, { id: 'm1' });
    expect(sent).toMatchObject({ outcome: 'woken', instances: [run.id] });
    expect(await payloads(run)).toEqual([{ ...made, id: 'm1', type: 'news', data: 7 }]);
    expect(await payloads(other)).toEqual([]);
  });
});

/** What its listeners were told. */
async function payloads(run: Run<Heard>): Promise<unknown[]> {
  const told: unknown[] = [];
  for (const entry of await run.history()) {
    const changes = 'changes' in entry ? entry.changes : [];
    for (const change of changes) if (change.did === 'wake-token') told.push(change.wake.payload);
  }
  return told;
}
