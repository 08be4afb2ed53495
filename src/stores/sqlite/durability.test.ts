/** What stays: across closing, across processes, and across a kill at any moment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { ENDED_WELL, runProgram } from '../../testing/child-program.ts';
import { Bench, namesOf } from '../../testing/store-bench.ts';
import { fenceOf, idOf, next, post, start, T0, token, value } from '../../testing/store-commits.ts';
import { sqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-durable-'));
afterAll(() => rmSync(folder, { recursive: true }));

const here = import.meta.dirname;
const writer = join(here, '../../testing/sqlite-writer.ts');
const opened: Bench[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ store }) => store.close()));
});

let files = 0;
function freshPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

async function openBench(path: string): Promise<Bench> {
  const clock = { now: T0 };
  const store = sqlite(path, { clock: () => clock.now });
  await store.open();
  const bench = new Bench(store, clock);
  opened.push(bench);
  return bench;
}

describe('closing and opening', () => {
  test('what was committed is there after closing and opening again', async () => {
    const path = freshPath();
    const first = await openBench(path);
    await first.given(
      start('a', {
        head: { key: 'k' },
        rows: { values: [value('vars', 'x', 1)], posts: [post('p1')] },
      }),
    );
    const claim = await first.claimFirst();
    await first.store.close();

    const second = await openBench(path);
    expect((await second.load('a')).scopes[0]?.vars).toEqual({ x: 1 });
    expect(await second.store.findByKey('order', 'k', null)).toBe('a');
    expect(await second.store.posts(9)).toEqual([{ instance: 'a', post: post('p1') }]);
    await second.given(next('a', 1, { fence: fenceOf(claim) }));
  });

  test('the same store can be closed and opened again', async () => {
    const { store } = await openBench(freshPath());
    await store.commit([start('a')]);
    await store.close();
    await store.close();
    await store.open();
    expect(await store.scan(null, 9)).toEqual(['a']);
  });

  test('what is asked before closing is answered, and what is asked after is refused', async () => {
    const { store } = await openBench(freshPath());
    const asked = Array.from({ length: 20 }, (_, i) => store.commit([start(`i${i}`)]));
    const closing = store.close();
    await expect(store.scan(null, 9)).rejects.toMatchObject({ code: 'store.unreachable' });
    await closing;
    const outcomes = (await Promise.all(asked)).flat();
    expect(outcomes.every(({ outcome }) => outcome === 'committed')).toBe(true);
  });

  test('a store that was never opened says so', async () => {
    const store = sqlite(freshPath());
    await expect(store.load([])).rejects.toMatchObject({ code: 'store.unreachable' });
    await store.close();
  });

  test('without a clock of the test it goes by that of the machine', async () => {
    const store = sqlite(freshPath());
    await store.open();
    const before = Date.now();
    await store.commit([start('a', { rows: { tokens: [token(2, { handler: 'h' })] } })]);
    const [claim] = await store.claim({ worker: 'w', handlers: ['h'], limit: 1, leaseMs: 5_000 });
    expect(claim?.at).toBeGreaterThanOrEqual(before);
    expect(claim?.until).toBe((claim?.at ?? 0) + 5_000);
    expect(store.now()).toBeGreaterThanOrEqual(claim?.at ?? 0);
    await store.close();
  });
});

describe('sharing a file', () => {
  test('two stores on one file see the same, and never claim the same token', async () => {
    const path = freshPath();
    const [one, two] = await Promise.all([openBench(path), openBench(path)]);
    const names = Array.from({ length: 20 }, (_, i) => `i${i}`);
    await Promise.all(names.map((name, i) => (i % 2 === 0 ? one : two).given(start(name))));
    const claims = await Promise.all(
      names.map((worker, i) => (i % 2 === 0 ? one : two).claim({ worker, limit: 3 })),
    );
    expect(new Set(namesOf(claims.flat())).size).toBe(20);
    expect(claims.flat()).toHaveLength(20);
  });

  test('what one store commits fences and outdates the other', async () => {
    const path = freshPath();
    const [one, two] = [await openBench(path), await openBench(path)];
    await one.given(start('a', { head: { key: 'k' } }));
    const fence = fenceOf(await two.claimFirst());
    await one.given(next('a', 1, { rows: { tokens: [token(2)] } }));
    expect(await two.commit(next('a', 1, { fence }))).toEqual({ outcome: 'stale' });
    expect(await two.commit(next('a', 2, { fence }))).toEqual({ outcome: 'fenced' });
    const again = await two.commit(start('b', { head: { key: 'k' } }));
    expect(again).toEqual({ outcome: 'exists', instance: 'a' });
  });

  test('reading does not wait for a writer of another process', async () => {
    const path = freshPath();
    const bench = await openBench(path);
    await bench.given(start('a'));
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    expect((await bench.load('a')).head.version).toBe(1);
    other.exec('rollback');
    other.close();
  });
});

describe('values the database refuses', () => {
  // Not in the suite of all stores: the memory store relies on the port's word that it is not done.
  test('what is handed in can be altered afterwards without harm', async () => {
    const bench = await openBench(freshPath());
    const payload = { list: [1] };
    const born = { ...token(2, { wake: { reason: 'event', payload } }) };
    const rows = { tokens: [born], values: [value('vars', 'x', payload)] };
    await bench.given(start('a', { head: { input: payload }, rows }));
    payload.list.push(2);
    Object.assign(born, { priority: 99 });
    const { head: first, tokens, scopes } = await bench.load('a');
    expect(first.input).toEqual({ list: [1] });
    expect(tokens[0]).toMatchObject({ priority: 0, wake: { payload: { list: [1] } } });
    expect(scopes[0]?.vars).toEqual({ x: { list: [1] } });
  });

  test('a number that is no whole one fails its own commit, and the batch goes on', async () => {
    const bench = await openBench(freshPath());
    const bad = { rows: { tokens: [token(2, { priority: 0.5 })] } };
    const batch = [start('a'), start('b', bad), start('c'), start('d', bad), next('a', 1)];
    const outcomes = await bench.store.commit(batch);
    const words = ['committed', 'failed', 'committed', 'failed', 'committed'];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(words);
    expect(outcomes[1]).toMatchObject({
      error: { code: 'store.refused', details: { instance: 'b' } },
    });
    expect(await bench.store.scan(null, 9)).toEqual(['a', 'c']);
    expect(await bench.historyNumbers('a')).toEqual([1, 2]);
  });

  test('a key or an id that would come back as another one is refused', async () => {
    const bench = await openBench(freshPath());
    const outcome = await bench.commit(start('a', { head: { key: 'half \ud800' } }));
    expect(outcome).toMatchObject({ outcome: 'failed' });
    const rows = { posts: [post('half \ud800')] };
    expect(await bench.commit(start('a', { rows }))).toMatchObject({ outcome: 'failed' });
    const message = { id: 'm', type: 't', key: '\udfff', data: null as Json, ttlMs: 1 };
    await expect(bench.store.publish(message)).rejects.toMatchObject({ name: 'EngineError' });
  });

  test('a row that someone spoiled is named, and hides nothing else', async () => {
    const path = freshPath();
    const bench = await openBench(path);
    await bench.given(start('a'), start('b'));
    const db = new DatabaseSync(path);
    db.exec(`update token set wake = '{"half' where instance_id = 'a'`);
    db.close();
    await expect(bench.load('a')).rejects.toMatchObject({
      code: 'store.corrupt',
      details: { column: 'wake', id: 2 },
    });
    expect((await bench.load('b')).tokens).toHaveLength(1);
  });
});

describe('processes', () => {
  test('P1 what was acknowledged survives kill -9, whole, again and again', async () => {
    const path = freshPath();
    for (const lines of [1, 25, 60]) {
      const [acknowledged] = await killAfter(lines, path, ['a']);
      const bench = await openBench(path);
      const { head, tokens, scopes } = await bench.load('a');
      expect(head.version).toBeGreaterThanOrEqual(acknowledged ?? Number.NaN);
      expect(tokens.map(({ id }) => id)).toEqual([head.version + 2]);
      expect(scopes[0]?.vars).toEqual({ version: head.version });
      const numbers = await bench.historyNumbers('a');
      expect(numbers).toEqual(Array.from({ length: head.version }, (_, i) => i + 1));
      await bench.store.close();
    }
  });

  test('processes that start at once on a new file migrate it once and share it', async () => {
    const path = freshPath();
    const names = ['a', 'b', 'c'];
    const acknowledged = await killAfter(10, path, names);
    const bench = await openBench(path);
    for (const [index, name] of names.entries()) {
      const { version } = (await bench.load(name)).head;
      expect(version).toBeGreaterThanOrEqual(acknowledged[index] ?? Number.NaN);
    }
    expect(await bench.store.scan(null, 9)).toEqual(names.map(idOf));
  });

  test.each([
    ['has closed its store', 'await store.close();'],
    ['forgets to close its store', ''],
  ])('a program that %s ends by itself', async (_what, last) => {
    const module = pathToFileURL(join(here, 'sqlite.ts')).href;
    const ended = await runProgram(`
      import { sqlite } from '${module}';
      const store = sqlite(${JSON.stringify(freshPath())});
      await store.open();
      await store.scan(null, 1);
      ${last}`);
    expect(ended).toEqual(ENDED_WELL);
  });
});

/** Lets writers run until each has acknowledged so many commits, and kills them all. */
async function killAfter(lines: number, path: string, names: string[]): Promise<number[]> {
  const children = names.map((name) =>
    spawn(process.execPath, [writer, path, name], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const seen = await Promise.all(children.map((child) => lastOf(child, lines)));
  const gone = children.map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(gone);
  return seen;
}

async function lastOf(child: ChildProcess, lines: number): Promise<number> {
  if (child.stdout === null) throw new Error('the output of a writer is a pipe');
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    count += 1;
    if (count >= lines) return Number(line);
  }
  throw new Error(`the writer ended after ${count} lines`);
}
