/** Waiting for work: woken by a commit here, by a bell of another process, and by hanging up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { chain } from '../../frontends/chain/chain.ts';
import { sqlite } from '../../stores/sqlite/sqlite.ts';
import { settled } from '../../testing/stage.ts';
import { Notebook, World } from '../../testing/world.ts';
import { guardedStore } from '../../testing/wrapped-store.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { Assignment } from './assignment.ts';

const line = chain('line', 1, ['ONE', 'TWO'], { maxAttempts: 3 });
const W = { worker: 'w1', handlers: ['ONE'], wait: '60s' };

/** A process whose poll is longer than any wait: only bells wake those who wait. */
async function silent(world = new World()): Promise<{ world: World; engine: Engine }> {
  return { world, engine: await world.open([line], { worker: { poll: '1d' } }) };
}

/** Somebody who waits, and what they have so far. */
function listen(engine: Engine, options: object = {}): { readonly had: Assignment[][] } {
  const had: Assignment[][] = [];
  void engine.work.fetch({ ...W, ...options }).then((found) => had.push([...found]));
  return { had };
}

describe('whoever waits for work', () => {
  test('has it as soon as it is there', async () => {
    const { engine } = await silent();
    const { had } = listen(engine);
    await settled();
    expect(had).toEqual([]);
    const run = await engine.start(line, {});
    await settled();
    expect(had).toMatchObject([[{ instance: run.id, type: 'ONE' }]]);
  });

  test('is not woken by work that is for others', async () => {
    const world = new World();
    const claimed: (readonly string[])[] = [];
    const store = guardedStore(world.store, async (verb, call) => {
      if (verb === 'claim') claimed.push([verb]);
      return call();
    });
    const engine = await world.open([line], { store, worker: false });
    const { had } = listen(engine, { handlers: ['TWO'] });
    await settled();
    const before = claimed.length;
    await engine.start(line, {});
    await settled();
    expect(had).toEqual([]);
    expect(claimed).toHaveLength(before);
  });

  test('waits no longer than it said, and looks again at every poll', async () => {
    const world = new World();
    let claims = 0;
    const store = guardedStore(world.store, async (verb, call) => {
      if (verb === 'claim') claims += 1;
      return call();
    });
    const engine = await world.open([line], { store, worker: false });
    const { had } = listen(engine, { wait: '10s' });
    await settled();
    const each = claims;
    await world.passSeconds(9);
    expect(had).toEqual([]);
    expect(claims).toBe(each * 10);
    await world.pass('1s');
    expect(had).toEqual([[]]);
    await world.passSeconds(5);
    expect(claims).toBe(each * 11);
  });

  test('finds what is tried again when its pause is over', async () => {
    const world = new World();
    const engine = await world.open([line]);
    await engine.start(line, {});
    const [first] = await engine.work.fetch(W);
    const said = { worker: 'w1', error: { message: 'no' }, retryAfter: '20s' };
    await engine.work.fail(first?.id ?? '', said);
    const { had } = listen(engine);
    await world.passSeconds(19);
    expect(had).toEqual([]);
    await world.passSeconds(2);
    expect(had).toMatchObject([[{ attempt: 2 }]]);
  });

  test('has what belongs to a tenant once it is let through', async () => {
    const { engine, world } = await silent();
    const { had } = listen(engine, { tenant: 'a' });
    await settled();
    await engine.start(line, {}, { tenant: 'b' });
    await engine.start(line, {}, { tenant: 'a' });
    await world.pass('100ms');
    expect(had).toMatchObject([[{ tenant: 'a' }]]);
  });

  test('has nothing when it hangs up', async () => {
    const { engine } = await silent();
    const hangUp = new AbortController();
    const { had } = listen(engine, { signal: hangUp.signal });
    await settled();
    hangUp.abort();
    await settled();
    expect(had).toEqual([[]]);
    await engine.start(line, {});
    expect(await engine.work.fetch({ ...W, worker: 'w2' })).toMatchObject([{ attempt: 1 }]);
  });

  test('gives back what it was just given when it hangs up, and costs no attempt', async () => {
    const world = new World();
    const hangUp = new AbortController();
    const store = guardedStore(world.store, async (verb, call) => {
      const answer = await call();
      if (verb === 'claim' && (answer as readonly unknown[]).length > 0) hangUp.abort();
      return answer;
    });
    const engine = await world.open([line], { store });
    await engine.start(line, {});
    expect(await engine.work.fetch({ ...W, signal: hangUp.signal })).toEqual([]);
    expect(await engine.work.fetch({ ...W, worker: 'w2' })).toMatchObject([
      { attempt: 1, wake: { reason: 'first' } },
    ]);
  });

  test('has nothing when the engine closes, and nobody can ask afterwards', async () => {
    const { engine } = await silent();
    const { had } = listen(engine);
    await settled();
    await engine.close();
    expect(had).toEqual([[]]);
    await expect(engine.work.fetch(W)).rejects.toMatchObject({ code: 'engine.closed' });
    await expect(engine.work.extend('x', W)).rejects.toMatchObject({ code: 'engine.closed' });
  });
});

describe('two processes on one SQLite file', () => {
  const folders: string[] = [];
  const engines: Engine[] = [];
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  test('one waits for what the other starts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perdure-remote-'));
    folders.push(folder);
    const path = join(folder, 'shared.db');
    const options = { flows: [line], logger: new Notebook(), worker: { poll: '1h' } };
    const [server, starter] = await Promise.all([
      createEngine({ ...options, store: sqlite(path) }),
      createEngine({ ...options, store: sqlite(path) }),
    ]);
    engines.push(server, starter);
    expect(await server.work.fetch({ ...W, wait: 0 })).toEqual([]);
    const waiting = server.work.fetch(W);
    const run = await starter.start(line, { a: 1 });
    const [work] = await waiting;
    expect(work).toMatchObject({ instance: run.id, context: { a: 1 } });
    await starter.work.complete(work?.id ?? '', { worker: 'w1', context: { a: 2 } });
    const [two] = await server.work.fetch({ ...W, handlers: ['TWO'] });
    await server.work.complete(two?.id ?? '', { worker: 'w1' });
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: { a: 2 } });
  });
});
